"""QuestionWords: what the person's words do to the open question: an answer, a no, or neither.

Contract: words that are about something else settle nothing, and the question that they leave is dropped.
Only questions to the mind are cut short.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from partner_desktop.action.card_words import GONE
from partner_desktop.action.chain.compound import may_be_compound
from partner_desktop.action.planning_parts import PlanningPart
from partner_desktop.action.questions import ALL_GONE
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Asked, Choice, Dropped, Evidence, Withheld
from partner_desktop.domain.intervention import Confirmation, Verdict
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.speech_acts.statements import reports_only, tells
from partner_desktop.mind.question import (
    ExtractedParams,
    ExtractIntents,
    ExtractParams,
    JudgeConfirmation,
    PickAbility,
)
from partner_desktop.runtime.flow import RunningFlowContext


class QuestionWords(PlanningPart):
    """A part of the planner."""

    async def settle(self, flow: RunningFlowContext, text: str, question: ActionRecord) -> Evidence | None:
        """What came of the words; `None` when they are about something else."""
        return await (self._choose if question.options else self._answer)(flow, text, question)

    async def _choose(self, flow: RunningFlowContext, text: str, question: ActionRecord) -> Evidence | None:
        """The words as a choice between abilities; `None` when they are about something else."""
        if (await self._judge(flow, text, [question])).kind is Confirmation.REJECT:
            return Dropped(await self._approvals.reject(question.id))
        if not self._questions.left(question):
            flow.retract(question.id)
            await self._questions.end(question, ALL_GONE)
            return None
        options = self._questions.options(question)
        info = await flow.unless_interrupted(self._mind.ask(PickAbility(text, options, turn=flow.ref)))
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
        if not (await self._asked(flow, text)).meant:
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
            return Dropped(await self._approvals.reject(question.id, exchange=flow.exchange))
        # Of a chain, what was asked about is one of its steps; the question is the chain's all the same.
        face = self._chain_core.asked_step(question) if question.chain is not None else question
        info = self._catalog.get(face.key)
        if info is None:
            flow.retract(question.id)
            await self._questions.end(replace(question, exchange_id=flow.exchange.id), GONE)
            return None
        aside = await asyncio.to_thread(_is_aside, text, face.asked_param)
        found = None if aside else await self._read(flow, text, face, info)
        if found is None:
            await self._drop(flow, question)
            return None
        found, known = await self._with_known(flow, text, info, found)
        if known:
            question = replace(question, known=(*question.known, *known), asks_first=True)
        core = self._core if question.chain is None else self._chain_core
        evidence = await flow.begun(
            core.answer(question, found.values, found.missing, exchange=flow.exchange)
        )
        if isinstance(evidence, Asked) and (found.problem or evidence.problem):
            flow.note([], evidence)  # should this be interrupted: the question stands
            if tells(text) or await self._asks_for_another(flow, text, (face.key,)):
                await self._drop(flow, question)
                return None
            return replace(evidence, problem=found.problem or evidence.problem)
        return evidence

    async def _read(
        self, flow: RunningFlowContext, text: str, face: ActionRecord, info: MetaActionInfo
    ) -> ExtractedParams | None:
        """What the words give; `None` where they are a request of its own."""
        asked = ExtractParams(text, info, known=face.params, asked=face.asked_param)
        found = await self._find(flow, asked)
        restated = await self._restated(flow, text, face, info) if found.unsure or found.problem else None
        if restated is not None:
            return None if await self._is_compound(flow, text) else restated
        return None if found.unsure and await self._asks_for_another(flow, text, (face.key,)) else found

    async def _restated(
        self, flow: RunningFlowContext, text: str, face: ActionRecord, info: MetaActionInfo
    ) -> ExtractedParams | None:
        """What the words give where they ask for the same ability again, with what was asked for."""
        if all(one.key != face.key for one in (await self._asked(flow, text)).meant):
            return None
        found = await self._find(flow, ExtractParams(text, info, known=face.params))
        return found if face.asked_param in found.values else None

    async def _is_compound(self, flow: RunningFlowContext, text: str) -> bool:
        """Whether the words ask for more than what was asked about: a request of its own."""
        if not may_be_compound(text):
            return False
        request = ExtractIntents(text, self._catalog.usable(), turn=flow.ref)
        return (await flow.unless_interrupted(self._mind.ask(request))).compound

    async def _drop(self, flow: RunningFlowContext, question: ActionRecord) -> None:
        """The person went on to something else: nothing is said of the question any more.

        Work that is under way stands and falls with nobody's other words: the question of its step stays.
        """
        flow.retract(question.id)
        if not question.parent_id:
            await self._approvals.reject(question.id)

    async def _judge(self, flow: RunningFlowContext, text: str, pending: Sequence[ActionRecord]) -> Verdict:
        request = JudgeConfirmation(text, pending, turn=flow.ref)
        return await flow.unless_interrupted(self._mind.ask(request))


def _is_aside(text: str, asked_param: str) -> bool:
    """Whether words tell something of people or of what was done, and not what is asked for.

    `My name is Max` answers a question for a name, and no question for a command.
    """
    from partner_desktop.language.entity_statements import attributes_told  # noqa: PLC0415 - with the first

    told = attributes_told(text)
    return reports_only(text) or bool(told and not any(one in asked_param.lower() for one in told))
