"""What computes behind the window: it answers in any case, and does not outlive who asked."""

from __future__ import annotations

import asyncio
import os
import signal

import psutil  # type: ignore[import-untyped] # has no types
import pytest

from partner_desktop.base.background_process import BackgroundProcess
from partner_desktop.base.processes import NICENESS

pytestmark = pytest.mark.integration


def place_of(number: int) -> tuple[int, int, int]:
    """Who computes, how far it steps back, and what it got."""
    print("no answer")
    return os.getpid(), os.nice(0), number


def fail(text: str) -> None:
    raise ValueError(text)


def die_elsewhere(own: int) -> str:
    """Whoever is not of this process is gone."""
    if os.getpid() != own:
        os.kill(os.getpid(), signal.SIGKILL)
    return "done all the same"


async def test_functions_run_in_one_process_of_their_own_that_steps_back_and_ends_with_its_owner() -> None:
    background = BackgroundProcess()
    one, other = await asyncio.gather(background.run(place_of, 1), background.run(place_of, 2))
    assert one[0] == other[0] != os.getpid()
    assert (one[1], one[2], other[2]) == (os.nice(0) + NICENESS, 1, 2)
    with pytest.raises(ValueError, match="what went wrong"):
        await background.run(fail, "what went wrong")
    assert (await background.run(place_of, 3))[0] == one[0], "a failure is an answer like any other"
    await background.shutdown()
    assert not psutil.pid_exists(one[0])
    await background.shutdown()


async def test_work_whose_process_is_lost_is_done_all_the_same_and_the_next_has_another(
    caplog: pytest.LogCaptureFixture,
) -> None:
    background = BackgroundProcess()
    first = (await background.run(place_of, 1))[0]
    assert await background.run(die_elsewhere, os.getpid()) == "done all the same"
    assert "the process behind the window is lost" in caplog.text
    assert (await background.run(place_of, 2))[0] not in {first, os.getpid()}
    await background.shutdown()
