"""SelfTest: asks a model the fixed tasks as a turn would ask them, and scores what comes.

Each task goes through a prompted mind over that one model, so that it measures what a person will get: the
same prompts, the same second try. But nothing of the starter mind stands in for the model: where it would
answer in the model's place, the task is not passed. The starter mind's own answer to the same task is scored
beside it.

Contract: nothing is run, and nothing of it enters a conversation, the memory or the usage. A task has its
time; leaving the iteration stops the model.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Protocol, TypeAlias

from partner_desktop.base.errors import ContextOverflowError, ModelError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.text import cut
from partner_desktop.capabilities import ModelCapability, PrefixCapability
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Evidence, Finished
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.model_check import CheckResult
from partner_desktop.domain.remembered import RememberedTurn
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.mind.check_tasks import CheckTask, check_abilities, check_tasks, wording_in
from partner_desktop.mind.question import (
    A,
    Cut,
    EvaluateIntent,
    ExtractedParams,
    ExtractParams,
    Mind,
    PickAbility,
    Question,
    ReplyRequest,
    Summarise,
    Thought,
    WriteForAgent,
)

#: The longest that a task may take.
TASK_S = 30.0
_STARTER_S = 10.0
_ANSWER = 200
_MOST_TOKENS = 160
_NO_CONVERSATION = ""


class ReplyPrompts(PrefixCapability, Protocol):
    """How the prompts of a turn begin, and those of its reply."""

    def of_reply(self, text: str, evidence: Sequence[Evidence], turn: TurnRef) -> tuple[PromptPart, ...]:
        """The whole prompt of a reply."""
        ...


class WatchedModel(ModelCapability, Protocol):
    """A single model, and how its last calls went."""

    @property
    def calls(self) -> int:
        """How many there were."""
        ...

    @property
    def trouble(self) -> str:
        """Why the last one failed, in one sentence; empty: it did not."""
        ...

    @property
    def tokens_per_s(self) -> float:
        """How fast it wrote."""
        ...


#: Makes the mind that asks a model: of the model, the beginnings of prompts, who stands behind it, and who
#: hears why an answer could not be used.
MakePrompted: TypeAlias = Callable[
    [ModelCapability, PrefixCapability, Mind, Callable[[str, str], None]], Mind
]


class SilentMind:
    """A `Mind` around the starter mind that answers nothing of what a model is tested on.

    How near the abilities are it says: by that a model is shown some of them.
    """

    name = "silent"

    def __init__(self, starter: Mind) -> None:
        self._starter = starter

    async def ask(self, question: Question[A]) -> A:
        answer: Any  # an `A`, by the type of the question
        if isinstance(question, EvaluateIntent):
            answer = replace(await self._starter.ask(question), chosen=None, ties=())
        elif isinstance(question, ExtractParams):
            required = question.info.params.get("required")
            answer = ExtractedParams({}, tuple(map(str, required if isinstance(required, list) else ())))
        elif isinstance(question, Summarise):
            answer = ""
        elif isinstance(question, PickAbility):
            answer = None
        else:
            answer = await self._starter.ask(question)
        found: A = answer
        return found

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        del request
        nothing: tuple[str, ...] = ()
        for piece in nothing:
            yield piece


@dataclass(frozen=True)
class _Answer:
    """What came of a task, as it is scored and as it is shown."""

    passed: bool
    told: str


class SelfTest:
    """One run over all tasks. `prompts` and `model` speak its `language`."""

    def __init__(
        self,
        model: WatchedModel,
        prompts: ReplyPrompts,
        starter: Mind,
        make: MakePrompted,
        *,
        language: str,
        task_s: float = TASK_S,
        tasks: Sequence[CheckTask] | None = None,
    ) -> None:
        self._model, self._prompts, self._starter, self._make = model, prompts, starter, make
        self._language, self._task_s = language, task_s
        self._abilities = check_abilities(language)
        self._tasks = tuple(check_tasks() if tasks is None else tasks)
        self._chosen, self._chosen_by_starter = False, False
        """Whether an ability was chosen rightly: who never chooses has not held back either."""

    @property
    def total(self) -> int:
        """How many tasks there are."""
        return len(self._tasks)

    @property
    def tokens_per_s(self) -> float:
        """How fast the model wrote so far; 0: unknown."""
        return self._model.tokens_per_s

    async def results(self) -> AsyncGenerator[CheckResult, None]:
        """The tasks, as each is done.

        Raises:
            ModelError: The model failed twice running; nothing more is to be learnt of it.
        """
        failed = False
        for task in self._tasks:
            begun = perf_counter()
            answer = await self._asked(task)
            took_ms = 1000 * (perf_counter() - begun)
            starter = await self._of_starter(task)
            yield self._result(task, answer, starter, took_ms)
            if failed and self._model.trouble:
                raise ModelError("common.told", text=self._model.trouble)
            failed = bool(self._model.trouble)

    def _result(
        self, task: CheckTask, answer: _Answer, starter: _Answer | None, took_ms: float
    ) -> CheckResult:
        names = {key: info.title for key, info in self._abilities.items()}
        passed, by_starter = answer.passed, None if starter is None else starter.passed
        if task.area == "choose":
            self._chosen |= passed
            self._chosen_by_starter |= bool(by_starter)
        elif task.area == "abstain":
            passed = passed and self._chosen
            by_starter = by_starter and self._chosen_by_starter
        return CheckResult(
            id=task.id,
            area=task.area,
            passed=passed,
            answer=answer.told,
            wanted=task.expect.told(names, self._language),
            duration_ms=round(took_ms, 1),
            starter_passed=by_starter,
            question=task.question,
        )

    async def _asked(self, task: CheckTask) -> _Answer:
        """What the model alone brings about."""
        fallen_back: list[str] = []
        before = self._model.calls
        silent = SilentMind(self._starter)
        mind = self._make(
            self._model, self._prompts, silent, lambda question, _words: fallen_back.append(question)
        )
        try:
            async with asyncio.timeout(self._task_s):
                answer = await self._scored(mind, task)
        except TimeoutError:
            return _Answer(passed=False, told=sentence_of("checks.too_slow", seconds=self._task_s))
        except ContextOverflowError as error:
            return _Answer(passed=False, told=str(error))
        except ModelError as error:
            return _Answer(passed=False, told=str(error))
        if self._model.trouble:
            return _Answer(passed=False, told=cut(self._model.trouble, _ANSWER))
        if fallen_back or self._model.calls == before:
            return _Answer(passed=False, told=sentence_of("checks.unusable"))
        return answer

    async def _of_starter(self, task: CheckTask) -> _Answer | None:
        """The starter mind's own; `None`: it is no task for it."""
        if task.question == "write_for_agent":
            return None
        try:
            async with asyncio.timeout(_STARTER_S):
                return await self._scored(self._starter, task)
        except TimeoutError:
            return _Answer(passed=False, told="")

    async def _scored(self, mind: Mind, task: CheckTask) -> _Answer:
        """Ask a mind, and hold its answer to the rules."""
        text, turn, expect = wording_in(task.text, self._language), self._turn(task), task.expect
        offers = [info for key, info in self._abilities.items() if not task.offers or key in task.offers]
        chosen: MetaActionInfo | None
        match task.question:
            case "evaluate_intent":
                chosen = (await mind.ask(EvaluateIntent(text, offers, turn))).chosen
                return _choice(expect.ability, chosen)
            case "pick_ability":
                chosen = await mind.ask(PickAbility(text, offers, turn))
                return _choice(expect.ability, chosen)
            case "extract_params":
                found = await mind.ask(ExtractParams(text, self._abilities[task.ability], turn=turn))
                return _Answer(expect.met_by_values(found.values, self._language), _shown(found.values))
            case "write_for_agent":
                question = WriteForAgent(text, schema=task.answer_schema, max_tokens=_MOST_TOKENS, turn=turn)
                written: Json = await mind.ask(question)
                values = written if isinstance(written, dict) else {}
                return _Answer(expect.met_by_values(values, self._language), _shown(written))
            case "summarise":
                summary = await mind.ask(Summarise((_turn_of(text),), turn=turn))
                return _Answer(expect.met_by_words(summary), cut(summary, _ANSWER))
            case "reply":
                said = await self._replied(mind, task, text, turn)
                met = expect.met_by_words(said) and not _repeats(said, task.result)
                return _Answer(met, cut(said, _ANSWER))

    def _turn(self, task: CheckTask) -> TurnRef:
        """A turn of its own, so that what failed in one task is tried again in the next."""
        return TurnRef(_NO_CONVERSATION, f"self-test {task.id}")

    async def _replied(self, mind: Mind, task: CheckTask, text: str, turn: TurnRef) -> str:
        evidence = [Finished(_record(self._abilities[task.ability], task.result))] if task.result else []
        request = ReplyRequest(
            text,
            evidence,
            tuple(self._abilities.values()),
            prompt=self._prompts.of_reply(text, evidence, turn),
            turn=turn,
        )
        said = ""
        pieces = mind.reply(request)
        try:
            async for piece in pieces:
                said += "" if isinstance(piece, (Thought, Cut)) else piece
        finally:
            close = getattr(pieces, "aclose", None)  # an iterator need not have it
            if close is not None:
                await close()
        return said


