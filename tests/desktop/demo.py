"""Fills a window for looking at it: `python -m tests.desktop.demo [light|dark] [WIDTHxHEIGHT] [DAY]`."""

from __future__ import annotations

import asyncio
import sys

import qasync

from partner_desktop.app import Partner
from partner_desktop.desktop.application import build_application
from partner_desktop.desktop.launch import build_window
from partner_desktop.desktop.lifecycle import Lifecycle
from partner_desktop.desktop.signals import ExitSignals
from partner_desktop.desktop.theme.theme import ThemeChoice
from partner_desktop.desktop.window import MainWindow

from .days import partner_of, stage
from .fake_partner import FakePartner


async def after(window: MainWindow, partner: FakePartner, scene: str) -> None:
    """What happens once the window is filled."""
    await asyncio.sleep(1.0)
    stage(window, partner, scene)


def main() -> None:
    """Show it until it is closed."""
    look, size, scene = (*sys.argv[1:], *("light", "1280x800", "waiting")[len(sys.argv) - 1 :])
    app = build_application()
    window = build_window(None)
    window.theme.choose(ThemeChoice(look))
    width, height = size.split("x")
    window.resize(int(width), int(height))
    window.show()
    partner = partner_of(scene)

    async def build() -> Partner:
        return partner.face

    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    life = Lifecycle(window, build)
    extra = loop.create_task(after(window, partner, scene))
    with ExitSignals(window.close):
        loop.run_until_complete(life.run())
    extra.cancel()
    loop.close()


if __name__ == "__main__":
    main()
