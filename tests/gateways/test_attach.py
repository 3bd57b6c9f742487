"""The host's socket: what does not fit gets one sentence, and the host goes on."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.api.event_service import concerns
from partner_desktop.app import Partner
from partner_desktop.base.errors import HostError, UsageError
from partner_desktop.base.messages import set_process_language
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, NoticeEvent, ReplyEvent
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.attach import MOST_CLIENTS
from partner_desktop.gateways.remote import RemoteClient, answers
from partner_desktop.gateways.wire import MOST_BYTES
from tests.support import WAIT_S, Watcher, drain

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration

#: A program of its own, on a busy machine.
START_S = 30.0


def request(method: str, request_id: int = 1, **params: object) -> bytes:
    body = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return json.dumps(body).encode() + b"\n"


def hello(home: Home) -> bytes:
    """What a command of this home says first."""
    return request("client.hello", 0, token=home.proof.read_text())


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


async def begin(home: Home) -> dict[str, Any]:
    """The answer to an ordinary request."""
    return (await answered(home, hello(home) + request("conversations.create")))[-1]


CLIP = request("conversations.create")[:30]


@pytest.mark.parametrize(
    ("said", "code", "sentence"),
    [
        (b"garbage\n", "invalid_request", "This is not JSON. Example: {"),
        (b"\xff\xfe\x00\n", "invalid_request", "This is not JSON"),
        (b"[1]\n", "invalid_request", "no request of JSON-RPC 2.0"),
        (b"[" * 100_000 + b"\n", "invalid_request", "This is not JSON"),
        (b"x" * (3 * MOST_BYTES) + b"\n", "too_large", "longer than 8 MiB"),
        (CLIP, "invalid_request", "This is not JSON"),
        (b"{}\n", "invalid_request", "no request of JSON-RPC 2.0"),
        (request("messages.send", text=5, conversation_id=None), "invalid_parameters", "text: input should"),
        (request("messages.sent"), "unknown_operation", "did you mean messages.send?"),
        (request("config.set", name="a", key=[], value=1), "not_allowed", "cannot be asked for from here"),
        (request("actions.list", limit=0), "invalid_parameters", "limit: input should be greater"),
        (request("actions.get", action_id="nowhere"), "usage", "nowhere"),
    ],
    ids=[
        "garbage", "bytes", "list", "deep", "long", "half", "empty", "type", "unknown", "forbidden", "limit",
        "gone",
    ],
)  # fmt: skip
async def test_what_does_not_fit_gets_one_error_with_its_code_and_the_host_goes_on(
    partner: Partner, said: bytes, code: str, sentence: str
) -> None:
    told = await answered(partner.home, hello(partner.home) + said)
    (refusal,) = [answer for answer in told if answer != {"jsonrpc": "2.0", "id": 0, "result": None}]
    assert refusal["error"]["data"] == {"code": code}
    assert sentence in refusal["error"]["message"]
    assert (await begin(partner.home))["result"]["id"]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, "There is no operation nothing.here."),
        ({"language": "en"}, "There is no operation nothing.here."),
        ({"language": "zh"}, "没有操作 nothing.here。"),
        ({"language": "fr"}, "There is no operation nothing.here."),
    ],
)
async def test_a_client_is_told_in_the_language_that_its_person_reads_whatever_the_host_speaks(
    partner: Partner, asked: dict[str, str], sentence: str
) -> None:
    token = partner.home.proof.read_text()
    for of_host in ("en", "zh"):
        set_process_language(of_host)
        greeting = request("client.hello", 0, token=token, **asked)
        told = await answered(partner.home, greeting + request("nothing.here"))
        assert told[-1]["error"]["message"] == sentence


@pytest.mark.parametrize(
    "said",
    [
        request("events.run", key="builtin::time", params={}, cwd="", standing="all"),
        request("permissions.set_mode", mode="autonomous"),
        request("client.outline", services=["messages"]),
        request("client.hello", 0, token="0" * 64) + request("permissions.set_mode", mode="autonomous"),
        request("client.hello", 0, token="\ud800") + request("permissions.set_mode", mode="autonomous"),
    ],
    ids=["run", "mode", "outline", "made up", "no text"],
)
async def test_who_cannot_show_the_proof_gets_nothing_done(
    partner: Partner, watcher: Watcher, said: bytes
) -> None:
    refusal = (await answered(partner.home, said))[-1]
    assert refusal["error"]["data"] == {"code": "not_allowed"}
    assert "does not come from a command of Partner's" in refusal["error"]["message"]
    assert not watcher.events
    assert (await partner.permissions.list()).mode.value != "autonomous"


async def test_the_proof_lies_nowhere_in_the_home_and_each_host_makes_another(
    home: Home, action_dir: Path
) -> None:
    seen = set()
    for _ in range(2):
        partner = Partner(home, action_dir, meaning=False)
        await partner.launch()
        proof = home.proof.read_bytes()
        assert home.proof.stat().st_mode & 0o077 == 0
        assert not any(proof in path.read_bytes() for path in home.root.rglob("*") if path.is_file())
        await partner.close()
        assert not home.proof.parent.exists()
        seen.add(proof)
    assert len(seen) == 2


async def test_a_command_that_cannot_read_the_proof_says_so_in_one_sentence(partner: Partner) -> None:
    partner.home.proof.unlink()
    partner.home.proof.mkdir()
    with pytest.raises(HostError, match=r"cannot be read .*; use its window\.$"):
        await RemoteClient(partner.home).call("conversations.create")
    partner.home.proof.rmdir()


async def test_a_command_with_other_surroundings_finds_the_host(
    partner: Partner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert await answers(partner.home)
    assert await RemoteClient(partner.home).call("conversations.create")


@pytest.mark.logs_errors
@pytest.mark.parametrize("found", ["open to others", "a link", "a file"])
async def test_a_runtime_folder_that_somebody_else_laid_out_is_refused(
    home: Home, action_dir: Path, tmp_path: Path, found: str
) -> None:
    place = home.runtime
    if found == "a link":
        place.symlink_to(tmp_path, target_is_directory=True)
    else:
        place.mkdir() if found == "open to others" else place.touch()
        place.chmod(0o770)
    partner = Partner(home, action_dir, meaning=False)
    try:
        with pytest.raises(HostError, match="cannot be opened"):
            await partner.launch()
    finally:
        await partner.close()
        place.rmdir() if found == "open to others" else place.unlink()


#: What a peer says from where it is, with the right proof.
_PEER = """
import socket, sys
with socket.socket(socket.AF_UNIX) as client:
    client.connect(sys.argv[1])
    client.sendall(sys.argv[2].encode())
    client.shutdown(socket.SHUT_WR)
    sys.stdout.write(client.makefile().read())
