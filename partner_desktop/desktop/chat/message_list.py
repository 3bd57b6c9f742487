"""The conversation on the screen: entries by key, in the order of their position.

Every entry knows its key (the message's id, the reply's id) and its position in the database, so that a page
of history, an event and a reply in progress can come in any order and each still appears once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QScrollArea, QWidget

from partner_desktop.base.clock import Clock
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.chat.busy import BusyRow
from partner_desktop.desktop.chat.column import Column
from partner_desktop.desktop.chat.follow import FollowScroll
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.controls import Pill, push_button
from partner_desktop.desktop.parts.progress import Flash
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import LazyText

if TYPE_CHECKING:
    from datetime import date, datetime

    from partner_desktop.desktop.card.card import ActionCard
    from partner_desktop.desktop.chat.bubble import Bubble
    from partner_desktop.desktop.chat.reply.reply import ReplyView
    from partner_desktop.domain.message import Message
    from partner_desktop.domain.remembered import MemoryUnit

#: A turn that answers sooner needs no sign of being busy.
BUSY_DELAY_MS = 200

#: Entries that are kept, and how many go at the far end when there are more.
MOST_ENTRIES = 100
TRIMMED_AT_ONCE = 40
#: How soon replies that come near the view are made, and those that left it are given up.
_TENDED_MS = 60
#: A day's mark stands this little above its first message, and below a mark of what was summed up.
_DAY_ABOVE = 0.25


@dataclass
class ListEntry:
    """One thing in the column."""

    key: str
    position: float
    """A mark stands between two whole ones."""
    widget: QWidget
    pending: bool = False
    """Typed, not accepted yet: it stays below everything that is."""
    day: date | None = None
    """On which it was said, where this machine stands."""

    @property
    def whole_position(self) -> int:
        """Of a message; 0 with what is none, or has none yet."""
        return int(self.position) if self.position == int(self.position) else 0


class MessageList(QWidget):
    """`card_added(action_id, card)` for every new card; `entry_added(key)`; `older_wanted()` near the top;
    `newer_wanted()` near the bottom of an old stretch; `trimmed()` when the oldest entries were given up;
    `latest_wanted()` when the end is asked for and is not here; `link_clicked(address)`;
    `why_wanted(reply_id, at)`: what went into a reply is asked for, `at` is when it was written, or None for
    one that came while we looked; `drawn()` when all is drawn."""

    card_added = Signal(str, object)
    entry_added = Signal(str)
    older_wanted = Signal()
    newer_wanted = Signal()
    latest_wanted = Signal()
    trimmed = Signal()
    link_clicked = Signal(str)
    why_wanted = Signal(str, object)
    drawn = Signal()

    def __init__(self, theme: Theme, *, clock: Clock | None = None) -> None:
        super().__init__()
        self._theme = theme
        self._clock = clock
        self._slices = Slices(self)
        self._slices.idle.connect(self.drawn)
        self._entries: list[ListEntry] = []
        self._cards: dict[str, ActionCard] = {}
        self._replies: dict[str, ReplyView] = {}
        self._detached = False
        self.showing = object()
        """Another one with each clearing: what was read for the one before is not added any more."""
        self._jump = push_button(
            lambda: self.tr("↓ Jump to latest"),
            "jump",
            name=lambda: self.tr("Jump to latest"),
            parent=self,
        )
        self.column = Column()
        self._jump_place = JumpPlace(self._jump, self.column, lambda: self.cards)
        self.follow = FollowScroll(self.column.verticalScrollBar())
        self.follow.start_reached.connect(self.older_wanted)
        self.follow.end_reached.connect(self.newer_wanted)
        self.follow.following_changed.connect(self._show_jump)
        self._days_soon = QTimer(self, interval=0, singleShot=True)
        self._days_soon.timeout.connect(self._mark_days)
        self._tend_soon = QTimer(self, interval=_TENDED_MS, singleShot=True)
        self._tend_soon.timeout.connect(self._tend)
        bar = self.column.verticalScrollBar()
        bar.valueChanged.connect(self._look_after)
        bar.rangeChanged.connect(self._look_after)
        self._busy = BusyRow(theme)
        self.column.insert(-1, self._busy)
        self._busy.hide()
        self._busy_delay = QTimer(self, interval=BUSY_DELAY_MS, singleShot=True)
        self._busy_delay.timeout.connect(self._busy.show)
        vbox(self.column, into=self)
        self._jump.clicked.connect(self.go_to_end)
        self._jump.setProperty("floats", True)  # over the messages: the window knows what that means for Tab
        self._jump.hide()

    @property
    def entries(self) -> tuple[ListEntry, ...]:
        """What is shown, in order."""
        return tuple(self._entries)

    @property
    def drawing(self) -> bool:
        """Whether long replies are still being drawn."""
        return self._slices.busy

    @property
    def first_position(self) -> int | None:
        """The position of the oldest entry shown."""
        return next((entry.whole_position for entry in self._entries if entry.whole_position), None)

    @property
    def last_position(self) -> int | None:
        """The position of the newest entry shown."""
        return next((entry.whole_position for entry in reversed(self._entries) if entry.whole_position), None)

    @property
    def jump_button(self) -> QWidget:
        """Shown while the end is out of view."""
        return self._jump

    def card(self, action_id: str) -> ActionCard | None:
        """The card of an action, when it is in this conversation's shown part."""
        return self._cards.get(action_id)

    def plan_card(self, step_id: str) -> ActionCard | None:
        """The card of the chain that an action is a step of, when that is in the shown part."""
        return next((card for card in self._cards.values() if card.plan and card.plan.row(step_id)), None)

    @property
    def cards(self) -> tuple[ActionCard, ...]:
        """All cards of this conversation's shown part."""
        return tuple(self._cards.values())

    def has(self, key: str, position: int = 0) -> bool:
        """Whether an entry is shown already."""
        return any(entry.key == key or (position and entry.position == position) for entry in self._entries)

    def entry(self, key: str) -> ListEntry | None:
        """The entry of a key, when it is shown."""
        return next((entry for entry in self._entries if entry.key == key), None)

    def cut(self, position: int) -> None:
        """Take away what stands from a position on; what is not accepted yet stays."""
        above = [entry for entry in self._entries if entry.pending or 0 < entry.position < position]
        self._give_up([entry for entry in self._entries if entry not in above])

    def clear(self) -> None:
        """Another conversation, or another stretch of the same."""
        self.showing = object()
        for entry in self._entries:
            self._take_down(entry)
        self._entries.clear()
        self._cards.clear()
        self._replies.clear()
        self.set_busy(busy=False)
        self.join_end()
        self.follow.release()
        self.follow.follow()

    @property
    def detached(self) -> bool:
        """Whether an old stretch is shown that the end does not join: nothing new may be added to it."""
        return self._detached

    def detach(self) -> None:
        """What is shown, or is added next, is an old stretch."""
        self._detached = True
        self.follow.set_goes_on(goes_on=True)
        self._jump.show()
        self._jump_place.place_soon()

    def join_end(self) -> None:
        """What is shown goes up to the end."""
        self._detached = False
        self.follow.set_goes_on(goes_on=False)
        self.follow.look()
        self._show_jump(self.follow.following)

    def trim_newest(self) -> None:
        """Many older ones were added: the newest are given up, and come again when they are scrolled to."""
        if len(self._entries) > MOST_ENTRIES:
            self.detach()
            self._give_up(self._entries[MOST_ENTRIES:])

    def trim_oldest(self) -> None:
        """Many newer ones were added: the oldest are given up, and come again when they are scrolled to."""
        if len(self._entries) > MOST_ENTRIES:
            self.follow.hold_briefly()
            self._give_up(self._entries[:-MOST_ENTRIES])
            self.trimmed.emit()

    @property
    def shown_day(self) -> date | None:
        """Of what stands at the top of the view."""
        top = self.column.verticalScrollBar().value()
        dated = [entry for entry in self._entries if entry.day is not None]
        below = (entry.day for entry in dated if entry.widget.geometry().bottom() >= top)
        return next(below, dated[-1].day if dated else None)

    def add_message(self, message: Message) -> None:
        """Show a message where its position says; once only."""
        if not self.has(message.id, message.position):
            day = message.created_at.astimezone().date()
            self._insert(ListEntry(message.id, message.position, self._make(message), day=day))
            self._days_soon.start()

    def stay_in_view(self) -> None:
        """Something in it is folded out or in: what is in view stays where it is."""
        self.follow.stay()

    def add_mark(self, unit: MemoryUnit) -> None:
        """Show that what stands before a position is summed up; what is in view stays where it is."""
        from partner_desktop.desktop.chat.rolled_mark import RolledMark  # noqa: PLC0415 - with the first

        known = self.entry(unit.id)
        if known is not None and isinstance(known.widget, RolledMark):
            known.widget.show_unit(unit)
            return
        mark = RolledMark(self._theme, unit)
        entry = ListEntry(unit.id, unit.past - 0.5, mark)
        if not self.follow.following:
            self.follow.hold_briefly()
        self._insert(entry)

    def _mark_days(self) -> None:
        """Between two messages of different days stands which day begins."""
        from partner_desktop.desktop.chat.rolled_mark import DayMark  # noqa: PLC0415 - with the first

        dated = [entry for entry in self._entries if entry.day is not None]
        begins = {
            f"day {one.day} {one.key}": (one.position - _DAY_ABOVE, one.day)
            for before, one in pairwise(dated)
            if before.day != one.day and one.day is not None
        }
        marks = [(one, one.widget) for one in self._entries if isinstance(one.widget, DayMark)]
        for _, mark in marks:
            mark.say()
        gone = [one for one, _ in marks if one.key not in begins]
        missing = [key for key in begins if not self.has(key)]
        if (gone or missing) and not self.follow.following:
            self.follow.hold_briefly()
        self._give_up(gone)
        for key in missing:
            position, day = begins[key]
            self._insert(ListEntry(key, position, DayMark(self._theme, day)))

    def add_pending(self, key: str, text: str, note: LazyText) -> Bubble:
        """Show what was typed and is not accepted yet, at the end."""
        from partner_desktop.desktop.chat.reply import reply  # noqa: PLC0415

        bubble = reply.Bubble(text, note=note)
        self._insert(ListEntry(key, 0, bubble, pending=True))
        self.follow.follow()
        return bubble

    def remove(self, key: str) -> None:
        for entry in [entry for entry in self._entries if entry.key == key]:
            self._entries.remove(entry)
            self._take_down(entry)
        self._replies.pop(key, None)

    def reply(self, reply_id: str, position: int = 0) -> ReplyView:
        """The reply in progress; made at the end when it is new."""
        for entry in self._entries:
            if entry.key == reply_id or (position and entry.position == position):
                entry.position = entry.position or position
                return self._replies[entry.key]
        from partner_desktop.desktop.chat.reply import reply  # noqa: PLC0415

        view = self._keep_reply(reply_id, reply.make_reply(self._theme, self._slices))
        self._insert(ListEntry(reply_id, position, view))
        return view

    @property
    def busy(self) -> bool:
        """Whether the sign of being busy is in view."""
        return self._busy.isVisible()

    def set_busy(self, *, busy: bool) -> None:
        """Whether a turn runs without anything to read; a quick answer never shows it."""
        if busy:
            self._busy_delay.start()
        else:
            self._busy_delay.stop()
            self._busy.hide()
            self._busy.forget()

    def note_module(self, module: str, *, works: bool) -> None:
        """A module of the turn in view begins or ends; one that takes its time is named in plain words."""
        self._busy.note(module, works=works)

    def show_loading(self, share: float | None) -> None:
        """How far the model is loaded for which what was said waits; `None`: it waits for none."""
        self._busy.show_loading(share)

    def show_card(self, action_id: str) -> bool:
        """Scroll to a card; false when it is not in the shown part."""
        card = self._cards.get(action_id)
        if card is None:
            return False
        self.column.ensureWidgetVisible(card, 0, 40)
        card.flash()
        return True

    def show_message(self, key: str) -> None:
        """Scroll to a message and show for a moment which one is meant."""
        entry = self.entry(key)
        if entry is not None:
            self.follow.let_go()
            self.column.show_widget(entry.widget)
            self.follow.look()
            Flash(entry.widget.findChild(QFrame, "bubble") or entry.widget, self._theme)

    def go_to_end(self) -> None:
        """Show the newest."""
        if self.detached:
            self.latest_wanted.emit()
        else:
            self.follow.follow()

    def _look_after(self) -> None:
        if not self._tend_soon.isActive():
            self._tend_soon.start()

    def _tend(self) -> None:
        """Of a hundred replies only those about the view are more than their heights."""
        if self.follow.held:
            self._tend_soon.start()  # what wakes below the view would move it now
            return
        view = self.column.viewport().rect()
        more = False
        for reply in self._replies.values():
            body = reply.body
            top = body.mapTo(self.column.viewport(), QPoint(0, 0))
            more |= body.tend(view.translated(-top))
        if more:
            self._tend_soon.start()

    def _show_jump(self, following: bool) -> None:
        self._jump.setHidden(following and not self.detached)
        self._jump_place.place_soon()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._jump_place.place()

    def _insert(self, entry: ListEntry) -> None:
        index = len(self._entries)
        while index > 0 and _comes_after(self._entries[index - 1], entry):
            index -= 1
        self._entries.insert(index, entry)
        self.follow.go_on()
        self.column.insert(index, entry.widget)
        if len(self._entries) > MOST_ENTRIES and index == len(self._entries) - 1 and self.follow.following:
            self._trim()
        self.entry_added.emit(entry.key)

    def _trim(self) -> None:
        """A chat that only grows gives its oldest part back to the database; scrolling up brings it again."""
        self._give_up(self._entries[:TRIMMED_AT_ONCE])
        self.trimmed.emit()

    def _give_up(self, gone: list[ListEntry]) -> None:
        widgets = {entry.widget for entry in gone}
        self._entries = [entry for entry in self._entries if entry.widget not in widgets]
        for entry in gone:
            self._take_down(entry)
        self._cards = {key: card for key, card in self._cards.items() if card not in widgets}
        self._replies = {key: view for key, view in self._replies.items() if view not in widgets}

    def _take_down(self, entry: ListEntry) -> None:
        view = self._replies.get(entry.key)
        if view is not None:
            view.end()
        self.column.remove(entry.widget)

    def _make(self, message: Message) -> QWidget:
        # What entries are made of comes in with the first: an empty window has no use for it.
        from partner_desktop.desktop.chat.reply import reply  # noqa: PLC0415

        if message.role is reply.Role.ACTION:
            return self._keep_card(message.action_id, reply.make_card(self._theme, self._clock))
        if message.role is reply.Role.USER:
            return reply.make_bubble(message)
        view = reply.make_reply(self._theme, self._slices, message)
        return self._keep_reply(message.id, view, at=message.created_at)

    def _keep_reply(self, key: str, view: ReplyView, *, at: datetime | None = None) -> ReplyView:
        self._replies[key] = view
        view.why_pressed.connect(lambda: self.why_wanted.emit(key, at))
        view.link_clicked.connect(self.link_clicked)
        view.changed_above.connect(self.follow.shift)
        return view

    def _keep_card(self, action_id: str, card: ActionCard) -> ActionCard:
        self._cards[action_id] = card
        card.unfolded.connect(lambda: self.follow.bring(lambda: self._place_of_details(action_id)))
        card.changing.connect(lambda: self._stand_still(card))
        self.card_added.emit(action_id, card)
        return card

    def _place_of_details(self, action_id: str) -> int:
        card = self._cards.get(action_id)
        part = card.unfolded_part.translated(card.pos()) if card is not None else QRect()
        return self.column.value_to_show(part)

    def _stand_still(self, card: ActionCard) -> None:
        """A card above the view is about to change its height: what is in view stays where it is."""
        if card.isVisible() and card.geometry().bottom() < self.column.verticalScrollBar().value():
            self.follow.hold_briefly()


