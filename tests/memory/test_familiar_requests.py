"""Familiar requests: after six confirmed passes no model is asked which ability words mean; a miss takes it
back. A whole Partner talks to a server of a model, which counts what it is asked."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.familiar_request import FamiliarSavings
from partner_desktop.domain.forgetting import ForgetSelection
from partner_desktop.domain.model_status import EndpointDraft
from tests.model.endpoint.badly import BadServer, Line
from tests.support import UPPER_SCRIPT, HastyClock, Watcher

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.cache")]

#: One more than makes a request familiar, none twice.
WORDS = ("abacus", "bassoon", "cactus", "dolphin", "eclair", "flute", "geyser", "hammock", "igloo")
LOUD = 'could the text "{}" be made louder somehow'
LOWER_SCRIPT = (
    UPPER_SCRIPT.replace("capital letters", "small letters")
    .replace("make it loud", "make it quiet")
    .replace("upper()", "lower()")
)


@dataclass
class Model:
    """Answers which ability is meant, and which text is in quotation marks."""

    means: str = "local::upper"
    asked: list[str] = field(default_factory=list)
    """`intent` or `params` for each of these calls."""

    async def answer(self, line: Line) -> None:
        said, form = line.seen.body["messages"][-1]["content"], line.seen.body.get("response_format")
        keys = form["json_schema"]["schema"]["properties"] if form else {}
        if "do" in keys:
            self.asked.append("intent")
            await line.say(json.dumps({"do": "act", "ability": self.means}))
        elif "text" in keys:
            self.asked.append("params")
            await line.say(json.dumps({"text": re.findall("|".join(WORDS), said)[-1]}))
        elif "title" in keys:
            await line.say(json.dumps({"title": "Louder"}))
        elif "helpful" in keys:
            await line.say(json.dumps({"helpful": []}))
        else:
            await line.say("Well.")


@dataclass
class Talk:
    partner: Partner
    model: Model
    watcher: Watcher

    async def say(self, text: str) -> int:
        """Say something in a conversation of its own; how often the model was asked what is meant."""
        before = self.model.asked.count("intent")
        self.watcher.events.clear()
        await self.partner.messages.send(text, conversation_id=None)
        await self.watcher.done()
        return self.model.asked.count("intent") - before

    async def card(self) -> ActionRecord:
        return (await self.partner.actions.list())[0]

    async def ask(self, text: str, *, approve: bool = True) -> int:
        """Say something and decide on its card; how often the model was asked what is meant."""
        calls = await self.say(text)
        card = await self.card()
        assert card.status is ActionStatus.WAITING, "a familiar request is no consent"
        if approve:
            await self.partner.actions.approve(card.id, scope="once")
        else:
            await self.partner.actions.reject(card.id)
        await self.partner.settled()
        return calls

    async def six_times(self, words: str = LOUD) -> None:
        for word in WORDS[:6]:
            assert await self.ask(words.format(word)) == 1


@asynccontextmanager
async def talking(home: Home, action_dir: Path, server: BadServer, model: Model) -> AsyncIterator[Talk]:
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    watcher = Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        for name, script in (("upper", UPPER_SCRIPT), ("lower", LOWER_SCRIPT)):
            (action_dir / "dynamic" / f"{name}.py").write_text(script, encoding="utf-8")
        for key in ("local::upper", "local::lower"):
            if key not in {ability.key for ability in partner.abilities.list()}:
                await watcher.until(lambda event, key=key: _brings(event, key))  # type: ignore[misc]
        if not partner.models.list():
            await partner.models.add_endpoint(EndpointDraft("parrot", server.address, "parrot", 8_192), "")
        yield Talk(partner, model, watcher)
    finally:
        await partner.close()


def _brings(event: object, key: str) -> bool:
    return isinstance(event, AbilitiesEvent) and any(one.key == key for one in event.changed)


@pytest.fixture
async def talk(home: Home, action_dir: Path) -> AsyncIterator[Talk]:
    model = Model()
    async with BadServer(model.answer) as server, talking(home, action_dir, server, model) as talk:
        yield talk


async def test_the_seventh_time_no_call_asks_what_is_meant_and_the_arguments_are_the_new_ones(
    talk: Talk,
) -> None:
    await talk.six_times()
    assert await talk.ask(LOUD.format("geyser")) == 0
    card = await talk.card()
    assert (card.key, card.params, card.status) == (
        "local::upper",
        {"text": "geyser"},
        ActionStatus.SUCCEEDED,
    )
    saved = await talk.partner.familiar.savings()
    assert (saved.requests, saved.calls_saved) == (1, 1)
    assert saved.saved_ms > 0
    [request] = await talk.partner.familiar.list()
    assert (request.key, request.words) == ("local::upper", "could the text … be made louder somehow")
    assert (request.active, request.passes, request.calls_saved) == (True, 7, 1)


async def test_other_words_are_asked_about_and_so_is_a_value_where_none_stood(talk: Talk) -> None:
    await talk.six_times()
    assert await talk.say('could the text "geyser" be made louder') == 1, "each time it was `somehow`"
    assert await talk.say('could the text "geyser" not be made louder somehow') == 1
    assert await talk.say('somehow could the text "geyser" be made louder') == 1, "in another order"
    assert await talk.say('why could the text "geyser" be made louder somehow') == 1
    assert await talk.say('could the text "geyser" be made louder "hammock" somehow') == 1
    talk.model.means = "local::lower"
    assert await talk.ask('could the text "geyser" be made quieter somehow') == 1
    assert (await talk.card()).key == "local::lower"


async def test_a_refused_card_takes_it_back_until_it_is_confirmed_six_times_anew(talk: Talk) -> None:
    await talk.six_times()
    assert await talk.ask(LOUD.format("geyser"), approve=False) == 0
    [request] = await talk.partner.familiar.list()
    assert (request.active, request.passes, round(request.threshold, 2)) == (False, 0, 0.78)
    await talk.six_times()
    assert await talk.ask(LOUD.format("hammock")) == 0


async def test_words_that_say_it_was_not_meant_take_it_back(talk: Talk) -> None:
    await talk.six_times()
    place = (await talk.card()).conversation_id
    talk.watcher.events.clear()
    await talk.partner.messages.send("that's not what I meant", conversation_id=place)
    await talk.watcher.done()
    assert await talk.ask(LOUD.format("geyser")) == 1


async def test_the_same_words_that_mean_another_ability_take_it_back(talk: Talk) -> None:
    for word in WORDS[:5]:
        await talk.ask(LOUD.format(word))
    talk.model.means = "local::lower"
    await talk.ask(LOUD.format("flute"))
    passes = {request.key: request.passes for request in await talk.partner.familiar.list()}
    assert passes == {"local::upper": 0, "local::lower": 1}
    talk.model.means = "local::upper"
    await talk.six_times()
    assert await talk.ask(LOUD.format("geyser")) == 0


async def test_after_three_misses_and_three_fresh_starts_with_three_each_it_is_given_up(talk: Talk) -> None:
    await talk.ask(LOUD.format("abacus"))
    for number in range(12):
        assert len(await talk.partner.familiar.list()) == 1, number
        await talk.ask(LOUD.format("bassoon"), approve=False)
    assert await talk.partner.familiar.list() == []


async def test_an_edit_of_the_script_makes_it_unknown(talk: Talk) -> None:
    await talk.six_times()
    talk.watcher.events.clear()
    edited = UPPER_SCRIPT.replace("print(text.upper())", "print(text.upper() + '!')")
    (talk.partner.action_dir / "dynamic" / "upper.py").write_text(edited, encoding="utf-8")
    await talk.watcher.until(lambda event: _brings(event, "local::upper"))
    assert await talk.ask(LOUD.format("geyser")) == 1
    [request] = await talk.partner.familiar.list()
    assert request.passes == 1


async def test_it_stays_over_a_restart(home: Home, action_dir: Path) -> None:
    model = Model()
    async with BadServer(model.answer) as server:
        async with talking(home, action_dir, server, model) as talk:
            await talk.six_times()
        async with talking(home, action_dir, server, model) as talk:
            assert await talk.ask(LOUD.format("geyser")) == 0
            assert (await talk.partner.familiar.savings()).calls_saved == 1


async def test_chinese_words_are_familiar_by_their_characters(talk: Talk) -> None:
    words = "能不能把“{}”这几个字弄得响亮些"
    for word in WORDS[:6]:
        assert await talk.ask(words.format(word)) == 1
    assert await talk.ask(words.format("geyser")) == 0
    assert (await talk.card()).params == {"text": "geyser"}
    talk.model.means = "local::lower"
    assert await talk.ask("能不能把“geyser”这几个字弄得小声些") == 1
    assert (await talk.card()).key == "local::lower"


async def test_one_is_forgotten_or_all_and_a_model_is_asked_again(talk: Talk) -> None:
    await talk.six_times()
    await talk.ask(LOUD.format("geyser"))
    [request] = await talk.partner.familiar.list()
    await talk.partner.familiar.forget(request.id)
    with pytest.raises(UsageError, match=r"no familiar request .*familiar list"):
        await talk.partner.familiar.forget(request.id)
    assert await talk.ask(LOUD.format("hammock")) == 1
    assert (await talk.partner.familiar.savings()).calls_saved == 1
    await talk.partner.familiar.clear()
    assert await talk.partner.familiar.list() == []
    assert await talk.partner.familiar.savings() == FamiliarSavings()


@pytest.mark.promise("memory.forget")
async def test_what_is_forgotten_is_familiar_no_longer(talk: Talk) -> None:
    await talk.six_times()
    place = (await talk.card()).conversation_id
    preview = await talk.partner.forgetting.preview(ForgetSelection(conversation_id=place))
    assert preview.held_counts["intent"] >= 1
    await talk.partner.forgetting.forget(preview.id)
    await talk.partner.forgetting.settled()
    assert await talk.ask(LOUD.format("geyser")) == 1


async def test_a_conversation_that_is_not_remembered_teaches_nothing(talk: Talk) -> None:
    await talk.six_times()
    for record in await talk.partner.actions.list():
        await talk.partner.forgetting.do_not_remember(record.conversation_id, on=True)
    assert await talk.partner.familiar.list() == []


async def test_without_a_model_it_is_counted_and_saves_nothing(talk: Talk) -> None:
    await talk.partner.models.use("starter")
    for word in WORDS[:7]:
        assert await talk.ask(f'make it loud: "{word}"') == 0
    [request] = await talk.partner.familiar.list()
    assert (request.passes, request.active, request.calls_saved) == (7, True, 0)
    assert await talk.partner.familiar.savings() == FamiliarSavings(requests=1)


async def test_what_was_undone_was_not_meant(talk: Talk, tmp_path: Path) -> None:
    await talk.partner.models.use("starter")
    for name in WORDS[:2]:
        await talk.ask(f"create the folder {tmp_path}/{name}")
    card = await talk.card()
    assert card.undo is not None
    [request] = await talk.partner.familiar.list()
    assert request.passes == 2
    await talk.partner.actions.undo(card.id)
    [request] = await talk.partner.familiar.list()
    assert request.passes == 0
