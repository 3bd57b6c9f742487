"""A whole Partner with models: taken in, used, killed in the middle of a reply, taken out again."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import ConfigError, ModelError, UsageError
from partner_desktop.base.paths import Home
from partner_desktop.commands.doctor import _listed_models, _model
from partner_desktop.config.entries import AddEntry
from partner_desktop.domain.events import (
    ConversationGoneEvent,
    ErrorEvent,
    Event,
    ModelsEvent,
    ReplyEvent,
    UsageEvent,
)
from partner_desktop.domain.message import MessageState, Role, TurnRef
from partner_desktop.domain.model_status import EndpointCheck, EndpointDraft, EndpointReport
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.model.chat import ChatMessage, ChatPiece
from partner_desktop.model.llama_chat import LocalChatModel
from partner_desktop.model.model_registry import ModelRegistry
from tests.model.endpoint.badly import BadServer, Line, listing, saying
from tests.model.engine import gone, needs_engine, until
from tests.model.registries import ToldModel
from tests.model.seeing import make_tiny_projector
from tests.model.tiny import make_tiny_model
from tests.support import HastyClock, Watcher

pytestmark = pytest.mark.integration


class BabblingMind(StarterMind):
    """The starter mind, but its replies come from the model in use, word by word."""

    registry: ModelRegistry
    conversation_id = ""
    most_tokens = 30

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        turn = TurnRef(self.conversation_id, "the turn") if self.conversation_id else None
        call = self.registry.call(
            "reply", [ChatMessage("user", request.text)], trunk=0, turn=turn, max_tokens=self.most_tokens
        )
        async with aclosing(call) as events:
            async for event in events:
                if isinstance(event, ChatPiece):
                    yield event.text


class Keys:
    """Keys in a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    async def get(self, name: str) -> str:
        return self.kept.get(name, "")

    async def set(self, name: str, value: str) -> str:
        self.kept[name] = value
        return "in a dictionary"

    async def delete(self, name: str) -> None:
        self.kept.pop(name, None)

    async def where(self) -> str:
        return "in a dictionary"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("models") / "tiny.gguf", context_tokens=131_072)


@asynccontextmanager
async def babbling(home: Home, action_dir: Path) -> AsyncIterator[tuple[Partner, BabblingMind, Watcher]]:
    mind, said = BabblingMind(), Watcher()
    partner = Partner(home, action_dir, meaning=False, mind=mind, quiet_clock=HastyClock())
    mind.registry = partner._parts.models.registry
    await partner.launch()
    partner.subscribe(said)
    try:
        yield partner, mind, said
    finally:
        await partner.close()


def worker_of(partner: Partner, name: str) -> LocalChatModel:
    model = partner._parts.models.registry.slot(name).model
    assert isinstance(model, LocalChatModel)
    return model


def first_words(event: Event) -> bool:
    return isinstance(event, ReplyEvent) and bool(event.content)


@needs_engine
@pytest.mark.logs_errors
@pytest.mark.promise("model.worker")
async def test_a_worker_killed_in_mid_reply_leaves_the_partial_and_the_next_turn_works(
    home: Home, action_dir: Path, file: Path
) -> None:
    async with babbling(home, action_dir) as (partner, mind, said):
        name = await partner.models.add_file(file)
        mind.most_tokens = 100_000
        await partner.config.set("model", ("max_tokens",), 100_000)
        message = await partner.messages.send("tell me much", conversation_id=None, exchange_id="one")
        await said.until(first_words)
        pid = worker_of(partner, name).pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        error = await said.until(lambda event: isinstance(event, ErrorEvent))
        assert isinstance(error, ErrorEvent)
        assert "The model ended unexpectedly in the middle of its answer" in error.message
        await said.done("one")
        shown = "".join(event.content for event in said.events if isinstance(event, ReplyEvent))
        partial = (await partner.messages.list(message.conversation_id))[-1]
        assert (partial.role, partial.state) == (Role.PARTNER, MessageState.BROKEN_OFF)
        assert shown
        assert partial.text == shown
        said.events.clear()
        mind.most_tokens = 30
        await partner.messages.send("go on", conversation_id=message.conversation_id, exchange_id="two")
        await said.done("two")
        whole = (await partner.messages.list(message.conversation_id))[-1]
        assert whole.state is MessageState.DONE
        assert whole.text
        assert not any(isinstance(event, ErrorEvent) for event in said.events)


