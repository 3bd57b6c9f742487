"""PerceiveMonitor: the present and the previous interaction time, for the context of the turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from partner_desktop.base.clock import Clock
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.perceive.system_sample import gap, in_words, iso
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.storage.database import Connection, Database

BLOCK = "environment_perceive_info"
NEVER, UNKNOWN = "never", "unknown"


class PerceiveMonitor(RunningModule):
    """Runs first. The previous times are in the database, so they survive a restart and a deletion."""

    order = 1

    def __init__(
        self,
        workspace: ContextWorkspace,
        interactions: Interactions,
        *,
        clock: Clock,
        zone: tzinfo | None = None,
    ) -> None:
        self._workspace = workspace
        self._interactions = interactions
        self._clock = clock
        self._zone = zone
        """The machine's own when not given."""

    async def execute(self, flow: RunningFlowContext) -> None:
        present = [item.at for item in flow.inputs if not item.is_self]
        seen = await self._interactions.before(flow.conversation_id, present)
        self._workspace.register(self._block(seen, flow.conversation_id))

    def _block(self, seen: Seen, conversation_id: str) -> ContextBlock:
        now = self._clock.now()
        here = self._previous("last_interact_time", seen.here, now, imported=seen.elsewhere_before)
        anywhere = self._previous("last_interact_time_in_any_conversation", seen.anywhere, now)
        present = f"current_time: {in_words(now, zone=self._zone)}"
        exact = f"current_time_iso: {iso(now, zone=self._zone)}"
        return ContextBlock(
            name=BLOCK,
            source=self.name,
            domain=Domain.PERCEIVE,
            scope=conversation_id,
            full="\n".join([present, exact, *here, *anywhere]),
            compact="\n".join([present, here[0]]),
            abstract=exact,
            fades=block_settings.PERCEIVE,
            supply=True,
        )

    def _previous(
        self, label: str, at: datetime | None, now: datetime, *, imported: bool = False
    ) -> list[str]:
        """The lines about an earlier moment; nothing is ever said to have been in the future."""
        if at is None:
            return [f"{label}: {UNKNOWN if imported else NEVER}"]
        ago = gap(at, now)
        if ago is None:
            return [f"{label}: {UNKNOWN} (the clock was set back since)"]
        known = min(at, now)
        said = f"{label}: {in_words(known, zone=self._zone)}, {ago}"
        return [said, f"{label}_iso: {iso(known, zone=self._zone)}"]


_AFTER_ALL = 2**62


@dataclass(frozen=True)
class Seen:
    """The interactions before the present one; `None`: there was none."""

    here: datetime | None
    """In this conversation."""
    anywhere: datetime | None
    """In any conversation of this home, deleted ones too."""
    elsewhere_before: bool = False
    """With no `here`: the conversation has earlier words, which were not said on this home."""


class Interactions:
    """Reads; every message writes its own time (storage/sql/0006_interactions.sql)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def before(self, conversation_id: str, present: Sequence[datetime]) -> Seen:
        """What lies before the interactions at `present` (ascending); with none given, everything.

        Raises:
            StorageError: The database cannot answer.
        """
        return await self._database.read(lambda db: _before(db, conversation_id, present))


def _before(db: Connection, conversation_id: str, present: Sequence[datetime]) -> Seen:
    end = _first_position(db, conversation_id, present)
    here = db.execute(
        "SELECT at FROM interactions WHERE conversation_id = ? AND position < ? "
        "ORDER BY position DESC LIMIT 1",
        (conversation_id, end),
    ).fetchone()
    anywhere = db.execute(
        "SELECT at FROM interactions WHERE position < ? ORDER BY position DESC LIMIT 1", (end,)
    ).fetchone()
    imported = None
    if here is None and present:
        imported = db.execute(
            "SELECT 1 FROM messages WHERE conversation_id = ? AND role = 'user' AND created_at < ? LIMIT 1",
            (conversation_id, present[0].isoformat()),
        ).fetchone()
    return Seen(_time(here), _time(anywhere), elsewhere_before=imported is not None)


def _first_position(db: Connection, conversation_id: str, present: Sequence[datetime]) -> int:
    """Where the present begins: further messages may have come after it, and times may be equal."""
    if not present:
        return _AFTER_ALL
    first = present[0].isoformat()
    equal = sum(at == present[0] for at in present)
    row = db.execute(
        "SELECT position FROM interactions WHERE conversation_id = ? AND at = ? "
        "ORDER BY position DESC LIMIT 1 OFFSET ?",
        (conversation_id, first, equal - 1),
    ).fetchone()
    if row is None:  # an input that is no message: what is not older than it belongs to the present
        row = db.execute(
            "SELECT position FROM interactions WHERE at >= ? ORDER BY position LIMIT 1", (first,)
        ).fetchone()
    return int(row["position"]) if row is not None else _AFTER_ALL


def _time(row: Sequence[str] | None) -> datetime | None:
    return datetime.fromisoformat(row[0]) if row is not None else None
