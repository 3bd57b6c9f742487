"""What a model is good for: twenty fixed tasks, scored by rules, beside the starter mind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import ModelError, UsageError
from partner_desktop.base.operation import Caller
from partner_desktop.base.paths import Home
from partner_desktop.communication.single_prompt import SinglePrompt
from partner_desktop.config.entries import AddEntry, DropEntry
from partner_desktop.domain.events import ActionEvent, Event, ModelCheckEvent, UsageEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.model_check import CheckArea, CheckResult, ModelCheck
from partner_desktop.domain.model_status import EndpointDraft
from partner_desktop.mind.check_tasks import SpokenLanguage, check_abilities, check_tasks, speaks
from partner_desktop.mind.prompted.mind import PromptedMind
from partner_desktop.mind.self_test import SelfTest
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.model.single_model import SingleModel
from tests.model.endpoint.badly import BadServer, Behaviour, Line, hang, refusing
from tests.model.engine import needs_engine, until
from tests.model.obedient import Obedient, properties_of
from tests.model.registries import registry_bench
from tests.model.tiny import make_tiny_model
from tests.model.worker.tool_templates import STYLES
from tests.support import REPOSITORY, HastyClock, Watcher

pytestmark = pytest.mark.integration

_AREAS: dict[CheckArea, int] = {
    "choose": 4,
    "arguments": 4,
    "abstain": 3,
    "form": 3,
    "language": 3,
    "resist": 3,
}
_WHO = Caller.ATTACHED
_SPOKEN: tuple[SpokenLanguage, ...] = ("en", "zh", "de")


@asynccontextmanager
async def _serving(partner: Partner, *script: Behaviour) -> AsyncIterator[tuple[str, Watcher, BadServer]]:
    """A Partner with a server for a model, and what it said."""
    said = Watcher()
    undo = partner.subscribe(said)
    async with BadServer(*script) as server:
        draft = EndpointDraft("served", server.address, "parrot")
        yield await partner.models.add_endpoint(draft, ""), said, server
    undo()


def _checks(events: Sequence[Event]) -> list[ModelCheck]:
    return [event.check for event in events if isinstance(event, ModelCheckEvent)]


def _failed(check: ModelCheck) -> list[tuple[str, str]]:
    return [(result.id, result.answer) for result in check.results if not result.passed]


@pytest.mark.integration
@pytest.mark.promise("model.selftest")
@pytest.mark.parametrize(("language", "thoughts"), [("en", False), ("zh", True)])
async def test_a_model_that_does_as_it_is_told_passes_every_task_and_nothing_else_comes_of_it(
    partner: Partner, language: Literal["en", "zh"], thoughts: bool
) -> None:
    obedient = Obedient(language, thoughts=thoughts)
    async with _serving(partner, obedient) as (name, said, _):
        await partner.models.use("starter")  # whoever answers: this model is asked
        check = await partner.checks.run(name, language=language)
        assert _failed(check) == []
        assert {area: check.score(area)[1] for area in _AREAS} == _AREAS
        assert set(obedient.asked) == {task.id for task in check_tasks()}
        starter = [result.starter_passed for result in check.results]
        assert starter.count(None) == _AREAS["form"]
        assert 5 <= starter.count(True) <= 15
        assert [len(each.results) for each in _checks(said.events)] == [*range(21), 20]
        assert await partner.checks.last(name) == check
        assert {score.question: score.better for score in await partner.checks.questions(name)} == {
            "evaluate_intent": "model",
            "pick_ability": "model",
            "extract_params": "model",
            "write_for_agent": "",
            "reply": "model",
            "summarise": "",
        }
    assert await partner.conversations.list() == []
    assert await partner.actions.list() == []
    assert [event for event in said.events if isinstance(event, UsageEvent | ActionEvent)] == []


async def test_a_result_is_kept_over_a_restart_for_that_very_model(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    try:
        async with _serving(one, Obedient("en")) as (name, _, server):
            check = await one.checks.run(name, language="en")
            other = await one.models.add_endpoint(EndpointDraft("other", server.address, "owl"), "")
    finally:
        await one.close()
    two = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await two.launch()
    try:
        assert await two.checks.last(name) == check
        assert await two.checks.last(other) is None
        assert await two.checks.questions(other) == ()
        with pytest.raises(UsageError, match="nobody"):
            await two.checks.last("nobody")
    finally:
        await two.close()


@needs_engine
@pytest.mark.integration
async def test_a_model_that_babbles_passes_next_to_nothing_and_another_file_has_no_result(
    partner: Partner, tmp_path: Path
) -> None:
    path = make_tiny_model(tmp_path / "tiny.gguf", context_tokens=32_768)
    name = await partner.models.add_file(path)
    check = await partner.checks.run(name, language="en")
    assert (len(check.results), check.trouble) == (20, "")
    assert check.passed <= 1
    assert check.score("abstain") == (0, 3)  # who never chooses has held back from nothing
    assert check.tokens_per_s > 0
    assert await partner.checks.last(name) == check
    await partner.models.unload(name)
    make_tiny_model(path, seed=8, context_tokens=32_768)
    assert await partner.checks.last(name) is None
    path.unlink()
    assert await partner.checks.last(name) is None


@needs_engine
@pytest.mark.parametrize("tool_format", ["auto", "off"])
async def test_it_runs_whether_choices_are_calls_of_tools_or_not(
    partner: Partner, tmp_path: Path, tool_format: str
) -> None:
    template = STYLES["qwen"].template
    path = make_tiny_model(tmp_path / "tiny.gguf", context_tokens=32_768, template=template)
    entry: JsonObject = {"name": "babbler", "path": str(path), "threads": 1, "tool_format": tool_format}
    await partner.config.change("model", AddEntry("file", entry))
    check = await partner.checks.run("babbler", language="en")
    assert (len(check.results), check.trouble) == (20, "")
    assert check.passed <= 2


@needs_engine
@pytest.mark.logs_errors
@pytest.mark.integration
async def test_a_worker_that_is_killed_in_the_middle_costs_a_task_and_not_the_test(
    partner: Partner, tmp_path: Path
) -> None:
    said = Watcher()
    partner.subscribe(said)
    path = make_tiny_model(tmp_path / "tiny.gguf", context_tokens=32_768, width=32, layers=1)
    name = await partner.models.add_file(path)
    await partner.checks.start(name, language="en")
    await said.until(lambda event: isinstance(event, ModelCheckEvent) and len(event.check.results) > 0)
    model = partner._parts.models.registry.slot(name).model
    pid = getattr(model, "pid", None)
    assert isinstance(pid, int)
    os.kill(pid, signal.SIGKILL)
    check = await partner.checks.run(name)  # the one under way
    assert check.at is not None
    assert len(check.results) >= 2
    assert check.passed <= 1


@pytest.mark.parametrize(
    "script",
    [(refusing(500),), (Obedient("en"), Obedient("en"), refusing(500))],
    ids=["from the beginning", "after two tasks"],
)
@pytest.mark.logs_errors
async def test_a_server_that_breaks_ends_the_test_with_a_reason_and_nothing_is_kept(
    partner: Partner, script: tuple[Behaviour, ...]
) -> None:
    async with _serving(partner, *script) as (name, said, _):
        await partner.checks.start(name, language="en")
        event = await said.until(
            lambda event: isinstance(event, ModelCheckEvent) and bool(event.check.trouble)
        )
        assert isinstance(event, ModelCheckEvent)
        assert 1 <= len(event.check.results) < 6
        assert event.check.at is not None
        assert await partner.checks.last(name) is None


async def test_what_cannot_be_opened_is_one_sentence(partner: Partner, tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF" + bytes(64))
    name = await partner.models.add_file(path)
    path.unlink()
    with pytest.raises(ModelError, match=r"broken\.gguf"):
        await partner.checks.run(name)
    with pytest.raises(UsageError, match="nobody"):
        await partner.checks.start("nobody")
    assert await partner.checks.last(name) is None


async def test_a_test_that_is_stopped_in_the_middle_says_so_and_the_model_is_left(partner: Partner) -> None:
    obedient = Obedient("en")
    async with _serving(partner, obedient, obedient, hang) as (name, said, server):
        begun = await partner.checks.start(name, language="en")
        assert (begun.at, begun.results) == (None, ())
        await until(lambda: len(server.asked) == 3)
        under_way = await partner.checks.last(name)
        assert under_way is not None
        assert len(under_way.results) == 2
        waits = asyncio.create_task(partner.checks.run(name))
        await partner.checks.stop(name)
        assert (await waits).trouble == "The self-test was stopped."
        await asyncio.wait_for(server.left.wait(), 20)
        assert _checks(said.events)[-1].at is not None
        assert await partner.checks.last(name) is None
        await partner.checks.stop(name)


async def test_a_test_that_is_stopped_before_it_begins_can_be_begun_again(partner: Partner) -> None:
    async with _serving(partner, Obedient("en")) as (name, said, _):
        await partner.checks.start(name, language="en")
        await partner.checks.stop(name)
        assert [check.trouble for check in _checks(said.events)] == ["The self-test was stopped."]
        assert (await partner.checks.run(name, language="en")).passed == 20


async def test_a_model_that_becomes_another_in_the_middle_has_no_result(partner: Partner) -> None:
    async with _serving(partner, Obedient("en")) as (name, said, server):
        waits = asyncio.create_task(partner.checks.run(name, language="en"))
        await said.until(lambda event: isinstance(event, ModelCheckEvent) and len(event.check.results) == 3)
        drop = DropEntry("endpoint", {"name": name})
        other: JsonObject = {"name": name, "base_url": server.address, "model": "owl"}
        await partner.config.change("model", drop, AddEntry("endpoint", other))
        assert "was changed" in (await waits).trouble
        assert await partner.checks.last(name) is None
        other["model"] = "parrot"
        await partner.config.change("model", drop, AddEntry("endpoint", other))
        assert await partner.checks.last(name) is None


async def _echo(line: Line) -> None:
    """Says what it was told last, in whatever form is asked for."""
    text, properties = str(line.seen.body["messages"][-1]["content"]), properties_of(line.seen.body)
    await line.say(text if properties is None else json.dumps(dict.fromkeys(properties, text)))


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_model_that_repeats_its_prompt_passes_nothing(
    partner: Partner, language: Literal["en", "zh"]
) -> None:
    async with _serving(partner, _echo) as (name, _, _server):
        check = await partner.checks.run(name, language=language)
        assert (len(check.results), check.trouble) == (20, "")
        assert [result.id for result in check.results if result.passed] == []


async def test_a_question_is_left_to_the_starter_mind_and_given_back_with_the_rest_of_its_role(
    partner: Partner,
) -> None:
    async with _serving(partner, Obedient("en")) as (name, _, _server):
        registry = partner._parts.models.registry
        await partner.config.set("model", ("max_tokens",), 900)
        for starter in (True, True, False, False):
            given: JsonObject = {"question": "extract_params", "starter": starter}
            await partner.operations.call("checks.prefer", given, caller=_WHO)
            assert registry.serves("extract_params") == ("" if starter else name)
            assert registry.serves("evaluate_intent") == name
        assert _roles(partner) == {}
        await partner.config.change("model", AddEntry("role", {"question": "reply", "temperature": 0.1}))
        await partner.checks.prefer("reply", starter=True)
        assert (registry.serves("reply"), _roles(partner)["reply"]) == ("", 0.1)
        await partner.checks.prefer("reply", starter=False)
        assert (registry.serves("reply"), _roles(partner)["reply"]) == (name, 0.1)


def _roles(partner: Partner) -> dict[str, float | None]:
    """Question → temperature, of those that have a role."""
    settings = partner._parts.models.registry.settings
    return {role.question: role.temperature for role in settings.role}


class _Bench:
    """A self-test over a model that says what a test gives it."""

    def __init__(self, registry: object) -> None:
        clock = SystemClock()
        prompts = SinglePrompt(tuple(check_abilities("en").values()), language="en", persona="", clock=clock)
        self.model = SingleModel(registry, "small", language="en", clock=clock)  # type: ignore[arg-type] # one
        self.test = SelfTest(
            self.model,
            prompts,
            StarterMind(),
            PromptedMind,
            language="en",
            task_s=0.3,
            tasks=check_tasks()[:9],
        )

    async def run(self) -> list[CheckResult]:
        return [result async for result in self.test.results()]


_SMALL = 'use = "small"\n[[file]]\nname = "small"\npath = "/models/small.gguf"\n'


async def test_a_model_that_never_answers_has_each_task_taken_from_it_in_time(tmp_path: Path) -> None:
    async with registry_bench(tmp_path, SystemClock(), _SMALL) as bench:
        bench.model("small").gate.clear()
        results = await _Bench(bench.registry).run()
        assert {result.answer for result in results} == {"No answer within 0.3 s."}
        assert not any(result.passed for result in results)


@pytest.mark.parametrize("words", ['{"do": "reply", "ability": null}', "{}", "", "Certainly!", "[" * 4_000])
async def test_what_the_starter_mind_would_answer_in_its_place_is_not_counted_for_a_model(
    tmp_path: Path, words: str
) -> None:
    async with registry_bench(tmp_path, SystemClock(), _SMALL) as bench:
        bench.model("small").words = (words,)
        results = await _Bench(bench.registry).run()
        assert [result.id for result in results if result.passed] == []
        assert any(result.starter_passed for result in results)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("There are twelve of them on the shelf.", "en"),
        ("Auf dem Regal stehen zwölf, und das ist alles.", "de"),
        ("架子上有 12 个 boxes。", "zh"),
        ("12", ""),
        ("jfkd lskdjf lskdjf", ""),
        ("书架 on the shelf there are twelve of them", "en"),
    ],
)
def test_a_language_is_told_by_letters_and_common_words(text: str, language: str) -> None:
    assert [one for one in _SPOKEN if speaks(text, one)] == ([language] if language else [])


def test_no_task_stands_in_a_prompt_of_ours_or_in_a_test() -> None:
    own = {REPOSITORY / "resources" / "models" / "self_test.toml", Path(__file__)}
    kinds = {".md", ".toml", ".py", ".jsonl", ".json", ".txt"}
    places = [
        path
        for folder in ("resources", "tests")
        for path in (REPOSITORY / folder).rglob("*")
        if path.suffix in kinds and path not in own
    ]
    read = [path.read_text(encoding="utf-8", errors="replace").casefold() for path in places]
    assert len(check_tasks()) == len({task.id for task in check_tasks()}) == 20
    for task in check_tasks():
        wordings = [task.text] if isinstance(task.text, str) else [*task.text.values()]
        for words in [*wordings, *([task.result] if task.result else [])]:
            assert not any(words.casefold() in text for text in read), words
