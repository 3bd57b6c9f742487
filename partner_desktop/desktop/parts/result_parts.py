"""What came with a result beside its text: pictures small, everything else as a line that says what it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QVBoxLayout, QWidget

from partner_desktop.desktop.opener import is_document, open_document, open_folder
from partner_desktop.desktop.parts.amounts import size_words
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.flow import FlowLayout
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.picture import Picture
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.action import ResultPart

#: A server may send thousands; nobody looks at so many, and they would hold the window.
_MOST = 24
_MOST_ADDRESS = 1_200


class PictureView(QWidget):
    """A place for it at first, then the picture, or a line that says why there is none."""

    def __init__(self, part: ResultPart, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("clear")
        self.part = part
        title = part.title or PurePath(part.path).name
        self.picture = Picture(theme, lambda: tr("Open the picture {name}").format(name=title))
        self.picture.clicked.connect(lambda: open_document(part.path))
        self.problem = text_label("", "muted", wrap=True)
        self.problem.hide()
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        column.addWidget(self.picture)
        if part.title:
            column.addWidget(text_label(part.title, "muted", wrap=True))
        column.addWidget(self.problem)

    def show_image(self, image: QImage) -> None:
        """It was decoded."""
        self.picture.show_image(image)

    def show_problem(self, why: str) -> None:
        """It cannot be shown; the file may still be of use."""
        name = PurePath(self.part.path).name
        words = {
            "large": tr("The picture {name} is too large to be shown here ({size})."),
            "gone": tr("The picture {name} is not there any more."),
        }.get(why, tr("The picture {name} is broken, or of a kind that is not shown here."))
        self.problem.setText(words.format(name=name, size=size_words(self.part.size_bytes)))
        self.problem.show()
        self.picture.hide()
        if why != "gone":
            self._column.addWidget(_folder_button(self.part), 0, Qt.AlignmentFlag.AlignLeft)


class ResultPartsView(QWidget):
    """`picture_wanted(path, view)` for each picture; `link_pressed(address)`."""

    picture_wanted = Signal(str, object)
    link_pressed = Signal(str)

    def __init__(self, parts: Sequence[ResultPart], theme: Theme) -> None:
        super().__init__()
        self.setObjectName("clear")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
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
        box.setObjectName("clear")
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        name = part.title or PurePath(part.path).name or kind_words(part)
        column.addWidget(text_label(name, "strong", wrap=True, selectable=True))
        column.addWidget(text_label(lambda: _facts(part), "muted", wrap=True))
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
    return " · ".join(each for each in (kind_words(part), part.mime, size) if each)


def _folder_button(part: ResultPart) -> QWidget:
    name = part.title or PurePath(part.path).name
    button = push_button(
        lambda: tr("Show in folder"), "small", name=lambda: tr("Show in folder: {name}").format(name=name)
    )
    button.clicked.connect(lambda: open_folder(Path(part.path).parent))
    return button
