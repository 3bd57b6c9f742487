"""How far a yes may reach beyond its run: chosen from a menu, never by a key that was meant otherwise."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from partner_desktop.desktop.card.guard import Guard, GuardedButton
from partner_desktop.desktop.card.words import reaches_freely, tr
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.permission import Scope

_CHOOSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Select)


class ScopeMenu(QMenu):
    """`chosen(scope)`. It deletes itself when it closes. Enter chooses only what the arrows went to."""

    chosen = Signal(str)

    def __init__(self, title: str, record: ActionRecord, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(title)
        self.setToolTipsVisible(True)
        placed = any(use.param for use in record.paths)
        freely = reaches_freely(record)
        bound = _bound(placed=placed, freely=freely)
        self._add(
            "conversation",
            _for(tr("Allow in this conversation"), record.program),
            _tip(tr("Until you take it back, it runs in this conversation without a question."), *bound),
        )
        self._add(
            "always",
            _for(_always(placed=placed, freely=freely), record.program),
            _tip(tr("Until you take it back, it runs in every conversation without a question."), *bound),
        )
        if placed or freely:
            self._add(
                "everywhere",
                _for(
                    tr("Always allow with any arguments") if freely else tr("Always allow everywhere"),
                    record.program,
                ),
                _tip(tr("Until you take it back, it runs on all files and folders without a question.")),
            )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _CHOOSES and (event.isAutoRepeat() or self.activeAction() is None):
            event.accept()
        else:
            super().keyPressEvent(event)

    def _add(self, scope: Scope, words: str, tip: str) -> None:
        action = self.addAction(words)
        action.setData(scope)
        set_tip(action, tip)
        action.triggered.connect(lambda: self.chosen.emit(scope))


def _for(words: str, program: str) -> str:
    """A program's call is allowed to that program alone, by the name that it gives itself."""
    if not program:
        return words
    return tr("{choice}, asked for by “{program}”").format(choice=words, program=program.replace("&", "&&"))


def _always(*, placed: bool, freely: bool) -> str:
    if freely:
        return tr("Always allow with these arguments")
    return tr("Always allow on these places") if placed else tr("Always allow")


def _bound(*, placed: bool, freely: bool) -> tuple[str, ...]:
    """What a yes is for, where it is not for all runs."""
    if freely:
        return (tr("That is for exactly these arguments; others ask again."),)
    words = tr("That is for the files and folders on this card and what lies in them; others ask again.")
    return (words,) if placed else ()


def _tip(words: str, *bound: str) -> str:
    return " ".join((words, *bound, tr("Once it is edited, it asks again.")))


class ScopeButton(GuardedButton):
    """`scope_chosen(scope)`, from the menu that it opens."""

    scope_chosen = Signal(str)

    def __init__(self, guard: Guard, record: ActionRecord) -> None:
        super().__init__(
            guard,
            tr("Allow…"),
            "plain",
            name=tr("Allow more than once…: {title}").format(title=record.title),
        )
        self._record = record
        self.clicked.connect(self._open)

    def _open(self) -> None:
        if not self._guard.open:
            return
        menu = ScopeMenu(self.accessibleName(), self._record, self)
        menu.chosen.connect(self.scope_chosen)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))
