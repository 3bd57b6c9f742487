"""A line that unfolds what it names. What is inside is made when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.wording import LazyText, in_every_language, resolve_text, set_tip

#: The note begins where the title does, behind the arrow.
_NOTE_INDENT = 13


class Fold(QWidget):
    """`toggled(open)`. `make` gives the inside; `note` is a muted line that stands even when it is folded."""

    toggled = Signal(bool)

    def __init__(
        self, title: LazyText, make: Callable[[], QWidget], *, note: str = "", look: str = "row"
    ) -> None:
        super().__init__()
        self._title = title
        self._make = make
        self.inside: QWidget | None = None
        self.button = push_button("", look, pressed=self.toggle)
        self.button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._column = vbox(self.button, into=self, gap=2)
        if note:
            told_below = text_label(note, "muted", wrap=True)
            told_below.setContentsMargins(_NOTE_INDENT, 0, 0, 0)
            self._column.addWidget(told_below)
        in_every_language(self, self._say, now=True)

    @property
    def is_open(self) -> bool:
        return self.inside is not None and not self.inside.isHidden()

    def toggle(self) -> None:
        if self.inside is None:
            self.inside = self._make()
            self.inside.hide()
            self._column.addWidget(self.inside)
        self.inside.setVisible(not self.is_open)
        self._say()
        self.toggled.emit(self.is_open)

    def retitle(self, title: LazyText) -> None:
        """What it names is called otherwise now."""
        self._title = title
        self._say()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._say()

    def _say(self) -> None:
        title = " ".join(resolve_text(self._title).split())
        sign = "▾" if self.is_open else "▸"
        metrics = self.button.fontMetrics()
        room = self.button.width() - metrics.horizontalAdvance(f"{sign}  ") - 4
        shown = metrics.elidedText(title, Qt.TextElideMode.ElideRight, max(room, 40))
        self.button.setText(f"{sign} {shown}")
        words = self.tr("Fold away: {title}") if self.is_open else self.tr("Show: {title}")
        self.button.setAccessibleName(words.format(title=title))
        set_tip(self.button, title if shown != title else "")
