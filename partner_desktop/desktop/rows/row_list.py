"""The list of the window: very many rows to choose, open, switch, fold and rename, by hand or by key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QWidget

from partner_desktop.desktop.parts.controls import FilterField, on_escape
from partner_desktop.desktop.rows.placed_view import PlacedView, RowSheet, no_sheet
from partner_desktop.desktop.rows.row_model import RowModel
from partner_desktop.desktop.rows.row_painter import CARDS, RowControl, RowLook, RowPainter, RowParts
from partner_desktop.desktop.rows.row_spec import RowSpec, RowVerb, T
from partner_desktop.desktop.rows.title_editor import TitleEditor
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.desktop.wording import LazyText, bind_text

_USUAL_ROW_PX = 72
#: So much below the view is asked for before it is needed.
_AHEAD_PX = 1_200
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_LEFT = Qt.MouseButton.LeftButton
_STEPS = QAbstractItemView.CursorAction
_MOVES = {
    Qt.Key.Key_Up: _STEPS.MoveUp,
    Qt.Key.Key_Down: _STEPS.MoveDown,
    Qt.Key.Key_PageUp: _STEPS.MovePageUp,
    Qt.Key.Key_PageDown: _STEPS.MovePageDown,
    Qt.Key.Key_Home: _STEPS.MoveHome,
    Qt.Key.Key_End: _STEPS.MoveEnd,
}
_FOLDS = {Qt.Key.Key_Left: True, Qt.Key.Key_Right: False}
_COMMANDS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)


def no_verbs(row: RowSpec[T]) -> Iterable[RowVerb]:
    """Of lists whose rows have no menu."""
    del row
    return ()


class RowList(PlacedView[T]):
    """`chosen(row)` by Enter or a click, where it does not open; `opened(row)` when what is below it is made.

    `asked(verb, row)` by the menu, by a verb's key, by a switch (`switch`), by a link, or in what is open;
    `fold_wanted(row, folded)`; `renamed(key, title)`; `typed(text)` to look for, while `seeks`;
    `older_wanted()` near the end. Space switches what has a switch, Left and Right fold and open.

    Where it `picks` rows of a kind, several can be picked, for what is done with all of them: with Ctrl or
    Shift and a click, Shift and an arrow, Ctrl+Space, Ctrl+A; Esc, or anything else, lets go of them.
    `picked_changed()`.
    """

    chosen = Signal(object)
    asked = Signal(str, object)
    opened = Signal(object)
    fold_wanted = Signal(object, bool)
    renamed = Signal(str, str)
    typed = Signal(str)
    older_wanted = Signal()
    picked_changed = Signal()

    def __init__(
        self,
        theme: Theme,
        name: LazyText,
        *,
        look: RowLook = CARDS,
        about: LazyText = "",
        verbs: Callable[[RowSpec[T]], Iterable[RowVerb]] = no_verbs,
        more_verbs: Callable[[], Iterable[RowVerb]] = tuple,
        sheet: Callable[[RowSpec[T]], RowSheet[T]] = no_sheet,
        grows: bool = False,
    ) -> None:
        """`about`: what keys do in it, for screen readers; `more_verbs`: at the end of every menu, about the
        list itself: with one of them, `asked` tells of no row; `grows`: it is as high as its rows."""
        self.painter = RowPainter(theme, look)
        super().__init__(RowModel(), self.painter, self._make_sheet, grows=grows)
        self._sheet_for = sheet
        self.seeks = False
        """Whether letters that are typed are told, in place of leading to a row that begins with them."""
        self.only_switches = False
        """Whether Space does nothing where there is no switch, in place of what Enter does."""
        self.chooses = ""
        """Rows of this kind are chosen at present, though they open."""
        self.twice = ""
        """The verb of a double click; without one it is a second click."""
        self.picks = ""
        """The kind of the rows of which several can be picked; empty: none can."""
        self._anchor = ""
        self._verbs = verbs
        self._more_verbs = more_verbs
        self._pressed: tuple[RowControl, str] | None = None
        self._editor: TitleEditor | None = None
        self.menu = QMenu(self)
        """Filled anew each time it opens."""
        bind_text(self, self.setAccessibleName, name)
        bind_text(self, self.setAccessibleDescription, about)
        on_escape(self, self.let_go, when=lambda: self._picked)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.verticalScrollBar().valueChanged.connect(self.look_for_end)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)

    # What it shows.

    def show_rows(self, rows: Sequence[RowSpec[T]]) -> None:
        """Others; what is open, marked and in view stays so where it is still there."""
        marked, scrolled = self.marked, self.verticalScrollBar().value()
        self.rows.set_rows(rows)
        self._open.keep({row.key: row for row in rows})
        self._hovered = -1
        if self._picked:
            self._pick(key for key in self._picked if self.rows.place(key) is not None)
        if self.rows.place(marked) is not None:
            self.mark(marked)
        self.lay_out()
        self.verticalScrollBar().setValue(scrolled)

    def add_rows(self, rows: Sequence[RowSpec[T]]) -> None:
        """More of the same, below the others."""
        self.rows.add_rows(rows)
        self.look_for_end()

    def renew(self, row: RowSpec[T]) -> None:
        """One of the rows is otherwise now; it is as high as before."""
        at = self.rows.place(row.key)
        if at is not None:
            self.rows.replace(at, row)
            sheet = self._open.of(row)
            if sheet is not None:
                sheet.show_row(row)
            self.viewport().update()

    def look_for_end(self) -> None:
        """Ask for more where little is left to scroll."""
        bar = self.verticalScrollBar()
        if self.isVisible() and bar.maximum() - bar.value() < _AHEAD_PX:
            self.older_wanted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.look_for_end()

    # What is marked, chosen and open.

    def row_at(self, index: QModelIndex | QPersistentModelIndex) -> RowSpec[T] | None:
        """`None` for no row."""
        return self.rows.rows[index.row()] if index.isValid() else None

    @property
    def marked(self) -> str:
        """The key of the row that the keyboard is on; empty: none."""
        row = self.row_at(self.currentIndex())
        return row.key if row is not None else ""

    def mark(self, key: str) -> None:
        """Put the keyboard's mark on a row; where there is no such row, on none."""
        index = self.rows.index_of(key)
        if index != self.currentIndex():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.viewport().update()

    def show_chosen(self, key: str) -> None:
        """The row that is open elsewhere, and comes into view here; empty: none."""
        before, self._chosen = self._chosen, key
        if self._editor is None and (key != before or not self.hasFocus()):
            self.mark(key)
        if key != before:
            self.scrollTo(self.rows.index_of(key))
        self.viewport().update()

    @property
    def picked(self) -> list[RowSpec[T]]:
        """The rows that are picked, in order."""
        return [row for row in self.rows.rows if row.key in self._picked] if self._picked else []

    def let_go(self) -> None:
        """Nothing is picked any more."""
        if self._picked:
            self._pick(())

    def _pick(self, keys: Iterable[str]) -> None:
        before, self._picked = self._picked, set(keys)
        self.viewport().update()
        if self._picked != before:
            self.picked_changed.emit()

    def _pick_one(self, key: str) -> None:
        """One more, or one less."""
        self._anchor = key
        self._pick(self._picked ^ {key})

    def _pick_to(self, key: str) -> None:
        """All from where it began to here."""
        ends = [self.rows.place(self._anchor), self.rows.place(key)]
        places = [at for at in ends if at is not None]
        within = self.rows.rows[min(places) : max(places) + 1] if places else ()
        self._pick(row.key for row in within if row.kind == self.picks)

    def _pick_by_key(self, event: QKeyEvent) -> bool:
        """Whether the key picked something."""
        held = event.modifiers() & (_COMMANDS | Qt.KeyboardModifier.ShiftModifier)
        row, key = self.row_at(self.currentIndex()), event.key()
        if held == Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_A:
            self._pick(each.key for each in self.rows.rows if each.kind == self.picks)
        elif held == Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_Space:
            if row is not None and row.kind == self.picks:
                self._pick_one(row.key)
        elif held == Qt.KeyboardModifier.ControlModifier and key in _MOVES:
            self._move_mark(_MOVES[Qt.Key(key)])
        elif held == Qt.KeyboardModifier.ShiftModifier and key in _MOVES:
            if not self._picked or self.rows.place(self._anchor) is None:
                self._anchor = self.marked
            self._move_mark(_MOVES[Qt.Key(key)])
            self._pick_to(self.marked)
        else:
            return False
        return True

    def _move_mark(self, action: QAbstractItemView.CursorAction) -> None:
        index = self.moveCursor(action, Qt.KeyboardModifier.NoModifier)
        row = self.row_at(index)
        if row is not None:
            self.mark(row.key)
            self.scrollTo(index)

    def is_selected(self, key: str) -> bool:
        """Whether a row is what is open elsewhere; while some are picked, whether it is one of them."""
        return key in self._picked if self._picked else key == self._chosen

    def verbs_of(self, row: RowSpec[T]) -> tuple[RowVerb, ...]:
        """What can be done with a row, besides what Enter does."""
        return tuple(self._verbs(row))

    def is_open(self, key: str) -> bool:
        return key in self._open

    def key_of(self, sheet: QWidget) -> str:
        """The row below which this stands; empty: none."""
        return next((key for key in self._open if self._open.at(key) is sheet), "")

    def sheet_of(self, row: RowSpec[T]) -> RowSheet[T] | None:
        """What stands below an open row; made when it is first laid out."""
        return self._open.of(row)

    def set_open(self, key: str, *, is_open: bool) -> None:
        row = self.row_at(self.rows.index_of(key))
        if row is None or row.kind == "head" or (key in self._open) == is_open:
            return
        if is_open:
            self._open.open(key)
        else:
            self._open.close(key)
        self.lay_out()

    def _make_sheet(self, row: RowSpec[T]) -> RowSheet[T]:
        sheet = self._sheet_for(row)
        sheet.asked.connect(self.asked)
        QTimer.singleShot(0, sheet, lambda: self.opened.emit(row))
        return sheet

    def parts_of(self, key: str) -> RowParts:
        """Where everything of a row stands in the view."""
        index = self.rows.index_of(key)
        return self.painter.parts(self._own_rect(index), self.rows.rows[index.row()])

    def begin(self) -> None:
        """Take the keyboard, on the first row."""
        self.setFocus(Qt.FocusReason.TabFocusReason)
        self.setCurrentIndex(self._reachable(range(len(self.rows.rows)), -1))

    # What is done.

    def act(self, index: QModelIndex | QPersistentModelIndex) -> None:
        """Enter and a click: open or close what opens, choose what does not."""
        row = self.row_at(index)
        if row is None or not row.reachable:
            return
        if row.kind == "head":
            self._follow_link(row)
        elif row.folds:
            self.fold_wanted.emit(row, not row.folded)
        elif row.opens and row.kind != self.chooses:
            self.set_open(row.key, is_open=row.key not in self._open)
            self.scrollTo(self.rows.index_of(row.key))
        else:
            self.chosen.emit(row)

    def _act_on(self, control: RowControl, row: RowSpec[T], place: QPoint) -> None:
        if control == "menu":
            self.open_menu(row, place)
        elif control == "switch":
            self.asked.emit("switch", row)
        elif control == "fold":
            self.fold_wanted.emit(row, not row.folded)
        elif control == "link":
            self._follow_link(row)
        else:
            self.act(self.rows.index_of(row.key))

    def _follow_link(self, row: RowSpec[T]) -> None:
        if row.link is not None:
            self.asked.emit(row.link.name, row)

    def open_menu(self, row: RowSpec[T] | None, place: QPoint) -> None:
        """What can be done with a row, `None`: with the list; at a place of the view."""
        if self.menu.isVisible():  # some systems send both the key and the wish for a menu
            return
        self.menu.clear()
        self.menu.setAccessibleName(row.title if row is not None else self.accessibleName())
        if row is not None and row.key not in self._picked:
            self.let_go()  # it is about this one
        self._fill_menu(row)
        if not self.menu.isEmpty():
            self.menu.popup(self.viewport().mapToGlobal(place))

    def _fill_menu(self, row: RowSpec[T] | None) -> None:
        for verb in self._verbs(row) if row is not None else ():
            self._add_to_menu(verb, row)
        for verb in self._more_verbs():
            self._add_to_menu(verb, None)

    def _add_to_menu(self, verb: RowVerb, row: RowSpec[T] | None) -> None:
        if verb.parted:
            self.menu.addSeparator()
        menu = self._menu_under(verb.under) if verb.under else self.menu
        words = verb.words.replace("&", "&&")  # a person's own may be among them
        action = menu.addAction(f"{words}\t{verb.key}" if verb.key else words)
        action.setCheckable(verb.checked is not None)
        action.setChecked(bool(verb.checked))
        action.setData(verb.name)
        action.triggered.connect(lambda _=False: self.asked.emit(verb.name, row))

    def _menu_under(self, words: str) -> QMenu:
        """The smaller menu that was begun last, or another one."""
        last = self.menu.actions()[-1].menu() if self.menu.actions() else None
        return last if isinstance(last, QMenu) and last.title() == words else self.menu.addMenu(words)

    def rename(self, key: str) -> None:
        """Write the title in place; the rows may move meanwhile."""
        if self.rows.place(key) is None:
            return
        self.mark(key)
        row = self.rows.rows[self.rows.index_of(key).row()]
        self._editor = TitleEditor(self.viewport(), row.title)
        self._editor.setGeometry(self.parts_of(key).card)
        self._editor.saved.connect(lambda title: self.renamed.emit(key, title))
        self._editor.left.connect(self._end_rename)
        self._editor.begin()

    def _end_rename(self) -> None:
        editor, self._editor = self._editor, None
        if editor is not None and editor.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    # The keyboard.

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        del modifiers
        now, page = self.currentIndex().row(), max(1, self.viewport().height() // _USUAL_ROW_PX)
        return self._reachable(rows_towards(action, now, len(self.rows.rows), page=page), now)

    def _reachable(self, wanted: range, now: int) -> QModelIndex:
        at = next((at for at in wanted if self.rows.rows[at].reachable), now)
        return self.rows.index(at) if at >= 0 else QModelIndex()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.row_at(self.currentIndex())
        text, held = event.text(), event.modifiers() & _COMMANDS
        if self.picks and self._pick_by_key(event):
            event.accept()
            return
        if event.key() in _MOVES and not held:
            self.let_go()
        if self._picked:
            row = self.picked[0]  # the mark may have gone on to another one
        if _wants_menu(event):
            self.open_menu(row, self.visualRect(self.currentIndex()).bottomLeft())
        elif event.key() in _ENTER and not held:
            self._act_by_key(event)
        elif event.key() == Qt.Key.Key_Space and not held:
            self._press_space(row, event)
        elif event.key() in _FOLDS and row is not None:
            self._fold(row, folded=_FOLDS[Qt.Key(event.key())])
        elif row is not None and self._verb_of_key(row, event):
            event.accept()
        elif self.seeks and text.isprintable() and text.strip() and not held:
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def _press_space(self, row: RowSpec[T] | None, event: QKeyEvent) -> None:
        if row is not None and row.on is not None:
            if not event.isAutoRepeat():
                self.asked.emit("switch", row)
        elif not self.only_switches:
            self._act_by_key(event)

    def _act_by_key(self, event: QKeyEvent) -> None:
        if not event.isAutoRepeat():
            self.act(self.currentIndex())

    def _verb_of_key(self, row: RowSpec[T], event: QKeyEvent) -> bool:
        """Whether a verb of the row has this key; it is asked for then."""
        key = QKeySequence(event.keyCombination()).toString()
        verb = next((verb for verb in self._verbs(row) if verb.key and verb.key == key), None)
        if verb is not None:
            self.asked.emit(verb.name, row)
        return verb is not None

    def _fold(self, row: RowSpec[T], *, folded: bool) -> None:
        """Left on an inner row goes to its outer one, which the next Left folds."""
        if row.opens:
            self.set_open(row.key, is_open=not folded)
        elif row.folded is not None:
            self.fold_wanted.emit(row, folded)
        elif row.inner and folded:
            before = self.rows.rows[: self.currentIndex().row()]
            self.mark(next((each.key for each in reversed(before) if not each.inner), row.key))
            self.scrollTo(self.currentIndex())

    def focusInEvent(self, event: QEvent) -> None:
        """The keyboard needs a row to be on."""
        super().focusInEvent(event)  # type: ignore[arg-type] # Qt gives a QFocusEvent
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self._reachable(range(len(self.rows.rows)), -1))
        self.viewport().update()

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Tab has led into a sheet: it comes into view."""
        if now is not None and now is not self.viewport() and self.viewport().isAncestorOf(now):
            self._bring(QRect(now.mapTo(self.viewport(), QPoint(0, 0)), now.size()))

    # The mouse.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The row under it is marked; the keyboard stays where it is."""
        self._pressed = self._under(event.position().toPoint()) if event.button() is _LEFT else None
        if self._pressed is not None:
            key, before = self._pressed[1], self.marked
            self.mark(key)
            if self.picks and self._pick_by_mouse(key, before, event.modifiers()):
                self._pressed = None
            elif key not in self._picked or not self._pressed[0]:
                self.let_go()

    def _pick_by_mouse(self, key: str, before: str, held: Qt.KeyboardModifier) -> bool:
        """Whether the press picked something; `before`: where the mark was."""
        row = self.row_at(self.rows.index_of(key))
        if row is None or row.kind != self.picks:
            return False
        if held & Qt.KeyboardModifier.ShiftModifier:
            if not self._picked or self.rows.place(self._anchor) is None:
                self._anchor = before or self._chosen or key
            self._pick_to(key)
        elif held & Qt.KeyboardModifier.ControlModifier:
            self._pick_one(key)
        else:
            return False
        self.setFocus(Qt.FocusReason.MouseFocusReason)  # the next key is for what is picked
        return True

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        place = event.position().toPoint()
        if pressed is not None and self._under(place) == pressed:
            row = self.rows.rows[self.rows.index_of(pressed[1]).row()]
            self._act_on(pressed[0], row, place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A quick second click is a second click, where it means nothing of its own."""
        under = self._under(event.position().toPoint())
        if self.twice and under is not None and not under[0]:
            self.asked.emit(self.twice, self.rows.rows[self.rows.index_of(under[1]).row()])
        else:
            self.mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """By the mouse for the row under it; by the keyboard for the current row."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            row = self.row_at(self.currentIndex())
            self.open_menu(row, self.visualRect(self.currentIndex()).center())
        else:
            self.open_menu(self.row_at(self.indexAt(event.pos())), event.pos())

    def _under(self, place: QPoint) -> tuple[RowControl, str] | None:
        """Which control of which row; what is open below a row is neither."""
        index = self.indexAt(place)
        row, own = self.row_at(index), self._own_rect(index)
        if row is None or not own.contains(place):
            return None
        control = self.painter.control_at(own, row, place)
        if row.kind == "head" and not control:
            return None
        return control, row.key

    def _own_rect(self, index: QModelIndex) -> QRect:
        rect, row = self.visualRect(index), self.row_at(index)
        if row is not None:
            rect.setHeight(self.painter.height(row, rect.width()))
        return rect

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._at(round(event.position().y())))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)

    def _hover(self, at: int) -> None:
        if at != self._hovered:
            self._hovered = at
            self.viewport().update()


