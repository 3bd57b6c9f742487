"""Widgets beside and below each other: a box is said in one call, as it will look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

#: The same on all sides, or left, top, right and bottom; `None`: as the style has them.
Margins: TypeAlias = int | tuple[int, int, int, int] | None

_Box = TypeVar("_Box", bound=QBoxLayout)
_FILLS = Qt.AlignmentFlag(0)


@dataclass(frozen=True)
class Placed:
    """An item with its share of the room that is left, and its side; `None`: only the room."""

    item: QWidget | QLayout | None
    factor: int = 0
    side: Qt.AlignmentFlag = _FILLS


#: A number is so many pixels of air.
BoxItem: TypeAlias = QWidget | QLayout | Placed | int


def vbox(
    *items: BoxItem, into: QWidget | None = None, gap: int | None = 0, margins: Margins = 0
) -> QVBoxLayout:
    """Items below each other, as the layout of `into`; `gap` is between two, `None`: as the style has it."""
    return _filled(QVBoxLayout() if into is None else QVBoxLayout(into), items, gap, margins)


def hbox(
    *items: BoxItem, into: QWidget | None = None, gap: int | None = 0, margins: Margins = 0
) -> QHBoxLayout:
    """Items beside each other."""
    return _filled(QHBoxLayout() if into is None else QHBoxLayout(into), items, gap, margins)


def grow(item: QWidget | QLayout, factor: int = 1) -> Placed:
    """It takes the room that is left."""
    return Placed(item, factor)


def stretch(factor: int = 0) -> Placed:
    """Nothing takes the room that is left."""
    return Placed(None, factor)


def aligned(item: QWidget, side: Qt.AlignmentFlag, factor: int = 0) -> Placed:
    """It keeps its size, at a side of its room."""
    return Placed(item, factor, side)


def at_left(item: QWidget) -> Placed:
    """It keeps its size, at the left."""
    return Placed(item, 0, Qt.AlignmentFlag.AlignLeft)


def at_middle(item: QWidget) -> Placed:
    """It keeps its height, half way down."""
    return Placed(item, 0, Qt.AlignmentFlag.AlignVCenter)


def scrolled(inner: QWidget) -> QScrollArea:
    """What is as wide as its place and may be higher; Tab goes to what is in it."""
    inner.setObjectName("clear")  # it has no ground of its own
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inner)
    return area


def discard(widget: QWidget) -> None:
    """Take it away for good: out of view at once, deleted when nothing uses it any more."""
    widget.hide()
    widget.deleteLater()


def _filled(box: _Box, items: tuple[BoxItem, ...], gap: int | None, margins: Margins) -> _Box:
    if gap is not None:
        box.setSpacing(gap)
    if margins is not None:
        box.setContentsMargins(*(margins if isinstance(margins, tuple) else (margins,) * 4))
    for item in items:
        if isinstance(item, int):
            box.addSpacing(item)
            continue
        placed = item if isinstance(item, Placed) else Placed(item)
        match placed.item:
            case QWidget():
                box.addWidget(placed.item, placed.factor, placed.side)
            case QLayout():
                box.addLayout(placed.item, placed.factor)
            case None:
                box.addStretch(placed.factor)
    return box
