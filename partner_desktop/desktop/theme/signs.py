"""The few small signs of the window, drawn as strokes on a 16 × 16 grid in any colour."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, TypeAlias

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap

SignName: TypeAlias = Literal[
    "plus",
    "close",
    "more",
    "chevron_down",
    "chevron_up",
    "chevron_left",
    "chevron_right",
    "arrow_down",
    "left_column",
    "right_column",
    "sun",
    "moon",
    "system",
    "reset",
    "remembered",
    "not_remembered",
    "file",
    "folder",
    "picture",
    "talk",
]

_RIBBON = ((4.5, 3), (11.5, 3), (11.5, 13), (8, 10), (4.5, 13), (4.5, 3))
_STROKES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "plus": (((8, 3), (8, 13)), ((3, 8), (13, 8))),
    "close": (((4, 4), (12, 12)), ((12, 4), (4, 12))),
    "chevron_down": (((4, 6), (8, 10), (12, 6)),),
    "chevron_up": (((4, 10), (8, 6), (12, 10)),),
    "chevron_left": (((10, 4), (6, 8), (10, 12)),),
    "chevron_right": (((6, 4), (10, 8), (6, 12)),),
    "remembered": (_RIBBON,),
    "not_remembered": (_RIBBON, ((2.5, 2.5), (13.5, 13.5))),
    "arrow_down": (((8, 3), (8, 13)), ((4, 9), (8, 13), (12, 9))),
    "file": (
        ((4, 2.5), (9, 2.5), (12, 5.5), (12, 13.5), (4, 13.5), (4, 2.5)),
        ((9, 2.5), (9, 5.5), (12, 5.5)),
    ),
    "folder": (((2.5, 4), (6.5, 4), (8, 5.5), (13.5, 5.5), (13.5, 12.5), (2.5, 12.5), (2.5, 4)),),
    "picture": (
        ((2.5, 3.5), (13.5, 3.5), (13.5, 12.5), (2.5, 12.5), (2.5, 3.5)),
        ((3.5, 11.5), (6.5, 7.5), (9, 10.5), (10.5, 9), (13, 11.5)),
    ),
    "talk": (
        ((2.5, 3.5), (13.5, 3.5), (13.5, 10.5), (7.5, 10.5), (5, 13), (5, 10.5), (2.5, 10.5), (2.5, 3.5)),
    ),
}


def _sun(path: QPainterPath) -> None:
    path.addEllipse(QPointF(8, 8), 2.8, 2.8)
    for step in range(8):
        turn = step * math.pi / 4
        path.moveTo(8 + 4.9 * math.cos(turn), 8 + 4.9 * math.sin(turn))
        path.lineTo(8 + 6.6 * math.cos(turn), 8 + 6.6 * math.sin(turn))


def _moon(path: QPainterPath) -> None:
    path.moveTo(13.2, 9.6)
    path.cubicTo(11.9, 10.3, 9.6, 10.2, 7.9, 8.4)
    path.cubicTo(6.1, 6.6, 5.9, 4.2, 6.7, 2.8)
    path.cubicTo(4.1, 3.4, 2.3, 5.8, 2.7, 8.6)
    path.cubicTo(3.1, 11.5, 5.7, 13.6, 8.6, 13.3)
    path.cubicTo(10.8, 13.1, 12.6, 11.7, 13.2, 9.6)


def _system(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(2, 3, 12, 8), 1.5, 1.5)
    path.moveTo(6, 13.5)
    path.lineTo(10, 13.5)


def _reset(path: QPainterPath) -> None:
    """Most of a circle against the clock, and its arrow head."""
    path.arcMoveTo(QRectF(3.2, 3.2, 9.6, 9.6), 140)
    path.arcTo(QRectF(3.2, 3.2, 9.6, 9.6), 140, -290)
    path.moveTo(4, 2)
    path.lineTo(4.2, 5.2)
    path.lineTo(7.4, 5)


def _more(path: QPainterPath) -> None:
    for x in (3.5, 8, 12.5):
        path.addEllipse(QPointF(x, 8), 0.9, 0.9)


def _column(path: QPainterPath, x: float) -> None:
    path.addRoundedRect(QRectF(2, 3, 12, 10), 2, 2)
    path.moveTo(x, 3)
    path.lineTo(x, 13)


def sign_path(name: SignName) -> QPainterPath:
    """The strokes of a sign."""
    path = QPainterPath()
    for stroke in _STROKES.get(name, ()):
        path.moveTo(*stroke[0])
        for point in stroke[1:]:
            path.lineTo(*point)
    if name == "sun":
        _sun(path)
    elif name == "moon":
        _moon(path)
    elif name == "reset":
        _reset(path)
    elif name == "more":
        _more(path)
    elif name == "system":
        _system(path)
    elif name in ("left_column", "right_column"):
        _column(path, 6.5 if name == "left_column" else 9.5)
    return path


def sign_icon(name: SignName, color: QColor, *, size_px: int = 16, disabled: QColor | None = None) -> QIcon:
    """A sign as an icon, sharp on screens of one, two and three pixels a point.

    `disabled`: its colour while what bears it cannot be used; the style's own paling if nothing is said.
    """
    return QIcon(_drawn_icon(name, color.rgba(), size_px, None if disabled is None else disabled.rgba()))


@lru_cache(maxsize=256)
def _drawn_icon(name: SignName, color: int, size_px: int, disabled: int | None) -> QIcon:
    """Drawn once: a window shows the same few signs again and again, and asks anew at each change of size."""
    icon = QIcon()
    for ratio in (1, 2, 3):
        icon.addPixmap(_drawn_sign(name, color, size_px, ratio))
        if disabled is not None:
            icon.addPixmap(_drawn_sign(name, disabled, size_px, ratio), QIcon.Mode.Disabled)
    return icon


def _drawn_sign(name: SignName, color: int, size_px: int, ratio: int) -> QPixmap:
    pixmap = QPixmap(size_px * ratio, size_px * ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size_px * ratio / 16, size_px * ratio / 16)
    ink = QColor.fromRgba(color)
    painter.setPen(QPen(ink, 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.drawPath(sign_path(name))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