def rows_towards(action: QAbstractItemView.CursorAction, now: int, count: int, *, page: int) -> range:
    """The rows to try, best first, from row `now` of `count`; `page` is how many a view shows."""
    steps = QAbstractItemView.CursorAction
    ways = {
        steps.MoveUp: range(now - 1, -1, -1),
        steps.MovePrevious: range(now - 1, -1, -1),
        steps.MoveDown: range(now + 1, count),
        steps.MoveNext: range(now + 1, count),
        steps.MovePageUp: range(max(0, now - page), count),
        steps.MovePageDown: range(min(count - 1, now + page), -1, -1),
        steps.MoveHome: range(count),
        steps.MoveEnd: range(count - 1, -1, -1),
    }
    return ways.get(action, range(0))


def _wants_menu(event: QKeyEvent) -> bool:
    shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    return event.key() == Qt.Key.Key_Menu or (event.key() == Qt.Key.Key_F10 and shifted)


class RowFilter(FilterField):
    """Looks for words in a list: Down and Enter go there, what is typed there goes on here, Esc empties it
    first, and only then is the window's."""

    def __init__(self, below: RowList[T], name: LazyText) -> None:
        super().__init__(name)
        set_look(self, "")
        self._below: RowList[T] = below
        below.seeks = True
        below.typed.connect(self._take)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, *_ENTER):
            if self._below.isVisible() and self._below.rows.rows:
                self._below.begin()
        else:
            super().keyPressEvent(event)

    def _take(self, text: str) -> None:
        if self.isVisible():
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.insert(text)
