"""AttachmentStore: what came with messages besides their words, by its place on the disk. Owns `attachments`.

Contract: nothing is copied or opened by a program, and no link is followed later on: a path is resolved when
it is attached. Looking at the disk happens in threads.
"""

from __future__ import annotations

import asyncio
import mimetypes
import os
import stat
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import cut, shown
from partner_desktop.domain.attachment import MOST_ATTACHED, Attachment, AttachmentKind
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.message import Message
from partner_desktop.storage.database import Connection, Database, rows_among

#: Bytes at the beginning that tell a text from anything else.
_SNIFFED = 8_192
_LONGEST_NAME = 120
_DOCUMENTS = {
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_COLUMNS = (
    "message_id, place, name, kind, path, conversation_id, size_bytes, mime, taken_characters, "
    "all_characters, unread"
)
#: Messages of a conversation that are looked back at, as far as they came with something.
_LATEST = 12


@dataclass(frozen=True)
class AttachedMessage:
    """A message that came with something."""

    message_id: str
    at: datetime
    attachments: tuple[Attachment, ...]


class AttachmentStore:
    """Asked by whoever sends, and by whoever reads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def described(
        self, paths: Sequence[Path], conversation_ids: Sequence[str] = ()
    ) -> tuple[Attachment, ...]:
        """What these are, each once.

        Raises:
            UsageError: One is not there, is no file and no folder, or there are too many.
            StorageError: A conversation cannot be looked up.
        """
        wanted, talks = list(dict.fromkeys(paths)), list(dict.fromkeys(conversation_ids))
        if len(wanted) + len(talks) > MOST_ATTACHED:
            raise UsageError("message.too_many_attached", most=MOST_ATTACHED, count=len(wanted) + len(talks))
        files = await asyncio.to_thread(lambda: [described_path(path) for path in wanted])
        return (*dict.fromkeys(files), *(await self._talks(talks) if talks else ()))

    async def of_conversation(self, conversation_id: str) -> list[AttachedMessage]:
        """What came with the latest messages of a conversation that came with anything, the newest first."""
        return await self._database.read(lambda db: _latest(db, conversation_id))

    async def of_messages(self, message_ids: Sequence[str]) -> tuple[Attachment, ...]:
        """What some messages came with, with how much of it was read by now."""
        found = await self._database.read(lambda db: attached_to(db, message_ids))
        return tuple(each for message_id in message_ids for each in found.get(message_id, ()))

    async def note(self, message_id: str, place: int, read: Attachment) -> None:
        """Keep how much of its text was taken.

        Raises:
            StorageError: It could not be saved.
        """
        await self._database.execute(
            "UPDATE attachments SET taken_characters = ?, all_characters = ?, unread = ? "
            "WHERE message_id = ? AND place = ?",
            (read.taken_characters, read.all_characters, read.unread.value, message_id, place),
        )

    async def _talks(self, ids: Sequence[str]) -> list[Attachment]:
        def look(db: Connection) -> dict[str, str]:
            query = "SELECT id, title FROM conversations WHERE deleted_at IS NULL AND id IN"
            return {row["id"]: row["title"] for row in rows_among(db, query, ids)}

        titles = await self._database.read(look)
        if missing := [one for one in ids if one not in titles]:
            raise UsageError("runtime.no_conversation", conversation_id=missing[0])
        return [Attachment(titles[one], AttachmentKind.TALK, conversation_id=one) for one in ids]


def described_path(path: Path) -> Attachment:
    """What lies there, by its name and its first bytes. Blocking.

    Raises:
        UsageError: Nothing does, or it is neither a file nor a folder.
    """
    try:
        real = os.path.realpath(os.path.abspath(path.expanduser()), strict=True)  # noqa: PTH100 - no link is read here
        info = os.stat(real, follow_symlinks=False)  # noqa: PTH116 - resolved above
        kind = _kind(real, info.st_mode)
    except FileNotFoundError as error:
        raise UsageError("message.nothing_to_attach", path=display_path(path)) from error
    except (OSError, RuntimeError, ValueError) as error:
        reason = system_reason(error) if isinstance(error, OSError) else str(error)
        raise UsageError("message.not_attached", path=display_path(path), reason=reason) from error
    if kind is None:
        raise UsageError("message.no_file_to_attach", path=display_path(path))
    name = cut(shown(os.path.basename(real) or real), _LONGEST_NAME)  # noqa: PTH119 - a string already
    if kind is AttachmentKind.FOLDER:
        return Attachment(name, kind, real)
    mime = _DOCUMENTS.get(Path(real).suffix.lower()) or mimetypes.guess_type(real)[0] or ""
    return Attachment(name, kind, real, size_bytes=info.st_size, mime=mime)


def _kind(path: str, mode: int) -> AttachmentKind | None:
    """`None`: a pipe would never end, and a device is nothing to be handed on."""
    if stat.S_ISDIR(mode):
        return AttachmentKind.FOLDER
    if not stat.S_ISREG(mode):
        return None
    if Path(path).suffix.lower() in _DOCUMENTS:
        return AttachmentKind.DOCUMENT
    if (mimetypes.guess_type(path)[0] or "").startswith("image/"):
        return AttachmentKind.PICTURE
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return AttachmentKind.TEXT if is_text(os.read(handle, _SNIFFED)) else AttachmentKind.OTHER
    finally:
        os.close(handle)


def is_text(beginning: bytes) -> bool:
    """Whether bytes at the beginning of a file are those of a text."""
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):  # UTF-16 says so itself
        return True
    if b"\0" in beginning:
        return False
    try:
        beginning.decode("utf-8")
    except UnicodeDecodeError as error:
        # A sign that is cut by the end of what was looked at, or a text of an older encoding.
        odd = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in beginning)
        return error.start > len(beginning) - 4 or not odd
    return True


# Rows, within somebody's transaction.


def insert_attached(db: Connection, message_id: str, attachments: Sequence[Attachment]) -> None:
    """Keep what a message came with."""
    marks = ", ".join("?" * len(_COLUMNS.split(", ")))
    db.executemany(
        f"INSERT INTO attachments ({_COLUMNS}) VALUES ({marks})",  # noqa: S608 - constants
        [
            (
                *(message_id, place, each.name, each.kind.value, each.path, each.conversation_id),
                *(each.size_bytes, each.mime, each.taken_characters, each.all_characters, each.unread.value),
            )
            for place, each in enumerate(attachments)
        ],
    )


def attached_to(db: Connection, message_ids: Sequence[str]) -> dict[str, tuple[Attachment, ...]]:
    """What some messages came with, by their ids."""
    found: dict[str, list[Attachment]] = {}
    query = "SELECT * FROM attachments WHERE message_id IN"
    for row in sorted(rows_among(db, query, message_ids), key=lambda row: int(row["place"])):
        found.setdefault(row["message_id"], []).append(decoded(Attachment, dict(row)))
    return {message_id: tuple(each) for message_id, each in found.items()}


def with_attachments(db: Connection, messages: Sequence[Message]) -> list[Message]:
    """The same messages, each with what it came with."""
    found = attached_to(db, [message.id for message in messages])
    return [
        replace(message, attachments=found[message.id]) if message.id in found else message
        for message in messages
    ]


def _latest(db: Connection, conversation_id: str) -> list[AttachedMessage]:
    rows = db.execute(
        "SELECT id, created_at FROM messages WHERE conversation_id = ? AND take = '' AND role = 'user' "
        "AND id IN (SELECT message_id FROM attachments) ORDER BY position DESC LIMIT ?",
        (conversation_id, _LATEST),
    ).fetchall()
    found = attached_to(db, [row["id"] for row in rows])
    return [
        AttachedMessage(row["id"], datetime.fromisoformat(row["created_at"]), found[row["id"]])
        for row in rows
    ]
