"""Between Partner and what the window shows of schedules: the list, their pages and forms, and cards of them.

Contract: one page at a time.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from shiboken6 import isValid

from partner_desktop.base.errors import UsageError
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.operations.schedule_verbs import (
    pause_all_schedules,
    pause_schedule,
    resume_schedule,
    run_schedule,
    skip_schedule,
)
from partner_desktop.desktop.panel.schedules.listed_schedules import LISTED_SCHEDULES
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.events import ConfigEvent, Event, SchedulesEvent
from partner_desktop.domain.schedule import Schedule, Terms
from partner_desktop.domain.schedule_text import when_in_words

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.card.terms_view import TermsView
    from partner_desktop.desktop.panel.schedules.schedule_form import ScheduleForm
    from partner_desktop.desktop.panel.schedules.schedule_page import SchedulePage


class ScheduleController(Controller):
    """One window's."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._clock = context.clock
        self._tab = self._window.panel.actions_tab
        self._planned = self._tab.planned
        self._page: SchedulePage | None = None
        self._planned.chosen.connect(self.open)
        self._planned.asked.connect(self._ask)
        self._planned.pause_pressed.connect(partial(pause_all_schedules, context))
        self._planned.wanted.connect(self._look_for)
        self._window.page.feed.card_added.connect(lambda _id, card: self._adopt(card))

    # What there is.

    def _begin(self, partner: Partner) -> None:
        self._say_paused()
        self._look_for([])

    def _look_for(self, words: list[str]) -> None:
        self._request("schedules", lambda partner: self._list(partner, words))

    async def _list(self, partner: Partner, words: list[str]) -> None:
        found = await partner.schedules.list(words=words, limit=LISTED_SCHEDULES)
        count = len(found)
        if count == LISTED_SCHEDULES:
            count = await partner.schedules.count(words=words)
        self._tab.show_planned(found, count, words)
        self._bring_up_to_date(tuple(found), ())

    def deliver(self, event: Event) -> None:
        match event:
            case SchedulesEvent():
                self._tab.change_planned(event.changed, event.removed)
                self._bring_up_to_date(event.changed, event.removed)
            case ConfigEvent():
                self._say_paused()
            case _:
                pass

    def _bring_up_to_date(self, changed: tuple[Schedule, ...], removed: tuple[str, ...]) -> None:
        """The page and the cards that show any of them."""
        page = self.page
        now = next((each for each in changed if page is not None and each.id == page.schedule.id), None)
        if page is not None and now is not None:
            page.show_schedule(now, all_paused=self._planned.all_paused)
            self._read(page)
        elif page is not None and page.schedule.id in removed:
            self.close()
        for card in self._window.page.feed.cards:
            self._place(card)

    def _say_paused(self) -> None:
        self._planned.show_paused(all_paused=self._store.all_paused)
        if self.page is not None:
            self.page.show_schedule(self.page.schedule, all_paused=self._planned.all_paused)

    # One of them.

    @property
    def page(self) -> SchedulePage | None:
        page = self._page
        return page if page is not None and isValid(page) and self._tab.page is page else None

    def open(self, schedule: Schedule) -> None:
        """Show it in place of the list."""
        from partner_desktop.desktop.panel.schedules.schedule_page import SchedulePage  # noqa: PLC0415 - seldom looked at

        self._page = page = SchedulePage(schedule, self._window.theme, self._clock.now)
        page.show_schedule(schedule, all_paused=self._planned.all_paused)
        page.closed.connect(self.close)
        page.asked.connect(lambda verb: self._ask(verb, page.schedule))
        page.firing_chosen.connect(self._show_firing)
        self._tab.show_page(page)
        self._read(page)

    def open_by_id(self, schedule_id: str) -> None:
        """The page of one that is planned still; of what is over, its card is all there is."""
        self._window.show_tab(0)
        schedule = self._planned.schedule(schedule_id)
        if schedule is not None:
            self.open(schedule)
        elif self._planned.has_more:
            self._request(f"find {schedule_id}", lambda partner: self._find(partner, schedule_id))
        else:
            self._say_gone()

    async def _find(self, partner: Partner, schedule_id: str) -> None:
        try:
            schedule = await partner.schedules.find(schedule_id)
        except UsageError:
            self._say_gone()
            return
        if schedule.state == "over":
            self._say_gone()
        else:
            self.open(schedule)

    def _say_gone(self) -> None:
        self._context.tell(lambda: tr("This is over, or was cancelled."))

    def close(self) -> None:
        """Back to the list, at the item that led here."""
        page, self._page = self.page, None
        if page is not None:
            self._tab.hide_page()
            self._tab.point_at(f"schedule/{page.schedule.id}")

    def _read(self, page: SchedulePage) -> None:
        name = f"history {page.schedule.id}"
        self._request(name, lambda partner: self._fill(partner, page), on_fault=page.show_problem)

    async def _fill(self, partner: Partner, page: SchedulePage) -> None:
        firings = await partner.schedules.history(page.schedule.id)
        if isValid(page):
            page.show_firings(firings)

    def _show_firing(self, action_id: str) -> None:
        self._request("firing", lambda partner: self._show_run(partner, action_id))

    async def _show_run(self, partner: Partner, action_id: str) -> None:
        self._context.navigation.show_record(await partner.actions.get(action_id))

    # What the person asks for.

    def _ask(self, verb: str, schedule: Schedule) -> None:
        context, tell = self._context, self._tell
        match verb:
            case "edit":
                self._edit(schedule)
            case "chat":
                context.navigation.show_end(schedule.conversation_id)
            case "run":
                run_schedule.or_tell(tell)(context, schedule.id)
            case "pause":
                pause_schedule.or_tell(tell)(context, schedule.id)
            case "resume":
                resume_schedule.or_tell(tell)(context, schedule)
            case "skip" if schedule.next_at is not None:
                skip_schedule.or_tell(tell)(context, schedule.id, due_at=schedule.next_at)
            case "cancel":
                self._request("cancel", lambda partner: self._cancel(partner, schedule), on_fault=tell)
            case _:
                pass

    async def _cancel(self, partner: Partner, schedule: Schedule) -> None:
        await partner.schedules.cancel(schedule.id)
        self.close()

    def _tell(self, sentence: str) -> None:
        if self.page is not None:
            self.page.show_problem(sentence)
        else:
            self._context.notices.fault(sentence)

    # The form.

    def _edit(self, schedule: Schedule) -> None:
        from partner_desktop.desktop.panel.schedules.schedule_form import ScheduleForm  # noqa: PLC0415 - seldom needed

        form = ScheduleForm(schedule, self._clock.now)
        form.closed.connect(lambda: self._reopen(schedule))
        form.saved.connect(lambda terms: self._save(form, terms))
        self._tab.show_page(form)

    def _reopen(self, schedule: Schedule) -> None:
        self._tab.hide_page()
        known = self._planned.schedule(schedule.id)
        if known is not None:
            self.open(known)
        elif self._planned.has_more:
            self.open_by_id(schedule.id)

    def _save(self, form: ScheduleForm, terms: Terms) -> None:
        self._request(
            f"edit {form.schedule.id}",
            lambda partner: self._change(partner, form.schedule, terms),
            on_fault=form.show_problem,
        )

    async def _change(self, partner: Partner, schedule: Schedule, terms: Terms) -> None:
        await partner.schedules.edit(schedule.id, terms)
        self._reopen(schedule)
        if not terms.is_reminder:  # its card asks anew
            self._context.navigation.show_end(schedule.conversation_id)

    # Cards.

    def _adopt(self, card: ActionCard) -> None:
        card.terms_shown.connect(lambda view: self._serve(card, view))
        card.record_shown.connect(lambda: self._place(card))
        if card.terms is not None:
            self._serve(card, card.terms)
        self._place(card)

    def _serve(self, card: ActionCard, view: TermsView) -> None:
        view.schedule_wanted.connect(self.open_by_id)
        view.autostart_wanted.connect(lambda: self._open_at_login(card))

    def _place(self, card: ActionCard) -> None:
        """A card that a schedule made says of which."""
        record = card.record
        if record is None or not record.schedule_id or record.terms is not None:
            return
        schedule = self._planned.schedule(record.schedule_id)
        if schedule is not None:
            _say_when(card, schedule)
            return
        card.say_place(lambda: tr("As scheduled"))
        if self._planned.has_more:
            self._request(
                f"place {record.id}", lambda partner: self._place_of(partner, card, record.schedule_id)
            )

    async def _place_of(self, partner: Partner, card: ActionCard, schedule_id: str) -> None:
        """Of one that is not listed."""
        with suppress(UsageError):
            schedule = await partner.schedules.find(schedule_id)
            if schedule.state != "over" and isValid(card):
                _say_when(card, schedule)

    def _open_at_login(self, card: ActionCard) -> None:
        if self._window.open_at_login(on=True) and card.terms is not None:
            card.terms.show_autostart()


def _say_when(card: ActionCard, schedule: Schedule) -> None:
    card.say_place(lambda: tr("As scheduled: {when}").format(when=when_in_words(schedule.terms)))
