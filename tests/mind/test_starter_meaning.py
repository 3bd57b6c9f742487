"""Meaning beside words: what words alone miss is found, what is not here is not, and nobody waits long."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from partner_desktop.abilities.ability_file import read_ability
from partner_desktop.base.errors import ModelError
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.mind.question import EvaluateIntent
from partner_desktop.mind.starter.matcher import MeaningMatcher, WordMatcher
from partner_desktop.mind.starter.meaning import FIRST, MeaningIndex
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.model.embedder import EmbeddingStatus
from tests.meaning import meaning_mind
from tests.support import REPOSITORY

from .test_starter_matching import ASKED, ASKED_IN_CHINESE, NOT_HERE, NOT_HERE_IN_CHINESE, abilities, crowd

pytestmark = pytest.mark.integration

if TYPE_CHECKING:
    from partner_desktop.model.embedder import Vectors

__all__ = ["abilities", "crowd"]  # fixtures

#: Requests that share next to no words with the samples that they ask for.
IN_OTHER_WORDS = {
    "save a safe copy of ~/Documents": "zip_folder",
    "give the scans in ~/Scans better names": "rename_files",
    "make thumbnails of ~/Pictures": "resize_images",
    "make the snapshots in ~/Pictures lighter for mail": "resize_images",
    "what's fresh in ~/Downloads": "recent_files",
}
DESCRIBED = {
    "pack": "Back up a folder as a dated archive",
    "shrink": "Resize the images of a folder",
    "forecast": "Tell the weather of a city",
    "contact": "Add a person to the address book",
}


def described(texts: dict[str, str]) -> list[MetaActionInfo]:
    return [
        MetaActionInfo(key=f"local::{name}", route=Route.MCP, description=text)
        for name, text in texts.items()
    ]


def samples() -> list[MetaActionInfo]:
    """Everything that ships in `dynamic/`."""
    places = sorted((REPOSITORY / "action" / "dynamic").iterdir())
    found = [path for path in places if not path.name.startswith(".")]
    return [read_ability(path, location="local", route=Route.MCP).info for path in found]


async def best(mind: StarterMind, text: str, infos: Sequence[MetaActionInfo]) -> str:
    evaluation = await mind.ask(EvaluateIntent(text, infos))
    return evaluation.chosen.key.removeprefix("local::") if evaluation.chosen else ""


async def test_requests_in_other_words_find_what_words_alone_miss(tmp_path: Path) -> None:
    infos = samples()
    by_words = [
        name for text, name in IN_OTHER_WORDS.items() if await best(StarterMind(), text, infos) == name
    ]
    async with meaning_mind(tmp_path) as mind:
        found = {text: await best(mind, text, infos) for text in IN_OTHER_WORDS}
    assert found == IN_OTHER_WORDS
    assert len(by_words) <= 2


@pytest.mark.promise("mind.starter")
@pytest.mark.promise("mind.starter.abstain")
async def test_everyday_requests_find_their_ability_and_the_others_none(
    tmp_path: Path, abilities: tuple[MetaActionInfo, ...]
) -> None:
    async with meaning_mind(tmp_path) as mind:
        asked = {text: (await _chosen(mind, text, abilities), key) for text, key in _asked().items()}
        unknown = {text: await _chosen(mind, text, abilities) for text in NOT_HERE + NOT_HERE_IN_CHINESE}
    assert {text: pair for text, pair in asked.items() if pair[0] != pair[1]} == {}
    assert {text: key for text, key in unknown.items() if key} == {}


@pytest.mark.slow
async def test_a_hundred_other_abilities_change_little(
    tmp_path: Path, crowd: tuple[MetaActionInfo, ...]
) -> None:
    async with meaning_mind(tmp_path) as mind:
        asked = [await _chosen(mind, text, crowd) == key for text, key in _asked().items()]
        unknown = [await _chosen(mind, text, crowd) == "" for text in NOT_HERE + NOT_HERE_IN_CHINESE]
    assert sum(asked) >= len(asked) - 1
    assert sum(unknown) >= len(unknown) - 2


def _asked() -> dict[str, str]:
    return ASKED | ASKED_IN_CHINESE


async def _chosen(mind: StarterMind, text: str, infos: Sequence[MetaActionInfo]) -> str:
    """The key that was chosen, or those offered."""
    evaluation = await mind.ask(EvaluateIntent(text, infos))
    if evaluation.ties:
        return " or ".join(info.key for info in evaluation.ties)
    return evaluation.chosen.key if evaluation.chosen else ""


async def test_without_the_model_words_alone_decide(tmp_path: Path) -> None:
    infos = described(DESCRIBED)
    async with meaning_mind(tmp_path, model=tmp_path / "missing.gguf") as mind:
        assert await best(mind, "tell me the weather of Ulm", infos) == "forecast"


class ConversationController:
    """An embedder that counts: every vector is the same."""

    model_id = "shelf"

    def __init__(self, *, fails: bool = False) -> None:
        self.asked: list[str] = []
        self.described: list[int] = []
        self.fails = fails

    def status(self) -> EmbeddingStatus:
        return EmbeddingStatus("ready")

    async def embed(self, texts: Sequence[str], *, urgent: bool = False) -> Vectors:
        assert urgent, "a person waits for it"
        self.asked += texts
        return self._rows(len(texts))

    async def vectors(self, texts: Sequence[str]) -> Vectors:
        self.described.append(len(texts))
        return self._rows(len(texts))

    def _rows(self, count: int) -> Vectors:
        import numpy as np  # noqa: PLC0415 - as in the app

        if self.fails:
            raise ModelError("The model cannot be used.")
        return np.full((count, 4), 0.5, dtype=np.float32)


async def test_a_message_waits_for_the_likeliest_abilities_only_and_the_rest_comes_behind() -> None:
    infos = described({f"number_{n}": f"Do the work of project {n}" for n in range(500)})
    shelf = ConversationController()
    index = MeaningIndex(shelf)
    mind = StarterMind(matcher=MeaningMatcher(WordMatcher(), index))
    await mind.ask(EvaluateIntent("do the work of project 499", infos))
    assert shelf.described[0] == 2 * FIRST, "name and description of the likeliest"
    await index.settled()
    assert sum(shelf.described) == 2 * len(infos)
    await mind.ask(EvaluateIntent("do the work of project 7", infos))
    assert sum(shelf.described) == 2 * len(infos), "known vectors are not made again"
    assert shelf.asked == ["do the work of project 499", "do the work of project 7"]
    await index.shutdown()


async def test_a_model_that_fails_leaves_the_words() -> None:
    shelf = ConversationController(fails=True)
    index = MeaningIndex(shelf)
    mind = StarterMind(matcher=MeaningMatcher(WordMatcher(), index))
    assert await best(mind, "tell me the weather of Ulm", described(DESCRIBED)) == "forecast"
    assert shelf.asked
    await index.shutdown()


async def test_small_talk_and_chinese_ask_for_no_vectors() -> None:
    shelf = ConversationController()
    index = MeaningIndex(shelf)
    mind = StarterMind(matcher=MeaningMatcher(WordMatcher(), index))
    for text in ("hello", "tell me a joke", "把照片缩小一下"):
        await mind.ask(EvaluateIntent(text, described(DESCRIBED)))
    assert not shelf.asked
    assert not shelf.described


class Sleeper(ConversationController):
    """An embedder that starts with its first text and is never done."""

    def __init__(self) -> None:
        super().__init__()
        self.started = asyncio.Event()

    def status(self) -> EmbeddingStatus:
        return EmbeddingStatus("starting" if self.started.is_set() else "idle")

    async def embed(self, texts: Sequence[str], *, urgent: bool = False) -> Vectors:
        self.started.set()
        await asyncio.Event().wait()
        return self._rows(len(texts))


async def test_plain_words_do_not_wait_for_the_model_to_start_and_others_do() -> None:
    infos = described(DESCRIBED)
    sleeper = Sleeper()
    index = MeaningIndex(sleeper, wake_after_s=0)
    mind = StarterMind(matcher=MeaningMatcher(WordMatcher(), index))
    assert await best(mind, "resize the images of ~/Pictures", infos) == "shrink"
    await asyncio.wait_for(sleeper.started.wait(), 5)
    faint = asyncio.create_task(best(mind, "make the snapshots lighter for mail", infos))
    assert not (await asyncio.wait([faint], timeout=0.05))[0]
    faint.cancel()
    await index.shutdown()
