"""What is asked in the chat: which ability was meant, what is missing, and what if nobody answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from partner_desktop.action.confirmation_expiry import CONFIRMATION_TIMEOUT
from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    AbilitiesEvent,
    ActionEvent,
    Event,
    ProposalEvent,
    ReplyEvent,
    ResultEvent,
    RunEvent,
)
from partner_desktop.domain.message import Message
from tests.model.engine import until
from tests.support import FakeClock, HastyClock, Watcher

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration

SHRINK = """\
# /// partner
# description = "Shrink pictures {how}"
# aliases = ["shrink my pictures"]
# [params.percent]
# type = "integer"
# description = "how small, in percent"
# ///
"""

TIDY = """\
# /// partner
# description = "Tidy up a folder"
# [params.folder]
# type = "string"
# format = "path"
# access = "write"
# description = "the folder to tidy"
# ///
"""


class Talk:
    """A conversation with a real Partner."""

    def __init__(self, partner: Partner, watcher: Watcher) -> None:
        self.partner = partner
        self.watcher = watcher
        self.conversation_id: str | None = None

    async def say(self, text: str) -> str:
        """Send, wait for the end of the exchange, and read the answer."""
        self.watcher.events.clear()
        message: Message = await self.partner.messages.send(text, conversation_id=self.conversation_id)
        self.conversation_id = message.conversation_id
        await self.watcher.done()
        return "\n".join(
            event.text for event in self.watcher.events if isinstance(event, ReplyEvent) and event.done
        )

    def proposals(self) -> list[ActionRecord]:
        return [event.action for event in self.watcher.events if isinstance(event, ProposalEvent)]

    def asked(self) -> list[ActionRecord]:
        return [event.action for event in self.watcher.events if isinstance(event, ActionEvent)]


@pytest.fixture
async def clocked(home: Home, action_dir: Path, clock: FakeClock) -> AsyncIterator[Partner]:
    one = Partner(home, action_dir, clock=clock, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    yield one
    await one.close()


def _lists(event: Event, key: str) -> bool:
    return isinstance(event, AbilitiesEvent) and any(ability.key == key for ability in event.changed)


@pytest.fixture
async def talk(clocked: Partner, action_dir: Path) -> Talk:
    """Two abilities that answer to the same words."""
    watcher = Watcher()
    clocked.subscribe(watcher)
    for name, how in (("keep_shape", "and keep their shape"), ("crop_square", "to a square")):
        (action_dir / "dynamic" / f"{name}.py").write_text(SHRINK.format(how=how), encoding="utf-8")
        await watcher.until(partial(_lists, key=f"local::{name}"))
    return Talk(clocked, watcher)


async def test_abilities_that_fit_equally_are_offered_as_a_choice(talk: Talk) -> None:
    answer = await talk.say("shrink my pictures to 50 percent")
    assert "1. **Crop square**" in answer
    assert "2. **Keep shape**" in answer
    assert not talk.proposals(), "nothing is proposed before the choice"


@pytest.mark.parametrize(
    "words", ["the second", "2", "number two please", "keep shape", "第二个", "the last one"]
)
async def test_the_choice_is_understood_and_goes_on_with_what_was_said_before(talk: Talk, words: str) -> None:
    await talk.say("shrink my pictures to 50 percent")
    await talk.say(words)
    [proposal] = talk.proposals()
    assert proposal.key == "local::keep_shape"
    assert proposal.params == {"percent": 50}


async def test_a_choice_that_cannot_be_told_is_asked_again(talk: Talk) -> None:
    await talk.say("shrink my pictures")
    assert "could not tell" in await talk.say("hmm, the blue one maybe")
    await talk.say("the first")
    assert talk.asked()[-1].asked_param == "percent"


async def test_a_choice_can_be_called_off(talk: Talk) -> None:
    await talk.say("shrink my pictures")
    await talk.say("never mind")
    assert [record.status for record in await talk.partner.actions.list()] == [ActionStatus.REJECTED]


async def test_another_request_is_done_and_the_choice_is_put_again(talk: Talk) -> None:
    await talk.say("shrink my pictures")
    said = await talk.say("what time is it?")
    runs = [event.action.key for event in talk.watcher.events if isinstance(event, RunEvent)]
    assert runs == ["builtin::time"]
    assert "1. **Crop square**" in said, "and then the choice is put again"
    await talk.say("the first")
    assert talk.asked()[-1].key == "local::crop_square"


async def test_a_place_counts_as_it_was_offered_although_an_option_has_gone(talk: Talk) -> None:
    await talk.say("shrink my pictures to 50 percent")
    await talk.partner.abilities.switch("local::crop_square", on=False)
    await talk.say("2")
    assert [proposal.key for proposal in talk.proposals()] == ["local::keep_shape"]


@pytest.mark.parametrize("how", ["off", "removed"])
async def test_a_chosen_option_that_has_gone_is_said_and_what_is_left_is_asked_for(
    talk: Talk, action_dir: Path, how: str
) -> None:
    await talk.say("shrink my pictures to 50 percent")
    if how == "off":
        await talk.partner.abilities.switch("local::crop_square", on=False)
    else:
        (action_dir / "dynamic" / "crop_square.py").unlink()
        await talk.watcher.until(
            lambda event: isinstance(event, AbilitiesEvent) and "local::crop_square" in event.removed
        )
    answer = await talk.say("the first")
    assert not talk.proposals()
    assert "**Crop square**. It is not there any more, or is switched off." in answer
    assert "1. **Keep shape**" in answer
    assert talk.asked()[-1].options == ("local::keep_shape",)
    await talk.say("the first")
    assert [proposal.key for proposal in talk.proposals()] == ["local::keep_shape"]


async def test_a_choice_of_which_nothing_is_left_ends_and_the_words_are_understood(talk: Talk) -> None:
    await talk.say("shrink my pictures")
    for name in ("crop_square", "keep_shape"):
        await talk.partner.abilities.switch(f"local::{name}", on=False)
    await talk.say("what time is it?")
    assert [e.action.key for e in talk.watcher.events if isinstance(e, RunEvent)] == ["builtin::time"]
    [ended] = [record for record in await talk.partner.actions.list() if record.key != "builtin::time"]
    assert ended.status is ActionStatus.REJECTED
    assert ended.error == "None of what was offered is there any more."


async def test_a_question_whose_ability_has_gone_ends_and_the_words_are_understood(talk: Talk) -> None:
    await talk.say("shrink my pictures")
    await talk.say("1")
    await talk.partner.abilities.switch("local::crop_square", on=False)
    await talk.say("what time is it?")
    assert [e.action.key for e in talk.watcher.events if isinstance(e, RunEvent)] == ["builtin::time"]
    [ended] = [record for record in await talk.partner.actions.list() if record.key != "builtin::time"]
    assert ended.status is ActionStatus.REJECTED
    assert "switched off" in ended.error


async def test_a_renamed_ability_is_chosen_by_its_place_as_before(talk: Talk, action_dir: Path) -> None:
    folder = action_dir / "dynamic" / "small"
    folder.mkdir()
    described = {"description": "Shrink pictures by half", "aliases": ["shrink my pictures"], "params": {}}
    (folder / "desc.json").write_text(json.dumps(described))
    (folder / "run.py").write_text("print('small')\n")
    await talk.watcher.until(partial(_lists, key="local::small"))
    await talk.say("shrink my pictures")
    [question] = talk.asked()
    draft = await talk.partner.abilities.draft("local::small")
    await talk.partner.abilities.describe("local::small", replace(draft, name="tiny"))
    renamed = await talk.partner.actions.get(question.id)
    assert renamed.options == tuple(key.replace("small", "tiny") for key in question.options)
    assert "local::tiny" in renamed.options
    await talk.say(str(renamed.options.index("local::tiny") + 1))
    assert [proposal.key for proposal in talk.proposals()] == ["local::tiny"]


@pytest.mark.promise("actions.askuser")
async def test_what_is_missing_is_asked_for_and_the_answer_resumes(talk: Talk) -> None:
    await talk.say("shrink my pictures")
    await talk.say("1")
    assert [record.asked_param for record in talk.asked()] == ["percent"]
    await talk.say("make it 30")
    [proposal] = talk.proposals()
    assert (proposal.key, proposal.params) == ("local::crop_square", {"percent": 30})


@pytest.mark.promise("actions.askuser")
async def test_a_question_that_nobody_answers_times_out_and_says_so(talk: Talk, clock: FakeClock) -> None:
    await talk.say("shrink my pictures")
    talk.watcher.events.clear()
    clock.move(CONFIRMATION_TIMEOUT + timedelta(seconds=1))
    ended = await talk.watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(ended, ResultEvent)
    assert ended.action.status is ActionStatus.EXPIRED
    said = await talk.watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)
    assert isinstance(said, ReplyEvent)
    assert "timed out" in said.text


@pytest.mark.promise("actions.askuser")
async def test_a_question_survives_a_restart_and_its_answer_resumes(
    talk: Talk, home: Home, action_dir: Path, clock: FakeClock
) -> None:
    await talk.say("shrink my pictures to 40 percent")
    await talk.partner.close()
    again = Partner(home, action_dir, clock=clock, meaning=False, quiet_clock=HastyClock())
    watcher = Watcher()
    await again.launch()
    try:
        again.subscribe(watcher)
        later = Talk(again, watcher)
        later.conversation_id = talk.conversation_id
        await later.say("the first")
        [proposal] = later.proposals()
        assert (proposal.key, proposal.params) == ("local::crop_square", {"percent": 40})
    finally:
        await again.close()


async def test_a_question_that_timed_out_while_closed_says_so_at_the_next_start(
    talk: Talk, home: Home, action_dir: Path, clock: FakeClock
) -> None:
    await talk.say("shrink my pictures")
    await talk.partner.close()
    clock.move(CONFIRMATION_TIMEOUT)
    again = Partner(home, action_dir, clock=clock, meaning=False, quiet_clock=HastyClock())
    await again.launch()
    try:
        assert talk.conversation_id is not None
        watcher = Watcher()
        again.subscribe(watcher)
        await watcher.until(lambda event: isinstance(event, ReplyEvent) and "timed out" in event.text)
    finally:
        await again.close()


async def test_a_question_that_goes_on_while_its_end_is_near_stays_open(talk: Talk, clock: FakeClock) -> None:
    """The look at what is due waits for the lock in which an answer makes the next question of it."""
    await talk.say("shrink my pictures")
    [question] = talk.asked()
    partner = talk.partner
    lock = partner._parts.actions.executor.settling(question.conversation_id)
    async with lock:
        clock.move(CONFIRMATION_TIMEOUT + timedelta(seconds=1))
        looking = asyncio.ensure_future(partner._parts.actions.confirmation_expiry.look())
        await until(lambda: len(lock._waiters or ()) == 2)  # this look, and the one that the clock began
        going_on = replace(question, options=(), asked_param="percent", asked_at=clock.now())
        assert await partner._parts.actions.store.replace(going_on, only_from=ActionStatus.ASKING)
    await looking
    assert await partner.actions.get(question.id) == going_on


async def test_a_question_of_a_deleted_conversation_does_not_end_in_it(talk: Talk, clock: FakeClock) -> None:
    await talk.say("shrink my pictures")
    [question] = talk.asked()
    partner = talk.partner
    await partner.conversations.delete(question.conversation_id)
    before = await partner._parts.actions.store.in_status(ActionStatus.ASKING, deleted_too=True)
    clock.move(CONFIRMATION_TIMEOUT + timedelta(seconds=1))
    await partner._parts.actions.confirmation_expiry.look()
    assert (
        await partner._parts.actions.store.in_status(ActionStatus.ASKING, deleted_too=True)
        == before
        == [question]
    )
    await partner.conversations.restore(question.conversation_id)
    await partner._parts.actions.confirmation_expiry.look()
    assert (await partner.actions.get(question.id)).status is ActionStatus.EXPIRED
    said = await talk.watcher.until(lambda event: isinstance(event, ReplyEvent) and "timed out" in event.text)
    assert isinstance(said, ReplyEvent)


async def test_a_request_in_place_of_a_folders_name_is_done_and_the_question_is_kept(
    talk: Talk, action_dir: Path
) -> None:
    (action_dir / "dynamic" / "tidy.py").write_text(TIDY, encoding="utf-8")
    await talk.watcher.until(partial(_lists, key="local::tidy"))
    await talk.say("tidy up a folder")
    assert talk.asked()[-1].asked_param == "folder"
    said = await talk.say("shrink all my pictures")
    assert "I'll come back to **Tidy**" in said
    said = await talk.say("never mind")
    assert "Back to **Tidy**" in said
    await talk.say("tidy up a folder")
    await talk.say("~/old-letters")
    assert talk.proposals()[-1].params["folder"].endswith("old-letters")  # type: ignore[union-attr] # a text
