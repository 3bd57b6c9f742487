"""A block of code in a reply: its language, a way to copy it, colours, and a fold when it is long."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument, QTextLayout, QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from partner_desktop.base import log
from partner_desktop.desktop.chat.reply.typeset import INDENT_PX, QUOTE_PX, utf16_length
from partner_desktop.desktop.markup.highlight import MOST_CHARACTERS, Highlighter, Kind, Span
from partner_desktop.desktop.markup.parts import Code, OpenCode, Part, Table, plain_text
from partner_desktop.desktop.parts.boxes import grow, hbox, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import CopyButton, ElidedLabel, push_button
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language

#: Longer code is folded to its first lines.
FOLDED_OVER = 400
FOLDED_LINES = 40
#: Unfolded code that is longer still scrolls inside.
_MOST_LINES = 4_000
#: Characters that are put into the view at once.
_PORTION = 16_384
#: How often code that grows is coloured.
_COLOR_MS = 150


class _Text(CodeView):
    """Turns over the wheel to the chat, unless it goes sideways or the person is in here."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if sideways or self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


_GAP_ABOVE_PX = 4
_GAP_BELOW_PX = 10


class Indented(QWidget):
    """A framed block with its share of the margins."""

    def __init__(self, part: Code | OpenCode | Table, frame: QFrame, *, filling: bool) -> None:
        """`filling`: the frame is as wide as there is room, else as wide as it wants."""
        super().__init__()
        left = part.depth * INDENT_PX + part.quote * QUOTE_PX
        layout = vbox(into=self, gap=None, margins=(left, _GAP_ABOVE_PX, 0, _GAP_BELOW_PX))
        if filling:
            layout.addWidget(frame)
        else:
            layout.addWidget(frame, 0, Qt.AlignmentFlag.AlignLeft)