@needs_engine
async def test_the_costs_of_a_turn_are_kept_and_go_with_the_conversation(
    home: Home, action_dir: Path, file: Path
) -> None:
    async with babbling(home, action_dir) as (partner, mind, said):
        await partner.models.add_file(file)
        conversation = await partner.conversations.create()
        mind.conversation_id = conversation.id
        for text in ("hello", "hello again"):
            await partner.messages.send(text, conversation_id=conversation.id, exchange_id=text)
            await said.done(text)
        await said.until(lambda event: isinstance(event, UsageEvent) and event.totals.calls == 2)
        first, second = await partner.usage.calls("the turn")
        assert (first.question, first.end, first.output_tokens) == ("reply", "length", 30)
        totals = await partner.usage.totals(conversation.id)
        assert (totals.calls, totals.output_tokens, totals.cost) == (2, 60, None)
        assert totals.prompt_tokens == first.prompt_tokens + second.prompt_tokens
        partner.conversations.deletion.undo_s = 0.0
        await partner.conversations.delete(conversation.id)
        await said.until(lambda event: isinstance(event, ConversationGoneEvent) and event.erased)
        assert (await partner.usage.totals(conversation.id)).calls == 0
        assert await partner.usage.calls("the turn") == []


@needs_engine
async def test_a_model_is_opened_when_somebody_begins_to_write_and_not_before(
    home: Home, action_dir: Path, file: Path
) -> None:
    async with babbling(home, action_dir) as (partner, _, said):
        name = await partner.models.add_file(file)
        assert (partner.models.list()[0].state, worker_of(partner, name).pid) == ("idle", None)
        await partner.warm_up()
        await said.until(lambda event: isinstance(event, ModelsEvent) and event.models[0].state == "ready")
        pid = worker_of(partner, name).pid
        assert pid is not None
        await partner.models.unload(name)
        assert gone(pid)
        await partner.models.load(name)
        pid = worker_of(partner, name).pid
        await partner.models.remove(name)
        assert pid is not None
        await until(lambda: gone(pid))
    assert file.exists()


async def test_a_file_is_taken_in_once_used_at_once_and_removed_without_being_touched(
    partner: Partner, tmp_path: Path
) -> None:
    path = tmp_path / "my model.gguf"
    path.write_bytes(b"GGUF and more")
    (tmp_path / "b").mkdir()
    other = tmp_path / "b" / "my model.gguf"
    other.write_bytes(b"GGUF")
    assert partner.models.mind() == "starter"
    assert await partner.models.add_file(path) == "my model"
    assert partner.models.mind() == "my model"
    assert await partner.models.add_file(other) == "my model 2"
    assert await partner.models.add_file(path) == "my model"
    assert [(one.name, one.in_use) for one in partner.models.list()] == [
        ("my model", True),
        ("my model 2", False),
    ]
    await partner.models.use("my model 2")
    assert partner.models.mind() == "my model 2"
    await partner.models.use("starter")
    assert partner.models.mind() == "starter"
    await partner.models.use("my model")
    await partner.config.change("model", AddEntry("role", {"question": "reply", "model": "my model"}))
    await partner.config.change(
        "model", AddEntry("role", {"question": "pick_ability", "model": "my model", "temperature": 0.1})
    )
    await partner.models.remove("my model")
    settings = partner._parts.models.registry.settings
    assert (settings.use, [one.name for one in settings.file]) == ("", ["my model 2"])
    assert [(role.question, role.model, role.temperature) for role in settings.role] == [
        ("pick_ability", None, 0.1)
    ]
    assert path.read_bytes() == b"GGUF and more"
    with pytest.raises(UsageError, match=r"no model called my model; there are my model 2\."):
        await partner.models.use("my model")


async def test_what_is_no_model_is_refused_with_one_sentence(partner: Partner, tmp_path: Path) -> None:
    text = tmp_path / "notes.gguf"
    text.write_text("GG not a model")
    pipe = tmp_path / "pipe.gguf"
    os.mkfifo(pipe)
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.gguf"))
    odd.write_bytes(b"GGUF")
    for path, why in (
        (text, "is not a model in the GGUF format"),
        (tmp_path, "is no file"),
        (pipe, "is no file"),
        (tmp_path / "x.gguf", "is not there"),
        (Path(f"{tmp_path}/x\0.gguf"), "is not there"),
        (odd, "is not text"),
    ):
        with pytest.raises(ModelError, match=why):
            await partner.models.add_file(path)
    assert partner.models.list() == ()


