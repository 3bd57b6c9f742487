"""Between Partner and the page of one run: reads what there is of it, and keeps it up to date while it runs.

Contract: one page at a time; one reading at a time, begun again when more happens meanwhile.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from shiboken6 import isValid

from partner_desktop.desktop.operations.action_verbs import (
    ask_of_action,
    propose_action_again,
    stop_run,
)
from partner_desktop.desktop.panel.record.outcome import RecordOutcome
from partner_desktop.desktop.panel.record.page import RecordPage
from partner_desktop.desktop.panel.record.words import Run
from partner_desktop.desktop.window_context import Controller, WindowContext, alive
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    ActionEvent,
    ConversationGoneEvent,
    DecisionEvent,
    Event,
    ProgressEvent,
    ProposalEvent,
    ResultEvent,
    RunEvent,
)

if TYPE_CHECKING:
    from partner_desktop.app import Partner

#: Many things happen together; they are read together.
_SOON_MS = 100


class RecordController(Controller):
    """One window's."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._tab = self._window.panel.actions_tab
        self._page: RecordPage | None = None
        self._reading: asyncio.Task[None] | None = None
        self._soon = QTimer(self._window, interval=_SOON_MS, singleShot=True)
        self._soon.timeout.connect(self._read)

    @property
    def page(self) -> RecordPage | None:
        page = self._page
        return page if page is not None and isValid(page) and self._tab.page is page else None

    def open(self, record: ActionRecord) -> None:
        """Show a run in place of the list."""
        self._page = page = RecordPage(Run(record), self._window.theme, self._context.clock)
        page.closed.connect(self.close)
        page.asked.connect(self._ask)
        page.action_asked.connect(partial(ask_of_action, self._context))
        page.outcome_shown.connect(self._serve)
        for outcome in page.findChildren(RecordOutcome):
            self._serve(outcome)
        self._tab.show_page(page)
        if record.status is ActionStatus.RUNNING:
            for one in page.run.ids:
                self._tab.run_opened.emit(one)
        self._read()

    def close(self) -> None:
        """Back to the list, at the item that led here."""
        page, self._page = self.page, None
        if page is not None:
            self._tab.hide_page()
            self._tab.point_at(f"action/{page.run.record.id}")

    # What happens.

    def deliver(self, event: Event) -> None:
        page = self.page
        if page is None:
            return
        match event:
            case ActionEvent() | ProposalEvent() | RunEvent() | ResultEvent():
                self._note(page, event.action)
            case DecisionEvent() if page.shows(event.action_id):
                self._soon.start()
            case ProgressEvent() if page.shows(event.action_id):
                page.show_progress(event)
            case ConversationGoneEvent() if event.conversation_id == page.run.record.conversation_id:
                self.close()
            case _:
                pass

    def _note(self, page: RecordPage, record: ActionRecord) -> None:
        run = page.run
        if record.id == run.record.id:
            page.show_run(replace(run, record=record))
        elif record.parent_id == run.record.id:
            page.show_run(replace(run, steps={**run.steps, record.id: record}))
        else:
            return
        self._soon.start()  # what was decided stands in the log only

    # Reading.

    def _read(self) -> None:
        page = self.page
        if page is None:
            return
        if self._reading is not None and not self._reading.done():
            self._soon.start()
            return
        name = f"record {page.run.record.id}"
        self._reading = self._context.request(
            name, lambda partner: self._fill(partner, page), on_fault=page.head.show_problem
        )

    async def _fill(self, partner: Partner, page: RecordPage) -> None:
        record = page.run.record
        steps = await partner.actions.steps(record.id) if record.chain is not None else ()
        entries = [entry for one in page.run.ids for entry in await partner.actions.decisions(one)]
        if isValid(page):
            entries.sort(key=lambda entry: entry.position)
            page.show_run(Run(page.run.record, {one.id: one for one in steps}, tuple(entries)))

    def _serve(self, outcome: RecordOutcome) -> None:
        if outcome.parts is not None:
            self._context.pictures.serve(outcome.parts)

    # What the person asks for.

    def _ask(self, verb: str) -> None:
        page, context = self.page, self._context
        if page is None:
            return
        record, tell = page.run.record, alive(page, page.head.show_problem)
        if verb == "chat":
            context.navigation.show_action(record.id)
        elif verb == "cancel":
            stop_run.or_tell(tell)(context, record.id)
        else:
            propose_action_again.or_tell(tell)(context, record)
