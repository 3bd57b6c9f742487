"""ShownPictures: pictures that the person shows: chosen, pasted or dropped, then sent, then in the chat.

Contract: what is large is made smaller in a worker thread, so that a model gets no more pixels than it looks
at; the files of that lie in a folder of this window's own, which goes with it. Core keeps copies of its own.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import display_path
from partner_desktop.desktop.chat.attachment_tray import TRAY_SIDE_PX, TrayItem
from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.parts.result_parts import ResultPartsView
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.action import ResultPart
from partner_desktop.runtime.attachment_store import described_path
from partner_desktop.runtime.conversations.picture_files import MOST_PICTURES, picture_bytes

if TYPE_CHECKING:
    from partner_desktop.app import Partner

#: Pixels of the longer side, beyond which models look at no more.
LONGEST_SIDE_PX = 1_568
_ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif"})
_SHARP = 2


class ShownPictures(Controller):
    """Fills the composer's tray with pictures, and makes the view of those that messages came with."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._tray = self._window.page.composer.tray
        self._folder: Path | None = None
        self._window.page.composer.edit.image_pasted.connect(self._paste)

    def take_files(self, files: Sequence[Path]) -> list[Path]:
        """Put those of some files that are pictures into the tray; the others."""
        pictures = [file for file in files if file.suffix.lower() in _ENDINGS and file.is_file()]
        for file in pictures:
            self._add(file.name, file)
        return [file for file in files if file not in pictures]

    def close(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _paste(self, image: QImage) -> None:
        self._add(tr("Pasted picture"), image)

    def _add(self, name: str, source: Path | QImage) -> None:
        if self._tray.pictures + self._tray.expected >= MOST_PICTURES:
            text = tr("A message carries at most {count} pictures.").format(count=MOST_PICTURES)
            self._context.notices.fault(text)
            return
        self._context.work.start(f"show {name}", self._prepare(name, source, self._tray.expect()))

    async def _prepare(self, name: str, source: Path | QImage, in_round: int) -> None:
        pictures: tuple[TrayItem, ...] = ()
        try:
            pictures = (await asyncio.to_thread(self._prepared, name, source),)
        finally:
            taken = self._tray.arrive(pictures, in_round, complete=bool(pictures))
        if taken:
            self._window.page.composer.edit.setFocus()

    def _prepared(self, name: str, source: Path | QImage) -> TrayItem:
        """Blocking.

        Raises:
            UsageError: It is none, or too large.
        """
        if isinstance(source, QImage):
            image = fitted(source, LONGEST_SIDE_PX)
            return TrayItem(name, self._saved(image, name, "png"), _small(image))
        ending = picture_bytes(source)[1]
        place = described_path(source)
        reader = QImageReader(str(source))
        reader.setDecideFormatFromContent(True)
        reader.setAutoTransform(True)
        size = reader.size()
        fits = max(size.width(), size.height()) <= LONGEST_SIDE_PX
        if fits and ending != "webp":  # which models in files do not read, nor do all servers
            return TrayItem(name, source, _small(reader.read()), place)
        if not fits:
            reader.setScaledSize(_within(size, LONGEST_SIDE_PX))
        image = reader.read()
        if image.isNull():
            raise UsageError("message.picture_broken", path=display_path(source))
        saved = self._saved(image, source.stem, "jpg" if ending == "jpg" else "png")
        return TrayItem(name, saved, _small(image), place)

    def _saved(self, image: QImage, stem: str, ending: str) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="partner-shown-"))
        folder = self._folder / new_id()
        folder.mkdir()
        path = folder / f"{stem.replace('/', '_')[:60]}.{ending}"
        if not image.save(str(path)):
            raise UsageError("message.picture_broken", path=display_path(path))
        return path

    def view_of(self, bubble: Bubble) -> ResultPartsView | None:
        """The pictures that a message came with, which are filled in as they are read; `None`: none."""
        partner = self._store.partner
        if partner is None or not bubble.pictures:
            return None
        view = ResultPartsView([_part(partner, *each) for each in bubble.pictures], self._window.theme)
        self._context.pictures.serve(view)
        return view


def _part(partner: Partner, file: str, name: str, mime: str, size_bytes: int) -> ResultPart:
    path = partner.home.pictures / Path(file).name
    return ResultPart("image", title=name, mime=mime, path=str(path), size_bytes=size_bytes)


def fitted(image: QImage, side_px: int) -> QImage:
    """The picture, made smaller where it is larger."""
    if max(image.width(), image.height()) <= side_px:
        return image
    smooth = Qt.TransformationMode.SmoothTransformation
    return image.scaled(_within(image.size(), side_px), Qt.AspectRatioMode.IgnoreAspectRatio, smooth)


def _within(size: QSize, side_px: int) -> QSize:
    return size.scaled(QSize(side_px, side_px), Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))


def small_picture(path: Path) -> QImage:
    """A picture as the tray shows it; null where it cannot be drawn. Blocking."""
    reader = QImageReader(str(path))
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    if reader.size().isValid():
        reader.setScaledSize(_within(reader.size(), TRAY_SIDE_PX * _SHARP))
    return reader.read()


def _small(image: QImage) -> QImage:
    return image if image.isNull() else fitted(image, TRAY_SIDE_PX * _SHARP)
