"""What may be meant behind an `@` in the composer: a short list over it, gone through with the arrow keys.

It never takes the keyboard: whoever writes goes on writing.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.theme.signs import SignName, sign_icon
from partner_desktop.desktop.theme.theme import Theme, zoomed
from partner_desktop.desktop.wording import bind_text, tr
from partner_desktop.domain.attachment import Attachable, AttachmentKind

_MOST_ROWS, _WIDEST_PX = 8, 520
_SIGNS: dict[AttachmentKind, SignName] = {AttachmentKind.FOLDER: "folder", AttachmentKind.TALK: "talk"}
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_TAKES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)


class MentionList(QFrame):
    """`chosen(attachable)` by a key or the mouse."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, over: QWidget) -> None:
        super().__init__(over.window())
        self.setObjectName("mentions")
        self._theme, self._over = theme, over
        self._offered: tuple[Attachable, ...] = ()
        self.rows = QListWidget()
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        bind_text(self.rows, self.rows.setAccessibleName, lambda: tr("Files and conversations to attach"))
        self.rows.itemClicked.connect(lambda item: self._take(self.rows.row(item)))
        vbox(self.rows, into=self, margins=(4, 4, 4, 4))
        self.hide()

    def offer(self, offered: Sequence[Attachable]) -> None:
        """Show these, the first of them ready to be taken; none: nothing is shown."""
        self._offered = tuple(offered)
        self.rows.clear()
        side = zoomed(16)
        for each in offered:
            item = QListWidgetItem(" · ".join(part for part in (shown(each.name), each.place) if part))
            sign = _SIGNS.get(each.kind, "file")
            item.setIcon(sign_icon(sign, self._theme.color("muted"), size_px=side))
            self.rows.addItem(item)
        self.rows.setIconSize(QSize(side, side))
        self.rows.setCurrentRow(0)
        self.setVisible(bool(offered))
        if offered:
            self._place()

    def takes_key(self, event: QKeyEvent) -> bool:
        """Whether a key that was pressed in the text is one of the list's."""
        if not self.isVisible() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            return False
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.rows.setCurrentRow((self.rows.currentRow() + _STEPS[key]) % max(1, self.rows.count()))
        elif key in _TAKES:
            self._take(self.rows.currentRow())
        elif key == Qt.Key.Key_Escape:
            self.offer(())
        else:
            return False
        return True

    def _take(self, row: int) -> None:
        if 0 <= row < len(self._offered):
            taken = self._offered[row]
            self.offer(())
            self.chosen.emit(taken)

    def _place(self) -> None:
        """Right over the composer, as high as its rows."""
        if self.parentWidget() is not self._over.window():
            self.setParent(self._over.window())
            self.show()
        rows = min(self.rows.count(), _MOST_ROWS)
        height = rows * self.rows.sizeHintForRow(0) + 2 * self.rows.frameWidth() + 10
        width = min(self._over.width(), zoomed(_WIDEST_PX))
        at = self._over.mapTo(self._over.window(), QPoint(0, 0))
        self.setGeometry(at.x(), max(0, at.y() - height - 6), width, height)
        self.raise_()
