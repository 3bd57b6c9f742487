"""Pictures of results, decoded in a worker thread, and what is pressed beside them.

Contract: each picture is one task of the window's Work; a view that went meanwhile is left alone.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from shiboken6 import isValid

from partner_desktop.desktop.chat.page import ChatPage
from partner_desktop.desktop.links import ask_about_link
from partner_desktop.desktop.parts.picture import PictureError, read_picture
from partner_desktop.desktop.parts.result_parts import PictureView, ResultPartsView
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
