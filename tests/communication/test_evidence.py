"""A reply claims what the record shows: the starter's words come from it, a prompt holds nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from partner_desktop.base.errors import ModelError
from partner_desktop.base.paths import Home
from partner_desktop.base.prompts import LANGUAGES, prompt_text
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    DoneEvent,
    ErrorEvent,
    Event,
    ReplyEvent,
    ResultEvent,
    record_from_text,
)
from partner_desktop.domain.message import MessageState, Role
from partner_desktop.mind.question import ReplyRequest
from tests.runtime.test_answers import StatusController
from tests.support import UPPER_SCRIPT

pytestmark = pytest.mark.integration

BROKEN = """\
# /// partner
# description = "Weigh the moon"
# aliases = ["how heavy is the moon"]
# ///
import sys
print("half of it is weighed")
sys.exit("the scales are broken")
"""


@pytest.fixture
async def house(home: Home, action_dir: Path) -> AsyncIterator[StatusController]:
    one = StatusController(home, action_dir)
    await one.partner.launch()
    try:
        yield one
    finally:
        await one.partner.close()


async def run(house: StatusController, text: str) -> tuple[ActionRecord, str]:
    """Ask for it, allow it, and wait until Partner has spoken of it: the record, and the words."""
    place = await house.say(text)
    await house.over(place)
    (action,) = await house.partner.actions.list()
    await house.partner.actions.approve(action.id, scope="once")
    ended = await house.until(lambda e: isinstance(e, ResultEvent))
    assert isinstance(ended, ResultEvent)

    def told(event: Event) -> bool:
        after = house.watcher.events.index(event) > house.watcher.events.index(ended)
        return isinstance(event, ReplyEvent) and event.done and after

    reply = await house.until(told)
    assert isinstance(reply, ReplyEvent)
    return ended.action, reply.text


def prompt_of(request: ReplyRequest) -> str:
    """What of a prompt tells what is known: all but who speaks and what could be done."""
    return "\n".join(part.text for part in request.prompt if part.name in ("context", "input"))


@pytest.mark.promise("communication.evidence")
async def test_what_is_said_of_a_run_is_what_its_record_on_disk_holds(
    house: StatusController, home: Home
) -> None:
    await house.drop("upper", UPPER_SCRIPT)
    record, said = await run(house, 'shout "good morning" in capital letters')
    assert (record.status, record.stdout.strip()) == (ActionStatus.SUCCEEDED, "GOOD MORNING")
    with closing(sqlite3.connect(home.database)) as other:
        (row,) = other.execute("SELECT record FROM actions WHERE id = ?", (record.id,)).fetchone()
    assert record_from_text(row) == record, "the card's event is the record itself"
    assert "GOOD MORNING" in said
    assert "GOOD MORNING" in prompt_of(house.mind.asked[-1])


@pytest.mark.promise("communication.evidence")
async def test_of_a_run_that_failed_no_success_is_claimed(house: StatusController) -> None:
    await house.drop("moon", BROKEN)
    record, said = await run(house, "how heavy is the moon")
    assert record.status is ActionStatus.FAILED
    assert record.error
    assert "did not work" in said
    assert "scales are broken" in said
    assert "failed" in prompt_of(house.mind.asked[-1])


@pytest.mark.promise("communication.evidence")
async def test_before_anything_ran_nothing_in_the_prompt_says_that_it_did(house: StatusController) -> None:
    await house.drop("upper", UPPER_SCRIPT)
    place = await house.say('shout "good morning" in capital letters')
    await house.over(place)
    told = prompt_of(house.mind.asked[-1])
    assert "waits for the person's decision" in told
    assert "succeeded" not in told
    assert "GOOD MORNING" not in told + (await house.answers(place))[0]


@pytest.mark.promise("communication.evidence")
@pytest.mark.parametrize(
    ("language", "rule"),
    [
        ("en", "Never say that something was done, started, found or scheduled unless it is there."),
        ("zh", "那里没有写的，绝不说它已经做了、开始了、找到了或安排好了。"),
    ],
)
def test_who_speaks_is_forbidden_any_other_claim_in_every_language(language: str, rule: str) -> None:
    assert rule in prompt_text("persona", language)
    assert language in LANGUAGES
    assert len(LANGUAGES) == 2


async def test_every_prompt_begins_with_that_rule(house: StatusController) -> None:
    place = await house.say("hello")
    await house.over(place)
    first = house.mind.asked[-1].prompt[0]
    assert (first.role, first.name, first.text) == ("system", "persona", prompt_text("persona", "en"))


@pytest.mark.logs_errors
async def test_a_model_that_fails_in_the_midst_keeps_its_words_and_says_why_in_one_sentence(
    house: StatusController,
) -> None:
    def failing(_: ReplyRequest) -> Iterator[str]:
        yield "Half an ans"
        raise ModelError("The model ended in the midst of its answer; it starts again with the next message.")

    house.mind.script = failing
    place = await house.say("hello")
    await house.until(lambda e: isinstance(e, DoneEvent))
    (error,) = [event for event in house.watcher.events if isinstance(event, ErrorEvent)]
    assert (
        error.message == "The model ended in the midst of its answer; it starts again with the next message."
    )
    assert (error.report, error.conversation_id) == ("", place)
    answer = next(m for m in await house.partner.messages.list(place) if m.role is Role.PARTNER)
    assert (answer.text, answer.state) == ("Half an ans", MessageState.BROKEN_OFF)
    house.mind.script = None
    await house.say("hello again", place, exchange_id="next")
    await house.until(lambda e: isinstance(e, DoneEvent) and e.exchange_id == "next")
    assert len(await house.answers(place)) == 2, "the conversation goes on"
