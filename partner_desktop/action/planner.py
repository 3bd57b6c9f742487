"""ActionPlanner: what the person's words mean for actions, and what happened because of them.

Its outcome is a block of the turn in the ACTION domain, with the typed evidence that the reply rests on.
Contract: what was begun for an input is kept in `flow.handled` before anything else happens, so that a turn
that runs again with more inputs does not begin it twice. Only questions to the mind are cut short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from partner_desktop.action.approvals import Approvals
from partner_desktop.action.card_words import GONE, CardWords
from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.action.chain.chain_words import ChainWords
from partner_desktop.action.core import ActionCore
from partner_desktop.action.parameters import ParameterFinder
from partner_desktop.action.questions import ALL_GONE, Questions
from partner_desktop.action.wishes import Wish, divided, none_fits
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import (
    Asked,
    Choice,
    Dropped,
    Evidence,
    Withheld,
)
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.mind.port import (
    Confirmation,
    EvaluateIntent,
    ExtractedParams,
    ExtractParams,
    IntentEvaluation,
    JudgeConfirmation,
    Mind,
    PickAbility,
    Verdict,
)
from partner_desktop.runtime.flow import FlowInput, RunningFlowContext, joined
from partner_desktop.runtime.interruption import TurnInterrupted
from partner_desktop.runtime.module import RunningModule

#: Up to so many things said together are looked at one by one; more is one text in pieces.
_MOST_WISHES = 5


class ActionPlanner(RunningModule):
    """Runs beside memory; skipped in turns that report a result."""

    order = 2

    def __init__(
        self,
        mind: Mind,
        catalog: AbilityCatalog,
        core: ActionCore,
        approvals: Approvals,
        questions: Questions,
        chain_words: ChainWords,
        workspace: ContextWorkspace,
    ) -> None:
        self._mind = mind
        self._finder = ParameterFinder(mind)
        self._chain_words = chain_words
        self._cards = CardWords(mind, catalog, core, approvals, chain_words)
        self._questions = questions
        self._catalog = catalog
        self._core = core
        self._approvals = approvals
        self._workspace = workspace

    async def execute(self, flow: RunningFlowContext) -> None:
        try:
            if flow.words_only:
                flow.note((), none_fits(await self._evaluate(flow, flow.text), flow.text))
                return
            left = await self._settle_open(flow, flow.unhandled)
            await self._understand_all(flow, left)
        finally:
            for number, evidence in enumerate(flow.evidence, 1):
                source = self.name if number == 1 else f"{self.name}:{number}"
                self._workspace.register(evidence_block(evidence, flow, source=source))

    # What is open: a question, a card, or what runs.

    async def _settle_open(self, flow: RunningFlowContext, said: Sequence[FlowInput]) -> list[FlowInput]:
        """Take what was said as answers to what is open, one by one; what is about something else is left."""
        left: list[FlowInput] = []
        for index, item in enumerate(said):
            question = await self._questions.open(flow.conversation_id)
            open_ = [] if question is not None else await self._open(flow)
            if question is None and not open_:
                return [*left, *said[index:]]
            with _handling(flow, [item]):
                facts = await self._answer_to(flow, item.text, question, open_)
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
        text: str,
        question: ActionRecord | None,
        open_: Sequence[ActionRecord],
    ) -> Sequence[Evidence]:
        """What came of the words; nothing when they are about something else."""
        if question is None:
            return await self._cards.settle(flow, text, open_)
        evidence = await (self._choose if question.options else self._answer)(flow, text, question)
        return [] if evidence is None else [evidence]

    async def _choose(self, flow: RunningFlowContext, text: str, question: ActionRecord) -> Evidence | None:
        """The words as a choice between abilities; `None` when they are about something else."""
        if (await self._judge(flow, text, [question])).kind is Confirmation.REJECT:
            return Dropped(await self._approvals.reject(question.id))
        if not self._questions.left(question):
            flow.retract(question.id)
            await self._questions.end(question, ALL_GONE)
            return None
        options = self._questions.options(question)
        info = await flow.unless_interrupted(
            self._mind.pick_ability(PickAbility(text, options, turn=flow.ref))
        )
        if info is not None and self._catalog.get(info.key) is None:
            gone = replace(question, key=info.key, title=info.title)
            flow.found.append(Withheld(gone, GONE))
            return await self._ask_again(flow, question)
        if info is not None:
            found = await self._find(flow, ExtractParams(question.request_text, info))
            chosen = self._questions.chosen(question, info, exchange=flow.exchange)
            return await flow.begun(
                self._core.answer(chosen, found.values, found.missing, exchange=flow.exchange)
            )
        evaluation = await self._evaluate(flow, text)
        if evaluation.chosen is None and not evaluation.ties:
            return await self._ask_again(flow, question)
        await self._drop(flow, question)
        return None

    async def _ask_again(self, flow: RunningFlowContext, question: ActionRecord) -> Choice | None:
        choice = await self._questions.again(question)
        if choice is not None:
            flow.exchange.status = "waiting"
        return choice

    async def _answer(self, flow: RunningFlowContext, text: str, question: ActionRecord) -> Evidence | None:
        """The words as an answer to the open question; `None` when they are about something else."""
        if (await self._judge(flow, text, [question])).kind is Confirmation.REJECT:
            return Dropped(await self._approvals.reject(question.id))
        info = self._catalog.get(question.key)
        if info is None:
            flow.retract(question.id)
            await self._questions.end(question, GONE)
            return None
        request = ExtractParams(text, info, known=question.params, asked=question.asked_param)
        found = await self._find(flow, request)
        if found.unsure and await self._asks_for_another(flow, text, question):
            return None
        evidence = await flow.begun(
            self._core.answer(question, found.values, found.missing, exchange=flow.exchange)
        )
        if isinstance(evidence, Asked) and (found.problem or evidence.problem):
            flow.note([], evidence)  # should this be interrupted: the question stands
            if await self._asks_for_another(flow, text, question):
                return None
            return replace(evidence, problem=found.problem or evidence.problem)
        return evidence

    async def _asks_for_another(self, flow: RunningFlowContext, text: str, question: ActionRecord) -> bool:
        """Whether the words are no answer but a request for another ability; the question is dropped then."""
        evaluation = await self._evaluate(flow, text)
        meant = [evaluation.chosen] if evaluation.chosen is not None else [*evaluation.ties]
        if not meant or any(info.key == question.key for info in meant):
            return False
        await self._drop(flow, question)
        return True

    async def _drop(self, flow: RunningFlowContext, question: ActionRecord) -> None:
        """The person went on to something else: nothing is said of the question any more."""
        flow.retract(question.id)
        await self._approvals.reject(question.id)

    # What is new.

    async def _understand_all(self, flow: RunningFlowContext, said: Sequence[FlowInput]) -> None:
        """One wish, typed in pieces; or several, where each is clear on its own."""
        failure: PartnerError | None = None
        for wish in await self._wishes(flow, said):
            try:
                with _handling(flow, wish.inputs):
                    evidence = await self._understand(flow, joined(wish.inputs), wish.evaluation)
            except PartnerError as error:
                failure = failure or error  # the other wishes are none the worse for it
            else:
                flow.note(wish.inputs, evidence)
        if failure is not None:
            raise failure

    async def _wishes(self, flow: RunningFlowContext, said: Sequence[FlowInput]) -> list[Wish]:
        if not said:
            return []
        if 1 < len(said) <= _MOST_WISHES:
            alone = [(item, await self._evaluate(flow, item.text)) for item in said]
            wishes = divided(alone)
            if len(wishes) > 1:
                return wishes
        return [Wish(tuple(said), await self._evaluate(flow, joined(said)))]

    async def _understand(
        self, flow: RunningFlowContext, text: str, evaluation: IntentEvaluation
    ) -> Evidence:
        try:
            return await self._set_about(flow, text, evaluation)
        except UsageError:
            meant = evaluation.ties or ((evaluation.chosen,) if evaluation.chosen is not None else ())
            if not meant or any(self._catalog.get(info.key) is not None for info in meant):
                raise
            # It went meanwhile: understood with what is there now.
            return await self._understand(flow, text, await self._evaluate(flow, text))

    async def _set_about(self, flow: RunningFlowContext, text: str, evaluation: IntentEvaluation) -> Evidence:
        info = evaluation.chosen
        if evaluation.ties:
            return await self._questions.offer(evaluation.ties, exchange=flow.exchange, text=text)
        if info is None:
            return none_fits(evaluation, text)
        found = await self._find(flow, ExtractParams(text, info))
        evidence = await flow.begun(
            self._core.begin(info, found.values, found.missing, exchange=flow.exchange, text=text)
        )
        if isinstance(evidence, Asked):
            return replace(evidence, problem=evidence.problem or found.problem)
        return evidence

    # What the mind is asked: slow, and without effects.

    async def _evaluate(self, flow: RunningFlowContext, text: str) -> IntentEvaluation:
        request = EvaluateIntent(text, self._catalog.usable(), turn=flow.ref)
        return await flow.unless_interrupted(self._mind.evaluate_intent(request))

    async def _find(self, flow: RunningFlowContext, request: ExtractParams) -> ExtractedParams:
        return await flow.unless_interrupted(self._finder.find(replace(request, turn=flow.ref)))

    async def _judge(self, flow: RunningFlowContext, text: str, pending: Sequence[ActionRecord]) -> Verdict:
        request = JudgeConfirmation(text, pending, turn=flow.ref)
        return await flow.unless_interrupted(self._mind.judge_confirmation(request))


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


def evidence_block(evidence: Evidence, flow: RunningFlowContext, *, source: str) -> ContextBlock:
    """What happened, as a block that lives as long as its turn."""
    words = words_of(evidence)
    return ContextBlock(
        name=type(evidence).__name__.lower(),
        source=source,
        domain=Domain.ACTION,
        scope=flow.conversation_id,
        full=words.full,
        compact=words.compact,
        abstract=words.abstract,
        fades=block_settings.TURN_EVIDENCE,
        evidence=evidence,
        turn_id=flow.turn_id,
    )
