"""Source and details of one action, folded out below its card and away again.

The source is asked for once: the next fold shows what came.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from partner_desktop.desktop.card.details import DetailsView
from partner_desktop.desktop.card.trial import proposed_code
from partner_desktop.domain.action import ActionRecord, ActionStatus


class DetailsFold(QObject):
    """`source_wanted(action_id)` with the first view; `edit_pressed(action_id)`. The card places the view."""

    source_wanted = Signal(str)
    edit_pressed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._source: str | None = None
        self.view: DetailsView | None = None
        """`None`: it is folded away."""

    def open(self, record: ActionRecord, allowed: str) -> DetailsView:
        """A new view; `allowed`: how far it was allowed."""
        view = self.view = DetailsView(record, allowed=allowed)
        view.edit_pressed.connect(lambda: self.edit_pressed.emit(record.id))
        code = proposed_code(record)
        if code is not None:
            waits = record.status is ActionStatus.WAITING
            view.show_source("" if waits else code)  # while it waits, it stands there already
        elif self._source is None:
            self.source_wanted.emit(record.id)
        else:
            view.show_source(self._source)
        return view

    def close(self) -> DetailsView | None:
        """The view that is to go, where there is one."""
        gone, self.view = self.view, None
        return gone

    def show_source(self, text: str) -> None:
        """The source that was asked for."""
        self._source = text
        if self.view is not None:
            self.view.show_source(text)
