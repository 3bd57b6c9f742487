"""What servers list and answer: wrong, long, huge, binary, or not what they promised."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import mcp_types as types
import pytest

from partner_desktop.base.errors import TellMindError, TryAgainError
from partner_desktop.runner.mcp.protocol.message_filter import MessageFilter
from tests.runner.mcp.support import Client, beating, resolved

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration

GAP_S = 0.05


async def test_tools_that_will_not_do_are_left_out_and_sink_nobody(client: Client) -> None:
    async with client.connected(resolved("wrong_schemas")) as connection:
        (good,) = connection.facts.tools
        assert (await client.call(connection, "good")).stdout == "fine"
    assert good.name == "good"
    assert good.description.startswith("speaks red and long")
    assert len(good.description) == 4000
    left_out = "\n".join(line for line in client.log if "left out" in line)
    for said in ("no name", "contains `::`", "longer than 128", "cannot be shown", "same name", "inputSchema",
                 "not an object", "not a text", "properties/a/type"):  # fmt: skip
        assert said in left_out, said


async def test_all_pages_are_read_and_endless_ones_are_not(client: Client) -> None:
    async with client.connected(resolved("many_pages", "7")) as connection:
        assert len(connection.facts.tools) == 7
    async with client.connected(resolved("many_pages", "same")) as connection:
        assert len(connection.facts.tools) == 2
    await client.logged("the same page")
    async with client.connected(resolved("many_pages", "endless")) as connection:
        assert len(connection.facts.tools) == 100
    await client.logged("the rest is left out")


async def test_odd_answers_end_their_call_and_nothing_else(client: Client) -> None:
    async with client.connected(resolved("odd")) as connection:
        assert (await client.call(connection, "twice")).stdout == "first"
        assert (await client.call(connection, "bytes")).stdout == "caf\ufffd"
        with pytest.raises(TellMindError, match="cannot be read"):
            await client.call(connection, "deep")
        with pytest.raises(TellMindError, match="does not follow the protocol"):
            await client.call(connection, "broken")
        assert (await client.call(connection, "kept")).data == {"degrees": 21.5}
        broken = await client.call(connection, "promise")
    assert not broken.ok
    assert broken.stdout == "warm"
    assert "does not fit what it promised at degrees" in broken.error


@pytest.mark.parametrize("trap", ["endless", "doubling"])
async def test_a_schema_that_would_take_for_ever_holds_nobody_up(client: Client, trap: str) -> None:
    async with client.connected(resolved("odd")) as connection, beating() as beats:
        answer = await client.call(connection, trap)
    assert (answer.ok, answer.data) == (True, {"a": "a" * 40})
    assert max(beats.held_s) < GAP_S


async def test_pictures_sounds_and_links_are_parts_of_the_result(client: Client) -> None:
    async with client.connected(resolved("huge")) as connection:
        picture = (await client.call(connection, "picture")).parts[0]
        liar = (await client.call(connection, "liar")).parts[0]
        damaged = await client.call(connection, "damaged")
        sound = (await client.call(connection, "sound")).parts[0]
        linked = await client.call(connection, "linked")
    assert (picture.kind, picture.mime, Path(picture.path).name) == ("image", "image/png", "picture-1.png")
    assert Path(picture.path).read_bytes().startswith(b"\x89PNG")
    assert Path(picture.path).stat().st_mode & 0o077 == 0
    assert (liar.kind, liar.mime, Path(liar.path).suffix) == ("file", "application/octet-stream", ".bin")
    assert not damaged.parts
    assert "damaged" in damaged.stdout
    assert (sound.kind, Path(sound.path).suffix) == ("audio", ".wav")
    assert [part.kind for part in linked.parts] == ["link", "resource", "resource"]
    assert linked.parts[0].uri == "https://example.org/report"
    assert linked.stdout == "a memo"


async def test_a_long_text_is_shortened_and_lies_in_the_runs_folder(client: Client) -> None:
    async with client.connected(resolved("huge")) as connection:
        response = await client.call(connection, "text", kilobytes=300)
    assert response.truncated
    assert response.stdout_path == client.folder / "runs" / "a1" / "output.txt"
    assert response.stdout_path.read_text() == "line of text\n" * 24_000
    assert len(response.stdout) < 70_000
    assert "the whole lies in" in response.stdout


def peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("tail", [False, True], ids=["id first", "id last"])
async def test_an_answer_of_100_mb_goes_to_the_disk_and_not_through_the_memory(
    client: Client, *, tail: bool
) -> None:
    async with client.connected(resolved("huge", timeout_s=60.0)) as connection, beating() as beats:
        before = peak_bytes()
        response = await client.call(connection, "big", megabytes=100, tail=tail)
        grown = peak_bytes() - before
        assert (await client.call(connection, "picture")).ok
    assert response.ok
    assert response.truncated
    assert response.stdout_path is not None
    assert response.stdout_path.parent == client.folder / "runs" / "a1"
    assert response.stdout_path.stat().st_size > 99 * 1024**2
    assert response.stdout_path.stat().st_mode & 0o077 == 0
    assert "all work and no play" in response.stdout[:200]
    assert "MB; the whole lies in" in response.stdout
    assert len(response.stdout) < 70_000
    assert grown < 40 * 1024**2
    assert max(beats.held_s) < GAP_S


async def test_an_answer_of_very_many_parts_goes_to_the_disk_as_well(client: Client) -> None:
    async with client.connected(resolved("huge", timeout_s=60.0)) as connection:
        response = await client.call(connection, "parts")
    assert response.ok
    assert response.stdout_path is not None
    found = json.loads(response.stdout_path.read_text())
    assert len(found["result"]["structuredContent"]["numbers"]) == 60_000


async def test_an_answer_of_more_than_512_mb_is_skipped(client: Client) -> None:
    async with client.connected(resolved("huge", timeout_s=120.0)) as connection:
        response = await client.call(connection, "big", megabytes=530)
        assert (await client.call(connection, "picture")).ok
    assert not response.ok
    assert "longer than 512 MB" in response.error
    assert [path.name for path in (client.folder / "runs" / "a1").iterdir()] == ["picture-1.png"]


@pytest.mark.parametrize(
    "what", ["logs", "changes", "requests", "stdout", "stderr", "answers", "endless line"]
)
async def test_a_flood_neither_holds_the_loop_nor_fills_the_memory(client: Client, what: str) -> None:
    async with client.connected(resolved("floods", timeout_s=60.0)) as connection, beating() as beats:
        before = peak_bytes()
        response = await client.call(connection, "flood", what=what, megabytes=4)
        grown = peak_bytes() - before
    assert response.stdout == "done"
    assert grown < 40 * 1024**2
    assert len(client.log) < 3000
    assert client.changes < 500
    assert max(beats.held_s) < GAP_S


async def test_a_change_in_a_flood_is_told_afterwards(client: Client) -> None:
    async with client.connected(resolved("floods", timeout_s=60.0)) as connection:
        await client.call(connection, "flood", what="changes", megabytes=1)
        told = client.changes
        await client.until(lambda: client.changes > told)


async def test_a_call_that_is_never_answered_ends_in_time(client: Client) -> None:
    async with client.connected(resolved("dies_in_call", timeout_s=0.3)) as connection:
        with pytest.raises(TryAgainError, match=r"did not answer within 0\.3 s"):
            await client.call(connection, "hang")


def test_an_answer_that_nobody_waits_for_goes_no_further() -> None:
    screen = MessageFilter(lambda line: None)
    for number in (1, 2):
        screen.sent(types.JSONRPCRequest(jsonrpc="2.0", id=number, method="ping"))
    called_off = {"requestId": 2}
    screen.sent(types.JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=called_off))
    answers = [types.JSONRPCResponse(jsonrpc="2.0", id=number, result={}) for number in (1, 1, 2, 3)]
    assert [screen.sift(answer) for answer in answers] == [answers[:1], [], [], []]
