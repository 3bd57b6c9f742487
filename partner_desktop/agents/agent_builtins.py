"""AgentBuiltins: agents as abilities. A call runs one to its end; what it asks stands as a form on the card.

Contract: it writes nothing by itself: a mind without a model says so, and the run tells what was not written.
A run that is cancelled ends its agent, and all below it. What is written down of an agent goes when its run
is over: the run's record has what came of it. One that was cut off is taken up when the same is asked again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from pydantic import TypeAdapter

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins
from partner_desktop.agents.agent_process import AgentProcess
from partner_desktop.agents.agent_processes import AgentProcesses
from partner_desktop.agents.agent_registry import AgentRegistry
from partner_desktop.agents.declarations import UserInput
from partner_desktop.agents.process_events import PlanMade, ProcessEvent, StepBegan
from partner_desktop.agents.process_state import PersonWait, ProcessStatus
from partner_desktop.agents.process_table import ProcessTable
from partner_desktop.agents.selection import (
    MindRanker,
    RankedChoice,
    RankedNames,
    Selection,
    TieredRanker,
)
from partner_desktop.agents.story_agent import WriteAndReviewAgent
from partner_desktop.agents.usage_ledger import UsageRow
from partner_desktop.agents.writing_mind import (
    CreateObject,
    GenerateText,
    ModelUse,
    Persona,
    WrittenAnswer,
)
from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import AgentError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.elicitation import Elicitation
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo, Route, RunnerResponse
from partner_desktop.domain.model_call import ModelCall
from partner_desktop.mind.answerers import Ask
from partner_desktop.mind.question import EvaluateIntent, WriteForAgent
from partner_desktop.runner.mcp.elicitations import Elicitations
from partner_desktop.storage.database import Database

T = TypeVar("T")
_log = log.area("agents")

Calls = Callable[[str], Awaitable[Sequence[ModelCall]]]


class MindWriting:
    """A `WritingMind`: the mind that answers everything else, for one conversation."""

    def __init__(self, ask: Ask, calls: Calls, conversation_id: str = "") -> None:
        self._ask = ask
        self._calls = calls
        self._conversation_id = conversation_id

    async def create_object(self, request: CreateObject[T], /) -> WrittenAnswer[T] | None:
        written = await self._written(request.prompt, request.persona, request.schema)
        if written is None:
            return None
        return WrittenAnswer(TypeAdapter(request.kind).validate_python(written.value), written.calls)

    async def generate_text(self, request: GenerateText, /) -> WrittenAnswer[str] | None:
        written = await self._written(request.prompt, request.persona, {})
        return WrittenAnswer(str(written.value), written.calls) if written is not None else None

    async def _written(
        self, prompt: str, persona: Persona | None, schema: JsonObject
    ) -> WrittenAnswer[Json] | None:
        turn = TurnRef(self._conversation_id, new_id())
        value = await self._ask(WriteForAgent(prompt, _told(persona), schema, turn=turn))
        if value is None:
            return None
        calls = await self._calls(turn.turn_id)
        return WrittenAnswer(value, tuple(map(_use, calls)))


def _told(persona: Persona | None) -> str:
    if persona is None:
        return ""
    parts = (persona.persona, persona.voice, persona.objective)
    return ". ".join(part.rstrip(".") for part in (f"You are {persona.name}", *parts) if part) + "."


def _use(call: ModelCall) -> ModelUse:
    return ModelUse(call.model, call.prompt_tokens, call.output_tokens, call.cost or 0.0, call.duration_ms)


class WordRanker:
    """A `Ranker` of words and meaning, without a model where there is none."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def rank(self, text: str, candidates: Mapping[str, str]) -> RankedNames:
        known = [
            MetaActionInfo(f"agent::{name}", Route.BUILTIN, told, label=told)
            for name, told in candidates.items()
        ]
        found = await self._ask(EvaluateIntent(text, known))
        return RankedNames(tuple(RankedChoice(each.info.name, each.score) for each in found.ranked))


