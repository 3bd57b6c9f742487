"""What `it` is: the ability that the last action of a conversation made, kept, removed or ran."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from partner_desktop.action.birth.said import Verb
from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.action.runner.builtin.dynamic import GENERATE, PERSIST, REMOVE, RESTORE
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionRecord, ActionStatus

#: Of all conversations together: what lies further back is not at hand any more.
_LATEST = 50


class Actions(Protocol):
    """The actions as they are written down."""

    async def newest(self, *, limit: int) -> list[ActionRecord]: ...


class Removals(Protocol):
    """What was removed since the start."""

    @property
    def removed(self) -> Sequence[str]: ...


class Subject:
    """Of every conversation."""

    def __init__(self, catalog: AbilityCatalog, actions: Actions, removals: Removals) -> None:
        self._catalog = catalog
        self._actions = actions
        self._removals = removals

    def own(self) -> list[Ability]:
        """The abilities that lie in the live folders."""
        return [
            ability
            for ability in self._catalog.all()
            if ability.path is not None and ability.info is not None
        ]

    async def of(self, verb: Verb, conversation_id: str) -> str:
        """The key of the ability at hand, where the verb fits it; empty where none is."""
        last = await self._last(conversation_id)
        if last is None:
            return ""
        key = _key_of(last)
        if verb == "restore":
            removed = last.key == REMOVE and last.status is ActionStatus.SUCCEEDED
            return key if removed and key in self._removals.removed else ""
        if verb == "run" and not last.status.ended:
            return ""  # a yes to the card that waits
        ability = next((one for one in self.own() if one.key == key), None)
        if ability is None or not ability.usable or (verb == "keep" and not ability.temporary):
            return ""
        return key

    async def _last(self, conversation_id: str) -> ActionRecord | None:
        newest = await self._actions.newest(limit=_LATEST)
        return next((record for record in newest if record.conversation_id == conversation_id), None)


def _key_of(record: ActionRecord) -> str:
    """The ability that an action was about: the one that came of it, or the one that was to run.

    How a run ended does not matter: what was stopped or went wrong can be kept and run again. Of what was to
    be kept or removed and was not, it is the ability as it still is.
    """
    if record.key not in (GENERATE, PERSIST, REMOVE, RESTORE):
        return record.key
    came = record.data.get("key") if isinstance(record.data, dict) else None
    key = came or record.params.get("actionKey")
    return key if isinstance(key, str) else ""
