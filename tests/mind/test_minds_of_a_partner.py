"""A whole Partner whose mind switches: models come and go between two messages, and approve nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, ReplyEvent
from partner_desktop.mind.answerers import SwitchingMind
from tests.mind.scripted_models import Prompted, Said, ScriptedModels
from tests.support import UPPER_SCRIPT, HastyClock, Watcher

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration


class Steady(ScriptedModels):
    """The same answer to the same question every time."""

    def __init__(self) -> None:
        super().__init__()
        self.script: dict[str, Said] = {"reply": "From the model."}
        self.chooses: dict[str, str] = {}
        """Words that are asked about → the ability that they choose."""

    def take(self, question: str) -> Said:
        if question == "evaluate_intent":
            for words, name in self.chooses.items():
                if json.dumps(words) in self.calls[-1].tail:
                    return json.dumps({"do": "act", "ability": name})
        return self.script.get(question, "{}")


@dataclass
class Talk:
    """A conversation with a real Partner over a switching mind."""

    partner: Partner
    models: Steady
    watcher: Watcher
    told: list[tuple[str, str]]
    conversation_id: str | None = None
    statuses: list[str] = field(default_factory=list)

    async def say(self, text: str) -> str:
        self.watcher.events.clear()
        message = await self.partner.messages.send(text, conversation_id=self.conversation_id)
        self.conversation_id = message.conversation_id
        await self.watcher.done()
        done = [event for event in self.watcher.events if isinstance(event, ReplyEvent) and event.done]
        return "\n".join(event.text for event in done)

    async def last_mind(self) -> str:
        """Who answered the latest turn, as it is kept."""
        turns = await self.partner.context.turns(self.conversation_id or "")
        snapshot = await self.partner.context.snapshot(turns[-1].turn_id)
        assert snapshot is not None
        return snapshot.mind

    async def stand(self) -> list[ActionStatus]:
        return [record.status for record in await self.partner.actions.list()]


@pytest.fixture
async def talk(home: Home, action_dir: Path) -> AsyncIterator[Talk]:
    prompted = Prompted()
    prompted.models = models = Steady()
    prompted.mind = prompted.make()
    mind = SwitchingMind(lambda: prompted.starter, lambda _: prompted.mind, models)
    partner = Partner(home, action_dir, meaning=False, mind=mind, quiet_clock=HastyClock())
    watcher = Watcher()
    await partner.launch()
    partner.subscribe(watcher)
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT, encoding="utf-8")
    await watcher.until(
        lambda event: (
            isinstance(event, AbilitiesEvent) and any(one.key == "local::upper" for one in event.changed)
        )
    )
    yield Talk(partner, models, watcher, prompted.told)
    await partner.close()


@pytest.mark.promise("mind.switch")
async def test_a_model_that_comes_and_goes_switches_the_mind_of_a_running_partner(talk: Talk) -> None:
    talk.models.model = ""
    assert "From the model." not in await talk.say("hello")
    assert await talk.last_mind() == "starter"
    talk.models.model = "small"
    assert await talk.say("hello") == "From the model."
    assert await talk.last_mind() == "small"
    talk.models.model = ""
    assert "From the model." not in await talk.say("hello")
    assert await talk.last_mind() == "starter"


async def test_a_model_chooses_and_fills_in_and_only_a_plain_yes_lets_it_run(talk: Talk) -> None:
    talk.models.script |= {
        "evaluate_intent": json.dumps({"do": "act", "ability": "local::upper"}),
        "extract_params": json.dumps({"text": "good morning"}),
        "judge_confirmation": json.dumps({"means": "confirm"}),
    }
    await talk.say("could the text about the morning be made louder somehow")
    [record] = await talk.partner.actions.list()
    assert (record.key, record.params) == ("local::upper", {"text": "good morning"})
    assert record.status is ActionStatus.WAITING
    talk.models.script["evaluate_intent"] = json.dumps({"do": "reply", "ability": None})
    for words in (
        "I suppose you might as well",
        'my friend says "yes, run it"',
        "go ahead and also tell me why",
    ):
        await talk.say(words)
        assert await talk.stand() == [ActionStatus.WAITING]
    await talk.say("yes please")
    assert await talk.stand() == [ActionStatus.WAITING], "other things were said since: is the card meant?"
    await talk.say("yes please")
    assert (await talk.stand())[0] in (ActionStatus.RUNNING, ActionStatus.SUCCEEDED)


@pytest.mark.promise("mind.invalid")
async def test_with_a_model_that_answers_nothing_useful_the_work_is_done_all_the_same(talk: Talk) -> None:
    talk.models.script |= {"evaluate_intent": "zebra", "extract_params": "{}", "judge_confirmation": "[]"}
    await talk.say('please shout the text "good morning" in capital letters')
    [record] = await talk.partner.actions.list()
    assert record.params == {"text": "good morning"}
    assert {question for question, _ in talk.told} == {"evaluate_intent", "extract_params"}
    assert not any("zebra" in message.text for call in talk.models.calls for message in call.messages)


def about_card(does: str, text: str | None = None) -> str:
    return json.dumps({"does": does, "about": "card_1", "values": {"card_1.text": text}})


async def test_a_model_reads_what_words_want_of_a_card_which_asks_anew_and_nothing_else_runs(
    talk: Talk,
) -> None:
    await talk.say('please shout the text "good morning" in capital letters')
    assert await talk.stand() == [ActionStatus.WAITING]
    words = "it struck me that it is late, so good evening would be kinder"
    for answer in ("approve", "confirm", "run"):
        talk.models.script["read_open_words"] = about_card(answer)
        await talk.say(words)
        assert await talk.stand() == [ActionStatus.WAITING]
    talk.models.script["read_open_words"] = about_card("amend", "good riddance")
    await talk.say(words)
    talk.models.script["read_open_words"] = about_card("amend", "good evening")
    assert [record.params for record in await talk.partner.actions.list()] == [{"text": "good morning"}]
    await talk.say(words)
    [record] = await talk.partner.actions.list()
    assert (record.params, record.status) == ({"text": "good evening"}, ActionStatus.WAITING)
    await talk.say("yes")
    assert (await talk.stand())[0] in (ActionStatus.RUNNING, ActionStatus.SUCCEEDED)
