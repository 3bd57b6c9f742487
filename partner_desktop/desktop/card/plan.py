"""The steps of a card: made when it first has some, shown as they are now, and edited in their place.

Its rows live as long as the card; what is rebuilt around them takes them over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from partner_desktop.desktop.card.guard import Guard
from partner_desktop.desktop.card.trial import SandboxSeen
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import Words
from partner_desktop.domain.action import ActionRecord, ActionStatus

if TYPE_CHECKING:
    from partner_desktop.desktop.card.chain.body import ChainBody


class CardPlan(QObject):
    """`made(body)`, once; `rows_folded()`, `edit_ended()`; `unfolding()` before it grows or shrinks."""

    made = Signal(object)
    rows_folded = Signal()
    edit_ended = Signal()
    unfolding = Signal()

    def __init__(self, parent: QObject, theme: Theme, guard: Guard) -> None:
        super().__init__(parent)
        self._theme = theme
        self._guard = guard
        self.body: ChainBody | None = None
        """`None`: it has no steps."""

    def show(self, record: ActionRecord, note: Words, sandbox: SandboxSeen | None) -> ChainBody:
        """The steps as they are now."""
        is_new = self.body is None
        body = self.body or self._make()
        missing = sandbox is not None and not sandbox.available
        body.show_record(record, note, why_open=sandbox.reason if sandbox is not None and missing else "")
        if is_new:
            self.made.emit(body)
        return body

    def only_went_on(self, before: ActionRecord, record: ActionRecord) -> bool:
        """Whether nothing but its steps has changed, and the same buttons are offered."""
        same = before.status is record.status and record.status is not ActionStatus.WAITING
        return same and self.body is not None and record.chain is not None

    @property
    def all_open(self) -> bool:
        """Whether every step is unfolded."""
        return self.body is not None and self.body.all_open

    @property
    def editing(self) -> bool:
        """Whether the editor stands in its place."""
        return self.body is not None and self.body.editor is not None

    def begin_edit(self) -> None:
        """The editor takes its place."""
        if self.body is not None:
            self.body.begin_edit()

    def end_edit(self) -> None:
        """What was edited is out of date."""
        if self.body is not None:
            self.body.end_edit()

    def _make(self) -> ChainBody:
        from partner_desktop.desktop.card.chain.body import ChainBody  # noqa: PLC0415 - few have steps

        self.body = ChainBody(self._theme, self._guard)
        self.body.unfolding.connect(self.unfolding)
        self.body.rows_folded.connect(self.rows_folded)
        self.body.edit_ended.connect(self.edit_ended)
        return self.body
