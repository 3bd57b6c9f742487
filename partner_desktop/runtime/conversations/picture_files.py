"""PictureFiles: the pictures that messages came with, or are to go with one, each a file in the home.

Contract: a file is on disk before the message or draft that names it, and one that none names is swept away:
after each erasing, and at the start, for a crash may come in between. Several messages may name one file (a
branch begins with the messages of another conversation, and an edited message keeps what was shown with it).
What a picture is, its first bytes say; nothing in here decodes one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path, PurePath

from partner_desktop.base import private
from partner_desktop.base.errors import StorageError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.base.text import cut, shown
from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.domain.message import MessagePicture, PictureData
from partner_desktop.files.atomic import write_whole
from partner_desktop.runtime.dialog import pictures_of
from partner_desktop.storage.database import Connection, Database

MOST_PICTURES = 4
MOST_PICTURE_BYTES = 20 * 1024 * 1024
_LONGEST_NAME = 120
#: By the ending that a file gets.
_MIMES = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}


class PictureFiles:
    """A part of the AgentContext, and a `Forgettable`: what is erased takes its pictures along."""

    def __init__(self, folder: Path, database: Database) -> None:
        self._folder = folder
        self._database = database
        self._held: set[str] = set()
        """Files whose message is being written."""

    async def launch(self) -> None:
        """What a crash left without a message goes."""
        await self.sweep()

    async def shutdown(self) -> None:
        """Nothing stays open."""

    @asynccontextmanager
    async def kept(self, paths: Sequence[Path]) -> AsyncGenerator[tuple[MessagePicture, ...], None]:
        """Copies of some pictures, for the message that is written within; without one they go again.

        Raises:
            UsageError: One is none, too large or cannot be read, or there are too many; nothing was kept.
            StorageError: The disk refuses.
        """
        if len(paths) > MOST_PICTURES:
            raise UsageError("message.too_many_pictures", most=MOST_PICTURES, count=len(paths))
        files = [new_id() for _ in paths]
        self._held.update(files)
        try:
            yield tuple(
                [
                    await asyncio.to_thread(self._keep, path, file)
                    for path, file in zip(paths, files, strict=True)
                ]
            )
        except BaseException:
            self._held.difference_update(files)
            with suppress(StorageError):  # the next start sweeps
                await uninterrupted(self._drop_unnamed(files))
            raise
        finally:
            self._held.difference_update(files)

    async def data(self, pictures: Sequence[MessagePicture]) -> tuple[PictureData, ...]:
        """Those of some pictures that are there."""
        return await asyncio.to_thread(lambda: tuple(found for one in pictures if (found := self._read(one))))

    async def sweep(self) -> None:
        """Remove the files that nothing names."""
        names = await asyncio.to_thread(self._files)
        if names:
            await self._drop_unnamed([PurePath(name).stem for name in names])

    async def held(self, database: Database, gone: Forgotten) -> Sequence[HeldWords]:
        """See `Forgettable.held`: a picture says no words of its own."""
        del database, gone
        return ()

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """See `Forgettable.erase`; those in a backup go as it is packed anew."""
        del gone
        if database is self._database:
            await self.sweep()

    async def _drop_unnamed(self, stems: Sequence[str]) -> None:
        wanted = set(stems) - self._held
        named = {PurePath(name).stem for name in await self._database.read(named_pictures)}
        await asyncio.to_thread(self._remove, wanted - named - self._held)

    def path_of(self, file: str) -> Path:
        """Where a picture that is kept lies."""
        return self._folder / PurePath(file).name

    # All below blocks.

    def _keep(self, path: Path, stem: str) -> MessagePicture:
        data, ending = picture_bytes(path)
        name = f"{stem}.{ending}"
        try:
            private.make_folder(self._folder)
            write_whole(self._folder / name, data, private=True)
        except OSError as error:
            raise StorageError("message.picture_not_kept", reason=system_reason(error)) from error
        return MessagePicture(name, cut(shown(path.name), _LONGEST_NAME), _MIMES[ending], len(data))

    def _read(self, picture: MessagePicture) -> PictureData | None:
        try:
            return PictureData(picture.mime, (self._folder / PurePath(picture.file).name).read_bytes())
        except OSError:
            return None  # somebody removed it; the words are answered

    def _files(self) -> list[str]:
        try:
            return [path.name for path in self._folder.iterdir()]
        except FileNotFoundError:
            return []

    def _remove(self, stems: set[str]) -> None:
        for name in self._files():
            if PurePath(name).stem in stems:
                (self._folder / name).unlink(missing_ok=True)


def named_pictures(db: Connection) -> set[str]:
    """The files of all pictures that messages name, set aside or deleted ones included, and drafts."""
    rows = db.execute("SELECT pictures FROM messages WHERE pictures <> ''")
    drafts = db.execute("SELECT items FROM drafts WHERE items <> ''")
    return {picture.file for row in rows for picture in pictures_of(row["pictures"])} | {
        item["picture"] for row in drafts for item in json.loads(row["items"])
    }


def picture_bytes(path: Path) -> tuple[bytes, str]:
    """A file that is taken for a picture, and the ending of its kind. Blocking.

    Raises:
        UsageError: It is none, too large or cannot be read.
    """
    data = _bytes_of(path)
    ending = _ending_of(data)
    if not ending:
        raise UsageError("message.not_a_picture", path=display_path(path))
    return data, ending


def _ending_of(data: bytes) -> str:
    """What kind of picture begins like this: `png`, `jpg`, `gif`, `webp`; empty: none that is taken."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    return "webp" if data.startswith(b"RIFF") and data[8:12] == b"WEBP" else ""


def _bytes_of(path: Path) -> bytes:
    try:
        if not path.is_file():  # a pipe would never end
            raise UsageError("message.no_picture_there", path=display_path(path))
        with path.open("rb") as file:
            data = file.read(MOST_PICTURE_BYTES + 1)
    except OSError as error:
        raise UsageError(
            "message.picture_unread", path=display_path(path), reason=system_reason(error)
        ) from error
    if len(data) > MOST_PICTURE_BYTES:
        most = MOST_PICTURE_BYTES // (1024 * 1024)
        raise UsageError("message.picture_too_large", path=display_path(path), most=most)
    return data
