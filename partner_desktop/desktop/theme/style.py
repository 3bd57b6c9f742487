"""Builds the one stylesheet and the palette from tokens."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QWidget

from partner_desktop.base import paths
from partner_desktop.desktop.theme.tokens import Colors, Sizes

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
