"""Who answers what, with which settings; and what an edit of the settings does to models at work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.base.errors import ConfigError, ModelError, UsageError
from partner_desktop.capabilities import ModelCapability
from partner_desktop.config.entries import PutValue
from partner_desktop.domain.events import Event, ModelsEvent, NoticeEvent
from partner_desktop.model.chat import ChatMessage, Priority
from tests.model.engine import until
from tests.model.registries import Bench, registry_bench
from tests.support import FakeClock

SETTINGS = """\
use = "small"
temperature = 0.6
max_tokens = 300

[[file]]
name = "small"
path = "small.gguf"
context_tokens = 400

[[file]]
name = "other"
path = "other.gguf"

[[endpoint]]
name = "far"
base_url = "http://127.0.0.1:1/v1"

[[role]]
question = "extract_params"
model = "far"
temperature = 0.3
max_tokens = 50

[[role]]
question = "pick_ability"
model = "starter"

[[role]]
question = "reply"
persona = "A pirate."
"""


@pytest.fixture
async def bench(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Bench]:
    async with registry_bench(tmp_path, clock, SETTINGS) as one:
        yield one


def taken_over(event: Event) -> bool:
    return isinstance(event, NoticeEvent) and "taken over" in event.text


async def test_each_question_goes_to_the_model_of_its_role_and_else_to_the_one_in_use(bench: Bench) -> None:
    registry: ModelCapability = bench.registry
    assert registry.serves("reply") == "small"
    assert registry.serves("extract_params") == "far"
    assert registry.serves("pick_ability") == ""
    assert (registry.persona("reply"), registry.persona("extract_params")) == ("A pirate.", "")
    assert bench.registry.mind_name == "small"
    with pytest.raises(ModelError, match="No model answers pick_ability"):
        await bench.ask("pick_ability")
    assert await bench.ask("extract_params") == "Well, hello."
    assert [one.name for one in bench.made if one.asked] == ["far"]


async def test_a_role_changes_how_its_question_is_asked_and_nothing_else(bench: Bench) -> None:
    messages = [ChatMessage("system", "be"), ChatMessage("user", "hi")]
    calls = [
        bench.registry.call("reply", messages, trunk=1, turn=None),
        bench.registry.call("evaluate_intent", messages, trunk=1, turn=None, schema={"type": "object"}),
        bench.registry.call("extract_params", messages, trunk=1, turn=None, schema={}, max_tokens=9999),
        bench.registry.call("summarise", messages, trunk=0, turn=None, max_tokens=20),
    ]
    for call in calls:
        async with aclosing(call) as events:
            assert [event async for event in events]
    reply, intent, summary = bench.model("small").asked
    (params,) = bench.model("far").asked
    assert (reply.messages, reply.trunk, reply.priority) == (tuple(messages), 1, Priority.REPLY)
    assert (reply.sampling.temperature, reply.sampling.max_tokens) == (0.6, 300)
    assert (intent.sampling.temperature, intent.priority) == (0.0, Priority.QUESTION)
    assert (params.sampling.temperature, params.sampling.max_tokens) == (0.3, 50)
    assert (summary.priority, summary.sampling.max_tokens) == (Priority.BACKGROUND, 20)


async def test_a_room_is_known_with_the_context_and_leaves_half_of_it_at_most_to_the_answer(
    bench: Bench,
) -> None:
    context_window = bench.registry.context_window("reply")
    assert context_window is not None
    assert (context_window.model, context_window.context_tokens, context_window.answer_tokens) == (
        "small",
        400,
        200,
    )
    assert bench.registry.context_window("extract_params") is None
    await bench.ask("extract_params")
    told = bench.registry.context_window("extract_params")
    assert told is not None, "the answer told it"
    assert (told.context_tokens, told.answer_tokens) == (1000, 50)
    assert bench.registry.context_window("pick_ability") is None


async def test_the_counter_learns_from_what_the_model_counted_and_says_so_in_its_name(bench: Bench) -> None:
    text = "some words " * 60
    before = bench.registry.context_window("reply")
    assert before is not None
    assert before.counter.name == "small, estimate × 1.00"
    plain = before.counter.count(text)
    bench.model("small").usage = replace(bench.model("small").usage, prompt_tokens=2 * plain)
    await bench.ask(text=text)
    after = bench.registry.context_window("reply")
    assert after is not None
    assert 2 * plain <= after.counter.count(text) <= 2.1 * plain
    assert after.counter.name == "small, estimate × 2.00"
    assert before.counter.count(text) == plain, "a counter never changes"
    bench.model("small").usage = replace(bench.model("small").usage, prompt_tokens=100 * plain)
    await bench.ask(text=text)
    most = bench.registry.context_window("reply")
    assert most is not None
    assert most.counter.name == "small, estimate × 3.00"


async def test_an_edit_touches_only_what_it_changes(bench: Bench) -> None:
    small, other, far = bench.made
    bench.write(SETTINGS.replace('"other.gguf"', '"elsewhere.gguf"'))
    await bench.said.until(taken_over)
    assert [one.name for one in bench.made] == ["small", "other", "far", "other"]
    await until(lambda: other.closed)
    assert not small.closed
    assert not far.closed
    bench.write(SETTINGS.replace('use = "small"', ""))
    await bench.said.until(lambda event: isinstance(event, ModelsEvent) and event.mind == "starter")
    assert bench.registry.serves("reply") == ""


async def test_an_answer_under_way_survives_the_edit_that_removes_its_model(bench: Bench) -> None:
    small = bench.model("small")
    small.gate.clear()
    answer = asyncio.create_task(bench.ask())
    await asyncio.sleep(0)
    bench.write(SETTINGS.replace('"small.gguf"', '"new.gguf"'))
    await bench.said.until(taken_over)
    assert bench.model("small") is not small
    assert not small.closed
    small.gate.set()
    assert await answer == "Well, hello."
    await until(lambda: small.closed)


async def test_what_cannot_be_taken_over_leaves_everything_as_it_was(bench: Bench) -> None:
    made = list(bench.made)
    bench.refuse = "bad"
    more = '\n[[file]]\nname = "fine"\npath = "f"\n\n[[file]]\nname = "bad"\npath = "b"\n'
    bench.write(SETTINGS.replace('use = "small"', 'use = "fine"') + more)
    notice = await bench.said.until(lambda event: isinstance(event, NoticeEvent) and "bad" in event.text)
    assert isinstance(notice, NoticeEvent)
    assert "it was not taken over: bad is not wanted. The settings from before hold." in notice.text
    assert [status.name for status in bench.registry.statuses()] == ["small", "other", "far"]
    assert bench.registry.serves("reply") == "small"
    assert bench.model("fine").closed
    assert not any(one.closed for one in made)


async def test_settings_that_name_a_model_that_is_not_there_are_told_with_their_file(bench: Bench) -> None:
    with pytest.raises(ConfigError, match="use names nobody, but no model is called so"):
        await bench.config.change("model", PutValue(("use",), "nobody"))
    assert bench.registry.serves("reply") == "small"


async def test_a_model_that_has_failed_serves_nothing_until_it_can_be_tried(
    bench: Bench, clock: FakeClock
) -> None:
    small, far = bench.model("small"), bench.model("far")
    small.become(replace(small.status(), state="failed", reason="The file is gone."))
    assert bench.registry.serves("reply") == ""
    assert bench.registry.mind_name == "starter"
    with pytest.raises(ModelError, match=r"^The file is gone\.$"):
        await bench.ask()
    small.become(replace(small.status(), state="idle", reason=""))
    assert bench.registry.serves("reply") == "small"
    far.fault = ModelError("The server is away.")
    with pytest.raises(ModelError):
        await bench.ask("extract_params")
    far.become(replace(far.status(), state="failed", reason="The server is away."))
    assert bench.registry.serves("extract_params") == ""
    clock.move(timedelta(seconds=16))
    assert bench.registry.serves("extract_params") == "far", "only asking it shows whether it is back"


async def test_what_changes_is_told_and_never_more_often_than_anyone_can_look(bench: Bench) -> None:
    small = bench.model("small")
    small.become(replace(small.status(), state="loading"))
    first = await bench.said.until(lambda event: isinstance(event, ModelsEvent))
    assert isinstance(first, ModelsEvent)
    assert [(one.name, one.state, one.in_use) for one in first.models] == [
        ("small", "loading", True),
        ("other", "idle", False),
        ("far", "idle", False),
    ]
    for step in range(500):
        small.become(replace(small.status(), progress=step / 500))
        await asyncio.sleep(0)
    small.become(replace(small.status(), state="ready", progress=1.0))
    await bench.said.until(lambda event: isinstance(event, ModelsEvent) and event.models[0].state == "ready")
    told = [event for event in bench.said.events if isinstance(event, ModelsEvent)]
    assert len(told) < 50


async def test_the_first_keystroke_opens_files_and_asks_no_server(bench: Bench) -> None:
    bench.registry.warm_up()
    await bench.said.until(lambda event: isinstance(event, ModelsEvent) and event.models[0].state == "ready")
    bench.registry.warm_up()
    await asyncio.sleep(0)
    assert [one.loads for one in bench.made] == [1, 0, 0]


async def test_a_name_that_is_none_is_told_with_those_that_are(bench: Bench) -> None:
    with pytest.raises(UsageError, match=r"no model called x; there are small, other, far\."):
        await bench.registry.load("x")


@pytest.mark.parametrize(
    ("said", "system", "language"),
    [
        ("zh", "en_US.UTF-8", "zh"),
        ("auto", "zh_CN.UTF-8", "zh"),
        ("auto", "de_DE.UTF-8", "en"),
        ("auto", "", "en"),
    ],
)
async def test_the_language_of_prompts_is_the_settings_or_the_systems(
    tmp_path: Path,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    system: str,
    language: str,
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    if system:
        monkeypatch.setenv("LANG", system)
    async with registry_bench(tmp_path, clock, f'language = "{said}"\n') as one:
        assert one.registry.language() == language
