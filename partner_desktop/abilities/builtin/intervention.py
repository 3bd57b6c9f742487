"""Builtins about what is under way: stepping in, asking the person, beginning a turn, taking back.

Contract: stepping in decides nothing: a step that comes in so is decided on by the permission engine alone.
A question lives no longer than its run. What comes back says which of three it was: an answer, a
no to answering, or a question that timed out. What begins a turn is a fact of that turn, never the person's
words: it answers no question, approves nothing and is not planned. So a turn begun here begins no other one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import AskHumanError, TellMindError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import counted_words, sentence_of, sentences_joined
from partner_desktop.capabilities import ActionCapability, ActionRecords, CognitionCapability
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.evidence import Initiated, Intervened
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, RunnerResponse
from partner_desktop.domain.plan import Step, StepStatus
from partner_desktop.runner.mcp.elicitations import Elicitations

_OPEN = (ActionStatus.ASKING, ActionStatus.WAITING, ActionStatus.RUNNING)


class Steps(Protocol):
    """Changes chains. `action/corrections/interventions.py` has this face."""

    async def apply(
        self, action_id: str, wishes: Sequence[Intervention], *, by: Literal["person", "mind"]
    ) -> Intervened: ...


class InterventionBuiltins:
    """The other parts are asked for with each call: they are built after the list of builtins."""

    def __init__(
        self,
        capability: Callable[[], ActionCapability],
        actions: Callable[[], ActionRecords],
        steps: Callable[[], Steps],
    ) -> None:
        self._capability = capability
        self._actions = actions
        self._steps = steps

    def definitions(self) -> Builtins:
        return {
            "intervention::list_available_meta_actions": self._available,
            "intervention::list_intervenable_actions": self._intervenable,
            "intervention::create_intervention": self._create,
        }

    async def _available(self, call: BuiltinCall) -> RunnerResponse:
        del call
        lines: list[Json] = [_ability(info) for info in self._capability().usable() if not info.hidden]
        told = sentence_of("intervention.callable", count=len(lines))
        return RunnerResponse(ok=True, data={"summary": told, "actions": lines})

    async def _intervenable(self, call: BuiltinCall) -> RunnerResponse:
        found = [
            record
            for status in _OPEN
            for record in await self._actions().in_status(status, conversation_id=call.conversation_id)
            if record.id != call.action_id and not (record.parent_id and status is ActionStatus.RUNNING)
        ]
        if not found:
            return done(sentence_of("intervention.nothing_open"))
        one = len(found) == 1
        told = sentence_of("intervention.one_open" if one else "intervention.some_open", count=len(found))
        lines: list[Json] = [_action(record) for record in found]
        return RunnerResponse(ok=True, data={"summary": told, "actions": lines})

    async def _create(self, call: BuiltinCall) -> RunnerResponse:
        try:
            record = await self._chain(call)
            told = await self._steps().apply(record.id, [_wish(call, record)], by="mind")
        except UsageError as error:
            raise TellMindError("common.told", text=error) from error
        if not told.done and told.refused:
            raise TellMindError("common.told", text=sentences_joined(told.refused))
        if not told.done:
            raise TellMindError("intervention.unchanged")
        lines: list[Json] = [*told.refused]
        return RunnerResponse(ok=True, data={"summary": sentences_joined(told.done), "refused": lines})

    async def _chain(self, call: BuiltinCall) -> ActionRecord:
        record = await self._actions().get(call.text("id"))
        if record.conversation_id != call.conversation_id:
            raise UsageError("intervention.not_here", id=record.id)
        itself = await self._actions().get(call.action_id) if call.action_id else None
        ends = call.text("type") in (InterventionKind.CANCEL, InterventionKind.REBUILD)
        if itself is not None and itself.parent_id == record.id and ends:
            raise UsageError("intervention.own_chain")
        return record


def _wish(call: BuiltinCall, record: ActionRecord) -> Intervention:
    kind, named = InterventionKind(call.text("type")), _named(call.params.get("actions"))
    deletes = kind is InterventionKind.DELETE
    return Intervention(
        kind,
        stage=call.number("order", 0),
        steps=() if deletes else tuple(NewStep(key) for key in named),
        step_ids=_meant(record, named, call.number("order", 0)) if deletes else (),
        reason=call.text("reason"),
    )


def _named(value: Json) -> list[str]:
    """A list, or words separated by commas."""
    parts = value if isinstance(value, list) else str(value or "").split(",")
    return [name for part in parts if (name := str(part).strip())]


def _meant(record: ActionRecord, named: Sequence[str], stage: int) -> tuple[str, ...]:
    """The steps that are named by id, number or key; by key those to come, of a stage where it is named."""
    if record.chain is None:
        return ()
    places = {step.id: at for at, one in enumerate(record.chain.stages, 1) for step in one.steps}
    found: list[str] = []
    for name in named:
        by_id = [step.id for step in record.chain.steps if name in (step.id, _number(record, step))]
        by_key = [
            step.id
            for step in record.chain.steps
            if step.key == name and step.status is StepStatus.PLANNED and stage in (0, places[step.id])
        ]
        if not by_id and not by_key:
            raise UsageError("intervention.no_step", name=name[:100])
        found += by_id or by_key
    return tuple(dict.fromkeys(found))


def _number(record: ActionRecord, step: Step) -> str:
    return str(record.chain.number_of(step.id)) if record.chain is not None else ""


def _ability(info: MetaActionInfo) -> JsonObject:
    return {
        "key": info.key,
        "title": info.title,
        "description": info.description,
        "params": ", ".join(info.properties()),
    }


def _action(record: ActionRecord) -> JsonObject:
    return {
        "id": record.id,
        "key": record.key,
        "title": record.title,
        "status": record.status.value,
        "since": (record.started_at or record.created_at).astimezone().strftime("%H:%M:%S"),
        **_steps(record),
    }


def _steps(record: ActionRecord) -> JsonObject:
    """The steps of a chain, numbered, with where they stand; nothing of a single call."""
    chain = record.chain
    if chain is None:
        return {}
    steps: list[Json] = [
        {
            "number": chain.number_of(step.id),
            "stage": number,
            "id": step.id,
            "key": step.key,
            "title": step.title,
            "status": step.status.value,
        }
        for number, stage in enumerate(chain.stages, 1)
        for step in stage.steps
    ]
    return {"steps": steps}


_DEFAULT_S = 300
_ANSWER: JsonObject = {
    "type": "object",
    "properties": {"answer": {"type": "string", "minLength": 1, "title": "Your answer"}},
    "required": ["answer"],
}


class AcquiringBuiltins:
    """`asks` and `actions` are asked for with each call: they are built after the list of builtins."""

    def __init__(self, asks: Callable[[], Elicitations], actions: Callable[[], ActionRecords]) -> None:
        self._asks = asks
        self._actions = actions

    def definitions(self) -> Builtins:
        return {"intervention::acquire_intervention": self._acquire}

    async def _acquire(self, call: BuiltinCall) -> RunnerResponse:
        question = Elicitation(
            id=new_id(),
            server="",
            action_id=await self._card(call),
            conversation_id=call.conversation_id,
            message=await self._words(call),
            schema=_ANSWER,
        )
        wait_s = call.number("timeout", _DEFAULT_S)
        asks = self._asks()
        try:
            with asks.during(question.action_id):
                async with asyncio.timeout(wait_s):
                    answer = await asks.ask(question)
        except TimeoutError:
            return RunnerResponse(ok=False, error=sentence_of("intervention.timed_out", span=_span(wait_s)))
        return _result(answer)

    async def _card(self, call: BuiltinCall) -> str:
        """Whose card shows the question: a step of a chain has none of its own."""
        return (await self._actions().get(call.action_id)).parent_id or call.action_id

    async def _words(self, call: BuiltinCall) -> str:
        """The question, and what it is about where that is an action of this conversation."""
        try:
            about = await self._actions().get(call.text("actionId")) if call.text("actionId") else None
        except UsageError:
            about = None
        if about is None or about.conversation_id != call.conversation_id:
            return call.text("demand")
        return f"{about.title}: {call.text('demand')}"


def _result(answer: ElicitationAnswer) -> RunnerResponse:
    if answer.verdict != "accept":
        return RunnerResponse(ok=False, error=sentence_of("intervention.declined"))
    said = str(answer.content.get("answer", ""))
    return RunnerResponse(
        ok=True, data={"summary": sentence_of("intervention.answered", answer=said), "answer": said}
    )


def _span(seconds: int) -> str:
    return counted_words("second", seconds) if seconds < 120 else counted_words("minute", seconds // 60)


_SKIP = frozenset({"ActionPlanner"})


class InitiativeBuiltins:
    """Speaks through the dialog."""

    def __init__(self, cognition: CognitionCapability) -> None:
        self._cognition = cognition

    def definitions(self) -> Builtins:
        return {"capability::initiate_turn": self._initiate}

    async def _initiate(self, call: BuiltinCall) -> RunnerResponse:
        # Raises where it is not there, or was deleted.
        target = await self._cognition.conversation(call.text("target") or call.conversation_id)
        self._cognition.initiate_turn(
            [Initiated(call.text("input"))], conversation_id=target.id, exchange_id="", skip=_SKIP
        )
        if target.id == call.conversation_id:
            return done(sentence_of("talk.here"))
        return done(sentence_of("talk.elsewhere", title=target.title or sentence_of("talk.a_conversation")))


#: Of an id; what is shorter is none.
_SHORTEST_ID = 8


class TakesBack(Protocol):
    """What has kept how things were."""

    async def take_back(self, action_id: str) -> str:
        """Bring back what a run replaced; the sentence to show.

        Raises:
            UsageError: There is nothing to bring back.
        """
        ...


class UndoBuiltins:
    """`door` is asked for with each call: it is built after the list of builtins."""

    def __init__(self, door: Callable[[], TakesBack]) -> None:
        self._door = door

    def definitions(self) -> Builtins:
        return {"files::undo": self._undo}

    async def _undo(self, call: BuiltinCall) -> RunnerResponse:
        run = call.text("run")
        if len(run) < _SHORTEST_ID:  # “last” of a command, or nothing: no card has shown which
            raise AskHumanError("undo.no_action")
        try:
            told = await self._door().take_back(run)
        except UsageError as error:
            raise AskHumanError("common.told", text=error) from error
        return done(told)
