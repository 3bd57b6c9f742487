"""What waits for the end of an action is done then, and never in a circle."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.schedule import ActionEnds, Terms
from partner_desktop.permission.request import ApprovalMode
from tests.action.saved_plans.plan_room import calls, over
from tests.action.schedules.schedule_room import BEGIN, Times, daily, of, planned, set_reminder
from tests.support import FakeClock, Watcher

pytestmark = pytest.mark.integration

FIRST = datetime(2026, 3, 2, 17, 0, tzinfo=UTC)


def whenever(key: str, *, again: bool = True) -> Terms:
    return Terms(ends=ActionEnds("it", key=key, again=again))


async def run(partner: Partner, watcher: Watcher, key: str, log: Path, line: str) -> None:
    """One run, by hand, to its end."""
    known = {one.id for one in await partner.actions.list()}
    params: JsonObject = {"log": str(log), "line": line}
    await partner.abilities.run(key, params, cwd=str(log.parent), standing=ApprovalMode.ALL)
    (record,) = [one for one in await partner.actions.list() if one.id not in known]
    await over(partner, watcher, record.id)


async def test_a_message_comes_at_the_next_end_and_no_more(
    partner: Partner, watcher: Watcher, times: Times, log: Path
) -> None:
    schedule = await set_reminder(partner, whenever("local::note", again=False), "it is done")
    for _ in range(2):
        await run(partner, watcher, "local::note", log, "one")
        await partner.settled()
    await times.reminded()
    assert (await of(partner, schedule.id)).state == "over"
    assert len(await partner.schedules.history(schedule.id)) == 1


async def test_a_time_fires_what_waits_for_its_end(partner: Partner, times: Times, log: Path) -> None:
    await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await set_reminder(partner, whenever("local::note"), "the note is there")
    await times.to(FIRST)
    await times.reminded()
    assert calls(log) == ["evening"]


async def test_two_that_wait_for_each_other_do_not_go_on(
    partner: Partner, watcher: Watcher, times: Times, log: Path
) -> None:
    ping = await planned(
        partner, whenever("local::note"), [{"log": str(log), "line": "ping"}], key="local::stamp"
    )
    pong = await planned(
        partner, whenever("local::stamp"), [{"log": str(log), "line": "pong"}], key="local::note"
    )
    await run(partner, watcher, "local::note", log, "serve")
    firing = await times.fired(ping.id, BEGIN, "done")
    await partner.settled()
    assert firing.state == "done"
    assert calls(log) == ["serve", "ping"]
    assert not await partner.schedules.history(pong.id)


async def test_an_end_that_nobody_heard_is_found_at_the_next_start(
    partner: Partner, watcher: Watcher, build: Callable[[], Partner], clock: FakeClock, log: Path
) -> None:
    await run(partner, watcher, "local::note", log, "one")
    (record,) = await partner.actions.list()
    terms = Terms(ends=ActionEnds("it", action_id=record.id))
    schedule = await set_reminder(partner, terms, "it is done")
    await partner.settled()
    await partner.close()
    second, heard = build(), Watcher()
    second.subscribe(heard)
    await second.launch()
    try:
        await Times(second, clock, heard).is_so(schedule.id, "over")
        said = await second.messages.list(schedule.conversation_id)
        assert said[-1].text == "Reminder: it is done"
    finally:
        await second.close()


async def test_an_end_while_all_is_paused_is_seen_to_as_it_goes_on(
    partner: Partner, watcher: Watcher, times: Times, log: Path
) -> None:
    schedule = await set_reminder(partner, whenever("local::note", again=False), "it is done")
    await partner.schedules.pause()
    await times.by(seconds=1)
    await run(partner, watcher, "local::note", log, "one")
    await partner.settled()
    assert (await of(partner, schedule.id)).state == "armed"
    await partner.schedules.resume()
    await times.reminded()
    assert (await of(partner, schedule.id)).state == "over"
