"""The QApplication: its names, its font, its icon."""

from __future__ import annotations

import sys

from PySide6.QtCore import QLocale
from PySide6.QtGui import QFont, QFontDatabase, QIcon
from PySide6.QtWidgets import QApplication

from partner_desktop.base import paths


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
