"""A model for one conversation: every question of its turns goes there, it lasts, and it goes with it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import ConversationGoneEvent, Event, ModelsEvent, NoticeEvent
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.model_status import EndpointDraft
from tests.model.endpoint.badly import BadServer, saying
from tests.model.registries import registry_bench
from tests.model.test_model_registry import SETTINGS
from tests.support import FakeClock, HastyClock, Watcher

pytestmark = pytest.mark.integration


@asynccontextmanager
async def opened(home: Home, action_dir: Path) -> AsyncIterator[tuple[Partner, Watcher]]:
    partner, said = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    await partner.launch()
    partner.subscribe(said)
    try:
        yield partner, said
    finally:
        await partner.close()


async def say(partner: Partner, said: Watcher, conversation_id: str, text: str) -> str:
    """Send a message and wait for what is answered."""
    exchange = f"{conversation_id} {text}"
    await partner.messages.send(text, conversation_id=conversation_id, exchange_id=exchange)
    await said.done(exchange)
    return (await partner.messages.list(conversation_id))[-1].text


@asynccontextmanager
async def two_servers(partner: Partner) -> AsyncIterator[tuple[BadServer, BadServer]]:
    """The first answers by default, the second where it is chosen."""
    async with AsyncExitStack() as stack:
        usual = await stack.enter_async_context(BadServer(saying("The usual words.")))
        own = await stack.enter_async_context(BadServer(saying("Other words.")))
        for name, server in (("usual", usual), ("own", own)):
            await partner.models.add_endpoint(EndpointDraft(name, server.address, "parrot"), "")
        yield usual, own


async def test_every_question_of_a_conversations_turns_goes_to_its_own_model(
    home: Home, action_dir: Path
) -> None:
    async with opened(home, action_dir) as (partner, said), two_servers(partner) as (usual, own):
        here, elsewhere = await partner.conversations.create(), await partner.conversations.create()
        assert await partner.models.use("own", conversation_id=here.id) == "own"
        assert (partner.models.mind(here.id), partner.models.mind()) == ("own", "usual")
        text = "could you sort the pictures of last summer by who is on them"
        assert await say(partner, said, here.id, text) == "Other words."
        assert (len(own.asked) > 1, usual.asked) == (True, []), "what the words mean was asked there, too"
        made = (await partner.context.turns(here.id))[-1]
        snapshot = await partner.context.snapshot(made.turn_id)
        assert snapshot is not None
        assert snapshot.mind == "own"
        asked = len(own.asked)
        assert await say(partner, said, elsewhere.id, text) == "The usual words."
        assert len(own.asked) == asked


async def test_the_starter_mind_can_be_chosen_for_one_conversation_and_the_usual_model_again(
    home: Home, action_dir: Path
) -> None:
    async with opened(home, action_dir) as (partner, said), two_servers(partner) as (usual, own):
        here = await partner.conversations.create()
        assert await partner.models.use("starter", conversation_id=here.id) == "starter"
        assert (partner.models.mind(here.id), partner.models.chosen(here.id)) == ("starter", "starter")
        assert "words." not in await say(partner, said, here.id, "what do you think of rain?")
        assert (usual.asked, own.asked) == ([], [])
        assert await partner.models.use("", conversation_id=here.id) == "usual"
        assert partner.models.chosen(here.id) == ""
        assert await say(partner, said, here.id, "what do you think of snow?") == "The usual words."


async def test_the_choice_is_there_after_a_restart_and_gone_with_its_conversation(
    home: Home, action_dir: Path
) -> None:
    async with opened(home, action_dir) as (partner, said), two_servers(partner):
        here = await partner.conversations.create()
        await partner.models.use("own", conversation_id=here.id)
        told = await said.until(lambda event: isinstance(event, ModelsEvent) and bool(event.chosen))
        assert isinstance(told, ModelsEvent)
        assert (told.chosen, told.mind) == ({here.id: "own"}, "usual")
    async with opened(home, action_dir) as (partner, said):
        assert partner.models.mind(here.id) == "own"
        partner.conversations.deletion.undo_s = 0.0
        await partner.conversations.delete(here.id)
        with pytest.raises(UsageError):
            await partner.models.use("own", conversation_id=here.id)
        await said.until(lambda event: isinstance(event, ConversationGoneEvent) and event.erased)
    with closing(sqlite3.connect(home.database)) as db:
        assert db.execute("SELECT * FROM conversation_models").fetchall() == []


def gone(event: Event) -> bool:
    return isinstance(event, NoticeEvent) and "“own”, which was chosen for this conversation" in event.text


async def test_where_the_chosen_model_was_removed_the_usual_one_answers_and_it_is_told_once(
    home: Home, action_dir: Path
) -> None:
    async with opened(home, action_dir) as (partner, said), two_servers(partner):
        here = await partner.conversations.create()
        await partner.models.use("own", conversation_id=here.id)
        await partner.models.remove("own")
        assert (partner.models.mind(here.id), partner.models.chosen(here.id)) == ("usual", "own")
        assert not any(map(gone, said.events)), "nobody asked for it yet"
        for text in ("how are you?", "and now?"):
            assert await say(partner, said, here.id, text) == "The usual words."
        assert sum(map(gone, said.events)) == 1


async def test_what_is_not_there_cannot_be_chosen(partner: Partner) -> None:
    here = await partner.conversations.create()
    with pytest.raises(UsageError, match="no model"):
        await partner.models.use("nobody", conversation_id=here.id)
    with pytest.raises(UsageError):
        await partner.models.use("starter", conversation_id="nowhere")
    assert partner.models.chosen(here.id) == ""


async def test_a_role_that_names_a_model_keeps_it_and_summaries_are_nobodys(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with registry_bench(tmp_path, clock, SETTINGS) as bench:
        registry = bench.registry
        await bench.database.execute(
            "INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('here', '', '', '')"
        )
        await registry.choose("here", "other")
        questions = ("reply", "evaluate_intent", "extract_params", "pick_ability", "summarise")
        assert [registry.serves(one, "here") for one in questions] == ["other", "other", "far", "", "other"]
        assert [registry.serves(one) for one in questions] == ["small", "small", "far", "", "small"]
        await bench.ask(turn=TurnRef("here", "a turn"))
        assert [one.name for one in bench.made if one.asked] == ["other"]
        registry.warm_up("here")
        assert registry.mind_of("here") == "other"


async def test_a_branch_is_answered_by_the_model_of_the_conversation_that_it_comes_from(
    home: Home, action_dir: Path
) -> None:
    async with opened(home, action_dir) as (partner, said), two_servers(partner):
        source = await partner.conversations.create()
        await partner.models.use("own", conversation_id=source.id)
        await say(partner, said, source.id, "hello")
        first = (await partner.messages.list(source.id))[-1]
        branch = await partner.conversations.branch(first.id)
        assert partner.models.mind(branch.id) == "own"
        await partner.models.use("", conversation_id=source.id)
        usual = await partner.conversations.branch(first.id)
    async with opened(home, action_dir) as (partner, _):
        assert [partner.models.chosen(one.id) for one in (branch, usual)] == ["own", ""]
