"""Theme: light, dark or as the system says, and the zoom. One object owns what is applied."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QApplication, QWidget

from partner_desktop.desktop.theme.style import build_palette, build_stylesheet, mono_family
from partner_desktop.desktop.theme.tokens import DARK, LIGHT, Colors, Sizes

ZOOM_STEP = 0.1
ZOOM_LEAST = 0.7
ZOOM_MOST = 2.0


class ThemeChoice(StrEnum):
    """What the person chose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """Applies colours and sizes to the app and its windows. `changed()` comes after every change."""

    changed = Signal()
    _sheet_changed = Signal(str)

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._choice = ThemeChoice.SYSTEM
        self._zoom = 1.0
        self._applied: tuple[bool, float] | None = None
        self._sheet = ""
        app.styleHints().colorSchemeChanged.connect(self._system_changed)

    @property
    def choice(self) -> ThemeChoice:
        return self._choice

    @property
    def zoom(self) -> float:
        """1.0 is the size of the design."""
        return self._zoom

    @property
    def dark(self) -> bool:
        if self._choice is ThemeChoice.SYSTEM:
            return self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return self._choice is ThemeChoice.DARK

    @property
    def colors(self) -> Colors:
        return DARK if self.dark else LIGHT

    @property
    def sizes(self) -> Sizes:
        return Sizes().scaled(self._zoom)

    def color(self, name: str) -> QColor:
        """The colour of a token by its name."""
        return QColor(getattr(self.colors, name))

    def font(self, points: float, *, strong: bool = False) -> QFont:
        """The interface font; `points` from `sizes`."""
        font = QFont(self._app.font())
        font.setPointSizeF(points)
        font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
        return font

    def mono_font(self) -> QFont:
        """The font of code."""
        font = QFont(mono_family())
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setPointSizeF(self.sizes.mono)
        return font

    def choose(self, choice: ThemeChoice) -> None:
        """Follow the system, or hold one theme."""
        self._choice = choice
        self.apply()

    def zoom_by(self, steps: int) -> None:
        """Grow or shrink all text; 0 goes back to the design's size."""
        wanted = 1.0 if steps == 0 else self._zoom + steps * ZOOM_STEP
        self.set_zoom(wanted)

    def set_zoom(self, zoom: float) -> None:
        """Set the zoom, held between its limits."""
        self._zoom = round(min(max(zoom, ZOOM_LEAST), ZOOM_MOST), 2)
        self.apply()

    def restore(self, choice: ThemeChoice, zoom: float) -> None:
        """Set both at once, as they were kept."""
        self._choice = choice
        self.set_zoom(zoom)

    def apply(self) -> None:
        """Put the present choice on the app; nothing happens when it is there already."""
        wanted = (self.dark, self._zoom)
        if wanted == self._applied:
            return
        self._applied = wanted
        font = QFont(self._app.font())
        font.setPointSizeF(self.sizes.body)
        self._app.setFont(font)
        self._app.setPalette(build_palette(self.colors))
        self._sheet = build_stylesheet(self.colors, self.sizes, dark=self.dark)
        self._sheet_changed.emit(self._sheet)
        self.changed.emit()

    def dress(self, window: QWidget) -> None:
        """Give a window the stylesheet, now and after every change.

        The window has it, not the app: replacing an app's stylesheet costs three times as much.
        """
        window.setStyleSheet(self._sheet)
        self._sheet_changed.connect(window.setStyleSheet)

    def _system_changed(self) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self.apply()
