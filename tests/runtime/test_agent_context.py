"""The container checks what fits together, opens in order and closes in reverse, whatever fails."""

from __future__ import annotations

import logging
from typing import Protocol

import pytest

from partner_desktop.base.errors import PartnerError, StorageError, WiringError
from partner_desktop.runtime.agent_context import AgentContext
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import RunningFlowContext


class Speaks(Protocol):
    def speak(self) -> str: ...


class Cat:
    def speak(self) -> str:
        return "miaow"


class Dog:
    def speak(self) -> str:
        return "woof"


class Listener(RunningModule):
    order = 1

    async def execute(self, flow: RunningFlowContext) -> None:
        del flow


class Recorder:
    """A part that writes down its life."""

    def __init__(self, name: str, log: list[str], *, fails_at: str = "") -> None:
        self.name, self.log, self.fails_at = name, log, fails_at

    async def launch(self) -> None:
        if self.fails_at == "launch":
            raise StorageError("the disk is on fire")
        self.log.append(f"+{self.name}")

    async def shutdown(self) -> None:
        self.log.append(f"-{self.name}")
        if self.fails_at == "shutdown":
            raise RuntimeError("stuck drawer")


@pytest.mark.promise("framework.container.unique")
def test_two_implementations_of_one_capability_stop_the_launch_naming_both() -> None:
    context = AgentContext()
    context.provide(Speaks, Cat())
    context.provide(Speaks, Dog())
    with pytest.raises(WiringError, match="Cat and Dog"):
        context.validate()


@pytest.mark.promise("framework.container.unique")
def test_a_missing_capability_names_who_needs_it() -> None:
    context = AgentContext()
    context.add_module(Listener(), needs=[Speaks])
    with pytest.raises(WiringError, match="Listener needs Speaks"):
        context.validate()


def test_two_modules_of_one_name_stop_the_launch() -> None:
    context = AgentContext()
    context.add_module(Listener())
    context.add_module(Listener())
    with pytest.raises(WiringError, match="called Listener"):
        context.validate()


@pytest.mark.logs_errors
@pytest.mark.promise("framework.launch.order")
async def test_a_failing_launch_says_why_and_closes_what_was_opened() -> None:
    log: list[str] = []
    context = AgentContext()
    for part in (
        Recorder("a", log),
        Recorder("b", log),
        Recorder("c", log, fails_at="launch"),
        Recorder("d", log),
    ):
        context.add_part(part.name, part)
    with pytest.raises(PartnerError, match="the disk is on fire"):
        await context.launch()
    assert log == ["+a", "+b", "-b", "-a"]


@pytest.mark.logs_errors
async def test_shutdown_runs_in_reverse_and_one_failure_stops_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log: list[str] = []
    context = AgentContext()
    for part in (Recorder("a", log), Recorder("b", log, fails_at="shutdown"), Recorder("c", log)):
        context.add_part(part.name, part)
    await context.launch()
    with caplog.at_level(logging.ERROR, "partner"):
        await context.shutdown()
        await context.shutdown()
    assert log == ["+a", "+b", "+c", "-c", "-b", "-a"]
    assert "shutdown of b failed" in caplog.text