def _comes_after(shown: ListEntry, entry: ListEntry) -> bool:
    """Whether what is shown belongs below the new entry; one without a position goes to the end."""
    if shown.pending and not entry.pending:
        return True
    return 0 < entry.position < shown.position


_BELOW_PX = 42
_APART_PX = 6
_WIDE = 3


class JumpPlace(QObject):
    """Places `jump` over `column`, anew when the column moves; `cards` is asked each time."""

    def __init__(self, jump: QWidget, column: QScrollArea, cards: Callable[[], Iterable[QWidget]]) -> None:
        super().__init__(jump)
        self._jump = jump
        self._column = column
        self._cards = cards
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.place)
        bar = column.verticalScrollBar()
        bar.valueChanged.connect(self.place_soon)
        bar.rangeChanged.connect(self.place_soon)

    def place_soon(self) -> None:
        """Once what moves has its place."""
        if not self._jump.isHidden():
            self._soon.start()

    def place(self) -> None:
        """At the bottom, or above the buttons and chips that are there."""
        size, room = self._jump.sizeHint(), self._column.size()
        lowest = QRect(QPoint((room.width() - size.width()) // 2, room.height() - _BELOW_PX), size)
        spot = QRect(lowest)
        while covered := [each for each in self._in_the_way() if each.intersects(spot)]:
            spot.moveBottom(min(each.top() for each in covered) - _APART_PX)
        self._jump.setGeometry(spot if spot.top() > 0 else lowest)
        self._jump.raise_()

    def _in_the_way(self) -> Iterator[QRect]:
        for card in self._cards():
            if card.isVisible() and not card.visibleRegion().isEmpty():
                for each in (*card.findChildren(QAbstractButton), *card.findChildren(Pill)):
                    # What is as wide as a row is pressed, and read, beside it too.
                    if each.isVisible() and each.width() < _WIDE * self._jump.width():
                        yield QRect(each.mapTo(self._column, QPoint(0, 0)), each.size())
