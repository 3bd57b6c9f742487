"""A chat model in its worker: real processes, a real (tiny) file, and everything that can befall them."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import psutil  # type: ignore[import-untyped] # has no types
import pytest

from partner_desktop.base.errors import ContextOverflowError, ModelError, SchemaError
from partner_desktop.domain.message import PictureData
from partner_desktop.model.chat import UNSEEN, ChatMessage, ChatPiece, ChatRequest, Priority, Sampling
from partner_desktop.model.llama_chat import LocalChatModel
from tests.model.chatting import HASTY, Reader, answer, asked, chat_model, endless
from tests.model.engine import gone, needs_engine, until
from tests.model.tiny import make_tiny_model
from tests.support import WAIT_S

pytestmark = [needs_engine, pytest.mark.integration]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("models") / "tiny.gguf", context_tokens=131_072)


@pytest.fixture
async def model(file: Path) -> AsyncIterator[LocalChatModel]:
    async with chat_model(file, policy=HASTY, context_tokens=4096) as one:
        yield one


def state(model: LocalChatModel) -> str:
    """Asked anew each time."""
    return model.status().state


async def test_it_loads_with_its_first_question_and_says_what_it_is(model: LocalChatModel) -> None:
    assert (state(model), model.pid) == ("idle", None)
    text, usage = await answer(model, asked())
    assert text
    status = model.status()
    assert (status.state, status.busy, status.context_tokens, status.threads) == ("ready", False, 4096, 1)
    assert "tiny" in status.description or "llama" in status.description
    assert status.size_bytes > 100_000
    assert status.tokens_per_s > 0
    assert usage.prompt_tokens > len("hello")
    assert (usage.output_tokens, usage.end, usage.context_tokens) == (40, "length", 4096)
    again, _ = await answer(model, asked())
    assert again == text


async def test_what_is_shown_to_it_is_told_to_be_unseen_and_the_words_are_answered(
    model: LocalChatModel,
) -> None:
    shown = ChatMessage("user", "hello", pictures=(PictureData("image/png", b"\x89PNG"),))
    async with aclosing(model.chat(replace(asked(), messages=(shown,)))) as events:
        first, *rest = [event async for event in events]
    assert first == UNSEEN
    assert isinstance(rest[0], ChatPiece)
    assert rest[0].text


async def test_the_memory_that_its_process_holds_is_known_while_it_is_open_and_only_then(
    model: LocalChatModel,
) -> None:
    assert model.status().memory_bytes == 0
    await model.load()
    await until(lambda: model.status().memory_bytes > 0)
    assert model.pid is not None
    held = psutil.Process(model.pid).memory_info().rss
    assert abs(model.status().memory_bytes - held) < held // 10
    await answer(model, asked())
    await until(lambda: not model.status().busy)
    assert model.status().memory_bytes > model.status().size_bytes
    await model.unload()
    assert model.status().memory_bytes == 0


async def test_the_percentage_of_a_load_never_falls_and_the_model_is_ready_after_it(tmp_path: Path) -> None:
    path = make_tiny_model(tmp_path / "wide.gguf", width=512, layers=8)
    seen: list[tuple[str, float]] = []
    models: list[LocalChatModel] = []

    def look() -> None:
        seen.extend((one.status().state, one.status().progress) for one in models)

    async with chat_model(path, context_tokens=512, on_change=look) as told:
        models.append(told)
        await told.load()
        loading = [progress for state, progress in seen if state == "loading"]
        assert loading == sorted(loading)
        assert (loading[0], loading[-1]) == (0.0, 1.0)
        assert state(told) == "ready"


async def test_what_is_recommended_of_its_words_holds_where_nobody_chose_and_its_own_file_says_nothing(
    file: Path,
) -> None:
    """By the likeliest words two answers are the same, whatever number they are drawn by."""
    async with chat_model(file, policy=HASTY, context_tokens=4096, recommended={"temperature": 0.0}) as one:
        for unsaid, same in ((frozenset({"temperature"}), True), (frozenset[str](), False)):
            first, second = [
                (
                    await answer(
                        one, replace(asked(), sampling=Sampling(max_tokens=40, seed=seed, unsaid=unsaid))
                    )
                )[0]
                for seed in (1, 2)
            ]
            assert (first == second) is same


async def test_what_it_counts_is_what_a_prompt_has(model: LocalChatModel) -> None:
    one, two = await model.count(["hello", "hello hello"])
    assert 0 < one < two


async def test_a_schema_holds_the_answer_to_its_form(model: LocalChatModel) -> None:
    schema = {"type": "object", "properties": {"act": {"enum": ["yes", "no"]}}, "required": ["act"]}
    text, usage = await answer(model, asked(tokens=200, schema=schema))
    assert text.replace(" ", "").strip() in ('{"act":"yes"}', '{"act":"no"}')
    assert usage.constrained == "grammar"


async def test_what_cannot_be_done_is_told_by_its_kind_and_the_worker_lives_on(model: LocalChatModel) -> None:
    with pytest.raises(ContextOverflowError) as raised:
        await answer(model, asked("word " * 3000))
    assert raised.value.prompt_tokens > raised.value.context_tokens == 4096
    pid = model.pid
    with pytest.raises(SchemaError):
        await answer(model, asked(schema={"type": "object", "$ref": "#/nowhere"}))
    await answer(model, asked())
    assert model.pid == pid


async def test_half_a_character_and_an_answer_that_is_longer_than_the_model_do_no_harm(file: Path) -> None:
    async with chat_model(file, context_tokens=512) as small:
        text, usage = await answer(small, asked("\ud83d half", tokens=100_000))
        assert text
        assert usage.output_tokens <= 256


async def test_an_answer_that_nobody_wants_any_more_stops_and_the_next_begins(model: LocalChatModel) -> None:
    async with aclosing(model.chat(endless())) as events:
        async for event in events:
            assert isinstance(event, ChatPiece)
            break
    pid = model.pid
    async with asyncio.timeout(WAIT_S):
        await answer(model, asked())
    assert (model.pid, model.status().busy) == (pid, False)


async def test_the_reply_goes_before_background_work(model: LocalChatModel) -> None:
    background = Reader(model, endless("behind", priority=Priority.BACKGROUND))
    async with asyncio.timeout(WAIT_S):
        await background.begun.wait()
        await answer(model, asked("first", priority=Priority.REPLY))
    assert not background.task.done()
    background.task.cancel()
    await asyncio.wait([background.task])


@pytest.mark.promise("model.worker")
async def test_a_worker_that_is_killed_in_the_middle_leaves_its_words_and_the_next_one_answers(
    model: LocalChatModel,
) -> None:
    reader = Reader(model, endless())
    async with asyncio.timeout(WAIT_S):
        await reader.begun.wait()
    assert model.pid is not None
    os.kill(model.pid, signal.SIGKILL)
    with pytest.raises(ModelError, match=r"^The model ended unexpectedly in the middle of its answer"):
        await reader.task
    assert "".join(reader.pieces)
    assert (await answer(model, asked()))[0]


async def test_a_worker_that_is_killed_before_its_first_word_is_asked_again(model: LocalChatModel) -> None:
    await model.load()
    pid = model.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)  # so that no word comes before the kill
    reader = Reader(model, asked(tokens=5))
    await until(lambda: model.status().busy)
    os.kill(pid, signal.SIGKILL)
    async with asyncio.timeout(WAIT_S):
        await reader.task
    assert reader.pieces
    assert model.pid != pid


async def test_a_worker_that_hangs_is_found_by_its_silence_and_killed(model: LocalChatModel) -> None:
    reader = Reader(model, endless())
    async with asyncio.timeout(WAIT_S):
        await reader.begun.wait()
    pid = model.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(ModelError, match="ended unexpectedly in the middle of its answer"):
        async with asyncio.timeout(WAIT_S):
            await reader.task
    await until(lambda: gone(pid))
    assert (await answer(model, asked()))[0]


async def test_unloading_gives_the_memory_back_and_ends_what_was_under_way(model: LocalChatModel) -> None:
    reader = Reader(model, endless())
    async with asyncio.timeout(WAIT_S):
        await reader.begun.wait()
    pid = model.pid
    assert pid is not None
    await model.unload()
    assert gone(pid)
    with pytest.raises(ModelError, match=r"^The model was unloaded\.$"):
        await reader.task
    assert (state(model), model.status().context_tokens) == ("idle", 4096)
    assert (await answer(model, asked()))[0]


async def test_it_unloads_itself_when_nobody_needs_it(file: Path) -> None:
    async with chat_model(file, context_tokens=512, idle_minutes=0.2 / 60) as idle:
        await answer(idle, asked())
        pid = idle.pid
        assert pid is not None
        await until(lambda: gone(pid))
        await until(lambda: state(idle) == "idle")
        assert (await answer(idle, asked()))[0]


@pytest.mark.parametrize("how", ["unload", "cancel"])
async def test_a_load_can_be_given_up(model: LocalChatModel, how: str) -> None:
    loading = asyncio.create_task(model.load())
    await until(lambda: model.pid is not None)
    pid = model.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)  # it will never be ready
    assert state(model) == "loading"
    if how == "unload":
        await model.unload()
        with pytest.raises(ModelError, match=r"^The model was unloaded\.$"):
            await loading
    else:
        loading.cancel()
        await asyncio.wait([loading])
    await until(lambda: gone(pid))
    await until(lambda: state(model) == "idle")
    await model.load()
    assert state(model) == "ready"


async def test_a_load_that_others_wait_for_is_not_given_up_with_one_of_them(model: LocalChatModel) -> None:
    loading = asyncio.create_task(model.load())
    reader = Reader(model, asked())
    await until(lambda: model.pid is not None and model._worker is not None and model._worker._loading == 2)
    loading.cancel()
    async with asyncio.timeout(WAIT_S):
        await reader.task
    assert reader.pieces


async def test_a_file_that_is_not_there_is_told_and_used_once_it_is(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "later.gguf"
    async with chat_model(path, context_tokens=512) as late:
        assert late.status().state == "failed"
        assert "later.gguf is not there" in late.status().reason
        with pytest.raises(ModelError, match="is not there"):
            await answer(late, asked())
        path.write_bytes(file.read_bytes())
        assert state(late) == "idle"
        assert (await answer(late, asked()))[0]


async def test_a_file_that_goes_away_while_it_is_open_gives_its_memory_back_and_is_told(
    file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "fleeting.gguf"
    path.write_bytes(file.read_bytes())
    async with chat_model(path, context_tokens=512) as fleeting:
        await fleeting.load()
        pid = fleeting.pid
        assert pid is not None
        path.unlink()
        with pytest.raises(ModelError, match="is not there"):
            await answer(fleeting, asked())
        await until(lambda: gone(pid))
        assert state(fleeting) == "failed"
        assert "is not there" in fleeting.status().reason
        path.write_bytes(file.read_bytes())
        assert (await answer(fleeting, asked()))[0]


async def test_a_file_that_is_no_model_fails_with_a_reason_and_can_be_tried_again_at_once(
    file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(file.read_bytes()[:5000])
    async with chat_model(path, context_tokens=512) as broken:
        with pytest.raises(ModelError):
            await broken.load()
        assert broken.status().state == "failed"
        assert broken.status().reason
        path.write_bytes(file.read_bytes())
        await broken.load()
        assert state(broken) == "ready"


async def test_progress_and_every_change_are_told(file: Path) -> None:
    seen: list[tuple[str, bool]] = []
    async with chat_model(file, context_tokens=512) as told:
        told._changed = lambda: seen.append((told.status().state, told.status().busy))
        await answer(told, asked())
    order = list(dict.fromkeys(seen))
    assert order[-3:] == [("ready", True), ("ready", False), ("idle", False)]
    assert ("loading", True) in order


def all_came(model: LocalChatModel) -> bool:
    """Whether the answer under way is whole, read or not."""
    assert model._worker is not None
    assert model._worker._session is not None
    return all(pending.ended for pending in model._worker._session._open.values())


async def test_many_pieces_that_wait_come_as_one(model: LocalChatModel) -> None:
    request = ChatRequest((ChatMessage("user", "go"),), sampling=Sampling(max_tokens=300, seed=3))
    whole, _ = await answer(model, request)
    pieces: list[ChatPiece] = []
    async with aclosing(model.chat(request)) as events:
        async for event in events:
            if isinstance(event, ChatPiece):
                pieces.append(event)
                if len(pieces) == 1:
                    await until(lambda: all_came(model))  # while nobody reads
    assert "".join(piece.text for piece in pieces) == whole
    assert len(pieces) <= 2
