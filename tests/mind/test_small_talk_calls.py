"""The gate: small talk costs no call but the reply, whatever happened before and whatever waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ProposalEvent, ReplyEvent, ResultEvent
from partner_desktop.domain.model_status import EndpointDraft
from partner_desktop.permission.request import ApprovalMode
from tests.model.endpoint.badly import BadServer, Line
from tests.support import UPPER_SCRIPT, HastyClock, Watcher

# A whole story of its own: it belongs to the whole gate.
pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.gate")]

SMALL_TALK = (
    *(
        "hello",
        "thanks!",
        "how are you?",
        "good morning",
        "who are you?",
        "bye",
        "you are great",
        "tell me a joke",
    ),
    *("你好", "谢谢", "ok谢啦", "你是谁", "再见", "讲个笑话"),
)
#: No small talk by its form; nothing that can be done here is near to it.
FAR = ("my grandmother was born in spring", "my sister plays the violin")


_ANSWERS = {
    "intent": '{"do": "reply", "ability": null}',
    "verdict": '{"means": "reject"}',
    "params": '{"text": "hello"}',
}


@dataclass
class Counting:
    """A real endpoint that answers in a word and counts what kinds of calls it gets."""

    calls: Counter[str] = field(default_factory=Counter)

    async def __call__(self, line: Line) -> None:
        schema = line.seen.body.get("response_format", {}).get("json_schema", {}).get("schema")
        if schema is None:
            self.calls["reply"] += 1
            await line.say("Fine.")
            return
        names = set(schema["properties"])
        if "title" in names:  # asked once for a conversation, when nobody waits for anything
            await line.say('{"title": "A chat"}')
            return
        kind = "intent" if "do" in names else "verdict" if "means" in names else "params"
        self.calls[kind] += 1
        await line.say(_ANSWERS[kind])


@dataclass
class Talk:
    partner: Partner
    counting: Counting
    watcher: Watcher = field(default_factory=Watcher)
    conversation_id: str | None = None

    async def say(self, text: str) -> Counter[str]:
        """Send, wait for the end; the calls that it took."""
        self.counting.calls.clear()
        self.watcher.events.clear()
        message = await self.partner.messages.send(text, conversation_id=self.conversation_id)
        self.conversation_id = message.conversation_id
        await self.watcher.done()
        return Counter(self.counting.calls)


@pytest.fixture
async def talk(home: Home, action_dir: Path) -> AsyncIterator[Talk]:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT, encoding="utf-8")
    counting = Counting()
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    async with BadServer(counting) as server:
        await partner.launch()
        try:
            draft = EndpointDraft("counting", server.address, "parrot")
            await partner.models.use(await partner.models.add_endpoint(draft, ""))
            one = Talk(partner, counting)
            partner.subscribe(one.watcher)
            yield one
        finally:
            await partner.close()


async def test_small_talk_takes_one_call_which_is_the_reply(talk: Talk) -> None:
    for text in (*SMALL_TALK, *FAR):
        assert await talk.say(text) == {"reply": 1}, text
    assert await talk.partner.actions.list() == []


async def test_a_request_takes_more_so_that_the_count_means_something(talk: Talk) -> None:
    calls = await talk.say("could you shout something in capital letters for me?")
    assert calls["intent"] == 1


async def test_small_talk_beside_and_after_an_action_settles_and_extracts_nothing(talk: Talk) -> None:
    await talk.say("make it loud")  # by its name: no call is needed to choose it
    talk.conversation_id = None
    partner, watcher = talk.partner, talk.watcher
    watcher.events.clear()
    await partner.abilities.run(
        "local::upper", {"text": "hi"}, cwd="", standing=ApprovalMode.ASK, exchange_id="by hand"
    )
    event = await watcher.until(lambda e: isinstance(e, ProposalEvent))
    assert isinstance(event, ProposalEvent)
    await watcher.done("by hand")
    card, talk.conversation_id = event.action, event.action.conversation_id
    for text in SMALL_TALK:
        assert await talk.say(text) == {"reply": 1}, text
        assert (await partner.actions.get(card.id)).status is ActionStatus.WAITING, text
    watcher.events.clear()
    await partner.actions.approve(card.id, scope="once")
    await watcher.until(lambda e: isinstance(e, ResultEvent))
    await watcher.until(lambda e: isinstance(e, ReplyEvent) and e.done)
    await watcher.done()
    for text in SMALL_TALK:
        assert await talk.say(text) == {"reply": 1}, text
