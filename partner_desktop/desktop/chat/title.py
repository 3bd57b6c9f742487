"""A title that a click on it, Enter or F2 turns into a field."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QLineEdit, QStackedLayout, QWidget

from partner_desktop.desktop.parts.escape import on_escape
from partner_desktop.desktop.parts.labels import ElidedLabel
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.wording import in_every_language, say

_LONGEST = 200
#: Room between the words and the line around them.
_PAD = 6
_BEGIN = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2)


class EditableTitle(QWidget):
    """`changed(title)` when another was written: Enter or leaving the field takes it, Esc does not."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._editable = False
        self._by_keys = False
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.label = ElidedLabel("", "title")
        self.field = QLineEdit()
        say(self.field, self.field.setAccessibleName, lambda: self.tr("New title"))
        self.field.setMaxLength(_LONGEST)
        set_look(self.field, "rename")
        self.field.editingFinished.connect(self._finish)
        on_escape(self.field, self._stop)
        self._layout = QStackedLayout(self)
        self._layout.addWidget(self.label)
        self._layout.addWidget(self.field)
        self.label.setContentsMargins(_PAD, 0, _PAD, 0)
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        in_every_language(self, self._offer)

    def show_title(self, title: str, *, editable: bool) -> None:
        """Show it; what is being written stays where the title did not change."""
        other = title != self.label.text()
        self._editable = editable
        self._offer()
        self.label.set_text(title)
        if other or not editable:
            self._stop()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and event.position().x() < self._words_width():
            self._begin(by_keys=False)
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._begin(by_keys=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _BEGIN and self.hasFocus():
            self._begin(by_keys=True)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        role = QPalette.ColorRole
        if self._editable and self.label.isVisible() and (self.hasFocus() or self.underMouse()):
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.palette().color(role.Highlight if self.hasFocus() else role.Mid), 1))
            rect = QRectF(0.5, 0.5, self._words_width() - 1, self.height() - 1)
            painter.drawRoundedRect(rect, _PAD, _PAD)
            painter.end()

    def _words_width(self) -> int:
        return min(self.width(), self.label.sizeHint().width())

    def _offer(self) -> None:
        """Where it can be rewritten, say so to the mouse, the keyboard and the screen reader."""
        policy = Qt.FocusPolicy
        self.setFocusPolicy(policy.TabFocus if self._editable else policy.NoFocus)
        set_tip(self, self.tr("Rename") if self._editable else "")
        self.setAccessibleName(self.tr("Rename the conversation") if self._editable else "")

    def _begin(self, *, by_keys: bool) -> None:
        if self._editable and self._layout.currentWidget() is not self.field:
            self._by_keys = by_keys
            self.field.setText(self.label.text())
            self._layout.setCurrentWidget(self.field)
            self.field.selectAll()
            self.field.setFocus()

    def _finish(self) -> None:
        title = " ".join(self.field.text().split())
        if self._layout.currentWidget() is self.field:
            self._stop()
            if title and title != self.label.text():
                self.changed.emit(title)

    def _stop(self) -> None:
        leaves = self.field.hasFocus()
        self.field.setText(self.label.text())  # leaving the field, which follows, must not take it
        if leaves and self._by_keys:
            self.setFocus(Qt.FocusReason.TabFocusReason)  # where the keyboard came from
        elif leaves:
            self.field.hide()  # the window knows who is next; a stack would give it to the words
        self._layout.setCurrentWidget(self.label)
