"""Cards of actions and what the panel lists of them: each shows what the store knows of its action, from when
it comes into being, and asks for what the person presses.

Contract: progress is shown at most ten times a second, the newest of each run.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QTimer

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.words import SandboxSeen, risk_words, standing_words
from partner_desktop.desktop.notices import NoticeAction
from partner_desktop.desktop.operations.action_verbs import (
    answer_elicitation,
    approve_action,
    ask_of_action,
    fetch_action,
    show_step_source,
    step_row,
    stop_run,
    try_action,
)
from partner_desktop.desktop.operations.plan_verbs import PLAN_VERBS, change_plan, edit_plan, fetch_steps
from partner_desktop.desktop.runs.command_controller import CommandController
from partner_desktop.desktop.runs.run_output import RunOutput
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import announce, tr
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.events import Event, ProposalEvent, ResultEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind
from partner_desktop.domain.plan import StepStatus
from partner_desktop.domain.run_facts import Risk

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.card.plan.step_row import StepDetails
    from partner_desktop.domain.json_value import JsonObject
    from partner_desktop.domain.permission import Scope

_SETTLE_MS = 100


class RunController(Controller):
    """Adopts every card and every item."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._feed = self._window.page.feed
        self._tab = self._window.panel.actions_tab
        self._output = RunOutput(context)
        self._commands = CommandController(context)
        self._fresh: set[str] = set()
        self._settle = QTimer(self._window, interval=_SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self._show_progress)
        store = self._store
        store.actions.changed.connect(self._show_actions)
        store.decisions.changed.connect(self._note_decisions)
        store.progress.changed.connect(self._note_progress)
        store.questions.changed.connect(self._note_questions)
        store.conversations.changed.connect(self._forget)
        self._feed.card_added.connect(self._adopt)
        self._tab.cancel_pressed.connect(partial(stop_run, context))

    def deliver(self, event: Event) -> None:
        """A card that waits, and one that came to its end, is told to those who do not see it."""
        match event:
            case ProposalEvent():
                self._announce(event.action, tr("Waits for your decision: {title}"))
            case ResultEvent():
                self._announce(event.action, f"{{title}}: {standing_words(event.action)[0]}")
            case _:
                pass

    def _announce(self, record: ActionRecord, words: str) -> None:
        card = self._feed.card(record.id)
        more = record.error if record.status.ended else risk_words(record)[0]
        said = ". ".join(part for part in (words.format(title=record.title), more) if part)
        announce(card if card is not None else self._window, said)

    # What is known.

    def _show_actions(self, ids: tuple[str, ...], _gone: tuple[str, ...]) -> None:
        for record in self._store.actions.those(ids):
            card = self._feed.card(record.id)
            if card is not None:
                card.show_record(record)
            plan = self._feed.plan_card(record.id) if record.parent_id else None
            if plan is not None and plan.plan is not None:
                plan.plan.note_step(record)
            self._tab.show_action(record)

    def _forget(self, _ids: tuple[str, ...], gone: tuple[str, ...]) -> None:
        for conversation_id in gone:
            self._tab.forget(conversation_id)

    def _note_decisions(self, ids: tuple[str, ...], _gone: tuple[str, ...]) -> None:
        for action_id in ids:
            self._say_decision(action_id)

    def _say_decision(self, action_id: str) -> None:
        """Somebody or something decided: the card says who, and how far it reaches."""
        from partner_desktop.desktop.card.words import decision_words, scope_words  # noqa: PLC0415

        event, card = self._store.decisions.get(action_id), self._feed.card(action_id)
        if event is not None and card is not None:
            known = self._store.actions.get(action_id)
            note = decision_words(event, known.risk if known is not None else None)
            card.show_note(note, lambda: scope_words(event))

    def _note_progress(self, ids: tuple[str, ...], gone: tuple[str, ...]) -> None:
        self._fresh = {*self._fresh, *ids} - {*gone}
        if ids and not self._settle.isActive():
            self._show_progress()

    def _show_progress(self) -> None:
        fresh, self._fresh = self._store.progress.those(self._fresh), set()
        for progress in fresh:
            for view in (self._feed.card(progress.action_id), step_row(self._context, progress.action_id)):
                if view is not None:
                    view.show_progress(progress)
            self._tab.show_progress(progress)
        if fresh:
            self._settle.start()

    # Questions.

    def _note_questions(self, ids: tuple[str, ...], gone: tuple[str, ...]) -> None:
        for question_id in gone:
            self._context.notices.settle(_about(question_id))
            for card in self._feed.cards:
                if question_id in card.questions.views:
                    card.questions.take_back(question_id)
        for question in self._store.questions.those(ids):
            self._ask(question)

    def _ask(self, question: Elicitation) -> None:
        action_id = question.action_id
        card = self._feed.card(action_id) or self._feed.plan_card(action_id)
        if card is not None:
            card.ask(question)
            return
        # Its card is in another conversation, or further up: say so, and lead there.
        lead = NoticeAction(
            lambda: tr("Show"), lambda: self._context.navigation.show_action(action_id), undoes=False
        )
        self._context.notices.tell("", lambda: _asks(question), action=lead, about=_about(question.id))

    def _ask_open(self, card: ActionCard) -> None:
        """What was asked before it came to view."""
        for question in self._store.questions.values():
            owner = self._feed.card(question.action_id) or self._feed.plan_card(question.action_id)
            if owner is card:
                self._context.notices.settle(_about(question.id))
                card.ask(question)

    def _answer(self, card: ActionCard, question_id: str, answer: ElicitationAnswer) -> None:
        tell = partial(card.questions.show_problem, question_id)
        answer_elicitation.or_tell(tell)(self._context, question_id, answer)

    # Cards.

    def _adopt(self, action_id: str, card: ActionCard) -> None:
        context = self._context
        card.approve_pressed.connect(self._approve)
        card.action_asked.connect(partial(ask_of_action, context))
        card.try_pressed.connect(partial(self._try, card))
        card.parts_shown.connect(context.pictures.serve)
        card.plan_shown.connect(lambda _plan: self._adopt_plan(card))
        card.questions.answered.connect(partial(self._answer, card))
        sandbox = self._store.sandbox
        if sandbox is not None:
            card.know_sandbox(SandboxSeen(sandbox.available, "" if sandbox.available else sandbox.reason))
        known = self._store.actions.get(action_id)
        self._say_decision(action_id)
        if known is not None:
            card.show_record(known)
        else:
            fetch_action(context, action_id)
        card.record_shown.connect(lambda: self._follow_record(card))
        self._follow_record(card)
        self._adopt_plan(card)
        self._ask_open(card)
        if card.parts is not None:
            context.pictures.serve(card.parts)
        progress = self._store.progress.get(action_id)
        if progress is not None:
            card.show_progress(progress)

    def _approve(self, action_id: str, scope: str, params: JsonObject | None) -> None:
        card = self._feed.card(action_id)
        shown = card.record if card is not None else None
        approve_action(self._context, action_id, scope=cast("Scope", scope), params=params, shown=shown)

    def _try(self, card: ActionCard, action_id: str, params: JsonObject | None) -> None:
        if self._store.ready:
            try_action(self._context, action_id, params, card, card.begin_try())

    def _follow_record(self, card: ActionCard) -> None:
        """It shows what its run has printed; one that stands for a step says of which plan."""
        self._output.begin_on_card(card)
        record = card.record
        if record is None or not record.parent_id:
            return
        holder = self._feed.card(record.parent_id)
        parent = holder.record if holder is not None else self._store.actions.get(record.parent_id)
        if parent is not None:
            _say_place(card, parent, record.id)
        else:
            self._request(f"plan of {record.id}", lambda partner: self._fetch_place(partner, record))

    async def _fetch_place(self, partner: Partner, record: ActionRecord) -> None:
        parent = await partner.actions.get(record.parent_id)
        card = self._feed.card(record.id)
        if card is not None:
            _say_place(card, parent, record.id)

    # Plans.

    def _adopt_plan(self, card: ActionCard) -> None:
        plan, context = card.plan, self._context
        if plan is None:
            return
        plan.action_asked.connect(partial(self._asked_of_step, card))
        plan.edit_saved.connect(lambda edit: card.record and edit_plan(context, card.record.id, edit))
        plan.asked.connect(lambda verb: card.record and PLAN_VERBS[verb](context, card.record.id))
        plan.details_made.connect(self._serve_details)
        if card.record is not None and _may_be_undone(card.record):
            fetch_steps(context, card.record.id, asked=False)
        self._ask_open(card)

    def _asked_of_step(self, card: ActionCard, verb: str, step_id: str) -> None:
        match verb:
            case "open":
                self._look_closer(card, step_id)
            case "step_source":
                self._show_source(step_id)
            case "skip":
                self._skip(card, step_id)
            case _:
                ask_of_action(self._context, verb, step_id)

    def _look_closer(self, card: ActionCard, step_id: str) -> None:
        row = step_row(self._context, step_id)
        if row is None or card.record is None or card.plan is None:
            return
        if row.step.status is StepStatus.RUNNING:
            self._output.begin_on_step(step_id)
        elif row.step.status is not StepStatus.PLANNED and not card.plan.knows(step_id):
            fetch_steps(self._context, card.record.id, asked=True)

    def _show_source(self, step_id: str) -> None:
        row = step_row(self._context, step_id)
        if row is not None:
            show_step_source(self._context, step_id, step_id if row.child is not None else row.step.key)

    def _skip(self, card: ActionCard, step_id: str) -> None:
        if card.record is not None:
            wish = Intervention(InterventionKind.DELETE, step_ids=(step_id,))
            change_plan(self._context, card.record.id, wish)

    def _serve_details(self, details: StepDetails) -> None:
        if details.outcome is not None and details.outcome.parts is not None:
            self._context.pictures.serve(details.outcome.parts)


def _say_place(card: ActionCard, parent: ActionRecord, step_id: str) -> None:
    number = parent.chain.number_of(step_id) if parent.chain is not None else 0
    if number:
        card.say_place(lambda: tr("Step {number} of “{title}”").format(number=number, title=parent.title))


def _may_be_undone(record: ActionRecord) -> bool:
    """Whether a step may have changed files; what became of it is asked for then."""
    steps = record.plan.steps if record.status.ended else ()
    return any(step.status is StepStatus.SUCCEEDED and step.risk is not Risk.READ for step in steps)


def _asks(question: Elicitation) -> str:
    if not question.server:
        return tr("An action asks you something.")
    return tr("The server “{server}” asks you something.").format(server=question.server)


def _about(question_id: str) -> str:
    return f"question:{question_id}"
