"""The palette itself: a line to type in over the window, and below it what fits.

Contract: the keyboard stays in the line; Up, Down, Page Up and Page Down choose among what fits, Enter takes
it, Esc and a click elsewhere leave. Very many entries are looked through in slices: the line never waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TypeAlias

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.palette.palette_entry import Fit, PaletteEntry, entry_kind_words
from partner_desktop.desktop.palette.recent_choices import RecentChoices
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import SearchField, text_label
from partner_desktop.desktop.parts.veil import WindowSheet
from partner_desktop.desktop.rows.choice_list import ChoiceList
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec, head_row
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Space, Theme, set_look, zoomed
from partner_desktop.desktop.wording import announce

_WIDEST, _MOST_PX = 640, 400
_MOST_RECENT = 9
_LONGEST = 200
#: More are not shown: whoever looks further types another letter.
MOST_FOUND = 100
#: Entries that are looked through between two pauses.
_BATCH = 25


PaletteRow: TypeAlias = RowSpec[PaletteEntry | None]


class Palette(WindowSheet):
    """`typed(text)` with each change; `chosen(entry)`; `left()` when it goes without a choice."""

    typed = Signal(str)
    chosen = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, recent: RecentChoices, parent: QWidget) -> None:
        super().__init__(parent, lambda: self.tr("Find anything"))
        self._recent = recent
        self._entries: dict[str, PaletteEntry] = {}
        self._looked_up: dict[str, tuple[PaletteEntry, ...]] = {}
        self._anew = True
        """Whether something else is looked for: what comes later to the same words moves no mark."""
        self._slices = Slices(self)
        self.line = SearchField(lambda: self.tr("Type what you want to do or find"))
        set_look(self.line, "search")
        self.line.setMaxLength(_LONGEST)
        self.line.installEventFilter(self)
        self.list = ChoiceList[PaletteEntry | None](theme, lambda: self.tr("What fits"))
        self.list.chosen.connect(self._take)
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

    @property
    def words(self) -> list[str]:
        return self.line.words

    @property
    def entries(self) -> list[PaletteEntry]:
        """What can be chosen, in order."""
        return [entry for entry in self.list.entries if entry is not None]

    @property
    def looking(self) -> bool:
        """Whether it is still being looked through."""
        return self._slices.busy

    def open(self, entries: Sequence[PaletteEntry]) -> None:
        """Show it, with these to choose from."""
        self._entries = {entry.key: entry for entry in entries}
        self._looked_up = {}
        self._anew = True
        self.line.clear()
        self.lay_over()
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
        if self.isVisible():
            self.hide()
            self.left.emit()

    # What fits.

    def _text_changed(self) -> None:
        self._looked_up = {}
        self._anew = True
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
        known = {row.key for row in rows}
        for looked_up in self._looked_up.values():
            rows += [_row_of(entry) for entry in looked_up if entry.key not in known]
        self.list.show_found(rows, anew=self._anew)
        self._anew = False

    def _at_rest(self) -> list[PaletteRow]:
        """Nothing is typed: what was chosen lately, and every command."""
        lately = [self._entries[key] for key in self._recent.keys if key in self._entries][:_MOST_RECENT]
        chosen = {entry.key for entry in lately}
        commands = [
            entry for entry in self._entries.values() if entry.kind == "command" and entry.key not in chosen
        ]
        rows: list[PaletteRow] = []
        for head, entries in ((self.tr("Recent"), lately), (self.tr("Commands"), commands)):
            if entries:
                rows += [head_row(head, head, None), *map(_row_of, entries)]
        return rows

    def _settle(self) -> None:
        """What was looked for is there: say so where there is nothing, and fit the height."""
        nothing = self.isVisible() and not self.list.rows.rows
        self._empty.setText(self.tr("Nothing here is called so.") if nothing else "")
        self._empty.setVisible(nothing)
        if nothing:
            announce(self, self._empty.text())
        self.refit()

    def _take(self, row: PaletteRow) -> None:
        if row.about is not None:
            self._recent.note(row.key)
            self.hide()
            self.chosen.emit(row.about)

    def _tell_current(self, index: QModelIndex) -> None:
        row = self.list.row_at(index)
        if self.isVisible() and row is not None:
            announce(self.line, row.words)

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
        super().hideEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        self.list.step(1 if forward else -1)
        return True

    def refit(self) -> None:
        """In the middle, a little under the top, as high as what it shows."""
        window = self.parentWidget()
        if window is None or not self.isVisible():
            return
        self.veil.setGeometry(window.rect())
        width = min(zoomed(_WIDEST), window.width() - 2 * Space.L)
        top = max(int(Space.L), window.height() // 9)
        self.setFixedWidth(width)
        self.list.fit(min(zoomed(_MOST_PX), window.height() - 2 * top - zoomed(110)))
        self.adjustSize()
        self.move((window.width() - width) // 2, top)


def _by_fit(found: Sequence[tuple[float, int, PaletteEntry, Fit]]) -> list[PaletteRow]:
    """What has the words; what is only like them, where nothing has them."""
    sure = [one for one in found if not one[3].alike]
    return [_row_of(entry, fit.marks) for _, _, entry, fit in (sure or found)[:MOST_FOUND]]


def _row_of(entry: PaletteEntry, marks: tuple[tuple[int, int], ...] = ()) -> PaletteRow:
    lines = (RowLine(entry.text),) if entry.text else ()
    moment = entry.keys or entry_kind_words(entry.kind)
    kind = "two lines" if lines else "one line"
    return RowSpec(entry.key, entry.title, entry, kind=kind, moment=moment, lines=lines, marks=marks)
