"""Another embedding model than the shipped one: checked, folded into one form, and left when it goes away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import gguf
import numpy as np
import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import ModelError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import Event, NoticeEvent
from partner_desktop.domain.message import Role
from partner_desktop.model.llama_embedder import DIMENSIONS, shipped_model
from tests.model.engine import needs_engine
from tests.model.tiny import make_tiny_model
from tests.support import WAIT_S, HastyClock, Watcher

pytestmark = [needs_engine, pytest.mark.integration]
TEXTS = ("the cat sleeps on the sofa", "interest rates rose again", "a kitten naps on the couch")


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows of 512 numbers."""
    return make_tiny_model(tmp_path_factory.mktemp("wide") / "wide.gguf", width=512, embeds=True)


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows of 64 numbers."""
    return make_tiny_model(tmp_path_factory.mktemp("narrow") / "narrow.gguf", embeds=True)


@asynccontextmanager
async def opened(home: Home, action_dir: Path) -> AsyncIterator[tuple[Partner, Watcher]]:
    partner, said = Partner(home, action_dir, quiet_clock=HastyClock()), Watcher()
    partner.subscribe(said)
    await partner.launch()
    try:
        yield partner, said
    finally:
        await partner.close()


def lost(event: Event) -> bool:
    return isinstance(event, NoticeEvent) and "chosen embedding model cannot be used" in event.text


async def remember(partner: Partner) -> None:
    """Something was said, and its meaning is read."""
    conversation = await partner.conversations.create()
    for text in TEXTS:
        await partner._parts.core.dialog.append(conversation.id, Role.USER, text)
    await partner._parts.memory.indexing.meaning_read()


async def by_meaning(partner: Partner, turns: int) -> None:
    """Wait until so many turns are found by meaning."""
    async with asyncio.timeout(WAIT_S):
        while (await partner.memory.status()).by_meaning != turns:  # noqa: ASYNC110 - no event tells it
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("which", ["wide", "narrow"])
async def test_its_vectors_have_the_form_of_the_shipped_ones(
    home: Home, action_dir: Path, request: pytest.FixtureRequest, which: str
) -> None:
    file: Path = request.getfixturevalue(which)
    async with opened(home, action_dir) as (partner, said):
        shipped_id = partner.embedder.model_id
        before = await partner.embedder.embed(TEXTS)
        assert await partner.models.embed_with(str(file)) == which
        assert partner.embedder.model_id != shipped_id
        assert partner.models.embedding().model == which
        rows = await partner.embedder.vectors(TEXTS)
        again = await partner.embedder.vectors(TEXTS)
        assert rows.shape == (len(TEXTS), DIMENSIONS)
        assert (await partner.embedder.embed([])).shape == (0, DIMENSIONS)
        assert (await partner.embedder.embed(["", "x"])).shape == (2, DIMENSIONS)
        assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
        assert np.array_equal(rows, again)
        assert not np.allclose(rows, before, atol=0.1), "what is kept of one model is not given for another"
        assert await partner.models.embed_with("shipped") == "all-MiniLM-L6-v2"
        assert partner.models.embedding().model == ""
        assert np.allclose(await partner.embedder.embed(TEXTS), before, atol=1e-3)
        assert not any(map(lost, said.events))


async def test_what_was_said_is_read_anew_behind_also_after_a_restart(
    home: Home, action_dir: Path, wide: Path
) -> None:
    async with opened(home, action_dir) as (partner, said):
        await remember(partner)
        await partner.models.embed_with(str(wide))
        await partner.memory.status()
        await said.until(lambda event: isinstance(event, NoticeEvent) and "read anew" in event.text)
        await by_meaning(partner, 3)
        await partner.models.embed_with("shipped")
    async with opened(home, action_dir) as (partner, _):  # closed before they were read
        status = await partner.memory.status()
        assert status.turns == 3
        found = await partner.memory.recall("where is the kitten?")
        assert found.turns
        await by_meaning(partner, 3)
        assert partner.models.embedding().model == ""


async def test_a_model_that_goes_away_leaves_it_to_the_shipped_one_and_is_told_once(
    home: Home, action_dir: Path, narrow: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mine.gguf"
    file.write_bytes(narrow.read_bytes())
    async with opened(home, action_dir) as (partner, said):
        shipped_id = partner.embedder.model_id
        await partner.models.embed_with(str(file))
        await partner.embedder.embed(TEXTS)
        file.unlink()
        assert partner.models.embedding().available
        assert partner.embedder.model_id == shipped_id
        assert (await partner.embedder.embed(TEXTS)).shape == (3, DIMENSIONS)
        assert sum(map(lost, said.events)) == 1
    async with opened(home, action_dir) as (partner, said):
        assert partner.embedder.model_id == shipped_id
        assert sum(map(lost, said.events)) == 1


async def test_another_file_of_the_same_name_is_another_model(
    home: Home, action_dir: Path, narrow: Path, wide: Path, tmp_path: Path
) -> None:
    (tmp_path / "b").mkdir()
    one, other = tmp_path / "mine.gguf", tmp_path / "b" / "mine.gguf"
    one.write_bytes(narrow.read_bytes())
    other.write_bytes(wide.read_bytes())
    async with opened(home, action_dir) as (partner, _):
        await partner.models.embed_with(str(one))
        first = partner.embedder.model_id
        await partner.models.embed_with(str(other))
        assert partner.embedder.model_id != first


async def test_a_file_in_place_of_another_is_another_model_while_partner_runs(
    home: Home, action_dir: Path, narrow: Path, wide: Path, tmp_path: Path
) -> None:
    file, fresh = tmp_path / "mine.gguf", tmp_path / "fresh"
    file.write_bytes(narrow.read_bytes())
    async with opened(home, action_dir) as (partner, said):
        shipped_id = partner.embedder.model_id
        await partner.models.embed_with(str(file))
        first, before = partner.embedder.model_id, await partner.embedder.embed(TEXTS)
        fresh.write_bytes(wide.read_bytes())
        fresh.replace(file)
        assert not np.allclose(await partner.embedder.embed(TEXTS), before, atol=0.1)
        assert partner.embedder.model_id not in (first, shipped_id)
        make_tiny_model(fresh).replace(file)  # of words, not of meanings
        assert partner.embedder.model_id not in (first, shipped_id)
        await said.until(lost)
        assert partner.embedder.model_id == shipped_id


async def test_a_model_whose_vectors_are_no_numbers_is_left_and_told_once(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    file = make_tiny_model(tmp_path / "broken.gguf", embeds=True)
    weights = next(tensor for tensor in gguf.GGUFReader(file).tensors if tensor.name == "token_embd.weight")
    with file.open("r+b") as opened_file:
        opened_file.seek(weights.data_offset)
        opened_file.write(np.full(weights.n_elements, np.nan, dtype="<f4").tobytes())
    async with opened(home, action_dir) as (partner, said):
        shipped_id, before = partner.embedder.model_id, await partner.embedder.embed(TEXTS)
        await partner.models.embed_with(str(file))
        assert np.allclose(await partner.embedder.embed(TEXTS), before, atol=1e-3)
        assert partner.embedder.model_id == shipped_id
        await remember(partner)
        await by_meaning(partner, 3)
        assert sum(map(lost, said.events)) == 1


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda folder: make_tiny_model(folder / "chat.gguf"), "is no embedding model"),
        (lambda folder: folder / "gone.gguf", "gone.gguf"),
    ],
)
async def test_what_is_no_embedding_model_is_refused(
    home: Home, action_dir: Path, tmp_path: Path, make: Callable[[Path], Path], why: str
) -> None:
    file = make(tmp_path)
    async with opened(home, action_dir) as (partner, said):
        with pytest.raises(ModelError, match=why):
            await partner.models.embed_with(str(file))
        await partner.config.set("model", ("embedding",), str(file))  # by hand
        await said.until(lost)
        assert partner.models.embedding().available
        assert shipped_model().stem == partner.embedder.model_id
