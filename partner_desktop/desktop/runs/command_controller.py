"""Commands in the background: kept live in the panel, read by offset on their page, ended on request.

Contract: one task reads for the page in view, and ends with it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from shiboken6 import isValid

from partner_desktop.desktop.window_context import Controller, WindowContext, alive
from partner_desktop.domain.command_session import CommandSession, Stream

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.panel.actions.session_views import SessionPage

#: A page begins with so much of the end.
_TAIL_BYTES = 65_536
_PIECE_BYTES = 16_384


class CommandController(Controller):
    """Knows the page that is open, and how far it has read."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._tab = self._window.panel.actions_tab
        self._page: SessionPage | None = None
        self._offset = 0
        self._reading: asyncio.Task[None] | None = None
        self._more = False
        self._tab.session_chosen.connect(self._open)
        self._tab.session_cancel_pressed.connect(self._cancel)
        self._store.commands.changed.connect(self._show)

    def _show(self, ids: tuple[str, ...], gone: tuple[str, ...]) -> None:
        """Some began, printed, ended, or are listed no more."""
        for session_id in gone:
            self._tab.drop_session(session_id)
        page = self._page
        for session in self._store.commands.those(ids):
            self._tab.show_session(session)
            if page is not None and isValid(page) and page.session.id == session.id:
                page.show_session(session)
                self._read(page)

    def _open(self, session: CommandSession) -> None:
        from partner_desktop.desktop.panel.actions.session_views import SessionPage  # noqa: PLC0415 - with the first

        page = SessionPage(session, self._window.theme)
        page.closed.connect(lambda: self._close(page))
        page.cancel_pressed.connect(self._cancel)
        page.stream_chosen.connect(lambda _stream: self._follow(page))
        self._page = page
        self._tab.show_page(page)
        self._follow(page)

    def _close(self, page: SessionPage) -> None:
        self._end_reading()
        if self._page is page:
            self._page = None
        self._tab.hide_page()

    def _follow(self, page: SessionPage) -> None:
        """Read the end of the stream that is chosen, and follow it."""
        self._end_reading()
        printed = page.session.stdout_bytes if page.stream == "stdout" else page.session.stderr_bytes
        self._offset = max(0, printed - _TAIL_BYTES)
        page.start_over(skipped_bytes=self._offset)
        self._read(page)

    def _read(self, page: SessionPage) -> None:
        self._more = True
        if self._reading is None or self._reading.done():
            stream = page.stream
            self._reading = self._context.request(
                f"read {page.session.id}",
                lambda partner: self._read_on(partner, page, stream),
                on_fault=page.show_problem,
            )

    async def _read_on(self, partner: Partner, page: SessionPage, stream: Stream) -> None:
        """Until there is nothing more for now; what is told of meanwhile is read too."""
        while isValid(page) and self._page is page:
            self._more = False
            piece = await partner.commands.output(
                page.session.id, stream, offset=self._offset, limit=_PIECE_BYTES
            )
            if not isValid(page):
                return
            page.add(piece.text, skipped_bytes=piece.lost_bytes)
            grew = piece.next_offset > self._offset
            self._offset = piece.next_offset
            if piece.eof or not (grew or self._more):
                return

    def _end_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _cancel(self, session_id: str) -> None:
        page = self._page
        self._request(
            f"cancel {session_id}",
            lambda partner: partner.commands.cancel(session_id),
            on_fault=alive(page, page.show_problem) if page is not None else None,
        )
