"""What may be meant by what is being written in the composer behind an `@` or a `/`: a short list over it,
gone through with the arrow keys.

It never takes the keyboard: whoever writes goes on writing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.rows.choice_list import ChoiceList
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec
from partner_desktop.desktop.theme.theme import Theme, zoomed
from partner_desktop.desktop.wording import LazyText, announce, resolve_text, tr

_MOST_PX, _WIDEST_PX = 300, 600
_AIR = 6


@dataclass(frozen=True)
class Completion:
    """One thing that may be meant."""

    key: str
    title: str
    take: Callable[[], object] = field(compare=False)
    """What choosing it does."""
    take_words: Callable[[], object] | None = field(default=None, compare=False)
    """What choosing it by Tab does, where that is something else."""
    text: str = ""
    """A second line."""
    moment: str = ""
    """Small, at the end of the first."""
    marks: tuple[tuple[int, int], ...] = ()
    """Stretches of the title that were meant."""


class CompletionList(QFrame):
    """`chosen(completion, by_tab)` by a key or the mouse, before anything comes of it; `left()` by Escape;
    `answered()`: what fits is shown, or nothing does."""

    chosen = Signal(object, bool)
    left = Signal()
    answered = Signal()

    def __init__(self, theme: Theme, over: QWidget) -> None:
        super().__init__(over.window())
        self.setObjectName("completions")
        self._over = over
        self._name: LazyText = lambda: tr("What fits")
        self.list = ChoiceList[Completion](theme, lambda: resolve_text(self._name))
        self.list.chosen.connect(lambda row: self._take(row.about))
        self.list.selectionModel().currentChanged.connect(self._tell_current)
        self._hint = text_label("", "muted")
        self._hint.setContentsMargins(10, 0, 10, 2)
        vbox(self.list, self._hint, into=self, gap=2, margins=(4, 4, 4, 4))
        self.hide()

    @property
    def offered(self) -> list[Completion]:
        """What can be chosen, in order."""
        return self.list.entries

    def offer(self, offered: Sequence[Completion], *, name: LazyText, hint: LazyText = "") -> None:
        """Show these, the first of them ready to be taken; none: nothing is shown."""
        if offered:
            self._show(offered, name, hint)
        else:
            self.leave()
        self.answered.emit()

    def _show(self, offered: Sequence[Completion], name: LazyText, hint: LazyText) -> None:
        self._name = name
        self.list.setAccessibleName(resolve_text(name))
        self._hint.setText(resolve_text(hint))
        self._hint.setVisible(bool(self._hint.text()))
        appears = not self.isVisible()
        if self.parentWidget() is not self._over.window():
            self.setParent(self._over.window())
        self.show()
        self.list.show_found([_row_of(each) for each in offered], anew=True)
        self._place()
        if appears:
            announce(self._over, f"{resolve_text(name)}: {self.list.rows.rows[0].words}")

    def leave(self) -> None:
        self.hide()

    def takes_key(self, event: QKeyEvent) -> bool:
        """Whether a key that was pressed in the text is one of the list's."""
        taken = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
        if not self.isVisible() or event.modifiers() & (taken | Qt.KeyboardModifier.AltModifier):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
            self.left.emit()
        elif event.key() == Qt.Key.Key_Tab:
            self.take_marked(by_tab=True)
        else:
            return self.list.take_key(event)
        return True

    def take_marked(self, *, by_tab: bool = False) -> bool:
        """Choose what Enter, or Tab, would; false where nothing is shown."""
        shown = self.offered if self.isVisible() else []
        marked = next((each for each in shown if each.key == self.list.marked), None)
        if marked is not None:
            self._take(marked, by_tab=by_tab)
        return marked is not None

    def _take(self, taken: Completion, *, by_tab: bool = False) -> None:
        self.leave()
        self.chosen.emit(taken, by_tab)
        (taken.take_words if by_tab and taken.take_words is not None else taken.take)()

    def _tell_current(self, index: QModelIndex) -> None:
        row = self.list.row_at(index)
        if self.isVisible() and row is not None:
            announce(self._over, row.words)

    def _place(self) -> None:
        """Right over the composer, as high as its rows."""
        at = self._over.mapTo(self._over.window(), QPoint(0, 0))
        self.setFixedWidth(min(self._over.width(), zoomed(_WIDEST_PX)))
        self.list.setFixedWidth(self.width() - 10)
        self.list.fit(min(zoomed(_MOST_PX), at.y() - zoomed(60)))
        self.adjustSize()
        self.move(at.x(), max(0, at.y() - self.height() - _AIR))
        self.raise_()


def _row_of(completion: Completion) -> RowSpec[Completion]:
    lines = (RowLine(completion.text),) if completion.text else ()
    return RowSpec(
        completion.key,
        completion.title,
        completion,
        kind="two lines" if lines else "one line",
        moment=completion.moment,
        lines=lines,
        marks=completion.marks,
    )
