"""Cycles with Qt objects in them are collected on the window's thread, never on another."""

from __future__ import annotations

import gc
import threading

from PySide6.QtCore import QObject

from partner_desktop.desktop.lifecycle import GarbageCollector


def test_no_other_thread_collects_while_the_window_lives(qapp: QObject) -> None:
    assert qapp is not None
    collected_on: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        del phase, info
        collected_on.append(threading.current_thread().name)

    collector = GarbageCollector()
    gc.callbacks.append(note)
    try:
        worker = threading.Thread(target=lambda: [[number] for number in range(100_000)], name="worker")
        worker.start()
        worker.join()
        assert collected_on == []
        _ = [[number] for number in range(100_000)]
        collector._collect_due()
    finally:
        gc.callbacks.remove(note)
        collector.close()
    assert set(collected_on) == {threading.main_thread().name}
