"""What is offered behind an `@`, and what something is before it is attached."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.attachment import AttachmentKind
from tests.support import Watcher

pytestmark = [pytest.mark.integration]


@pytest.fixture
def furnished(user_home: Path) -> Path:
    for at, name in enumerate(
        ("Documents/tax 2025.pdf", "Documents/Letters/taxi.txt", "syntax.md", "old.txt")
    ):
        path = user_home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")
        os.utime(path, (1_000_000 * (9 - at), 1_000_000 * (9 - at)))
    return user_home


async def names(partner: Partner, words: str, conversation_id: str = "") -> list[str]:
    return [one.name for one in await partner.attachments.suggest(words, conversation_id=conversation_id)]


async def test_files_are_offered_by_the_beginning_of_a_name_first(partner: Partner, furnished: Path) -> None:
    assert await names(partner, "tax") == ["tax 2025.pdf", "taxi.txt", "syntax.md"]
    assert await names(partner, "TAXI") == ["taxi.txt"]
    assert await names(partner, "nothing of the kind") == []
    (found,) = await partner.attachments.suggest("Letters")
    assert (found.kind, found.path, found.place) == (
        AttachmentKind.FOLDER,
        str(furnished.resolve() / "Documents" / "Letters"),
        "~/Documents",
    )


async def test_without_words_what_was_attached_here_comes_first_then_what_changed_last(
    partner: Partner, watcher: Watcher, furnished: Path
) -> None:
    assert (await names(partner, ""))[:2] == ["tax 2025.pdf", "taxi.txt"]
    message = await partner.messages.send("hello", attachments=[furnished / "old.txt"])
    await watcher.done()
    assert (await names(partner, "", message.conversation_id))[:2] == ["old.txt", "tax 2025.pdf"]


async def test_a_slash_looks_into_a_folder(partner: Partner, furnished: Path) -> None:
    assert await names(partner, "~/Documents/") == ["Letters", "tax 2025.pdf"]
    assert await names(partner, f"{furnished}/Documents/l") == ["Letters"]
    assert await names(partner, "/no/such/place/") == []


async def test_conversations_are_offered_by_their_titles_and_not_the_open_one(
    partner: Partner, watcher: Watcher, furnished: Path
) -> None:
    message = await partner.messages.send("taxes of the last year")
    await watcher.done()
    assert "taxes of the last year" in await names(partner, "tax")
    assert "taxes of the last year" not in await names(partner, "tax", message.conversation_id)


async def test_what_something_is_can_be_asked_before(partner: Partner, furnished: Path) -> None:
    (one,) = await partner.attachments.describe([furnished / "old.txt"])
    assert (one.name, one.kind, one.size_bytes) == ("old.txt", AttachmentKind.TEXT, 1)
    with pytest.raises(UsageError):
        await partner.attachments.describe([furnished / "nowhere"])
