"""The window's loop: in order, never long at a stretch, and on within a loop of Qt's own."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from partner_desktop.desktop.window_loop import WindowLoop


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[WindowLoop]:
    loop = WindowLoop(qapp)
    yield loop
    loop.close()


def test_callbacks_come_in_their_order_and_later_ones_when_they_are_due(loop: WindowLoop) -> None:
    seen: list[str] = []
    loop.call_later(0.02, seen.append, "later")
    loop.call_later(0.01, seen.append, "sooner")
    for word in ("one", "two", "three"):
        loop.call_soon(seen.append, word)
    loop.call_soon(seen.append, "cancelled").cancel()
    loop.call_later(0.03, loop.stop)
    loop.run_forever()
    assert seen == ["one", "two", "three", "sooner", "later"]


def test_nothing_is_called_before_its_time(loop: WindowLoop) -> None:
    begun_s = loop.time()
    waited: list[float] = []
    for delay_s in (0.001, 0.0125, 0.033):
        loop.call_later(delay_s, lambda due_s=delay_s: waited.append(loop.time() - begun_s - due_s))
    loop.call_later(0.05, loop.stop)
    loop.run_forever()
    assert len(waited) == 3
    assert min(waited) > -0.001


def test_qt_has_its_turn_between_callbacks_that_take_long(loop: WindowLoop) -> None:
    seen: list[str] = []

    def hold() -> None:
        time.sleep(0.002)  # what takes long
        seen.append("task")

    loop.call_soon(lambda: QTimer.singleShot(0, lambda: seen.append("qt")))
    for _ in range(20):
        loop.call_soon(hold)
    loop.call_later(0.1, loop.stop)
    loop.run_forever()
    assert seen.count("task") == 20
    assert seen.index("qt") < 19


def test_a_loop_of_qts_own_within_a_callback_keeps_no_other_from_running(loop: WindowLoop) -> None:
    seen: list[str] = []

    def dialog() -> None:
        inner = QEventLoop()
        seen.append("opened")
        QTimer.singleShot(50, inner.quit)  # nothing that asyncio knows of wakes the loop meanwhile
        inner.exec()
        seen.append("closed")
        loop.stop()

    loop.call_soon(dialog)
    loop.call_soon(seen.append, "behind")
    loop.run_forever()
    assert seen == ["opened", "behind", "closed"]


def test_what_is_called_within_a_loop_of_qts_own_comes_there(loop: WindowLoop) -> None:
    seen: list[str] = []

    def dialog() -> None:
        inner = QEventLoop()
        loop.call_soon(seen.append, "soon")
        loop.call_later(0.01, inner.quit)
        inner.exec()
        seen.append("closed")
        loop.stop()

    loop.call_soon(dialog)
    loop.run_forever()
    assert seen == ["soon", "closed"]


def test_a_call_from_another_thread_comes_in(loop: WindowLoop) -> None:
    async def working() -> str:
        return await asyncio.wait_for(asyncio.to_thread(lambda: "there"), 5)

    assert loop.run_until_complete(working()) == "there"


def test_what_was_cancelled_is_let_go_long_before_it_would_have_been_due(loop: WindowLoop) -> None:
    known: weakref.WeakSet[asyncio.Handle] = weakref.WeakSet()
    for _ in range(10_000):
        handle = loop.call_later(3_600, gc.collect)
        known.add(handle)
        handle.cancel()
    assert len(known) < 200


def test_while_it_does_not_run_nothing_is_called_although_qt_s_events_are_handled(
    loop: WindowLoop, qapp: QApplication
) -> None:
    seen: list[str] = []

    def ask(word: str) -> None:
        asyncio.get_running_loop()  # raises where none runs
        seen.append(word)

    for number in range(2):
        loop.call_soon(ask, f"soon {number}")
        loop.call_later(0.001, ask, f"later {number}")
        until_s = time.monotonic() + 0.02
        while time.monotonic() < until_s:
            qapp.processEvents()
        assert len(seen) == 2 * number
        loop.call_later(0.03, loop.stop)
        loop.run_forever()
    assert seen == ["soon 0", "later 0", "soon 1", "later 1"]


def test_what_was_behind_the_stop_comes_first_in_the_next_run(loop: WindowLoop, qapp: QApplication) -> None:
    seen: list[str] = []
    loop.call_soon(loop.stop)
    loop.call_soon(seen.append, "behind")
    loop.run_forever()
    qapp.processEvents()
    assert seen == []
    loop.call_soon(loop.stop)
    loop.run_forever()
    assert seen == ["behind"]
