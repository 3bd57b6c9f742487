"""AttachmentService: what can be attached to a message: files and folders by name, and other conversations.

Names alone are looked at, within the bounds of `HomeIndex`, and off the loop.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path, PurePath
from typing import Annotated

from pydantic import Field

from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.paths import display_path
from partner_desktop.domain.attachment import Attachable, Attachment, AttachmentKind
from partner_desktop.domain.surroundings import HomeEntry
from partner_desktop.files.home_index import HomeIndex
from partner_desktop.runtime.attachment_store import AttachmentStore
from partner_desktop.runtime.dialog import Dialog

#: Things offered, conversations among them, and names that are looked at for the time of their last change.
_MOST, _TALKS, _STAMPED = 12, 4, 400


class AttachmentService:
    """Reads, and changes nothing."""

    def __init__(self, store: AttachmentStore, home_index: HomeIndex, dialog: Dialog) -> None:
        self._store = store
        self._home_index = home_index
        self._dialog = dialog

    @operation(Caller.ATTACHED)
    async def describe(self, paths: Sequence[Path], talks: Sequence[str] = ()) -> Sequence[Attachment]:
        """What some files, folders and conversations are, as a message would keep them.

        Raises:
            UsageError: One is not there, is no file and no folder, or there are too many.
        """
        return await self._store.described(paths, talks)

    @operation(Caller.ATTACHED)
    async def suggest(
        self, words: Annotated[str, Field(max_length=200)] = "", *, conversation_id: str = ""
    ) -> Sequence[Attachable]:
        """What may be meant by the beginning of a name: what came up here before, files, conversations.

        Without any words: what was attached here and what changed last. With a slash: what lies in a folder.
        """
        here = await self._store.of_conversation(conversation_id) if conversation_id else []
        known = [Path(each.path) for message in here for each in message.attachments if each.path]
        files = await asyncio.to_thread(self._files, words, known)
        talks = [
            Attachable(one.title, AttachmentKind.TALK, conversation_id=one.id)
            for one in await self._dialog.conversations(limit=500)
            if one.title and one.id != conversation_id and _rank(one.title, words) is not None
        ]
        talks = talks[:_TALKS]
        return (*files[: _MOST - len(talks)], *talks)

    def _files(self, words: str, known: Sequence[Path]) -> list[Attachable]:
        """Blocking."""
        if "/" in words:
            return [_of(entry) for entry in islice(_inside(words), _MOST)]
        entries = self._home_index.entries()
        before = [HomeEntry(str(path), is_folder=path.is_dir()) for path in known if path.exists()]
        fitting = _ranked(before, words)
        fitting += _ranked(entries, words) if words else _changed_last(entries)
        return [_of(entry) for entry in islice(dict.fromkeys(fitting), _MOST)]


def _of(entry: HomeEntry) -> Attachable:
    path = PurePath(entry.path)
    kind = AttachmentKind.FOLDER if entry.is_folder else AttachmentKind.OTHER
    return Attachable(path.name or str(path), kind, str(path), place=display_path(Path(path.parent)))


def _rank(name: str, words: str) -> int | None:
    """How well a name fits what was written of it; `None`: it does not."""
    at = name.casefold().find(words.casefold())
    if at < 0:
        return None
    return 0 if at == 0 else 1 if not name[at - 1].isalnum() else 2


def _ranked(entries: Iterable[HomeEntry], words: str) -> list[HomeEntry]:
    found = [
        (rank, entry.path.count("/"), entry.path.casefold(), entry)
        for entry in entries
        if (rank := _rank(entry.path.rpartition("/")[2], words)) is not None
    ]
    return [entry for *_, entry in sorted(found, key=lambda each: each[:3])]


def _changed_last(entries: Sequence[HomeEntry]) -> list[HomeEntry]:
    stamped = []
    for entry in islice((each for each in entries if not each.is_folder), _STAMPED):
        try:
            stamped.append((os.stat(entry.path, follow_symlinks=False).st_mtime, entry))  # noqa: PTH116 - many
        except OSError:
            continue
    return [entry for _, entry in sorted(stamped, key=lambda each: each[0], reverse=True)]


def _inside(words: str) -> Iterator[HomeEntry]:
    """What lies in the folder that is written out, as far as its name is."""
    written, _, beginning = words.rpartition("/")
    folder = os.path.expanduser(f"{written}/")  # noqa: PTH111 - Path.expanduser raises where no home is known
    try:
        with os.scandir(folder if os.path.isabs(folder) else Path.home() / folder) as inside:  # noqa: PTH117
            found = [
                HomeEntry(each.path, is_folder=each.is_dir())
                for each in islice(inside, 2_000)
                if each.name.isprintable() and (beginning.startswith(".") or not each.name.startswith("."))
            ]
    except (OSError, RuntimeError):
        return
    yield from _ranked(found, beginning)
