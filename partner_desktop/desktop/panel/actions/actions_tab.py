"""What waits, what runs, what goes on in the background, what is done, what failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from partner_desktop.desktop.panel.page import EmptyNote
from partner_desktop.desktop.panel.schedules.listed_schedules import ListedSchedules
from partner_desktop.desktop.parts.boxes import drop_widget, grow, hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import SearchField, push_button, text_label
from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.rows.row_list import RowFilter, RowList
from partner_desktop.desktop.rows.row_painter import RowLook
from partner_desktop.desktop.rows.row_spec import RowSpec, RowVerb, head_row
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import CommandSession
from partner_desktop.domain.plan import StepStatus
from partner_desktop.domain.schedule import Schedule

if TYPE_CHECKING:
    from partner_desktop.desktop.panel.actions.action_rows import Listed, ListedRow, LiveRun
    from partner_desktop.desktop.panel.actions.listed_actions import ActionPart, ListedActions
    from partner_desktop.desktop.panel.page import PanelPage
    from partner_desktop.domain.events import ProgressEvent

#: Fewer are found by looking.
_SEARCHED_FROM = 7
#: How long something waits is said in minutes.
_LOOK_MS = 20_000
_PARTS: tuple[ActionPart, ...] = ("waiting", "running", "done", "failed")


class ActionsTab(QWidget):
    """`action_chosen(record)` for one to decide on, `record_wanted(record)` for one that runs or ran;
    `cancel_pressed(id)`, `run_listed(id)` for each that begins to run, `run_opened(id)` where a page shows
    one that runs; `session_chosen(session)`, `session_cancel_pressed(id)`; `permissions_pressed()`,
    `audit_pressed()`. What is planned, and what is asked of it: `planned`.
    """

    action_chosen = Signal(object)
    record_wanted = Signal(object)
    run_opened = Signal(str)
    cancel_pressed = Signal(str)
    run_listed = Signal(str)
    session_chosen = Signal(object)
    session_cancel_pressed = Signal(str)
    permissions_pressed = Signal()
    audit_pressed = Signal()

    def __init__(self, theme: Theme, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__()
        self.setObjectName("panel_page")
        self._theme = theme
        self._now = now
        self._actions: ListedActions | None = None
        self._sessions: Sequence[CommandSession] = ()
        self._search: SearchField | None = None
        self.planned = ListedSchedules(self, now)
        self.planned.changed.connect(self._arrange_soon)
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._arrange)
        self._minutes = QTimer(self, interval=_LOOK_MS)
        self._minutes.timeout.connect(self._say_time)
        self.list = self._make_list()
        self._nothing = text_label(lambda: self.tr("Nothing here matches."), "muted", wrap=True, hidden=True)
        self._nothing.setContentsMargins(4, 8, 4, 0)
        place = QWidget()
        self._column = vbox(self._nothing, grow(self.list), into=place, gap=4, margins=(12, 0, 12, 0))
        self._pages = PageStack(self._empty_note(), place)
        vbox(self._pages, self._make_foot(), into=self, gap=None)
        in_every_language(self, self._say_again)

    def _make_list(self) -> RowList[Listed]:
        made: RowList[Listed] = RowList(
            self._theme,
            lambda: self.tr("Actions"),
            look=RowLook(pad_y=10, gap=8, dots="always"),
            about=lambda: self.tr("Delete cancels what runs; the menu key shows what else can be done."),
            verbs=_verbs,
            sheet=self._make_sheet,
        )
        made.chosen.connect(self._choose)
        made.asked.connect(self._pass_on)
        return made

    def _make_sheet(self, row: ListedRow) -> RowSheet[Listed]:
        from partner_desktop.desktop.panel.actions.action_rows import RunSheet  # noqa: PLC0415 - with the first run

        sheet = RunSheet(self._theme, row)
        told = self._listed.told(row.about.id) if isinstance(row.about, ActionRecord) else None
        if told is not None:
            sheet.run.show_progress(told)
        return sheet

    def _empty_note(self) -> QWidget:
        empty = EmptyNote(
            lambda: self.tr("Nothing to decide"),
            lambda: self.tr(
                "What Partner wants to do appears here and waits for your word. What ran stays listed."
            ),
        )
        empty.setContentsMargins(12, 0, 12, 0)
        return empty

    def _make_foot(self) -> QHBoxLayout:
        """The ways to what may run, and to all that ran."""
        self.permissions_button = push_button(lambda: self.tr("Permissions…"), "quiet")
        self.permissions_button.clicked.connect(self.permissions_pressed)
        self.audit_button = push_button(lambda: self.tr("Audit log…"), "quiet", pressed=self.audit_pressed)
        return hbox(self.permissions_button, self.audit_button, stretch(), gap=4, margins=(8, 0, 12, 4))

    # What is listed.

    @property
    def _listed(self) -> ListedActions:
        """Made with the first action: an empty panel has no use for it."""
        if self._actions is None:
            from partner_desktop.desktop.panel.actions.listed_actions import ListedActions  # noqa: PLC0415

            self._actions = ListedActions(self._now, self.run_listed.emit)
        return self._actions

    def show_action(self, record: ActionRecord) -> None:
        """Add or bring up to date; what has no row of its own is shown on its plan's."""
        self._arrange_soon()  # whoever hears meanwhile that it runs finds its row
        self._listed.show(record)
        self._arrange_soon()

    def show_progress(self, progress: ProgressEvent) -> None:
        row = self._listed.show_progress(progress)
        run = self.item(progress.action_id)
        if row is not None and run is not None:
            self.list.renew(row)
            run.show_progress(progress)

    def item(self, action_id: str) -> LiveRun | None:
        """Where it shows what a run that is listed does; of a step, its chain's."""
        if self._actions is None:
            return None
        if self._soon.isActive():
            self._arrange()
        at = self.list.rows.place(f"action/{self._actions.listed_id(action_id)}")
        sheet = self.list.sheet_of(self.list.rows.rows[at]) if at is not None else None
        # A list of actions has no other sheets.
        return sheet.run if sheet is not None else None  # type: ignore[attr-defined]

    def forget(self, conversation_id: str) -> None:
        """A conversation is gone, and its actions with it."""
        self._listed.forget(conversation_id)
        self._arrange_soon()

    def show_sessions(self, sessions: Sequence[CommandSession]) -> None:
        self._sessions = sessions
        self._arrange_soon()

    def change_planned(self, changed: Sequence[Schedule], removed: Sequence[str]) -> None:
        """Schedules that are new or otherwise, and those that are gone."""
        self.planned.change(changed, removed)

    def show_planned(self, found: Sequence[Schedule], count: int, words: Sequence[str]) -> None:
        """The soonest of the schedules that hold the words, and how many do."""
        self.planned.show(found, count, words)

    def point_at(self, key: str) -> None:
        """The keyboard on a row, if it is listed."""
        if self.list.rows.place(key) is not None:
            self.list.mark(key)
            self.list.setFocus()

    def _say_again(self) -> None:
        if self._actions is not None:
            self._actions.say_again()
        self._arrange_soon()

    def _arrange_soon(self) -> None:
        self._soon.start()

    def _arrange(self) -> None:
        """Part after part, with what holds the words that are looked for."""
        self._soon.stop()
        self._fit()
        rows = self._rows()
        self.list.show_rows(rows)
        fresh = [row for row in rows if _runs(row) and not self.list.is_open(row.key)]
        for row in rows:
            self.list.set_open(row.key, is_open=_runs(row))
        for row in fresh:  # whether it has just begun, or was not what was looked for
            for run_id in _runs_of(row):
                self.run_listed.emit(run_id)
        self._nothing.setVisible(bool(self._words) and not rows)
        self._watch_time()

    def _rows(self) -> list[ListedRow]:
        waiting, running, done, failed = (self._action_rows(part) for part in _PARTS)
        scheduled: list[ListedRow] = [*self.planned.rows()]  # type: ignore[list-item] # each about a Schedule
        rows = [
            *_part("waiting", self.tr("Waiting for you"), waiting),
            *_part("running", self.tr("Running"), running),
            *_part("background", self.tr("In the background"), self._session_rows()),
            *_part("scheduled", self.tr("Scheduled"), scheduled, link=self._pause_verb()),
        ]
        if self.planned.more_words and scheduled:
            rows.append(RowSpec("more", self.planned.more_words, None, kind="note"))
        return [
            *rows,
            *_part("done", self.tr("Done"), done),
            *_part("failed", self.tr("Failed"), failed),
        ]

    def _action_rows(self, part: ActionPart) -> list[ListedRow]:
        return self._actions.rows(part, self._words) if self._actions is not None else []

    def _session_rows(self) -> list[ListedRow]:
        if not self._sessions:
            return []
        from partner_desktop.desktop.panel.actions.action_rows import session_row, session_text  # noqa: PLC0415

        newest = sorted(self._sessions, key=lambda one: one.started_at, reverse=True)
        return [session_row(one) for one in newest if all(word in session_text(one) for word in self._words)]

    def _pause_verb(self) -> RowVerb:
        paused = self.planned.all_paused
        return RowVerb("pause_all", self.tr("Resume all") if paused else self.tr("Pause all"))

    # How long something waits, and when it is next.

    def _watch_time(self) -> None:
        timed = self._actions is not None and bool(self._actions.timed())
        if not timed and not len(self.planned):
            self._minutes.stop()
        elif not self._minutes.isActive():
            self._minutes.start()

    def _say_time(self) -> None:
        if self._actions is not None:
            self._actions.timed()
        self._arrange()

    # What is done with a row.

    def _choose(self, row: ListedRow) -> None:
        """What waits is decided on in the chat; of what runs or ran there is a record to read."""
        match row.about:
            case ActionRecord() as record:
                began = record.status.ended or _runs(row)
                (self.record_wanted if began else self.action_chosen).emit(record)
            case CommandSession() as session:
                self.session_chosen.emit(session)
            case Schedule() as schedule:
                self.planned.chosen.emit(schedule)

    def _pass_on(self, verb: str, row: ListedRow) -> None:
        match row.about:
            case ActionRecord() as record:
                self.cancel_pressed.emit(record.id)
            case CommandSession() as session:
                self.session_cancel_pressed.emit(session.id)
            case Schedule() as schedule:
                self.planned.asked.emit(verb, schedule)
            case None:
                self.planned.pause_pressed.emit(not self.planned.all_paused)

    # Pages in place of the list.

    @property
    def page(self) -> PanelPage | None:
        """What stands in place of the list."""
        return self._pages.page

    def page_of(self, action_id: str) -> PanelPage | None:
        """The page, if it is about this run."""
        page = self._pages.page
        return page if page is not None and page.shows(action_id) else None

    def show_page(self, page: PanelPage) -> None:
        """In place of the list, until `hide_page`."""
        self._pages.show_page(page)

    def hide_page(self) -> None:
        self._pages.drop_page()
        self._fit()

    # Looking for one.

    @property
    def search(self) -> SearchField | None:
        """There once there are more than a handful."""
        return self._search

    @property
    def _words(self) -> list[str]:
        return self._search.words if self._search is not None else []

    def _look_for(self) -> None:
        self.planned.look_for(self._words)
        self._arrange()

    def _add_search(self) -> None:
        self._search = RowFilter(self.list, lambda: self.tr("Search actions"))
        self._search.textChanged.connect(self._look_for)
        self._column.insertWidget(0, self._search)

    def _fit(self) -> None:
        count = len(self._actions or ()) + len(self._sessions) + len(self.planned)
        if count >= _SEARCHED_FROM and self._search is None:
            self._add_search()
        if self._search is not None:
            searches = count >= _SEARCHED_FROM or bool(self._search.text())
            self._search.setVisible(searches)
            self._column.setContentsMargins(12, 12 if searches else 0, 12, 0)
        self._pages.show_list(empty=not count)


