"""What goes wrong around a chain is answered in words: answers, abilities, servers, results, clocks."""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import StepStatus
from partner_desktop.domain.events import ActionEvent, Event, ReplyEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from tests.action.chain.running import (
    ChainMind,
    Wanted,
    approved,
    at_rest,
    child_card,
    ended,
    errors,
    go_on,
    lines,
    proposed,
    statuses,
    until_step,
    write_abilities,
)
from tests.action.listing import gone, put
from tests.action.mcp.serving import listed, until, write
from tests.support import REPOSITORY, FakeClock, HastyClock, Watcher

# Each has a Partner of its own: for the whole gate.
pytestmark = pytest.mark.integration

#: Does what `{code}` says, for a second at most.
SCRIPT = """\
# /// partner
# description = "Do it {name}"
# params = {{}}
# timeoutSeconds = {seconds}
# ///
{code}
"""


def line(notes: Path, text: str) -> Wanted:
    return Wanted({"file": str(notes), "line": text})


async def drop(partner: Partner, watcher: Watcher, name: str, code: str, *, seconds: float = 5.0) -> Wanted:
    """A step that runs such a script."""
    text = SCRIPT.format(name=name, code=code, seconds=seconds)
    await put(watcher, partner.action_dir / "dynamic" / f"{name}.py", text, f"local::{name}")
    return Wanted(key=f"local::{name}")


def told(watcher: Watcher) -> str:
    return "\n".join(e.text for e in watcher.events if isinstance(e, ReplyEvent) and e.done)


async def question(watcher: Watcher, chain: ActionRecord) -> ActionRecord:
    """What is asked in the chat for a step."""

    def is_asked(event: Event) -> bool:
        return (
            isinstance(event, ActionEvent)
            and event.action.parent_id == chain.id
            and event.action.status is ActionStatus.ASKING
        )

    found = await watcher.until(is_asked)
    assert isinstance(found, ActionEvent)
    return found.action


