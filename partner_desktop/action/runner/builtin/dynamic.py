"""`dynamic::*`: Partner's hold on the abilities that lie in the live folders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from partner_desktop.action.runner.builtin.registry import BuiltinCall, BuiltinDefinition
from partner_desktop.domain.ability import Ability, AbilityDraft
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route, RunnerResponse

PERSIST, REMOVE = "builtin::dynamic::persist", "builtin::dynamic::remove"


class AbilityKeeper(Protocol):
    """Keeps and removes abilities, as a person does by hand."""

    def abilities(self) -> Sequence[Ability]: ...

    async def draft_of(self, key: str) -> AbilityDraft: ...

    async def persist(self, key: str, draft: AbilityDraft) -> str: ...

    async def remove(self, key: str) -> None: ...

    def title_of(self, key: str) -> str: ...

    @property
    def removed(self) -> Sequence[str]: ...


class DynamicBuiltins:
    """`keeper` is asked for with each call: it is built after the list of builtins."""

    def __init__(self, keeper: Callable[[], AbilityKeeper]) -> None:
        self._keeper = keeper

    def definitions(self) -> Sequence[BuiltinDefinition]:
        return (
            BuiltinDefinition(_LIST, self._list),
            BuiltinDefinition(_PERSIST, self._persist),
            BuiltinDefinition(_REMOVE, self._remove),
        )

    async def _list(self, call: BuiltinCall) -> RunnerResponse:
        del call
        own = [ability for ability in self._keeper().abilities() if ability.path is not None]
        lines: list[Json] = [_line(ability) for ability in own]
        count = "1 ability lies" if len(own) == 1 else f"{len(own)} abilities lie"
        return RunnerResponse(ok=True, data={"summary": f"{count} in the folders.", "abilities": lines})

    async def _persist(self, call: BuiltinCall) -> RunnerResponse:
        key, keeper = call.text("actionKey"), self._keeper()
        draft = await keeper.draft_of(key)
        draft = replace(
            draft,
            name=call.text("name") or draft.name,
            description=call.text("description") or draft.description,
        )
        new_key = await keeper.persist(key, draft)
        title = keeper.title_of(new_key)
        summary = f"“{title}” is kept for good, as {new_key}. It asks again before it runs."
        return RunnerResponse(ok=True, data={"summary": summary, "key": new_key})

    async def _remove(self, call: BuiltinCall) -> RunnerResponse:
        key, keeper = call.text("actionKey"), self._keeper()
        title = keeper.title_of(key)
        await keeper.remove(key)
        undo = " Say “bring it back” to undo that." if key in keeper.removed else ""
        return RunnerResponse(
            ok=True, data={"summary": f"“{title}” ({key}) is in the trash now.{undo}", "key": key}
        )


def _line(ability: Ability) -> JsonObject:
    return {
        "key": ability.key,
        "what": ability.info.description if ability.info is not None else "",
        "state": _state(ability),
    }


def _state(ability: Ability) -> str:
    if ability.fault is not None:
        return f"broken: {ability.fault.message}"
    if ability.off:
        return "switched off"
    return "temporary" if ability.temporary else "ready"


_KEY: JsonObject = {"type": "string", "title": "Ability", "minLength": 1, "maxLength": 400}

_LIST = MetaActionInfo(
    key="builtin::dynamic::list",
    route=Route.BUILTIN,
    label="List my own abilities",
    description="List the scripts in the action folder",
    aliases=("which scripts of mine are abilities", "list my own abilities", "列出我的脚本"),
    annotations=Annotations(read_only=True, idempotent=True),
)

_PERSIST = MetaActionInfo(
    key=PERSIST,
    route=Route.BUILTIN,
    once=True,
    label="Keep an ability",
    description="Keep a temporary ability for good",
    aliases=("persist the temporary ability", "永久保留临时能力"),
    params={
        "type": "object",
        "properties": {
            "actionKey": {**_KEY, "description": "its name, or its key such as origin::note.sh"},
            "name": {"type": "string", "maxLength": 100, "description": "what it is called from now on"},
            "description": {"type": "string", "maxLength": 1_000, "description": "what it does"},
        },
        "required": ["actionKey"],
    },
    annotations=Annotations(read_only=False, destructive=False, open_world=False),
)

_REMOVE = MetaActionInfo(
    key=REMOVE,
    route=Route.BUILTIN,
    once=True,
    label="Remove an ability",
    description="Remove an ability from the action folder",
    aliases=("uninstall the ability", "移除能力"),
    params={
        "type": "object",
        "properties": {
            "actionKey": {**_KEY, "description": "its name, or its key such as local::count_words"}
        },
        "required": ["actionKey"],
    },
    annotations=Annotations(read_only=False, destructive=True, open_world=False),
)
