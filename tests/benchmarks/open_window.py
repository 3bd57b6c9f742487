"""Runs a scenario with the real window around the real app, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.desktop.launch import main
from partner_desktop.mind.question import Mind

Scenario = Callable[[Partner], Awaitable[dict[str, Any]]]


def with_window(
    home: Home, action_dir: Path, scenario: Scenario, *, mind: Mind | None = None
) -> dict[str, Any]:
    """What `scenario` returns, run once the app is up behind the window; the window is closed after it.

    With a `mind` it is asked in place of the app's own, and no model is started.
    """
    figures: dict[str, Any] = {}
    driving: set[asyncio.Task[None]] = set()

    async def drive(partner: Partner) -> None:
        try:
            while not home.socket.exists():  # noqa: ASYNC110 - a benchmark may look again and again
                await asyncio.sleep(0.05)
            await asyncio.sleep(1.0)  # the window's own first seconds are start-up's business
            figures.update(await scenario(partner))
        finally:
            for widget in QApplication.topLevelWidgets():
                widget.close()

    async def build() -> Partner:
        partner = Partner(home, action_dir, kind="window", mind=mind, meaning=mind is None)
        driving.add(asyncio.get_running_loop().create_task(drive(partner), name="benchmark"))
        return partner

    code = main(home.root, action_dir, build=build)
    if code != 0 or not figures:
        raise RuntimeError(f"the window ended with {code} before the scenario did")
    return figures
