"""A block of code in a reply: its language, a way to copy it, colours, and a fold when it is long."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from PySide6.QtCore import QTimer
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from partner_desktop.desktop.chat.code_colors import CodeColors
from partner_desktop.desktop.chat.indented import Indented
from partner_desktop.desktop.chat.typeset import utf16_length
from partner_desktop.desktop.markup.highlight import MOST_CHARACTERS
from partner_desktop.desktop.markup.parts import Code, OpenCode, Part, plain_text
from partner_desktop.desktop.parts.boxes import grow, hbox
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.copy_button import CopyButton
from partner_desktop.desktop.parts.labels import ElidedLabel
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
        theme.changed.connect(self._repaint)
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

    def _repaint(self) -> None:
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