def _runs(row: ListedRow) -> bool:
    return isinstance(row.about, ActionRecord) and row.about.status is ActionStatus.RUNNING


def _runs_of(row: ListedRow) -> Iterator[str]:
    """The ids of all that prints in a row: of a plan its steps that run too."""
    if isinstance(row.about, ActionRecord):
        yield row.about.id
        steps = row.about.chain.steps if row.about.chain is not None else ()
        yield from (step.id for step in steps if step.status is StepStatus.RUNNING)


def _part(key: str, title: str, rows: Sequence[ListedRow], *, link: RowVerb | None = None) -> list[ListedRow]:
    return [head_row(f"head/{key}", title, None, link=link), *rows] if rows else []


def _verbs(row: ListedRow) -> Iterable[RowVerb]:
    from partner_desktop.desktop.panel.actions.action_rows import listed_verbs  # noqa: PLC0415 - see `item`

    return listed_verbs(row)


_EMPTY, _LIST, _PAGE = range(3)


class PageStack(QStackedWidget):
    """One page at a time."""

    def __init__(self, empty: QWidget, list_: QWidget) -> None:
        super().__init__()
        self._page: PanelPage | None = None
        self.addWidget(empty)
        self.addWidget(list_)

    @property
    def page(self) -> PanelPage | None:
        """What stands in place of the list."""
        return self._page

    def show_page(self, page: PanelPage) -> None:
        """In place of the list, until `drop_page`."""
        self.drop_page()
        self._page = page
        place = QWidget()
        vbox(page, into=place, margins=(12, 8, 12, 0))
        self.insertWidget(_PAGE, place)
        self.setCurrentIndex(_PAGE)
        page.begin()

    def drop_page(self) -> None:
        """Take it away; `show_list` brings what is behind it to view."""
        place = self._page.parentWidget() if self._page is not None else None
        self._page = None
        if place is not None:
            self.removeWidget(place)
            drop_widget(place)

    def show_list(self, *, empty: bool) -> None:
        """The list, or the sentence in its place; a page that is read stays."""
        if self._page is None:
            self.setCurrentIndex(_EMPTY if empty else _LIST)
