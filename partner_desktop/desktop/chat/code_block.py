"""A block of code in a reply: its language, a way to copy it, colours, and a fold when it is long."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from PySide6.QtCore import QTimer
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from partner_desktop.desktop.chat.code_colors import CodeColors
from partner_desktop.desktop.chat.indented import Indented
from partner_desktop.desktop.markup.parts import Code, Part, plain_text
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

    def __init__(self, part: Code, theme: Theme, slices: Slices) -> None:
        frame = QFrame()
        frame.setObjectName("code_block")
        super().__init__(part, frame, filling=True)
        self._part = part
        self._slices = slices
        self._unfolded = False
        self.view = _Text(lambda: self.tr("Code"), most_lines=FOLDED_OVER, look="")
        self.view.setObjectName("code_text")
        # The stylesheet comes too late: a document never forgets how wide it was in the first font.
        self.view.document().setDefaultFont(theme.mono_font())
        self._fold = push_button("", "quiet", name=lambda: self.tr("Show all lines"))
        self._fold.clicked.connect(self._toggle)
        self._colors = CodeColors(self.view.document(), part.language, theme)
        theme.changed.connect(self._repaint)
        self._soon = QTimer(self, interval=_COLOR_MS, singleShot=True)
        self._soon.timeout.connect(self._color)
        layout = QVBoxLayout(frame)
        # Qt adds eight pixels to the widest line: they stand in the margin, so that no bar shows for them.
        layout.setContentsMargins(14, 4, 2, 10)
        layout.setSpacing(2)
        layout.addLayout(self._head(part))
        layout.addWidget(self.view)
        layout.addWidget(self._fold)
        self._shown = 0
        in_every_language(self, self._show_fold)
        self._follow_part()

    def _head(self, part: Code) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 4, 0)
        head.addWidget(ElidedLabel(part.language or (lambda: self.tr("text")), "head"), 1)
        head.addWidget(CopyButton(self.plain, lambda: self.tr("Copy this code")))
        return head

    @property
    def folded(self) -> bool:
        """Whether only the first lines are in view."""
        return self._line_count() > FOLDED_OVER and not self._unfolded

    def plain(self) -> str:
        """The code as it was written."""
        return plain_text(self._part)

    def grow(self, part: Part) -> bool:
        """Go on as `part`; false when it is something else."""
        old = self._part
        if not isinstance(part, Code) or part.language != old.language:
            return False
        if not plain_text(part).startswith(plain_text(old)):
            return False
        self._part = part
        self._follow_part()
        return True

    def _follow_part(self) -> None:
        if self._part.closed:
            self._soon.stop()
        elif not self._soon.isActive():
            self._soon.start()
        self._slices.start(self, self._filling())

    def _filling(self) -> Iterator[None]:
        """Bring the view up to the text; what is whole gets its colours at once."""
        code = self.plain()
        while self._shown < len(code):
            portion = code[self._shown : self._shown + _PORTION]
            cursor = QTextCursor(self.view.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(portion)
            self._shown += len(portion)
            yield
        self._show_fold()
        if self._part.closed:
            yield from self._colors.read(code, whole=True)

    def _repaint(self) -> None:
        self._slices.start(self, chain(self._filling(), self._colors.repaint()))

    def _color(self) -> None:
        lines = self._part.text[: self._part.text.rfind("\n") + 1]
        self._slices.start(self, chain(self._filling(), self._colors.read(lines, whole=False)))

    def _line_count(self) -> int:
        return self.plain().count("\n") + 1

    def _toggle(self) -> None:
        self._unfolded = not self._unfolded
        self._show_fold()

    def _show_fold(self) -> None:
        count = self._line_count()
        self._fold.setVisible(count > FOLDED_OVER)
        if count <= FOLDED_OVER:
            return
        self.view.set_most_lines(FOLDED_LINES if self.folded else _MOST_LINES)
        words = self.tr("Show all {count} lines").format(count=count) if self.folded else self.tr("Show less")
        self._fold.setText(f"{words} {'▾' if self.folded else '▴'}")
        self._fold.setAccessibleName(words)
        # What is being written stands at the end.
        bar = self.view.verticalScrollBar()
        bar.setValue(0 if self._part.closed else bar.maximum())
