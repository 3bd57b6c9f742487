"""Planning: from the person's words to what is begun, answered or asked; the work of `ActionPlanner`.

Contract: what was begun for an input is kept in `flow.handled` before anything else happens, so that a turn
that runs again with more inputs does not begin it twice. Only questions to the mind, and waiting for servers
that are just starting, are cut short.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile

from partner_desktop.action.card_words import CardWords
from partner_desktop.action.chain.chain_drafter import ChainDrafter, Understood
from partner_desktop.action.chain.dependencies import needs_others
from partner_desktop.action.chain.step_maker import StepDraft
from partner_desktop.action.planning_parts import PlanningPart, PlanningParts
from partner_desktop.action.question_words import QuestionWords
from partner_desktop.action.repetition import Repetition
from partner_desktop.action.sub_requests import SubRequest, divided, none_fits, spoken_together
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.domain.evidence import (
    Asked,
    Choice,
    Evidence,
    KnownFacts,
    Learnt,
    NoAbility,
    Proposed,
    Remembered,
    Started,
)
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import Role, first_place
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.remembered import FollowUp, RecallQuery
from partner_desktop.language.arguments.fit import one_by_one
from partner_desktop.language.clauses import conditional
from partner_desktop.language.follow_ups import follow_up
from partner_desktop.language.recollection import asks_for_a_fact, asks_what_was_said
from partner_desktop.language.spans import SpanKind, find_spans
from partner_desktop.language.speech_acts.card_requests import repeated
from partner_desktop.mind.question import (
    SURE_SCORE,
    ExtractParams,
    IntentEvaluation,
)
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.flow import FlowInput, RunningFlowContext, joined
from partner_desktop.runtime.interruption import TurnInterrupted

#: Up to so many things said together are looked at one by one; more is one text in pieces.
_MOST_WISHES = 5
#: From this score on an ability is meant, though the words speak of earlier talk.
_MEANT_FOR_SURE = 0.6
#: The ability that looks earlier talk up: for minds that have no other way.
_RECALLS = "builtin::capability::memory_recall"
#: Messages among which the reply is that was given last.
_RECENT = 10
#: Seconds for which what is not surely meant waits for servers that are just starting.
_ARRIVAL_WAIT_S = 8.0


class Planning(PlanningPart):
    """Outlives turns; each notes in its flow what came of its words."""

    def __init__(self, parts: PlanningParts) -> None:
        super().__init__(parts)
        self._publish = parts.publish
        self._memory = parts.memory
        self._cognition = parts.cognition
        self._late: frozenset[str] = frozenset()
        """Servers that were waited for in vain."""
        self._drafter = ChainDrafter(parts.mind, parts.catalog)
        self._cards = CardWords(parts)
        self._answers = QuestionWords(parts)
        self._repeating = Repetition(parts)

    async def plan(self, flow: RunningFlowContext) -> None:
        """Set about what was said."""
        if flow.words_only:
            evaluation = await self._evaluate(flow, flow.text)
            known = await self._known(flow, flow.text, evaluation, flow.ref.said)
            found = known or await self._remembered(flow, flow.text, evaluation)
            flow.note((), found or none_fits(evaluation, flow.text))
            return
        left = await self._settle_open(flow, flow.unhandled)
        await self._understand_all(flow, left)
        if meets(flow) and (met := await self._entities.first_meeting(flow.conversation_id)) is not None:
            flow.keep(met)

    # What is open: a question, a card, or what runs.

    async def _settle_open(self, flow: RunningFlowContext, said: Sequence[FlowInput]) -> list[FlowInput]:
        """Take what was said as answers to what is open, one by one; what is about something else is left."""
        left: list[FlowInput] = []
        for item in said:
            question = await self._questions.open(flow.conversation_id)
            open_ = [] if question is not None else await self._open(flow)
            with _handling(flow, [item]):
                facts = await self._answer_to(flow, item, question, open_)
            if not facts:
                left.append(item)
            for evidence in facts:
                flow.note([item], evidence)
        return left

    async def _open(self, flow: RunningFlowContext) -> list[ActionRecord]:
        """The cards that wait, and what runs."""
        waiting = await self._core.waiting(flow.conversation_id)
        return [*waiting, *await self._chain_words.running(flow.conversation_id)]

    async def _answer_to(
        self,
        flow: RunningFlowContext,
        item: FlowInput,
        question: ActionRecord | None,
        open_: Sequence[ActionRecord],
    ) -> Sequence[Evidence]:
        """What came of the words; nothing when they are about something else."""
        if question is None:
            return await self._cards.settle(flow, item, open_)
        evidence = await self._answers.settle(flow, item.text, question)
        return [] if evidence is None else [evidence]

    # What is new.

    async def _understand_all(self, flow: RunningFlowContext, said: Sequence[FlowInput]) -> None:
        """One wish, typed in pieces; or several, where each is clear on its own."""
        failure: PartnerError | None = None
        if len(said) == 1 and (wanted := repeated(said[0].text)) is not None:
            with _handling(flow, said):
                evidence = await self._repeating.again(flow, wanted, said[0].text)
            flow.note(said, evidence or NoAbility((), near=False, text=said[0].text))
            return
        for wish in await self._wishes(flow, said):
            try:
                with _handling(flow, wish.inputs):
                    outcome = await self._understand(flow, wish)
            except PartnerError as error:
                failure = failure or error  # the other wishes are none the worse for it
                continue
            flow.note(wish.inputs, outcome.evidence)
            for unfit in outcome.left_out:
                flow.keep(unfit)
            condition = await unmet_condition(wish.text, outcome.evidence, partial(self._evaluate, flow))
            if condition is not None:
                flow.keep(condition)
            failure = failure or outcome.failure
        if failure is not None:
            raise failure

    async def _wishes(self, flow: RunningFlowContext, said: Sequence[FlowInput]) -> list[SubRequest]:
        if not said:
            return []
        groups = spoken_together(said)
        if 1 < len(groups) <= _MOST_WISHES:
            alone = [(group, await self._evaluate(flow, joined(group))) for group in groups]
            wishes = divided(alone)
            if len(wishes) > 1:
                return wishes
        return [SubRequest(tuple(said), await self._evaluate(flow, joined(said)))]

    async def _understand(self, flow: RunningFlowContext, wish: SubRequest) -> _Outcome:
        said = [item.message_id for item in wish.inputs if item.message_id]
        known = await self._known(flow, wish.text, wish.evaluation, said)
        if known is not None:
            return _Outcome(known)
        remembered = await self._remembered(flow, wish.text, wish.evaluation)
        if remembered is not None:
            return _Outcome(remembered)
        parts = await self._parts(flow, wish) if wish.may_be_compound else None
        try:
            if parts is not None and parts.chosen:
                return await self._set_about_parts(flow, wish, parts)
            return _Outcome(
                await self._set_about(flow, wish.text, wish.evaluation),
                failure=parts.failure if parts is not None else None,
            )
        except UsageError:
            if not self._went(wish.evaluation, parts):
                raise
            # It went meanwhile: understood with what is there now.
            return await self._understand(
                flow, replace(wish, evaluation=await self._evaluate(flow, wish.text))
            )

    def _went(self, evaluation: IntentEvaluation, parts: Understood | None) -> bool:
        """Whether what was meant is not there any more."""
        if parts is not None and parts.chosen:
            return any(part.info and self._catalog.get(part.info.key) is None for part in parts.chosen)
        meant = evaluation.ties or ((evaluation.chosen,) if evaluation.chosen is not None else ())
        return bool(meant) and all(self._catalog.get(info.key) is None for info in meant)

    async def _set_about_parts(
        self, flow: RunningFlowContext, wish: SubRequest, parts: Understood
    ) -> _Outcome:
        """Several of the parts are a chain; a single one is what it would be without the others."""
        drafts = parts.drafts()
        if len(parts.chosen) > 1:
            evidence = await self._begin_chain(flow, drafts, wish.text)
        else:
            ((draft,),) = drafts
            same = wish.evaluation.chosen is not None and wish.evaluation.chosen.key == draft.info.key
            evidence = await self._begin(flow, draft.info, wish.text if same else draft.text)
        return _Outcome(evidence, parts.left_out, parts.failure)

    async def _set_about(self, flow: RunningFlowContext, text: str, evaluation: IntentEvaluation) -> Evidence:
        if evaluation.ties:
            return await self._questions.offer(evaluation.ties, exchange=flow.exchange, text=text)
        if evaluation.chosen is None:
            return none_fits(evaluation, text)
        return await self._begin(flow, evaluation.chosen, text)

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

    async def _remembered(
        self, flow: RunningFlowContext, text: str, evaluation: IntentEvaluation
    ) -> Remembered | None:
        """What was said earlier, where that is what the words want; `None`: they want something else.

        A fact that nobody asked to be looked up must be found for sure; what names a file asks for the file.
        """
        if any(span.kind is SpanKind.PATH for span in find_spans(text)):
            return None
        follow_up = await self._follow_up(flow, text)
        asked = follow_up is not None or await asyncio.to_thread(asks_what_was_said, text)
        others = [info for info in evaluation.meant if info.key != _RECALLS]
        score = evaluation.ranked[0].score if evaluation.ranked else 0.0
        if others and (not asked or score >= _MEANT_FOR_SURE):
            return None
        if not asked and (not evaluation.wishes or not asks_for_a_fact(text)):
            return None
        query = RecallQuery(text, turn=flow.ref, unasked=not asked, follow_up=follow_up)
        recall = await flow.unless_interrupted(self._memory.recall(query))
        if recall.passages or (asked and recall.looked_for):
            return Remembered(recall.passages, asked=asked)
        return None

    async def _follow_up(self, flow: RunningFlowContext, text: str) -> FollowUp | None:
        """What the words ask about the passage that the reply before them showed."""
        wanted = await asyncio.to_thread(follow_up, text)
        if wanted is None:
            return None
        messages = await self._cognition.recent(flow.conversation_id, limit=_RECENT)
        before = takewhile(lambda message: message.id not in flow.ref.said, messages)
        replies = [message.text for message in before if message.role is Role.PARTNER]
        place = first_place(replies[-1]) if replies else None
        return replace(wanted, message_id=place[0]) if place is not None else None

    async def _begin(self, flow: RunningFlowContext, info: MetaActionInfo, text: str) -> Evidence:
        if needs_others(info):
            return await self._begin_chain(flow, [[StepDraft(info, text)]], text)
        found, known = await self._with_known(
            flow, text, info, await self._find(flow, ExtractParams(text, info))
        )
        if len(one_by_one(text, info, found.values)) > 1:
            return await self._begin_chain(flow, [[StepDraft(info, text)]], text)
        evidence = await flow.begun(
            self._core.begin(
                info,
                found.values,
                found.missing,
                exchange=flow.exchange,
                text=text,
                asks_first=depends(text, found.values),
                known=known,
            )
        )
        if isinstance(evidence, Asked):
            return replace(evidence, problem=evidence.problem or found.problem)
        return evidence

    async def _begin_chain(
        self, flow: RunningFlowContext, drafts: Sequence[Sequence[StepDraft]], text: str
    ) -> Evidence:
        stages = await flow.unless_interrupted(self._drafter.stages(drafts, text, flow.ref))
        asks = depends(text, *(draft.params for stage in stages for draft in stage))
        return await flow.begun(
            self._chain_core.begin(stages, exchange=flow.exchange, text=text, as_card=asks)
        )

    # What the mind is asked: slow, and without effects.

    async def _evaluate(self, flow: RunningFlowContext, text: str) -> IntentEvaluation:
        """What the words mean; while servers are just starting, what is not sure may be meant for them.

        Raises:
            UsageError: They do not come, and nobody would be asked whether the guess is right.
        """
        known = self._catalog.usable()
        evaluation = await self._asked(flow, text)
        if not _is_guess(evaluation):
            return evaluation
        arriving = await self._catalog.arriving()
        if not self._late.issuperset(arriving):
            self._publish(
                NoticeEvent(
                    conversation_id=flow.conversation_id,
                    exchange_id=flow.exchange.id,
                    title="Servers",
                    text=f"Waiting for {', '.join(arriving)}: what was said may be meant for it.",
                    about="servers:starting",
                )
            )
            await flow.unless_interrupted(self._catalog.arrived(limit_s=_ARRIVAL_WAIT_S))
            self._late = frozenset(await self._catalog.arriving())
        if self._catalog.usable() != known:  # what came in the meantime may be what was meant
            evaluation = await self._asked(flow, text)
        meant = evaluation.chosen is not None or evaluation.ties
        late = self._late.intersection(arriving)
        if meant and late and _is_guess(evaluation) and flow.exchange.standing is ApprovalMode.ALL:
            raise UsageError(
                f"{', '.join(sorted(late))} is still starting, and nothing that is there is surely "
                "meant, so nothing was done; say it again when it is ready."
            )
        return evaluation

    async def _parts(self, flow: RunningFlowContext, wish: SubRequest) -> Understood | None:
        return await flow.unless_interrupted(self._drafter.parts(wish.text, flow.ref))


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


def _is_guess(evaluation: IntentEvaluation) -> bool:
    """Whether an ability that is not there yet may be what was meant."""
    best = evaluation.ranked[0].score if evaluation.ranked else 0.0
    return evaluation.wishes and (evaluation.chosen is None or best < SURE_SCORE)


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


def depends(text: str, *given: JsonObject) -> bool:
    """Whether a request hangs on something that is in none of the arguments."""
    found = conditional(text)
    return found is not None and not _holds(found.clause, *given)


async def unmet_condition(
    text: str, evidence: Evidence, evaluate: Callable[[str], Awaitable[IntentEvaluation]]
) -> NoAbility | None:
    """What is to be told of the condition in a request; `None`: there is none, or an argument holds it.

    Where something is done in any case, all that hangs on the condition was left out, not it alone.
    """
    if not isinstance(evidence, Proposed | Asked | Started | Choice):
        return None
    found = conditional(text)
    if found is None or _holds(found.clause, *_arguments(evidence.action)):
        return None
    said = found.clause
    if found.before:
        evaluation = await evaluate(found.before)
        said = found.stretch if evaluation.chosen is not None or evaluation.ties else said
    return NoAbility((), near=False, text=said, left_out=True, condition=True)


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
