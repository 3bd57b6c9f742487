"""What stands on a card between its body and its buttons and outlives a change of either."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.card.guard import Guard
from partner_desktop.desktop.card.questions import QuestionPile
from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.parts.boxes import discard, vbox
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import Stream

if TYPE_CHECKING:
    from partner_desktop.desktop.card.tried import TriedView
    from partner_desktop.desktop.parts.live_text import LiveText

_LIVE_LINES = 6


class Standing(QWidget):
    """What its server asks, what the run prints, what a try of it brought; each there once it is needed.

    `unfolding()` before output is folded out or in."""

    unfolding = Signal()

    def __init__(self, guard: Guard, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._hash = ""
        self.questions = QuestionPile(guard)
        self.live: LiveText | None = None
        self.tried: TriedView | None = None
        self._column = vbox(self.questions, into=self)

    def fit(self, record: ActionRecord) -> None:
        """What belongs to an earlier state, or to another script, goes."""
        if record.status is not ActionStatus.RUNNING:
            self.questions.clear()
            self._drop(self.live)
            self.live = None
        if record.status is not ActionStatus.WAITING or record.content_hash != self._hash:
            self._drop(self.tried)
            self.tried = None
        self._hash = record.content_hash

    def show_output(self, stream: Stream, text: str) -> None:
        """What the run printed since."""
        if self.live is None:
            from partner_desktop.desktop.parts.live_text import LiveText  # noqa: PLC0415 - with the first

            self.live = LiveText(lambda: tr("What it prints"), self._theme, lines=_LIVE_LINES)
            self._put(self.live)
        self.live.add(stream, text)

    def begin_try(self) -> TriedView:
        """The place where a try is told; what an earlier one brought goes."""
        from partner_desktop.desktop.card.tried import TriedView  # noqa: PLC0415 - rarely needed

        self._drop(self.tried)
        self.tried = TriedView(self._theme)
        self.tried.unfolding.connect(self.unfolding)
        self._put(self.tried)
        return self.tried

    def _put(self, view: QWidget) -> None:
        box = QWidget()
        vbox(view, into=box, margins=(16, 0, 16, 14))
        self._column.insertWidget(0, box)

    def _drop(self, view: QWidget | None) -> None:
        box = view.parentWidget() if view is not None else None
        if box is not None:
            self._column.removeWidget(box)
            discard(box)
