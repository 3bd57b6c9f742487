"""The host's socket: what does not fit gets one sentence, and the host goes on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import NoticeEvent, ReplyEvent
from partner_desktop.gateways.attach import MOST_CLIENTS
from partner_desktop.gateways.conversation_ask import ConversationAsk
from partner_desktop.gateways.following import concerns
from partner_desktop.gateways.remote import RemoteSession
from partner_desktop.gateways.session import ChatAsk
from partner_desktop.gateways.wire import LINE_LIMIT_BYTES
from partner_desktop.permission.request import StandingAnswer
from tests.support import WAIT_S

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.slow


async def answered(home: Home, said: bytes) -> list[dict[str, Any]]:
    """Send this to the host; all that it says until it closes."""
    async with asyncio.timeout(WAIT_S):
        reader, writer = await asyncio.open_unix_connection(home.socket)
        try:
            writer.write(said)
            writer.write_eof()
            received = await reader.read()
        finally:
            writer.close()
    return [json.loads(line) for line in received.splitlines()]


def ask(text: str, conversation_id: str) -> ChatAsk:
    return ChatAsk(text, conversation_id, "", StandingAnswer.ASK)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (b"garbage\n", "not a message of Partner's"),
        (b"\xff\xfe\x00\n", "not a message of Partner's"),
        (b"[1]\n", "not a message of Partner's"),
        (b"[" * 100_000 + b"\n", "not a message of Partner's"),
        (b"x" * (3 * LINE_LIMIT_BYTES) + b"\n", "longer than 8 MiB"),
        (b"{}\n", "`op`"),
        (b'{"op": "chat", "text": 5}\n', "`text`"),
        (b'{"op": "dance"}\n', "does not know the request `dance`"),
        (b'{"op": "decide", "verdict": "perhaps"}\n', "`verdict`"),
        (b'{"op": "decide", "action_id": "nowhere"}\n', "nowhere"),
    ],
    ids=["garbage", "bytes", "list", "deep", "long", "empty", "type", "unknown", "verdict", "gone"],
)
async def test_what_does_not_fit_gets_one_sentence_and_the_host_goes_on(
    partner: Partner, said: bytes, sentence: str
) -> None:
    (refusal,) = await answered(partner.home, said)
    assert sentence in refusal["failed"]
    assert await answered(partner.home, b'{"op": "begin"}\n')


async def test_too_many_connections_are_told_so_and_the_next_one_after_them_is_served(
    partner: Partner,
) -> None:
    many = [await asyncio.open_unix_connection(partner.home.socket) for _ in range(MOST_CLIENTS)]
    (refusal,) = await answered(partner.home, b'{"op": "begin"}\n')
    assert f"{MOST_CLIENTS} commands use this Partner already" in refusal["failed"]
    for _, writer in many:
        writer.close()
    async with asyncio.timeout(WAIT_S):
        while "failed" in (await answered(partner.home, b'{"op": "begin"}\n'))[0]:
            pass


async def test_who_follows_hears_of_its_conversation_only_and_a_host_does_not_wait_for_it(
    partner: Partner,
) -> None:
    session = RemoteSession(partner.home)
    mine, other = await session.begin(), await session.begin()
    following = session.follow(mine)
    assert (await anext(following))["type"] == "following"
    async for _event in session.chat(ask("hello", other)):
        pass
    heard: list[dict[str, Any]] = []
    async for _event in session.chat(ask("hello", mine)):
        pass
    async with asyncio.timeout(WAIT_S):
        while not heard or heard[-1]["type"] != "done":
            heard.append(await anext(following))
        assert {event["conversation_id"] for event in heard} == {mine}
        assert next(event["seq"] for event in heard if event["type"] == "reply") == 0
        await partner.idle()
    await following.aclose()
    assert [one["role"] for one in await session.messages(mine, limit=10)] == ["user", "partner"]  # type: ignore[index, call-overload] # JSON


async def test_a_conversation_is_found_by_the_beginning_of_its_id(partner: Partner) -> None:
    message = await partner.send("hello", conversation_id=None)
    session = RemoteSession(partner.home)
    (found,) = await session.conversations(
        ConversationAsk("find", conversation_id=message.conversation_id[:8])
    )
    assert isinstance(found, dict)
    assert found["id"] == message.conversation_id
    await session.stop(message.conversation_id)


def test_what_is_meant_for_all_concerns_everyone_and_other_conversations_nobody_else() -> None:
    assert concerns(NoticeEvent(title="", text=""), "c1")
    assert not concerns(ReplyEvent(reply_id="r", seq=0, content=""), "c1")
    assert not concerns(ReplyEvent(conversation_id="c2", reply_id="r", seq=0, content=""), "c1")