async def test_a_model_whose_file_went_is_told_and_the_starter_mind_answers(
    partner: Partner, tmp_path: Path
) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF")
    await partner.models.add_file(path)
    path.unlink()
    (status,) = partner.models.list()
    assert (status.state, partner.models.mind()) == ("failed", "starter")
    assert "m.gguf is not there" in status.reason


async def test_servers_are_taken_in_with_their_keys_tried_and_removed(partner: Partner) -> None:
    keys, tried = Keys(), []

    async def check(draft: EndpointDraft, key: str) -> EndpointReport:
        tried.append((draft.name, draft.base_url, key))
        return EndpointReport((EndpointCheck("reachable", ok=True, sentence="It answers."),))

    partner.models._secrets, partner.models._check = keys, check
    partner._parts.models.registry._makers = {**partner._parts.models.registry._makers, "endpoint": ToldModel}
    name = await partner.models.add_endpoint(EndpointDraft("", "http://127.0.0.1:1/v1", "m"), "secret")
    assert (name, partner.models.mind(), keys.kept) == ("127.0.0.1", "127.0.0.1", {"127.0.0.1": "secret"})
    assert "secret" not in (partner.home.config / "model.toml").read_text()
    with pytest.raises(UsageError, match="a model called 127"):
        await partner.models.add_endpoint(EndpointDraft("127.0.0.1", "http://x/v1"), "other")
    with pytest.raises(ModelError, match="“ftp://x” is no address of a server; it looks like"):
        await partner.models.add_endpoint(EndpointDraft("odd", "ftp://x"), "other")
    with pytest.raises(ConfigError, match="“ftp://x” is no address of a server"):
        await partner.config.change("model", AddEntry("endpoint", {"name": "odd", "base_url": "ftp://x"}))
    assert keys.kept == {"127.0.0.1": "secret"}
    assert await partner.models.set_key(name, "newer") == "in a dictionary"
    assert (await partner.models.test(name)).ok
    await partner.models.test_endpoint(EndpointDraft("new", "http://y/v1"), "typed")
    await partner.models.test_endpoint(EndpointDraft(name, "http://elsewhere/v1"), "")
    assert tried == [
        (name, "http://127.0.0.1:1/v1", "newer"),
        ("new", "http://y/v1", "typed"),
        (name, "http://elsewhere/v1", ""),  # a kept key goes nowhere else
    ]
    await partner.models.remove(name)
    assert (partner.models.list(), keys.kept, partner.models.mind()) == ((), {}, "starter")


async def test_an_address_that_a_test_takes_is_kept_too_and_an_old_key_never_goes_to_it(
    partner: Partner,
) -> None:
    keys, tried = Keys(), []

    async def check(draft: EndpointDraft, key: str) -> EndpointReport:
        tried.append((draft.base_url, key))
        return EndpointReport(())

    partner.models._secrets, partner.models._check = keys, check
    partner._parts.models.registry._makers = {**partner._parts.models.registry._makers, "endpoint": ToldModel}
    keys.kept = {"here": "left by another server of this name"}
    assert await partner.models.add_endpoint(EndpointDraft("here", "127.0.0.1:8080"), "") == "here"
    assert keys.kept == {}
    assert await partner.models.add_endpoint(
        EndpointDraft("", " api.example.com/v1/chat/completions "), ""
    ) == ("api.example.com")
    await partner.config.change("model", AddEntry("endpoint", {"name": "typed", "base_url": "typed:1"}))
    settings = partner._parts.models.registry.settings
    assert [one.base_url for one in settings.endpoint] == [
        "http://127.0.0.1:8080/v1",
        "https://api.example.com/v1",
        "http://typed:1/v1",
    ]
    await partner.models.set_key("here", "new")
    await partner.models.test_endpoint(EndpointDraft("here", "127.0.0.1:8080"), "")
    await partner.models.test_endpoint(EndpointDraft("here", "no address"), "")
    assert tried == [("127.0.0.1:8080", "new"), ("no address", "")]


