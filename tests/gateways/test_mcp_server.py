"""Other programs use our abilities: what they are shown, what they may run, and what they hear of it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import HostGoneError, PartnerError
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, ResultEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.permission import GrantedPlace, Scope
from partner_desktop.gateways.partner_client import LocalClient
from partner_desktop.gateways.remote import RemoteClient
from partner_desktop.gateways.serving.calls import MOST_AT_ONCE, MOST_IMAGE_BYTES, MOST_WAITING
from partner_desktop.permission.request import ApprovalMode
from tests.gateways.serving import Events, OneHost, ScriptedHost, ability, result, served
from tests.support import WAIT_S, Watcher, drain

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration

SLEEPER = """\
# /// partner
# description = "Wait for the bus"
# ///
import time
print("waiting", flush=True)
time.sleep(600)
"""


def text(answer: dict[str, Any]) -> str:
    (part,) = answer["content"]
    return str(part["text"])


def doing(*events: dict[str, Any]) -> ScriptedHost:
    """Each call ends like this."""

    async def run(ask: JsonObject) -> Events:
        for event in events:
            yield event

    return ScriptedHost(run)


def refusal(title: str, program: str = "Tester") -> str:
    """What a program hears, whatever is the matter."""
    return (
        f"“{title}” was not run: a person has not allowed “{program}” to do this, or what it names is not "
        f"there. They can run it, or allow “{program}” to run it from then on, with “Run again” on its card "
        f"in the conversation “{program} (MCP)” in Partner."
    )


NOTE = """\
# /// partner
# description = "Put a note into a folder, and say what lies there"
# [params.folder]
# type = "string"
# format = "path"
# access = "write"
# description = "the folder"
# ///
import pathlib, sys
folder = pathlib.Path(sys.argv[1].split("=", 1)[1])
(folder / "note.txt").write_text("noted")
print(sorted(path.name for path in folder.iterdir()))
"""


@pytest.fixture
async def note(partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path) -> None:
    """An ability that writes into the folder of one's choice; and folders."""
    for name in ("Notes/old", "Work", ".config/autostart", ".ssh"):
        (user_home / name).mkdir(parents=True)
    (action_dir / "dynamic" / "note.py").write_text(NOTE, encoding="utf-8")
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))


async def say_yes(partner: Partner, watcher: Watcher, folder: Path, scope: Scope, program: str = "") -> None:
    """On the card of a call, as it comes from the window or the terminal."""
    await drain(
        partner.events.run(
            "local::note", {"folder": str(folder)}, cwd="", standing=ApprovalMode.ASK, program=program
        )
    )
    (waiting,) = [record for record in await partner.actions.list() if record.status is ActionStatus.WAITING]
    await partner.actions.approve(waiting.id, scope=scope)
    ended = await watcher.until(
        lambda event: isinstance(event, ResultEvent) and event.action.id == waiting.id
    )
    assert isinstance(ended, ResultEvent)
    assert ended.action.status is ActionStatus.SUCCEEDED, ended.action.error


# With a real Partner.


@pytest.mark.promise("actions.grant.places")
@pytest.mark.usefixtures("note")
async def test_a_yes_in_partner_is_none_for_a_program_and_its_own_holds_on_the_places_of_its_card(
    partner: Partner, watcher: Watcher, user_home: Path
) -> None:
    notes = user_home / "Notes"
    await say_yes(partner, watcher, notes, "everywhere")
    autostart: JsonObject = {"folder": str(user_home / ".config/autostart")}
    await drain(partner.events.run("local::note", autostart, cwd="", standing=ApprovalMode.ASK))
    (asks, *_) = await partner.actions.list()
    assert asks.status is ActionStatus.WAITING, "a place where programs are started from asks each time"
    await partner.actions.reject(asks.id)
    async with served(OneHost(RemoteClient(partner.home))) as program:
        assert text(await program.call("note", folder=str(notes))) == refusal("Note")
        (refused, *_) = await partner.actions.list()
        await partner.actions.run_again(refused.id)
        (card, *_) = await partner.actions.list()
        assert (card.status, card.program) == (ActionStatus.WAITING, "Tester")
        await partner.actions.approve(card.id, scope="always")
        await watcher.until(lambda event: isinstance(event, ResultEvent) and event.action.id == card.id)
        assert "note.txt" in text(await program.call("note", folder=str(notes)))
        assert "note.txt" in text(await program.call("note", folder=str(notes / "old")))
        for elsewhere in ("Work", ".config/autostart", "."):
            assert text(await program.call("note", folder=str(user_home / elsewhere))) == refusal("Note")
            assert not (user_home / elsewhere / "note.txt").exists()
    own, theirs = sorted((await partner.permissions.list()).grants, key=lambda grant: grant.program)
    assert (own.program, own.scope) == ("", "everywhere")
    assert (theirs.program, theirs.scope) == ("Tester", "always")
    assert theirs.places == (GrantedPlace(str(notes.resolve()), "write"),)


