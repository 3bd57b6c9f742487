"""A Partner over a websocket: real sockets, real clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import NoticeEvent, ReplyEvent, ResultEvent, TurnEvent
from partner_desktop.domain.message import Message
from partner_desktop.gateways.token_file import renew_token, token_path
from partner_desktop.gateways.websocket.frames import EXAMPLES, FrameError, read_frame
from tests.gateways.talking import SmallHost, SmallMessages, Talker, open_gateway, small_gateway, talker
from tests.support import WAIT_S, HastyClock, Watcher

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration

#: Hundreds of connections, on a busy machine.
START_S = 30.0
#: How many may be connected before they show the token, as the gateway's own words say.
MOST_UNKNOWN = 16


@pytest.fixture
async def slow_spoken(home: Home, action_dir: Path) -> AsyncIterator[Partner]:
    """Its replies come word by word."""
    one = Partner(home, action_dir, meaning=False, pace_s=0.005, quiet_clock=HastyClock())
    await one.launch()
    yield one
    await one.close()


def numbers(one: Talker) -> list[int]:
    return [frame["seq"] for frame in one.events]


async def test_a_message_is_accepted_when_it_is_kept_and_answered_by_numbered_events(
    partner: Partner,
) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as one:
        await one.tell(type="say", text="hello", ref="first")
        accepted = await one.kind("accepted")
        kept = await partner.messages.list(accepted["conversation"])
        assert (kept[0].id, kept[0].text, kept[0].source) == (accepted["message"], "hello", "websocket")
        assert accepted["ref"] == "first"
        done = await one.event("done")
    assert done["event"]["status"] == "ok"
    assert numbers(one) == list(range(1, len(one.events) + 1))
    last = [frame["event"] for frame in one.events if frame["event"]["type"] == "reply"][-1]
    assert last["done"]
    assert last["text"]


@pytest.mark.promise("runtime.reply.events")
async def test_only_the_addressee_gets_events_and_both_clients_of_one_conversation_get_all(
    partner: Partner,
) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as ann, talker(gateway, token) as bob, talker(gateway, token) as eve:
        shared = await ann.begin("hello")
        await ann.event("done")
        bobs = await bob.begin("what can you do?")
        await bob.event("done")
        await eve.tell(type="open", conversation=shared)
        await eve.kind("opened")
        await ann.tell(type="say", text="tell me a joke", conversation=shared)
        await ann.event("done")
        await eve.event("done")
        await bob.ask(type="ping")
        assert {frame["conversation"] for frame in ann.events} == {shared}
        assert {frame["conversation"] for frame in bob.events} == {bobs}
        heard = [frame for frame in ann.events if frame["seq"] >= eve.events[0]["seq"]]
        assert eve.events == heard
        replies = [frame["event"] for frame in eve.events if frame["event"]["type"] == "reply"]
        assert [reply["seq"] for reply in replies] == list(range(len(replies)))
        assert [reply["done"] for reply in replies] == [False] * (len(replies) - 1) + [True]


@pytest.mark.promise("runtime.reply.events")
async def test_a_connection_lost_in_the_middle_of_a_reply_misses_nothing(slow_spoken: Partner) -> None:
    gateway, token = await open_gateway(slow_spoken)
    async with talker(gateway, token) as one:
        conversation = await one.begin("hello")
        await one.event("reply", seq=3)
        one.connection.transport.abort()
    seen = one.events
    epoch = next(frame["epoch"] for frame in one.frames if frame["type"] == "opened")
    async with talker(gateway, token) as again:
        await again.tell(type="open", conversation=conversation, epoch=epoch, after=seen[-1]["seq"])
        await again.event("done")
        if not any(frame["type"] == "replayed" for frame in again.frames):
            await again.kind("replayed")
    joined = [*seen, *again.events]
    assert [frame["seq"] for frame in joined] == list(range(1, len(joined) + 1))
    replies = [frame["event"] for frame in joined if frame["event"]["type"] == "reply"]
    assert "".join(reply["content"] for reply in replies) == replies[-1]["text"]
    assert replies[-1]["done"]


async def test_what_is_no_longer_held_comes_from_the_database(partner: Partner) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as one:
        conversation = await one.begin("hello")
        await one.event("done")
        first = next(frame["event"]["message"] for frame in one.events if "message" in frame["event"])
        opened = await one.ask(type="open", conversation=conversation, epoch="of old", after=3)
        gap = await one.kind("gap")
        assert (gap["seq"], gap["epoch"]) == (opened["seq"], opened["epoch"])
        newest = await one.kind("messages")
        assert [entry["role"] for entry in newest["messages"]] == ["user", "partner"]
        await one.tell(
            type="open", conversation=conversation, epoch="of old", after=3, position=first["position"]
        )
        since = await one.kind("messages")
        assert [entry["role"] for entry in since["messages"]] == ["partner"]
        assert since["complete"]
        assert since["last"]
        await one.tell(type="say", text="hello", conversation=conversation)
        assert (await one.kind("event"))["seq"] == gap["seq"] + 1


@pytest.mark.promise("runtime.gateways")
@pytest.mark.parametrize("token", ["", "wrong", "x" * 43, "é" * 43])
async def test_without_the_token_nothing_is_said_and_the_connection_ends(
    partner: Partner, token: str
) -> None:
    gateway, right = await open_gateway(partner)
    async with talker(gateway, "") as one:
        await one.tell(type="hello", token=token)
        code, reason = await one.farewell()
    assert code == 4401
    assert "token" in reason
    assert [frame["type"] for frame in one.frames] == ["error"]
    async with talker(gateway, "", additional_headers={"Authorization": f"Bearer {right[:-1]}"}) as other:
        assert (await other.farewell())[0] == 4401
    async with talker(gateway, "", additional_headers={"Authorization": f"Bearer {right}"}) as known:
        assert (await known.next())["type"] == "welcome"


async def test_something_else_than_hello_is_no_way_in(partner: Partner) -> None:
    gateway, _ = await open_gateway(partner)
    for said in ('{"type": "list"}', "garbage", '{"type": "hello", "token": 5}'):
        async with talker(gateway, "") as one:
            await one.connection.send(said)
            assert (await one.farewell())[0] == 4401
            assert [frame["type"] for frame in one.frames] == ["error"]


async def test_who_says_nothing_is_let_go(home: Home) -> None:
    async with (
        small_gateway(SmallHost(), home, hello_timeout_s=0.05) as (gateway, _),
        talker(gateway, "") as one,
    ):
        assert (await one.farewell())[0] == 4408


async def test_silent_connections_hold_few_descriptors_and_keep_nobody_out(home: Home) -> None:
    async with small_gateway(SmallHost(), home, hello_timeout_s=600) as (gateway, token):
        async with talker(gateway, "", additional_headers={"Authorization": f"Bearer {token}"}) as known:
            silent = [await asyncio.open_connection("127.0.0.1", gateway.port) for _ in range(600)]
            async with asyncio.timeout(START_S):
                for reader, _ in silent[:-MOST_UNKNOWN]:
                    with suppress(ConnectionError):
                        assert not await reader.read()
            assert not any(reader.at_eof() for reader, _ in silent[-MOST_UNKNOWN:])
            async with talker(gateway, token) as one:
                assert (await one.ask(type="ping"))["type"] == "pong"
            assert (await known.ask(type="ping"))["type"] == "pong"
        for _, writer in silent:
            writer.close()


async def test_of_too_many_that_say_nothing_the_oldest_goes_and_the_others_may_still_say_hello(
    home: Home,
) -> None:
    async with (
        small_gateway(SmallHost(), home, hello_timeout_s=600) as (gateway, token),
        AsyncExitStack() as stack,
    ):
        silent = [await stack.enter_async_context(talker(gateway, "")) for _ in range(MOST_UNKNOWN)]
        async with talker(gateway, token) as newest:
            assert (await newest.ask(type="ping"))["type"] == "pong"
        assert (await silent[0].farewell())[0] == 1006, "cut off"
        for one in silent[1:]:
            await one.tell(type="hello", token=token)
            await one.kind("welcome")


async def test_the_right_token_takes_back_what_the_wrong_ones_cost(home: Home) -> None:
    # Without that the last one would wait for longer than one that says nothing is listened to.
    async with (
        small_gateway(SmallHost(), home, hello_timeout_s=1.5) as (gateway, token),
        AsyncExitStack() as stack,
    ):
        for _ in range(8):
            wrong = await stack.enter_async_context(talker(gateway, ""))
            await wrong.tell(type="hello", token="wrong")
        async with talker(gateway, token):
            pass
        silent = await stack.enter_async_context(talker(gateway, ""))
        late = await stack.enter_async_context(talker(gateway, ""))
        await late.tell(type="hello", token="wrong")
        ends = {asyncio.ensure_future(one.farewell()): one for one in (silent, late)}
        done, others = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        assert [ends[one] for one in done] == [late]
        await asyncio.wait(others)


@pytest.mark.parametrize(
    ("headers", "origin"),
    [
        ({}, "https://evil.example"),
        ({}, "null"),
        ({"Host": "evil.example:29600"}, None),
        ({"Host": "127.0.0.1.evil.example"}, None),
    ],
)
async def test_a_web_page_and_a_rebound_name_are_refused_before_there_is_a_connection(
    partner: Partner, headers: dict[str, str], origin: str | None
) -> None:
    gateway, token = await open_gateway(partner, allowed_origins=("http://localhost:3000",))
    with pytest.raises(InvalidStatus) as refused:
        async with talker(gateway, token, additional_headers=headers, origin=origin):
            pass
    assert refused.value.response.status_code == 403
    async with talker(gateway, token, origin="http://localhost:3000") as page:
        assert (await page.ask(type="ping"))["type"] == "pong"


async def test_it_listens_on_this_machine_only_and_its_token_is_private(partner: Partner) -> None:
    gateway, token = await open_gateway(partner)
    assert gateway.port
    assert gateway._server is not None
    assert {listening.getsockname()[0] for listening in gateway._server.sockets} == {"127.0.0.1"}
    assert token_path(partner.home).stat().st_mode & 0o777 == 0o600
    assert len(token) >= 43


async def test_a_renewed_token_lets_the_old_clients_go(partner: Partner) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as old:
        fresh = renew_token(partner.home)
        async with talker(gateway, fresh) as new:
            assert (await old.farewell())[0] == 4401
            assert (await new.ask(type="ping"))["type"] == "pong"


async def test_an_empty_token_file_opens_nothing(partner: Partner) -> None:
    gateway, token = await open_gateway(partner)
    token_path(partner.home).write_text("")
    async with talker(gateway, "") as one:
        await one.tell(type="hello", token="")
        assert (await one.farewell())[0] == 4401
    assert token


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("not json", "not JSON"),
        ("[1, 2]", "one JSON object"),
        ("[" * 100_000, "not JSON"),
        ('{"type": "dance"}', "`type`"),
        ('{"type": "say", "text": 5}', "`text` of this say frame"),
        ('{"type": "say"}', "`text` of this say frame"),
        ('{"type": "say", "text": "x", "loud": true}', "`loud` of this say frame"),
        ('{"type": "approve", "action": "a", "scope": "always"}', "`scope` of this approve frame"),
        ('{"type": "open", "conversation": "c", "after": 3}', "`epoch`"),
        ('{"type": "open", "conversation": "nowhere"}', "There is no conversation nowhere"),
        ('{"type": "say", "text": "x", "conversation": "elsewhere"}', "not opened"),
        ('{"type": "say", "text": "  "}', "nothing in this message"),
        (b"\x00\xff", "binary"),
    ],
)
async def test_a_frame_that_does_not_fit_gets_a_sentence_and_the_connection_stays(
    partner: Partner, said: str | bytes, named: str
) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as one:
        await one.connection.send(said)
        refused = await one.kind("error")
        assert named in refused["message"], refused
        assert (await one.ask(type="ping"))["type"] == "pong"


async def test_a_frame_too_large_ends_that_connection_only(partner: Partner) -> None:
    gateway, token = await open_gateway(partner, max_frame_kib=4)
    async with talker(gateway, token) as other, talker(gateway, token) as one:
        await one.connection.send("x" * 5_000)
        assert (await one.farewell())[0] == 1009
        assert (await other.ask(type="ping"))["type"] == "pong"


async def test_too_many_frames_and_too_many_clients_are_told_so(partner: Partner) -> None:
    gateway, token = await open_gateway(partner, frames_per_second=1, frame_burst=5, max_clients=2)
    async with talker(gateway, token) as flood, talker(gateway, token) as other:
        async with talker(gateway, "") as third:
            await third.tell(type="hello", token=token)
            code, reason = await third.farewell()
            assert (code, "2 clients" in reason) == (4429, True)
        for _ in range(7):
            await flood.tell(type="ping")
        assert (await flood.farewell())[0] == 4429
        assert flood.frames[-1]["type"] == "error"
        assert (await other.ask(type="ping"))["type"] == "pong"


async def test_who_does_not_answer_two_pings_is_let_go(partner: Partner) -> None:
    gateway, token = await open_gateway(partner, ping_seconds=0.1)
    reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
    writer.write(
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        b"Authorization: Bearer " + token.encode() + b"\r\n\r\n"
    )
    async with asyncio.timeout(WAIT_S):
        received = await reader.read()  # to the end, and never a pong from here
    assert received.count(b"\x89\x04") >= 1
    assert b"\x03\xf3" in received, "closed with 1011"
    writer.close()
    async with talker(gateway, token) as one:
        assert (await one.ask(type="ping"))["type"] == "pong"


def turn(conversation_id: str, number: int, *, size: int = 0) -> TurnEvent:
    return TurnEvent(conversation_id=conversation_id, turn_id=f"{number} " + "x" * size, state="started")


async def test_a_client_too_far_behind_is_let_go_and_comes_back_to_everything(home: Home) -> None:
    host = SmallHost()
    async with small_gateway(host, home, most_waiting=50) as (gateway, token):
        async with talker(gateway, token) as slow:
            opened = await slow.ask(type="new")
            conversation = opened["conversation"]
            for number in range(200):
                host.publish(turn(conversation, number))
            code, reason = await slow.farewell()
            assert (code, "too slowly" in reason) == (4410, True)
        async with talker(gateway, token) as again:
            last = slow.events[-1]["seq"] if slow.events else 0
            await again.tell(type="open", conversation=conversation, epoch=opened["epoch"], after=last)
            replayed = await again.kind("replayed")
        assert replayed["seq"] == 200
        assert [*numbers(slow), *numbers(again)] == list(range(1, 201))


async def test_a_client_that_never_reads_is_cut_off_and_the_others_go_on(home: Home) -> None:
    host = SmallHost()
    async with (
        small_gateway(host, home, most_waiting=50) as (gateway, token),
        talker(gateway, token, max_queue=1) as deaf,
    ):
        conversation = (await deaf.ask(type="new"))["conversation"]
        async with asyncio.timeout(WAIT_S):
            number = 0
            while gateway._known:
                if number < 500:
                    host.publish(turn(conversation, number, size=60_000))
                number += 1
                await asyncio.sleep(0)
        assert number > 50
        async with talker(gateway, token) as other:
            assert (await other.ask(type="ping"))["type"] == "pong"


async def test_a_client_whose_events_are_held_no_more_is_let_go_and_told_of_the_gap(home: Home) -> None:
    host = SmallHost()
    async with small_gateway(host, home, most_waiting=10_000) as (gateway, token):
        async with talker(gateway, token) as slow:
            opened = await slow.ask(type="new")
            for number in range(2_100):
                host.publish(turn(opened["conversation"], number))
            assert (await slow.farewell())[0] == 4410
        async with talker(gateway, token) as again:
            await again.tell(type="open", conversation=opened["conversation"], epoch=opened["epoch"], after=0)
            assert (await again.kind("gap"))["seq"] == 2_100


async def test_what_fell_out_of_the_log_is_a_gap_never_a_silent_hole(home: Home) -> None:
    host = SmallHost()
    async with small_gateway(host, home) as (gateway, token), talker(gateway, token) as one:
        opened = await one.ask(type="new")
        conversation = opened["conversation"]
        await host.messages.send("kept", conversation_id=conversation, source="window")
        await one.tell(type="close", conversation=conversation)
        await one.kind("done")
        for number in range(2_001):
            host.publish(turn(conversation, number))
        await one.tell(type="open", conversation=conversation, epoch=opened["epoch"], after=0, position=0)
        gap = await one.kind("gap")
        assert gap["seq"] == 2_001
        assert [entry["text"] for entry in (await one.kind("messages"))["messages"]] == ["kept"]
        await one.tell(type="open", conversation=conversation, epoch=opened["epoch"], after=1)
        assert (await one.kind("replayed"))["count"] == 2_000


async def test_notices_for_all_reach_all_and_other_global_events_nobody(home: Home) -> None:
    host = SmallHost()
    async with small_gateway(host, home) as (gateway, token), talker(gateway, token) as one:
        host.publish(ReplyEvent(reply_id="r", seq=0, content="for nobody"))
        host.publish(NoticeEvent(title="Partner", text="for all"))
        frame = await one.next()
        assert (frame["event"]["text"], frame["conversation"], frame["seq"]) == ("for all", "", 0)


@pytest.mark.usefixtures("shout")
async def test_an_approval_runs_the_action_once_and_only_for_who_follows_it(
    partner: Partner, watcher: Watcher
) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as owner, talker(gateway, token) as stranger:
        await owner.tell(type="say", text='shout "over the wire" in capital letters')
        proposal = await owner.event("proposal")
        action = proposal["event"]["action"]["id"]
        await owner.event("done")
        refused = await stranger.ask(type="approve", action=action)
        assert "not opened" in refused["message"]
        assert (await owner.ask(type="approve", action=action))["type"] in ("done", "event")
        result = await watcher.until(lambda event: isinstance(event, ResultEvent))
        assert isinstance(result, ResultEvent)
        assert result.action.stdout.strip() == "OVER THE WIRE"
        again = await owner.ask(type="approve", action=action)
        assert again["type"] == "error"
    assert [row.scope for row in await partner.audit.newest() if row.kind == "decision"] == ["once"]


@pytest.mark.usefixtures("shout")
async def test_a_yes_is_to_the_card_that_it_names_or_that_was_sent_last_to_this_client(
    partner: Partner,
) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as one, talker(gateway, token) as late:
        await one.tell(type="say", text='shout "over the wire" in capital letters')
        proposal = await one.event("proposal")
        action, version = proposal["event"]["action"]["id"], proposal["event"]["version"]
        await one.event("done")
        await one.tell(type="approve", action=action, version="0" * 64)
        assert (await one.event("proposal"))["event"]["version"] == version
        await late.ask(type="open", conversation=proposal["conversation"])
        await late.tell(type="approve", action=action)  # it was sent no card yet
        assert (await late.event("proposal"))["event"]["version"] == version
        assert (await partner.actions.get(action)).status is ActionStatus.WAITING
        await late.tell(type="approve", action=action)
        assert (await late.event("result"))["event"]["action"]["stdout"] == "OVER THE WIRE\n"


async def test_stop_ends_the_turn_and_keeps_what_came(slow_spoken: Partner) -> None:
    gateway, token = await open_gateway(slow_spoken)
    async with talker(gateway, token) as one:
        conversation = await one.begin("hello")
        await one.event("reply", seq=2)
        await one.tell(type="stop", conversation=conversation)
        end = await one.event("reply", done=True)
        assert end["event"]["stopped"]


async def test_a_client_that_leaves_stops_nothing(slow_spoken: Partner) -> None:
    watcher = Watcher()
    slow_spoken.subscribe(watcher)
    gateway, token = await open_gateway(slow_spoken)
    async with talker(gateway, token) as one:
        await one.tell(type="say", text="hello")
        await one.event("reply", seq=1)
        one.connection.transport.abort()
    end = await watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)
    assert isinstance(end, ReplyEvent)
    assert not end.stopped


class Pausing(SmallMessages):
    """Takes a message in two steps, as a database and a queue do."""

    def __init__(self, held: dict[str, list[Message]]) -> None:
        super().__init__(held)
        self.begun, self.go_on, self.ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def send(self, text: str, *, conversation_id: str | None, source: str) -> Message:
        self.begun.set()
        await self.go_on.wait()
        self.ended.set()
        return await super().send(text, conversation_id=conversation_id, source=source)


async def test_a_message_half_way_in_goes_all_the_way_though_its_client_is_gone(home: Home) -> None:
    host = SmallHost()
    host.messages = pausing = Pausing(host.held)
    async with small_gateway(host, home) as (gateway, token):
        async with talker(gateway, token) as one:
            conversation = (await one.ask(type="new"))["conversation"]
            await one.tell(type="say", text="hello", conversation=conversation)
            await asyncio.wait_for(pausing.begun.wait(), WAIT_S)
            one.connection.transport.abort()
        for number in range(20):  # the gateway finds out by sending
            host.publish(turn(conversation, number))
            await asyncio.sleep(0)
        pausing.go_on.set()
        await asyncio.wait_for(pausing.ended.wait(), WAIT_S)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_fields = st.sampled_from(
    ["type", "ref", "text", "conversation", "action", "after", "epoch", "position", "limit", "token", "scope"]
)
_frames = st.one_of(
    st.text(),
    st.binary(max_size=64),
    _json.map(json.dumps),
    st.builds(
        lambda kind, more: json.dumps({**more, "type": kind}),
        st.sampled_from(sorted(EXAMPLES)),
        st.dictionaries(_fields, _json, max_size=4),
    ),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(said=_frames)
def test_whatever_comes_is_a_frame_or_a_sentence(said: str | bytes) -> None:
    sentence = ""
    try:
        assert read_frame(said).type in EXAMPLES
    except FrameError as error:
        sentence = str(error)
    assert not sentence or (sentence.isprintable() and len(sentence) < 600)


@pytest.fixture
def any_frames() -> list[str | bytes]:
    """A few hundred things that somebody might send."""
    told: list[str | bytes] = []

    @settings(max_examples=300, deadline=None)
    @given(said=_frames)
    def collect(said: str | bytes) -> None:
        told.append(said.encode("utf-8", "replace").decode() if isinstance(said, str) else said)

    collect()
    return told


async def test_after_any_frames_the_next_valid_one_is_answered(
    any_frames: list[str | bytes], partner: Partner
) -> None:
    gateway, token = await open_gateway(partner, frames_per_second=10_000, frame_burst=10_000)
    async with talker(gateway, token) as one:
        for said in any_frames:
            await one.connection.send(said)
            assert (await one.ask(type="ping"))["type"] == "pong"
    assert len(any_frames) > 100


async def test_a_message_with_nothing_in_it_begins_no_conversation(partner: Partner) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as one:
        refused = await one.ask(type="say", text=" \n\t")
        assert refused["type"] == "error"
        assert "nothing in this message" in refused["message"]
    assert await partner.conversations.list() == []
