"""What comes with messages besides words and pictures: kept by its place, and gone with what named it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Literal

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.paths import Home
from partner_desktop.domain.attachment import Attachment, AttachmentKind, mention_in
from partner_desktop.domain.events import ConversationGoneEvent, Event
from partner_desktop.domain.forgetting import ForgetSelection
from partner_desktop.domain.message import Message
from partner_desktop.storage.restore import restore
from tests.support import HastyClock, Watcher

pytestmark = [pytest.mark.integration]


async def said(partner: Partner, watcher: Watcher, *paths: Path, text: str = "hello") -> Message:
    """Say something with attachments, to its end."""
    watcher.events.clear()
    message = await partner.messages.send(text, attachments=paths)
    await watcher.done()
    return message


def note(folder: Path, name: str = "note.md", text: str = "buy milk") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


async def test_files_and_folders_are_known_by_their_places_and_nothing_is_copied(
    partner: Partner, watcher: Watcher, home: Home, tmp_path: Path
) -> None:
    folder = tmp_path / "trip"
    folder.mkdir()
    (tmp_path / "song.ogg").write_bytes(b"OggS\0\0")
    (tmp_path / "link.md").symlink_to(note(tmp_path))
    paths = (tmp_path / "link.md", folder, tmp_path / "song.ogg", tmp_path / "note.md")
    message = await said(partner, watcher, *paths)
    real = tmp_path.resolve()
    assert message.attachments == (
        Attachment("note.md", AttachmentKind.TEXT, str(real / "note.md"), size_bytes=8, mime="text/markdown"),
        Attachment("trip", AttachmentKind.FOLDER, str(real / "trip")),
        Attachment("song.ogg", AttachmentKind.OTHER, str(real / "song.ogg"), size_bytes=6, mime="audio/ogg"),
    )
    (read, *_) = await partner.messages.list(message.conversation_id)
    assert [(one.name, one.path) for one in read.attachments] == [
        (one.name, one.path) for one in message.attachments
    ]
    assert not home.pictures.exists() or not list(home.pictures.iterdir())


async def test_what_is_no_file_and_no_folder_is_one_sentence_and_nothing_is_sent(
    partner: Partner, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(PartnerError, match="neither a file nor a folder"):
        await partner.messages.send("look", attachments=[note(tmp_path), tmp_path / "pipe"])
    with pytest.raises(PartnerError, match="There is no file"):
        await partner.messages.send("look", attachments=[tmp_path / "nowhere"])
    with pytest.raises(PartnerError, match="at most 20 files, folders and conversations; here are 21"):
        await partner.messages.send("look", attachments=[tmp_path / str(each) for each in range(21)])
    assert not await partner.conversations.list()


async def test_another_conversation_is_attached_by_its_title(partner: Partner, watcher: Watcher) -> None:
    first = await said(partner, watcher, text="the plan for Rome")
    watcher.events.clear()
    message = await partner.messages.send("hello", talks=[first.conversation_id])
    await watcher.done()
    (one,) = message.attachments
    assert (one.name, one.kind, one.conversation_id) == (
        "the plan for Rome",
        AttachmentKind.TALK,
        first.conversation_id,
    )
    with pytest.raises(PartnerError, match="no conversation"):
        await partner.messages.send("hello", talks=["f" * 32])


async def test_a_branch_and_an_edit_keep_them(partner: Partner, watcher: Watcher, tmp_path: Path) -> None:
    message = await said(partner, watcher, note(tmp_path))
    branch = await partner.conversations.branch(message.id)
    (copy, *_) = await partner.messages.list(branch.id)
    assert [one.path for one in copy.attachments] == [one.path for one in message.attachments]
    watcher.events.clear()
    new = await partner.messages.edit(message.id, "good morning")
    await watcher.done()
    assert [one.path for one in new.attachments] == [one.path for one in message.attachments]


async def test_they_go_with_a_forgotten_message_and_an_erased_conversation(
    partner: Partner, watcher: Watcher, home: Home, tmp_path: Path
) -> None:
    message = await said(partner, watcher, note(tmp_path, "my-secret-wish.md"))
    stays = await said(partner, watcher, note(tmp_path, "other-thing.md"))
    preview = await partner.forgetting.preview(ForgetSelection(message_ids=(message.id,)))
    await partner.forgetting.forget(preview.id)
    await partner.forgetting.settled()
    assert b"my-secret-wish" not in _everything(home)
    assert b"other-thing" in _everything(home)
    partner.conversations.deletion.undo_s = 0.0
    watcher.events.clear()
    await partner.conversations.delete(stays.conversation_id)
    await watcher.until(_is_erased)
    assert b"other-thing" not in _everything(home)
    assert (tmp_path / "other-thing.md").exists()


async def test_exports_name_them_without_their_places(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    message = await said(partner, watcher, note(tmp_path, "a <b> note.md"))
    kinds: tuple[Literal["json", "markdown"], ...] = ("json", "markdown")
    for kind in kinds:
        await partner.conversations.export_to(message.conversation_id, tmp_path / kind, kind=kind)
    (first, *_) = json.loads((tmp_path / "json").read_text(encoding="utf-8"))["messages"]
    assert first["attachments"] == [
        {"name": "a <b> note.md", "kind": "text", "mime": "text/markdown", "size_bytes": 8}
    ]
    assert "*(attached: a &lt;b&gt; note.md)*" in (tmp_path / "markdown").read_text(encoding="utf-8")


async def test_a_backup_brings_them_back_and_that_of_another_home_brings_none(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    message = await one.messages.send("hello", attachments=[note(tmp_path)])
    await one.backup.write(tmp_path / "all.zip")
    await one.close()
    other = Home(tmp_path / "other")
    other.root.mkdir()
    for place, there in ((home, ["note.md"]), (other, [])):
        restore(place, tmp_path / "all.zip", now=message.created_at)
        again = Partner(place, action_dir, meaning=False, quiet_clock=HastyClock())
        await again.launch()
        (read, *_) = await again.messages.list(message.conversation_id)
        assert [each.name for each in read.attachments] == there
        await again.close()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@", ""),
        ("what is in @no", "no"),
        ("看看@笔记", None),
        ("看看 @笔记", "笔记"),
        ("mail me@example", None),
        ("@one and", None),
        ("see (@a/b", "a/b"),
    ],
)
def test_what_is_written_behind_an_at_sign(text: str, found: str | None) -> None:
    assert mention_in(text) == found


def _is_erased(event: Event) -> bool:
    return isinstance(event, ConversationGoneEvent) and event.erased


def _everything(home: Home) -> bytes:
    beside = home.database.parent.glob(f"{home.database.name}*")
    return b"".join(path.read_bytes() for path in beside)