@pytest.mark.promise("actions.grant.places")
@pytest.mark.usefixtures("note")
@pytest.mark.parametrize("granted", [False, True], ids=["nothing", "one-folder"])
async def test_a_program_learns_nothing_of_what_lies_where_from_a_refusal(
    partner: Partner, watcher: Watcher, user_home: Path, *, granted: bool
) -> None:
    if granted:
        await say_yes(partner, watcher, user_home / "Notes", "always", program="Tester")
    (user_home / ".ssh" / "id_rsa").write_text("key", encoding="utf-8")
    (user_home / "loop").symlink_to("loop")
    named = [
        "Work", "nothing", "nothing/at/all", ".ssh", ".ssh/id_rsa", ".ssh/id_nothing", "loop", "..",
        "x" * 300, str(partner.home.root), str(partner.home.database), "/etc/shadow", "/etc/nothing", "/",
    ]  # fmt: skip
    async with served(OneHost(RemoteClient(partner.home))) as program:
        heard = {text(await program.call("note", folder=str(user_home / name))) for name in named}
    assert heard == {refusal("Note")}


@pytest.mark.promise("actions.grant.places")
@pytest.mark.usefixtures("note")
async def test_a_call_of_which_nothing_was_allowed_is_turned_away_before_its_places_are_looked_for(
    partner: Partner, user_home: Path
) -> None:
    link = user_home / "here"
    link.symlink_to(user_home / "Work")
    async with served(OneHost(RemoteClient(partner.home))) as program:
        await program.call("note", folder=str(link))
    (refused,) = await partner.actions.list()
    assert (refused.params, refused.paths) == ({"folder": str(link)}, ())


