"""The palette itself: a line to type in over the window, and below it what fits.

Contract: the keyboard stays in the line; Up, Down, Page Up and Page Down choose among what fits, Enter takes
it, Esc and a click elsewhere leave. Very many entries are looked through in slices: the line never waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QHideEvent, QKeyEvent, QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.palette.fuzzy_match import Fit
from partner_desktop.desktop.palette.palette_entry import PaletteEntry, entry_kind_words
from partner_desktop.desktop.palette.recent_choices import RecentChoices
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import SearchField, text_label
from partner_desktop.desktop.parts.lists.list_rows import (
    ROW_ROLE,
    RowsList,
    RowsModel,
    paint_ground,
    paint_line,
    paint_section_head,
    section_head_height,
)
from partner_desktop.desktop.parts.veil import Veil
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Radius, Space, Theme, set_look, zoomed
from partner_desktop.desktop.wording import announce, bind_text, in_every_language

_WIDEST, _MOST_ROWS = 640, 9
_LONGEST = 200
#: More are not shown: whoever looks further types another letter.
MOST_FOUND = 100
#: Entries that are looked through between two pauses.
_BATCH = 25


@dataclass(frozen=True)
class PaletteRow:
    """A head, or an entry with what of its title was meant."""

    head: str = ""
    entry: PaletteEntry | None = None
    marks: tuple[tuple[int, int], ...] = ()


class Palette(QFrame):
    """`typed(text)` with each change; `chosen(entry)`; `left()` when it goes without a choice."""

    typed = Signal(str)
    chosen = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, recent: RecentChoices, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sheet")
        bind_text(self, self.setAccessibleName, lambda: self.tr("Find anything"))
        self._recent = recent
        self._entries: dict[str, PaletteEntry] = {}
        self._looked_up: dict[str, tuple[PaletteEntry, ...]] = {}
        self._slices = Slices(self)
        self._veil = Veil(parent, dims=True)
        self._veil.pressed.connect(self.leave)
        self.line = SearchField(lambda: self.tr("Type what you want to do or find"))
        set_look(self.line, "search")
        self.line.setMaxLength(_LONGEST)
        self.line.installEventFilter(self)
        self.list = PaletteList(theme)
        self.list.taken.connect(self._take)
        self.list.selectionModel().currentChanged.connect(self._tell_current)
        self._empty = text_label("", "muted", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        keys = text_label(lambda: self.tr("↑ ↓ choose   Enter take   Esc leave"), "muted")
        vbox(
            *(self.line, self.list, self._empty, hbox(keys, stretch())),
            into=self,
            gap=Space.S,
            margins=(Space.M, Space.M, Space.M, Space.S),
        )
        self.line.textChanged.connect(self._text_changed)
        self._slices.idle.connect(self._settle)
        theme.changed.connect(self._fit_soon)
        in_every_language(self, self._fit_soon)
        self.hide()

    @property
    def words(self) -> list[str]:
        """What is looked for."""
        return self.line.words

    @property
    def looking(self) -> bool:
        """Whether it is still being looked through."""
        return self._slices.busy

    def open(self, entries: Sequence[PaletteEntry]) -> None:
        """Show it, with these to choose from."""
        self._entries = {entry.key: entry for entry in entries}
        self._looked_up = {}
        self.line.clear()
        window = self.parentWidget()
        assert window is not None
        self._veil.show_over(window)
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)
        self._look()

    def add(self, entries: Sequence[PaletteEntry]) -> None:
        """More to choose from; one that is there already is replaced."""
        if entries:
            self._entries.update({entry.key: entry for entry in entries})
            self._look()

    def show_looked_up(self, source: str, text: str, entries: Sequence[PaletteEntry]) -> None:
        """What a source found for `text` by a search of its own: shown behind what fits by name."""
        if text == self.line.text().strip() and self._looked_up.get(source, ()) != tuple(entries):
            self._looked_up[source] = tuple(entries)
            self._look()

    def leave(self) -> None:
        """Go, with nothing chosen."""
        if self.isVisible():
            self.hide()
            self.left.emit()

    # What fits.

    def _text_changed(self) -> None:
        self._looked_up = {}
        self._look()
        self.typed.emit(self.line.text().strip())

    def _look(self) -> None:
        if self.isVisible():
            self._slices.start(self, self._show_fitting(self.words))

    def _show_fitting(self, words: list[str]) -> Iterator[None]:
        found: list[tuple[float, int, PaletteEntry, Fit]] = []
        for number, entry in enumerate(list(self._entries.values())):
            fit = entry.fit(words)
            if fit is not None:
                found.append((fit.score + self._recent.bonus(entry.key), -number, entry, fit))
            if number % _BATCH == _BATCH - 1:
                yield
        found.sort(key=itemgetter(0, 1), reverse=True)
        rows = _by_fit(found) if words else self._at_rest()
        known = {row.entry.key for row in rows if row.entry is not None}
        for looked_up in self._looked_up.values():
            rows += [PaletteRow(entry=entry) for entry in looked_up if entry.key not in known]
        self.list.show_rows(rows)

    def _at_rest(self) -> list[PaletteRow]:
        """Nothing is typed: what was chosen lately, and every command."""
        lately = [self._entries[key] for key in self._recent.keys if key in self._entries][:_MOST_ROWS]
        chosen = {entry.key for entry in lately}
        commands = [
            entry for entry in self._entries.values() if entry.kind == "command" and entry.key not in chosen
        ]
        rows = []
        for head, entries in ((self.tr("Recent"), lately), (self.tr("Commands"), commands)):
            if entries:
                rows += [PaletteRow(head=head), *(PaletteRow(entry=entry) for entry in entries)]
        return rows

    def _settle(self) -> None:
        """What was looked for is there: say so where there is nothing, and fit the height."""
        nothing = self.isVisible() and not self.list.rows.rows
        self._empty.setText(self.tr("Nothing here is called so.") if nothing else "")
        self._empty.setVisible(nothing)
        if nothing:
            announce(self, self._empty.text())
        self._place()

    def _take(self, entry: PaletteEntry) -> None:
        self._recent.note(entry.key)
        self.hide()
        self.chosen.emit(entry)

    def _tell_current(self, index: QModelIndex) -> None:
        if self.isVisible():
            announce(self.line, str(index.data(Qt.ItemDataRole.AccessibleTextRole) or ""))

    # Keys and place.

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self.leave()
                return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self.list.take_key(event)
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._slices.stop(self)
        self._veil.hide()
        super().hideEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        self.list.step(1 if forward else -1)
        return True

    def _fit_soon(self) -> None:
        if self.isVisible():
            QTimer.singleShot(0, self, self._place)

    def _place(self) -> None:
        """In the middle, a little under the top, as high as what it shows."""
        window = self.parentWidget()
        if window is None or not self.isVisible():
            return
        self._veil.setGeometry(window.rect())
        width = min(zoomed(_WIDEST), window.width() - 2 * Space.L)
        top = max(int(Space.L), window.height() // 9)
        self.setFixedWidth(width)
        self.list.fit(min(_MOST_ROWS * self.list.usual_height, window.height() - 2 * top - zoomed(110)))
        self.adjustSize()
        self.move((window.width() - width) // 2, top)


def _by_fit(found: Sequence[tuple[float, int, PaletteEntry, Fit]]) -> list[PaletteRow]:
    """What has the words; what is only like them, where nothing has them."""
    sure = [one for one in found if not one[3].alike]
    return [PaletteRow(entry=entry, marks=fit.marks) for _, _, entry, fit in (sure or found)[:MOST_FOUND]]


class _PaletteRows(RowsModel[PaletteRow]):
    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        row: PaletteRow | None = index.data(ROW_ROLE)
        return Qt.ItemFlag.NoItemFlags if row is None or row.entry is None else super().flags(index)

    def describe(self, row: PaletteRow, role: int) -> object:
        entry = row.entry
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.head if entry is None else f"{entry.title}, {entry_kind_words(entry.kind)}"
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and entry is not None:
            return " ".join(part for part in (entry.text, entry.keys) if part)
        return None


class PaletteList(RowsList):
    """What fits. `taken(entry)`. It never has the keyboard: keys are given to it."""

    taken = Signal(object)

    def __init__(self, theme: Theme) -> None:
        self.rows = _PaletteRows()
        super().__init__(self.rows, lambda: self.tr("What fits"))
        self._look = _PaletteLook(theme, self)
        self.setItemDelegate(self._look)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    @property
    def usual_height(self) -> int:
        """Of an entry with two lines."""
        return self._look.height(two_lines=True)

    @property
    def current(self) -> PaletteEntry | None:
        """What Enter would take."""
        row: PaletteRow | None = self.currentIndex().data(ROW_ROLE)
        return row.entry if row is not None else None

    def show_rows(self, rows: Sequence[PaletteRow]) -> None:
        """Show these; the first is the one that Enter takes."""
        self.rows.set_rows(rows)
        self.setVisible(bool(rows))
        self.scrollToTop()
        self.setCurrentIndex(QModelIndex())
        self.step(1)

    def fit(self, most_px: int) -> None:
        """As high as its rows, up to `most_px`."""
        option = QStyleOptionViewItem()
        height = 0
        for number in range(self.rows.rowCount()):
            height += self._look.sizeHint(option, self.rows.index(number)).height()
            if height >= most_px:
                break
        self.setFixedHeight(max(0, min(height, most_px)))

    def step(self, by: int) -> None:
        """Go that many entries on, not beyond the ends; heads are passed over."""
        entries = [number for number, row in enumerate(self.rows.rows) if row.entry is not None]
        if not entries:
            return
        now = self.currentIndex().row()
        place = entries.index(now) + by if now in entries else 0
        index = self.rows.index(entries[max(0, min(place, len(entries) - 1))])
        self.setCurrentIndex(index)
        if index.row() == entries[0]:
            self.scrollToTop()  # its head, too

    def take_key(self, event: QKeyEvent) -> bool:
        """Whether the key was for the list."""
        page = max(1, self.height() // self.usual_height - 1)
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_PageUp: -page,
        }
        key = Qt.Key(event.key())
        if key in steps:
            self.step(steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
        else:
            return False
        return True

    def _choose(self, index: QModelIndex) -> None:
        row: PaletteRow | None = index.data(ROW_ROLE)
        if row is not None and row.entry is not None:
            self.taken.emit(row.entry)


_PAD_X, _PAD_Y = 10, 6
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class _PaletteLook(QStyledItemDelegate):
    """A title in which what was meant is strong, its kind and keys at the right, a quiet line below."""

    def __init__(self, theme: Theme, view: PaletteList) -> None:
        super().__init__(view)
        self._theme = theme

    def height(self, *, two_lines: bool) -> int:
        """Of an entry."""
        sizes = self._theme.sizes
        first = QFontMetrics(self._theme.font(sizes.body)).height()
        second = QFontMetrics(self._theme.font(sizes.small)).height() + 1 if two_lines else 0
        return first + second + 2 * _PAD_Y

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row: PaletteRow = index.data(ROW_ROLE)
        if row.entry is None:
            return QSize(0, section_head_height(self._theme))
        return QSize(0, self.height(two_lines=bool(row.entry.text)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: PaletteRow = index.data(ROW_ROLE)
        theme = self._theme
        painter.save()
        if row.entry is None:
            paint_section_head(painter, option.rect.adjusted(_PAD_X, 0, -_PAD_X, 0), row.head, theme)
        else:
            states = QStyle.StateFlag
            if option.state & states.State_Selected:
                paint_ground(painter, option.rect, theme.color("accent_soft"), radius=Radius.CONTROL)
            elif option.state & states.State_MouseOver:
                paint_ground(painter, option.rect, theme.color("hover"), radius=Radius.CONTROL)
            self._paint_entry(painter, option.rect.adjusted(_PAD_X, _PAD_Y, -_PAD_X, -_PAD_Y), row, row.entry)
        painter.restore()

    def _paint_entry(self, painter: QPainter, rect: QRect, row: PaletteRow, entry: PaletteEntry) -> None:
        theme = self._theme
        small = theme.font(theme.sizes.small)
        beside = entry.keys or entry_kind_words(entry.kind)
        width = QFontMetrics(small).horizontalAdvance(beside)
        first = QRect(rect)
        if entry.text:
            first.setHeight(QFontMetrics(theme.font(theme.sizes.body)).height())
            second = QRect(rect.x(), first.bottom() + 2, rect.width(), rect.bottom() - first.bottom() - 1)
            paint_line(painter, second, entry.text, theme, points=theme.sizes.small, color="muted")
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        painter.drawText(first, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), beside)
        self._paint_title(painter, first.adjusted(0, 0, -width - Space.M, 0), entry.title, row.marks)

    def _paint_title(
        self, painter: QPainter, rect: QRect, title: str, marks: Sequence[tuple[int, int]]
    ) -> None:
        font = self._theme.font(self._theme.sizes.body)
        shown = QFontMetrics(font).elidedText(title, Qt.TextElideMode.ElideRight, rect.width())
        layout = QTextLayout(shown, font)
        layout.setFormats([_strong(start, end, self._theme.color("accent")) for start, end in marks])
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(rect.width() * 2)
        layout.endLayout()
        painter.setPen(self._theme.color("ink"))
        layout.draw(painter, rect.topLeft() + QRect(0, 0, 0, rect.height() - round(line.height())).center())


def _strong(start: int, end: int, color: QColor) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length = start, end - start
    strong = QTextCharFormat()
    strong.setForeground(color)
    strong.setFontWeight(600)
    found.format = strong
    return found
