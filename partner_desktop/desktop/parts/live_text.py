"""The end of what is being printed, in a view whose height never changes: the flow around it stands still."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFocusEvent, QTextBlock, QTextCharFormat, QTextCursor, QTextOption

from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import LazyText
from partner_desktop.domain.command_session import Stream

#: More of it nobody reads while it runs; the record keeps the rest.
MOST_LINES = 400
#: Given back at once, so that a long run does not give back a line with each line.
_SURPLUS = 100
#: Of one line; more is broken, as Qt lays out a line in one go.
_MOST_LETTERS = 1_000
#: Set on the lines that were said on stderr.
_ASIDE = 1


class LiveText(CodeView):
    """Follows its end while that is in view; where one reads further up, it stays. stderr is muted."""

    def __init__(self, name: LazyText, theme: Theme, *, lines: int, grows: bool = False) -> None:
        """`lines`: how high it is; with `grows` at least so high, and as high as there is room."""
        super().__init__(name, most_lines=lines, wraps=True)
        self._theme = theme
        self._lines = lines
        self._last: Stream = "stdout"
        self._line_ended = False
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        # The stylesheet comes too late: a document never forgets how high its first lines were.
        self.document().setDefaultFont(theme.mono_font())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if grows:
            policy = self.sizePolicy()
            policy.setVerticalPolicy(policy.Policy.Expanding)
            self.setSizePolicy(policy)

    @property
    def following(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum()

    @property
    def empty(self) -> bool:
        return self.document().isEmpty()

    def add(self, stream: Stream, text: str) -> None:
        """What was printed since; only as much is taken in as is kept."""
        if not text:
            return
        following = self.following
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        begins = not self.empty and (self._line_ended or stream != self._last)
        first = cursor.blockNumber() + (1 if begins else 0)
        self._last, self._line_ended = stream, text.endswith("\n")
        cursor.insertText(("\n" if begins else "") + _bounded(text.removesuffix("\n")))
        if stream == "stderr":
            self._set_aside(self.document().findBlockByNumber(first))
        gone = self._trim()
        bar = self.verticalScrollBar()
        if following:
            bar.setValue(bar.maximum())
        elif gone:
            bar.setValue(max(0, bar.value() - gone))

    def start_over(self) -> None:
        """Show nothing."""
        self.clear()
        self._last, self._line_ended = "stdout", False

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The frame shows it; Qt would bring the cursor, at the beginning, to view."""
        value = self.verticalScrollBar().value()
        super().focusInEvent(event)
        self.verticalScrollBar().setValue(value)

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        return QSize(200, ceil(self._lines * self.fontMetrics().lineSpacing()) + 2 * self._around)

    def _fit(self) -> None:
        """No text changes the height, so that nothing around it is laid out anew."""

    def _set_aside(self, block: QTextBlock) -> None:
        aside = QTextCharFormat()
        aside.setForeground(self._theme.color("muted"))
        while block.isValid():
            block.setUserState(_ASIDE)
            cursor = QTextCursor(block)
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(aside)
            block = block.next()

    def _trim(self) -> int:
        """How many lines, as they are laid out, went at the beginning."""
        surplus = self.document().blockCount() - MOST_LINES
        if surplus < _SURPLUS:
            return 0
        block, gone = self.document().firstBlock(), 0
        for _ in range(surplus):
            gone += max(1, block.lineCount())
            block = block.next()
        cursor = QTextCursor(self.document())
        cursor.setPosition(block.position(), QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        return gone

    def restyle(self) -> None:
        """Set the text again, in the theme as it is now."""
        self.document().setDefaultFont(self._theme.mono_font())
        aside = QTextCharFormat()
        aside.setForeground(self._theme.color("muted"))
        block = self.document().firstBlock()
        while block.isValid():
            if block.userState() == _ASIDE:
                cursor = QTextCursor(block)
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                cursor.setCharFormat(aside)
            block = block.next()
        self.updateGeometry()


def _bounded(text: str) -> str:
    """The last lines, none of them longer than can be laid out at once."""
    lines: list[str] = []
    for line in text[-MOST_LINES * _MOST_LETTERS :].split("\n")[-MOST_LINES:]:
        lines += [line[at : at + _MOST_LETTERS] for at in range(0, max(1, len(line)), _MOST_LETTERS)]
    return "\n".join(lines[-MOST_LINES:])
