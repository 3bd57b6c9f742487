"""The left column."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QWidget

from partner_desktop.desktop.parts.boxes import grow, hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import IconButton, on_escape, push_button, text_label
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.rows.row_spec import RowSpec, RowVerb
from partner_desktop.desktop.sidebar.conversation_rows import (
    CONVERSATION_LOOK,
    HIT_LOOK,
    LIST_ORDERS,
    ORDER,
    ConversationRow,
    ListOrder,
    ListView,
    RowBook,
    conversation_verbs,
    folder_key,
    folder_verbs,
    hit_row,
    list_rows,
    list_verbs,
    unread_words,
)
from partner_desktop.desktop.sidebar.search_filters import SearchFilters
from partner_desktop.desktop.sidebar.status import StatusFoot
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.desktop.wording import announce, bind_text, in_every_language, set_tip

if TYPE_CHECKING:
    from partner_desktop.domain.message import Conversation, ConversationHit


class Sidebar(QWidget):
    """`new_pressed()`, `conversation_chosen(id)`, `rename_wanted(id, title)`, `import_wanted()`,
    `folder_renamed(name, new name)`, `hit_chosen(hit)`; `asked(verb, ids)`: of one or of several,
    see `conversation_verbs`; `view_changed()`: the list is looked at otherwise. More is said by `search`."""

    new_pressed = Signal()
    conversation_chosen = Signal(str)
    rename_wanted = Signal(str, str)
    folder_renamed = Signal(str, str)
    asked = Signal(str, object)
    import_wanted = Signal()
    hit_chosen = Signal(object)
    view_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._current = ""
        self.view = ListView()
        self._known: dict[str, Conversation] = {}
        self._row_book = RowBook()
        in_every_language(self, self._row_book.forget)
        self.new_button = push_button(
            lambda: self.tr("+  New chat"), "new", name=lambda: self.tr("New chat"), pressed=self.new_pressed
        )
        set_tip(self.new_button, lambda: self.tr("New chat (Ctrl+N)"))
        self.more_button = IconButton(theme, "more", lambda: self.tr("Sort, archive, import"))
        self.more_button.clicked.connect(self._open_list_menu)
        self.search = ConversationSearchField(theme)
        self.filters = SearchFilters()
        self.filters.hide()
        self.list = self._make_list(theme)
        self.pick_bar = PickBar(theme)
        self.pick_bar.more_pressed.connect(self._open_picked_menu)
        self.pick_bar.left.connect(self.list.let_go)
        self.list.picked_changed.connect(self._show_picked)
        self.results: RowList[ConversationHit] = RowList(
            theme, lambda: self.tr("Search results"), look=HIT_LOOK
        )
        self.results.chosen.connect(self._choose_hit)
        self.search.down_pressed.connect(self.take_keys)
        self.search.enter_pressed.connect(lambda: self.results.act(self.results.rows.index(0)))
        self.search.textChanged.connect(self._show_filters)
        self.search.left.connect(self.filters.clear)
        self.filters.changed.connect(self._show_filters)
        self._sought = ""
        self.nothing = text_label("", "muted", wrap=True)
        in_every_language(self, self._say_nothing, now=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.nothing.setContentsMargins(12, 8, 12, 0)
        self._pages = QStackedWidget()
        for page in (self.list, self.results, self.nothing):
            self._pages.addWidget(page)
        self.status = StatusFoot(theme)
        vbox(
            hbox(grow(self.new_button), self.more_button, gap=4),
            self.search,
            self.filters,
            self.pick_bar,
            grow(self._pages),
            self.status,
            into=self,
            gap=8,
            margins=(12, 12, 12, 10),
        )

    def _make_list(self, theme: Theme) -> RowList[str]:
        made: RowList[str] = RowList(
            theme,
            lambda: self.tr("Conversations"),
            look=CONVERSATION_LOOK,
            verbs=self._verbs_of,
            more_verbs=self._list_verbs,
        )
        made.twice = "rename"
        made.picks = "row"
        made.chosen.connect(self._choose)
        made.asked.connect(self._pass_on)
        made.fold_wanted.connect(lambda row, folded: self._fold(row.about, folded=folded))
        made.renamed.connect(self._rename)
        return made

    # What can be done.

    def _about(self, row: ConversationRow) -> list[Conversation]:
        """The conversations that something is done with: those that are picked, if the row is one of them."""
        picked = self.list.picked
        rows = picked if row in picked else [row]
        return [self._known[one.about] for one in rows if one.about in self._known]

    def _verbs_of(self, row: ConversationRow) -> Iterable[RowVerb]:
        if row.kind == "folder":
            return folder_verbs()
        about = self._about(row) if row.kind == "row" else []
        folders = {one.folder for one in self._known.values() if one.folder}
        return conversation_verbs(about, folders) if about else ()

    def _list_verbs(self) -> Iterable[RowVerb]:
        archived = any(one.archived for one in self._known.values())
        return list_verbs(self.view, archived=archived)

    def _open_list_menu(self) -> None:
        corner = self.more_button.mapToGlobal(self.more_button.rect().bottomLeft())
        self.list.open_menu(None, self.list.viewport().mapFromGlobal(corner))

    def _open_picked_menu(self) -> None:
        button = self.pick_bar.more_button
        corner = button.mapToGlobal(button.rect().bottomLeft())
        picked = self.list.picked
        if picked:
            self.list.open_menu(picked[0], self.list.viewport().mapFromGlobal(corner))

    def _show_picked(self) -> None:
        self.pick_bar.show_count(len(self.list.picked))

    def _pass_on(self, verb: str, row: ConversationRow | None) -> None:
        if row is None:
            self._do_with_list(verb)
        elif verb == "rename":
            self.list.rename(row.key)
        elif verb == "dissolve":
            self.folder_renamed.emit(row.about, "")
        else:
            self.asked.emit(verb, [one.id for one in self._about(row)])

    def _do_with_list(self, verb: str) -> None:
        if verb == "import":
            self.import_wanted.emit()
        elif verb.startswith(ORDER):
            self.sort(next(order for order in LIST_ORDERS if verb == f"{ORDER}{order}"))
        else:
            self.show_archive(on=verb == "archive-list")

    def _rename(self, key: str, title: str) -> None:
        row = self.list.row_at(self.list.rows.index_of(key))
        if row is None or row.kind != "folder":
            self.rename_wanted.emit(key, title)
        else:
            if row.about in self.view.folded:
                self.view.folded.add(title)
            self.folder_renamed.emit(row.about, title)

    # How it is looked at.

    def sort(self, order: ListOrder) -> None:
        """What stands first from now on."""
        self.view.order = order
        self.view_changed.emit()

    def show_archive(self, *, on: bool) -> None:
        """What is archived, or what is in use; the keyboard stays in the list."""
        self.view.archive = on
        self.list.let_go()
        self.view_changed.emit()
        if self.list.hasFocus():
            self.list.begin()

    def _fold(self, folder: str, *, folded: bool) -> None:
        (self.view.folded.add if folded else self.view.folded.discard)(folder)
        self.view_changed.emit()

    def begin_folder_name(self, folder: str) -> None:
        """Let a folder be named that has just come into being."""
        self.list.scrollTo(self.list.rows.index_of(folder_key(folder)))
        self.list.rename(folder_key(folder))

    # What it shows.

    @property
    def searching(self) -> bool:
        """Whether results stand in place of the conversations."""
        return self._pages.currentWidget() is not self.list

    def show_conversations(
        self, conversations: Iterable[Conversation], now: datetime, busy: Container[str] = ()
    ) -> None:
        self._known = {one.id: one for one in conversations}
        known = self._known.values()
        if not any(one.archived for one in known):
            self.view.archive = False
        self._row_book.busy = busy
        self.list.show_rows(list_rows(known, now, self.view, self._row_book))
        self.list.show_chosen(self._current)
        self.list.setAccessibleDescription(unread_words(known))

    def show_current(self, conversation_id: str) -> None:
        """Mark the open conversation; empty for a new chat."""
        self._current = conversation_id
        self.list.show_chosen(conversation_id)

    def show_hits(
        self, text: str, hits: Sequence[ConversationHit], now: datetime, *, again: bool = False
    ) -> None:
        """What was found for `text`, or a sentence; `again`: what is in view and marked stays so."""
        self._show_results(hits, now, again=again)
        self._sought = text
        self._say_nothing()
        self._pages.setCurrentWidget(self.results if hits else self.nothing)

    def _say_nothing(self) -> None:
        if self._sought:
            self.nothing.setText(self.tr("Nothing was said about “{text}”.").format(text=self._sought))
        else:
            self.nothing.setText(self.tr("Nothing fits."))

    def show_list(self) -> None:
        self._pages.setCurrentWidget(self.list)
        self._show_results((), None)

    def _show_filters(self) -> None:
        self.filters.setVisible(bool(self.search.text()) or self.filters.is_set)
        self.pick_bar.setVisible(bool(self.list.picked) and not self.searching)

    def _show_results(
        self, hits: Sequence[ConversationHit], now: datetime | None, *, again: bool = False
    ) -> None:
        """Best first; unless it is found `again`, from the top, none of them chosen yet."""
        self.results.show_rows([hit_row(hit, now) for hit in hits])
        if not again:
            self.results.show_chosen("")
            self.results.scrollToTop()

    def _choose_hit(self, row: RowSpec[ConversationHit]) -> None:
        self.hit_chosen.emit(row.about)

    def _choose(self, row: ConversationRow) -> None:
        if row.kind in ("archive", "back"):
            self.show_archive(on=row.kind == "archive")
        elif row.about != self._current:
            self.conversation_chosen.emit(row.about)

    def take_keys(self) -> None:
        """The keyboard goes into the list, or into what was found."""
        if self.searching:
            self.results.begin()
        else:
            self.list.setFocus(Qt.FocusReason.TabFocusReason)


class PickBar(QWidget):
    """How many conversations are picked. `more_pressed()`: what can be done with them; `left()`."""

    more_pressed = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._count = 0
        self.words = text_label("", "label")
        self.more_button = IconButton(
            theme, "more", lambda: self.tr("What can be done with the selected conversations")
        )
        self.more_button.clicked.connect(self.more_pressed)
        close = IconButton(theme, "close", lambda: self.tr("Clear the selection"), shortcut="Esc")
        close.clicked.connect(self.left)
        hbox(grow(self.words), self.more_button, close, into=self, gap=2, margins=(12, 0, 0, 0))
        in_every_language(self, self._say)
        self.hide()

    def show_count(self, count: int) -> None:
        """So many, said aloud too."""
        self._count = count
        self._say()
        self.setVisible(count > 0)
        announce(self, self.words.text())

    def _say(self) -> None:
        count = self._count
        words = self.tr("1 selected") if count == 1 else self.tr("{count} selected").format(count=count)
        self.words.setText(words if count else "")


PAUSE_MS = 150
_BUTTON_ROOM = 34
_LONGEST = 400


class ConversationSearchField(QLineEdit):
    """`search_wanted(text)` after a pause, at once for no text; `down_pressed()`, `enter_pressed()`; `left()`
    when Esc found nothing to clear."""

    search_wanted = Signal(str)
    down_pressed = Signal()
    enter_pressed = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        set_look(self, "search")
        bind_text(self, self.setAccessibleName, lambda: self.tr("Search in all conversations"))
        set_tip(self, lambda: self.tr("Search in all conversations (Ctrl+F)"))
        bind_text(self, self.setPlaceholderText, lambda: self.tr("Search"))
        self.setMaxLength(_LONGEST)
        self._pause = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._say)
        on_escape(self, self._escape)
        self._keys = text_label("Ctrl F", "muted")
        self._keys.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._clear = IconButton(theme, "close", lambda: self.tr("Clear the search"))
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Esc does it
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.clicked.connect(self.clear)
        self._clear.hide()
        hbox(stretch(), self._keys, self._clear, into=self, gap=None, margins=(0, 0, 8, 0))
        self.textChanged.connect(self._changed)

    def begin(self) -> None:
        """Take the keys; what stands there is replaced by what is typed."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Down:
            self.down_pressed.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enter_pressed.emit()
        else:
            super().keyPressEvent(event)

    def _escape(self) -> None:
        if self.text():
            self.clear()
        else:
            self.left.emit()

    def _changed(self, text: str) -> None:
        self._keys.setVisible(not text)
        self._clear.setVisible(bool(text))
        self.setTextMargins(0, 0, _BUTTON_ROOM if text else 0, 0)
        if text.strip():
            self._pause.start()
        else:
            self._pause.stop()
            self._say()

    def _say(self) -> None:
        self.search_wanted.emit(self.text().strip())
