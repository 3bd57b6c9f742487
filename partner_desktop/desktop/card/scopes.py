"""How far a yes may reach beyond its run: chosen from a menu, never by a key that was meant otherwise."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from partner_desktop.desktop.card.guard import Guard, GuardedButton
from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.domain.permission import Scope

_CHOOSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Select)


class ScopeMenu(QMenu):
    """`chosen(scope)`. It deletes itself when it closes. Enter chooses only what the arrows went to."""

    chosen = Signal(str)

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(title)
        self.setToolTipsVisible(True)
        self._add(
            "conversation",
            tr("Allow in this conversation"),
            tr("Until you take it back, it runs here without a question. Once it is edited, it asks again."),
        )
        self._add(
            "always",
            tr("Always allow"),
            tr(
                "Until you take it back, it runs everywhere without a question. "
                "Once it is edited, it asks again."
            ),
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


class ScopeButton(GuardedButton):
    """`scope_chosen(scope)`, from the menu that it opens."""

    scope_chosen = Signal(str)

    def __init__(self, guard: Guard, title: str) -> None:
        super().__init__(
            guard,
            tr("Allow…"),
            "plain",
            name=tr("Allow more than once…: {title}").format(title=title),
        )
        self._title = title
        self.clicked.connect(self._open)

    def _open(self) -> None:
        if not self._guard.open:
            return
        menu = ScopeMenu(self.accessibleName(), self)
        menu.chosen.connect(self.scope_chosen)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))
