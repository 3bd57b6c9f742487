"""Forgetting through the operations: shown first, then gone from every file of the home, for good."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.forgetting import ForgetSelection
from tests.memory.chats import living
from tests.support import Watcher

pytestmark = [pytest.mark.promise("memory.forget"), pytest.mark.integration]


async def say(partner: Partner, watcher: Watcher, text: str, conversation_id: str | None = None) -> str:
    """Say something, to its end; the conversation's id."""
    watcher.events.clear()
    message = await partner.messages.send(text, conversation_id=conversation_id)
    await watcher.done()
    return message.conversation_id


def standing_in(home: Home, word: str) -> list[str]:
    """The files of a home in which a word stands, in any case, also within what is packed."""
    wanted = word.casefold().encode()
    return [
        path.relative_to(home.root).as_posix()
        for path in sorted(home.root.rglob("*"))
        if path.is_file() and any(wanted in data.lower() for data in _readings(path.read_bytes()))
    ]


def _readings(data: bytes) -> Iterator[bytes]:
    yield data
    yield data.decode("utf-8", "ignore").encode("utf-16-le")
    for at in (at for at in range(len(data) - 1) if data[at] == 0x78 and data[at + 1] in (0x01, 0x9C, 0xDA)):
        try:
            yield zlib.decompressobj().decompress(data[at:])
        except zlib.error:
            continue


async def forgotten(partner: Partner, selection: ForgetSelection) -> int:
    """Show it, do it, and wait until nothing of it is left."""
    preview = await partner.forgetting.preview(selection)
    outcome = await partner.forgetting.forget(preview.id)
    assert (outcome.state, outcome.messages) == ("forgotten", preview.count)
    await partner.forgetting.settled()
    return outcome.messages


async def test_everything_about_a_word_is_shown_and_then_stands_nowhere_in_the_home(
    used_home: Home, action_dir: Path
) -> None:
    async with living(used_home, action_dir) as (partner, watcher):
        here = await say(partner, watcher, "My landlady Wilhelmina wants the rent by Friday.")
        await say(partner, watcher, "I bought bread.", here)
        other = await say(partner, watcher, "Tomorrow I go swimming.")
        await say(partner, watcher, "Wilhelmina's number is 555-80123.", other)
        await say(partner, watcher, "Who wants the rent by Friday?", other)
        await partner.memory.close_dialog(here)
        await partner.memory.read_all()
        assert "partner.db" in " ".join(standing_in(used_home, "wilhelmina"))
        preview = await partner.forgetting.preview(ForgetSelection(words="Wilhelmina"))
        assert {item.reason for item in preview.items} <= {"chosen", "answer", "quote"}
        assert "My landlady Wilhelmina wants the rent by Friday." in [
            item.turn.text for item in preview.items
        ]
        assert preview.held_counts["context"] > 0
        assert preview.held_counts["title"] == 1
        outcome = await partner.forgetting.forget(preview.id)
        assert outcome.state == "forgotten"
        await partner.forgetting.settled()
        assert standing_in(used_home, "wilhelmina") == []
        texts = [each.text for each in await partner.messages.list(here)]
        assert "I bought bread." in texts
        (kept,) = [one for one in await partner.conversations.list() if one.id == here]
        assert kept.title == "I bought bread."
    assert standing_in(used_home, "wilhelmina") == []
    async with living(used_home, action_dir) as (partner, _):
        await partner.memory.read_all()
        assert (await partner.memory.recall("Who is Wilhelmina?")).passages == ()
    assert standing_in(used_home, "wilhelmina") == []