def _choice(wanted: str | None, chosen: MetaActionInfo | None) -> _Answer:
    key = chosen.key if chosen is not None else ""
    told = chosen.title if chosen is not None else sentence_of("checks.no_ability")
    return _Answer(key == wanted, told)


def _repeats(said: str, result: str) -> bool:
    """Whether a reply holds the whole result, word for word: who copies the prompt has answered nothing."""
    words = " ".join(result.casefold().split())
    return bool(words) and words in " ".join(said.casefold().split())


def _shown(values: Json) -> str:
    if not isinstance(values, dict):
        return "-" if values is None else cut(str(values), _ANSWER)
    return cut(", ".join(f"{name} = {value}" for name, value in values.items()) or "-", _ANSWER)


#: When everything in the tasks happened: the same words to the letter each time.
_AT = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


def _turn_of(text: str) -> RememberedTurn:
    return RememberedTurn("", _NO_CONVERSATION, "", 0, "user", text, _AT)


def _record(info: MetaActionInfo, result: str) -> ActionRecord:
    """An action that nobody ran, with a result that nobody brought."""
    return ActionRecord(
        id="self-test",
        conversation_id=_NO_CONVERSATION,
        exchange_id="",
        key=info.key,
        title=info.title,
        description=info.description,
        params={},
        schema=info.params,
        status=ActionStatus.SUCCEEDED,
        created_at=_AT,
        finished_at=_AT,
        exit_code=0,
        stdout=result,
    )
