"""EntityService: who the person is, and whom and what the person speaks of, shown and put right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated

from pydantic import Field

from partner_desktop.base.operation import Caller, operation
from partner_desktop.domain.entity import Attribute, Entity, EntityKind, KnownOfPerson
from partner_desktop.memory.entity_learning import EntityLearning
from partner_desktop.memory.entity_store import EntityStore

_OTHERS = 50
_LONGEST_QUERY = 400


class EntityService:
    """Everything that is known can be seen with what it was learnt from; see `EntityStore` for its rules."""

    def __init__(self, store: EntityStore, learning: EntityLearning) -> None:
        self._store = store
        self._learning = learning

    @operation(Caller.ATTACHED)
    async def list(
        self,
        query: Annotated[str, Field(max_length=_LONGEST_QUERY)] = "",
        *,
        kind: EntityKind | None = None,
        limit: Annotated[int, Field(ge=1, le=10_000)] = 100,
        offset: Annotated[int, Field(ge=0)] = 0,
    ) -> Sequence[Entity]:
        """Entities, that of which something was said last first.

        `query` is a part of a name or of anything else that is known; `kind` is `person`, `animal`, `place`,
        `project`, `thing`, or `self`, which is the person.
        """
        await self._learning.catch_up()
        return await self._store.all(query, kind=kind or "", limit=limit, offset=offset)

    @operation(Caller.ATTACHED)
    async def get(self, entity_id: str) -> Entity:
        """One entity with everything that is known of it; `self` is the person.

        Raises:
            UsageError: There is none of this id.
        """
        await self._learning.catch_up()
        return await self._store.get(entity_id)

    @operation(Caller.ATTACHED)
    async def known(self) -> KnownOfPerson:
        """What is known about the person with evidence and dates, what is not, and who else is known."""
        await self._learning.catch_up()
        unread = await self._learning.unread()  # first: what is read meanwhile is known already
        return replace(await self._store.known(limit=_OTHERS), unread=unread)

    @operation(Caller.ATTACHED)
    async def rename(self, entity_id: str, name: str) -> Entity:
        """Give an entity a name; the one before stays as an alias.

        Raises:
            UsageError: There is none of this id, or the name is empty or too long.
        """
        return await self._learning.told(await self._store.rename(entity_id, name))

    @operation(Caller.ATTACHED)
    async def add_fact(
        self, entity_id: str, attribute: Attribute, value: str, *, moment: datetime | None = None
    ) -> Entity:
        """Enter something that is known of an entity; `moment` is the day that it is about.

        Raises:
            UsageError: There is none of this id, or the value is empty or too long.
        """
        return await self._learning.told(
            await self._store.add_fact(entity_id, attribute, value, moment=moment)
        )

    @operation(Caller.ATTACHED)
    async def correct_fact(self, fact_id: str, value: str) -> Entity:
        """Put the right value in the place of one; the old one is kept as what was said before.

        Raises:
            UsageError: There is no fact of this id, or the value is empty or too long.
        """
        return await self._learning.told(await self._store.correct_fact(fact_id, value))

    @operation(Caller.ATTACHED)
    async def remove_fact(self, fact_id: str) -> Entity | None:
        """Drop what is not so, or a name; `null`: that was all that was known of the entity, which is gone.

        Raises:
            UsageError: There is no fact of this id.
        """
        return await self._learning.told(await self._store.remove_fact(fact_id))

    @operation(Caller.ATTACHED)
    async def merge(self, into_id: str, other_id: str) -> Entity:
        """Two entities that are one become one; `undo_merge` parts them again.

        Raises:
            UsageError: There is none of one of the ids, or they are one already.
        """
        return await self._learning.told(await self._store.merge(into_id, other_id))

    @operation(Caller.ATTACHED)
    async def undo_merge(self, entity_id: str) -> Entity:
        """Part again what was merged; `entity_id` is that of one of the `merged` of an entity.

        Raises:
            UsageError: No merged entity has this id.
        """
        return await self._learning.told(await self._store.undo_merge(entity_id))
