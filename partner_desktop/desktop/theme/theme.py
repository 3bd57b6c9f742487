"""The theme: light, dark or as the system says, its contrast, its motion and the zoom.

One object owns what is applied.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from functools import cache
from pathlib import Path
from string import Template
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from partner_desktop.base import paths
from partner_desktop.desktop.theme.colors import DARK, HIGH_DARK, HIGH_LIGHT, LIGHT, Colors
from partner_desktop.desktop.theme.stylesheet import StyleSheet

ZOOM_STEP = 0.1
ZOOM_LEAST = 0.7
ZOOM_MOST = 2.0


class Space(IntEnum):
    """Distances in pixels."""

    XS = 4
    S = 8
    M = 12
    L = 16
    XL = 24
    XXL = 32


class Radius(IntEnum):
    """Corner radii in pixels."""

    CONTROL = 8
    ITEM = 10
    CARD = 12
    BUBBLE = 14


class Sizes(NamedTuple):
    """Type sizes in points, so that they zoom and follow the screen's resolution."""

    head: float = 8.25
    small: float = 9.0
    mono: float = 9.5
    body: float = 10.5
    title: float = 12.5
    welcome: float = 17.0

    def scaled(self, factor: float) -> Sizes:
        """The same sizes under a zoom factor."""
        return self if factor == 1.0 else Sizes(*(points * factor for points in self))


SIDEBAR_WIDTH = 232
PANEL_WIDTH = 328
HEADER_HEIGHT = 48
#: The text column is never wider.
COLUMN_WIDTH = 760
#: Below this width of the window, the panel folds away.
PANEL_FOLDS_BELOW = 1000
#: Below this width, the conversation list folds away too.
SIDEBAR_FOLDS_BELOW = 720


class ThemeChoice(StrEnum):
    """What the person chose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class NeedChoice(StrEnum):
    """Whether something is as the system asks for it, or always, or never."""

    SYSTEM = "system"
    ON = "on"
    OFF = "off"

    def holds(self, *, asked: bool) -> bool:
        """`asked`: the system does."""
        return asked if self is NeedChoice.SYSTEM else self is NeedChoice.ON


#: The app's property that says that nothing moves, for what has no theme at hand.
STILL = "still"
#: What a caret blinks with again, after it stood still, where nothing else is known.
_FLASH_MS = 1_000
_EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
)


class Theme(QObject):
    """Applies colours and sizes to the app and its windows. `changed()` comes after every change."""

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._choice = ThemeChoice.SYSTEM
        self._zoom = 1.0
        self._contrast = self._motion = NeedChoice.SYSTEM
        self._asked_still = False
        self._flash_ms = app.cursorFlashTime() or _FLASH_MS
        self._applied: tuple[object, ...] | None = None
        self.sheet = StyleSheet(app)
        """Of the windows."""
        self._hints = app.styleHints()
        self._needs = (
            self._hints.accessibility()
        )  # both are held: the wrapper of one asked for later dies with it
        self._hints.colorSchemeChanged.connect(self._system_changed)
        self._needs.contrastPreferenceChanged.connect(self.apply)

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
            return self._hints.colorScheme() is Qt.ColorScheme.Dark
        return self._choice is ThemeChoice.DARK

    @property
    def contrast_choice(self) -> NeedChoice:
        return self._contrast

    @property
    def high_contrast(self) -> bool:
        """Whether lines and words stand out more than usual."""
        preference = self._needs.contrastPreference()
        return self._contrast.holds(asked=preference is Qt.ContrastPreference.HighContrast)

    @property
    def motion_choice(self) -> NeedChoice:
        return self._motion

    @property
    def still(self) -> bool:
        duration = self._app.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration)
        return self._motion.holds(asked=self._asked_still or duration == 0)

    @property
    def colors(self) -> Colors:
        if self.high_contrast:
            return HIGH_DARK if self.dark else HIGH_LIGHT
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

    def choose_contrast(self, choice: NeedChoice) -> None:
        """High contrast as the system asks for it, always, or never."""
        self._contrast = choice
        self.apply()

    def choose_motion(self, choice: NeedChoice) -> None:
        """Reduced motion as the system asks for it, always, or never."""
        self._motion = choice
        self.apply()

    def ask_still(self, *, still: bool) -> None:
        """The desktop asks for reduced motion, or no more."""
        self._asked_still = still
        self.apply()

    def restore(
        self,
        choice: ThemeChoice,
        zoom: float,
        *,
        contrast: NeedChoice = NeedChoice.SYSTEM,
        motion: NeedChoice = NeedChoice.SYSTEM,
    ) -> None:
        """Set all at once, as they were kept."""
        self._choice, self._contrast, self._motion = choice, contrast, motion
        self.set_zoom(zoom)

    def apply(self) -> None:
        """Put the present choice on the app; nothing happens when it is there already."""
        wanted = (self.dark, self._zoom, self.high_contrast, self.still)
        before, self._applied = self._applied, wanted
        if wanted == before:
            return
        self._apply_motion()
        if before is not None and wanted[:-1] == before[:-1]:
            self.changed.emit()
            return
        # Each goes through all widgets that there are: what stays the same is not set again.
        if before is None or before[1] != self._zoom:
            font = QFont(self._app.font())
            font.setPointSizeF(self.sizes.body)
            self._app.setFont(font)
        if before is None or (before[0], before[2]) != (self.dark, self.high_contrast):
            self._app.setPalette(build_palette(self.colors))
        text = build_stylesheet(self.colors, self.sizes, dark=self.dark, high_contrast=self.high_contrast)
        self.changed.emit()
        self.sheet.replace(text, sizes=before is None or wanted[1:3] != before[1:3])

    def _apply_motion(self) -> None:
        """What Qt itself moves; our own widgets ask `still`."""
        still = self.still
        self._app.setProperty(STILL, still)
        self._app.setCursorFlashTime(0 if still else self._flash_ms)
        for effect in _EFFECTS:
            self._app.setEffectEnabled(effect, not still)

    def _system_changed(self) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self.apply()


#: What the stylesheet draws in pixels and should grow with the text.
_BOXES = {"box": 16, "arrow": 12, "drop": 24}

_SHEET = Path(__file__).with_name("window.qss")
#: What stands below it with high contrast.
_CONTRAST_SHEET = Path(__file__).with_name("contrast.qss")


def zoomed(pixels: int) -> int:
    """A distance that grows with the text: widths of columns and forms, heights of heads, signs."""
    points = QGuiApplication.font().pointSizeF()
    return round(pixels * points / Sizes().body)


@cache
def mono_family() -> str:
    """The system's monospace family; asked for once, every run of code in a reply wants it."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()


