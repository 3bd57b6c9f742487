"""The life of the window: shown first, then Partner and the desktop's wish for stillness, then one way out.

Contract: `run` returns the exit code when the window was closed, by whatever means; everything it started
has ended by then, or was given up on after its time and logged. Whatever breaks meanwhile, in a callback of
Qt, on the loop, in a thread, is shown on the crash card, whether Partner is there or not.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import importlib
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication

from partner_desktop.base import log
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.paths import Home
from partner_desktop.desktop.desktop_bus import BusService, NoDesktopServiceError, desktop_bus
from partner_desktop.desktop.session.session import Session
from partner_desktop.desktop.startup_report import StartupReport
from partner_desktop.desktop.window import MainWindow
from partner_desktop.runtime.reports import ReportStore
from partner_desktop.runtime.time_limit import bounded
from partner_desktop.runtime.unhandled_errors import UnhandledErrors

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.domain.window_request import WindowRequest

_log = log.area("window")

#: Seconds that the window's own tasks are given to end.
CLOSE_TIMEOUT_S = 8.0
#: Seconds that Partner is given to close: each of its parts has a limit of its own, and few ever need it.
PARTNER_TIMEOUT_S = 30.0

#: With a report asked for, the process is given this long to come to rest before its size is taken.
_REPORT_AFTER_S = 1.0

#: Builds the app; awaited after the first paint, so that nothing heavy is imported before.
BuildPartner: TypeAlias = Callable[[], Awaitable["Partner"]]


class Lifecycle:
    """One window from its first picture to its end."""

    def __init__(
        self,
        window: MainWindow,
        build: BuildPartner,
        *,
        report: StartupReport | None = None,
        home: Home | None = None,
        request: WindowRequest | None = None,
    ) -> None:
        self._window = window
        self._request = request
        self._build = build
        self._session = Session(window)
        self._leaving = asyncio.Event()
        self._painted = asyncio.Event()
        self._partner: Partner | None = None
        self._failed = False
        self._report = report
        self._home = home
        self._shelf = ReportStore(home.reports) if home is not None else None
        if self._shelf is not None:
            window.notices.keep = lambda text, kind, shelf=self._shelf: shelf.keep(text, kind=kind)
        self._net = UnhandledErrors(self._broke_anywhere)
        window.closing.connect(self._leaving.set)
        window.first_painted.connect(self._painted.set)
        if window.painted:
            self._painted.set()
        if window.closed:
            self._leaving.set()

    async def run(self) -> int:
        """Live until the window is closed; 0, or 1 when Partner could not start."""
        garbage = GarbageCollector()
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._broke_in_loop)
        try:
            with self._net:
                self._session.work.start("launch", self._launch(), on_fault=self._fail)
                await self._leaving.wait()
                await self._end()
        finally:
            garbage.close()
        return 1 if self._failed else 0

    async def _launch(self) -> None:
        await self._painted.wait()
        await warm_up()
        if self._request is not None and self._request.quick:
            self._session.show_request(self._request)  # what is asked there waits
        theme = self._window.theme
        self._session.work.start("motion", follow_motion(lambda still: theme.ask_still(still=still)))
        try:
            self._partner = await self._build()
            self._partner.on_raise(self._session.show_request)
            self._partner.use_clipboard(WindowClipboard())
            if self._home is not None:  # the home is this process's now
                await asyncio.to_thread(self._net.watch_for_crashes, self._home.fatal_file)
            await self._partner.launch()
            await self._session.attach(self._partner)
            if self._request is not None and not self._request.quick:
                self._session.show_request(self._request)
            GarbageCollector.started_up()
            await self._finish_report()
        except PartnerError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the window says so and stays
            _log.error("Partner could not be launched", exc_info=error)
            self._window.notices.unexpected(error, "the launch")
            self._fail(f"{type(error).__name__}: {error}")

    async def _finish_report(self) -> None:
        report = self._report
        if report is None:
            return
        if report.quits:
            await asyncio.sleep(_REPORT_AFTER_S)
        report.ready()
        if report.quits:
            self._window.quit()

    def _fail(self, sentence: str) -> None:
        """The window stays and says why; what was typed goes back into the composer."""
        self._failed = True
        self._session.outbox.return_all()
        self._session.give_back_quick(sentence)
        self._session.status.failed()
        self._window.page.show_fault(sentence)
        if not self._window.isVisible():  # it began hidden, and nobody would know
            self._window.raise_to_front()

    async def _end(self) -> None:
        """The window first, then Partner; neither may hold the exit for long."""
        self._window.hide()
        clock = SystemClock()
        for name, closing, limit_s in (
            ("the window", self._session.close, CLOSE_TIMEOUT_S),
            ("Partner", self._close_partner, PARTNER_TIMEOUT_S),
            ("the reports", self._close_shelf, CLOSE_TIMEOUT_S),
        ):
            await bounded(name, closing, limit_s=limit_s, clock=clock)

    async def _close_partner(self) -> None:
        if self._partner is not None:
            await self._partner.close()

    async def _close_shelf(self) -> None:
        if self._shelf is not None:
            await self._shelf.close()

    def _broke_anywhere(self, error: BaseException, where: str) -> None:
        """An exception in a callback of Qt, in a thread, or in an object's clean-up: shown on this thread."""
        if isinstance(error, KeyboardInterrupt):
            self._loop.call_soon_threadsafe(self._window.quit)
            return
        _log.error("an exception in %s", where, exc_info=error)
        if threading.current_thread() is threading.main_thread():
            self._window.notices.unexpected(error, where)
        else:
            self._loop.call_soon_threadsafe(self._window.notices.unexpected, error, where)

    def _broke_in_loop(self, _loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        error, message = context.get("exception"), str(context.get("message", "the loop"))
        _log.error("%s", message, exc_info=error if isinstance(error, BaseException) else None)
        if isinstance(error, BaseException):
            self._window.notices.unexpected(error, message)


#: Leaves first, so that no single step takes long.
_MODULES = (
    "partner_desktop.desktop.panel.schedules.schedule_facts",
    "partner_desktop.desktop.panel.abilities.ability_rows",
    "partner_desktop.desktop.panel.actions.listed_actions",
)


async def warm_up() -> None:
    """Import what the panel shows from the beginning, with the loop free in between."""
    for name in _MODULES:
        importlib.import_module(name)
        await asyncio.sleep(0)


class WindowClipboard:
    """`ClipboardPort` of the action package. Called on the loop, which is the window's thread."""

    def read(self) -> str | None:
        """The text on the clipboard; `None` where there is none."""
        mime = QGuiApplication.clipboard().mimeData()
        return mime.text() if mime.hasText() else None

    def write(self, text: str) -> None:
        """Put a text there, in place of what it holds."""
        QGuiApplication.clipboard().setText(text)


_INTERVAL_MS = 1_000
#: A round over everything holds the loop for a tenth of a second and more. What needs one can wait so long,
#: and then until the window has had little to do for a while; at the latest it comes after the second time.
_FULL_ROUND_S, _LATEST_S = 300.0, 3_600.0
#: Little: so many seconds of each of so many intervals, all of them looked at on time.
_QUIET_S, _QUIET_INTERVALS, _ON_TIME_S = 0.05, 5, 1.2


def _give_back() -> None:
    """What start-up asked of the C library and freed again goes back to the system (malloc_trim(3))."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(ctypes.c_size_t(0))


class GarbageCollector(QObject):
    """Collects on the window's own thread while it lives; `close` gives the job back to Python.

    Python collects cycles on whatever thread happens to allocate. A Qt object in such a cycle would then be
    destroyed off the window's thread, on the database's or a run's, and take the process down. So the
    automatic collection is switched off while the window lives, and done here by the same thresholds.
    """

    def __init__(
        self, now: Callable[[], float] = time.monotonic, spent: Callable[[], float] = time.thread_time
    ) -> None:
        super().__init__()
        self._now, self._spent = now, spent
        self._was_enabled = gc.isenabled()
        self._full_round_at_s = now()
        self._looked_s, self._spent_s, self._quiet = now(), spent(), 0
        """How long the window's thread has computed, and for how many intervals hardly."""
        gc.disable()
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._collect_due)
        self._timer.start()

    @staticmethod
    def started_up() -> None:
        """What start-up made stays for good: leave it out of later rounds, which keeps them short.

        Without a round before it, which would hold the loop; the little that start-up dropped stays too.
        """
        gc.freeze()
        _give_back()

    def _collect_due(self) -> None:
        """The oldest generation that is due takes the younger ones along."""
        before_s, self._spent_s = self._spent_s, self._spent()
        last_s, self._looked_s = self._looked_s, self._now()
        # On time, too: who gets little of a busy machine has not little to do.
        idle = self._spent_s - before_s < _QUIET_S and self._looked_s - last_s < _ON_TIME_S
        self._quiet = self._quiet + 1 if idle else 0
        waited_s = self._now() - self._full_round_at_s
        if waited_s > (_FULL_ROUND_S if self._quiet >= _QUIET_INTERVALS else _LATEST_S):
            gc.collect()
            self._full_round_at_s = self._now()
            return
        for generation in (1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                gc.collect(generation)
                return

    def close(self) -> None:
        self._timer.stop()
        if self._was_enabled:
            gc.enable()


_SETTINGS = BusService(
    "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings"
)
_APPEARANCE, _GNOME = "org.freedesktop.appearance", "org.gnome.desktop.interface"
#: What says it, the portal's own key first, and which value asks for it.
_ASKS: dict[tuple[str, str], object] = {
    (_APPEARANCE, "reduced-motion"): 1,
    (_GNOME, "enable-animations"): False,
}


async def follow_motion(tell: Callable[[bool], object]) -> None:
    """Tell whether the desktop asks for reduced motion, now and whenever that changes.

    Returns where there is no portal.
    """
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return
    try:
        await _follow(tell)
    except NoDesktopServiceError:
        return  # a desktop that cannot be asked asks for nothing


async def _follow(tell: Callable[[bool], object]) -> None:
    async with desktop_bus() as bus, bus.signals(_SETTINGS.interface, _SETTINGS.path) as signals:
        (found,) = await bus.call(_SETTINGS, "ReadAll", "as", ([_APPEARANCE, _GNOME],))
        known = {(space, key): value for space, keys in found.items() for key, value in keys.items()}
        tell(_asks(known))
        while True:
            changed = await signals.next()
            if changed.member != "SettingChanged":
                continue
            space, key, value = changed.body
            if (space, key) in _ASKS:
                known[space, key] = value
                tell(_asks(known))


def _asks(known: Mapping[tuple[str, str], tuple[str, object]]) -> bool:
    """Variants come as a pair of their signature and their value."""
    return any(name in known and known[name][1] == asks for name, asks in _ASKS.items())
