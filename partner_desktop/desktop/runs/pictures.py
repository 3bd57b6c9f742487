"""Pictures of results, decoded in a worker thread, and what is pressed beside them.

Contract: each picture is one task of the window's Work; a view that went meanwhile is left alone.
"""

from __future__ import annotations

import asyncio
from pathlib import Path, PurePath

from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication
from shiboken6 import isValid

from partner_desktop.desktop.chat.page import ChatPage
from partner_desktop.desktop.opener import LINKS, breakable, open_folder, open_link, wire_form
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.result_parts import (
    PictureError,
    PictureView,
    ResultPartsView,
    read_picture,
)
from partner_desktop.desktop.wording import tr
from partner_desktop.desktop.work import Work

#: Decoded at the same time; each holds its picture in full for a moment.
_AT_ONCE = 2


class Pictures:
    """Serves every ResultPartsView that it is shown."""

    def __init__(self, page: ChatPage, work: Work) -> None:
        self._page = page
        self._work = work
        self._turn = asyncio.Semaphore(_AT_ONCE)

    def serve(self, parts: ResultPartsView) -> None:
        """Fill its pictures in, and ask about its links."""
        parts.picture_wanted.connect(self._begin)
        parts.link_pressed.connect(lambda address: ask_about_link(self._page, address))
        parts.ask_for_pictures()

    def _begin(self, path: str, view: PictureView) -> None:
        self._work.start(f"picture {path}", self._load(Path(path), view))

    async def _load(self, path: Path, view: PictureView) -> None:
        async with self._turn:
            if not isValid(view):
                return
            try:
                image = await asyncio.to_thread(read_picture, path)
            except PictureError as error:
                if isValid(view):
                    view.show_problem(error.why)
                return
        if isValid(view):
            view.show_image(image)


def ask_about_link(page: ChatPage, address: str) -> Banner:
    """Ask over the composer whether to open `address`; what cannot be opened can be copied.

    The address is shown as it goes over the wire, in ASCII: a letter that looks like another, or a sign that
    turns the writing around, cannot pass for something else. A file is never opened, because opening can
    mean running it: its folder is.
    """
    url = QUrl(address)
    wire = wire_form(url, address)
    banner = Banner(lambda: _question(url), lambda: breakable(wire))
    if url.isValid() and url.scheme().lower() in LINKS:
        banner.add_choice(lambda: tr("Open"), lambda: open_link(url), look="primary")
    elif url.isLocalFile() and not url.host():
        folder = PurePath(url.toLocalFile()).parent
        banner.add_choice(lambda: tr("Show its folder"), lambda: open_folder(folder), look="primary")
    banner.add_choice(lambda: tr("Copy"), lambda: QGuiApplication.clipboard().setText(wire))
    banner.add_choice(lambda: tr("Cancel"), None)
    page.add_banner(banner)
    return banner


def _question(url: QUrl) -> str:
    """With the place it leads to: in a long address, that is what gets lost."""
    host = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
    if host and url.scheme().lower() in ("http", "https"):
        return tr("Open a link to {host}?").format(host=host)
    return tr("Open this link?")