"""
_AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ([], ""),
        (["unshare", "--user", "--map-root-user"], "inside of a sandbox"),
        (["unshare", "--user", "--map-root-user", "--mount"], "inside of a sandbox"),
        (["unshare", "--user", "--map-root-user", "--pid", "--fork"], "inside of a sandbox"),
        (["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev"], "inside of a sandbox"),
        pytest.param(["unshare", "--mount"], "inside of a sandbox", marks=_AS_ROOT),
        pytest.param(["unshare", "--pid", "--fork"], "inside of a sandbox", marks=_AS_ROOT),
        pytest.param(["setpriv", "--reuid=65534", "--clear-groups"], "you are another", marks=_AS_ROOT),
    ],
    ids=["nowhere", "user", "user and mount", "user and pid", "bwrap", "mount", "pid", "other user"],
)
async def test_who_asks_from_inside_of_a_sandbox_or_as_another_user_is_refused(
    partner: Partner, inside: list[str], told: str
) -> None:
    home, said = partner.home, (hello(partner.home) + request("conversations.create")).decode()
    for path, mode in ((home.runtime.parent, 0o711), (home.runtime, 0o711), (home.socket, 0o666)):
        path.chmod(mode)  # as if the rights of the folder did not stand before it
    asking = await asyncio.create_subprocess_exec(
        *inside, sys.executable, "-c", _PEER, str(home.socket), said, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(START_S):
        out, _ = await asking.communicate()
    (answer, *_) = [json.loads(line) for line in out.splitlines()]
    assert told in answer["error"]["message"] if told else answer["result"] is None


async def test_too_many_connections_are_told_so_and_the_next_one_after_them_is_served(
    partner: Partner,
) -> None:
    many = [await asyncio.open_unix_connection(partner.home.socket) for _ in range(MOST_CLIENTS)]
    refusal = await begin(partner.home)
    assert f"{MOST_CLIENTS} commands use this Partner already" in refusal["error"]["message"]
    for _, writer in many:
        writer.close()
    async with asyncio.timeout(WAIT_S):
        while "error" in await begin(partner.home):
            pass


async def test_who_follows_hears_of_its_conversation_only_and_a_host_does_not_wait_for_it(
    partner: Partner,
) -> None:
    client = RemoteClient(partner.home)
    mine, other = [str((await client.object("conversations.create"))["id"]) for _ in range(2)]
    following = client.events("events.follow", conversation_id=mine)
    assert (await anext(following))["type"] == "following"
    await drain(client.stream("events.say", text="hello", conversation_id=other))
    heard: list[dict[str, Any]] = []
    await drain(client.stream("events.say", text="hello", conversation_id=mine))
    async with asyncio.timeout(WAIT_S):
        while not heard or heard[-1]["type"] != "done":
            heard.append(await anext(following))
        assert {event["conversation_id"] for event in heard} == {mine}
        assert next(event["seq"] for event in heard if event["type"] == "reply") == 0
        await partner.idle()
    await following.aclose()
    said = await client.objects("messages.list", conversation_id=mine, limit=10)
    assert [one["role"] for one in said] == ["user", "partner"]


async def test_a_conversation_is_found_by_the_beginning_of_its_id(partner: Partner) -> None:
    message = await partner.messages.send("hello", conversation_id=None)
    client = RemoteClient(partner.home)
    found = await client.object("conversations.find", beginning=message.conversation_id[:8])
    assert found["id"] == message.conversation_id
    await client.call("conversations.stop", conversation_id=message.conversation_id)


def test_what_is_meant_for_all_concerns_everyone_and_other_conversations_nobody_else() -> None:
    assert concerns(NoticeEvent(title="", text=""), "c1")
    assert not concerns(ReplyEvent(reply_id="r", seq=0, content=""), "c1")
    assert not concerns(ReplyEvent(conversation_id="c2", reply_id="r", seq=0, content=""), "c1")


async def test_a_yes_is_to_the_card_that_it_names_and_one_that_was_changed_comes_again_first(
    home: Home, partner: Partner, watcher: Watcher, shout: Path
) -> None:
    client = RemoteClient(home)
    asked: JsonObject = {"key": "local::upper", "params": {"text": "hello"}, "cwd": "", "standing": "ask"}
    events = [event async for event in client.events("events.run", **asked)]
    card = next(event for event in events if event["type"] == "proposal")
    action = card["action"]
    assert isinstance(action, dict)

    async def decide(version: Json) -> tuple[list[JsonObject], str]:
        told: list[JsonObject] = []
        decided = {"action_id": action["id"], "verdict": "once", "version": version}
        try:
            async for event in client.events("events.decide", **decided):
                told += [event]
        except UsageError as error:
            return told, str(error)
        return told, ""

    new = card
    for text in ("# edited", "# and again"):
        watcher.events.clear()
        with shout.open("a", encoding="utf-8") as script:
            script.write(text + "\n")
        await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
        told, refusal = await decide(new["version"])
        assert "The card shows the new version now" in refusal
        (new,) = [event for event in told if event["type"] == "proposal"]
        assert new["version"] != card["version"]
    for version in (card["version"], ""):  # that of another card, and none
        (again, *_), refusal = await decide(version)
        assert refusal == "Upper was changed meanwhile; look at its card again."
        assert again["version"] == new["version"]
    assert (await partner.actions.get(str(action["id"]))).status is ActionStatus.WAITING
    ran, _ = await decide(new["version"])
    ended = [event["action"] for event in ran if event["type"] == "result"]
    assert [one["stdout"] for one in ended if isinstance(one, dict)] == ["HELLO\n"]


async def test_who_goes_in_the_middle_ends_what_it_is_told_and_nothing_that_it_did(
    partner: Partner, watcher: Watcher
) -> None:
    client = RemoteClient(partner.home)
    saying = client.events("events.say", text="hello", conversation_id=None)
    first = await anext(saying)
    await saying.aclose()
    place = first["conversation_id"]
    await watcher.until(lambda event: event.type == "done" and event.conversation_id == place)
    said = await client.objects("messages.list", conversation_id=place)
    assert [one["role"] for one in said] == ["user", "partner"]


async def test_a_client_that_greets_and_asks_nothing_keeps_no_host_from_ending(partner: Partner) -> None:
    reader, writer = await asyncio.open_unix_connection(partner.home.socket)
    writer.write(hello(partner.home) + request("events.watch"))
    async with asyncio.timeout(WAIT_S):
        await reader.readline()
        await reader.readline()
        await partner.idle()
    writer.close()


async def test_many_requests_at_once_are_all_answered_in_any_order(partner: Partner) -> None:
    count = 10_000
    said = b"".join(request("conversations.list", number, limit=1) for number in range(1, count + 1))
    reader, writer = await asyncio.open_unix_connection(partner.home.socket)
    writer.write(hello(partner.home) + said)
    async with asyncio.timeout(60):
        numbers = {json.loads(await reader.readline())["id"] for _ in range(count + 1)}
    writer.close()
    assert numbers == set(range(count + 1))


async def test_what_was_asked_is_done_though_its_asker_went_in_an_ugly_way(
    partner: Partner, action_dir: Path, watcher: Watcher
) -> None:
    (action_dir / "dynamic" / "slow.py").write_text('"""Wait a moment."""\nimport time\ntime.sleep(0.5)\n')
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    _, writer = await asyncio.open_unix_connection(partner.home.socket)
    writer.write(hello(partner.home) + request("messages.send", text="hello there", conversation_id=None))
    writer.write(b"x" * (2 * MOST_BYTES))
    await asyncio.sleep(0)
    writer.transport.abort()  # with an answer that nobody read
    async with asyncio.timeout(WAIT_S):
        while not await partner.conversations.list():
            await partner.idle()


async def test_one_who_asks_late_and_only_looks_on_keeps_no_host_from_ending(partner: Partner) -> None:
    reader, writer = await asyncio.open_unix_connection(partner.home.socket)
    writer.write(hello(partner.home))
    await reader.readline()
    idle = asyncio.get_running_loop().create_task(partner.idle())
    await asyncio.wait([idle], timeout=0.05)
    assert not idle.done(), "it may ask for something yet"
    writer.write(request("events.watch"))
    async with asyncio.timeout(WAIT_S):
        await idle
    writer.close()


async def test_one_who_reads_nothing_keeps_nobody_from_closing(partner: Partner) -> None:
    for _ in range(200):
        await partner.messages.send("word " * 2_000, conversation_id=None)
    _, writer = await asyncio.open_unix_connection(partner.home.socket)
    asked = b"".join(request("conversations.list", number) for number in range(1, 200))
    writer.write(hello(partner.home) + asked)
    await RemoteClient(partner.home).call("conversations.create")
    await partner.close()
    assert not partner.home.socket.exists()
    writer.transport.abort()


async def test_what_is_long_before_it_has_said_who_it_is_is_not_read(partner: Partner) -> None:
    (refusal,) = await answered(partner.home, b"[" + b"[]," * 10_000 + b"[]]\n")
    assert refusal["error"]["data"] == {"code": "not_allowed"}


async def test_a_path_of_bytes_that_are_no_text_arrives_as_it_is(partner: Partner, tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    folder.mkdir()
    client = RemoteClient(partner.home)
    await client.call("backup.write", path=str(folder / "all.zip"))
    assert [each.name for each in folder.iterdir()] == ["all.zip"]
