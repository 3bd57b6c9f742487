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
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.rows.row_spec import RowSpec, RowVerb
from partner_desktop.desktop.sidebar.conversation_rows import (
    CONVERSATION_LOOK,
    HIT_LOOK,
    ConversationRow,
    conversation_verbs,
    hit_row,
    rows_by_day,
)
from partner_desktop.desktop.sidebar.status import StatusFoot
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.desktop.wording import bind_text, in_every_language

if TYPE_CHECKING:
    from partner_desktop.domain.message import Conversation, ConversationHit


class Sidebar(QWidget):
    """`new_pressed()`, `conversation_chosen(id)`, `rename_wanted(id, title)`, `delete_wanted(id)`,
    `export_wanted(id)`, `import_wanted()`, `hit_chosen(hit)`; more is said by `search`."""

    new_pressed = Signal()
    conversation_chosen = Signal(str)
    rename_wanted = Signal(str, str)
    delete_wanted = Signal(str)
    export_wanted = Signal(str)
    import_wanted = Signal()
    hit_chosen = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._current = ""
        self.new_button = push_button(
            lambda: self.tr("+  New chat"), "new", name=lambda: self.tr("New chat"), pressed=self.new_pressed
        )
        set_tip(self.new_button, lambda: self.tr("New chat (Ctrl+N)"))
        self.search = ConversationSearchField(theme)
        self.list = self._make_list(theme)
        self.results: RowList[ConversationHit] = RowList(
            theme, lambda: self.tr("Search results"), look=HIT_LOOK
        )
        self.results.chosen.connect(self._choose_hit)
        self.search.down_pressed.connect(self._take_keys)
        self.search.enter_pressed.connect(lambda: self.results.act(self.results.rows.index(0)))
        self._sought = ""
        self.nothing = text_label("", "muted", wrap=True)
        in_every_language(self, self._say_nothing)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.nothing.setContentsMargins(12, 8, 12, 0)
        self._pages = QStackedWidget()
        for page in (self.list, self.results, self.nothing):
            self._pages.addWidget(page)
        self.status = StatusFoot(theme)
        vbox(
            self.new_button,
            self.search,
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
            verbs=conversation_verbs,
            more_verbs=lambda: (RowVerb("import", self.tr("Import conversations…"), parted=True),),
        )
        made.twice = "rename"
        made.chosen.connect(lambda row: self._choose(row.about))
        made.asked.connect(self._pass_on)
        made.renamed.connect(self.rename_wanted)
        return made

    def _pass_on(self, verb: str, row: ConversationRow | None) -> None:
        if row is None:
            self.import_wanted.emit()
        elif verb == "rename":
            self.list.rename(row.key)
        else:
            {"export": self.export_wanted, "delete": self.delete_wanted}[verb].emit(row.about)

    @property
    def searching(self) -> bool:
        """Whether results stand in place of the conversations."""
        return self._pages.currentWidget() is not self.list

    def show_conversations(
        self, conversations: Iterable[Conversation], now: datetime, busy: Container[str] = ()
    ) -> None:
        """Fill the list anew."""
        self.list.show_rows(rows_by_day(conversations, now, busy))
        self.list.show_chosen(self._current)

    def show_current(self, conversation_id: str) -> None:
        """Mark the open conversation; empty for a new chat."""
        self._current = conversation_id
        self.list.show_chosen(conversation_id)

    def show_hits(self, text: str, hits: Sequence[ConversationHit]) -> None:
        """What was found for `text`, or a sentence."""
        self._show_results(hits)
        self._sought = text
        self._say_nothing()
        self._pages.setCurrentWidget(self.results if hits else self.nothing)

    def _say_nothing(self) -> None:
        if self._sought:
            self.nothing.setText(self.tr("Nothing was said about “{text}”.").format(text=self._sought))

    def show_list(self) -> None:
        """Nothing is looked for."""
        self._pages.setCurrentWidget(self.list)
        self._show_results(())

    def _show_results(self, hits: Sequence[ConversationHit]) -> None:
        """Best first, from the top, none of them chosen yet."""
        self.results.show_rows([hit_row(hit) for hit in hits])
        self.results.show_chosen("")
        self.results.scrollToTop()

    def _choose_hit(self, row: RowSpec[ConversationHit]) -> None:
        self.results.show_chosen(row.key)
        self.hit_chosen.emit(row.about)

    def _choose(self, conversation_id: str) -> None:
        if conversation_id != self._current:
            self.conversation_chosen.emit(conversation_id)

    def _take_keys(self) -> None:
        if self.searching:
            self.results.begin()
        else:
            self.list.setFocus(Qt.FocusReason.TabFocusReason)


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
