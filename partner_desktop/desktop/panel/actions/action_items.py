"""Which actions the panel lists, and in which of its parts: items move between them, none is made twice.

A chain is one item. Its steps have none, except while one of them waits for the person: then it stands with
what waits, and says which plan it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import drop_widget, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import LazyText, resolve_text, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.plan import StepStatus

if TYPE_CHECKING:
    from partner_desktop.desktop.panel.actions.action_item import ActionItem
    from partner_desktop.desktop.panel.actions.session_views import SessionItem
    from partner_desktop.desktop.panel.schedules.schedule_item import ScheduleItem

#: The panel shows the latest of what ended; the conversations hold the rest.
_MOST_ENDED = 50
_FAILED = (ActionStatus.FAILED, ActionStatus.INTERRUPTED)
_WAITING = (ActionStatus.ASKING, ActionStatus.WAITING)
#: How long something waits is said in minutes.
_LOOK_MS = 20_000


class ActionItems(QObject):
    """`made(item)` for each new item; `run_listed(id)` for each run that begins, be it a step's."""

    made = Signal(object)
    run_listed = Signal(str)

    def __init__(self, panel: QObject, theme: Theme, now: Callable[[], datetime]) -> None:
        """`panel`: where they are listed; they do not outlive it."""
        super().__init__(panel)
        self._theme = theme
        self._now = now
        self._items: dict[str, tuple[ActionItem, Section[ActionItem]]] = {}
        self._chain_of: dict[str, str] = {}
        self.waiting: Section[ActionItem] = Section(lambda: tr("Waiting for you"))
        self.running: Section[ActionItem] = Section(lambda: tr("Running"))
        self.done: Section[ActionItem] = Section(lambda: tr("Done"))
        self.failed: Section[ActionItem] = Section(lambda: tr("Failed"))
        self._minutes = QTimer(self, interval=_LOOK_MS)
        self._minutes.timeout.connect(self._say_time)

    @property
    def sections(self) -> tuple[Section[ActionItem], ...]:
        """From the top down."""
        return (self.waiting, self.running, self.done, self.failed)

    def __len__(self) -> int:
        return len(self._items)

    def show(self, record: ActionRecord, words: list[str]) -> None:
        """Add or bring up to date; `words` are what somebody looks for."""
        if record.terms is not None and record.status is ActionStatus.SUCCEEDED:
            self._take_out(record.id)  # it stands with what is planned now
            return
        if record.parent_id and not self._asks(record):
            self._take_out(record.id)
            return
        item, before = self._items.get(record.id, (None, None))
        if item is not None and item.record == record:
            return
        if item is not None and record.is_older_than(item.record):
            return
        if item is None:
            item = self._make(record)
        else:
            item.show_record(record)
        self._place(item, before, words)
        self._note_steps(item)
        self._trim()
        self._watch_time()

    def item(self, action_id: str) -> ActionItem | None:
        """The item of an action that is listed; of a step that runs, its chain's."""
        known = self._items.get(action_id) or self._items.get(self._chain_of.get(action_id, ""))
        return known[0] if known is not None else None

    def show_progress(self, progress: ProgressEvent) -> None:
        """How far a run is."""
        item = self.item(progress.action_id)
        if item is not None:
            item.show_progress(progress)

    def forget(self, conversation_id: str) -> None:
        """A conversation is gone, and its actions with it."""
        for action_id, (item, _section) in list(self._items.items()):
            if item.record.conversation_id == conversation_id:
                self._take_out(action_id)

    def _make(self, record: ActionRecord) -> ActionItem:
        # Comes in with the first action: an empty panel has no use for it.
        from partner_desktop.desktop.panel.actions.action_item import ActionItem  # noqa: PLC0415

        item = ActionItem(record, self._theme, self._now)
        plan = self._items.get(record.parent_id)
        if plan is not None:
            item.show_plan(plan[0].record.title)
        self.made.emit(item)
        return item

    def _place(self, item: ActionItem, before: Section[ActionItem] | None, words: list[str]) -> None:
        record = item.record
        section = self._section_of(record)
        if before is not section:
            if before is not None:
                before.take(item)
            section.put(item, words)
        self._items[record.id] = (item, section)
        if section is self.running and before is not section:
            self.run_listed.emit(record.id)

    def _section_of(self, record: ActionRecord) -> Section[ActionItem]:
        if record.status.ended:
            return self.failed if record.status in _FAILED else self.done
        return self.running if record.status is ActionStatus.RUNNING else self.waiting

    # Plans and their steps.

    def _asks(self, record: ActionRecord) -> bool:
        """Whether a step waits for the person; its chain knows better where that has gone on meanwhile."""
        plan = self._items.get(record.parent_id)
        chain = plan[0].record.chain if plan is not None else None
        step = chain.step(record.id) if chain is not None else None
        over = step is not None and step.status.ended
        return record.status in _WAITING and not over

    def _note_steps(self, plan: ActionItem) -> None:
        """The items of its steps are called after it, and go when it has gone on without them."""
        record = plan.record
        for step in record.chain.steps if record.chain is not None else ():
            begins = step.status is StepStatus.RUNNING and step.id not in self._chain_of
            self._chain_of[step.id] = record.id
            if step.status.ended or record.status.ended:
                self._take_out(step.id)
            elif step.id in self._items:
                self._items[step.id][0].show_plan(record.title)
            if begins:
                self.run_listed.emit(step.id)

    # Going out of the list.

    def _trim(self) -> None:
        for section in (self.done, self.failed):
            for item in section.items[_MOST_ENDED:]:
                self._take_out(item.record.id)

    def _take_out(self, action_id: str) -> None:
        item, section = self._items.pop(action_id, (None, None))
        if item is None or section is None:
            return
        for step in item.record.chain.steps if item.record.chain is not None else ():
            self._chain_of.pop(step.id, None)
        section.take(item)
        drop_widget(item)

    # How long something waits.

    def _timed(self) -> Iterator[ActionItem]:
        return (item for item in self.waiting.items if item.record.waits_until is not None)

    def _watch_time(self) -> None:
        if next(self._timed(), None) is None:
            self._minutes.stop()
        elif not self._minutes.isActive():
            self._minutes.start()

    def _say_time(self) -> None:
        for item in self._timed():
            item.say_time()
        self._watch_time()


