"""What is shown with the next message: small pictures over the composer's text, each with its way out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.parts.boxes import FlowLayout, drop_widget, hbox
from partner_desktop.desktop.parts.controls import ElidedLabel, IconButton
from partner_desktop.desktop.theme.theme import Theme, set_look, zoomed
from partner_desktop.desktop.wording import bind_text, tr

#: Pixels of the longer side of a picture in the tray.
TRAY_SIDE_PX = 48
_NAME_PX = 140


@dataclass(frozen=True)
class ChosenPicture:
    """A picture that goes with the next message."""

    name: str
    path: Path
    """What is sent; a file of its own where it was pasted or made smaller."""
    small: QImage
    """For the eye; null where this window cannot draw it."""


class PictureTray(QWidget):
    """`changed()` when one comes or goes; `settled(complete)` when all that were expected were looked at."""

    changed = Signal()
    settled = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._chips: list[tuple[ChosenPicture, QWidget]] = []
        self.expected = 0
        """Pictures that are still looked at."""
        self._complete = True
        self._row = FlowLayout(gap=8)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.setLayout(self._row)
        self.hide()

    @property
    def pictures(self) -> tuple[ChosenPicture, ...]:
        """What lies there, in order."""
        return tuple(picture for picture, _ in self._chips)

    def add(self, picture: ChosenPicture) -> None:
        """One more."""
        chip = self._chip(picture)
        self._chips.append((picture, chip))
        self._row.addWidget(chip)
        self._tell()

    def expect(self) -> None:
        """One is looked at, and comes or does not."""
        self.expected += 1

    def arrive(self, picture: ChosenPicture | None) -> None:
        """What was expected; `None`: it proved to be none."""
        self.expected -= 1
        self._complete = self._complete and picture is not None
        if picture is not None:
            self.add(picture)
        if not self.expected:
            complete, self._complete = self._complete, True
            self.settled.emit(complete)

    def take(self) -> tuple[ChosenPicture, ...]:
        """All of them, which go from here."""
        taken = self.pictures
        self.put(())
        return taken

    def put(self, pictures: Sequence[ChosenPicture]) -> None:
        """These in place of whatever lies there."""
        if not pictures and not self._chips:
            return
        for _, chip in self._chips:
            self._drop(chip)
        self._chips.clear()
        for picture in pictures:
            self.add(picture)
        self._tell()

    def _tell(self) -> None:
        self.setVisible(bool(self._chips))
        self.updateGeometry()
        self.changed.emit()

    def _chip(self, picture: ChosenPicture) -> QWidget:
        chip = QFrame()
        set_look(chip, "chip")
        bind_text(chip, chip.setAccessibleName, lambda: tr("Picture {name}").format(name=picture.name))
        view = QLabel()
        side = zoomed(TRAY_SIDE_PX)
        if not picture.small.isNull():
            aspect = Qt.AspectRatioMode.KeepAspectRatio
            smooth = Qt.TransformationMode.SmoothTransformation
            view.setPixmap(QPixmap.fromImage(picture.small).scaled(QSize(side, side), aspect, smooth))
        name = ElidedLabel(picture.name, "muted")
        name.setMaximumWidth(zoomed(_NAME_PX))
        away = IconButton(
            self._theme, "close", lambda: tr("Remove the picture {name}").format(name=picture.name)
        )
        away.clicked.connect(lambda: self._remove(chip))
        hbox(view, name, away, into=chip, gap=6, margins=(4, 4, 4, 4))
        return chip

    def _remove(self, chip: QWidget) -> None:
        self._chips = [each for each in self._chips if each[1] is not chip]
        self._drop(chip)
        self._tell()

    def _drop(self, chip: QWidget) -> None:
        self._row.removeWidget(chip)
        drop_widget(chip)
