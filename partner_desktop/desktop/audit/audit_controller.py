"""Between Partner and the audit log's page: pages come as they are looked at, what happens comes on top.

Where the log is to be written, the system's own dialog asks, and nothing waits for it.

Contract: there may be no Partner yet. One reading at a time: another question ends the one that is under
way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.audit.page import AuditPage
from partner_desktop.desktop.parts.file_dialogs import ask_where
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.audit import AuditEntry, AuditQuery
from partner_desktop.domain.events import (
    DecisionEvent,
    Event,
    PermissionsEvent,
    ProposalEvent,
    ResultEvent,
    RunEvent,
)

if TYPE_CHECKING:
    from partner_desktop.app import Partner

PAGE = 100
#: Many things happen together; they are looked at together.
_SOON_MS = 150
_WRITTEN_DOWN = (DecisionEvent, ProposalEvent, RunEvent, ResultEvent, PermissionsEvent)


class AuditController(Controller):
    """One window's view of the log."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._query = AuditQuery()
        self._reading: asyncio.Task[None] | None = None
        self.page = page = AuditPage(self._window.theme)
        self._soon = QTimer(page, interval=_SOON_MS, singleShot=True)
        self._soon.timeout.connect(self._look_for_news)
        page.closed.connect(self.toggle)
        page.permissions_wanted.connect(self._window.permissions_wanted)
        page.asked.connect(self._ask)
        page.more_wanted.connect(self._read_more)
        page.export_wanted.connect(lambda: ask_for_audit_file(self._window, self.export))

    def _begin(self, partner: Partner) -> None:
        self._ask()

    def toggle(self) -> None:
        """Show the page, or go back from it."""
        page = self.page
        if self._window.toggle_aside(page, regions=page.regions):
            self._ask()
            page.filters.search.setFocus()

    def export(self, path: Path) -> None:
        """Write what is looked for; the system's dialog has asked before it lets a file be replaced."""
        self._request(
            "export the log", lambda partner: self._export(partner, path), on_fault=self.page.show_fault
        )

    async def _export(self, partner: Partner, path: Path) -> None:
        count = await partner.audit.export(self.page.filters.query(), path, force=True)
        words = lambda: (  # noqa: E731 - words of a language
            tr("Wrote 1 entry to {path}.") if count == 1 else tr("Wrote {count} entries to {path}.")
        ).format(count=f"{count:,}", path=display_path(path))
        self._context.tell(words, about=f"export {path}")

    def deliver(self, event: Event) -> None:
        if isinstance(event, _WRITTEN_DOWN) and self.page.isVisible():
            self._soon.start()

    # Reading.

    def _ask(self) -> None:
        """From the top, by what is looked for now."""
        self._query = self.page.filters.query()
        self._read(self._first)

    def _read_more(self) -> None:
        self._read(self._older)

    def _look_for_news(self) -> None:
        if self._reading is None or self._reading.done():
            self._read(self._newer)
        else:
            self._soon.start()

    def _read(self, how: Callable[[Partner], Coroutine[Any, Any, None]]) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._reading = self._context.request("audit log", how, on_fault=self.page.show_fault)

    async def _first(self, partner: Partner) -> None:
        self.page.filters.show_words(await partner.audit.words())
        entries = await partner.audit.page(self._query, limit=PAGE)
        self._show(entries)

    def _show(self, entries: Sequence[AuditEntry]) -> None:
        known = self._store.abilities.values()
        titles = {one.key: one.info.told.title for one in known if one.info is not None}
        self.page.show_titles(titles)
        self.page.show_entries(entries, more=len(entries) == PAGE)

    async def _older(self, partner: Partner) -> None:
        last = self.page.entries[-1].position if self.page.entries else None
        entries = await partner.audit.page(self._query, before=last, limit=PAGE)
        self.page.add_older(entries, more=len(entries) == PAGE)

    async def _newer(self, partner: Partner) -> None:
        entries = await partner.audit.page(self._query, limit=PAGE)
        top = self.page.entries[0].position if self.page.entries else 0
        news = [entry for entry in entries if entry.position > top]
        if not self.page.entries or len(news) == PAGE:
            self._show(entries)
        else:
            self.page.add_newer(news)


_NAME = "partner-audit"


def ask_for_audit_file(window: QWidget, chosen: Callable[[Path], None]) -> QFileDialog:
    """Ask for a file to write; its ending is that of the form that was chosen."""
    endings = {
        tr("JSON lines (*.jsonl)"): "jsonl",
        tr("Table for a spreadsheet (*.csv)"): "csv",
        tr("JSON (*.json)"): "json",
    }
    return ask_where(window, tr("Export the audit log"), chosen, endings=endings, name=_NAME)