class AgentBuiltins:
    """A `BuiltinActionProvider`. `classes`: the agents that installed packages bring."""

    def __init__(
        self,
        ask: Ask,
        calls: Calls,
        classes: Callable[[], Mapping[str, type]],
        asks: Callable[[], Elicitations],
        database: Database,
        *,
        clock: Clock,
    ) -> None:
        self._ask = ask
        self._calls = calls
        self._classes = classes
        self._asks = asks
        self._database = database
        self._clock = clock
        self._registry: AgentRegistry | None = None
        self._at_work: set[str] = set()

    def definitions(self) -> Builtins:
        return {"agent::story": self._story, "agent::run": self._run}

    async def _story(self, call: BuiltinCall) -> RunnerResponse:
        return await self._work(call, WriteAndReviewAgent.__name__, ())

    async def _run(self, call: BuiltinCall) -> RunnerResponse:
        if call.text("agent"):
            return await self._work(call, call.text("agent"), ())
        ranker = TieredRanker(WordRanker(self._ask), MindRanker(self._mind(call)))
        chosen = await Selection(self._known(), ranker).agent_for(call.text("task"))
        return await self._work(call, chosen.agent, chosen.rows)

    def _mind(self, call: BuiltinCall) -> MindWriting:
        return MindWriting(self._ask, self._calls, call.conversation_id)

    def _known(self) -> AgentRegistry:
        if self._registry is None:
            self._registry = AgentRegistry()
            self._registry.register(WriteAndReviewAgent)
            self._registry.register_found(
                self._classes(), lambda name, error: _log.warning("agent %s is left out: %s", name, error)
            )
        return self._registry

    async def _work(self, call: BuiltinCall, agent: str, spent: Sequence[UsageRow]) -> RunnerResponse:
        table = ProcessTable(self._database, self._clock)
        processes = AgentProcesses(self._known(), self._mind(call), self._clock, table)
        processes.subscribe(lambda event: _tell(event, call))
        process = await self._cut_off(processes, agent, call.text("task"))
        if process is None:
            process = await processes.create(agent, UserInput(call.text("task")), spent=spent)
        self._at_work.add(process.id)
        try:
            while await process.run() is ProcessStatus.WAITING:
                if not await self._answered(call, process):
                    break
        finally:
            if process.status not in (ProcessStatus.COMPLETED, ProcessStatus.FAILED, ProcessStatus.STUCK):
                await uninterrupted(process.kill())
            await uninterrupted(table.remove(process.id))
            self._at_work.discard(process.id)
        if process.status is ProcessStatus.COMPLETED:
            return RunnerResponse(ok=True, stdout=summary_of(process))
        return RunnerResponse(ok=False, error=str(process.state.reason or sentence_of("agents.killed")))

    async def _cut_off(self, processes: AgentProcesses, agent: str, task: str) -> AgentProcess | None:
        """The run of the same agent for the same that Partner's end cut off."""
        for process_id in await processes.unfinished():
            if process_id in self._at_work:
                continue
            try:
                process = await processes.bring_back(process_id)
            except AgentError as error:
                _log.warning("a run of an agent that was cut off is let be: %s", error)
                continue
            asked = process.board.get("userInput", UserInput)
            if process.state.agent == agent and asked is not None and asked.content == task:
                return process
        return None

    async def _answered(self, call: BuiltinCall, process: AgentProcess) -> bool:
        """Whether the person answered all that is asked; a no is an answer."""
        asks = self._asks()
        for wait in process.waits:
            with asks.during(call.action_id):
                answer = await asks.ask(_question(wait, call))
            if answer.verdict == "cancel":
                return False
            content = dict(answer.content)
            note = str(content.pop("note", "")) if wait.kind != "form" else ""
            await process.answer(wait.id, accept=answer.verdict == "accept", content=content, note=note)
        return True


def _question(wait: PersonWait, call: BuiltinCall) -> Elicitation:
    return Elicitation(
        id=wait.id,
        server="",
        action_id=call.action_id,
        conversation_id=call.conversation_id,
        message=f"{wait.message} {wait.note}".strip(),
        schema=wait.schema or _agreement(),
    )


def _agreement() -> JsonObject:
    """What a person is shown who only has to agree."""
    return {"type": "object", "properties": {"note": {"type": "string", "title": sentence_of("agents.note")}}}


def _tell(event: ProcessEvent, call: BuiltinCall) -> None:
    """What it does, line by line, for who looks on."""
    if isinstance(event, PlanMade) and event.steps:
        call.on_output("stdout", f"{' → '.join(map(_short, event.steps))}\n")
    elif isinstance(event, StepBegan):
        call.on_output("stdout", f"{_short(event.action)} …\n")


def _short(name: str) -> str:
    """`package.Class.craft_story` → `craft story`."""
    return name.rpartition(".")[2].replace("_", " ")


def summary_of(process: AgentProcess) -> str:
    """What came of a process that is over, as Markdown: the question, the output or why not, the use."""
    asked = process.board.get("userInput", UserInput)
    output = process.output
    told = getattr(output, "content", None) if output is not None else str(process.state.reason or "")
    used = process.usage
    tools = [
        sentence_of(
            "agents.tool_use",
            name=each.name,
            calls=each.calls,
            took=f"{each.mean_ms:.0f}",
            failed=each.failed,
        )
        for each in used.tools
    ]
    models = sentence_of(
        "agents.model_use",
        models=", ".join(used.models) or "–",
        calls=used.calls,
        read=used.prompt_tokens,
        wrote=used.output_tokens,
        cost=f"{used.cost:.4f}",
    )
    return "\n\n".join(
        [
            asked.content if asked is not None else process.state.goal,
            told if isinstance(told, str) else repr(output),
            "\n".join([models, *tools]),
        ]
    )