def build_stylesheet(colors: Colors, sizes: Sizes, *, dark: bool, high_contrast: bool = False) -> str:
    """The stylesheet of the whole app for one theme and zoom."""
    icons = paths.shipped("resources") / "icons"
    names = colors._asdict()
    names |= {name: f"{points:.2f}pt" for name, points in sizes._asdict().items()}
    names["small_button"] = f"{(sizes.small + sizes.body) / 2:.2f}pt"
    for name, pixels in _BOXES.items():
        names[name] = f"{round(pixels * sizes.body / Sizes().body)}px"
    names["mono_family"] = mono_family()
    names["check"] = (icons / ("check-dark.svg" if dark else "check-light.svg")).as_posix()
    names["chevron"] = (icons / ("chevron-dark.svg" if dark else "chevron-light.svg")).as_posix()
    sheets = (_SHEET, _CONTRAST_SHEET) if high_contrast else (_SHEET,)
    return Template("\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)).substitute(names)


def build_palette(colors: Colors) -> QPalette:
    """The palette for what the stylesheet does not paint: plain text, selections, links."""
    palette = QPalette()
    role = QPalette.ColorRole
    for target, value in (
        (role.Window, colors.background),
        (role.WindowText, colors.ink),
        (role.Base, colors.surface),
        (role.AlternateBase, colors.raised),
        (role.Text, colors.ink),
        (role.Button, colors.raised),
        (role.ButtonText, colors.ink),
        (role.BrightText, colors.bad),
        (role.PlaceholderText, colors.muted),
        (role.Highlight, colors.accent),
        (role.HighlightedText, colors.on_accent),
        (role.Link, colors.accent),
        (role.LinkVisited, colors.accent),
        (role.ToolTipBase, colors.raised),
        (role.ToolTipText, colors.ink),
        (role.Light, colors.raised),
        (role.Midlight, colors.raised),
        (role.Mid, colors.line),
        (role.Dark, colors.line),
        (role.Shadow, colors.line),
        (role.Accent, colors.accent),
    ):
        palette.setColor(target, QColor(value))
    for target in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, QColor(colors.muted))
    return palette


def set_look(widget: QWidget, look: str, *, name: str = "look") -> None:
    """Give a widget one of the stylesheet's looks; a change shows at once."""
    if widget.property(name) == look:
        return
    widget.setProperty(name, look)
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        widget.style().unpolish(widget)
        widget.style().polish(widget)
