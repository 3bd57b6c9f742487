"""The QApplication (its names, its font, its icon), and how it is told to end from outside.

SIGINT, SIGTERM and SIGHUP come as an ordinary call on the loop; a second one while it closes ends at once.
Python runs its signal handlers between two of its own instructions, and Qt's loop may not execute any for a
long time: a socket that the interpreter writes to wakes it.
"""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Self

from PySide6.QtCore import QLocale, QSocketNotifier
from PySide6.QtGui import QFont, QFontDatabase, QIcon
from PySide6.QtWidgets import QApplication

from partner_desktop.base import paths
from partner_desktop.desktop.accessible import install_accessibility
from partner_desktop.desktop.rows.row_access import install_rows


def build_application() -> QApplication:
    """The one QApplication of this process. It does not end with its last window: closing takes a moment."""
    app = QApplication(sys.argv[:1])
    app.setApplicationName("partner-desktop")
    app.setApplicationDisplayName("Partner")
    app.setDesktopFileName("partner-desktop")
    app.setQuitOnLastWindowClosed(False)
    prepare(app)
    return app


def prepare(app: QApplication) -> None:
    """Style, font and icon, the same in the app and in its tests."""
    app.setStyle("Fusion")
    install_accessibility()
    install_rows()
    load_fonts(app)
    icons = paths.shipped("resources") / "icons"
    icon = QIcon()
    for size in (64, 256):
        icon.addFile(str(icons / f"partner-{size}.png"))
    app.setWindowIcon(icon)


_FILES = ("Inter-Regular.ttf", "Inter-SemiBold.ttf")

#: The same character is drawn differently in each language; left alone, Linux would often draw the Japanese.
_CHINESE = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei")
_JAPANESE = ("Noto Sans CJK JP", "Noto Sans JP")
_KOREAN = ("Noto Sans CJK KR", "Noto Sans KR")


def load_fonts(app: QApplication) -> bool:
    """Make Inter the app's font; without it the system's stays. Returns whether Inter is there."""
    folder = paths.shipped("resources") / "fonts"
    loaded = [QFontDatabase.addApplicationFont(str(folder / name)) for name in _FILES]
    if -1 in loaded:
        return False
    font = QFont(["Inter", *_east_asian_families()])
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    app.setFont(font)
    return True


def _east_asian_families() -> tuple[str, ...]:
    language = QLocale.system().language()
    if language == QLocale.Language.Japanese:
        return _JAPANESE
    return _KOREAN if language == QLocale.Language.Korean else _CHINESE


#: As `commands.exit_signals`, whose imports no window waits for.
_WATCHED = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class ExitSignals:
    """Inside its `with`, the signals call `leave` instead of ending the process."""

    def __init__(self, leave: Callable[[], object]) -> None:
        self._leave = leave
        self._received_one = False

    def __enter__(self) -> Self:
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._old_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        heard = [
            number for number in _WATCHED if signal.getsignal(number) is not signal.SIG_IGN
        ]  # as by nohup
        self._old = {number: signal.signal(number, self._received) for number in heard}
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._drain)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._notifier.setEnabled(False)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._old_fd)
        self._reader.close()
        self._writer.close()

    def _received(self, number: int, _frame: FrameType | None) -> None:
        if self._received_one:
            from partner_desktop.commands.exit_signals import end_at_once  # noqa: PLC0415 - the last thing done

            end_at_once(number)
        self._received_one = True
        self._leave()

    def _drain(self) -> None:
        """Reading the byte is all: the handler itself has run by the time Python is here."""
        with suppress(BlockingIOError):
            self._reader.recv(64)
