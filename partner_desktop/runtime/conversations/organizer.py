"""ConversationOrganizer: how the person keeps conversations: pinned, archived, in folders, read or not.

Contract: several are changed in one transaction, all or none. What is organized does not move up: nothing was
said in it. A folder is a name that conversations have in common, and goes with the last of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.events import ConversationEvent
from partner_desktop.domain.message import Conversation
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.dialog import conversation_of, storable
from partner_desktop.storage.database import Connection, Database, rows_among

LONGEST_FOLDER = 60


@dataclass(frozen=True)
class ConversationChange:
    """What becomes of conversations; `None`: that stays."""

    pinned: bool | None = None
    archived: bool | None = None
    folder: str | None = None
    """Empty: in none."""
    unread: bool | None = None


@dataclass(frozen=True)
class ConversationFolder:
    """A folder."""

    name: str
    count: int
    """How many conversations are in it, archived ones among them."""


class ConversationOrganizer:
    """Tells of each conversation that is otherwise than before, and of no other."""

    def __init__(self, database: Database, channels: ChannelRegistry) -> None:
        self._database = database
        self._channels = channels

    async def organize(
        self, conversation_ids: Sequence[str], change: ConversationChange
    ) -> list[Conversation]:
        """All of them as they are now, in the order in which they were named.

        Raises:
            UsageError: One is not there, or was deleted; or the folder has no name that fits.
        """
        folder = None if change.folder is None else folder_name(change.folder)
        wanted = list(dict.fromkeys(conversation_ids))

        def work(db: Connection) -> tuple[list[Conversation], list[Conversation]]:
            before = living(db, wanted)
            named = None if folder is None else folder_as_there(db, folder)
            said = (change.pinned, change.archived, named, change.unread, change.unread)
            db.executemany(_CHANGE, [(*said, one) for one in wanted])
            now = living(db, wanted)
            return now, [one for one, was in zip(now, before, strict=True) if one != was]

        now, changed = await self._database.write(work)
        self._tell(changed)
        return now

    async def folders(self) -> list[ConversationFolder]:
        """By their names."""
        rows = await self._database.rows(
            "SELECT folder, count(*) FROM conversations WHERE folder <> '' AND deleted_at IS NULL "
            "GROUP BY folder"
        )
        return sorted(
            (ConversationFolder(row[0], row[1]) for row in rows), key=lambda one: one.name.casefold()
        )

    async def rename_folder(self, name: str, new_name: str) -> list[Conversation]:
        """What is in it, under the new name; in none where that is empty.

        Raises:
            UsageError: There is no such folder, or the name does not fit.
        """
        new_name = folder_name(new_name)

        def work(db: Connection) -> list[Conversation]:
            within = [
                str(row[0])
                for row in db.execute(
                    "SELECT id FROM conversations WHERE folder = ? AND deleted_at IS NULL", (name,)
                )
            ]
            if not within:
                raise UsageError("api.no_folder", name=name)
            # Of another spelling of its own name, the new one counts.
            named = new_name if new_name.casefold() == name.casefold() else folder_as_there(db, new_name)
            # What is deleted and can still come back comes back into the renamed one.
            db.execute("UPDATE conversations SET folder = ? WHERE folder = ?", (named, name))
            return living(db, within)

        changed = await self._database.write(work)
        self._tell(changed)
        return changed

    def _tell(self, changed: Sequence[Conversation]) -> None:
        for one in changed:
            self._channels.publish(ConversationEvent(conversation_id=one.id, conversation=one))


_CHANGE = """
UPDATE conversations SET pinned = coalesce(?, pinned), archived = coalesce(?, archived),
    folder = coalesce(?, folder),
    unread = CASE WHEN ? IS NULL THEN unread WHEN ? THEN max(unread, 1) ELSE 0 END
WHERE id = ?
"""


def folder_name(name: str) -> str:
    """As it is kept: on one line.

    Raises:
        UsageError: It is too long.
    """
    name = " ".join(storable(name.replace("\x00", "")).split())
    if len(name) > LONGEST_FOLDER:
        raise UsageError("api.folder_too_long", most=LONGEST_FOLDER, length=len(name))
    return name


def folder_as_there(db: Connection, name: str) -> str:
    """As the folder is written that differs in nothing but capitals, where there is one."""
    if not name:
        return name
    rows = db.execute("SELECT DISTINCT folder FROM conversations WHERE folder <> '' AND deleted_at IS NULL")
    return next((str(row[0]) for row in rows if row[0].casefold() == name.casefold()), name)


def living(db: Connection, conversation_ids: Sequence[str]) -> list[Conversation]:
    """Those of some ids, in their order.

    Raises:
        UsageError: One is not there, or was deleted.
    """
    rows = rows_among(db, "SELECT * FROM conversations WHERE id IN", conversation_ids)
    found = {row["id"]: row for row in rows}
    for one in conversation_ids:
        if one not in found:
            raise UsageError("runtime.no_conversation", conversation_id=one)
        if found[one]["deleted_at"] is not None:
            raise UsageError("runtime.conversation_deleted")
    return [conversation_of(found[one]) for one in conversation_ids]
