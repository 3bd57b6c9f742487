"""Pictures that come with messages: kept before anything else happens, and gone with what named them."""

from __future__ import annotations

import json
import os
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Literal

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import ConversationGoneEvent, Event
from partner_desktop.domain.forgetting import ForgetSelection
from partner_desktop.domain.message import Message
from partner_desktop.storage.restore import restore
from tests.support import HastyClock, Watcher

pytestmark = [pytest.mark.integration]


def png(shade: int = 0, *, side: int = 2) -> bytes:
    """A whole picture, of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes((shade, 0, 0)) * side) * side
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    begin = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
    return begin + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def picture(folder: Path, name: str = "cat.png", shade: int = 0) -> Path:
    path = folder / name
    path.write_bytes(png(shade))
    return path


async def shown(partner: Partner, watcher: Watcher, *paths: Path, to: str | None = None) -> Message:
    """Say something with pictures, to its end."""
    watcher.events.clear()
    message = await partner.messages.send("look at this", conversation_id=to, pictures=paths)
    await watcher.done()
    return message


def files(home: Home) -> list[str]:
    return sorted(path.name for path in home.pictures.iterdir()) if home.pictures.exists() else []


def kept_bytes(home: Home, message: Message) -> list[bytes]:
    return [(home.pictures / one.file).read_bytes() for one in message.pictures]


async def forget(partner: Partner, message: Message) -> None:
    preview = await partner.forgetting.preview(ForgetSelection(message_ids=(message.id,)))
    await partner.forgetting.forget(preview.id)
    await partner.forgetting.settled()


def is_erased(event: Event) -> bool:
    return isinstance(event, ConversationGoneEvent) and event.erased


async def test_a_picture_is_kept_as_it_came_and_closed_to_others(
    partner: Partner, watcher: Watcher, home: Home, tmp_path: Path
) -> None:
    message = await shown(partner, watcher, picture(tmp_path), picture(tmp_path, "dog.png", 7))
    assert [(one.name, one.mime, one.size_bytes) for one in message.pictures] == [
        ("cat.png", "image/png", len(png())),
        ("dog.png", "image/png", len(png(7))),
    ]
    (tmp_path / "cat.png").unlink()
    assert kept_bytes(home, message) == [png(), png(7)]
    assert all((home.pictures / name).stat().st_mode & 0o077 == 0 for name in files(home))
    (read, *_) = await partner.messages.list(message.conversation_id)
    assert read.pictures == message.pictures


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("page.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no PNG, JPEG, WebP or GIF"),
        ("empty.png", b"", "no PNG, JPEG, WebP or GIF"),
        ("large.png", png() + bytes(20 * 1024 * 1024), "larger than 20 MB"),
    ],
)
async def test_what_is_no_picture_is_one_sentence_and_nothing_is_kept(
    partner: Partner, home: Home, tmp_path: Path, *, name: str, data: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(PartnerError, match=says):
        await partner.messages.send("look", pictures=[picture(tmp_path), tmp_path / name])
    assert not files(home)
    assert not await partner.conversations.list()


async def test_a_pipe_a_folder_and_what_is_not_there_are_told(partner: Partner, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    for path in (tmp_path / "pipe.png", tmp_path, tmp_path / "nowhere.png"):
        with pytest.raises(PartnerError, match="There is no file"):
            await partner.messages.send("look", pictures=[path])


async def test_a_terminal_shows_pictures_by_their_paths(partner: Partner, home: Home, tmp_path: Path) -> None:
    said = partner.events.say("look at this", conversation_id=None, pictures=[picture(tmp_path)])
    async for _ in said:
        pass
    (name,) = files(home)
    assert (home.pictures / name).read_bytes() == png()


async def test_more_than_four_are_too_many(partner: Partner, home: Home, tmp_path: Path) -> None:
    with pytest.raises(PartnerError, match="at most 4 pictures; here are 5"):
        await partner.messages.send("look", pictures=[picture(tmp_path)] * 5)
    assert not files(home)


async def test_a_message_that_is_not_accepted_leaves_no_picture(
    partner: Partner, home: Home, tmp_path: Path
) -> None:
    with pytest.raises(PartnerError, match="no conversation"):
        await partner.messages.send("look", conversation_id="f" * 32, pictures=[picture(tmp_path)])
    assert not files(home)


async def test_an_erased_conversation_takes_its_pictures_along_and_those_of_a_branch_stay(
    partner: Partner, watcher: Watcher, home: Home, tmp_path: Path
) -> None:
    message = await shown(partner, watcher, picture(tmp_path))
    other = await shown(partner, watcher, picture(tmp_path, "dog.png", 9))
    branch = await partner.conversations.branch(other.id)
    partner.conversations.deletion.undo_s = 0.0
    for conversation_id in (message.conversation_id, other.conversation_id):
        watcher.events.clear()
        await partner.conversations.delete(conversation_id)
        await watcher.until(is_erased)
    assert files(home) == [other.pictures[0].file]
    (copy, *_) = await partner.messages.list(branch.id)
    assert kept_bytes(home, copy) == [png(9)]


async def test_a_forgotten_message_takes_its_picture_along(
    partner: Partner, watcher: Watcher, home: Home, tmp_path: Path
) -> None:
    message = await shown(partner, watcher, picture(tmp_path))
    stays = await shown(partner, watcher, picture(tmp_path, "dog.png", 9))
    await forget(partner, message)
    assert files(home) == [stays.pictures[0].file]


async def test_a_forgotten_picture_goes_out_of_backups_as_well(
    partner: Partner, watcher: Watcher, home: Home, tmp_path: Path
) -> None:
    message = await shown(partner, watcher, picture(tmp_path))
    stays = await shown(partner, watcher, picture(tmp_path, "dog.png", 9))
    backup = tmp_path / "all.zip"
    await partner.backup.write(backup)
    await forget(partner, message)
    assert not await partner.forgetting.clean_backups(paths=[backup])
    with zipfile.ZipFile(backup) as archive:
        there = [name for name in archive.namelist() if name.startswith("pictures/")]
    assert there == [f"pictures/{stays.pictures[0].file}"]


async def test_said_differently_a_message_keeps_what_was_shown_with_it(
    partner: Partner, watcher: Watcher, home: Home, tmp_path: Path
) -> None:
    message = await shown(partner, watcher, picture(tmp_path))
    watcher.events.clear()
    new = await partner.messages.edit(message.id, "and what is this?")
    await watcher.done()
    assert new.pictures == message.pictures
    assert kept_bytes(home, new) == [png()]


async def test_a_picture_without_a_message_goes_at_the_next_start(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    message = await one.messages.send("look", pictures=[picture(tmp_path)])
    await one.close()
    (home.pictures / f"{'0' * 32}.png").write_bytes(png(3))  # as a crash would leave it
    two = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await two.launch()
    await two.close()
    assert files(home) == [message.pictures[0].file]


async def test_exports_name_the_pictures(
    partner: Partner, watcher: Watcher, home: Home, tmp_path: Path
) -> None:
    message = await shown(partner, watcher, picture(tmp_path, "a <b> cat.png"))
    kinds: tuple[Literal["json", "markdown"], ...] = ("json", "markdown")
    for kind in kinds:
        await partner.conversations.export_to(message.conversation_id, tmp_path / kind, kind=kind)
    (said, *_) = json.loads((tmp_path / "json").read_text(encoding="utf-8"))["messages"]
    size = len(png())
    assert said["pictures"] == [{"name": "a <b> cat.png", "mime": "image/png", "size_bytes": size}]
    assert "*(picture: a &lt;b&gt; cat.png)*" in (tmp_path / "markdown").read_text(encoding="utf-8")
    assert files(home)[0] not in (tmp_path / "json").read_text(encoding="utf-8")


async def test_a_backup_brings_the_pictures_back(home: Home, action_dir: Path, tmp_path: Path) -> None:
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    message = await one.messages.send("look", pictures=[picture(tmp_path)])
    await one.backup.write(tmp_path / "all.zip")
    await one.messages.send("and this", pictures=[picture(tmp_path, "dog.png", 9)])

    await one.close()
    restore(home, tmp_path / "all.zip", now=message.created_at)
    assert kept_bytes(home, message) == [png()]
    assert len(files(home)) == 1
