"""WorkParts: what everything needs that begins, settles or ends actions, be it one or a chain of steps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.event_publisher import CardPlaces, EventPublisher
from partner_desktop.action.runs.executor import ActionExecutor
from partner_desktop.action.store import ActionStore
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Withheld
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.permission.request import Decision
from partner_desktop.runner.client import RunnerClient

#: Fills in what an ability is about, where that is not said but known: the ability, what was said of its
#: parameters, the conversation. Raises UsageError where there is nothing that it could be about.
Prefill = Callable[[MetaActionInfo, JsonObject, str], Awaitable[JsonObject]]


@dataclass(frozen=True)
class WorkParts:
    """The same ones for all who are given them."""

    catalog: AbilityCatalog
    runner: RunnerClient
    engine: PermissionEngine
    audit: AuditLog
    store: ActionStore
    executor: ActionExecutor
    publisher: EventPublisher
    places: CardPlaces
    prefill: Prefill
    clock: Clock


class WorkPart:
    """Has them at hand, and the ways of a record that all have in common."""

    def __init__(self, parts: WorkParts) -> None:
        self._parts = parts
        self._catalog = parts.catalog
        self._runner = parts.runner
        self._engine = parts.engine
        self._audit = parts.audit
        self._store = parts.store
        self._executor = parts.executor
        self._publisher = parts.publisher
        self._places = parts.places
        self._prefill = parts.prefill
        self._clock = parts.clock

    async def _settle(self, new: ActionRecord, old: ActionRecord) -> None:
        """Write down what an action has become.

        Raises:
            UsageError: Another answer settled it first.
        """
        if not await self._store.replace(new, only_from=old.status):
            raise UsageError("card.settled_meanwhile", title=old.title)
        if new.parent_id and new.status.ended:  # its chain waits for that
            self._publisher.ended(new)

    async def _turn_down(
        self, record: ActionRecord, reason: str, decision: Decision | None = None
    ) -> Withheld:
        """Show what will not run, and why."""
        await self._places.show(record, led=False)
        return Withheld(await self._executor.turn_down(record, reason, decision=decision), reason)

    async def _deny(self, record: ActionRecord, reason: str, decision: Decision) -> ActionRecord:
        """End what the person was told waits; a turn of its own tells so."""
        ended = await self._executor.turn_down(record, reason, decision=decision, to_tell=True)
        self._executor.tell(Withheld(ended, reason), ended)
        return ended
