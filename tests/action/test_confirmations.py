"""A card that waits: its half hour, and the words that settle it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.action.confirmation_expiry import CONFIRMATION_TIMEOUT, REMINDER
from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    AbilitiesEvent,
    Event,
    ProposalEvent,
    ReplyEvent,
    ResultEvent,
    RunEvent,
)
from partner_desktop.domain.message import Role
from partner_desktop.permission.request import ApprovalMode
from tests.model.engine import until
from tests.support import UPPER_SCRIPT, FakeClock, HastyClock, Watcher

# A whole story of its own: it belongs to the whole gate.
pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.confirm.lifecycle")]

THUMBS = """\
# /// partner
# description = "Make small pictures of a kind"
# aliases = ["make thumbnails", "做缩略图"]
# [params.width]
# type = "integer"
# minimum = 10
# maximum = 4000
# default = 200
# description = "how wide, in pixels"
# [params.kind]
# enum = ["all", "pdf", "png"]
# default = "all"
# description = "which files"
# [params.folder]
# type = "string"
# format = "path"
# access = "read"
# required = false
# description = "the folder to look in"
# ///
print("made")
"""
_MINUTE = timedelta(minutes=1)


class Talk:
    """A conversation with a real Partner."""

    def __init__(self, partner: Partner, conversation_id: str | None = None) -> None:
        self.partner = partner
        self.watcher = Watcher()
        self.conversation_id = conversation_id
        partner.subscribe(self.watcher)

    async def say(self, text: str) -> str:
        """Send, wait for the end of the exchange, and read the answer."""
        self.watcher.events.clear()
        exchange = new_id()
        message = await self.partner.messages.send(
            text, conversation_id=self.conversation_id, exchange_id=exchange
        )
        self.conversation_id = message.conversation_id
        await self.watcher.done(exchange)
        replies = [event for event in self.watcher.events if isinstance(event, ReplyEvent)]
        return "\n".join(event.text for event in replies if event.done and event.exchange_id == exchange)

    async def propose(self, *texts: str) -> list[ActionRecord]:
        """Say things that each bring a card; the cards."""
        cards: list[ActionRecord] = []
        for text in texts:
            await self.say(text)
            cards += [event.action for event in self.watcher.events if isinstance(event, ProposalEvent)]
        self.watcher.events.clear()
        assert len(cards) == len(texts)
        return cards

    async def hears(self, words: str) -> str:
        event = await self.watcher.until(lambda e: isinstance(e, ReplyEvent) and e.done and words in e.text)
        assert isinstance(event, ReplyEvent)
        return event.text

    async def told(self) -> list[str]:
        assert self.conversation_id is not None
        messages = await self.partner.messages.list(self.conversation_id)
        return [message.text for message in messages if message.role is Role.PARTNER]

    async def statuses(self, cards: Sequence[ActionRecord]) -> list[str]:
        return [(await self.partner.actions.get(card.id)).status.value for card in cards]

    async def ended(self, card: ActionRecord) -> None:
        await self.watcher.until(lambda e: isinstance(e, ResultEvent) and e.action.id == card.id)

    def ran(self) -> list[str]:
        return [event.action.id for event in self.watcher.events if isinstance(event, RunEvent)]


async def started(home: Home, action_dir: Path, clock: FakeClock) -> Partner:
    partner = Partner(home, action_dir, clock=clock, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    return partner


def _lists(event: Event, key: str) -> bool:
    return isinstance(event, AbilitiesEvent) and any(ability.key == key for ability in event.changed)


@pytest.fixture
async def clocked(home: Home, action_dir: Path, clock: FakeClock) -> AsyncIterator[Partner]:
    for name, text in (("upper", UPPER_SCRIPT), ("thumbnails", THUMBS)):
        (action_dir / "dynamic" / f"{name}.py").write_text(text, encoding="utf-8")
    partner = await started(home, action_dir, clock)
    yield partner
    await partner.close()


@pytest.fixture
def talk(clocked: Partner) -> Talk:
    return Talk(clocked)


SHOUT, THUMB = 'make it loud: "hello"', "make thumbnails"


async def test_the_same_that_is_asked_for_twice_waits_on_one_card(talk: Talk, clock: FakeClock) -> None:
    [card] = await talk.propose(SHOUT)
    clock.move(10 * _MINUTE)
    [again] = await talk.propose(SHOUT)
    assert again.id == card.id
    assert again.waits_until == clock.now() + 30 * _MINUTE, "it waits anew"
    assert len(await talk.partner.actions.list()) == 1
    [other] = await talk.propose(THUMB)
    assert other.id != card.id
    await talk.say("yes, both")
    await talk.ended(card)
    await talk.ended(other)


# The half hour.


async def test_the_same_with_another_argument_elsewhere_or_of_an_edited_script_has_a_card_of_its_own(
    clocked: Partner, action_dir: Path
) -> None:
    here, there = [(await clocked.conversations.create(name)).id for name in ("here", "there")]
    watcher = Watcher()
    clocked.subscribe(watcher)

    async def waiting(conversation_id: str, text: str = "hello") -> int:
        """How many cards wait once it was asked for."""
        exchange = new_id()
        place = {"conversation_id": conversation_id, "exchange_id": exchange}
        await clocked.abilities.run(
            "local::upper", {"text": text}, cwd="", standing=ApprovalMode.ASK, **place
        )
        await watcher.done(exchange)
        return len([each for each in await clocked.actions.list() if each.status is ActionStatus.WAITING])

    assert [await waiting(here), await waiting(here)] == [1, 1]
    assert await waiting(here, "good bye") == 2
    assert await waiting(there) == 3
    script = action_dir / "dynamic" / "upper.py"
    script.write_text(script.read_text() + "# edited\n")
    await watcher.until(lambda event: _lists(event, "local::upper"))
    assert await waiting(here) == 4


async def test_a_card_reminds_once_and_expires_with_a_sentence_and_can_be_run_again(
    talk: Talk, clock: FakeClock
) -> None:
    [card] = await talk.propose(SHOUT)
    assert card.waits_until == clock.now() + CONFIRMATION_TIMEOUT
    clock.move(CONFIRMATION_TIMEOUT - REMINDER - _MINUTE)
    clock.move(_MINUTE)
    local = card.waits_until.astimezone()
    await talk.hears(f"**Upper** still waits for your yes; it expires at {local:%H:%M}.")
    assert await talk.statuses([card]) == ["waiting"]
    await talk.partner._parts.actions.confirmation_expiry.look()
    clock.move(5 * _MINUTE)
    await talk.partner._parts.actions.confirmation_expiry.look()
    ended = await talk.watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(ended, ResultEvent)
    assert ended.action.status is ActionStatus.EXPIRED
    await talk.hears("**Upper** waited half an hour for your yes and timed out: nothing ran.")
    assert sum("still waits for your yes" in text for text in await talk.told()) == 1
    log = [entry for entry in await talk.partner.audit.newest() if entry.action_id == card.id]
    assert [entry.outcome for entry in log] == ["expired"]
    with pytest.raises(UsageError, match="already settled"):
        await talk.partner.actions.approve(card.id, scope="once")
    talk.watcher.events.clear()
    await talk.partner.actions.run_again(card.id)
    again = await talk.watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(again, ProposalEvent)
    assert again.action.params == card.params
    assert again.action.id != card.id


async def test_what_expired_while_closed_is_said_in_one_turn_and_a_reminder_never_comes_twice(
    talk: Talk, home: Home, action_dir: Path, clock: FakeClock
) -> None:
    cards = await talk.propose(SHOUT, THUMB)
    clock.move(CONFIRMATION_TIMEOUT - REMINDER)
    reminder = await talk.hears("still waits")
    assert "**Upper**" in reminder
    assert "**Thumbnails**" in reminder, "one turn for both"
    await talk.partner.close()
    clock.move(2 * _MINUTE)
    second = Talk(await started(home, action_dir, clock), talk.conversation_id)
    try:
        assert await second.statuses(cards) == ["waiting", "waiting"]
        await second.partner._parts.actions.confirmation_expiry.look()
    finally:
        await second.partner.close()
    clock.move(timedelta(days=1))
    third = Talk(await started(home, action_dir, clock), talk.conversation_id)
    try:
        said = await third.hears("timed out")
        assert said.count("timed out") == 2
        assert await third.statuses(cards) == ["expired", "expired"]
        told = await third.told()
        assert sum("timed out" in text for text in told) == 1
        assert sum("still waits" in text for text in told) == 1
    finally:
        await third.partner.close()


async def test_a_yes_after_the_end_runs_nothing_though_nobody_looked_yet(
    talk: Talk, clock: FakeClock
) -> None:
    [card] = await talk.propose(SHOUT)
    lock = talk.partner._parts.actions.executor.settling(card.conversation_id)
    async with lock:
        late = asyncio.ensure_future(talk.partner.actions.approve(card.id, scope="once"))
        await until(lambda: len(lock._waiters or ()) == 1)  # it is before any look at what is due
        clock.move(CONFIRMATION_TIMEOUT)
    with pytest.raises(UsageError, match="has timed out"):
        await late
    await talk.hears("timed out")
    assert await talk.statuses([card]) == ["expired"]
    assert not talk.ran()


async def test_a_yes_just_before_the_end_runs_and_nothing_expires(talk: Talk, clock: FakeClock) -> None:
    [card] = await talk.propose(SHOUT)
    clock.move(CONFIRMATION_TIMEOUT - timedelta(seconds=1))
    await talk.partner.actions.approve(card.id, scope="once")
    clock.move(_MINUTE)
    await talk.watcher.until(lambda event: isinstance(event, ResultEvent))
    assert await talk.statuses([card]) == ["succeeded"]


async def test_a_clock_put_back_gives_a_card_its_half_hour_and_no_more(talk: Talk, clock: FakeClock) -> None:
    [card] = await talk.propose(SHOUT)
    clock._now -= timedelta(days=365)
    clock.move(_MINUTE)
    await talk.watcher.until(
        lambda e: isinstance(e, ProposalEvent) and e.action.waits_until == clock.now() + CONFIRMATION_TIMEOUT
    )
    clock.move(CONFIRMATION_TIMEOUT)
    await talk.partner._parts.actions.confirmation_expiry.look()
    await talk.hears("timed out")
    assert await talk.statuses([card]) == ["expired"]


# Words.


async def test_one_of_several_is_approved_and_the_other_turned_down_in_one_message(talk: Talk) -> None:
    cards = await talk.propose(SHOUT, THUMB)
    said = await talk.say("the first yes, the other no")
    assert "**Thumbnails**" in said
    assert talk.ran() == [cards[0].id]
    await talk.ended(cards[0])
    assert await talk.statuses(cards) == ["succeeded", "rejected"]


async def test_both_are_approved_by_one_word(talk: Talk) -> None:
    cards = await talk.propose(SHOUT, THUMB)
    await talk.say("都可以")
    for card in cards:
        await talk.ended(card)
    assert await talk.statuses(cards) == ["succeeded", "succeeded"]


async def test_which_is_asked_and_the_answer_counts_as_they_were_told(talk: Talk) -> None:
    cards = await talk.propose(SHOUT, THUMB, 'make it loud: "bye"')
    await talk.say("no, the first")
    said = await talk.say("yes, the second")  # of three, or of the two that are left?
    assert "1. **Thumbnails**" in said
    assert "2. **Upper**: text bye" in said
    assert not talk.ran()
    await talk.say("yes, the second")
    assert talk.ran() == [cards[2].id]
    await talk.ended(cards[2])
    assert await talk.statuses(cards) == ["rejected", "waiting", "succeeded"]


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("yes but only the PDFs", {"kind": "pdf"}),
        ("ok, with width 300", {"width": 300}),
        ("with width 300", {"width": 300}),
        ("好，但只要 PDF", {"kind": "pdf"}),
        ("好的，宽度改成 300", {"width": 300}),
    ],
)
async def test_a_yes_with_a_change_shows_the_card_anew_and_asks_again(
    talk: Talk, clock: FakeClock, words: str, changed: dict[str, object]
) -> None:
    [card] = await talk.propose(THUMB)
    clock.move(_MINUTE)
    said = await talk.say(words)
    assert not talk.ran(), said
    now = await talk.partner.actions.get(card.id)
    [told] = [event for event in talk.watcher.events if isinstance(event, ProposalEvent)]
    [reply] = [event for event in talk.watcher.events if isinstance(event, ReplyEvent) and event.done]
    assert (told.action.params, told.exchange_id) == (now.params, reply.exchange_id)
    assert (now.status, now.params) == (ActionStatus.WAITING, {**card.params, **changed}), said
    assert now.waits_until == clock.now() + CONFIRMATION_TIMEOUT
    assert all(str(value) in said for value in changed.values())
    await talk.say("yes")
    await talk.ended(card)
    assert await talk.statuses([card]) == ["succeeded"]


async def test_a_folder_in_place_of_another_is_shown_and_asked_for(talk: Talk, user_home: Path) -> None:
    (user_home / "Music").mkdir()
    [card] = await talk.propose(THUMB)
    await talk.say("yes, but in ~/Music instead")
    assert (await talk.partner.actions.get(card.id)).params["folder"] == str(user_home / "Music")
    assert not talk.ran()
    said = await talk.say("in ~/Nowhere instead")
    assert "nothing ran" in said
    assert (await talk.partner.actions.get(card.id)).params["folder"] == str(user_home / "Music")


async def test_what_a_card_cannot_leave_out_ends_it(talk: Talk) -> None:
    [card] = await talk.propose(THUMB)
    assert "“but not the PDFs”" in await talk.say("yes, but not the PDFs")
    await talk.say("yes")
    assert not talk.ran()
    assert await talk.statuses([card]) == ["rejected"]


@pytest.mark.parametrize("words", ["yes but only when the moon is full", "yes if it deletes nothing"])
async def test_a_change_that_nothing_can_be_made_of_runs_nothing_and_says_so(talk: Talk, words: str) -> None:
    [card] = await talk.propose(THUMB)
    said = await talk.say(words)
    assert "still waits" in said
    assert not talk.ran()
    assert await talk.partner.actions.get(card.id) == card


async def test_a_request_of_its_own_is_no_change_of_what_waits(talk: Talk) -> None:
    [card] = await talk.propose(THUMB)
    await talk.say("with this: what time is it?")
    await talk.say("only tell me: what time is it")
    keys = {action.key for action in await talk.partner.actions.list()}
    assert "builtin::time" in keys
    assert await talk.partner.actions.get(card.id) == card
