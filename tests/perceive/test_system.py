"""How this computer is doing: the figures reach the context, and what is not there says so."""

from __future__ import annotations

import asyncio
import os
import platform
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil  # type: ignore[import-untyped] # has no types
import pytest

from partner_desktop.app import Partner
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context.block import ContextBlock
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.perceive.system_monitor import BLOCK, PerceiveSettings, SystemStatsMonitor
from partner_desktop.perceive.system_sample import Battery, SystemSample, Usage, take_sample
from partner_desktop.perceive.system_stats import ThisMachine
from partner_desktop.runtime.flow import RunningFlowContext
from tests.perceive.blocks import block_of, lines
from tests.support import WAIT_S, FakeClock, Watcher

FLOW = RunningFlowContext("c", ())
#: Memory and disk move while a test runs; by less than this.
NEAR = 0.15


def block_in(workspace: ContextWorkspace) -> ContextBlock:
    return block_of(workspace, BLOCK, scope="any")


@pytest.mark.promise("perceive.system")
async def test_a_turn_has_the_figures_of_this_machine(partner: Partner, watcher: Watcher) -> None:
    await partner._parts.system_stats.settled()
    await partner.messages.send("hello", conversation_id=None)
    await watcher.done()
    block = block_in(partner._parts.core.workspace)
    known = lines(block)
    assert known["os"] == platform.system()
    assert platform.release() in known["os_version"]
    assert known["architecture"] == platform.machine()
    memory = psutil.virtual_memory()
    assert f"of {memory.total / 1024**3:.1f} GiB used" in known["memory"]
    disk = psutil.disk_usage(str(partner.home.root))
    assert f"of {disk.total / 1024**3:.1f} GiB used" in known["disk_of_home"]
    assert 0 <= float(known["cpu"].removesuffix(" %")) <= 100
    assert len(known["load_average"].split(" (", maxsplit=1)[0].split(", ")) == len(os.getloadavg())
    assert known["uptime"]
    has_battery = hasattr(psutil, "sensors_battery") and psutil.sensors_battery() is not None
    assert (known["battery"] != "not available") == has_battery
    assert datetime.fromisoformat(known["measured_at"]) <= datetime.now(UTC)
    assert block.housekeeping
    assert "SystemStatsMonitor" in {
        module.name for module in partner.agent_context.modules if module.order == 1
    }


@pytest.mark.promise("perceive.system")
def test_the_figures_are_psutils_own(tmp_path: Path) -> None:
    sample = take_sample(ThisMachine(tmp_path / "not" / "made" / "yet"), clock=FakeClock())
    memory, disk = psutil.virtual_memory(), psutil.disk_usage(str(tmp_path))
    assert sample.memory is not None
    assert sample.disk is not None
    assert sample.memory.total_bytes == memory.total
    assert sample.memory.used_bytes == pytest.approx(memory.total - memory.available, rel=NEAR)
    assert sample.disk.total_bytes == disk.total
    assert sample.disk.used_bytes == pytest.approx(disk.used, rel=NEAR)
    assert sample.processors == psutil.cpu_count()
    assert sample.uptime_s is not None
    assert sample.uptime_s > 0


class BareMachine:
    """Has nothing, or says no: half of its figures are missing, the other half fail as platforms do."""

    def system(self) -> str | None:
        return None

    def version(self) -> str | None:
        raise OSError("no os-release")

    def architecture(self) -> str | None:
        return None

    def processors(self) -> int | None:
        raise NotImplementedError

    def uptime_s(self) -> float | None:
        raise psutil.AccessDenied

    def load(self) -> tuple[float, float, float] | None:
        return None

    def cpu_percent(self) -> float | None:
        raise RuntimeError("/proc/stat is not readable")

    def memory(self) -> Usage | None:
        raise psutil.Error

    def disk(self) -> Usage | None:
        raise FileNotFoundError

    def battery(self) -> Battery | None:
        raise AttributeError("module 'psutil' has no attribute 'sensors_battery'")


@pytest.mark.promise("perceive.system")
def test_what_a_machine_does_not_tell_is_not_available() -> None:
    sample = take_sample(BareMachine(), clock=FakeClock())
    told = dict(line.split(": ", 1) for line in sample.full().splitlines())
    del told["measured_at"]
    assert len(told) == 9
    assert set(told.values()) == {"not available"}
    assert sample.compact() == (
        "cpu not available, memory not available, disk not available, battery not available"
    )


def test_a_battery_says_whether_it_is_charged() -> None:
    now = datetime.now(UTC)
    for plugged, words in ((True, "80 %, plugged in"), (False, "80 %, on battery power"), (None, "80 %")):
        assert f"battery: {words}\n" in SystemSample(at=now, battery=Battery(80.0, plugged)).full()


class Bench:
    """A monitor whose measurements come when the test lets them."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.workspace = ContextWorkspace(clock=clock)
        self.go = threading.Semaphore(0)
        self.begun = 0
        settings = ConfigHandle("perceive", PerceiveSettings(system_refresh_s=30))
        self.monitor = SystemStatsMonitor(self.workspace, settings, look=lambda: self._measure, clock=clock)

    def _measure(self) -> SystemSample:
        self.begun += 1
        number = self.begun
        assert self.go.acquire(timeout=WAIT_S)
        return SystemSample(at=self.clock.now(), cpu_percent=float(number))

    async def release(self) -> None:
        self.go.release()
        await asyncio.wait_for(self.monitor.settled(), WAIT_S)

    @property
    def cpu(self) -> str:
        known = lines(block_in(self.workspace))
        return known.get("cpu") or known["state"]


@pytest.fixture
def make_bench(clock: FakeClock) -> Callable[[], Bench]:
    return lambda: Bench(clock)


@pytest.mark.promise("perceive.system")
async def test_no_turn_waits_for_a_measurement(make_bench: Callable[[], Bench], clock: FakeClock) -> None:
    bench = make_bench()
    await bench.monitor.execute(FLOW)  # returns although nothing could be measured
    assert bench.cpu == "not measured yet"
    await bench.release()
    assert bench.cpu == "1 %"
    clock.move(timedelta(seconds=29))
    await bench.monitor.execute(FLOW)
    assert bench.begun == 1
    clock.move(timedelta(seconds=1))
    await bench.monitor.execute(FLOW)  # too old: it is used, and measured again behind the turn
    assert bench.cpu == "1 %"
    await bench.monitor.execute(FLOW)  # not twice at once
    await bench.release()
    assert (bench.cpu, bench.begun) == ("2 %", 2)
    await bench.monitor.shutdown()


async def test_one_block_is_there_however_often_it_was_measured(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    for _ in range(20):
        bench.clock.move(timedelta(minutes=1))
        await bench.monitor.execute(FLOW)
        await bench.release()
    assert bench.cpu == "20 %"
    await bench.monitor.shutdown()
