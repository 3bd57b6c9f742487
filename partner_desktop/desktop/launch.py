"""The way in: loop and window around the app.

The order is the point. First whether there is a display, before Qt can abort over it; then the window, with
the composer taking keys; then, with the first picture on the screen, everything else: the loop, the session,
and in a thread the app itself. What is typed meanwhile waits in Qt's queue and in the composer.

Whether a window can open here is found out before Qt is asked, by the standard library only: Qt answers "no"
by aborting. On Linux the platform plugins that Qt would try are looked at in turn. For X11 the plugin's own
library is loaded (a missing library is named) and the server is spoken to through libxcb, which knows
addresses and permissions; for Wayland the socket is connected.
"""

from __future__ import annotations

import builtins
import ctypes
import importlib.util
import linecache
import os
import socket
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.base.processes import limit_arenas

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from partner_desktop.desktop.lifecycle import BuildPartner
    from partner_desktop.desktop.startup_report import StartupReport
    from partner_desktop.desktop.window import MainWindow
    from partner_desktop.domain.window_request import WindowRequest

NO_DISPLAY = 2

#: Seconds that the window system is given for the first picture; then everything goes on without it.
_FIRST_PAINT_TIMEOUT_S = 1.0
_LOOK_MS = 20


def main(
    home_root: Path | None,
    action_dir: Path | None,
    *,
    hidden: bool = False,
    build: BuildPartner | None = None,
    request: WindowRequest | None = None,
) -> int:
    """Open the window and live until it is closed.

    `home_root` holds what the window remembers (nothing is remembered without it); `hidden`: it begins out of
    sight; `build` makes the app in place of `partner_desktop.app`; `request`: what it is to
    show at first. Returns the exit code: 0, 1 when Partner
    could not start, 2 without a display.
    """
    reason = missing_display()
    if reason:
        sys.stderr.write(reason + "\n")
        return NO_DISPLAY
    limit_arenas()
    # Qt comes in only now: a machine without a display needs none of it.
    import_qt()
    from partner_desktop.desktop.application import ExitSignals, build_application  # noqa: PLC0415
    from partner_desktop.desktop.startup_report import StartupReport  # noqa: PLC0415

    app = build_application()
    window = build_window(home_root)
    # Logging out and being told to quit go the same way as closing the window.
    app.commitDataRequest.connect(lambda _manager: window.quit())
    app.aboutToQuit.connect(window.quit)
    report = StartupReport()
    window.first_painted.connect(report.painted)
    with ExitSignals(window.quit):
        if hidden:
            window.start_hidden()
        else:
            window.show()
            _paint_first(app, window)
        if build is not None:
            return _live(app, window, build, report, home_root, request)
        from partner_desktop.desktop.app_builder import AppBuilder  # noqa: PLC0415

        with AppBuilder(home_root, action_dir) as builder:
            return _live(app, window, builder, report, home_root, request)


def import_qt() -> None:
    """Bring in PySide, and take its import hook out again.

    The hook serves `from __feature__ import …`, which nothing here uses: for it, every module that is
    imported later has its source read and kept by `linecache`, some 20 MB and a good part of the start.
    """
    import PySide6.QtCore  # noqa: F401, PLC0415

    without_hook = getattr(builtins, "__orig_import__", None)
    if without_hook is not None:
        builtins.__import__ = without_hook
        linecache.clearcache()


def build_window(home_root: Path | None) -> MainWindow:
    """The window as it was left, not yet shown."""
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415

    from partner_desktop.desktop.language import Language  # noqa: PLC0415
    from partner_desktop.desktop.shortcuts import groups  # noqa: PLC0415
    from partner_desktop.desktop.theme.theme import Theme  # noqa: PLC0415
    from partner_desktop.desktop.window import MainWindow  # noqa: PLC0415
    from partner_desktop.desktop.window_memory import WindowMemory  # noqa: PLC0415

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
    app: QApplication,
    window: MainWindow,
    build: BuildPartner,
    report: StartupReport,
    home_root: Path | None,
    request: WindowRequest | None,
) -> int:
    """Run the one loop, to the end of the closing even where the application was told to quit before."""
    import asyncio  # noqa: PLC0415

    from partner_desktop.base.paths import Home  # noqa: PLC0415
    from partner_desktop.desktop.lifecycle import Lifecycle  # noqa: PLC0415
    from partner_desktop.desktop.window_loop import WindowLoop  # noqa: PLC0415

    loop = WindowLoop(app)
    asyncio.set_event_loop(loop)
    home = Home(home_root) if home_root is not None else None
    whole = Lifecycle(window, build, report=report, home=home, request=request)
    life: asyncio.Task[int] = loop.create_task(whole.run())
    life.add_done_callback(lambda _life: loop.stop())
    try:
        while not life.done():
            loop.run_forever()
        return life.result()
    finally:
        loop.close()
        asyncio.set_event_loop(None)


_ADVICE = "Use `partner-desktop chat` in a terminal, or start it from a desktop session."
_CONNECT_TIMEOUT_S = 2.0


def missing_display() -> str:
    """One sentence that says why no window can open and what to do; empty where one can."""
    if not sys.platform.startswith("linux"):
        return ""
    problems = [_problem(name) for name in _platforms()]
    if "" in problems:
        return ""
    reason = problems[0] if problems else "neither DISPLAY nor WAYLAND_DISPLAY is set"
    return f"There is no display here that a window could open on ({reason}). {_ADVICE}"


def _platforms() -> list[str]:
    """The platform plugins that Qt would try."""
    asked = os.environ.get("QT_QPA_PLATFORM", "")
    if asked:
        return [entry.partition(":")[0] for entry in asked.split(";") if entry]
    names = []
    if os.environ.get("WAYLAND_DISPLAY"):
        names.append("wayland")
    if os.environ.get("DISPLAY"):
        names.append("xcb")
    return names


def _problem(platform: str) -> str:
    """Why this platform cannot be used; empty where it can."""
    loading = _plugin_problem(platform)
    if loading:
        return loading
    if platform == "xcb":
        return _x11_problem()
    if platform.startswith("wayland"):
        return _wayland_problem()
    return ""


def _plugin_problem(platform: str) -> str:
    folder = _plugin_folder()
    if folder is None:
        return ""
    path = folder / f"libq{platform.removesuffix('-egl')}.so"
    if not path.exists():
        return f"Qt has no platform called {platform}; see QT_QPA_PLATFORM"
    if platform != "xcb" and not platform.startswith("wayland"):
        return ""
    try:
        ctypes.CDLL(str(path))
    except OSError as error:
        library = str(error).partition(":")[0]
        return f"the system library {library} is missing; install it with the system's package manager"
    return ""


def _plugin_folder() -> Path | None:
    """Where the wheel keeps Qt's platform plugins; `None` where Qt came another way."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "Qt" / "plugins" / "platforms"
    return folder if folder.is_dir() else None


def _x11_problem() -> str:
    name = os.environ.get("DISPLAY", "")
    if not name:
        return "DISPLAY is not set"
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return "the system library libxcb.so.1 is missing; install it with the system's package manager"
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    refused = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return f"the X server at DISPLAY={name} does not answer" if refused else ""


def _wayland_problem() -> str:
    name = os.environ.get("WAYLAND_DISPLAY", "wayland-0")
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "")) / name
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_CONNECT_TIMEOUT_S)
        try:
            probe.connect(str(path))
        except OSError:
            return f"the Wayland server at WAYLAND_DISPLAY={name} does not answer"
    return ""
