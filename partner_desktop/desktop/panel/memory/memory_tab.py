"""The Memory tab: what is known, what was said by day and topic, what is pinned. Knows no Partner.

Its foot says how much can be found, and what is being read or brought in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, cast

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from partner_desktop.desktop.forms.choice_fields import Segments
from partner_desktop.desktop.panel.memory.memory_rows import MemoryItem, MemoryRow, row_verbs
from partner_desktop.desktop.panel.memory.memory_sheets import sheet_for
from partner_desktop.desktop.panel.memory.memory_words import meaning_note, memory_size
from partner_desktop.desktop.panel.page import EmptyNote
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.boxes import grow, hbox, vbox
from partner_desktop.desktop.parts.controls import (
    ElidedLabel,
    push_button,
    show_words,
    text_label,
)
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.rows.row_list import RowFilter, RowList
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.remembered import ChatImport, MemoryStatus

#: What is there sooner needs no word about waiting.
_WAIT_MS = 200

MemoryKind: TypeAlias = Literal["known", "days", "topics", "pinned"]


class MemoryTab(QWidget):
    """`kind_chosen(kind)`, `looked_for(words)`, `scope_left()`, `topic_forgotten()`, `older_wanted()`,
    `again_pressed()`, `import_pressed()`."""

    kind_chosen = Signal(str)
    looked_for = Signal(str)
    scope_left = Signal()
    topic_forgotten = Signal()
    older_wanted = Signal()
    again_pressed = Signal()
    import_pressed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel_page")
        self.kind: MemoryKind = "known"
        self.reading = False
        """Whether something is being looked up."""
        self._words = ""
        self._found = False
        """Whether what a search found is in view."""
        self.list: RowList[MemoryItem] = RowList(
            theme,
            lambda: self.tr("Memory"),
            about=lambda: self.tr("Enter shows what was said; Delete asks to forget it."),
            verbs=row_verbs,
            sheet=lambda row: sheet_for(theme, row),
        )
        self.search = RowFilter(self.list, lambda: self.tr("Search your memory"))
        self.search.looked_for.connect(self._look)
        self.kinds = Segments(
            lambda: self.tr("Show"),
            (
                ("known", lambda: self.tr("Known")),
                ("days", lambda: self.tr("Days")),
                ("topics", lambda: self.tr("Topics")),
                ("pinned", lambda: self.tr("Pinned")),
            ),
        )
        self.kinds.show_choice(self.kind)
        self.kinds.chosen.connect(self._choose)
        self._make_scope()
        self._make_notes()
        self.foot = MemoryFoot(theme)
        self.pages = QStackedWidget()
        for page in (self.list, *self._empty.values(), self.nothing, self.waiting, self.fault):
            self.pages.addWidget(page)
        self._column = vbox(
            self.search,
            self.kinds,
            self.scope,
            grow(self.pages),
            self.foot,
            into=self,
            gap=8,
            margins=12,
        )
        self._late = QTimer(self, interval=_WAIT_MS, singleShot=True)
        self._late.timeout.connect(lambda: self.pages.setCurrentWidget(self.waiting))
        self.list.older_wanted.connect(self.older_wanted)
        in_every_language(self, self._say_nothing)

    def _make_scope(self) -> None:
        self.scope = QWidget()
        self.scope.setObjectName("clear")
        self.back_button = push_button(
            lambda: self.tr("‹ Topics"), "bare", name=lambda: self.tr("Back to the topics")
        )
        self.back_button.clicked.connect(self.scope_left)
        self.scope_title = ElidedLabel("", "strong")
        self.forget_topic_button = push_button(
            lambda: self.tr("Forget…"),
            "quiet",
            name=lambda: self.tr("Forget everything of this topic"),
            pressed=self.topic_forgotten,
        )
        hbox(self.back_button, grow(self.scope_title), self.forget_topic_button, into=self.scope, gap=10)
        self.scope.hide()

    def _make_notes(self) -> None:
        bring_in = push_button(
            lambda: self.tr("Bring in chats…"),
            name=lambda: self.tr("Bring in chats from another program"),
            pressed=self.import_pressed,
        )
        self._empty: dict[MemoryKind, EmptyNote] = {
            "known": EmptyNote(
                lambda: self.tr("Nothing is known yet"),
                lambda: self.tr("Say who you are or who matters to you: “call me Max”, “my sister is Ann”."),
            ),
            "days": EmptyNote(
                lambda: self.tr("Nothing is summed up yet"),
                lambda: self.tr(
                    "What you talk about is kept. Once a conversation grows long or rests for an hour, it is "
                    "summed up and listed here by day."
                ),
                bring_in,
            ),
            "topics": EmptyNote(
                lambda: self.tr("No topics yet"),
                lambda: self.tr("They are found when a conversation is summed up."),
            ),
            "pinned": EmptyNote(
                lambda: self.tr("Nothing is pinned"),
                lambda: self.tr(
                    "Pin what should stay in mind in every conversation: open a passage and choose Pin."
                ),
            ),
        }
        self.nothing = EmptyNote(lambda: self.tr("Nothing found"), "")
        self.waiting = EmptyNote(lambda: self.tr("Looking it up…"), "")
        self.again = push_button(lambda: self.tr("Try again"), pressed=self.again_pressed)
        self.fault = EmptyNote(lambda: self.tr("This could not be read"), "", self.again)

    @property
    def words(self) -> str:
        return self._words

    def show_kind(self, kind: MemoryKind) -> None:
        self.kind = kind
        self.kinds.show_choice(kind)

    def show_scope(self, title: str) -> None:
        """One topic alone; empty: everything."""
        self.scope_title.set_text(title)
        self.scope.setVisible(bool(title) and not self._words)

    def wait(self) -> None:
        """Something is being looked up; after a moment that is said, but for what is typed on."""
        self.reading = True
        if not (self._words and self._found):
            self._late.start()

    def show_rows(self, rows: Sequence[MemoryRow], *, fresh: bool) -> None:
        """What there is; `fresh`: it is something else than before, so it begins at the top."""
        self.reading = False
        self._found = bool(self._words and rows)
        self._late.stop()
        if fresh:
            self.list.show_rows(())  # nothing of it stays open
        if rows != self.list.rows.rows:
            self.list.show_rows(rows)
        if fresh:
            if rows and self.kind == "known" and not self._words:
                self.list.set_open(rows[1].key, is_open=True)  # the person at a glance
            self.list.verticalScrollBar().setValue(0)
        self._say_nothing()
        self.pages.setCurrentWidget(self._page_for(rows))
        self.list.look_for_end()

    def _page_for(self, rows: Sequence[MemoryRow]) -> QWidget:
        if rows:
            return self.list
        return self.nothing if self._words else self._empty[self.kind]

    def show_fault(self, sentence: str) -> None:
        self.reading = False
        self._late.stop()
        self.fault.say(sentence)
        self.pages.setCurrentWidget(self.fault)

    def ask(self, banner: Banner) -> None:
        """A question above the list; it leaves by itself, and the keyboard goes back to where it was."""
        before: QWidget | None = self.window().focusWidget()
        self._column.insertWidget(self._column.indexOf(self.pages), banner)
        if before is not None:
            banner.closed.connect(before.setFocus)

    def _choose(self, kind: str) -> None:
        self.kind = cast("MemoryKind", kind)
        self.kind_chosen.emit(kind)

    def _look(self, words: str) -> None:
        self._words = words
        self.kinds.setVisible(not words)
        self.scope.setVisible(bool(self.scope_title.text()) and not words)
        self.looked_for.emit(words)

    def _say_nothing(self) -> None:
        if self._words:
            self.nothing.say(self.tr("Nothing that was said fits “{words}”.").format(words=self._words))


class MemoryFoot(QWidget):
    """`stop_pressed(import_id)`."""

    stop_pressed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._status: MemoryStatus | None = None
        self._import: ChatImport | None = None
        self._words = text_label("", "muted", wrap=True)
        self._note = text_label("", "muted", wrap=True, hidden=True)
        self._line = ProgressLine(theme, share=None)
        self.stop_button = push_button(
            lambda: self.tr("Stop"),
            "quiet",
            name=lambda: self.tr("Stop bringing in chats"),
            pressed=lambda: self.stop_pressed.emit(self._import.id) if self._import else None,
        )
        vbox(
            hbox(grow(self._words), self.stop_button, gap=8),
            self._line,
            self._note,
            into=self,
            gap=5,
            margins=(4, 0, 4, 0),
        )
        in_every_language(self, self._say, now=True)

    @property
    def words(self) -> str:
        return " ".join(label.text() for label in (self._words, self._note) if not label.isHidden())

    @property
    def busy(self) -> bool:
        """Whether something is being read or brought in."""
        return not self._line.isHidden()

    def show_status(self, status: MemoryStatus) -> None:
        self._status = status
        self._say()

    def show_import(self, one: ChatImport) -> None:
        self._import = one if one.state == "running" else None
        self._say()

    def _say(self) -> None:
        status = self._status
        self.stop_button.setVisible(self._import is not None)
        self._line.setVisible(self._import is not None or (status is not None and status.unread > 0))
        if self._import is not None:
            percent = round(100 * self._import.share)
            self._words.setText(self.tr("Bringing in chats: {percent} %").format(percent=percent))
            self._line.set_share(self._import.share)
        elif status is not None and status.unread:
            whole = status.turns + status.unread
            words = self.tr("Reading what was said: {count} messages to go")
            self._words.setText(words.format(count=f"{status.unread:,}"))
            self._line.set_share(status.turns / whole)
        else:
            self._words.setText(memory_size(status) if status is not None else "")
        show_words(self._note, meaning_note(status) if status is not None else "")
