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
from partner_desktop.base.errors import HostError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, NoticeEvent, ReplyEvent
from partner_desktop.gateways.attach import MOST_CLIENTS
from partner_desktop.gateways.conversation_ask import ConversationAsk
from partner_desktop.gateways.remote import RemoteSession, answers
from partner_desktop.gateways.session import ChatAsk
from partner_desktop.gateways.wire import LINE_LIMIT_BYTES
from partner_desktop.permission.request import StandingAnswer
from tests.support import WAIT_S, Watcher

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration

#: A program of its own, on a busy machine.
START_S = 30.0


def op(home: Home, **request: object) -> bytes:
    """A request as a command of this home makes it."""
    return json.dumps({"proof": home.proof.read_text(), **request}).encode() + b"\n"


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
        ({"op": "dance"}, "does not know the request `dance`"),
        (b'{"op": "decide", "verdict": "perhaps"}\n', "`verdict`"),
        ({"op": "decide", "action_id": "nowhere"}, "nowhere"),
    ],
    ids=["garbage", "bytes", "list", "deep", "long", "empty", "type", "unknown", "verdict", "gone"],
)
async def test_what_does_not_fit_gets_one_sentence_and_the_host_goes_on(
    partner: Partner, said: bytes | dict[str, str], sentence: str
) -> None:
    (refusal,) = await answered(partner.home, said if isinstance(said, bytes) else op(partner.home, **said))
    assert sentence in refusal["failed"]
    assert (await answered(partner.home, op(partner.home, op="begin")))[0]["result"]


@pytest.mark.parametrize(
    "request_",
    [
        {
            "op": "run",
            "key": "builtin::command::execute",
            "params": {"argv": ["touch", "it"]},
            "approve": "all",
        },
        {"op": "permissions", "permission_verb": "mode", "name": "autonomous"},
        {"op": "begin", "proof": "0" * 64},
        {"op": "begin", "proof": "\ud800"},
    ],
    ids=["run", "mode", "made up", "no text"],
)
async def test_who_cannot_show_the_proof_gets_nothing_done(
    partner: Partner, watcher: Watcher, request_: dict[str, object]
) -> None:
    (refusal,) = await answered(partner.home, json.dumps(request_).encode() + b"\n")
    assert "does not come from a command of Partner's" in refusal["failed"]
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
        await RemoteSession(partner.home).begin()
    partner.home.proof.rmdir()


async def test_a_command_with_other_surroundings_finds_the_host(
    partner: Partner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert await answers(partner.home)
    assert await RemoteSession(partner.home).begin()


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
    home, said = partner.home, op(partner.home, op="begin").decode()
    for path, mode in ((home.runtime.parent, 0o711), (home.runtime, 0o711), (home.socket, 0o666)):
        path.chmod(mode)  # as if the rights of the folder did not stand before it
    asking = await asyncio.create_subprocess_exec(
        *inside, sys.executable, "-c", _PEER, str(home.socket), said, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(START_S):
        out, _ = await asking.communicate()
    (answer, *_) = [json.loads(line) for line in out.splitlines()]
    assert told in answer["failed"] if told else answer["result"]


async def test_too_many_connections_are_told_so_and_the_next_one_after_them_is_served(
    partner: Partner,
) -> None:
    many = [await asyncio.open_unix_connection(partner.home.socket) for _ in range(MOST_CLIENTS)]
    (refusal,) = await answered(partner.home, op(partner.home, op="begin"))
    assert f"{MOST_CLIENTS} commands use this Partner already" in refusal["failed"]
    for _, writer in many:
        writer.close()
    async with asyncio.timeout(WAIT_S):
        while "failed" in (await answered(partner.home, op(partner.home, op="begin")))[0]:
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
    message = await partner.messages.send("hello", conversation_id=None)
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


async def test_a_yes_is_to_the_card_that_it_names_and_one_that_was_changed_comes_again_first(
    home: Home, partner: Partner, watcher: Watcher, shout: Path
) -> None:
    said = op(home, op="run", key="local::upper", params={"text": "hello"})
    card = next(one["event"] for one in await answered(home, said) if one["event"]["type"] == "proposal")
    decide = {"op": "decide", "action_id": card["action"]["id"], "verdict": "once"}
    new = card
    for text in ("# edited", "# and again"):
        watcher.events.clear()
        with shout.open("a", encoding="utf-8") as script:
            script.write(text + "\n")
        await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
        refused = await answered(home, op(home, **decide, version=new["version"]))
        assert "The card shows the new version now" in refused[-1]["failed"]
        (new,) = [one["event"] for one in refused[:-1] if one["event"]["type"] == "proposal"]
        assert new["version"] != card["version"]
    for version in ({"version": card["version"]}, {}):  # that of another card, and none
        again, *_, refusal = await answered(home, op(home, **decide, **version))
        assert refusal == {"failed": "Upper was changed meanwhile; look at its card again."}
        assert again["event"]["version"] == new["version"]
    assert (await partner.actions.get(card["action"]["id"])).status is ActionStatus.WAITING
    ran = await answered(home, op(home, **decide, version=new["version"]))
    assert [one["event"]["action"]["stdout"] for one in ran[:-1] if one["event"]["type"] == "result"] == [
        "HELLO\n"
    ]
