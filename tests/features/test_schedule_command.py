"""The real program: what is done later is made, listed, changed and done from a terminal.

A command that ends at once does nothing that is due; one that stays does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from tests.action.schedules.schedule_room import daily, launched, once, planned, set_reminder
from tests.benchmarks.armed_home import fill
from tests.support import FakeClock, HastyClock

from .test_command_line import Cli, cli, read_events

pytestmark = pytest.mark.integration

__all__ = ["cli"]

#: Long past for the program, whose clock is the machine's.
THEN = datetime(2021, 3, 1, 7, tzinfo=UTC)
EACH_DAY = "every day at 18:00 copy ~/a.txt to ~/b.txt"


def before(cli: Cli, make: Callable[[Partner], Awaitable[Any]]) -> None:
    """What a Partner of years ago made in this home."""

    async def work() -> None:
        clock = FakeClock(THEN)
        one = Partner(Home(cli.home), cli.action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
        async with launched(one) as partner:
            await make(partner)
            await partner.settled()

    asyncio.run(work())


def listed(cli: Cli) -> list[dict[str, Any]]:
    code, found = cli.events("schedule", "list")
    assert code == 0
    return found


def test_all_verbs_from_a_terminal(cli: Cli) -> None:
    (cli.cwd / "a.txt").write_text("kept")
    cli.host()
    waits = cli.run("schedule", "add", EACH_DAY)
    assert waits.returncode == 1, "a card asks first"
    assert cli.run("schedule", "list").stdout == "Nothing is planned.\n"
    added = cli.run("schedule", "add", EACH_DAY, "--approve", "all")
    assert added.returncode == 0, added.stderr
    assert "every day at 18:00 · armed · next " in added.stdout.splitlines()[-1]
    (schedule,) = listed(cli)
    begun = str(schedule["id"])[:8]
    assert added.stdout.splitlines()[-1].startswith(begun)

    skipped = cli.run("schedule", "skip", begun)
    assert skipped.returncode == 0, skipped.stderr
    (after,) = listed(cli)
    assert after["next_times"][0] == schedule["next_times"][1]
    assert "paused" in cli.run("schedule", "pause", begun).stdout
    assert "armed" in cli.run("schedule", "resume", begun).stdout
    ran = cli.run("schedule", "run", begun)
    assert (ran.returncode, "last: done" in ran.stdout) == (0, True), ran.stdout + ran.stderr
    assert (cli.cwd / "b.txt").read_text() == "kept"
    assert cli.run("schedule", "pause").returncode == 0
    assert cli.run("schedule", "resume").returncode == 0
    history = cli.run("schedule", "history", begun).stdout
    assert ("called off" in history, "done" in history) == (True, True)
    assert "over" in cli.run("schedule", "cancel", begun).stdout
    assert listed(cli) == []
    assert cli.run("schedule", "run", "nonsense").returncode == 2


def test_what_a_rule_denies_is_planned_by_no_flag(cli: Cli) -> None:
    (cli.cwd / "a.txt").write_text("kept")
    rules = cli.home / "config" / "permission.toml"
    rules.parent.mkdir(parents=True)
    rules.write_text('[[rule]]\neffect = "deny"\naction = "builtin::files::*"\n', encoding="utf-8")
    denied = cli.run("schedule", "add", EACH_DAY, "--approve", "all")
    assert denied.returncode != 0
    assert listed(cli) == []


def test_a_command_that_ends_at_once_does_nothing_that_is_due(cli: Cli) -> None:
    before(cli, lambda partner: set_reminder(partner, once(THEN + timedelta(hours=1))))
    for words in (("schedule", "list"), ("chat", "--once", "hello"), ("actions", "list")):
        assert cli.run(*words).returncode == 0
    (schedule,) = listed(cli)
    assert (schedule["state"], schedule["last"]) == ("armed", None)

    process = cli.host()
    (over,) = cli.events("schedule", "list", "--over")[1]
    assert (over["state"], over["last"]["state"]) == ("over", "done"), "who stays does it"
    assert process.poll() is None


def test_very_many_are_listed_page_after_page(cli: Cli) -> None:
    fill(Home(cli.home), 450)
    told = cli.run("schedule", "list").stdout.splitlines()
    assert len(told) == 450
    assert [line for line in told if "water plant 449" in line] == told[-1:], "the soonest first"


def test_a_short_command_runs_one_to_its_end(cli: Cli) -> None:
    (cli.cwd / "a.txt").write_text("kept")
    step = {"source": str(cli.cwd / "a.txt"), "target": str(cli.cwd / "b.txt")}
    before(cli, lambda partner: planned(partner, daily(), [step], key="builtin::files::copy"))
    (schedule,) = listed(cli)
    ran = cli.run("schedule", "run", str(schedule["id"])[:8])
    assert (ran.returncode, "last: done" in ran.stdout) == (0, True), ran.stdout + ran.stderr
    assert (cli.cwd / "b.txt").read_text() == "kept"
    (history,) = cli.events("schedule", "history", str(schedule["id"])[:8])[1]
    assert history["state"] == "done", "what was missed is left to the next that stays"


@pytest.mark.promise("runtime.host")
def test_who_attaches_lists_and_pauses_and_one_process_fires(cli: Cli) -> None:
    before(cli, lambda partner: set_reminder(partner, daily(), "stretch"))
    host, attached = cli.host(), cli.start("chat", "--json")
    assert attached.stdin is not None
    attached.stdin.write("hello again\n")
    attached.stdin.flush()
    read_events(attached, "done")
    (schedule,) = listed(cli)
    begun = str(schedule["id"])[:8]
    (late,) = cli.events("schedule", "history", begun)[1]
    assert late["state"] == "done", "the missed ones were done once, by one of the two"
    assert cli.run("schedule", "pause", begun).returncode == 0
    assert [one["state"] for one in listed(cli)] == ["paused"]
    assert (host.poll(), attached.poll()) == (None, None)