async def test_what_a_server_is_doing_is_told_as_it_happens(partner: Partner) -> None:
    said = Watcher()
    partner.subscribe(said)
    go = asyncio.Event()

    async def listed_late(line: Line) -> None:
        await go.wait()
        await listing(line)

    async with BadServer(saying("hello"), lists=listed_late) as server:
        name = await partner.models.add_endpoint(EndpointDraft("there", server.address, "parrot"), "")
        loading = asyncio.create_task(partner.models.load(name))
        await said.until(lambda event: isinstance(event, ModelsEvent) and event.models[0].state == "loading")
        go.set()
        await loading
        await said.until(lambda event: isinstance(event, ModelsEvent) and event.models[0].state == "ready")
        await partner.models.unload(name)
        await said.until(lambda event: isinstance(event, ModelsEvent) and event.models[0].state == "idle")
    with pytest.raises(ModelError, match="there"):
        await partner.models.load(name)
    last = await said.until(
        lambda event: isinstance(event, ModelsEvent) and event.models[0].state == "failed"
    )
    assert isinstance(last, ModelsEvent)
    assert "there" in last.models[0].reason


def test_the_doctor_shows_no_password_of_an_address(home: Home) -> None:
    home.config.mkdir(parents=True, exist_ok=True)
    (home.config / "model.toml").write_text(
        '[[endpoint]]\nname = "there"\nbase_url = "https://me:secret@example.com/v1"\n', encoding="utf-8"
    )
    assert [item["where"] for item in _listed_models(home)] == ["https://example.com/v1"]


def test_the_doctor_says_which_models_see_and_why_one_does_not(home: Home, tmp_path: Path) -> None:
    home.config.mkdir(parents=True, exist_ok=True)
    eyes = make_tiny_projector(tmp_path / "mmproj.gguf")
    for name in ("a", "b", "c"):
        make_tiny_model(tmp_path / f"{name}.gguf")
    entries = (("a", f'projector = "{eyes}"'), ("b", f'projector = "{tmp_path}/gone.gguf"'), ("c", ""))
    (home.config / "model.toml").write_text(
        "\n".join(
            f'[[file]]\nname = "{name}"\npath = "{tmp_path}/{name}.gguf"\n{line}' for name, line in entries
        ),
        encoding="utf-8",
    )
    seeing, blind, plain = (_model(item).detail for item in _listed_models(home))
    assert "sees pictures" in seeing
    assert "gone.gguf, is not there" in blind
    assert "sees" not in blind.partition("—")[0] + plain


@needs_engine
@pytest.mark.logs_errors
@pytest.mark.promise("mind.switch")
@pytest.mark.slow
async def test_whatever_is_done_to_a_model_that_answers_the_next_message_is_answered(
    partner: Partner, watcher: Watcher, file: Path
) -> None:
    name = await partner.models.add_file(file)
    whole = {(MessageState.DONE, name), (MessageState.CUT, name)}
    conversation = (await partner.conversations.create()).id

    async def say(text: str, tokens: int) -> None:
        await partner.config.set("model", ("max_tokens",), tokens)
        watcher.events.clear()
        await partner.messages.send(text, conversation_id=conversation, exchange_id=text)
        await watcher.until(first_words)

    async def last(text: str) -> tuple[MessageState, str]:
        await watcher.done(text)
        message = (await partner.messages.list(conversation))[-1]
        turns = await partner.context.turns(conversation)
        snapshot = await partner.context.snapshot(turns[-1].turn_id)
        assert snapshot is not None
        assert message.role is Role.PARTNER
        assert message.text
        return message.state, snapshot.mind

    await say("unload me", 50_000)
    await partner.models.unload(name)
    assert await last("unload me") == (MessageState.BROKEN_OFF, name)
    await say("stop me", 50_000)
    await partner.conversations.stop(conversation)
    assert await last("stop me") == (MessageState.STOPPED, name)
    await say("replace me", 300)
    await partner.models.use("starter")
    assert await last("replace me") in whole
    await say("you instead", 1_000)
    assert await last("you instead") == (MessageState.DONE, "starter")
    await partner.models.use(name)
    await say("remove me", 300)
    pid = worker_of(partner, name).pid
    assert pid is not None
    await partner.models.remove(name)
    assert await last("remove me") in whole
    await until(lambda: gone(pid))
    await say("and now", 1_000)
    assert await last("and now") == (MessageState.DONE, "starter")
