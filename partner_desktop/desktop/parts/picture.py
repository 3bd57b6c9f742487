"""A picture from a file that somebody else made: decoded within limits, never on the window's thread.

Contract: `read_picture` may take long and runs in a worker thread; it makes a QImage, no widget.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QImageReader, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from partner_desktop.desktop.parts.controls import pressed_by_enter
from partner_desktop.desktop.theme.theme import Theme, zoomed
from partner_desktop.desktop.wording import Words, say

MOST_BYTES = 20_000_000
MOST_PIXELS_A_SIDE = 8_000
#: Formats of pixels alone: a drawing in text can name other files.
_FORMATS = {b"png", b"jpeg", b"jpg", b"gif", b"webp", b"bmp"}
_ROOM = QSize(320, 200)
_SHARP = 2


class PictureError(Exception):
    """It cannot be shown, and why."""

    def __init__(self, why: Literal["large", "broken", "gone"]) -> None:
        super().__init__(why)
        self.why = why


def read_picture(path: Path) -> QImage:
    """The picture, made small.

    Raises:
        PictureError: It is too large, no picture of pixels, or not there.
    """
    try:
        size_bytes = path.stat().st_size
    except OSError as error:
        raise PictureError("gone") from error
    if size_bytes > MOST_BYTES:
        raise PictureError("large")
    reader = QImageReader(str(path))
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    size = reader.size()
    if not reader.canRead() or bytes(reader.format().data()) not in _FORMATS or not size.isValid():
        raise PictureError("broken")
    if max(size.width(), size.height()) > MOST_PIXELS_A_SIDE:
        raise PictureError("large")
    room = _ROOM * _SHARP
    if size.width() > room.width() or size.height() > room.height():
        reader.setScaledSize(size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1)))
    image = reader.read()
    if image.isNull():
        raise PictureError("broken")
    return image


class Picture(QAbstractButton):
    """A small picture; a press asks to open it."""

    def __init__(self, theme: Theme, name: Words) -> None:
        super().__init__()
        self._theme = theme
        self._image: QImage | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        say(self, self.setAccessibleName, name)
        theme.changed.connect(self.updateGeometry)

    def show_image(self, image: QImage) -> None:
        """What was decoded."""
        self._image = image
        self.updateGeometry()
        self.update()

    @property
    def shown(self) -> bool:
        """Whether it is there yet."""
        return self._image is not None

    def sizeHint(self) -> QSize:
        room = QSize(zoomed(_ROOM.width()), zoomed(_ROOM.height()))
        if self._image is None:
            return QSize(room.width(), room.height() // 2)
        size = self._image.size()
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        return size.expandedTo(QSize(8, 8))

    def minimumSizeHint(self) -> QSize:
        return QSize(8, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        theme = self._theme
        place = QRectF(self.rect())
        if self._image is not None and self._image.width() > 0:
            scale = min(place.width() / self._image.width(), place.height() / self._image.height())
            place.setSize(QSizeF(self._image.size()) * scale)
        shape = QPainterPath()
        shape.addRoundedRect(place.adjusted(1, 1, -1, -1), 8, 8)
        if self._image is None:
            painter.fillPath(shape, theme.color("code"))
        else:
            painter.save()
            painter.setClipPath(shape)
            painter.drawImage(place, self._image)
            painter.restore()
        color = theme.color("accent" if self.hasFocus() else "line")
        painter.setPen(QPen(color, 2 if self.hasFocus() else 1))
        painter.drawPath(shape)
        painter.end()