async def test_a_yes_on_the_card_and_one_in_the_chat_at_once_run_it_once(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await proposed(partner, [[line(notes, "a")], [line(notes, "b")]])
    exchange = new_id()
    await asyncio.gather(
        partner.messages.send("yes", conversation_id=chain.conversation_id, exchange_id=exchange),
        partner.actions.approve(chain.id, scope="once"),
    )
    over = await ended(partner, watcher, chain.id)
    await watcher.done(exchange)
    assert (over.status, lines(notes)) == (ActionStatus.SUCCEEDED, ["a", "b"])
    assert len([row for row in await partner.actions.decisions(chain.id) if row.kind == "decision"]) == 1
    assert "already settled" not in told(watcher), "the yes was heard, if not as the first"


async def test_an_ability_that_is_removed_while_its_chain_runs_fails_its_step_in_words(
    partner: Partner, watcher: Watcher, notes: Path, action_dir: Path
) -> None:
    later = Wanted({"file": str(notes), "line": "b"}, "local::mender")
    chain = await approved(partner, [[line(notes, "wait a")], [later]])
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    (action_dir / "dynamic" / "mender.py").unlink()
    await watcher.until(gone("local::mender"))
    go_on(notes, "wait a")
    over = await ended(partner, watcher, chain.id)
    assert statuses(over) == ["succeeded", "failed"]
    assert errors(over)[0].startswith("The ability `local::mender` is not there (any more).")
    assert "is not there (any more)" in told(watcher)


async def test_arguments_of_the_wrong_type_in_a_correction_are_asked_for(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    wrong = NewStep("local::mender", "mend it", {"file": {"a": 1}, "line": ["x", None], "more": 5})
    mind.corrections = [(Intervention(InterventionKind.APPEND, 0, (wrong,)),)]
    mind.only_asked = True
    chain = await approved(partner, [[line(notes, "fail")]])
    asked = await question(watcher, chain)
    assert asked.key == "local::mender"
    await at_rest(watcher, chain)
    await partner.actions.reject(asked.id)
    over = await ended(partner, watcher, chain.id)
    assert statuses(over) == ["failed", "skipped"]
    assert "changed the plan" in told(watcher), "that a mind changed it is said"


async def test_a_change_that_cannot_be_made_and_an_end_by_a_mind_are_said(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    mind.corrections = [
        (Intervention(InterventionKind.DELETE, 1), Intervention(InterventionKind.DELETE, 2, reason="Enough")),
        (Intervention(InterventionKind.CANCEL, reason="the person\nsaid so"),),
    ]
    stages = [[line(notes, "fail a")], [line(notes, "b")], [line(notes, "fail c")]]
    chain = await approved(partner, stages)
    card = await child_card(watcher, chain.id)
    assert card.params["line"] == "fail c"
    notices = [event.text for event in watcher.events if event.type == "notice"]  # type: ignore[attr-defined]
    assert notices == [
        "A correction was not made: “Scribe” has begun already; only what is to come can be taken out."
    ]
    await at_rest(watcher, chain)
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, over.error) == (ActionStatus.FAILED, "A correction ended it: the person said so")
    answer = told(watcher)
    assert "On the way I changed the plan: “Scribe” was taken out: Enough." in answer
    assert "A correction ended it: the person said so" in answer


async def test_a_stage_whose_steps_print_for_ever_and_hang_comes_to_its_end(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    floods = await drop(partner, watcher, "floods", "while True:\n    print('x' * 10_000)", seconds=0.7)
    hangs = await drop(partner, watcher, "hangs", "import time\ntime.sleep(1_000)", seconds=0.3)
    chain = await approved(partner, [[floods, hangs], [line(notes, "b")]])
    card = await child_card(watcher, chain.id)
    assert lines(notes) == [], "nothing is written after a stage that failed"
    await at_rest(watcher, chain)
    await partner.actions.reject(card.id)
    over = await ended(partner, watcher, chain.id)
    assert (over.status, statuses(over)) == (ActionStatus.FAILED, ["failed", "failed", "skipped"])
    assert all("so I stopped it" in error for error in errors(over)[:2])
    assert "ran longer than 0.3 s" in told(watcher)


async def test_a_step_whose_server_dies_in_the_middle_fails_in_words_and_the_rest_asks(
    partner: Partner, watcher: Watcher, notes: Path, action_dir: Path
) -> None:
    folder = REPOSITORY / "tests" / "runner" / "mcp" / "servers"
    config = {"command": sys.executable, "args": ["-B", str(folder / "dies_in_call.py")]}
    write(action_dir, "mortal.json", {"mortal": {**config, "env": {"PYTHONPATH": str(folder)}}})
    await until(partner, watcher, lambda: "mortal::die" in listed(partner, "mortal"))
    chain = await approved(partner, [[Wanted(key="mortal::die")], [line(notes, "b")]])
    card = await child_card(watcher, chain.id)
    await at_rest(watcher, chain)
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, chain.id)
    assert (statuses(over), lines(notes)) == (["failed", "succeeded"], ["b"])
    assert errors(over)
    assert errors(over)[0] in told(watcher)


async def test_a_chain_whose_every_step_waits_goes_on_with_each_answer_and_can_be_ended(
    partner: Partner, watcher: Watcher, notes: Path, action_dir: Path
) -> None:
    others = notes.with_name("others.txt")
    chain = await proposed(
        partner, [[line(notes, "wait a")], [line(notes, "b"), line(others, "c")], [line(notes, "d")]]
    )
    await partner.actions.approve(chain.id, scope="once")
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    script = action_dir / "dynamic" / "scribe.py"
    await put(watcher, script, script.read_text() + "# edited\n", "local::scribe")
    go_on(notes, "wait a")
    for number in (2, 3):
        await until_step(watcher, chain.id, number, lambda step: step.status is StepStatus.WAITING)
    now = await partner.actions.get(chain.id)
    assert statuses(now) == ["succeeded", "waiting", "waiting", "planned"]
    assert now.chain is not None
    first, second = now.chain.steps[1:3]
    await partner.actions.approve(second.id, scope="once")
    await until_step(watcher, chain.id, 3, lambda step: step.status is StepStatus.SUCCEEDED)
    assert (lines(notes), lines(others)) == (["wait a"], ["c"])
    await partner.actions.approve(first.id, scope="once")
    now = await until_step(watcher, chain.id, 4, lambda step: step.status is StepStatus.WAITING)
    await partner.actions.cancel(chain.id)
    over = await partner.actions.get(chain.id)
    assert (over.status, statuses(over)[-1]) == (ActionStatus.CANCELLED, "cancelled")
    assert lines(notes) == ["wait a", "b"]
    assert not [each for each in await partner.actions.steps(chain.id) if not each.status.ended]


_LONG = "for _ in range({count}):\n    print('x' * 1_048_575)"
#: What a step prints, and why the next one does not take it; empty: it does.
BROUGHT = {
    "a hundred megabytes": (_LONG.format(count=100), "printed more than 64 MiB, so I stopped it"),
    "twenty megabytes": (_LONG.format(count=20), "more than anybody can look through"),
    "control characters": ("print('a\\x07b\\x1b[2Jc\\x00d')", ""),
    "half a character": ("import json\nprint(json.dumps(dict(text='a' + chr(0xD800))))", "half a character"),
}


@pytest.mark.parametrize(("code", "why"), BROUGHT.values(), ids=BROUGHT)
async def test_whatever_a_step_brings_the_next_one_runs_with_it_or_says_why_not(
    partner: Partner, watcher: Watcher, code: str, why: str
) -> None:
    brings = await drop(partner, watcher, "brings", code)
    chain = await approved(partner, [[brings], [Wanted(key="local::weigh", feeds={"thought": brings.id})]])
    over = await ended(partner, watcher, chain.id)
    assert (statuses(over) == ["succeeded", "succeeded"]) is not bool(why)
    assert why in " ".join(errors(over))
    assert why in told(watcher)


async def test_a_path_that_is_none_is_asked_for_and_not_followed(partner: Partner, watcher: Watcher) -> None:
    brings = await drop(partner, watcher, "brings", "print('/' + 'n' * 4_096)")
    read = Wanted(key="builtin::files::read", feeds={"file": brings.id})
    chain = await approved(partner, [[brings], [read]])
    asked = await question(watcher, chain)
    await at_rest(watcher, chain)
    assert "is not a path that can be used here" in told(watcher)
    exchange = new_id()
    await partner.messages.send(
        "what time is it?", conversation_id=chain.conversation_id, exchange_id=exchange
    )
    await watcher.done(exchange)
    assert (await partner.actions.get(asked.id)).status is ActionStatus.ASKING, "other words are no no"
    await partner.actions.reject(asked.id)
    over = await ended(partner, watcher, chain.id)
    assert statuses(over) == ["succeeded", "skipped"]


class JumpingClock(FakeClock):
    """Its wall time can be set; what elapses goes on as ever."""

    def jump(self, step: timedelta) -> None:
        self._now += step


async def test_a_clock_that_jumps_while_a_chain_waits_neither_ends_it_nor_lengthens_its_work(
    home: Home, action_dir: Path, notes: Path, mind: ChainMind
) -> None:
    write_abilities(action_dir)
    clock, watcher = JumpingClock(), Watcher()
    one = Partner(home, action_dir, mind=mind, meaning=False, clock=clock, quiet_clock=HastyClock())
    one.subscribe(watcher)
    await one.launch()
    try:
        chain = await approved(one, [[line(notes, "fail")], [line(notes, "b")]])
        card = await child_card(watcher, chain.id)
        await at_rest(watcher, chain)
        clock.jump(-timedelta(days=400))
        clock.move(timedelta(minutes=1))
        await one.idle()
        assert (await one.actions.get(card.id)).status is ActionStatus.WAITING
        await one.actions.approve(card.id, scope="once")
        over = await ended(one, watcher, chain.id)
        assert (statuses(over), lines(notes)) == (["failed", "succeeded"], ["fail", "b"])
        assert over.duration_ms >= 0
    finally:
        await one.close()
