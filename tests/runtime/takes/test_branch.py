"""A branch: a new conversation that begins with everything up to a message."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ConversationEvent, ProposalEvent
from partner_desktop.domain.message import Role
from tests.runtime.takes.talk import Talk
from tests.support import UPPER_SCRIPT

pytestmark = [pytest.mark.promise("desktop.edit"), pytest.mark.integration]


async def test_a_branch_begins_with_everything_up_to_the_message_and_goes_its_own_way(talk: Talk) -> None:
    await talk.say("hello")
    first_answer = await talk.last()
    await talk.say("how are you")
    talk.watcher.events.clear()
    branch = await talk.partner.conversations.branch(first_answer.id)
    assert branch.title == "hello (branch)"
    (event,) = talk.watcher.events
    assert isinstance(event, ConversationEvent)
    assert event.conversation == branch
    trunk, talk.id = talk.id, branch.id
    assert await talk.texts() == ["hello", "answer 1", "Branched from “hello”."]
    await talk.say("and now?")
    assert (await talk.texts())[-2:] == ["and now?", "answer 3"]
    talk.id = trunk
    assert await talk.texts() == ["hello", "answer 1", "how are you", "answer 2"]
    assert {one.id for one in await talk.partner.conversations.list()} == {trunk, branch.id}


async def test_an_answer_can_be_had_anew_in_the_branch_as_well(talk: Talk) -> None:
    await talk.say("hello")
    branch = await talk.partner.conversations.branch((await talk.last()).id)
    talk.id = branch.id
    line = await talk.line()
    assert (line.again, line.asked_text) == ("words", "hello")
    await talk.regenerate(next(one for one in await talk.shown() if one.id == line.reply_id))
    assert await talk.texts() == ["hello", "answer 2"]


async def test_a_branch_holds_only_what_is_shown(talk: Talk) -> None:
    first = await talk.say("one")
    await talk.edit(first, "eins")
    talk.id = (await talk.partner.conversations.branch((await talk.last()).id)).id
    assert await talk.texts() == ["eins", "answer 2", "Branched from “eins”."]
    assert await talk.forks() == []


async def test_a_card_comes_along_as_words_and_nothing_of_it_can_run(talk: Talk, action_dir: Path) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT)
    await talk.watcher.until(lambda event: event.type == "abilities")
    await talk.say('shout "hello" in capital letters')
    found = await talk.watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(found, ProposalEvent)
    card = (await talk.shown())[-1]
    talk.id = (await talk.partner.conversations.branch(card.id)).id
    assert [message.role for message in await talk.shown()][:1] == [Role.USER]
    assert not any(message.action_id for message in await talk.shown())
    assert any("not decided here" in text for text in await talk.texts())
    (record,) = await talk.partner.actions.list()
    assert record.status is ActionStatus.WAITING, "it waits where it was proposed, and nowhere else"


async def test_branches_of_branches_are_numbered_and_long_titles_fit(talk: Talk) -> None:
    await talk.say("hello")
    titles = []
    for _ in range(3):
        branch = await talk.partner.conversations.branch((await talk.last()).id)
        talk.id = branch.id
        titles.append(branch.title)
    assert titles == ["hello (branch)", "hello (branch 2)", "hello (branch 3)"]
    await talk.partner.conversations.rename(talk.id, "x" * 200)
    branch = await talk.partner.conversations.branch((await talk.last()).id)
    assert branch.title.endswith("x (branch)")
    assert len(branch.title) == 200


async def test_a_branch_is_no_interaction_of_the_person(talk: Talk, home: Home) -> None:
    await talk.say("hello")
    await talk.partner.conversations.branch((await talk.last()).id)
    with closing(sqlite3.connect(home.database)) as database:
        assert database.execute("SELECT count(*) FROM interactions").fetchone() == (1,)


async def test_nothing_is_branched_from_what_is_not_in_view(talk: Talk) -> None:
    first = await talk.say("one")
    await talk.edit(first, "eins")
    with pytest.raises(UsageError, match="not in the conversation"):
        await talk.partner.conversations.branch(first.id)
    assert len(await talk.partner.conversations.list()) == 1
