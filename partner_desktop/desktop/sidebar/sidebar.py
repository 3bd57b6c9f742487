"""The left column."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QLineEdit,
    QListView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from partner_desktop.desktop.parts.boxes import grow, hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import IconButton, on_escape, push_button, text_label
from partner_desktop.desktop.parts.lists.list_rows import ROW_ROLE, RowsList, RowsModel, paint_ground
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.sidebar.conversation_list import ConversationList
from partner_desktop.desktop.sidebar.status import StatusFoot
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.desktop.wording import bind_text, in_every_language, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from partner_desktop.domain.message import Conversation, ConversationHit


class Sidebar(QWidget):
    """`new_pressed()`, `conversation_chosen(id)`; more is said by `search`, `list` and `results`."""

    new_pressed = Signal()
    conversation_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._current = ""
        self.new_button = push_button(
            lambda: self.tr("＋  New chat"), "new", name=lambda: self.tr("New chat"), pressed=self.new_pressed
        )
        set_tip(self.new_button, lambda: self.tr("New chat (Ctrl+N)"))
        self.search = ConversationSearchField(theme)
        self.list = ConversationList(theme)
        self.model = self.list.rows
        self.list.conversation_chosen.connect(self._choose)
        self.results = ResultList(theme)
        self.search.down_pressed.connect(self._take_keys)
        self.search.enter_pressed.connect(self.results.choose_first)
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

    @property
    def searching(self) -> bool:
        """Whether results stand in place of the conversations."""
        return self._pages.currentWidget() is not self.list

    def show_conversations(
        self, conversations: Iterable[Conversation], now: datetime, busy: Container[str] = ()
    ) -> None:
        """Fill the list anew."""
        pointed_at = self.list.pointed_at
        self.model.show_conversations(conversations, now, busy)
        self.show_current(self._current)
        self.list.point_at(pointed_at)

    def show_current(self, conversation_id: str) -> None:
        """Mark the open conversation; empty for a new chat."""
        self._current = conversation_id
        self.list.show_current(conversation_id)

    def show_hits(self, text: str, hits: Sequence[ConversationHit]) -> None:
        """What was found for `text`, or a sentence."""
        self.results.show_hits(hits)
        self._sought = text
        self._say_nothing()
        self._pages.setCurrentWidget(self.results if hits else self.nothing)

    def _say_nothing(self) -> None:
        if self._sought:
            self.nothing.setText(self.tr("Nothing was said about “{text}”.").format(text=self._sought))

    def show_list(self) -> None:
        """Nothing is looked for."""
        self._pages.setCurrentWidget(self.list)
        self.results.show_hits(())

    def _choose(self, conversation_id: str) -> None:
        if conversation_id != self._current:
            self.conversation_chosen.emit(conversation_id)

    def _take_keys(self) -> None:
        if self.searching:
            self.results.take_keys()
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


class ResultModel(RowsModel["ConversationHit"]):
    """One row a conversation."""

    def describe(self, row: ConversationHit, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        title = row.title.text or tr("New chat")
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return f"{title}: {row.excerpt.text}" if row.excerpt is not None else title
        return None


class ResultList(RowsList):
    """`hit_chosen(hit)` on Enter or a click."""

    hit_chosen = Signal(object)

    def __init__(self, theme: Theme) -> None:
        self.rows = ResultModel()
        super().__init__(self.rows, lambda: self.tr("Search results"))
        self.setItemDelegate(ResultDelegate(theme, self))
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.rows.dataChanged.connect(lambda *_: self.scheduleDelayedItemsLayout())
        theme.changed.connect(self.doItemsLayout)

    def show_hits(self, hits: Sequence[ConversationHit]) -> None:
        """Show these, best first."""
        self.rows.set_rows(list(hits))
        self.setCurrentIndex(QModelIndex())
        self.scrollToTop()

    def take_keys(self) -> None:
        """The keyboard comes down from the field."""
        if self.rows.rows:
            self.setCurrentIndex(self.rows.index(0))
            self.setFocus(Qt.FocusReason.TabFocusReason)

    def choose_first(self) -> None:
        """Enter in the field: the best one."""
        if self.rows.rows:
            self._choose(self.rows.index(0))

    def _choose(self, index: QModelIndex) -> None:
        hit: ConversationHit | None = index.data(ROW_ROLE)
        if hit is not None:
            self.setCurrentIndex(index)
            self.hit_chosen.emit(hit)


_PAD = 12
_AIR = 7
_GAP = 3
_LINES = 2
#: The ellipsis is never wider than this many characters.
_MOST_CUT = 4


class ResultDelegate(QStyledItemDelegate):
    """As high as its lines."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        hit: ConversationHit = index.data(ROW_ROLE)
        sizes = self._theme.sizes
        height = QFontMetrics(self._theme.font(sizes.body)).height()
        if hit.excerpt is not None:
            # Not the option's width: a list that is laid out anew does not say it.
            font, width = self._theme.font(sizes.small), self._view.viewport().width() - 2 * _PAD
            layout, _ = self._laid_out(hit.excerpt.text, hit.excerpt.marks, font, width, _LINES)
            height += 2 + round(layout.boundingRect().height())
        return QSize(0, height + 2 * _AIR + _GAP)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        hit: ConversationHit = index.data(ROW_ROLE)
        rect, state = option.rect.adjusted(0, 0, 0, -_GAP), option.state
        painter.save()
        self._paint_ground(painter, rect, state)
        room = rect.adjusted(_PAD, _AIR, -_PAD, -_AIR)
        sizes = self._theme.sizes
        title, marks = (hit.title.text, hit.title.marks) if hit.title.text else (tr("New chat"), ())
        height = self._lines(painter, room, title, marks, self._theme.font(sizes.body), "ink", most=1)
        if hit.excerpt is not None:
            below = room.adjusted(0, height + 2, 0, 0)
            font = self._theme.font(sizes.small)
            self._lines(painter, below, hit.excerpt.text, hit.excerpt.marks, font, "muted", most=_LINES)
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        theme = self._theme
        if state & QStyle.StateFlag.State_Selected:
            ring = theme.color("accent") if state & QStyle.StateFlag.State_HasFocus else None
            paint_ground(painter, rect, theme.color("accent_soft"), line=ring)
        elif state & QStyle.StateFlag.State_MouseOver:
            paint_ground(painter, rect, theme.color("hover"))

    def _lines(
        self,
        painter: QPainter,
        rect: QRect,
        text: str,
        marks: Sequence[tuple[int, int]],
        font: QFont,
        color: str,
        *,
        most: int,
    ) -> int:
        """Write at most so many lines, the last with an ellipsis where more would follow; their height."""
        layout, fitting = self._laid_out(text, marks, font, rect.width(), most)
        if fitting != text:
            layout = self._cut(fitting, marks, font, rect.width(), most)
        painter.setPen(self._theme.color(color))
        layout.draw(painter, QPointF(rect.topLeft()))
        return round(layout.boundingRect().height())

    def _cut(
        self, text: str, marks: Sequence[tuple[int, int]], font: QFont, width: int, most: int
    ) -> QTextLayout:
        """The text with an ellipsis, so much shorter that it fits too."""
        for less in range(_MOST_CUT + 1):
            shorter = text[: max(0, len(text) - less)].rstrip() + "…"
            layout, fitting = self._laid_out(shorter, marks, font, width, most)
            if fitting == shorter:
                break
        return layout

    def _laid_out(
        self, text: str, marks: Sequence[tuple[int, int]], font: QFont, width: int, most: int
    ) -> tuple[QTextLayout, str]:
        """The text in lines of a width, and as much of it as they hold."""
        layout = QTextLayout(text, font)
        modes = QTextOption.WrapMode
        # One line is cut where it is full; in more, words stay whole.
        layout.setTextOption(
            _wrapping(modes.WrapAnywhere if most == 1 else modes.WrapAtWordBoundaryOrAnywhere)
        )
        layout.setFormats([self._bold(text, start, end) for start, end in marks if start < len(text)])
        layout.beginLayout()
        reached, y = 0, 0.0
        for _ in range(most):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(width)
            line.setPosition(QPointF(0, y))
            y += line.height()
            reached = line.textStart() + line.textLength()
        layout.endLayout()
        return layout, text.encode("utf-16-le")[: 2 * reached].decode("utf-16-le", "ignore")

    def _bold(self, text: str, start: int, end: int) -> QTextLayout.FormatRange:
        mark = QTextLayout.FormatRange()
        mark.start, mark.length = _units(text[:start]), _units(text[start:end])
        look = QTextCharFormat()
        look.setFontWeight(QFont.Weight.Bold)
        look.setForeground(self._theme.color("ink"))
        mark.format = look
        return mark


def _wrapping(mode: QTextOption.WrapMode) -> QTextOption:
    option = QTextOption()
    option.setWrapMode(mode)
    return option


def _units(text: str) -> int:
    """How long Qt takes a text for: an emoji counts twice."""
    return len(text.encode("utf-16-le")) // 2
