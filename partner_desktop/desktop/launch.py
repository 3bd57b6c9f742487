"""The way in: loop and window around the app.

The order is the point. First whether there is a display, before Qt can abort over it; then the window, with
the composer taking keys; then, with the first picture on the screen, everything else: the loop, the session,
and in a thread the app itself. What is typed meanwhile waits in Qt's queue and in the composer.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.desktop import display

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from partner_desktop.desktop.lifecycle import BuildPartner
    from partner_desktop.desktop.startup_report import StartupReport
    from partner_desktop.desktop.window import MainWindow

NO_DISPLAY = 2

#: Seconds that the window system is given for the first picture; then everything goes on without it.
_FIRST_PAINT_TIMEOUT_S = 1.0
_LOOK_MS = 20


def main(home_root: Path | None, action_dir: Path | None, *, build: BuildPartner | None = None) -> int:
    """Open the window and live until it is closed.

    `home_root` holds what the window remembers (nothing is remembered without it); `build` makes the app in
    place of `partner_desktop.app`. Returns the exit code: 0, 1 when Partner could not start, 2 without a
    display.
    """
    reason = display.missing_display()
    if reason:
        sys.stderr.write(reason + "\n")
        return NO_DISPLAY
    # Qt comes in only now: a machine without a display needs none of it.
    from partner_desktop.desktop.application import build_application  # noqa: PLC0415
    from partner_desktop.desktop.signals import ExitSignals  # noqa: PLC0415
    from partner_desktop.desktop.startup_report import StartupReport  # noqa: PLC0415

    app = build_application()
    window = build_window(home_root)
    # Logging out and being told to quit go the same way as closing the window.
    app.commitDataRequest.connect(lambda _manager: window.close())
    app.aboutToQuit.connect(window.close)
    report = StartupReport()
    window.first_painted.connect(report.painted)
    with ExitSignals(window.close):
        window.show()
        _paint_first(app, window)
        if build is not None:
            return _live(app, window, build, report, home_root)
        from partner_desktop.desktop.behind import AppBuilder  # noqa: PLC0415

        with AppBuilder(home_root, action_dir) as builder:
            return _live(app, window, builder, report, home_root)


def build_window(home_root: Path | None) -> MainWindow:
    """The window as it was left, not yet shown."""
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415

    from partner_desktop.desktop.language import Language  # noqa: PLC0415
    from partner_desktop.desktop.memory import WindowMemory  # noqa: PLC0415
    from partner_desktop.desktop.shortcuts import groups  # noqa: PLC0415
    from partner_desktop.desktop.theme.theme import Theme  # noqa: PLC0415
    from partner_desktop.desktop.window import MainWindow  # noqa: PLC0415

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = Theme(app)
    memory = WindowMemory(home_root)
    memory.restore_theme(theme)
    language = Language(app)
    memory.restore_language(language)
    window = MainWindow(theme, memory=memory, language=language)
    window.install_keys(groups(window))
    return window


def _paint_first(app: QApplication, window: MainWindow) -> None:
    """Let the window system bring the first picture before anything else is imported."""
    from PySide6.QtCore import QEventLoop, QTimer  # noqa: PLC0415

    wake = QTimer(app)
    wake.start(_LOOK_MS)
    deadline = time.monotonic() + _FIRST_PAINT_TIMEOUT_S
    while not window.painted and time.monotonic() < deadline:
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    wake.stop()


def _live(
    app: QApplication, window: MainWindow, build: BuildPartner, report: StartupReport, home_root: Path | None
) -> int:
    """Run the one loop, to the end of the closing even where the application was told to quit before."""
    import asyncio  # noqa: PLC0415

    import qasync  # noqa: PLC0415

    from partner_desktop.base.paths import Home  # noqa: PLC0415
    from partner_desktop.desktop.lifecycle import Lifecycle  # noqa: PLC0415

    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    home = Home(home_root) if home_root is not None else None
    life: asyncio.Task[int] = loop.create_task(Lifecycle(window, build, report=report, home=home).run())
    life.add_done_callback(lambda _life: loop.stop())
    try:
        while not life.done():
            loop.run_forever()
        return life.result()
    finally:
        loop.close()
        asyncio.set_event_loop(None)
