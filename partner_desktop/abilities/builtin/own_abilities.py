"""Builtins about abilities: those of the live folders (`dynamic::*`), and what servers have (`mcp::*`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import TellMindError, UsageError
from partner_desktop.base.messages import LazySentence, sentence_of, spoken_language
from partner_desktop.domain.ability import Ability, AbilityDraft
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus
from partner_desktop.domain.meta_action import RunnerResponse

PERSIST, REMOVE = "builtin::dynamic::persist", "builtin::dynamic::remove"
GENERATE, RESTORE = "builtin::dynamic::generate", "builtin::dynamic::restore"
#: Minutes that a temporary ability stays listed.
_STAYS_MIN = 30


class ManagesAbilities(Protocol):
    """Makes, keeps and removes abilities and brings them back, as a person does by hand."""

    def abilities(self) -> Sequence[Ability]: ...

    async def make(self, given: JsonObject) -> str: ...

    async def draft_of(self, key: str) -> AbilityDraft: ...

    async def persist(self, key: str, draft: AbilityDraft) -> str: ...

    async def remove(self, key: str) -> None: ...

    def title_of(self, key: str) -> str: ...

    @property
    def removed(self) -> Sequence[str]: ...

    async def restore(self, key: str) -> str: ...


class DynamicBuiltins:
    """`manager` is asked for with each call: it is built after the list of builtins."""

    def __init__(self, manager: Callable[[], ManagesAbilities]) -> None:
        self._manager = manager

    def definitions(self) -> Builtins:
        return {
            "dynamic::list": self._list,
            "dynamic::generate": self._generate,
            "dynamic::persist": self._persist,
            "dynamic::remove": self._remove,
            "dynamic::restore": self._restore,
        }

    async def _list(self, call: BuiltinCall) -> RunnerResponse:
        del call
        own = [ability for ability in self._manager().abilities() if ability.path is not None]
        lines: list[Json] = [_line(ability) for ability in own]
        told = sentence_of("abilities.one_lies" if len(own) == 1 else "abilities.some_lie", count=len(own))
        return RunnerResponse(ok=True, data={"summary": told, "abilities": lines})

    async def _persist(self, call: BuiltinCall) -> RunnerResponse:
        key, manager = call.text("actionKey"), self._manager()
        draft = await manager.draft_of(key)
        draft = replace(
            draft,
            name=call.text("name") or draft.name,
            description=call.text("description") or draft.description,
        )
        new_key = await manager.persist(key, draft)
        title = manager.title_of(new_key)
        summary = sentence_of("abilities.kept", title=title, key=new_key)
        return RunnerResponse(ok=True, data={"summary": summary, "key": new_key})

    async def _remove(self, call: BuiltinCall) -> RunnerResponse:
        key, manager = call.text("actionKey"), self._manager()
        title = manager.title_of(key)
        await manager.remove(key)
        told = sentence_of("abilities.removed", title=title, key=key)
        undo = sentence_of("abilities.bring_back") if key in manager.removed else ""
        return RunnerResponse(ok=True, data={"summary": told + undo, "key": key})

    async def _generate(self, call: BuiltinCall) -> RunnerResponse:
        manager = self._manager()
        key = await manager.make(call.params)
        title = manager.title_of(key)
        summary = sentence_of("abilities.made", title=title, minutes=_STAYS_MIN)
        return RunnerResponse(ok=True, data={"summary": summary, "key": key})

    async def _restore(self, call: BuiltinCall) -> RunnerResponse:
        manager = self._manager()
        key = call.text("actionKey") or next(reversed(manager.removed), "")
        if not key:
            raise UsageError("abilities.none_removed")
        back = await manager.restore(key)
        told = "abilities.back" if back == key else "abilities.back_renamed"
        summary = sentence_of(told, title=manager.title_of(back), key=back)
        return RunnerResponse(ok=True, data={"summary": summary, "key": back})


def _line(ability: Ability) -> JsonObject:
    return {
        "key": ability.key,
        "what": ability.info.spoken(spoken_language.get()).description if ability.info is not None else "",
        "state": _state(ability),
    }


def _state(ability: Ability) -> str:
    if ability.fault is not None:
        return sentence_of("abilities.broken", why=ability.fault.message)
    if ability.off:
        return sentence_of("abilities.off")
    return sentence_of("abilities.temporary" if ability.temporary else "abilities.ready")


class ServersView(Protocol):
    """The servers, as far as these builtins ask them. `runner/mcp/manager.py` has this face."""

    def statuses(self) -> Sequence[ServerStatus]: ...

    async def read_resource(self, server_id: str, uri: str, /) -> RunnerResponse: ...

    async def get_prompt(self, server_id: str, name: str, arguments: JsonObject, /) -> RunnerResponse: ...


class ServerBuiltins:
    """`view` is asked for with each call: it is built after the list of builtins."""

    def __init__(self, view: Callable[[], ServersView]) -> None:
        self._view = view

    def definitions(self) -> Builtins:
        return {
            "mcp::list": self._list,
            "mcp::read_resource": self._read,
            "mcp::get_prompt": self._prompt,
        }

    async def _list(self, call: BuiltinCall) -> RunnerResponse:
        if call.text("server"):
            status = self._require(call.text("server"))
            return RunnerResponse(ok=True, data={"summary": _sentence(status), **_offers(status)})
        servers = self._view().statuses()
        if not servers:
            return done(sentence_of("mcp.none"))
        told = sentence_of("mcp.one" if len(servers) == 1 else "mcp.some", count=len(servers))
        lines: list[Json] = [_offer_line(status) for status in servers]
        return RunnerResponse(ok=True, data={"summary": told, "servers": lines})

    async def _read(self, call: BuiltinCall) -> RunnerResponse:
        status = self._require(call.text("server"), ready=True)
        return await self._view().read_resource(status.id, call.text("uri"))

    async def _prompt(self, call: BuiltinCall) -> RunnerResponse:
        status = self._require(call.text("server"), ready=True)
        given = call.params.get("arguments")
        arguments = given if isinstance(given, dict) else {}
        return await self._view().get_prompt(status.id, call.text("name"), arguments)

    def _require(self, server_id: str, *, ready: bool = False) -> ServerStatus:
        servers = self._view().statuses()
        status = next((status for status in servers if status.id == server_id), None)
        if status is None:
            known = ", ".join(status.id for status in servers)
            name = server_id[:80]
            raise TellMindError("mcp.no_such_of" if known else "mcp.no_such", name=name, known=known)
        if ready and status.phase is not ServerPhase.READY:
            failed = status.failure is not None
            raise TellMindError("mcp.not_ready_because" if failed else "mcp.not_ready", **_facts(status))
        return status


def _offer_line(status: ServerStatus) -> JsonObject:
    return {
        "server": status.id,
        "phase": status.phase.value,
        "tools": status.tools,
        "resources": len(status.resources),
        "prompts": len(status.prompts),
    }


def _sentence(status: ServerStatus) -> str:
    return sentence_of("mcp.is_because" if status.failure is not None else "mcp.is", **_facts(status))


def _facts(status: ServerStatus) -> dict[str, object]:
    """What a sentence about a server says."""
    unsigned = status.phase is ServerPhase.WAITING and status.question is None
    phase = LazySentence("mcp.phase.signed_out" if unsigned else f"mcp.phase.{status.phase.name.lower()}")
    why = status.failure.message if status.failure is not None else ""
    return {"name": status.id, "phase": phase, "why": why}


def _offers(status: ServerStatus) -> JsonObject:
    resources: list[Json] = [
        {"uri": resource.uri, "name": resource.name, "about": resource.description}
        for resource in status.resources
    ]
    prompts: list[Json] = [
        {
            "name": prompt.name,
            "about": prompt.description,
            "arguments": ", ".join(argument.name for argument in prompt.arguments),
        }
        for prompt in status.prompts
    ]
    return {"tools": status.tools, "resources": resources, "prompts": prompts}