async def test_what_needs_a_yes_is_refused_with_what_to_do_and_runs_once_it_is_allowed_for_good(
    partner: Partner, shout: Path, watcher: Watcher
) -> None:
    async with served(OneHost(RemoteClient(partner.home))) as program:
        names = [tool["name"] for tool in (await program.ask("tools/list"))["result"]["tools"]]
        assert "upper" in names
        refused = await program.call("upper", text="psst")
        assert refused["isError"]
        assert text(refused) == refusal("Upper")
        (record,) = await partner.actions.list()
        await partner.actions.run_again(record.id)
        again, _ = await partner.actions.list()
        await partner.actions.approve(again.id, scope="always")
        await watcher.until(lambda event: isinstance(event, ResultEvent) and event.action.id == again.id)
        done = await program.call("upper", text="hello")
        assert (text(done), done["isError"]) == ("HELLO", False)
        shout.write_text(shout.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
        watcher.events.clear()
        await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
        assert (await program.call("upper", text="hello"))["isError"]


async def test_all_calls_of_a_program_stand_in_one_conversation_and_nobody_replies_to_them(
    partner: Partner, shout: Path
) -> None:
    del shout
    async with served(OneHost(LocalClient(partner))) as program:
        assert (await program.call("upper", text="one"))["isError"]
        assert (await program.call("upper", text="two"))["isError"]
        (conversation,) = await partner.conversations.list()
        assert conversation.title == "Tester (MCP)"
        said = await partner.messages.list(conversation.id)
        assert [message.role for message in said] == ["user", "action", "user", "action"]
        await partner.conversations.delete(conversation.id)
        await program.call("upper", text="three")
        (anew,) = await partner.conversations.list()
        assert (anew.title, anew.id == conversation.id) == ("Tester (MCP)", False)
    decisions = [entry.by_whom for entry in await partner.audit.newest() if entry.kind == "decision"]
    assert decisions == ["flag", "flag", "flag"]


async def test_a_call_that_does_not_fit_ends_with_a_sentence_and_leaves_no_question(
    partner: Partner, shout: Path
) -> None:
    del shout
    sentences: list[tuple[str, dict[str, Any], str]] = [
        ("upper", {}, "“Upper” was not run. The parameter `text` is missing."),
        ("upper", {"text": 5}, "`text` does not fit: 5 is not of type 'string'."),
        ("nothing", {}, "Partner has no tool nothing"),
        ("builtin::files::read", {"file": "/etc/passwd"}, "Partner has no tool builtin::files::read"),
        ("upper", {"text": "x" * 3_000_000}, "its arguments are larger than 2 MiB"),
    ]
    async with served(OneHost(RemoteClient(partner.home))) as program:
        for tool, arguments, sentence in sentences:
            answer = await program.call(tool, **arguments)
            assert answer["isError"]
            assert sentence in text(answer)
    assert {record.status for record in await partner.actions.list()} == {ActionStatus.REJECTED}


@pytest.mark.parametrize("attached", [True, False], ids=["attached", "hosting"])
@pytest.mark.parametrize("end", ["cancel", "leave"])
async def test_a_run_ends_with_its_processes_when_the_program_cancels_it_or_leaves(
    partner: Partner, action_dir: Path, watcher: Watcher, *, attached: bool, end: str
) -> None:
    (action_dir / "dynamic" / "bus.py").write_text(SLEEPER, encoding="utf-8")
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    await allow(partner, watcher, "local::bus")
    watcher.events.clear()
    client = RemoteClient(partner.home) if attached else LocalClient(partner)
    async with served(OneHost(client)) as program:
        number = await program.begin("tools/call", {"name": "bus", "arguments": {}})
        await watcher.until(lambda event: event.type == "run")
        if end == "cancel":
            await program.say("notifications/cancelled", {"requestId": number})
        else:
            program.leave()
        ended = await watcher.until(lambda event: isinstance(event, ResultEvent))
        assert isinstance(ended, ResultEvent)
        assert ended.action.status is ActionStatus.CANCELLED
        if end == "cancel":
            await program.ask("ping")
            assert not [message for message in program.told if message.get("id") == number]


async def allow(partner: Partner, watcher: Watcher, key: str) -> None:
    """Granted for good to the program; the first run is stopped."""
    await drain(partner.events.run(key, {}, cwd="", standing=ApprovalMode.ASK, program="Tester"))
    (waiting,) = [record for record in await partner.actions.list() if record.status is ActionStatus.WAITING]
    await partner.actions.approve(waiting.id, scope="always")
    await partner.actions.cancel(waiting.id)
    await watcher.until(lambda event: isinstance(event, ResultEvent) and event.action.id == waiting.id)


async def test_changes_are_told_and_what_is_no_ability_any_more_is_not_listed(
    partner: Partner, shout: Path
) -> None:
    client = RemoteClient(partner.home)
    host = OneHost(client)

    async def follow() -> None:
        async for _event in client.stream("events.watch"):
            host.news.set()

    following = asyncio.get_running_loop().create_task(follow())
    try:
        async with served(host) as program:
            await program.ask("tools/list")
            await partner.abilities.switch("local::upper", on=False)
            await program.hear("notifications/tools/list_changed")
            assert "upper" not in str(await program.ask("tools/list"))
            await partner.abilities.switch("local::upper", on=True)
            await program.hear("notifications/tools/list_changed")
            assert "upper" in str(await program.ask("tools/list"))
            shout.unlink()
            await program.hear("notifications/tools/list_changed")
            assert "upper" not in str(await program.ask("tools/list"))
    finally:
        following.cancel()
        await asyncio.wait([following])


async def test_abilities_and_new_descriptions_of_external_tools_can_be_read_as_resources() -> None:
    told = ability("git::log", description="Show the history") | {"path": "/a/mcp/desc/git::log.desc.json"}
    plain = ability("git::status") | {"path": None}
    session = doing()
    session.listed = [ability("local::work"), told, plain]
    async with served(OneHost(session)) as program:
        listed = (await program.ask("resources/list"))["result"]["resources"]
        uris = [each["uri"] for each in listed]
        assert uris == ["partner://abilities/local%3A%3Awork", "partner://mcp/desc/git/log"]
        templates = await program.ask("resources/templates/list")
        assert templates["result"]["resourceTemplates"] == []
        (found,) = (await program.ask("resources/read", {"uri": uris[1]}))["result"]["contents"]
        assert json.loads(found["text"])["description"] == "Show the history"
        missing = await program.ask("resources/read", {"uri": "partner://mcp/desc/git/status"})
        assert "no resource" in missing["error"]["message"]


# With a host that says what the test wants.


async def test_progress_is_passed_on_to_a_program_that_asked_for_it() -> None:
    session = doing(
        {"type": "progress", "progress": 1, "total": 4, "message": "one of four"}, result(stdout="ok")
    )
    async with served(OneHost(session)) as program:
        params: dict[str, Any] = {"name": "work", "arguments": {}, "_meta": {"progressToken": "t"}}
        assert text((await program.ask("tools/call", params))["result"]) == "ok"
        (step,) = [
            message["params"] for message in program.told if message["method"] == "notifications/progress"
        ]
        assert step == {"progressToken": "t", "progress": 1, "total": 4, "message": "one of four"}


async def test_so_many_calls_run_at_once_some_wait_and_more_are_told_so() -> None:
    release = asyncio.Event()
    most = running = 0

    async def run(ask: JsonObject) -> Events:
        nonlocal most, running
        running += 1
        most = max(most, running)
        await release.wait()
        running -= 1
        yield result(stdout="done")

    async with served(OneHost(ScriptedHost(run))) as program:
        numbers = [
            await program.begin("tools/call", {"name": "work", "arguments": {}})
            for _ in range(MOST_AT_ONCE + MOST_WAITING + 5)
        ]
        for _ in range(5):
            turned_down = await program.next()
            assert f"{MOST_AT_ONCE} calls run and {MOST_WAITING} wait" in text(turned_down["result"])
            numbers.remove(turned_down["id"])
        release.set()
        for _ in list(numbers):
            answer = await program.next()
            assert text(answer["result"]) == "done"
            numbers.remove(answer["id"])
    assert (most, numbers) == (MOST_AT_ONCE, [])


async def test_a_host_that_ended_before_it_heard_the_call_is_replaced_by_the_next() -> None:
    async def gone(ask: JsonObject) -> Events:
        if ask["bound"]:
            raise HostGoneError("It has just ended.")
        yield {}

    host = OneHost(
        ScriptedHost(gone),
        ScriptedHost(gone),
        doing(result(stdout="here")),
    )
    async with served(host) as program:
        assert text(await program.call("work")) == "here"


async def test_a_host_that_ends_during_a_call_is_told_and_the_call_is_not_repeated() -> None:
    calls = 0

    async def broken(ask: JsonObject) -> Events:
        nonlocal calls
        calls += 1
        yield {"type": "run", "action": {"id": "a"}}
        raise PartnerError("The Partner that hosts this home ended in the middle of the request.")

    async with served(OneHost(ScriptedHost(broken))) as program:
        answer = await program.call("work")
        assert (answer["isError"], calls) == (True, 1)
        assert "in the middle" in text(answer)


KEEP = "partner-desktop actions keep"


async def test_results_are_passed_on_in_every_form(tmp_path: Path) -> None:
    small, large = tmp_path / "small.png", tmp_path / "large.png"
    small.write_bytes(b"png")
    parts: list[dict[str, Any]] = [
        {"kind": "image", "mime": "image/png", "path": str(small), "size_bytes": 3},
        {"kind": "image", "title": "large", "path": str(large), "size_bytes": MOST_IMAGE_BYTES + 1},
        {"kind": "link", "title": "Manual", "uri": "https://example.org"},
    ]
    files = [{"name": "red.png", "size_bytes": 2048}]
    left = {"files": files, "id": "a7"}
    session = doing(
        result(
            **left, stdout="begin…", truncated=True, stdout_path="/runs/1/stdout", data={"n": 1}, parts=parts
        )
    )
    async with served(OneHost(session)) as program:
        answer = await program.call("work")
        assert answer["structuredContent"] == {"n": 1}
        words, picture = answer["content"]
        assert words["text"].splitlines() == [
            "begin…",
            "(This is an excerpt; the whole output lies at /runs/1/stdout.)",
            f"It left red.png (2.0 kB). They wait on its card in Partner; `{KEEP} a7` copies them.",
            f"large: {large}",
            "Manual: https://example.org",
        ]
        assert (picture["data"], picture["mimeType"]) == ("cG5n", "image/png")


async def test_a_failure_has_its_sentence_and_the_end_of_what_the_script_said() -> None:
    stderr = "x" * 10_000 + "Traceback: no such file"
    session = doing(result(status="failed", error="it ended with exit code 1", stdout="half", stderr=stderr))
    async with served(OneHost(session)) as program:
        answer = await program.call("work")
        first, half, tail = text(answer).splitlines()
        assert (answer["isError"], first, half) == (True, "It ended with exit code 1.", "half")
        assert tail.endswith("no such file")
        assert len(tail) == 2_000


@pytest.mark.parametrize(
    ("data", "problem"),
    [({"n": 1}, ""), ({"n": "one"}, "'one' is not of type 'integer'"), ("text", "is not of type 'object'")],
)
async def test_a_result_that_is_not_what_the_ability_promises_is_an_error(data: Any, problem: str) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"n": {"type": "integer", "x-partner-rest": True}},
    }
    session = doing(result(stdout="said", data=data))
    session.listed = [ability("local::work", response_schema=schema)]
    async with served(OneHost(session)) as program:
        (tool,) = (await program.ask("tools/list"))["result"]["tools"]
        assert tool["outputSchema"]["properties"] == {"n": {"type": "integer"}}
        answer = await program.call("work")
        assert answer["isError"] is bool(problem)
        assert problem in text(answer)
        assert answer.get("structuredContent") == (None if problem else data)


