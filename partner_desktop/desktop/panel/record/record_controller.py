"""Between Partner and the page of one run: reads what there is of it, and keeps it up to date while it runs.

Contract: one page at a time; one reading at a time, begun again when more happens meanwhile. All work is of
the window's Work, and ends with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from shiboken6 import isValid

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.panel.record.outcome import RecordOutcome
from partner_desktop.desktop.panel.record.page import RecordPage
from partner_desktop.desktop.panel.record.words import Run
from partner_desktop.desktop.runs.card_controller import AftermathRequests
from partner_desktop.desktop.runs.pictures import Pictures
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.work import Controller, Work
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
    from partner_desktop.desktop.card.aftermath import Aftermath

#: Many things happen together; they are read together.
_SOON_MS = 100

Lead = Callable[[ActionRecord], None]


class RecordController(Controller):
    """`show` leads to an action's card, `show_end` to the end of its conversation."""

    def __init__(
        self, window: MainWindow, work: Work, pictures: Pictures, clock: Clock, *, show: Lead, show_end: Lead
    ) -> None:
        super().__init__(window, work)
        self._tab = window.panel.actions_tab
        self._pictures = pictures
        self._clock = clock
        self._show = show
        self._show_end = show_end
        self._page: RecordPage | None = None
        self._left: AftermathRequests | None = None
        self._reading: asyncio.Task[None] | None = None
        self._soon = QTimer(window, interval=_SOON_MS, singleShot=True)
        self._soon.timeout.connect(self._read)

    def _begin(self, partner: Partner) -> None:
        self._left = AftermathRequests(self._work, partner, self._left_by, self._tell_problem)

    def _left_by(self, action_id: str) -> Aftermath | None:
        return self.page.aftermath(action_id) if self.page is not None else None

    def ignore(self) -> None:
        """Take nothing more."""
        self._soon.stop()
        super().ignore()

    @property
    def page(self) -> RecordPage | None:
        """The page that is open."""
        page = self._page
        return page if page is not None and isValid(page) and self._tab.page is page else None

    def open(self, record: ActionRecord) -> None:
        """Show a run in place of the list."""
        self._page = page = RecordPage(Run(record), self._window.theme, self._clock)
        page.closed.connect(self.close)
        page.asked.connect(self._ask)
        if self._left is not None:
            page.undo_pressed.connect(self._left.undo)
            page.keep_pressed.connect(self._left.choose_folder)
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
        if page is None or self._partner is None:
            return
        if self._reading is not None and not self._reading.done():
            self._soon.start()
            return
        reading = self._fill(self._partner, page)
        name = f"record {page.run.record.id}"
        self._reading = self._work.begin(name, reading, on_fault=page.head.show_problem)

    async def _fill(self, partner: Partner, page: RecordPage) -> None:
        record = page.run.record
        steps = await partner.actions.steps(record.id) if record.chain is not None else ()
        entries = [entry for one in page.run.ids for entry in await partner.actions.decisions(one)]
        if isValid(page):
            entries.sort(key=lambda entry: entry.position)
            page.show_run(Run(page.run.record, {one.id: one for one in steps}, tuple(entries)))

    def _serve(self, outcome: RecordOutcome) -> None:
        if outcome.parts is not None:
            self._pictures.serve(outcome.parts)

    # What the person asks for.

    def _ask(self, verb: str) -> None:
        page = self.page
        if page is None or self._partner is None:
            return
        record = page.run.record
        if verb == "chat":
            self._show(record)
            return
        work = (
            self._partner.actions.cancel(record.id)
            if verb == "cancel"
            else self._again(self._partner, record)
        )
        self._work.start(f"{verb} {record.id}", work, on_fault=lambda told: self._tell_problem("", told))

    async def _again(self, partner: Partner, record: ActionRecord) -> None:
        """It is proposed anew where it was asked for: that is where it is decided on."""
        await partner.actions.run_again(record.id)
        self._show_end(record)

    def _tell_problem(self, action_id: str, sentence: str) -> None:
        page = self.page
        if page is not None:
            left = self._left_by(action_id) if action_id else None
            (left if left is not None else page.head).show_problem(sentence)
