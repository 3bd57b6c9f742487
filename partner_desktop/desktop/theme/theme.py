"""The named values of the look, and the theme: light, dark or as the system says, with the zoom.

Every text keeps 4.5 : 1 on every ground of `TEXT_PAIRS`; a test computes it. One object owns what is applied.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from functools import cache
from pathlib import Path
from string import Template
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from partner_desktop.base import paths

ZOOM_STEP = 0.1
ZOOM_LEAST = 0.7
ZOOM_MOST = 2.0


class Colors(NamedTuple):
    """One theme's colours, as `#RRGGBB`."""

    background: str
    surface: str
    """Cards and inputs."""
    raised: str
    """The panel and plain buttons."""
    line: str
    ink: str
    muted: str
    own_message: str
    accent: str
    on_accent: str
    accent_hover: str
    accent_soft: str
    """The ground of what is selected."""
    good: str
    good_soft: str
    careful: str
    careful_soft: str
    bad: str
    bad_soft: str
    code: str
    """The ground of code."""
    hover: str
    """The ground of a plain control under the pointer."""
    inline_code: str
    """The ground of code within a sentence."""
    code_keyword: str
    code_string: str
    code_number: str
    code_name: str
    code_type: str


LIGHT = Colors(
    background="#F6F5F2",
    surface="#FFFFFF",
    raised="#FBFAF8",
    line="#E4E1DA",
    ink="#1F2328",
    muted="#666A71",
    own_message="#E9EFF4",
    accent="#2F6F9F",
    on_accent="#FFFFFF",
    accent_hover="#285F88",
    accent_soft="#E6F0F7",
    good="#2A7554",
    good_soft="#E4F3EC",
    careful="#9A5A0E",
    careful_soft="#FBF0DD",
    bad="#B3403A",
    bad_soft="#FAE7E5",
    code="#F3F1EC",
    hover="#EFEDE8",
    inline_code="#EFEDE8",
    code_keyword="#8A3A8C",
    code_string="#2C6E49",
    code_number="#96500F",
    code_name="#245F96",
    code_type="#12666E",
)

DARK = Colors(
    background="#17191C",
    surface="#1E2125",
    raised="#23272C",
    line="#32373E",
    ink="#E7E9EC",
    muted="#9AA1AA",
    own_message="#27323B",
    accent="#6DB3E2",
    on_accent="#0E1A22",
    accent_hover="#86C1E9",
    accent_soft="#1F3342",
    good="#6CC79E",
    good_soft="#1B3329",
    careful="#E2AE62",
    careful_soft="#372A16",
    bad="#EE8A83",
    bad_soft="#3A2120",
    code="#191B1E",
    hover="#2A2F35",
    inline_code="#262A30",
    code_keyword="#D39BE2",
    code_string="#8CCB9B",
    code_number="#E2AE62",
    code_name="#82B9EC",
    code_type="#6FC7C9",
)

_GROUNDS = ("background", "surface", "raised", "code", "own_message", "accent_soft", "hover")

#: Every text colour with every ground it is written on.
TEXT_PAIRS: tuple[tuple[str, str], ...] = (
    *(("ink", ground) for ground in _GROUNDS),
    *(("muted", ground) for ground in _GROUNDS),
    *(("accent", ground) for ground in ("background", "surface", "raised", "code", "accent_soft")),
    *(("bad", ground) for ground in ("background", "surface", "raised", "hover", "bad_soft")),
    *(("good", ground) for ground in ("background", "surface", "raised", "good_soft")),
    *(("careful", ground) for ground in ("background", "surface", "raised", "careful_soft")),
    *(("ink", ground) for ground in ("careful_soft", "bad_soft", "good_soft")),
    *((ink, "inline_code") for ink in ("ink", "muted", "accent")),
    *((f"code_{kind}", "code") for kind in ("keyword", "string", "number", "name", "type")),
    *((ink, "code") for ink in ("good", "bad")),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
)


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
        dark, zoom = self._applied or (None, None)
        self._applied = wanted
        # Each goes through all widgets that there are: what stays the same is not set again.
        if zoom != self._zoom:
            font = QFont(self._app.font())
            font.setPointSizeF(self.sizes.body)
            self._app.setFont(font)
        if dark != self.dark:
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


#: What the stylesheet draws in pixels and should grow with the text.
_BOXES = {"box": 16, "arrow": 12, "drop": 24}

_SHEET = Path(__file__).with_name("window.qss")


def zoomed(pixels: int) -> int:
    """A distance that grows with the text: widths of columns and forms, heights of heads, signs."""
    points = QGuiApplication.font().pointSizeF()
    return round(pixels * points / Sizes().body)


@cache
def mono_family() -> str:
    """The system's monospace family; asked for once, every run of code in a reply wants it."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()


def build_stylesheet(colors: Colors, sizes: Sizes, *, dark: bool) -> str:
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
    return Template(_SHEET.read_text(encoding="utf-8")).substitute(names)


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
