"""OpenActs: does what the person's words want of what is open: the question, the cards that wait, what runs.
It reads no words.

Contract: words never add or change a step unseen: a card that was changed asks anew, and a step that comes
into a running chain is decided on by the permission engine alone. What is approved is decided by `Approvals`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice

from partner_desktop.action.turns.planning_parts import PlanningPart, PlanningParts
from partner_desktop.action.turns.talk_states import TalkStates, gone_words
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import (
    Amended,
    Asked,
    Choice,
    Dropped,
    Evidence,
    Finished,
    NoAbility,
    Proposed,
    Started,
    Unsettled,
    Withheld,
)
from partner_desktop.domain.intervention import Confirmation, InterventionKind
from partner_desktop.domain.leftover import unkept
from partner_desktop.domain.surroundings import NOWHERE, Surroundings
from partner_desktop.mind.act import (
    AmendCard,
    AskAgain,
    AskWhich,
    CallOff,
    ChooseAbility,
    Decide,
    Fill,
    Intervene,
    Leave,
    OpenAct,
    OpenQuestion,
    Stop,
    TalkState,
)
from partner_desktop.mind.question import WordedIntervention
from partner_desktop.runtime.flow import RunningFlowContext

#: Things that are named as examples.
_MOST_EXAMPLES = 6


def _examples(surroundings: Surroundings, hint: str) -> tuple[str, ...]:
    """Folders, or files where a file is wanted, that lie nearest."""
    files = ("file" in hint and "folder" not in hint) or ("文件" in hint and "文件夹" not in hint)
    paths = [entry.path for entry in surroundings.entries if entry.is_folder is not files]
    home = surroundings.home.rstrip("/")
    shown = (f"~{path.removeprefix(home)}" if path.startswith(f"{home}/") else path for path in paths)
    return tuple(islice(shown, _MOST_EXAMPLES))


class OpenActs(PlanningPart):
    """A part of the planner."""

    def __init__(self, parts: PlanningParts, states: TalkStates) -> None:
        super().__init__(parts)
        self._states = states

    async def do(
        self, flow: RunningFlowContext, act: OpenAct, state: TalkState, text: str
    ) -> Sequence[Evidence] | None:
        """What came of it; `None`: the words are about something else after all."""
        facts: Sequence[Evidence]
        match act:
            case Fill() | ChooseAbility() | CallOff() | AskAgain() | Leave():
                assert state.question is not None
                return await self._of_question(flow, act, state.question, text)
            case Decide():
                facts = await self._decide(flow, act, state.cards)
            case AskWhich(near=near):
                facts = [Unsettled(tuple(await self._counted(state.cards)), near=near)]
            case AmendCard():
                facts = [await self._amend(flow, act)]
            case Intervene():
                facts = [await self._intervene(flow, act.wish)]
            case Stop():
                facts = await self._stop_all(act, state.running)
        return facts

    # The question.

    async def _of_question(
        self,
        flow: RunningFlowContext,
        act: Fill | ChooseAbility | CallOff | AskAgain | Leave,
        question: OpenQuestion,
        text: str,
    ) -> Sequence[Evidence] | None:
        record = question.record
        match act:
            case CallOff():
                return [Dropped(await self._approvals.reject(record.id, exchange=flow.exchange))]
            case ChooseAbility():
                evidence = await self._choose(flow, act, record)
            case AskAgain() if question.info is None:
                evidence = await self._offer_again(flow, record)
            case AskAgain():
                flow.exchange.status = "waiting"
                evidence = await self._asked(flow, question, act)
            case Fill():
                evidence = await self._fill(flow, act, record, text, question)
            case Leave():
                await self._leave(flow, record)
                return None
        return None if evidence is None else [evidence]

    async def _leave(self, flow: RunningFlowContext, record: ActionRecord) -> None:
        """It is kept for later, once; work that is under way stands and falls with nobody's other words."""
        flow.retract(record.id)
        if record.kept == "back" and not record.parent_id:
            await self._approvals.reject(record.id)
        elif not record.parent_id:
            await self._questions.keep(record, "left")

    async def come_back(self, flow: RunningFlowContext) -> Evidence | None:
        """What is said of a question that was left for something else; `None`: nothing, now."""
        record = await self._questions.left_open(flow.conversation_id)
        if record is None:
            return None
        if any(isinstance(fact, Proposed | Asked | Choice) for fact in flow.evidence):
            return Asked(record, record.asked_param, "", back="later")
        question = await self._states.question(flow)
        if question is None or question.record.id != record.id:
            return None
        flow.exchange.status = "waiting"
        await self._questions.keep(question.record, "back")
        if question.info is None:
            return Choice(question.record, question.options)
        return await self._asked(flow, question, AskAgain("again"))

    async def _choose(
        self, flow: RunningFlowContext, act: ChooseAbility, record: ActionRecord
    ) -> Evidence | None:
        if self._catalog.get(act.info.key) is None:
            gone = replace(record, key=act.info.key, title=act.info.spoken(record.language).title)
            flow.found.append(Withheld(gone, gone_words()))
            return await self._offer_again(flow, record)
        chosen = self._questions.chosen(record, act.info, exchange=flow.exchange)
        found = act.found
        return await flow.begun(
            self._proposals.answer(chosen, found.values, found.missing, exchange=flow.exchange)
        )

    async def _offer_again(self, flow: RunningFlowContext, record: ActionRecord) -> Choice | None:
        choice = await self._questions.again(record)
        if choice is not None:
            flow.exchange.status = "waiting"
        return choice

    async def _asked(self, flow: RunningFlowContext, question: OpenQuestion, act: AskAgain) -> Asked:
        face, info = question.face, question.info
        schema = info.spoken(face.language).properties().get(face.asked_param, {}) if info is not None else {}
        hint = str(schema.get("description") or "")
        named = act.back in ("which", "unknown") and schema.get("format") == "path" and not face.candidates
        surroundings = await self._states.surroundings(flow) if named else NOWHERE
        return Asked(face, face.asked_param, hint, back=act.back, examples=_examples(surroundings, hint))

    async def _fill(
        self, flow: RunningFlowContext, act: Fill, record: ActionRecord, text: str, question: OpenQuestion
    ) -> Evidence | None:
        """`None`: the value fits nothing that is there, and the words ask for something else."""
        assert question.info is not None
        if dropped := unkept(question.info, act.found.leftovers):
            await self._approvals.reject(record.id, exchange=flow.exchange)
            return NoAbility((question.info,), near=True, text=dropped, exclusion=True)
        found, known = await self._with_known(flow, text, question.info, act.found)
        if known:
            record = replace(record, known=(*record.known, *known), asks_first=True)
        answering = self._proposals.answer(record, found.values, found.missing, exchange=flow.exchange)
        evidence = await flow.begun(answering)
        if not isinstance(evidence, Asked) or not (found.problem or evidence.problem):
            return evidence
        flow.note([], evidence)  # should this be interrupted: the question stands
        if act.elsewise and evidence.param == question.face.asked_param:
            await self._leave(flow, record)
            return None
        return replace(evidence, problem=found.problem or evidence.problem)

    # Cards.

    async def _decide(
        self, flow: RunningFlowContext, act: Decide, waiting: Sequence[ActionRecord]
    ) -> Sequence[Evidence]:
        cards = {card.id: card for card in waiting}
        decided = [one for one in act.settled if one.action_id in cards]
        left = [one for one in decided if one.kind is Confirmation.CONFIRM and one.action_id in act.held]
        facts = [
            await self._settle(flow, cards[one.action_id], one.kind) for one in decided if one not in left
        ]
        for why in dict.fromkeys(act.held[one.action_id] for one in left):
            these = [cards[one.action_id] for one in left if act.held[one.action_id] == why]
            facts.append(Unsettled(tuple(await self._counted(these)), why))
        return facts

    async def _counted(self, waiting: Sequence[ActionRecord]) -> list[ActionRecord]:
        """What waits, numbered as it is about to be named: “the second” is the second of these now."""
        counted: list[ActionRecord] = []
        for number, record in enumerate(waiting, 1):
            found = await self._store.amend(record.id, partial(replace, number=number))
            counted.append(found or record)
        return counted

    async def _now(self, card: ActionRecord) -> ActionRecord:
        """An action as it stands now; as it was, where it is gone."""
        with suppress(UsageError):
            return await self._store.get(card.id)
        return card

    async def _settle(self, flow: RunningFlowContext, card: ActionRecord, kind: Confirmation) -> Evidence:
        try:
            if kind is Confirmation.REJECT:
                return Dropped(await self._approvals.reject(card.id, exchange=flow.exchange))
            record = await self._approvals.approve_as(card, exchange=flow.exchange, by_person=flow.by_person)
        except PartnerError as error:
            now = await self._now(card)
            # Another answer was first: what runs is not said to have been left.
            return Started(now) if now.status is ActionStatus.RUNNING else Withheld(now, str(error))
        if record.terms is not None and record.schedule_id:
            return await self._schedules.scheduled(record)
        # The form of a saved plan shows its steps once it was filled in, and asks about those.
        return Proposed(record) if record.status is ActionStatus.WAITING else Started(record)

    async def _amend(self, flow: RunningFlowContext, act: AmendCard) -> Evidence:
        """The card, changed as the words say, asks again; nothing runs."""
        card, exchange = act.card, flow.exchange
        if act.unkept is not None:
            await self._approvals.reject(card.id, exchange=exchange)
            return NoAbility((act.unkept.info,), near=True, text=act.unkept.words, exclusion=True)
        exchange.status = "waiting"
        if card.chain is None and self._catalog.get(card.key) is None:
            return Withheld(card, gone_words())
        try:
            if act.edit is not None:
                card = await self._approvals.edit_chain(card.id, act.edit, exchange=exchange)
            if act.edit is not None or (card.chain is not None and not act.step_id):
                return Amended(card, act.changed)
            return await self._approvals.amend(card.id, act.params, step_id=act.step_id, exchange=exchange)
        except PartnerError as error:
            return Amended(card, problem=str(error)) if act.edit is not None else Withheld(card, str(error))

    # Plans, and what runs.

    async def _intervene(self, flow: RunningFlowContext, wish: WordedIntervention) -> Evidence:
        record = await self._store.get(wish.action_id)
        ends = any(one.kind is InterventionKind.CANCEL for one in wish.interventions)
        if ends and record.status is ActionStatus.RUNNING:
            return await self._stop(record)
        self._plan_runner.heard_in(record.id, flow.exchange)
        work = (
            self._interventions.reorder(wish.action_id, wish.order, exchange=flow.exchange)
            if wish.order
            else self._interventions.apply(
                wish.action_id, wish.interventions, by="person", exchange=flow.exchange
            )
        )
        try:
            evidence = await uninterrupted(work)
        except PartnerError as error:
            return Withheld(await self._store.get(wish.action_id), str(error))
        if evidence.action.status is ActionStatus.REJECTED:
            return Dropped(evidence.action)
        if evidence.action.status is ActionStatus.WAITING:
            flow.exchange.status = "waiting"
        return evidence

    async def _stop_all(self, act: Stop, running: Sequence[ActionRecord]) -> Sequence[Evidence]:
        if not act.ids:
            return [Unsettled(tuple(replace(each, number=at) for at, each in enumerate(running, 1)))]
        return [await self._stop(record) for record in running if record.id in act.ids]

    async def _stop(self, record: ActionRecord) -> Evidence:
        """End a run; told here, so that no turn of its own tells it again."""
        await self._plan_runner.cancel(record.id, tell=False)
        steps = await self._store.steps_of(record.id)
        return Finished(await self._store.get(record.id), tuple(steps))