class CodeBlock(Indented):
    """Grows with its text; long lines scroll sideways."""

    def __init__(self, part: Code | OpenCode, theme: Theme, slices: Slices) -> None:
        frame = QFrame()
        frame.setObjectName("code_block")
        super().__init__(part, frame, filling=True)
        self._part, self._lines = part, part.lines
        self._slices = slices
        self.handled = False
        """Whether the person unfolded something."""
        # What was written before the person's eyes is not folded under them.
        self._unfolded, self._most_lines = not part.closed, _MOST_LINES if part.closed else FOLDED_OVER
        self.view = _Text(lambda: self.tr("Code"), most_lines=FOLDED_OVER, look="")
        self.view.setObjectName("code_text")
        # The stylesheet comes too late: a document never forgets how wide it was in the first font.
        self.view.document().setDefaultFont(theme.mono_font())
        self._fold: QPushButton | None = None
        self._colors = CodeColors(self.view.document(), part.language, theme)
        self._soon = QTimer(self, interval=_COLOR_MS, singleShot=True)
        self._soon.timeout.connect(self._color)
        self._column = layout = QVBoxLayout(frame)
        # Qt adds eight pixels to the widest line: they stand in the margin, so that no bar shows for them.
        layout.setContentsMargins(14, 4, 2, 10)
        layout.setSpacing(2)
        layout.addLayout(self._head(part))
        layout.addWidget(self.view)
        self._shown = 0
        in_every_language(self, self._show_fold)
        self._follow_part()

    def _head(self, part: Code | OpenCode) -> QHBoxLayout:
        return hbox(
            grow(ElidedLabel(part.language or (lambda: self.tr("text")), "head")),
            CopyButton(self.plain, lambda: self.tr("Copy this code")),
            gap=None,
            margins=(0, 0, 4, 0),
        )

    @property
    def folded(self) -> bool:
        """Whether only the first lines are in view."""
        return self._lines > FOLDED_OVER and not self._unfolded

    @property
    def filled(self) -> bool:
        """Whether all of the code is in the view."""
        return self._shown >= self._part.size

    def plain(self) -> str:
        """The code as it was written."""
        return plain_text(self._part)

    def grow(self, part: Part) -> bool:
        """Go on as `part`; false when it is something else."""
        old = self._part
        if not isinstance(part, (Code, OpenCode)) or part.language != old.language:
            return False
        if not _goes_on(old, part):
            return False
        surplus = old.since(part.size)
        self._part, self._lines = part, part.lines
        if surplus:
            self._take_back(surplus)
        self._follow_part()
        return True

    def _take_back(self, surplus: str) -> None:
        """Signs of the last line that may turn out to be the end of the code."""
        shown = surplus[: max(0, self._shown - self._part.size)]
        self._shown -= len(shown)
        cursor = QTextCursor(self.view.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        keep = QTextCursor.MoveMode.KeepAnchor
        cursor.movePosition(QTextCursor.MoveOperation.PreviousCharacter, keep, utf16_length(shown))
        cursor.removeSelectedText()

    def _follow_part(self) -> None:
        if self._part.closed:
            self._soon.stop()
        elif not self._soon.isActive():
            self._soon.start()
        self._slices.start(self, self._filling())

    def _filling(self) -> Iterator[None]:
        """Bring the view up to the text; what is whole gets its colours at once."""
        rest, at = self._part.since(self._shown), 0
        while at < len(rest):
            portion = rest[at : at + _PORTION]
            cursor = QTextCursor(self.view.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(portion)
            self._shown += len(portion)
            at += len(portion)
            yield
        self._show_fold()
        if self._part.closed:
            yield from self._colors.read(self.plain(), whole=True)

    def restyle(self) -> None:
        """Colour it again, in the theme as it is now."""
        self._slices.start(self, chain(self._filling(), self._colors.repaint()))

    def _color(self) -> None:
        part = self._part
        if isinstance(part, OpenCode) and part.settled <= MOST_CHARACTERS:
            text = part.text.whole()[: part.settled]
            self._slices.start(self, chain(self._filling(), self._colors.read(text, whole=False)))

    def _toggle(self) -> None:
        self._unfolded, self._most_lines = not self._unfolded, _MOST_LINES
        self.handled = True
        self._show_fold()

    def _show_fold(self) -> None:
        """The button comes with the first need: little code is that long."""
        count = self._lines
        if count <= FOLDED_OVER:
            if self._fold is not None:
                self._fold.hide()
            return
        if self._fold is None:
            self._fold = push_button("", "quiet", name=lambda: self.tr("Show all lines"))
            self._fold.clicked.connect(self._toggle)
            self._column.addWidget(self._fold)
        self._fold.show()
        self.view.set_most_lines(FOLDED_LINES if self.folded else self._most_lines)
        words = self.tr("Show all {count} lines").format(count=count) if self.folded else self.tr("Show less")
        if words != self._fold.accessibleName():
            self._fold.setText(f"{words} {'▾' if self.folded else '▴'}")
            self._fold.setAccessibleName(words)
        # What is being written stands at the end.
        bar = self.view.verticalScrollBar()
        bar.setValue(0 if self._part.closed else bar.maximum())


def _goes_on(old: Code | OpenCode, new: Code | OpenCode) -> bool:
    """Whether `new` begins as `old` does, but for a last line that was still being written."""
    if isinstance(old, OpenCode):
        return not isinstance(new, OpenCode) or new.text is old.text
    return new.size >= old.size and new.since(0).startswith(old.since(0))


_log = log.area("window")

_TOKENS: dict[Kind, str] = {
    "keyword": "code_keyword",
    "string": "code_string",
    "number": "code_number",
    "comment": "muted",
    "name": "code_name",
    "type": "code_type",
    "added": "good",
    "removed": "bad",
}


class CodeColors(QObject):
    """The colours of code on the lines of a document, as they become known. Belongs to the document.

    The formats lie over the text, which stays plain: copying and selecting know nothing of them. Qt's own
    highlighter would go through every line once before there is anything to show.
    """

    def __init__(self, document: QTextDocument, language: str, theme: Theme) -> None:
        super().__init__(document)
        self._document = document
        self._theme = theme
        self._highlighter = Highlighter(language)

    def read(self, text: str, *, whole: bool) -> Iterator[None]:
        """Read and paint in small steps."""
        try:
            for number in self._highlighter.read(text, whole=whole):
                if number is not None:
                    self._paint(number)
                yield
        except Exception as error:  # noqa: BLE001 - five hundred foreign lexers: code stays readable without
            _log.warning("a lexer failed: %s", error)

    def repaint(self) -> Iterator[None]:
        """Paint what is known again, in small steps."""
        for number in range(len(self._highlighter.lines)):
            self._paint(number)
            yield

    def _paint(self, number: int) -> None:
        block = self._document.findBlockByNumber(number)
        spans = self._highlighter.lines[number]
        if block.isValid() and (spans or block.layout().formats()):
            block.layout().setFormats([self._range(block, span) for span in spans])
            self._document.markContentsDirty(block.position(), block.length())

    def _range(self, block: QTextBlock, span: Span) -> QTextLayout.FormatRange:
        start, length, kind = span
        text = block.text()
        if not text.isascii():
            start, length = utf16_length(text[:start]), utf16_length(text[start : start + length])
        char_format = QTextCharFormat()
        char_format.setForeground(self._theme.color(_TOKENS[kind]))
        found = QTextLayout.FormatRange()
        found.start, found.length, found.format = start, length, char_format
        return found
