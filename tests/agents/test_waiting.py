"""A process that waits for a person, or was cut off, and goes on after a restart."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from pydantic import BaseModel, Field

from partner_desktop.agents.declarations import UserInput, action, agent, goal
from partner_desktop.agents.process_events import PersonAsked, ProcessCreated, StatusChanged
from partner_desktop.agents.process_state import ProcessStatus, Reason
from partner_desktop.agents.step_context import ChildOrder, StepContext
from partner_desktop.base.errors import AgentError
from tests.agents.scripted import Bench, kept_bench, on, reason_of_end
from tests.support import REPOSITORY, WAIT_S

pytestmark = pytest.mark.integration


class Address(BaseModel):
    street: str
    number: int = Field(ge=1)


@dataclass(frozen=True)
class Parcel:
    to: str


class Log:
    """What the steps did, over restarts too."""

    lines: ClassVar[list[str]] = []
    begun: ClassVar[asyncio.Event]
    gate: ClassVar[asyncio.Event]


@pytest.fixture(autouse=True)
def fresh_log() -> None:
    Log.lines, Log.begun, Log.gate = [], asyncio.Event(), asyncio.Event()


@agent(description="Sends a parcel")
class Sender:
    @goal(description="It is on its way")
    @action(idempotent=False)
    async def send(self, asked: UserInput, step: StepContext) -> Parcel:
        Log.lines.append(f"{step.step_id} begins")
        address = await step.ask_form(Address, "Where to?")
        await step.confirm(f"To {address.street} {address.number}?")
        Log.lines.append("sent")
        return Parcel(f"{address.street} {address.number}")


@agent(description="Asks before a step, and has another way")
class Cautious:
    @goal(description="Sent")
    @action(confirm="Send it by post?", cost=0.1)
    async def by_post(self, asked: UserInput) -> Parcel:
        return Parcel("post")

    @action(cost=0.9, pre=("not snowed_in",))
    async def call_rider(self, asked: UserInput) -> Address:
        return Address(street="here", number=1)

    @action()
    async def by_rider(self, address: Address) -> Parcel:
        return Parcel("rider")


@agent(description="Lets two others send")
class Office:
    @goal(description="Both sent")
    @action()
    async def send_both(self, asked: UserInput, step: StepContext) -> Parcel:
        Log.lines.append("office begins")
        parcels = await step.run_children(ChildOrder("Sender"), ChildOrder("Cautious"))
        return Parcel(" and ".join(each.to for each in parcels if isinstance(each, Parcel)))


#: Set where the app is killed in the middle of a step.
KILLED = "PARTNER_TEST_KILLED"


@agent(description="Is cut off")
class Slow:
    @action()
    async def prepare(self, asked: UserInput) -> Address:
        Log.lines.append("prepared")
        return Address(street="Main", number=7)

    @goal(description="Sent")
    @action()
    async def send(self, address: Address) -> Parcel:
        Log.lines.append("sending")
        Log.begun.set()
        if KILLED in os.environ:
            os.kill(os.getpid(), signal.SIGKILL)
        await Log.gate.wait()
        return Parcel(address.street)


@agent(description="Is cut off, and twice is not once")
class SlowOnce(Slow):
    @goal(description="Sent")
    @action(idempotent=False)
    async def send(self, address: Address) -> Parcel:
        return await super().send(address)


ALL = (Sender, Cautious, Office, Slow, SlowOnce)


@pytest.mark.promise("planning.waiting")
async def test_a_wait_survives_restarts_and_the_step_goes_on_by_its_id(tmp_path: Path) -> None:
    async with kept_bench(tmp_path, *ALL) as bench:
        process = await bench.run(Sender)
        assert process.status is ProcessStatus.WAITING
        (told,) = bench.heard(PersonAsked)
        assert (told.wait.kind, told.wait.message) == ("form", "Where to?")
        assert told.wait.schema["properties"].keys() == {"street", "number"}
        assert bench.heard(StatusChanged)[-1].status is ProcessStatus.WAITING
        name, step = process.name, told.step_id
    async with kept_bench(tmp_path, *ALL) as bench:
        assert await bench.processes.unfinished() == [process.id]
        process = await bench.processes.bring_back(process.id)
        assert (process.status, process.name) == (ProcessStatus.WAITING, name)
        assert await on(process) is ProcessStatus.WAITING  # nobody answered
        (wait,) = process.waits
        await process.answer(wait.id, accept=True, content={"street": "Elm", "number": 0})
        assert await on(process) is ProcessStatus.WAITING  # the class takes no such number
        assert [(each.id, "greater than" in each.note) for each in process.waits] == [(wait.id, True)]
        await process.answer(wait.id, accept=True, content={"street": "Elm", "number": 3})
    async with kept_bench(tmp_path, *ALL) as bench:  # answered, and ended before it went on
        process = await bench.processes.bring_back(process.id)
        assert await on(process) is ProcessStatus.WAITING
        (wait,) = process.waits
        assert (wait.kind, wait.message) == ("confirm", "To Elm 3?")
        await process.answer(wait.id, accept=True)
        assert await on(process) is ProcessStatus.COMPLETED
        assert process.output == Parcel("Elm 3")
        assert [each.id for each in process.state.history] == [step]
        assert await bench.processes.unfinished() == []
    assert Log.lines == [f"{step} begins"] * 4 + ["sent"]


@pytest.mark.promise("planning.waiting")
async def test_a_reject_is_explained_and_another_way_is_taken_where_there_is_one() -> None:
    bench = Bench(*ALL)
    for agent_class, note, ends, said in (
        (Sender, "not today", ProcessStatus.STUCK, "You did not want “Sender.send”: not today There is no"),
        (Sender, "", ProcessStatus.STUCK, "You did not want “Sender.send”. There is no other way."),
        (Cautious, "too slow", ProcessStatus.COMPLETED, ""),
    ):
        process = await bench.run(agent_class)
        (wait,) = process.waits
        await process.answer(wait.id, accept=False, note=note)
        assert await on(process) is ends
        assert str(process.state.reason or "").startswith(said)
        (record, *later) = process.state.history
        assert record.end == "declined"
        assert note in str(record.reason)
        assert [each.end for each in later] == ["succeeded"] * (2 if ends is ProcessStatus.COMPLETED else 0)


@pytest.mark.promise("planning.waiting")
async def test_the_waits_of_children_reach_the_root_also_after_a_restart(tmp_path: Path) -> None:
    async with kept_bench(tmp_path, *ALL) as bench:
        root = await bench.run(Office)
        assert root.status is ProcessStatus.WAITING
        assert [each.message for each in root.waits] == ["Where to?", "Send it by post?"]
        first = {child.id for child in root.children.values()}
    async with kept_bench(tmp_path, *ALL) as bench:
        child = await bench.processes.bring_back(min(first))
        root = await bench.processes.bring_back(root.id)
        assert child.above is root
        form, confirm = root.waits
        await root.answer(confirm.id, accept=True)
        assert await on(root) is ProcessStatus.WAITING
        await root.answer(form.id, accept=True, content={"street": "Elm", "number": 3})
        assert await on(root) is ProcessStatus.WAITING
        assert {child.id for child in root.children.values()} == first  # none was begun anew
        (wait,) = root.waits
        await root.answer(wait.id, accept=True)
        assert await on(root) is ProcessStatus.COMPLETED
        assert root.output == Parcel("Elm 3 and post")
        assert await bench.processes.unfinished() == []
    async with kept_bench(tmp_path, *ALL) as bench:
        root = await bench.run(Office)
        waits = root.waits
        await root.kill()
        assert root.waits == ()
        with pytest.raises(AgentError, match="does not ask"):
            await root.answer(waits[0].id, accept=True)
        assert await bench.processes.unfinished() == []


@pytest.mark.promise("planning.waiting")
@pytest.mark.parametrize("agent_class", [Slow, SlowOnce])
async def test_a_killed_app_leaves_a_process_that_goes_on(tmp_path: Path, agent_class: type) -> None:
    code = (
        "import asyncio, sys; from pathlib import Path; from tests.agents import test_waiting as t; "
        f"asyncio.run(t.run_in(Path(sys.argv[1]), t.{agent_class.__name__}))"
    )
    app = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(tmp_path), cwd=REPOSITORY, env={**os.environ, KILLED: "1"}
    )
    async with asyncio.timeout(WAIT_S):
        assert await app.wait() == -signal.SIGKILL
    Log.gate.set()
    async with kept_bench(tmp_path, *ALL) as bench:
        (process_id,) = await bench.processes.unfinished()
        process = await bench.processes.bring_back(process_id)
        assert [each.action for each in process.state.history] == [f"{agent_class.__name__}.prepare"]
        again = await on(process)
        if agent_class is SlowOnce:
            assert (again, Log.lines) == (ProcessStatus.WAITING, [])
            await process.answer(process.waits[0].id, accept=True)
            again = await on(process)
        assert (again, Log.lines) == (ProcessStatus.COMPLETED, ["sending"])  # what was prepared is kept
        assert process.output == Parcel("Main")


async def run_in(folder: Path, agent_class: type) -> None:
    """What the app does that is killed."""
    Log.begun, Log.gate = asyncio.Event(), asyncio.Event()
    async with kept_bench(folder, *ALL) as bench:
        await bench.run(agent_class)


@pytest.mark.promise("planning.waiting")
@pytest.mark.parametrize("agent_class", [Slow, SlowOnce])
async def test_a_step_that_was_cut_off_runs_again_or_is_asked_about(
    tmp_path: Path, agent_class: type
) -> None:
    async with kept_bench(tmp_path, *ALL) as bench:
        process = await bench.process(agent_class)
        begun = asyncio.ensure_future(on(process))
        await Log.begun.wait()
        begun.cancel()
        with suppress(asyncio.CancelledError):
            await begun
    Log.gate.set()
    async with kept_bench(tmp_path, *ALL) as bench:
        assert await bench.processes.unfinished() == [process.id]
        process = await bench.processes.bring_back(process.id)
        assert process.status is ProcessStatus.RUNNING
        if agent_class is Slow:
            assert await on(process) is ProcessStatus.COMPLETED
            assert Log.lines == ["prepared", "sending", "sending"]
            return
        assert await on(process) is ProcessStatus.WAITING
        assert Log.lines == ["prepared", "sending"]
        (wait,) = process.waits
        assert (wait.kind, "was cut off before I knew" in wait.message) == ("repeat", True)
        await process.answer(wait.id, accept=False)
        assert await on(process) is ProcessStatus.FAILED
        assert reason_of_end(process) == "agents.not_repeated"
        assert Log.lines == ["prepared", "sending"]


async def test_old_runs_are_forgotten_with_all_below_them_and_open_ones_never(tmp_path: Path) -> None:
    async with kept_bench(tmp_path, *ALL, most_kept=1) as bench:
        waiting = await bench.run(Sender)
        killed = await bench.run(Office)
        await killed.kill()
        newer = await bench.run(Sender)
        await newer.kill()
        assert (await bench.processes.bring_back(waiting.id)).status is ProcessStatus.WAITING
        gone = [killed.id, *below(bench, killed.id)]
        assert len(gone) == 3
    async with kept_bench(tmp_path, *ALL) as bench:
        assert (await bench.processes.bring_back(newer.id)).status is ProcessStatus.KILLED
        for process_id in gone:
            with pytest.raises(AgentError, match="There is no run"):
                await bench.processes.bring_back(process_id)


def below(bench: Bench, process_id: str) -> list[str]:
    """The ids of the children that were begun."""
    return [each.process_id for each in bench.heard(ProcessCreated) if each.parent_id == process_id]


async def test_a_process_whose_agent_or_classes_are_gone_says_so(tmp_path: Path) -> None:
    async with kept_bench(tmp_path, *ALL) as bench:
        process = await bench.run(Sender)
        await process.terminate(Reason("agents.killed"))
        assert process.status is ProcessStatus.TERMINATED
    async with kept_bench(tmp_path) as bench:
        with pytest.raises(AgentError, match="no agent called Sender"):
            await bench.processes.bring_back(process.id)
    async with kept_bench(tmp_path, *ALL) as bench:
        back = await bench.processes.bring_back(process.id)
        assert (back.status, str(back.state.reason)) == (ProcessStatus.TERMINATED, "It was stopped.")
        assert back.state == process.state
        assert back.board.content == process.board.content
