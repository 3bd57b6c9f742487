"""What came with a result beside its text: pictures small, everything else as a line that says what it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Literal

from PySide6.QtCore import QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QImageReader, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from partner_desktop.desktop.opener import is_document, open_document, open_folder
from partner_desktop.desktop.parts.boxes import FlowLayout, vbox
from partner_desktop.desktop.parts.controls import pressed_by_enter, push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import Space, Theme, zoomed
from partner_desktop.desktop.wording import LazyText, bind_text, joined_words, size_words, tr
from partner_desktop.domain.action import ResultPart

#: A server may send thousands; nobody looks at so many, and they would hold the window.
_MOST = 24
_MOST_ADDRESS = 1_200


class PictureView(QWidget):
    """A place for it at first, then the picture, or a line that says why there is none."""

    def __init__(self, part: ResultPart, theme: Theme) -> None:
        super().__init__()
        self.part = part
        title = part.title or PurePath(part.path).name
        self.picture = Picture(theme, lambda: tr("Open the picture {name}").format(name=title))
        self.picture.clicked.connect(lambda: open_document(part.path))
        self.problem = text_label("", "muted", wrap=True, hidden=True)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        column.addWidget(self.picture)
        if part.title:
            column.addWidget(text_label(part.title, "muted", wrap=True))
        column.addWidget(self.problem)

    def show_image(self, image: QImage) -> None:
        self.picture.show_image(image)

    def show_problem(self, why: str) -> None:
        """It cannot be shown; the file may still be of use."""
        name = PurePath(self.part.path).name
        words = {
            "large": tr("The picture {name} is too large to be shown here ({size})."),
            "gone": tr("The picture {name} is not there any more."),
        }.get(why, tr("The picture {name} is broken, or of a kind that is not shown here."))
        show_words(self.problem, words.format(name=name, size=size_words(self.part.size_bytes)))
        self.picture.hide()
        if why != "gone":
            self._column.addWidget(_folder_button(self.part), 0, Qt.AlignmentFlag.AlignLeft)


class ResultPartsView(QWidget):
    """`picture_wanted(path, view)` for each picture; `link_pressed(address)`."""

    picture_wanted = Signal(str, object)
    link_pressed = Signal(str)

    def __init__(self, parts: Sequence[ResultPart], theme: Theme) -> None:
        super().__init__()
        column = vbox(into=self, gap=Space.S)
        self.pictures: list[PictureView] = []
        for part in parts[:_MOST]:
            column.addWidget(self._view(part, theme))
        more = len(parts) - _MOST
        if more > 0:
            column.addWidget(text_label(lambda: tr("and {count} more").format(count=more), "muted"))

    def ask_for_pictures(self) -> None:
        """Once somebody listens."""
        for view in self.pictures:
            self.picture_wanted.emit(view.part.path, view)

    def _view(self, part: ResultPart, theme: Theme) -> QWidget:
        if part.kind == "image" and part.path:
            view = PictureView(part, theme)
            self.pictures.append(view)
            return view
        return self._line(part)

    def _line(self, part: ResultPart) -> QWidget:
        box = QWidget()
        name = part.title or PurePath(part.path).name or kind_words(part)
        column = vbox(
            text_label(name, "strong", wrap=True, selectable=True),
            text_label(lambda: _facts(part), "muted", wrap=True),
            into=box,
            gap=2,
        )
        if part.uri:
            address = part.uri[:_MOST_ADDRESS] + ("…" if len(part.uri) > _MOST_ADDRESS else "")
            column.addWidget(text_label(address, "mono", wrap=True, selectable=True))
        row = FlowLayout(gap=6)
        if part.path and is_document(part.path):
            button = push_button(
                lambda: tr("Open"), "small", name=lambda: tr("Open {name}").format(name=name)
            )
            button.clicked.connect(lambda: open_document(part.path))
            row.addWidget(button)
        if part.path:
            row.addWidget(_folder_button(part))
        if part.kind == "link" and part.uri:
            link = push_button(
                lambda: tr("Open…"), "small", name=lambda: tr("Open {name}").format(name=part.uri)
            )
            link.clicked.connect(lambda: self.link_pressed.emit(part.uri))
            row.addWidget(link)
        column.addLayout(row)
        return box


def kind_words(part: ResultPart) -> str:
    """What it is."""
    return {
        "image": tr("picture"),
        "audio": tr("sound"),
        "link": tr("link"),
        "resource": tr("resource"),
        "file": tr("file"),
    }[part.kind]


def _facts(part: ResultPart) -> str:
    size = size_words(part.size_bytes) if part.size_bytes else ""
    return joined_words(kind_words(part), part.mime, size)


def _folder_button(part: ResultPart) -> QWidget:
    name = part.title or PurePath(part.path).name
    button = push_button(
        lambda: tr("Show in folder"), "small", name=lambda: tr("Show in folder: {name}").format(name=name)
    )
    button.clicked.connect(lambda: open_folder(Path(part.path).parent))
    return button


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
    """The picture of a file that somebody else made, made small: it may take long, in a worker thread.

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

    def __init__(self, theme: Theme, name: LazyText) -> None:
        super().__init__()
        self._theme = theme
        self._image: QImage | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        bind_text(self, self.setAccessibleName, name)

    def show_image(self, image: QImage) -> None:
        self._image = image
        self.updateGeometry()
        self.update()

    @property
    def shown(self) -> bool:
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
