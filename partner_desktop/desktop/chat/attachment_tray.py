"""What goes with the next message: files, folders, talks and small pictures over the composer's text, each
with its way out; and the chips that stand for them under a message that was sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.desktop.parts.boxes import FlowLayout, drop_widget, hbox
from partner_desktop.desktop.parts.controls import ElidedLabel, IconButton, push_button, text_label
from partner_desktop.desktop.theme.signs import SignName, sign_icon
from partner_desktop.desktop.theme.theme import Theme, set_look, zoomed
from partner_desktop.desktop.wording import bind_text, joined_words, set_tip, size_words, tr
from partner_desktop.domain.attachment import Attachment, AttachmentKind

#: Pixels of the longer side of a picture in the tray.
TRAY_SIDE_PX = 48
_NAME_PX = 180
_SIGN_PX = 16
_SIGNS: dict[AttachmentKind, SignName] = {
    AttachmentKind.FOLDER: "folder",
    AttachmentKind.TALK: "talk",
    AttachmentKind.PICTURE: "picture",
}


@dataclass(frozen=True)
class TrayItem:
    """Something that goes with the next message: a picture, a thing by its place, or both."""

    name: str
    picture: Path | None = None
    """What is sent of a picture; a file of its own where it was pasted or made smaller."""
    small: QImage | None = field(default=None, compare=False)
    """For the eye; null where this window cannot draw it."""
    attachment: Attachment | None = None
    """`None`: it lies nowhere yet."""


class AttachmentTray(QWidget):
    """`changed()` when one comes or goes; `settled(complete)` when all that were expected were looked at;
    `came_late(items, round)`: what was expected in a round that is over.
    """

    changed = Signal()
    settled = Signal(bool)
    came_late = Signal(object, int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._chips: list[tuple[TrayItem, QWidget]] = []
        self.expected = 0
        """Things that are still looked at."""
        self.round = 0
        self._complete = True
        self._row = FlowLayout(gap=8)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.setLayout(self._row)
        self.hide()

    @property
    def items(self) -> tuple[TrayItem, ...]:
        """What lies there, in order."""
        return tuple(item for item, _ in self._chips)

    @property
    def pictures(self) -> int:
        """How many of them are pictures."""
        return sum(item.picture is not None for item in self.items)

    def add(self, item: TrayItem) -> None:
        chip = self._chip(item)
        self._chips.append((item, chip))
        self._row.addWidget(chip)
        self._tell()

    def expect(self) -> int:
        """Something is looked at, and comes or does not; the round that it belongs to."""
        self.expected += 1
        return self.round

    def begin_round(self) -> None:
        """Another message is written: what is still looked at was for the one before."""
        self.round += 1
        self.expected, self._complete = 0, True

    def arrive(self, items: Sequence[TrayItem], in_round: int, *, complete: bool) -> bool:
        """What was expected was looked at, whatever came of it; false: the round is over, and it is told
        as late."""
        if in_round != self.round:
            if items:
                self.came_late.emit(tuple(items), in_round)
            return False
        there = {item.attachment for item in self.items if item.attachment is not None}
        for item in items:
            if item.attachment is None or item.attachment not in there:
                self.add(item)
        self._settle(complete=complete)
        return True

    def _settle(self, *, complete: bool) -> None:
        self.expected -= 1
        self._complete = self._complete and complete
        if not self.expected:
            complete, self._complete = self._complete, True
            self.settled.emit(complete)

    def take(self) -> tuple[TrayItem, ...]:
        """All of them, which go from here."""
        taken = self.items
        self.put(())
        return taken

    def put(self, items: Sequence[TrayItem]) -> None:
        """These in place of whatever lies there."""
        if not items and not self._chips:
            return
        for _, chip in self._chips:
            self._drop(chip)
        self._chips.clear()
        for item in items:
            self.add(item)
        self._tell()

    def _tell(self) -> None:
        self.setVisible(bool(self._chips))
        self.updateGeometry()
        self.changed.emit()

    def _chip(self, item: TrayItem) -> QWidget:
        chip = QFrame()
        set_look(chip, "chip")
        bind_text(chip, chip.setAccessibleName, lambda: _spoken(item))
        view = self._small(item.small) if item.small is not None else self._sign(item.attachment)
        name = ElidedLabel(item.name, "muted")
        name.setMaximumWidth(zoomed(_NAME_PX))
        if item.attachment is not None and item.attachment.path:
            set_tip(chip, display_path(Path(item.attachment.path)))
        size = text_label(lambda: _size(item.attachment), "muted", hidden=not _size(item.attachment))
        away = IconButton(self._theme, "close", lambda: _removal(item))
        away.clicked.connect(lambda: self._remove(chip))
        hbox(view, name, size, away, into=chip, gap=6, margins=(4, 4, 4, 4))
        return chip

    def _small(self, small: QImage) -> QLabel:
        view, side = QLabel(), zoomed(TRAY_SIDE_PX)
        if not small.isNull():
            aspect = Qt.AspectRatioMode.KeepAspectRatio
            smooth = Qt.TransformationMode.SmoothTransformation
            view.setPixmap(QPixmap.fromImage(small).scaled(QSize(side, side), aspect, smooth))
        return view

    def _sign(self, attachment: Attachment | None) -> QLabel:
        view = QLabel()

        def draw() -> None:
            kind = attachment.kind if attachment is not None else AttachmentKind.OTHER
            side = zoomed(_SIGN_PX)
            icon = sign_icon(_SIGNS.get(kind, "file"), self._theme.color("muted"), size_px=side)
            view.setPixmap(icon.pixmap(side, side))

        self._theme.changed.connect(draw)
        view.destroyed.connect(lambda: self._theme.changed.disconnect(draw))
        draw()
        return view

    def _remove(self, chip: QWidget) -> None:
        at = next(at for at, (_, each) in enumerate(self._chips) if each is chip)
        del self._chips[at]
        self._drop(chip)
        self._tell()

    def _drop(self, chip: QWidget) -> None:
        self._row.removeWidget(chip)
        drop_widget(chip)


def _spoken(item: TrayItem) -> str:
    if item.attachment is None or item.picture is not None:
        return tr("Picture {name}").format(name=item.name)
    return tr("Attached: {name}").format(name=item.name)


def _removal(item: TrayItem) -> str:
    if item.picture is not None:
        return tr("Remove the picture {name}").format(name=item.name)
    return tr("Remove {name} from the message").format(name=item.name)


def _size(attachment: Attachment | None) -> str:
    return size_words(attachment.size_bytes) if attachment is not None and attachment.size_bytes else ""


def attachment_chips(
    theme: Theme, attachments: Sequence[Attachment], opened: Callable[[Attachment], object]
) -> QWidget:
    """A button for each thing that a message came with; `opened` is called with the one that is pressed."""
    row, layout = QWidget(), FlowLayout(gap=6)
    layout.setContentsMargins(0, 0, 0, 0)
    row.setLayout(layout)
    for each in attachments:
        layout.addWidget(_message_chip(theme, each, opened))
    return row


def _message_chip(
    theme: Theme, attachment: Attachment, opened: Callable[[Attachment], object]
) -> QPushButton:
    def words() -> str:
        return joined_words(attachment.name, _size(attachment))

    chip = push_button(
        words,
        "file",
        name=lambda: tr("Open {name}").format(name=attachment.name),
        pressed=lambda: opened(attachment),
    )
    where = display_path(Path(attachment.path)) if attachment.path else ""
    set_tip(chip, lambda: where or tr("Opens this conversation"))

    def draw() -> None:
        side = zoomed(_SIGN_PX)
        chip.setIcon(sign_icon(_SIGNS.get(attachment.kind, "file"), theme.color("muted"), size_px=side))
        chip.setIconSize(QSize(side, side))

    theme.changed.connect(draw)
    chip.destroyed.connect(lambda: theme.changed.disconnect(draw))
    draw()
    return chip
