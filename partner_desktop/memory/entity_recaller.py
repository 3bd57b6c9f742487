"""EntityRecaller puts whom a turn speaks of before the mind, with what is known of them; the person always.

Contract: the reply does not wait for it. What is spoken of again, or is known otherwise now, is put there
anew; what is known no more leaves with the next turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.entity import SELF, Entity
from partner_desktop.domain.evidence_text import entity_words
from partner_desktop.memory.entity_answers import EntityAnswers
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.module import RunningModule

_log = log.area("memory")

_BLOCK = "active_entity"
#: Of those that a turn names; more names are a list, not whom it is about.
_MOST = 8


class EntityRecaller(RunningModule):
    """Runs beside the planner."""

    order = 2

    def __init__(self, workspace: ContextWorkspace, entities: EntityAnswers) -> None:
        self._workspace = workspace
        self._entities = entities
        self._tasks = TaskSet("entities in the prompt")
        self._there: dict[str, dict[str, Entity]] = {}

    async def execute(self, flow: RunningFlowContext) -> None:
        if flow.text.strip():
            self._tasks.start(f"entities:{flow.turn_id[:8]}", self._recall(flow))

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def _recall(self, flow: RunningFlowContext) -> None:
        place = flow.conversation_id
        there = self._there.get(place, {})
        try:
            fresh, standing = await self._entities.active(flow.text, [*there], most=_MOST)
        except PartnerError as error:
            _log.warning("nobody is recalled: %s", error)
            return
        now = {one.id: one for one in (*fresh, *standing)}
        for entity_id in there.keys() - now.keys():
            self._workspace.expire(_BLOCK, _source(entity_id), scope=place)
        # Of whom something is known no more, no block may go on to say it.
        self._put(place, [*fresh, *(one for one in standing if one != there[one.id])])
        self._there[place] = now

    def _put(self, place: str, entities: Sequence[Entity]) -> None:
        for one in entities:
            words = entity_words(one)
            self._workspace.expire(_BLOCK, _source(one.id), scope=place)
            self._workspace.register(
                ContextBlock(
                    name=_BLOCK,
                    source=_source(one.id),
                    domain=Domain.MEMORY,
                    scope=place,
                    full=words.full,
                    compact=words.compact,
                    abstract=words.abstract,
                    fades=block_settings.ACTIVE_ENTITY,
                )
            )


def _source(entity_id: str) -> str:
    return f"EntityRecaller:{entity_id if entity_id == SELF else entity_id[:8]}"