@pytest.mark.parametrize("data", [{"n": float("nan")}, {"n": "\ud800"}], ids=["nan", "half"])
async def test_data_that_json_does_not_know_goes_as_text_only(data: Any) -> None:
    async with served(OneHost(doing(result(stdout="it \ud800 is", data=data)))) as program:
        answer = await program.call("work")
        assert text(answer) == "it ? is"
        assert "structuredContent" not in answer


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"garbage", -32700),
        (b"\xff\xfe\x00", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b'{"jsonrpc": "2.0"}', -32600),
        (b"x" * (5 * 1024 * 1024), -32600),
    ],
    ids=["garbage", "bytes", "deep", "list", "empty", "long"],
)
async def test_what_is_no_message_is_answered_and_the_next_one_is_served(line: bytes, code: int) -> None:
    async with served(OneHost(doing())) as program:
        await program.write(line)
        assert (await program.answer(None))["error"]["code"] == code
        assert (await program.ask("ping"))["result"] == {}


async def test_a_request_that_does_not_fit_is_answered_by_its_number() -> None:
    async with served(OneHost(doing())) as program:
        await program.write(b'{"jsonrpc": "2.0", "id": "seven", "method": 7}')
        message = await program.next()
        assert (message["id"], message["error"]["code"]) == ("seven", -32600)
        assert (await program.ask("dance"))["error"]["code"] == -32601
        assert "error" in await program.ask("tools/call", {"name": 5})
        nested: Any = 1
        for _ in range(150):
            nested = [nested]
        assert (await program.call("work", deep=nested))["isError"]


async def test_a_program_that_floods_and_does_not_read_is_read_no_faster_than_it_is_answered() -> None:
    session = doing()
    session.listed = [ability("local::work", description="long " * 4_000)]
    async with served(OneHost(session)) as program:
        many = 800
        lines = [b'{"jsonrpc": "2.0", "id": "%d", "method": "tools/list"}' % each for each in range(many)]
        writing = asyncio.get_running_loop().create_task(program.write(b"\n".join(lines)))
        taken = await taken_up()
        assert 100 < taken < 300
        assert len({(await program.next())["id"] for _ in range(many)}) == many
        async with asyncio.timeout(WAIT_S):
            await writing


async def taken_up() -> int:
    """How many requests are under way, once nothing more is taken up."""
    before, now = -1, 0
    async with asyncio.timeout(WAIT_S):
        while before != now or now < 100:
            before, now = now, len(asyncio.all_tasks())
            await asyncio.sleep(0.1)  # the pipe is read on a thread: nothing tells when it waits
    return now
