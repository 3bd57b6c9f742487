"""TracedMind: any mind, its questions and answers recorded by name, time and counts, never by their words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from time import perf_counter
from typing import Self

from partner_desktop.base.trace import Scalar, Tracer
from partner_desktop.domain.card_verdict import Verdict
from partner_desktop.domain.intervention import Intervention
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.chain_port import (
    ChainVerdict,
    CorrectChain,
    ExtractIntents,
    Intents,
    JudgeChain,
    ReadIntervention,
    WordedIntervention,
)
from partner_desktop.mind.port import (
    EvaluateIntent,
    ExtractedParams,
    ExtractParams,
    GenerateAction,
    GeneratedAction,
    IntentEvaluation,
    JudgeConfirmation,
    Mind,
    PickAbility,
    ReplyRequest,
)


class _Call:
    """One question under way; it is recorded when the block ends, with what was counted by then."""

    def __init__(self, tracer: Tracer, question: str, mind: str, **counts: Scalar) -> None:
        self._tracer, self._question, self._mind = tracer, question, mind
        self.counts: dict[str, Scalar] = counts
        self._begun = perf_counter()

    def ms(self) -> float:
        """Milliseconds since it was asked."""
        return round((perf_counter() - self._begun) * 1000, 3)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        outcome = "ok" if kind is None else kind.__name__
        if kind is not None and not issubclass(kind, Exception):
            outcome = "cancelled"
        self._tracer.record(
            "mind",
            question=self._question,
            mind=self._mind,
            duration_ms=self.ms(),
            outcome=outcome,
            **self.counts,
        )


class TracedMind:
    """A `Mind` around another one."""

    def __init__(self, mind: Mind, tracer: Tracer) -> None:
        self._mind = mind
        self._tracer = tracer

    @property
    def name(self) -> str:
        return self._mind.name

    def _asked(self, question: str, **counts: Scalar) -> _Call:
        return _Call(self._tracer, question, self._mind.name, **counts)

    async def evaluate_intent(self, request: EvaluateIntent) -> IntentEvaluation:
        with self._asked("evaluate_intent", abilities=len(request.abilities)) as call:
            answer = await self._mind.evaluate_intent(request)
            call.counts |= {"chosen": answer.chosen is not None, "ties": len(answer.ties)}
            return answer

    async def pick_ability(self, request: PickAbility) -> MetaActionInfo | None:
        with self._asked("pick_ability", options=len(request.options)) as call:
            answer = await self._mind.pick_ability(request)
            call.counts["chosen"] = answer is not None
            return answer

    async def extract_params(self, request: ExtractParams) -> ExtractedParams:
        with self._asked("extract_params", known=len(request.known)) as call:
            answer = await self._mind.extract_params(request)
            call.counts |= {"found": len(answer.values), "missing": len(answer.missing)}
            return answer

    async def judge_confirmation(self, request: JudgeConfirmation) -> Verdict:
        with self._asked("judge_confirmation", pending=len(request.pending)) as call:
            answer = await self._mind.judge_confirmation(request)
            call.counts["judged"] = answer.kind.value
            return answer

    async def generate_action(self, request: GenerateAction) -> GeneratedAction | None:
        with self._asked("generate_action") as call:
            answer = await self._mind.generate_action(request)
            call.counts["written"] = answer is not None
            return answer

    async def extract_intents(self, request: ExtractIntents) -> Intents:
        with self._asked("extract_intents", abilities=len(request.abilities)) as call:
            answer = await self._mind.extract_intents(request)
            call.counts["stages"] = len(answer.stages)
            return answer

    async def correct_chain(self, request: CorrectChain) -> tuple[Intervention, ...]:
        with self._asked("correct_chain", steps=len(request.steps)) as call:
            answer = await self._mind.correct_chain(request)
            call.counts["interventions"] = len(answer)
            return answer

    async def judge_chain(self, request: JudgeChain) -> ChainVerdict:
        with self._asked("judge_chain", steps=len(request.steps), final=request.final) as call:
            answer = await self._mind.judge_chain(request)
            call.counts["ok"] = answer.ok
            return answer

    async def read_intervention(self, request: ReadIntervention) -> WordedIntervention | None:
        with self._asked("read_intervention", chains=len(request.chains)) as call:
            answer = await self._mind.read_intervention(request)
            call.counts["meant"] = answer is not None
            return answer

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The other mind's pieces as they come; it is closed when whoever listens stops listening."""
        call = self._asked("reply", evidence=len(request.evidence), abilities=len(request.abilities))
        answer = self._mind.reply(request)
        pieces = characters = 0
        with call:
            try:
                async for piece in answer:
                    if not pieces:
                        call.counts["first_ms"] = call.ms()
                    pieces, characters = pieces + 1, characters + len(piece)
                    yield piece
            finally:
                call.counts |= {"pieces": pieces, "characters": characters}
                close = getattr(answer, "aclose", None)  # an iterator need not have it
                if close is not None:
                    await close()
