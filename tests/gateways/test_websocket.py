"""A Partner over a websocket: real sockets, real clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from partner_desktop.app import Partner
from partner_desktop.base.operation import Caller, OnlyFrom, operation
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import NoticeEvent, ReplyEvent, ResultEvent, TurnEvent
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import Message
from partner_desktop.gateways.rpc import MOST_AT_ONCE
from partner_desktop.gateways.settings import WebsocketSettings
from partner_desktop.gateways.websocket.admission import renew_token, token_path
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
        message = await one.ask("messages.send", text="hello")
        kept = await partner.messages.list(message["conversation_id"])
        assert (kept[0].id, kept[0].text, kept[0].source) == (message["id"], "hello", "websocket")
        assert one.events == [], "the answer comes before what it brings"
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
        await eve.ask("client.open", conversation_id=shared)
        await ann.tell("messages.send", text="tell me a joke", conversation_id=shared)
        await ann.event("done")
        await eve.event("done")
        assert await bob.is_heard()
        assert {frame["conversation_id"] for frame in ann.events} == {shared}
        assert {frame["conversation_id"] for frame in bob.events} == {bobs}
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
    async with talker(gateway, token) as again:
        opened = await again.ask(
            "client.open", conversation_id=conversation, epoch=seen[-1]["epoch"], after=seen[-1]["seq"]
        )
        assert (opened["resumed"], opened["reason"]) == (True, "")
        await again.event("done")
        if not any(frame.get("method") == "replayed" for frame in again.frames):
            await again.told("replayed")
    joined = [*seen, *again.events]
    assert [frame["seq"] for frame in joined] == list(range(1, len(joined) + 1))
    replies = [frame["event"] for frame in joined if frame["event"]["type"] == "reply"]
    assert "".join(reply["content"] for reply in replies) == replies[-1]["text"]
    assert replies[-1]["done"]


async def test_what_is_no_longer_held_can_be_read_and_the_next_event_follows(partner: Partner) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as one:
        conversation = await one.begin("hello")
        await one.event("done")
        said = next(frame["event"]["message"] for frame in one.events if "message" in frame["event"])
        opened = await one.ask("client.open", conversation_id=conversation, epoch="of old", after=3)
        assert not opened["resumed"]
        assert opened["reason"] == "These events were counted in another epoch."
        assert (opened["epoch"], opened["seq"]) == (one.events[-1]["epoch"], one.events[-1]["seq"])
        newest = await one.ask("messages.list", conversation_id=conversation)
        assert [entry["role"] for entry in newest] == ["user", "partner"]
        before = newest[-1]["position"]
        (older,) = await one.ask("messages.list", conversation_id=conversation, before=before)
        assert older["position"] == said["position"]
        await one.tell("messages.send", text="hello", conversation_id=conversation)
        assert (await one.told("event"))["seq"] == opened["seq"] + 1


@pytest.mark.promise("runtime.gateways")
@pytest.mark.parametrize("token", ["", "wrong", "x" * 43, "é" * 43])
async def test_without_the_token_nothing_is_said_and_the_connection_ends(
    partner: Partner, token: str
) -> None:
    gateway, right = await open_gateway(partner)
    async with talker(gateway, "") as one:
        await one.tell("client.hello", token=token)
        code, reason = await one.farewell()
    assert code == 4401
    assert "token" in reason
    assert one.heard_only_an_error
    async with talker(gateway, "", additional_headers={"Authorization": f"Bearer {right[:-1]}"}) as other:
        assert (await other.farewell())[0] == 4401
    async with talker(gateway, "", additional_headers={"Authorization": f"Bearer {right}"}) as known:
        assert await known.is_heard()
        assert (await known.ask("client.hello"))["version"] == 1


def request(method: str, **params: Json) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


async def test_something_else_than_hello_is_no_way_in(partner: Partner) -> None:
    gateway, _ = await open_gateway(partner)
    for said in (
        request("conversations.list"),
        "garbage",
        b"\x00",
        request("client.hello", token=5),
        request("client.hello"),
    ):
        async with talker(gateway, "") as one:
            await one.connection.send(said)
            assert (await one.farewell())[0] == 4401
            assert one.heard_only_an_error


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
                assert await one.is_heard()
            assert await known.is_heard()
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
            assert await newest.is_heard()
        assert (await silent[0].farewell())[0] == 1006, "cut off"
        for one in silent[1:]:
            await one.ask("client.hello", token=token)


async def test_the_right_token_takes_back_what_the_wrong_ones_cost(home: Home) -> None:
    # Without that the last one would wait for longer than one that says nothing is listened to.
    async with (
        small_gateway(SmallHost(), home, hello_timeout_s=1.5) as (gateway, token),
        AsyncExitStack() as stack,
    ):
        for _ in range(8):
            wrong = await stack.enter_async_context(talker(gateway, ""))
            await wrong.tell("client.hello", token="wrong")
        async with talker(gateway, token):
            pass
        silent = await stack.enter_async_context(talker(gateway, ""))
        late = await stack.enter_async_context(talker(gateway, ""))
        await late.tell("client.hello", token="wrong")
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
        assert await page.is_heard()


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
            assert await new.is_heard()


async def test_an_empty_token_file_opens_nothing(partner: Partner) -> None:
    gateway, token = await open_gateway(partner)
    token_path(partner.home).write_text("")
    async with talker(gateway, "") as one:
        await one.tell("client.hello", token="")
        assert (await one.farewell())[0] == 4401
    assert token


@pytest.mark.parametrize(
    ("said", "code", "named"),
    [
        ("not json", "invalid_request", "not JSON"),
        (request("client.begin")[:30], "invalid_request", "not JSON"),
        (f"[{request('client.begin')}]", "invalid_request", "no request of JSON-RPC 2.0"),
        ("[" * 100_000, "invalid_request", "not JSON"),
        (request("client.begin").encode(), "invalid_request", "binary"),
        (b"\x00\xff", "invalid_request", "binary"),
        ('{"type": "say", "text": "as it was"}', "invalid_request", "no request of JSON-RPC 2.0"),
        (request("dance"), "unknown_operation", "There is no operation dance"),
        (request("client.dance"), "unknown_operation", "There is no operation client.dance"),
        (request("messages.edit", message_id="m", text="x"), "not_allowed", "from here"),
        (request("conversations.create"), "not_allowed", "from here"),
        (request("permissions.set_mode", mode="autonomous"), "not_allowed", "from here"),
        (request("messages.send", text=5), "invalid_parameters", "text: input should be"),
        (request("messages.send"), "invalid_parameters", "text is missing"),
        (request("messages.send", text="x", loud=True), "invalid_parameters", "no parameter loud"),
        (request("messages.send", text="x", source="window"), "invalid_parameters", "no parameter source"),
        (request("messages.send", text="x", standing="all"), "invalid_parameters", "no parameter standing"),
        (request("actions.approve", action_id="a", scope="always"), "invalid_parameters", "parameter scope"),
        (request("actions.approve", action_id=["a"]), "invalid_parameters", "action_id: input should be"),
        (request("client.open", conversation_id="c", after=3), "usage", "needs the `epoch`"),
        (request("client.open", conversation_id="c", after=-1), "invalid_parameters", "after"),
        (request("client.open", conversation_id="nowhere"), "usage", "There is no conversation nowhere"),
        (request("messages.send", text="x", conversation_id="elsewhere"), "usage", "not opened"),
        (request("messages.send", text="x", conversation_id=""), "usage", "not opened"),
        (request("messages.list", conversation_id="elsewhere"), "usage", "not opened"),
        (request("conversations.stop", conversation_id="elsewhere"), "usage", "not opened"),
        (request("messages.send", text="  "), "usage", "nothing in this message"),
        (request("messages.send", text="x" * 200_001), "usage", "can hold 200,000 characters"),
    ],
)
async def test_what_does_not_fit_gets_a_sentence_and_a_code_and_the_connection_stays(
    partner: Partner, said: str | bytes, code: str, named: str
) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, "", additional_headers={"Authorization": f"Bearer {token}"}) as one:
        await one.connection.send(said)
        error = (await one.until(lambda frame: "error" in frame))["error"]
        assert error["data"]["code"] == code, error
        assert named in error["message"], error
        assert await one.is_heard()
    assert await partner.conversations.list() == []


async def test_a_frame_too_large_ends_that_connection_only(partner: Partner) -> None:
    gateway, token = await open_gateway(partner, max_frame_kib=4)
    async with talker(gateway, token) as other, talker(gateway, token) as one:
        await one.connection.send("x" * 5_000)
        assert (await one.farewell())[0] == 1009
        assert await other.is_heard()


async def test_too_many_frames_and_too_many_clients_are_told_so(partner: Partner) -> None:
    gateway, token = await open_gateway(partner, frames_per_second=1, frame_burst=5, max_clients=2)
    async with talker(gateway, token) as flood, talker(gateway, token) as other:
        async with talker(gateway, "") as third:
            await third.tell("client.hello", token=token)
            code, reason = await third.farewell()
            assert (code, "2 clients" in reason) == (4429, True)
        for _ in range(7):
            await flood.tell("conversations.list")
        assert (await flood.farewell())[0] == 4429
        assert (flood.frames[-1]["id"], "Too many" in flood.frames[-1]["error"]["message"]) == (None, True)
        assert await other.is_heard()


async def test_ten_thousand_requests_without_a_pause_are_one_farewell(partner: Partner) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as flood, talker(gateway, token) as other:
        with suppress(ConnectionClosed):
            for _ in range(10_000):
                await flood.tell("conversations.list")
        assert (await flood.farewell())[0] == 4429
        assert await other.is_heard()


async def test_a_client_that_asks_for_much_and_reads_nothing_is_let_go(home: Home) -> None:
    host = SmallHost()
    async with (
        small_gateway(host, home) as (gateway, token),
        talker(gateway, token, max_queue=1) as deaf,
        talker(gateway, token) as other,
    ):
        place = (await deaf.ask("client.begin"))["conversation_id"]
        for _ in range(50):
            await host.messages.send("x" * 150_000, conversation_id=place)
        for _ in range(5):
            await deaf.tell("messages.list", conversation_id=place)
        await other.is_heard()
        assert (await deaf.farewell())[0] in (4410, 1006)
        assert await other.is_heard()


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
        assert await one.is_heard()


def turn(conversation_id: str, number: int, *, size: int = 0) -> TurnEvent:
    return TurnEvent(conversation_id=conversation_id, turn_id=f"{number} " + "x" * size, state="started")


async def test_a_client_too_far_behind_is_let_go_and_comes_back_to_everything(home: Home) -> None:
    host = SmallHost()
    async with small_gateway(host, home, most_waiting=50) as (gateway, token):
        async with talker(gateway, token) as slow:
            opened = await slow.ask("client.begin")
            conversation = opened["conversation_id"]
            for number in range(200):
                host.publish(turn(conversation, number))
            code, reason = await slow.farewell()
            assert (code, "too slowly" in reason) == (4410, True)
        async with talker(gateway, token) as again:
            last = slow.events[-1]["seq"] if slow.events else 0
            await again.tell("client.open", conversation_id=conversation, epoch=opened["epoch"], after=last)
            replayed = await again.told("replayed")
        assert replayed["seq"] == 200
        assert [*numbers(slow), *numbers(again)] == list(range(1, 201))


async def test_a_client_that_never_reads_is_cut_off_and_the_others_go_on(home: Home) -> None:
    host = SmallHost()
    async with (
        small_gateway(host, home, most_waiting=50) as (gateway, token),
        talker(gateway, token, max_queue=1) as deaf,
    ):
        conversation = (await deaf.ask("client.begin"))["conversation_id"]
        async with asyncio.timeout(WAIT_S):
            number = 0
            while gateway._known:
                if number < 500:
                    host.publish(turn(conversation, number, size=60_000))
                number += 1
                await asyncio.sleep(0)
        assert number > 50
        async with talker(gateway, token) as other:
            assert await other.is_heard()


async def test_a_client_whose_events_are_held_no_more_is_let_go_and_told_so(home: Home) -> None:
    host = SmallHost()
    async with small_gateway(host, home, most_waiting=10_000) as (gateway, token):
        async with talker(gateway, token) as slow:
            begun = await slow.ask("client.begin")
            for number in range(2_100):
                host.publish(turn(begun["conversation_id"], number))
            assert (await slow.farewell())[0] == 4410
        async with talker(gateway, token) as again:
            opened = await again.ask(
                "client.open", conversation_id=begun["conversation_id"], epoch=begun["epoch"], after=0
            )
            assert (opened["resumed"], opened["seq"]) == (False, 2_100)


async def test_what_fell_out_of_the_log_is_told_never_a_silent_hole(home: Home) -> None:
    host = SmallHost()
    async with small_gateway(host, home) as (gateway, token), talker(gateway, token) as one:
        begun = await one.ask("client.begin")
        place = {"conversation_id": begun["conversation_id"]}
        await host.messages.send("kept", **place, source="window")
        await one.ask("client.close", **place)
        for number in range(2_001):
            host.publish(turn(begun["conversation_id"], number))
        opened = await one.ask("client.open", **place, epoch=begun["epoch"], after=0)
        assert (opened["resumed"], opened["seq"]) == (False, 2_001)
        assert opened["reason"] == "Only the events after 1 are still held."
        assert [entry["text"] for entry in await one.ask("messages.list", **place)] == ["kept"]
        assert (await one.ask("client.open", **place, epoch=begun["epoch"], after=1))["resumed"]
        assert (await one.told("replayed"))["count"] == 2_000


async def test_the_answer_comes_before_the_first_event_that_it_brings(home: Home) -> None:
    host = SmallHost()
    async with small_gateway(host, home) as (gateway, token), talker(gateway, token) as one:
        begun = await one.ask("client.begin")
        place = {"conversation_id": begun["conversation_id"], "epoch": begun["epoch"]}
        for number in range(20):
            host.publish(turn(begun["conversation_id"], number))
        for after in range(20):
            async with talker(gateway, token) as again:
                told = len(again.frames)
                asked = await again.tell("client.open", **place, after=after)
                assert (await again.answer(asked)) is again.frames[told]
                assert (await again.told("event"))["seq"] == after + 1


async def test_notices_for_all_reach_all_and_other_global_events_nobody(home: Home) -> None:
    host = SmallHost()
    async with small_gateway(host, home) as (gateway, token), talker(gateway, token) as one:
        host.publish(ReplyEvent(reply_id="r", seq=0, content="for nobody"))
        host.publish(NoticeEvent(title="Partner", text="for all"))
        told = await one.told("event")
        assert (told["event"]["text"], told["conversation_id"], told["seq"]) == ("for all", "", 0)


@pytest.mark.usefixtures("shout")
async def test_an_approval_runs_the_action_once_and_only_for_who_follows_it(
    partner: Partner, watcher: Watcher
) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as owner, talker(gateway, token) as stranger:
        await owner.tell("messages.send", text='shout "over the wire" in capital letters')
        proposal = await owner.event("proposal")
        action = proposal["event"]["action"]["id"]
        await owner.event("done")
        for method in ("actions.approve", "actions.reject"):
            refused = await stranger.refused(method, action_id=action)
            assert "not opened" in refused["message"]
        assert await owner.ask("actions.approve", action_id=action) is None
        result = await watcher.until(lambda event: isinstance(event, ResultEvent))
        assert isinstance(result, ResultEvent)
        assert result.action.stdout.strip() == "OVER THE WIRE"
        await owner.refused("actions.approve", action_id=action)
    assert [row.scope for row in await partner.audit.newest() if row.kind == "decision"] == ["once"]


@pytest.mark.usefixtures("shout")
async def test_a_yes_is_to_the_card_that_it_names_or_that_was_sent_last_to_this_client(
    partner: Partner,
) -> None:
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as one, talker(gateway, token) as late:
        await one.tell("messages.send", text='shout "over the wire" in capital letters')
        proposal = await one.event("proposal")
        action, version = proposal["event"]["action"]["id"], proposal["event"]["version"]
        await one.event("done")
        await one.tell("actions.approve", action_id=action, shown="0" * 64)
        assert (await one.event("proposal"))["event"]["version"] == version
        await late.ask("client.open", conversation_id=proposal["conversation_id"])
        await late.tell("actions.approve", action_id=action)  # it was sent no card yet
        assert (await late.event("proposal"))["event"]["version"] == version
        assert (await partner.actions.get(action)).status is ActionStatus.WAITING
        await late.tell("actions.approve", action_id=action)
        assert (await late.event("result"))["event"]["action"]["stdout"] == "OVER THE WIRE\n"


async def test_stop_ends_the_turn_and_keeps_what_came(slow_spoken: Partner) -> None:
    gateway, token = await open_gateway(slow_spoken)
    async with talker(gateway, token) as one:
        conversation = await one.begin("hello")
        await one.event("reply", seq=2)
        await one.tell("conversations.stop", conversation_id=conversation)
        end = await one.event("reply", done=True)
        assert end["event"]["stopped"]


async def test_a_client_that_leaves_stops_nothing(slow_spoken: Partner) -> None:
    watcher = Watcher()
    slow_spoken.subscribe(watcher)
    gateway, token = await open_gateway(slow_spoken)
    async with talker(gateway, token) as one:
        await one.tell("messages.send", text="hello")
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

    @operation(Caller.CLIENT)
    async def send(
        self,
        text: str,
        *,
        conversation_id: str | None = None,
        source: Annotated[str, OnlyFrom(Caller.LOCAL)] = "",
    ) -> Message:
        """In two steps."""
        self.begun.set()
        await self.go_on.wait()
        self.ended.set()
        return await super().send(text, conversation_id=conversation_id, source=source)


async def test_a_message_half_way_in_goes_all_the_way_though_its_client_is_gone(home: Home) -> None:
    host = SmallHost()
    host.messages = pausing = Pausing(host.held)
    async with small_gateway(host, home) as (gateway, token):
        async with talker(gateway, token) as one:
            conversation = (await one.ask("client.begin"))["conversation_id"]
            await one.tell("messages.send", text="hello", conversation_id=conversation)
            await asyncio.wait_for(pausing.begun.wait(), WAIT_S)
            one.connection.transport.abort()
        for number in range(20):  # the gateway finds out by sending
            host.publish(turn(conversation, number))
            await asyncio.sleep(0)
        pausing.go_on.set()
        await asyncio.wait_for(pausing.ended.wait(), WAIT_S)


async def test_what_was_begun_is_done_and_what_waits_behind_it_can_be_taken_back(home: Home) -> None:
    host = SmallHost()
    host.messages = pausing = Pausing(host.held)
    async with small_gateway(host, home) as (gateway, token), talker(gateway, token) as one:
        place = (await one.ask("client.begin"))["conversation_id"]
        first = await one.tell("messages.send", text="first", conversation_id=place)
        second = await one.tell("messages.send", text="second", conversation_id=place)
        await asyncio.wait_for(pausing.begun.wait(), WAIT_S)
        for asked in (second, second, "never", None):
            body = {"jsonrpc": "2.0", "method": "$/cancel", "params": {"id": asked}}
            await one.connection.send(json.dumps(body))
        assert (await one.answer(second))["error"]["data"]["code"] == "cancelled"
        pausing.go_on.set()
        assert (await one.answer(first))["result"]["text"] == "first"
        assert [message.text for message in host.held[place]] == ["first"]


async def test_one_that_goes_is_noticed_though_no_more_can_be_taken_from_it(home: Home) -> None:
    host = SmallHost()
    host.messages = pausing = Pausing(host.held)
    wanted = WebsocketSettings(port=0, max_clients=1, frame_burst=100)
    async with small_gateway(host, home, settings=wanted) as (gateway, token):
        async with talker(gateway, token) as one:
            place = (await one.ask("client.begin"))["conversation_id"]
            for _ in range(MOST_AT_ONCE + 5):
                await one.tell("messages.send", text="hello", conversation_id=place)
            await asyncio.wait_for(pausing.begun.wait(), WAIT_S)
            one.connection.transport.abort()
        async with asyncio.timeout(WAIT_S):
            heard = False
            while not heard:
                with suppress(ConnectionClosed):  # the place of the first is not free yet
                    async with talker(gateway, token) as other:
                        heard = await other.is_heard()
        pausing.go_on.set()


async def test_a_client_follows_so_many_conversations_and_no_more(home: Home) -> None:
    host = SmallHost()
    async with small_gateway(host, home) as (gateway, token), talker(gateway, token) as one:
        places = [(await one.ask("client.begin"))["conversation_id"] for _ in range(32)]
        for method, params in (("client.begin", {}), ("messages.send", {"text": "hello"})):
            assert "may follow 32" in (await one.refused(method, **params))["message"]
        assert len(host.held) == 32, "nothing was begun"
        await one.ask("client.close", conversation_id=places[0])
        assert (await one.ask("messages.send", text="hello"))["conversation_id"] == "c33"


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_params = st.dictionaries(
    st.sampled_from(["text", "conversation_id", "action_id", "after", "epoch", "limit", "token", "shown"]),
    _json,
    max_size=4,
)
_methods = st.sampled_from(
    [
        "client.open",
        "client.close",
        "client.hello",
        "messages.send",
        "messages.list",
        "actions.approve",
        "$/cancel",
    ]
)
#: None that a test's own requests have.
_any_id = st.text() | st.integers(max_value=0) | st.floats() | st.none() | st.booleans() | st.lists(_json)
_frames = st.one_of(
    st.text(),
    st.binary(max_size=64),
    _json.map(json.dumps),
    st.builds(
        lambda method, params, asked: json.dumps(
            {"jsonrpc": "2.0", "id": asked, "method": method, "params": params}
        ),
        _methods | st.text(),
        _params | _json,
        _any_id,
    ),
)


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


async def test_whatever_comes_is_done_or_refused_in_a_sentence_and_the_next_request_is_answered(
    any_frames: list[str | bytes], partner: Partner
) -> None:
    gateway, token = await open_gateway(partner, frames_per_second=10_000, frame_burst=10_000)
    async with talker(gateway, token) as one:
        for said in any_frames:
            await one.connection.send(said)
            assert await one.is_heard()
    sentences = [frame["error"]["message"] for frame in one.frames if "error" in frame]
    assert len(sentences) > 100
    for sentence in sentences:
        assert sentence.isprintable()
        assert len(sentence) < 600


@pytest.mark.parametrize(
    ("params", "words"),
    [({"text": " \n\t"}, "nothing in this message"), ({"text": "hello", "loud": True}, "no parameter loud")],
)
async def test_a_message_that_is_refused_begins_no_conversation(
    home: Home, params: JsonObject, words: str
) -> None:
    host = SmallHost()
    async with small_gateway(host, home) as (gateway, token), talker(gateway, token) as one:
        assert words in (await one.refused("messages.send", **params))["message"]
    assert host.held == {}


async def test_a_program_is_not_told_where_attachments_lie(partner: Partner, tmp_path: Path) -> None:
    gateway, token = await open_gateway(partner)
    (tmp_path / "taxes.txt").write_text("of this year")
    async with talker(gateway, token) as one:
        conversation = await one.begin("hello")
        await one.event("done")
        one.events.clear()
        attached = [tmp_path / "taxes.txt"]
        await partner.messages.send("what is this", conversation_id=conversation, attachments=attached)
        await one.event("done")
        told = await one.ask("messages.list", conversation_id=conversation)
        heard = json.dumps([told, one.events])
    assert "taxes.txt" in heard
    assert str(tmp_path) not in json.dumps([message["attachments"] for message in told])
    messages = [frame["event"]["message"] for frame in one.events if "message" in frame["event"]]
    assert [each["attachments"] for each in messages if each["attachments"]]
    assert str(tmp_path) not in json.dumps([each["attachments"] for each in messages])
