"""What is asked on a card beside its decision: of its action, and of the steps of its chain.

An action is tried before, or taken back and its files kept after; of a chain the plan is changed, a step
left out, or looked at closer.

Contract: every request is a task of the window's Work; what fails is a sentence on the card itself. The card
may be gone, hold other steps, or another one stand in its place, when the answer comes: it is looked for
again then.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from partner_desktop.base.errors import PartnerError
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.plan.body import PlanBody
from partner_desktop.desktop.card.plan.step_row import StepDetails, StepRow
from partner_desktop.desktop.card.words import SandboxSeen
from partner_desktop.desktop.chat.message_list import MessageList
from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.desktop.parts.boxes import bring_into_view
from partner_desktop.desktop.parts.file_dialogs import ask_for_folder
from partner_desktop.desktop.runs.run_output import RunOutput
from partner_desktop.desktop.wording import announce, tr
from partner_desktop.desktop.work import Work
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind, PlanEdit
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import StepStatus
from partner_desktop.domain.plan_save import PlanSaveDraft
from partner_desktop.domain.run_facts import Risk

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.card.aftermath import Aftermath
    from partner_desktop.desktop.card.proposed_script import TrialResultView


class CardController:
    """Serves every card that it adopts."""

    def __init__(self, feed: MessageList, work: Work, partner: Partner) -> None:
        self._feed = feed
        self._work = work
        self._partner = partner
        self._left = AftermathRequests(work, partner, self._left_by)

    def _left_by(self, action_id: str) -> Aftermath | None:
        card = self._feed.card(action_id)
        return card.aftermath if card is not None else None

    def adopt(self, card: ActionCard) -> None:
        """Listen to it, and tell it of the sandbox."""
        sandbox = self._partner.sandbox
        card.know_sandbox(SandboxSeen(sandbox.available, "" if sandbox.available else sandbox.reason))
        card.try_pressed.connect(lambda action_id, params: self._try(card, action_id, params))
        card.undo_pressed.connect(self._left.undo)
        card.keep_files_pressed.connect(self._left.choose_folder)

    def _try(self, card: ActionCard, action_id: str, params: JsonObject | None) -> None:
        view = card.begin_try()
        self._work.start(f"try {action_id}", self._tell_try(card, view, action_id, params))

    async def _tell_try(
        self, card: ActionCard, view: TrialResultView, action_id: str, params: JsonObject | None
    ) -> None:
        try:
            response = await self._partner.actions.try_out(action_id, params=params)
            if isValid(view):
                view.show_response(response)
                announce(card, tr("It was tried."))
        except PartnerError as error:
            if isValid(view):
                view.show_problem(str(error))
        finally:
            if isValid(card):
                card.end_try()


class AftermathRequests:
    """What is asked of what a run left: to take its changes back, to keep its files elsewhere.

    `find(id)` gives where it is said now; `tell_problem(id, sentence)` says what failed in its place.
    """

    def __init__(
        self,
        work: Work,
        partner: Partner,
        find: Callable[[str], Aftermath | None],
        tell_problem: Callable[[str, str], None] | None = None,
    ) -> None:
        self._work = work
        self._partner = partner
        self._find = find
        self._tell_problem = tell_problem or self._show_problem

    def undo(self, action_id: str) -> None:
        """Take back what it changed."""
        self._start(action_id, f"undo {action_id}", self._undo(action_id))

    async def _undo(self, action_id: str) -> None:
        sentence = await self._partner.actions.undo(action_id)
        left = self._find(action_id)
        if left is not None:
            left.show_undone(sentence)
            announce(left, sentence)

    def choose_folder(self, action_id: str) -> None:
        """Ask where its files go, and copy them there."""
        left = self._find(action_id)
        if left is not None:
            ask_for_folder(
                left.window(), tr("Keep the files in"), lambda name: self._keep(action_id, Path(name))
            )

    def _keep(self, action_id: str, folder: Path) -> None:
        self._start(action_id, f"keep files of {action_id}", self._tell_kept(action_id, folder))

    async def _tell_kept(self, action_id: str, folder: Path) -> None:
        sentence = await self._partner.actions.keep_files(action_id, folder)
        left = self._find(action_id)
        if left is not None:
            left.unfolding.emit()
            left.show_kept(sentence, folder)
            announce(left, sentence)

    def _start(self, action_id: str, name: str, work: Coroutine[Any, Any, None]) -> None:
        left = self._find(action_id)
        if left is not None:
            left.set_busy(busy=True)
        self._work.start(name, work, on_fault=lambda sentence: self._tell_problem(action_id, sentence))

    def _show_problem(self, action_id: str, sentence: str) -> None:
        left = self._find(action_id)
        if left is not None:
            left.show_problem(sentence)


class PlanController(QObject):
    """Serves the plans that it adopts. `details_made(view)`: what a step's result brought beside its text."""

    details_made = Signal(object)

    def __init__(
        self,
        feed: MessageList,
        work: Work,
        partner: Partner,
        live: RunOutput,
        *,
        show_action: Callable[[str], None],
    ) -> None:
        """`show_action`: lead to the card of an action."""
        super().__init__(feed)
        self._show_action = show_action
        self._feed = feed
        self._work = work
        self._partner = partner
        self._live = live
        self._left = AftermathRequests(work, partner, self._left_by)

    def adopt(self, card: ActionCard, plan: PlanBody) -> None:
        """Listen to it."""
        plan.opened.connect(lambda step_id: self._look_closer(card, step_id))
        plan.source_pressed.connect(self._fetch_source)
        plan.skip_pressed.connect(lambda step_id: self._skip(card, step_id))
        plan.edit_saved.connect(lambda edit: self._save(card, edit))
        plan.asked.connect(lambda verb: self._ask(card, verb))
        plan.undo_pressed.connect(self._left.undo)
        plan.keep_pressed.connect(self._left.choose_folder)
        plan.details_made.connect(self._serve_details)
        if card.record is not None and _may_be_undone(card.record):
            self._work.start(f"steps of {card.record.id}", self._fetch_steps(card.record.id, asked=False))

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
            self._work.start(f"steps of {action_id}", self._fetch_steps(action_id, asked=True))

    async def _fetch_steps(self, action_id: str, *, asked: bool) -> None:
        """What its steps have become; `asked`: the person wants to see more."""
        records = await self._partner.actions.steps(action_id)
        card = self._feed.card(action_id)
        if card is not None and card.plan is not None:
            (card.unfolding if asked else card.changing).emit()
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

    # What is asked of a plan that is over.

    def _ask(self, card: ActionCard, verb: str) -> None:
        if card.record is None:
            return
        action_id = card.record.id
        acts = {
            "verify": self._verify,
            "repair": self._repair,
            "resume": self._partner.plans.resume,
            "save": self._offer_to_save,
            "undo": self._undo_all,
        }
        self._carry_out(action_id, f"{verb} {action_id}", acts[verb](action_id))

    async def _verify(self, action_id: str) -> None:
        """Its verdicts come as they are found."""
        await self._partner.plans.verify(action_id)
        self._settle(action_id)

    async def _repair(self, action_id: str) -> None:
        """What mends it is a card of its own, which may be there already."""
        card = await self._partner.plans.repair(action_id)
        self._settle(action_id)
        self._show_action(card.id)

    async def _offer_to_save(self, action_id: str) -> None:
        from partner_desktop.desktop.card.plan.save_form import PlanSaveForm  # noqa: PLC0415 - rarely needed

        draft = await self._partner.plans.saveable(action_id)
        card = self._feed.card(action_id)
        if card is None:
            return
        form = PlanSaveForm(draft)
        form.cancelled.connect(card.hide_form)
        form.plan_saved.connect(lambda wanted: self._keep_plan(action_id, form, wanted))
        card.show_form(form)
        for part in (form.save_button, form.name):  # all of it where there is room, else its beginning
            QTimer.singleShot(0, part, partial(bring_into_view, part))

    def _keep_plan(self, action_id: str, form: DraftForm, draft: PlanSaveDraft) -> None:
        async def save() -> None:
            key = await self._partner.plans.save(action_id, draft)
            card = self._feed.card(action_id)
            if card is not None:
                card.hide_form()
            words = tr("“{name}” is kept. It asks again before it runs.")
            self._tell(action_id, words.format(name=key.partition("::")[2]))

        self._work.start(f"save {action_id}", save(), on_fault=form.show_problem)

    def _settle(self, action_id: str) -> None:
        card = self._feed.card(action_id)
        if card is not None:
            card.settle()

    async def _undo_all(self, action_id: str) -> None:
        self._tell(action_id, await self._partner.actions.undo(action_id))

    def _tell(self, action_id: str, sentence: str) -> None:
        """What came of it; it may be asked again."""
        card = self._feed.card(action_id)
        if card is not None and card.plan is not None:
            card.unfolding.emit()
            card.settle()
            card.plan.say_done(sentence)
            announce(card, sentence)

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

    def _save(self, card: ActionCard, edit: PlanEdit) -> None:
        if card.record is not None:
            self._carry_out(card.record.id, f"edit {card.record.id}", self._edit(card.record.id, edit))

    async def _edit(self, action_id: str, edit: PlanEdit) -> None:
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


def _may_be_undone(record: ActionRecord) -> bool:
    """Whether a step may have changed files; what became of it is asked for then."""
    steps = record.plan.steps if record.status.ended else ()
    return any(step.status is StepStatus.SUCCEEDED and step.risk is not Risk.READ for step in steps)
