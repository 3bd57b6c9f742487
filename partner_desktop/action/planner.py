"""ActionPlanner: what the person's words mean for actions, and what happened because of them.

Its outcome is a block of the turn in the ACTION domain, with the typed evidence that the reply rests on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from partner_desktop.action.approvals import Approvals
from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.action.core import ActionCore
from partner_desktop.action.parameters import ParameterFinder
from partner_desktop.action.questions import ALL_GONE, Questions
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
    NoAbility,
    Started,
    Unsettled,
    Withheld,
)
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.mind.port import (
    NEAR_SCORE,
    Confirmation,
    EvaluateIntent,
    ExtractParams,
    IntentEvaluation,
    JudgeConfirmation,
    Mind,
    PickAbility,
)
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.module import RunningModule

#: How many of the nearest abilities are offered when none fits.
_NEAREST = 3
_GONE = "It is not there any more, or is switched off."


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
        workspace: ContextWorkspace,
    ) -> None:
        self._mind = mind
        self._finder = ParameterFinder(mind)
        self._questions = questions
        self._catalog = catalog
        self._core = core
        self._approvals = approvals
        self._workspace = workspace

    async def execute(self, flow: RunningFlowContext) -> None:
        if not flow.text.strip():
            return
        question = await self._questions.open(flow.conversation_id)
        if question is not None and question.options:
            evidence = await self._choose(flow, question)
        elif question is not None:
            evidence = await self._answer(flow, question)
        else:
            waiting = await self._core.waiting(flow.conversation_id)
            evidence = await self._settle(flow, waiting) if waiting else None
        if evidence is None:
            evidence = await self._understand(flow)
        self._record(flow, evidence)

    async def _choose(self, flow: RunningFlowContext, question: ActionRecord) -> Evidence | None:
        """The words as a choice between abilities; `None` when they are about something else."""
        judged = await self._mind.judge_confirmation(JudgeConfirmation(flow.text, [question]))
        if judged is Confirmation.REJECT:
            return Dropped(await self._approvals.reject(question.id))
        if not self._questions.left(question):
            await self._questions.end(question, ALL_GONE)
            return None
        options = self._questions.options(question)
        info = await self._mind.pick_ability(PickAbility(flow.text, options))
        if info is not None and self._catalog.get(info.key) is None:
            gone = replace(question, key=info.key, title=info.title)
            self._record(flow, Withheld(gone, _GONE))
            return await self._ask_again(flow, question)
        if info is not None:
            found = await self._finder.find(ExtractParams(question.request_text, info))
            chosen = self._questions.chosen(question, info, exchange=flow.exchange)
            return await self._core.answer(chosen, found.values, found.missing, exchange=flow.exchange)
        evaluation = await self._evaluate(flow.text)
        if evaluation.chosen is None and not evaluation.ties:
            return await self._ask_again(flow, question)
        await self._approvals.reject(question.id)
        return None

    async def _ask_again(self, flow: RunningFlowContext, question: ActionRecord) -> Choice | None:
        choice = await self._questions.again(question)
        if choice is not None:
            flow.exchange.status = "waiting"
        return choice

    async def _answer(self, flow: RunningFlowContext, question: ActionRecord) -> Evidence | None:
        """The words as an answer to the open question; `None` when they are about something else."""
        judged = await self._mind.judge_confirmation(JudgeConfirmation(flow.text, [question]))
        if judged is Confirmation.REJECT:
            return Dropped(await self._approvals.reject(question.id))
        info = self._catalog.get(question.key)
        if info is None:
            await self._questions.end(question, _GONE)
            return None
        request = ExtractParams(flow.text, info, known=question.params, asked=question.asked_param)
        found = await self._finder.find(request)
        if found.unsure and await self._asks_for_another(flow, question):
            return None
        evidence = await self._core.answer(question, found.values, found.missing, exchange=flow.exchange)
        if isinstance(evidence, Asked) and (found.problem or evidence.problem):
            if await self._asks_for_another(flow, question):
                return None
            return replace(evidence, problem=found.problem or evidence.problem)
        return evidence

    async def _asks_for_another(self, flow: RunningFlowContext, question: ActionRecord) -> bool:
        """Whether the words are no answer but a request for another ability; the question is dropped then."""
        evaluation = await self._evaluate(flow.text)
        meant = [evaluation.chosen] if evaluation.chosen is not None else [*evaluation.ties]
        if not meant or any(info.key == question.key for info in meant):
            return False
        await self._approvals.reject(question.id)
        return True

    async def _settle(self, flow: RunningFlowContext, waiting: Sequence[ActionRecord]) -> Evidence | None:
        """The words as a yes or no to what waits; `None` when they are about something else."""
        judged = await self._mind.judge_confirmation(JudgeConfirmation(flow.text, waiting))
        if judged is Confirmation.OTHER:
            return None
        if len(waiting) > 1:
            return Unsettled(tuple(waiting))
        if judged is Confirmation.REJECT:
            return Dropped(await self._approvals.reject(waiting[0].id))
        try:
            record = await self._approvals.approve(
                waiting[0].id, scope="once", params=None, exchange=flow.exchange
            )
        except PartnerError as error:
            return Withheld(waiting[0], str(error))
        return Started(record)

    async def _understand(self, flow: RunningFlowContext) -> Evidence:
        evaluation = await self._evaluate(flow.text)
        try:
            return await self._set_about(flow, evaluation)
        except UsageError:
            meant = evaluation.ties or ((evaluation.chosen,) if evaluation.chosen is not None else ())
            if not meant or any(self._catalog.get(info.key) is not None for info in meant):
                raise
            return await self._understand(flow)  # it went meanwhile: understood with what is there now

    async def _set_about(self, flow: RunningFlowContext, evaluation: IntentEvaluation) -> Evidence:
        info = evaluation.chosen
        if evaluation.ties:
            return await self._questions.offer(evaluation.ties, exchange=flow.exchange, text=flow.text)
        if info is None:
            nearest = tuple(item for item in evaluation.ranked[:_NEAREST] if item.score > 0)
            near = bool(nearest) and nearest[0].score >= NEAR_SCORE
            return NoAbility(tuple(item.info for item in nearest), near=near)
        found = await self._finder.find(ExtractParams(flow.text, info))
        return await self._core.begin(
            info, found.values, found.missing, exchange=flow.exchange, text=flow.text
        )

    async def _evaluate(self, text: str) -> IntentEvaluation:
        return await self._mind.evaluate_intent(EvaluateIntent(text, self._catalog.usable()))

    def _record(self, flow: RunningFlowContext, evidence: Evidence) -> None:
        self._workspace.register(evidence_block(evidence, flow, source=self.name))


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