Item = TypeVar("Item", "ActionItem", "SessionItem", "ScheduleItem")


class Section(QWidget, Generic[Item]):
    """Hidden while it has nothing to show; `aside`: what stands beside its head."""

    def __init__(self, title: LazyText, *, aside: QWidget | None = None, soonest_first: bool = False) -> None:
        super().__init__()
        self._items: list[Item] = []
        self._soonest_first = soonest_first
        head = text_label(lambda: resolve_text(title).upper(), "head")
        head.setContentsMargins(4, 4, 0, 0)
        line = head if aside is None else hbox(grow(head), aside, margins=(0, 0, 4, 0))
        self._layout = vbox(line, into=self, gap=8, margins=(0, 0, 0, 8))
        self.hide()

    @property
    def items(self) -> list[Item]:
        """Newest first, or soonest."""
        return list(self._items)

    def put_below(self, words: QWidget) -> None:
        """Something at the end, behind all items."""
        self._layout.addWidget(words)

    def put(self, item: Item, words: Sequence[str] = ()) -> None:
        """Place an item by its time; hidden where it is not what somebody looks for."""
        self._insert(item, words)
        self._fit()

    def put_all(self, items: Sequence[Item]) -> None:
        """Place several; they are laid out once."""
        if len(items) > 1:
            self.hide()
        for item in items:
            self._insert(item, ())
        self._fit()

    def _insert(self, item: Item, words: Sequence[str]) -> None:
        before = sum(1 for other in self._items if self._comes_before(other, item))
        self._items.insert(before, item)
        self._layout.insertWidget(1 + before, item)
        item.setVisible(item.holds(words))

    def _comes_before(self, one: Item, other: Item) -> bool:
        return one.moment <= other.moment if self._soonest_first else one.moment > other.moment

    def take(self, item: Item) -> None:
        """Take an item out, for another section or for good."""
        self._items.remove(item)
        self._layout.removeWidget(item)
        self._fit()

    def look_for(self, words: Sequence[str]) -> int:
        """Show only what holds all of the words; how many do."""
        for item in self._items:
            item.setVisible(item.holds(words))
        self._fit()
        return sum(not item.isHidden() for item in self._items)

    def _fit(self) -> None:
        self.setVisible(any(not item.isHidden() for item in self._items))
