"""Deferred: made once, off the loop, and only when it is wanted."""

from __future__ import annotations

import asyncio
import threading

import pytest

from partner_desktop.base.tasks import Deferred
from tests.support import WAIT_S


async def test_it_is_made_once_for_all_who_want_it_and_not_on_the_loop() -> None:
    made: list[threading.Thread] = []
    go_on = threading.Event()

    def make() -> object:
        made.append(threading.current_thread())
        go_on.wait(WAIT_S)
        return object()

    deferred = Deferred(make)
    assert made == []
    async with asyncio.timeout(WAIT_S), asyncio.TaskGroup() as together:
        tasks = [together.create_task(deferred.get(), name="wants it") for _ in range(3)]
        await asyncio.sleep(0)  # the loop is free meanwhile
        go_on.set()
    assert len({task.result() for task in tasks}) == 1
    assert [thread is threading.main_thread() for thread in made] == [False]
    assert await deferred.get() is tasks[0].result()


async def test_what_could_not_be_made_is_tried_anew() -> None:
    results: list[Exception | str] = [ImportError("not there"), "made"]

    def make() -> str:
        result = results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result

    deferred = Deferred(make)
    with pytest.raises(ImportError):
        await deferred.get()
    assert await deferred.get() == "made"
