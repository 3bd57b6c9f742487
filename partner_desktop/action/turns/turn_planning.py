"""Planning: from the person's words to what is begun, answered or asked; the work of `ActionPlanner`.

Contract: what was begun for an input is kept in `flow.handled` before anything else happens, so that a turn
that runs again with more inputs does not begin it twice. Only questions to the mind, and waiting for servers
that are just starting, are cut short.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import takewhile

from partner_desktop.action.plans.plan_draft import PlanDraft, StepDraft, alone
from partner_desktop.action.turns.dependencies import needs_others
from partner_desktop.action.turns.goal_requests import GoalRequests, unused_paths
from partner_desktop.action.turns.open_acts import OpenActs
from partner_desktop.action.turns.planning_parts import PlanningPart, PlanningParts
from partner_desktop.action.turns.request_drafts import RequestDrafter, Understood
from partner_desktop.action.turns.schedule_acts import ScheduleActs, on_terms
from partner_desktop.action.turns.talk_states import TalkStates
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.domain.evidence import (
    Asked,
    Choice,
    Evidence,
    KnownFacts,
    Learnt,
    NoAbility,
    NoSuchTime,
    Planned,
    Proposed,
    Remembered,
    Started,
)
from partner_desktop.domain.intervention import Confirmation
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.leftover import unkept, unused, unused_by_all
from partner_desktop.domain.message import Role, first_place
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.remembered import FollowUp, RecallQuery
from partner_desktop.language.arguments.fit import one_by_one
from partner_desktop.language.arguments.said_places import unsaid_folder
from partner_desktop.language.speech_acts.asked_about import ForgetOrder
from partner_desktop.mind.act import (
    Act,
    Again,
    AskAbout,
    AskSchedules,
    AskWhich,
    ChangeSchedule,
    Condition,
    Forget,
    Interpret,
    NewAct,
    NoTime,
    Request,
    TalkState,
)
from partner_desktop.mind.interpreting_mind import InterpretingMind
from partner_desktop.mind.question import (
    SURE_SCORE,
    EvaluateIntent,
    ExtractedParams,
    ExtractParams,
    IntentEvaluation,
)
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.flow import FlowInput, RunningFlowContext
from partner_desktop.runtime.interruption import TurnInterrupted

#: From this score on an ability is meant, though the words speak of earlier talk.
_MEANT_FOR_SURE = 0.6
#: The ability that looks earlier talk up: for minds that have no other way.
_RECALLS = "builtin::capability::memory_recall"
#: The ability that forgets what was said.
_FORGETS = "builtin::memory::forget"
#: Messages among which the reply is that was given last.
_RECENT = 10
#: Seconds for which what is not surely meant waits for servers that are just starting.
_ARRIVAL_WAIT_S = 8.0


class Planning(PlanningPart):
    """Outlives turns; each notes in its flow what came of its words."""

    def __init__(self, parts: PlanningParts) -> None:
        parts = replace(parts, mind=InterpretingMind(parts.mind))
        super().__init__(parts)
        self._publish = parts.publish
        self._memory = parts.memory
        self._accounts = parts.accounts
        self._late: frozenset[str] = frozenset()
        """Servers that were waited for in vain."""
        self._drafter = RequestDrafter(parts.mind, parts.catalog)
        self._goals = GoalRequests(parts)
        self._states = TalkStates(parts)
        self._open = OpenActs(parts, self._states)
        self._later = ScheduleActs(parts)
        self._asked_which: dict[str, Confirmation] = {}
        """Conversation → the plain yes or no that could have meant several cards, until more is said."""
        self._asked_when: dict[str, str] = {}
        """Conversation → what was wanted without a time, until more is said."""
        self._planned_last: dict[str, str] = {}
        """Conversation → the schedule that alone was told of last."""

    async def plan(self, flow: RunningFlowContext) -> None:
        """Set about what was said."""
        if flow.words_only:
            await self._answer_anew(flow)
            return
        left = await self._settle_open(flow, flow.unhandled)
        await self._set_about_all(flow, left)
        self._remember_planned(flow)
        if (kept := await self._open.come_back(flow)) is not None:
            flow.note((), kept)
        if meets(flow) and (met := await self._entities.first_meeting(flow.conversation_id)) is not None:
            flow.keep(met)

    async def _answer_anew(self, flow: RunningFlowContext) -> None:
        """Words that are answered once more: what they mean is looked at, and nothing is begun for them."""
        for act in await self._new_acts(flow, (flow.text,), flow.inputs[0].at):
            if isinstance(act, Request):
                found = await self._known_or_said(flow, act, flow.ref.said)
                flow.note((), found or act.evaluation.none_fits(act.text))
            elif isinstance(act, AskAbout) and (told := await self._recorded(flow, act)) is not None:
                flow.note((), told)
            elif isinstance(act, NoTime | AskSchedules):
                flow.note((), await self._later.do(flow, act))

    # What is open: a question, a card, or what runs.

    async def _settle_open(self, flow: RunningFlowContext, said: Sequence[FlowInput]) -> list[_Said]:
        """Take what was said as answers to what is open, one by one; what is about something else is left."""
        left: list[_Said] = []
        for item in said:
            with _handling(flow, [item]):
                rest = await self._to_what_is_open(flow, item)
            if rest is not None:
                left.append(_Said(item, rest))
        return left

    async def _to_what_is_open(self, flow: RunningFlowContext, item: FlowInput) -> str | None:
        """Does what the words want of it; what of them is left for something new, `None`: nothing."""
        before = self._asked_which.pop(flow.conversation_id, Confirmation.OTHER)
        state = await self._state(flow, item.at, before)
        if not state.something_open:
            return item.text
        asked = Interpret((item.text,), state, item.at.astimezone(), turn=flow.ref)
        for way in (asked, replace(asked, unrecorded=True)):
            found = await flow.unless_interrupted(self._mind.ask(way))
            if not (found.acts and isinstance(found.acts[0], AskAbout)):
                break
            told = await self._recorded(flow, found.acts[0])
            if told is not None:
                if found.acts[0].asked.beyond:  # a bare yes may be the person's own answer
                    self._asked_which[flow.conversation_id] = Confirmation.UNCLEAR
                flow.note([item], told)
                return None
        for act in found.acts:
            if (instead := await self._instead(flow, act, state)) is not None:
                flow.note([item], instead)
            if isinstance(act, NewAct):
                continue
            if isinstance(act, AskWhich):
                self._asked_which[flow.conversation_id] = act.said
            facts = await self._open.do(flow, act, state, item.text)
            for evidence in facts or ():
                flow.note([item], evidence)
            if facts is None:
                return item.text
        if found.rest is None:
            self._asked_when.pop(flow.conversation_id, None)
        return found.rest

    def _remember_planned(self, flow: RunningFlowContext) -> None:
        """The schedule that alone was told of, which a bare time moves: `no, at 7`."""
        told = [one.schedules if isinstance(one, Planned) else () for one in flow.evidence]
        self._planned_last.pop(flow.conversation_id, None)
        if len(told) == 1 and len(told[0]) == 1:
            self._planned_last[flow.conversation_id] = told[0][0].id

    # What is new.

    async def _set_about_all(self, flow: RunningFlowContext, said: Sequence[_Said]) -> None:
        failure: PartnerError | None = None
        if not said:
            return
        inputs = [one.item for one in said]
        with _handling(flow, inputs):
            acts = await self._new_acts(flow, tuple(one.text for one in said), said[0].item.at)
        self._asked_when.pop(flow.conversation_id, None)
        for act in acts:
            own = [inputs[number] for number in act.inputs] if isinstance(act, Request) else inputs
            try:
                with _handling(flow, own):
                    outcome = await self._do(flow, act, own)
            except PartnerError as error:
                failure = failure or error  # the other wishes are none the worse for it
                continue
            flow.note(own, outcome.evidence)
            for unfit in outcome.left_out:
                flow.keep(unfit)
            condition = await self._unmet_condition(flow, act, outcome.evidence)
            if condition is not None:
                flow.keep(condition)
            failure = failure or outcome.failure
        if failure is not None:
            raise failure

    async def _do(  # noqa: PLR0911 - one outcome an act
        self, flow: RunningFlowContext, act: NewAct, inputs: Sequence[FlowInput]
    ) -> _Outcome:
        match act:
            case Forget():
                return _Outcome(await self._forget(flow, act.order, act.text))
            case Again():
                evidence = await self._again(flow, act)
                return _Outcome(evidence or NoAbility((), near=False, text=act.text))
            case AskAbout():
                told = await self._recorded(flow, act)
                if told is not None:
                    return _Outcome(told)
                (again,) = await self._asked(flow, (inputs[0].text,), inputs[0].at, unrecorded=True)
                return await self._do(flow, again, inputs)
            case NoTime() | AskSchedules() | ChangeSchedule():
                if isinstance(act, NoTime) and act.why == "unclear":
                    self._asked_when[flow.conversation_id] = act.text
                return _Outcome(await self._later.do(flow, act))
            case Request(terms=terms):
                if terms is not None and terms.is_reminder:
                    return _Outcome(await self._later.remind(flow, terms, act.text))
                return await self._understand(flow, act, inputs)

    async def _recorded(self, flow: RunningFlowContext, act: AskAbout) -> Evidence | None:
        """What records say of it; `None`: the words ask for something else."""
        accounts = await self._accounts.get()
        told = accounts.of(act.asked, flow.conversation_id, self._mind, turn=flow.ref)
        return await flow.unless_interrupted(told)

    async def _instead(self, flow: RunningFlowContext, act: Act, state: TalkState) -> Evidence | None:
        """What is put in the place of what was open, or why nothing is."""
        match act:
            case Again():
                return await self._again(flow, act)
            case Request(terms=terms) if terms is not None and terms.is_reminder:
                return await self._later.remind(flow, terms, act.text)
            case NoTime(text, why):
                return NoSuchTime(
                    text, why, tuple(each for each in state.cards if each.id in state.said_last)
                )
        return None

    async def _again(self, flow: RunningFlowContext, act: Again) -> Evidence | None:
        """What was done last, proposed once more: it is looked at and asked for as anything new."""
        record = act.record
        if record is not None and record.chain is not None and not act.key:
            plan = await self._maker.anew(replace(record, chain=act.chain))
            plan = replace(plan, text=act.text)
        elif key := act.key or (record.key if record is not None else ""):
            plan = alone(StepDraft(self._catalog.require(key), act.text, act.params))
        else:
            return None
        plan = on_terms(plan, act.terms)
        return await flow.begun(self._proposals.begin(plan, exchange=flow.exchange))

    async def _forget(self, flow: RunningFlowContext, order: ForgetOrder, text: str) -> Evidence:
        """Its card shows what would go, and waits for a yes whatever is allowed."""
        params: JsonObject = {"words": order.words} if order.words else {}
        if order.day is not None:
            params["day"] = order.day.isoformat()
        plan = alone(StepDraft(self._catalog.require(_FORGETS), text, params))
        plan = replace(plan, asks_first=True)
        return await flow.begun(self._proposals.begin(plan, exchange=flow.exchange))

    async def _understand(
        self, flow: RunningFlowContext, act: Request, inputs: Sequence[FlowInput]
    ) -> _Outcome:
        said = [item.message_id for item in inputs if item.message_id]
        known = await self._known_or_said(flow, act, said) if act.terms is None else None
        if known is not None:
            return _Outcome(known)
        parts = await self._parts(flow, act) if act.compound else None
        try:
            if parts is not None and parts.chosen:
                return await self._set_about_parts(flow, act, parts)
            return _Outcome(
                await self._set_about(flow, act), failure=parts.failure if parts is not None else None
            )
        except UsageError:
            if not self._went(act.evaluation, parts):
                raise
            # It went meanwhile: understood with what is there now.
            anew = await self._new_acts(flow, (act.resolved.said,), inputs[0].at)
            (again,) = (one for one in anew if isinstance(one, Request))
            return await self._understand(flow, replace(again, terms=act.terms), inputs)

    async def _known_or_said(
        self, flow: RunningFlowContext, act: Request, said: Sequence[str]
    ) -> Evidence | None:
        known = await self._known(flow, act.resolved.said, act.evaluation, said)
        return known or await self._remembered(flow, act)

    def _went(self, evaluation: IntentEvaluation, parts: Understood | None) -> bool:
        """Whether what was meant is not there any more."""
        if parts is not None and parts.chosen:
            return any(part.info and self._catalog.get(part.info.key) is None for part in parts.chosen)
        meant = evaluation.ties or ((evaluation.chosen,) if evaluation.chosen is not None else ())
        return bool(meant) and all(self._catalog.get(info.key) is None for info in meant)

    async def _set_about_parts(self, flow: RunningFlowContext, act: Request, parts: Understood) -> _Outcome:
        """Several of the parts are a chain; a single one is what it would be without the others."""
        drafts = parts.drafts()
        if len(parts.chosen) > 1:
            evidence = await self._begin_chain(flow, drafts, act)
        else:
            ((draft,),) = drafts
            same = act.evaluation.chosen is not None and act.evaluation.chosen.key == draft.info.key
            own = act if same else replace(act, resolved=replace(act.resolved, text=draft.text))
            evidence = await self._begin(flow, draft.info, own)
        return _Outcome(evidence, parts.left_out, parts.failure)

    async def _set_about(self, flow: RunningFlowContext, act: Request) -> Evidence:
        evaluation = act.evaluation
        meant = await self._goals.meant(flow, act)
        if meant is not None:
            return await self._begin_steps(flow, meant.plan, act, left=meant.left)
        if evaluation.ties:
            return await self._questions.offer(evaluation.ties, exchange=flow.exchange, text=act.text)
        if evaluation.chosen is None:
            return evaluation.none_fits(act.text)
        return await self._begin(flow, evaluation.chosen, act)

    async def _known(
        self, flow: RunningFlowContext, text: str, evaluation: IntentEvaluation, said: Sequence[str]
    ) -> KnownFacts | Learnt | None:
        """What is known of people and things, where the words ask for it or tell it."""
        conversation = flow.conversation_id
        answering = self._entities.answer(text, conversation_id=conversation, message_ids=said)
        found = await flow.unless_interrupted(answering)
        if found is not None:
            return found
        teaching = self._entities.taught(
            text, conversation_id=conversation, message_ids=said, wholly=bool(evaluation.meant)
        )
        return await flow.unless_interrupted(teaching)

    async def _remembered(self, flow: RunningFlowContext, act: Request) -> Remembered | None:
        """What was said earlier, where that is what the words want; `None`: they want something else.

        A fact that nobody asked to be looked up must be found for sure.
        """
        wanted, evaluation = act.recollection, act.evaluation
        if wanted is None:
            return None
        follow_up = await self._followed_up(flow, wanted.follow_up)
        asked = wanted.asked and (wanted.follow_up is None or follow_up is not None)
        others = [info for info in evaluation.meant if info.key != _RECALLS]
        score = evaluation.ranked[0].score if evaluation.ranked else 0.0
        if others and (not asked or score >= _MEANT_FOR_SURE):
            return None
        if not asked and (not evaluation.wishes or not wanted.fact):
            return None
        query = RecallQuery(act.resolved.said, turn=flow.ref, unasked=not asked, follow_up=follow_up)
        recall = await flow.unless_interrupted(self._memory.recall(query))
        if recall.passages or (asked and recall.looked_for):
            return Remembered(recall.passages, asked=asked)
        return None

    async def _followed_up(self, flow: RunningFlowContext, wanted: FollowUp | None) -> FollowUp | None:
        """What is asked about the passage that the reply before the words showed."""
        if wanted is None:
            return None
        messages = await self._cognition.recent(flow.conversation_id, limit=_RECENT)
        before = takewhile(lambda message: message.id not in flow.ref.said, messages)
        replies = [message.text for message in before if message.role is Role.PARTNER]
        place = first_place(replies[-1]) if replies else None
        return replace(wanted, message_id=place[0]) if place is not None else None

    async def _begin(self, flow: RunningFlowContext, info: MetaActionInfo, act: Request) -> Evidence:
        text = act.text
        if needs_others(info):
            return await self._begin_chain(flow, [[StepDraft(info, text)]], act)
        found = await self._find(flow, ExtractParams(text, info, resolved=act.resolved))
        computed = await self._goals.towards(flow, info, found, act)
        if computed is not None:
            return await self._begin_steps(flow, computed, act)
        if dropped := unkept(info, found.leftovers):
            return NoAbility((info,), near=True, text=dropped, exclusion=True)
        return await self._begin_alone(flow, info, _as_preview(info, found) if act.preview else found, act)

    async def _begin_alone(
        self, flow: RunningFlowContext, info: MetaActionInfo, found: ExtractedParams, act: Request
    ) -> Evidence:
        text, home = act.text, act.resolved.home
        found, known = await self._with_known(flow, act.resolved.said, info, found)
        unsaid = await asyncio.to_thread(unsaid_folder, info, found.missing, text) if home else ""
        if unsaid and not found.candidates:  # who asks of files at large asks of all of them
            found = replace(found, values={**found.values, unsaid: home}, missing=())
        if len(one_by_one(text, info, found.values)) > 1:
            return await self._begin_chain(flow, [[StepDraft(info, text)]], act)
        plan = replace(
            alone(StepDraft(info, text, found.values, missing=found.missing)),
            asks_first=_depends(act.condition, found.values),
            known=known,
            candidates=found.candidates,
        )
        begun = self._proposals.begin(on_terms(plan, act.terms), exchange=flow.exchange)
        evidence = await flow.begun(begun)
        if isinstance(evidence, Asked):
            return replace(evidence, problem=evidence.problem or found.problem)
        if isinstance(evidence, Proposed):
            evidence = replace(evidence, unsaid=home if unsaid else "")
            return replace(evidence, unused=unused(info, found.leftovers))
        return evidence

    async def _begin_chain(
        self, flow: RunningFlowContext, drafts: Sequence[Sequence[StepDraft]], act: Request
    ) -> Evidence:
        stages = await flow.unless_interrupted(self._drafter.stages(drafts, act.resolved, flow.ref))
        # What was said as several steps may come to one: what moves a thing that is made, makes it there.
        alone_now = len(stages) == 1 < len(drafts) and len(stages[0]) == 1
        return await self._begin_steps(flow, PlanDraft(stages, act.text, stands_alone=alone_now), act)

    async def _begin_steps(
        self, flow: RunningFlowContext, plan: PlanDraft, act: Request, *, left: tuple[str, ...] = ()
    ) -> Evidence:
        """`left`: words that no step does anything with; then the person is asked, whatever is allowed."""
        drafts = [draft for stage in plan.stages for draft in stage]
        for draft in drafts:
            if dropped := unkept(draft.info, draft.leftovers):
                return NoAbility((draft.info,), near=True, text=dropped, exclusion=True)
        if plan.goal:  # its steps were not chosen by the words: what these say goes for all of them
            left = (*left, *unused_paths(act.text, drafts))
            stages = [[_previewed(draft) if act.preview else draft for draft in one] for one in plan.stages]
            plan = replace(plan, stages=stages)
        depends = _depends(act.condition, *(draft.params for draft in drafts))
        plan = on_terms(replace(plan, asks_first=depends or bool(left)), act.terms)
        evidence = await flow.begun(self._proposals.begin(plan, exchange=flow.exchange))
        if isinstance(evidence, Proposed):
            return replace(evidence, unused=tuple(dict.fromkeys((*unused_by_all(drafts), *left))))
        return evidence

    # What the mind is asked: slow, and without effects.

    async def _new_acts(
        self, flow: RunningFlowContext, texts: tuple[str, ...], at: datetime
    ) -> tuple[NewAct, ...]:
        """What the words do, of all that can be called now; while servers are just starting, what is not
        sure may be meant for them.

        Raises:
            UsageError: They do not come, and nobody would be asked whether the guess is right.
        """
        known = self._catalog.usable()
        acts = await self._asked(flow, texts, at)
        if not any(map(_is_guess, acts)):
            return acts
        arriving = await self._catalog.arriving()
        if not self._late.issuperset(arriving):
            self._publish(
                NoticeEvent(
                    conversation_id=flow.conversation_id,
                    exchange_id=flow.exchange.id,
                    title=sentence_of("plans.servers"),
                    text=sentence_of("plans.waiting_for", names=sentence_of("step.comma").join(arriving)),
                    about="servers:starting",
                )
            )
            await flow.unless_interrupted(self._catalog.arrived(limit_s=_ARRIVAL_WAIT_S))
            self._late = frozenset(await self._catalog.arriving())
        if self._catalog.usable() != known:  # what came in the meantime may be what was meant
            acts = await self._asked(flow, texts, at)
        late = self._late.intersection(arriving)
        guessed = [act for act in acts if _is_guess(act) and isinstance(act, Request)]
        if (
            late
            and any(act.evaluation.meant for act in guessed)
            and flow.exchange.standing is ApprovalMode.ALL
        ):
            raise UsageError("plans.still_starting", names=sentence_of("step.comma").join(sorted(late)))
        return acts

    async def _asked(
        self, flow: RunningFlowContext, texts: tuple[str, ...], at: datetime, *, unrecorded: bool = False
    ) -> tuple[NewAct, ...]:
        state = (await self._state(flow, at)).with_nothing_open()
        asked = Interpret(texts, state, at.astimezone(), unrecorded, turn=flow.ref)
        found = await flow.unless_interrupted(self._mind.ask(asked))
        return tuple(act for act in found.acts if isinstance(act, NewAct))

    async def _state(
        self, flow: RunningFlowContext, at: datetime, before: Confirmation = Confirmation.OTHER
    ) -> TalkState:
        state = await self._states.now(flow, at, before)
        asked_when = self._asked_when.get(flow.conversation_id, "")
        planned = self._planned_last.get(flow.conversation_id, "")
        known = any(one.id == planned for one in state.schedules)
        return replace(state, asked_when=asked_when, planned_last=planned if known else "")

    async def _parts(self, flow: RunningFlowContext, act: Request) -> Understood | None:
        return await flow.unless_interrupted(self._drafter.parts(act.resolved, flow.ref))

    async def _unmet_condition(
        self, flow: RunningFlowContext, act: NewAct, evidence: Evidence
    ) -> NoAbility | None:
        """What is to be told of the condition in a request; `None`: there is none, or an argument holds it.

        Where something is done in any case, all that hangs on the condition was left out, not it alone.
        """
        if not isinstance(act, Request) or not isinstance(evidence, Proposed | Asked | Started | Choice):
            return None
        found = act.condition
        if found is None or _holds(found.clause, *_arguments(evidence.action)):
            return None
        said = found.clause
        if found.before:
            request = EvaluateIntent(found.before, self._catalog.usable(), turn=flow.ref)
            evaluation = await flow.unless_interrupted(self._mind.ask(request))
            said = found.stretch if evaluation.meant else said
        return NoAbility((), near=False, text=said, left_out=True, condition=True)


@dataclass(frozen=True)
class _Said:
    """What of one thing said is about nothing that is open."""

    item: FlowInput
    text: str


@dataclass(frozen=True)
class _Outcome:
    """What came of a wish."""

    evidence: Evidence
    left_out: tuple[NoAbility, ...] = ()
    """Parts of it that are no action."""
    failure: PartnerError | None = None
    """Why another part could not even be looked at."""


def meets(flow: RunningFlowContext) -> bool:
    """Whether a turn has room for a word about each other: nothing was asked for that something came of."""
    return bool(flow.text) and all(
        isinstance(fact, NoAbility | KnownFacts | Learnt) for fact in flow.evidence
    )


def _is_guess(act: NewAct) -> bool:
    """Whether an ability that is not there yet may be what was meant."""
    if not isinstance(act, Request):
        return False
    best = act.evaluation.ranked[0].score if act.evaluation.ranked else 0.0
    return act.evaluation.wishes and (act.evaluation.chosen is None or best < SURE_SCORE)


@contextmanager
def _handling(flow: RunningFlowContext, inputs: Sequence[FlowInput]) -> Iterator[None]:
    """What failed is reported, and not tried again when the turn runs again."""
    try:
        yield
    except TurnInterrupted:
        raise
    except Exception:
        flow.note(inputs, None)
        raise


#: What a parameter is called that shows what would be done.
_PREVIEWS = ("preview", "dry_run", "dryRun", "dry-run")


def _as_preview(info: MetaActionInfo, found: ExtractedParams) -> ExtractedParams:
    return replace(found, values={**found.values, **_preview_switch(info)})


def _previewed(draft: StepDraft) -> StepDraft:
    return replace(draft, params={**draft.params, **_preview_switch(draft.info)})


def _preview_switch(info: MetaActionInfo) -> JsonObject:
    name = next((name for name in _PREVIEWS if name in info.properties()), "")
    return {name: True} if name else {}


def _depends(condition: Condition | None, *given: JsonObject) -> bool:
    """Whether a request hangs on something that is in none of the arguments."""
    return condition is not None and not _holds(condition.clause, *given)


def _arguments(action: ActionRecord) -> Iterator[JsonObject]:
    yield action.params
    yield from (step.params for step in (action.chain.steps if action.chain is not None else ()))


def _holds(clause: str, *given: JsonObject) -> bool:
    """Whether the words are what is to be written down, or told to somebody."""
    wanted = _plain(clause)
    return any(wanted in _plain(text) for params in given for text in _texts(params))


def _texts(params: JsonObject) -> Iterator[str]:
    for value in params.values():
        yield from _in(value)


def _in(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _in(each)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
