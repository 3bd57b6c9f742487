"""Commands in the background: begun, looked at, read by offset, ended; and heard of when they end alone."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.command_session import SessionState
from partner_desktop.domain.events import ReplyEvent, ResultEvent, SessionEvent, TurnEvent
from partner_desktop.gateways.remote import RemoteClient
from partner_desktop.permission.request import ApprovalMode
from tests.runner.sessions.background import Background, alive, script, until, written
from tests.support import FakeClock, HastyClock, Watcher

pytestmark = pytest.mark.integration

on_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere only the process group is found"
)

#: Prints on both streams, starts a child of its own, and stays.
STAYS = """
echo one; echo two; echo trouble >&2
sleep 60 &
echo $! > {child}.part; mv {child}.part {child}
wait
"""


@on_linux
@pytest.mark.promise("actions.command.sessions")
@pytest.mark.promise("actions.cancel")
async def test_a_command_in_the_background_is_looked_at_read_and_ended(
    background: Background, tmp_path: Path
) -> None:
    child = tmp_path / "child"
    session_id = await background.start("sh", script(tmp_path, STAYS.format(child=child)), desc="the demo")
    await until(lambda: written(child) > 0)
    await background.printed(session_id, len("one\ntwo\n"))

    seen = await background.data("inspect", id=session_id)
    assert (seen["state"], seen["exitCode"]) == ("running", None)
    assert (seen["stdout"], seen["stderr"]) == ("one\ntwo", "trouble")
    first = await background.data("read", id=session_id[:8], stream="stdout", offset=0)
    assert first == {"content": "one\ntwo\n", "nextOffset": 8, "eof": False}
    rest = await background.data("read", id=session_id, stream="stdout", offset=4)
    assert rest["content"] == "two\n"
    errors = await background.data("read", id=session_id, stream="stderr", offset=-8)
    assert errors["content"] == "trouble\n"
    listed = await background.data("overview")
    assert listed["summary"] == "1 command runs in the background."

    await background.data("cancel")  # the only one is meant
    assert not alive(written(child))
    seen = await background.data("inspect", id=session_id)
    assert seen["state"] == "cancelled"
    ended = await background.data("read", id=session_id, stream="stdout", offset=8)
    assert ended == {"content": "", "nextOffset": 8, "eof": True}
    assert (await background.data("overview"))["summary"] == "Nothing runs in the background."


async def test_the_conversation_hears_how_a_command_ended_but_not_that_the_person_ended_it(
    background: Background, watcher: Watcher, partner: Partner, tmp_path: Path
) -> None:
    stays = await background.start("sleep", "60")
    await background.data("cancel", id=stays)
    await background.start("sh", script(tmp_path, "echo all is built\nexit 3"))
    found = await watcher.until(
        lambda event: isinstance(event, ReplyEvent) and event.done and "did not end well" in event.text
    )
    assert isinstance(found, ReplyEvent)
    assert found.conversation_id == background.conversation_id
    assert "exit code 3" in found.text
    assert "all is built" in found.text
    replies = [event.text for event in watcher.events if isinstance(event, ReplyEvent) and event.done]
    assert not any("the background" in text and "end" in text for text in replies[:-1] if "sleep" in text)


async def test_a_command_that_ends_well_has_its_exit_code_and_ends_in_time_when_it_has_one(
    background: Background,
) -> None:
    quick = await background.start("echo", "fine")
    session = await background.state(quick, SessionState.ENDED, SessionState.FAILED)
    assert (session.state, session.exit_code, session.error) == (SessionState.ENDED, 0, "")
    limited = await background.start("sleep", "60", timeoutSeconds=0.2)
    session = await background.state(limited, SessionState.ENDED, SessionState.FAILED)
    assert session.error == "It ran longer than 0.2 s, so I stopped it."


async def test_a_cancelled_command_may_clean_up_and_one_that_does_not_listen_is_killed(
    background: Background, partner: Partner, tmp_path: Path
) -> None:
    cleans = "trap 'echo cleaned; exit 0' TERM; echo ready; while :; do sleep 0.02; done"
    session_id = await background.start("sh", script(tmp_path, cleans))
    await background.printed(session_id, len("ready\n"))
    await background.data("cancel", id=session_id)
    assert (await partner.commands.output(session_id, "stdout", offset=0)).text == "ready\ncleaned\n"

    deaf = "trap '' TERM; echo $$ > $1.part; mv $1.part $1; while :; do sleep 60; done"
    pid = tmp_path / "pid"
    session_id = await background.start("sh", script(tmp_path, deaf, "deaf.sh"), str(pid))
    await until(lambda: written(pid) > 0)
    await partner.commands.cancel(session_id)
    assert not alive(written(pid))


async def test_what_cannot_be_started_is_a_sentence_and_is_not_listed(
    background: Background, partner: Partner
) -> None:
    record = await background.call("start", argv=["no-such-program"])
    assert record.status is ActionStatus.FAILED
    assert record.error == "There is no program called `no-such-program` here."
    missing = await background.call("inspect", id="0000")
    assert missing.error == "There is no command 0000 in the background."
    assert not partner.commands.list()
    with pytest.raises(UsageError, match="no command 0000"):
        await partner.commands.cancel("0000")


async def test_several_commands_are_told_apart_by_their_ids(background: Background) -> None:
    one, two = await background.start("sleep", "60"), await background.start("sleep", "61")
    record = await background.call("cancel")
    assert record.status is ActionStatus.REJECTED
    assert record.error.startswith("Say which of the 2 commands by its id: ")
    assert one in record.error
    await background.data("cancel", id=one)
    assert (await background.data("cancel"))["executionId"] == two


async def test_a_yes_ends_the_command_that_its_card_named_and_no_other(background: Background) -> None:
    partner, shown = background.partner, await background.start("sleep", "60")
    exchange_id = new_id()
    await partner.abilities.run(
        "builtin::command::cancel",
        {},
        cwd="",
        standing=ApprovalMode.ASK,
        exchange_id=exchange_id,
        conversation_id=background.conversation_id,
    )
    (card,) = [record for record in await partner.actions.list() if record.exchange_id == exchange_id]
    assert card.params == {"command": "sleep 60", "id": shown}
    await partner.commands.cancel(shown)
    other = await background.start("sleep", "61")
    await partner.actions.approve(card.id, scope="once")
    await background.watcher.until(
        lambda event: isinstance(event, ResultEvent) and event.exchange_id == exchange_id
    )
    assert next(one.state for one in partner.commands.list() if one.id == other) is SessionState.RUNNING


async def test_the_terminal_lists_reads_and_ends_them(background: Background, home: Home) -> None:
    session_id = await background.start("sleep", "60")
    host = RemoteClient(home)
    (listed,) = await host.objects("commands.list")
    assert (listed["id"], listed["state"]) == (session_id, "running")
    found = await host.object("commands.find", beginning=session_id[:8])
    assert found == listed
    for stream in ("stdout", "stderr"):
        read = await host.object("commands.output", session_id=session_id, stream=stream, offset=0)
        assert read["text"] == ""
    await host.call("commands.cancel", session_id=session_id)
    assert (await host.object("commands.get", session_id=session_id))["state"] == "cancelled"


async def test_ten_minutes_after_its_end_nothing_of_it_is_left(
    home: Home, action_dir: Path, clock: FakeClock
) -> None:
    partner = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
    await partner.launch()
    try:
        watcher = Watcher()
        partner.subscribe(watcher)
        background = Background(partner, watcher, (await partner.conversations.create("Work")).id)
        session_id = await background.start("echo", "hello")
        session = await background.state(session_id, SessionState.ENDED)
        folder = home.runs / session.action_id
        assert [path.name for path in folder.iterdir()] == ["stdout.000000000000"]
        assert (folder / "stdout.000000000000").stat().st_mode & 0o777 == 0o600
        # No turn may be under way while the clock leaps: it would count as one that hangs.
        await watcher.until(
            lambda event: isinstance(event, ReplyEvent) and event.done and "echo" in event.text
        )
        await until(lambda: _turns_under_way(watcher) == 0)
        clock.move(timedelta(minutes=10))
        await watcher.until(lambda event: isinstance(event, SessionEvent) and event.gone)
        assert not partner.commands.list()
        assert not list(folder.iterdir())
    finally:
        await partner.close()


def _turns_under_way(watcher: Watcher) -> int:
    turns = {event.turn_id: event.state for event in watcher.events if isinstance(event, TurnEvent)}
    return sum(state == "started" for state in turns.values())


async def test_a_deleted_conversation_takes_its_commands_with_it(
    background: Background, partner: Partner, tmp_path: Path
) -> None:
    child = tmp_path / "child"
    await background.start("sh", script(tmp_path, STAYS.format(child=child)))
    await until(lambda: written(child) > 0)
    await partner.conversations.deletion.delete([background.conversation_id])
    assert not alive(written(child))
    await partner.conversations.deletion.erase([background.conversation_id])
    assert not partner.commands.list()
    assert not any(partner.home.runs.glob("*/std*"))
