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


def test_everything_is_gone_through_only_when_the_window_has_little_to_do(qapp: QObject) -> None:
    assert qapp is not None
    now_s, spent_s, rounds = 0.0, 0.0, list[int]()

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            rounds.append(info["generation"])

    def seconds(count: int, *, busy_s: float, late_s: float = 0.0) -> int:
        """So many go by; how often everything was gone through."""
        nonlocal now_s, spent_s
        rounds.clear()
        for _ in range(count):
            now_s, spent_s = now_s + 1 + late_s, spent_s + busy_s
            collector._collect_due()
        return rounds.count(2)

    collector = GarbageCollector(now=lambda: now_s, spent=lambda: spent_s)
    gc.callbacks.append(note)
    try:
        assert seconds(400, busy_s=0.5) == 0
        assert seconds(3, busy_s=0.0) == 0
        assert seconds(20, busy_s=0.0, late_s=0.5) == 0
        assert seconds(20, busy_s=0.0) == 1
        assert seconds(3_500, busy_s=0.5) == 0
        assert seconds(200, busy_s=0.5) == 1
    finally:
        gc.callbacks.remove(note)
        collector.close()
