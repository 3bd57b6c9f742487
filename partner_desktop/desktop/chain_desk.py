"""What is asked of the steps of a chain on its card: to change the plan, to leave a step out, to look closer.

Contract: every request is a task of the window's Work; what fails is a sentence on the card itself. The card
may be gone, or hold other steps, when the answer comes: it is looked for again then.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.chain.body import ChainBody
from partner_desktop.desktop.card.chain.step_details import StepDetails
from partner_desktop.desktop.card.chain.step_row import StepRow
from partner_desktop.desktop.card_desk import AftermathRequests
from partner_desktop.desktop.chat.message_list import MessageList
from partner_desktop.desktop.live_desk import LiveDesk
from partner_desktop.desktop.wording import announce, tr
from partner_desktop.desktop.work import Work
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import StepStatus
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.intervention import ChainEdit, Intervention, InterventionKind

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.card.aftermath import Aftermath


class ChainDesk(QObject):
    """Serves the plans that it adopts. `details_made(view)`: what a step's result brought beside its text."""

    details_made = Signal(object)

    def __init__(self, feed: MessageList, work: Work, partner: Partner, live: LiveDesk) -> None:
        super().__init__(feed)
        self._feed = feed
        self._work = work
        self._partner = partner
        self._live = live
        self._left = AftermathRequests(work, partner, self._left_by)

    def adopt(self, card: ActionCard, plan: ChainBody) -> None:
        """Listen to it."""
        plan.opened.connect(lambda step_id: self._look_closer(card, step_id))
        plan.source_pressed.connect(self._fetch_source)
        plan.skip_pressed.connect(lambda step_id: self._skip(card, step_id))
        plan.edit_saved.connect(lambda edit: self._save(card, edit))
        plan.undo_pressed.connect(self._left.undo)
        plan.keep_pressed.connect(self._left.choose_folder)
        plan.details_made.connect(self._serve_details)

    def show_progress(self, progress: ProgressEvent) -> None:
        """How far a step is."""
        row = self._row(progress.action_id)
        if row is not None:
            row.show_progress(progress)

    # A step that asks has a card of its own.

    def place(self, card: ActionCard, record: ActionRecord) -> None:
        """Say which plan it is a step of."""
        holder = self._feed.card(record.parent_id)
        if holder is not None and holder.record is not None:
            self._say_place(card, holder.record, record.id)
        else:
            self._work.start(f"plan of {record.id}", self._fetch_place(record))

    async def _fetch_place(self, record: ActionRecord) -> None:
        parent = await self._partner.actions.get(record.parent_id)
        card = self._feed.card(record.id)
        if card is not None:
            self._say_place(card, parent, record.id)

    def _say_place(self, card: ActionCard, parent: ActionRecord, step_id: str) -> None:
        number = parent.chain.number_of(step_id) if parent.chain is not None else 0
        if number:
            card.say_place(lambda: tr("Step {number} of “{title}”").format(number=number, title=parent.title))

    # Looking closer.

    def _look_closer(self, card: ActionCard, step_id: str) -> None:
        row = self._row(step_id)
        if row is None or card.record is None or card.plan is None:
            return
        if row.step.status is StepStatus.RUNNING:
            self._live.begin_on_step(step_id)
        elif row.step.status is not StepStatus.PLANNED and not card.plan.knows(step_id):
            action_id = card.record.id
            self._work.start(f"steps of {action_id}", self._fetch_steps(action_id))

    async def _fetch_steps(self, action_id: str) -> None:
        records = await self._partner.actions.steps(action_id)
        card = self._feed.card(action_id)
        if card is not None and card.plan is not None:
            card.unfolding.emit()
            for record in records:
                card.plan.note_step(record)

    def _fetch_source(self, step_id: str) -> None:
        row = self._row(step_id)
        if row is not None:
            begun = row.child is not None
            self._work.start(
                f"source {step_id}", self._show_source(step_id, step_id if begun else row.step.key)
            )

    async def _show_source(self, step_id: str, asked: str) -> None:
        text = await self._partner.abilities.source(asked)
        row = self._row(step_id)
        if row is not None:
            row.show_source(text)

    def _serve_details(self, details: StepDetails) -> None:
        if details.outcome is not None and details.outcome.parts is not None:
            self.details_made.emit(details.outcome.parts)

    # Changing the plan.

    def _skip(self, card: ActionCard, step_id: str) -> None:
        if card.record is not None:
            wish = Intervention(InterventionKind.DELETE, step_ids=(step_id,))
            self._carry_out(card.record.id, f"skip {step_id}", self._intervene(card.record.id, wish))

    async def _intervene(self, action_id: str, wish: Intervention) -> None:
        """What of it was refused is said on the card."""
        outcome = await self._partner.actions.intervene(action_id, (wish,))
        card = self._feed.card(action_id)
        if card is not None and outcome.refused:
            card.show_problem(" ".join(outcome.refused))

    def _save(self, card: ActionCard, edit: ChainEdit) -> None:
        if card.record is not None:
            self._carry_out(card.record.id, f"edit {card.record.id}", self._edit(card.record.id, edit))

    async def _edit(self, action_id: str, edit: ChainEdit) -> None:
        await self._partner.actions.edit_chain(action_id, edit)
        card = self._feed.card(action_id)
        if card is not None and card.plan is not None:
            card.plan.end_edit()
            announce(card, tr("The plan was changed. It asks again."))

    def _carry_out(self, action_id: str, name: str, work: Coroutine[Any, Any, None]) -> None:
        def tell(sentence: str) -> None:
            card = self._feed.card(action_id)
            if card is not None:
                card.show_problem(sentence)

        self._work.start(name, work, on_fault=tell)

    def _row(self, step_id: str) -> StepRow | None:
        card = self._feed.plan_card(step_id)
        return card.plan.row(step_id) if card is not None and card.plan is not None else None

    def _left_by(self, step_id: str) -> Aftermath | None:
        row = self._row(step_id)
        return row.details.aftermath if row is not None and row.details is not None else None
