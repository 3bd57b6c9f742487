"""Branching: a new conversation that begins with everything up to a message of another one.

Contract: whole or not at all: while it is written, the new conversation stands in the database as a deleted
one, which the next start erases after a crash. Cards come along as words: what they did belongs to the other
conversation, and nothing of it can be approved or run from here.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.attachment import Attachment
from partner_desktop.domain.events import ConversationEvent, record_from_text
from partner_desktop.domain.message import BRANCH, Conversation, MessageState, Role
from partner_desktop.domain.plan import Step
from partner_desktop.runtime.attachment_store import attached_to, insert_attached
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.conversations.deletion import Deletion
from partner_desktop.runtime.conversations.message_versions import message_in_line
from partner_desktop.runtime.dialog import conversation_of
from partner_desktop.storage.database import Connection, Database, Row

_LONGEST_TITLE = 200
_ROWS = 200
_BRANCHED = re.compile(r" \(branch(?: (\d+))?\)$")
#: Characters of an output that a card's words hold.
_OUTPUT = 2_000

Columns = Mapping[str, str | int]


class Branching:
    """Reads the whole part in one go, writes it in steps that let others at the database."""

    def __init__(
        self,
        database: Database,
        channels: ChannelRegistry,
        deletion: Deletion,
        *,
        follow: Callable[[str, str], Awaitable[None]],
        clock: Clock,
    ) -> None:
        """`follow`: called with the ids of both, to let what was chosen for the one hold for the other."""
        self._database = database
        self._channels = channels
        self._deletion = deletion
        self._follow, self._clock = follow, clock

    async def branch(self, message_id: str) -> Conversation:
        """The new conversation, in sight when this returns.

        Raises:
            UsageError: The message is not in the line of a conversation, or is still being written.
            StorageError: It could not be saved; nothing of it is there.
        """
        now = self._clock.now()
        source, rows, attached = await self._database.read(lambda db: _read(db, message_id, now))
        branch = Conversation(
            new_id(), _title(source.title), now, now, source.remembered, folder=source.folder
        )
        try:
            await self._database.write(partial(_insert_hidden, branch))
            for start in range(0, len(rows), _ROWS):
                part = rows[start : start + _ROWS]
                await self._database.write(partial(_insert, branch.id, part, attached))
            await self._follow(source.id, branch.id)
            await self._database.write(partial(_show, branch.id))
        except BaseException:
            with suppress(RuntimeError):  # we are closing: the next start erases it
                self._deletion.erase_soon(branch.id)
            raise
        self._channels.publish(ConversationEvent(conversation_id=branch.id, conversation=branch))
        return branch


def _read(
    db: Connection, message_id: str, now: datetime
) -> tuple[Conversation, list[Columns], Mapping[str, tuple[Attachment, ...]]]:
    """What the branch begins with and the line that says where it comes from; what messages came with."""
    last = message_in_line(db, message_id)
    if last["state"] == MessageState.STREAMING.value:
        raise UsageError("runtime.still_written")
    conversation_id = last["conversation_id"]
    row = db.execute("SELECT * FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
    source = conversation_of(row)
    messages = db.execute(
        "SELECT messages.*, actions.record AS record FROM messages "
        "LEFT JOIN actions ON actions.id = messages.action_id "
        "WHERE messages.conversation_id = ? AND take = '' AND messages.position <= ? "
        "AND state <> 'streaming' ORDER BY messages.position",
        (conversation_id, last["position"]),
    ).fetchall()
    copies = {row["id"]: copy for row in messages if (copy := _copy(row)) is not None}
    attached = {str(copies[old]["id"]): each for old, each in attached_to(db, list(copies)).items()}
    return source, [*copies.values(), _origin(source, now)], attached


def _copy(row: Row) -> Columns | None:
    """A message as it is, with an id of its own; a card as words."""
    columns = {name: row[name] for name in row.keys() if name not in ("position", "record")}  # noqa: SIM118 - a Row yields values
    columns |= {"id": new_id(), "exchange_id": "", "action_id": ""}
    if row["role"] != Role.ACTION.value:
        return columns
    if row["record"] is None:
        return None
    text = card_words(record_from_text(row["record"]))
    return columns | {"role": Role.PARTNER.value, "text": text, "source": BRANCH}


def _origin(source: Conversation, now: datetime) -> Columns:
    title = " ".join(source.title.split())
    return {
        "id": new_id(),
        "role": Role.PARTNER.value,
        "text": sentence_of("runtime.branched_from", title=title),
        "state": MessageState.DONE.value,
        "source": BRANCH,
        "created_at": now.isoformat(),
    }


def card_words(record: ActionRecord) -> str:
    """What an action was and how it ended, as far as it had ended, in Markdown."""
    status = record.status.value if record.status.ended else sentence_of("runtime.not_decided_here")
    head = f"**{' '.join(record.title.split())}** · {status}"
    if record.chain is not None:
        head = "\n".join([head, "", *(branch_step_words(step) for step in record.chain.steps)])
    output = (record.error or record.stdout).strip()[:_OUTPUT]
    if not output:
        return head
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", output)), default=0))
    return f"{head}\n\n{fence}\n{output}\n{fence}"


def branch_step_words(step: Step) -> str:
    """What a step of a chain was and how it ended, as an entry of a list in Markdown."""
    told = " ".join((step.error or step.result).split())[:_OUTPUT]
    status = step.status.value if step.status.ended else sentence_of("runtime.not_done_here")
    return f"- {' '.join(step.title.split())} · {status}" + (f": {told}" if told else "")


def _title(title: str) -> str:
    """`Trip (branch)`, and of that one `Trip (branch 2)`."""
    found = _BRANCHED.search(title)
    mark = f" (branch {int(found[1] or 1) + 1})" if found else " (branch)"
    base = title[: found.start()] if found else title
    return base[: _LONGEST_TITLE - len(mark)] + mark


def _insert_hidden(branch: Conversation, db: Connection) -> None:
    at = branch.created_at.isoformat()
    db.execute(
        "INSERT INTO conversations (id, title, created_at, updated_at, deleted_at, remembered, folder) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (branch.id, branch.title, at, at, at, branch.remembered, branch.folder),
    )


def _insert(
    conversation_id: str,
    rows: Sequence[Columns],
    attached: Mapping[str, tuple[Attachment, ...]],
    db: Connection,
) -> None:
    for row in rows:
        columns = {**row, "conversation_id": conversation_id}
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        db.execute(f"INSERT INTO messages ({names}) VALUES ({marks})", tuple(columns.values()))  # noqa: S608 - the table's own names
        insert_attached(db, str(row["id"]), attached.get(str(row["id"]), ()))


def _show(conversation_id: str, db: Connection) -> None:
    db.execute("UPDATE conversations SET deleted_at = NULL WHERE id = ?", (conversation_id,))
