"""What a message offers: one quiet row for the whole chat, under the message that mouse or keyboard is at.

One row and not one a message: a long chat costs nothing, and nothing moves when it comes and goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QWidget

from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.chat.composer import ComposerEdit
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import CopyButton, IconButton, on_escape, push_button, text_label
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.desktop.wording import bind_text
from partner_desktop.domain.message import Fork

if TYPE_CHECKING:
    from partner_desktop.desktop.chat.message_list import ListEntry, MessageList

#: The way from a message to its row must not lose it.
_LINGER_MS = 250


class MessageActions(QFrame):
    """`edit_wanted(key)`; `branch_wanted(key)`. While `busy` nothing can be begun anew."""

    edit_wanted = Signal(str)
    branch_wanted = Signal(str)

    def __init__(self, feed: MessageList) -> None:
        super().__init__(feed.column.widget())
        self.setObjectName("message_actions")
        bind_text(self, self.setAccessibleName, lambda: self.tr("What this message offers"))
        self._feed = feed
        self._entry: ListEntry | None = None
        self.busy = False
        self.copy_button = CopyButton(self._text, lambda: self.tr("Copy this message"))
        self.edit_button = push_button(
            lambda: self.tr("Edit"), "quiet", name=lambda: self.tr("Edit this message")
        )
        self.branch_button = push_button(lambda: self.tr("Branch from here"), "quiet")
        self.edit_button.clicked.connect(lambda: self.edit_wanted.emit(self.key))
        self.branch_button.clicked.connect(lambda: self.branch_wanted.emit(self.key))
        hbox(self.copy_button, self.edit_button, self.branch_button, into=self, margins=(2, 1, 2, 1))
        self._linger = QTimer(self, interval=_LINGER_MS, singleShot=True)
        self._linger.timeout.connect(self._leave)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._focus_moved)
        self.hide()

    @property
    def key(self) -> str:
        """The message that it stands at; empty when it is not shown."""
        return self._entry.key if self._entry is not None else ""

    def watch(self, entry: ListEntry) -> None:
        """Come to this entry when the mouse does, and into its menu."""
        widget = entry.widget
        if isinstance(widget, (Bubble, ReplyView)):
            widget.installEventFilter(self)
            widget.menu_wanted.connect(lambda menu, key=entry.key: self._add_to_menu(menu, key))

    def stand_at(self, entry: ListEntry) -> bool:
        """Come to a message; false where it has nothing to offer."""
        widget = entry.widget
        whole = isinstance(widget, ReplyView) and widget.whole and bool(widget.text)
        said = isinstance(widget, Bubble) and not entry.pending and not widget.covered
        if not (whole or said):
            return False
        self._linger.stop()
        self._entry = entry
        self.copy_button.setVisible(not (isinstance(widget, ReplyView) and widget.copies))
        self.edit_button.setVisible(said and not self.busy)
        self._place()
        self.show()
        self.raise_()
        return True

    def go(self, step: int) -> None:
        """By keyboard: to the message before or after; beyond the last one, away."""
        known = [entry for entry in self._feed.entries if isinstance(entry.widget, (Bubble, ReplyView))]
        at = next((place for place, entry in enumerate(known) if entry.key == self.key), len(known))
        at += step
        while 0 <= at < len(known):
            if self.stand_at(known[at]):
                self._feed.column.ensureWidgetVisible(self, 0, 24)
                (self.branch_button if self.copy_button.isHidden() else self.copy_button).setFocus()
                return
            at += step

    def leave(self) -> None:
        self._entry = None
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.Enter:
            entry = next((one for one in self._feed.entries if one.widget is watched), None)
            if entry is not None and not self._holds_focus():
                self.stand_at(entry)
        elif kind == QEvent.Type.Leave:
            self._linger.start()
        elif self._entry is not None and watched is self._entry.widget:
            if kind in (QEvent.Type.Move, QEvent.Type.Resize):
                self._place()
            elif kind == QEvent.Type.Hide:
                self.leave()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Enter:
            self._linger.stop()
        elif event.type() == QEvent.Type.Leave:
            self._linger.start()
        return super().event(event)

    def _leave(self) -> None:
        entry = self._entry
        if entry is not None and not self._holds_focus() and not self.underMouse():
            self.leave()

    def _focus_moved(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None and self.isAncestorOf(before) and (now is None or not self.isAncestorOf(now)):
            self._linger.start()

    def _holds_focus(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def _place(self) -> None:
        """In the line below the message, at its side: in the air between two messages."""
        entry = self._entry
        if entry is None:
            return
        widget = entry.widget
        assert isinstance(widget, (Bubble, ReplyView))
        size, room = self.sizeHint(), widget.pos() + widget.room_below
        left = room.x() - size.width() if isinstance(widget, Bubble) else room.x()
        right = widget.geometry().right() + 1 - size.width()
        self.setGeometry(max(0, min(left, right)), room.y() - size.height() // 2, size.width(), size.height())

    def _text(self) -> str:
        widget = self._entry.widget if self._entry is not None else None
        return widget.text if isinstance(widget, (Bubble, ReplyView)) else ""

    def _add_to_menu(self, menu: QMenu, key: str) -> None:
        entry = self._feed.entry(key)
        if entry is None or entry.pending:
            return
        menu.addSeparator()
        if isinstance(entry.widget, Bubble) and not self.busy:
            menu.addAction(self.tr("Edit")).triggered.connect(lambda: self.edit_wanted.emit(key))
        menu.addAction(self.tr("Branch from here")).triggered.connect(lambda: self.branch_wanted.emit(key))


class TakeSwitch(QWidget):
    """`chosen(take_id, forward)`: another way is asked for."""

    chosen = Signal(str, bool)

    def __init__(self, theme: Theme, fork: Fork) -> None:
        super().__init__()
        self.setObjectName("take_switch")
        self.fork = fork
        self.before = IconButton(theme, "chevron_left", lambda: self.tr("Show the version before this one"))
        self.after = IconButton(theme, "chevron_right", lambda: self.tr("Show the version after this one"))
        number, count = fork.active + 1, len(fork.takes)
        self._label = text_label(f"{number}/{count}", "muted")
        words = lambda: self.tr("Version {number} of {count}").format(number=number, count=count)  # noqa: E731 - words of a language
        bind_text(self._label, self._label.setAccessibleName, words)
        bind_text(self, self.setAccessibleName, words)
        self.before.setEnabled(fork.active > 0)
        self.after.setEnabled(number < count)
        self.before.clicked.connect(lambda: self._choose(-1))
        self.after.clicked.connect(lambda: self._choose(1))
        hbox(self.before, self._label, self.after, into=self, gap=2)

    def take_focus(self, *, forward: bool) -> None:
        """Go on with the keyboard where it was, on the version that is shown now."""
        wanted, other = (self.after, self.before) if forward else (self.before, self.after)
        (wanted if wanted.isEnabled() else other).setFocus()

    def _choose(self, step: int) -> None:
        self.chosen.emit(self.fork.takes[self.fork.active + step], step > 0)


_SENDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _Edit(ComposerEdit):
    """As the composer's, and Ctrl+Enter sends too."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _SENDS and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.send_pressed.emit()
        else:
            super().keyPressEvent(event)


class EditInPlace(QFrame):
    """`sent(text)`; `cancelled()`. What was typed stays until whoever owns it takes it away."""

    sent = Signal(str)
    cancelled = Signal()

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setObjectName("edit_in_place")
        self.edit = _Edit()
        bind_text(self.edit, self.edit.setAccessibleName, lambda: self.tr("Edit your message"))
        bind_text(self.edit, self.edit.setPlaceholderText, lambda: "")
        self.edit.setPlainText(text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.edit.send_pressed.connect(self._send)
        on_escape(self.edit, self.cancelled.emit)
        self.edit.focus_changed.connect(lambda on: set_look(self, "true" if on else "false", name="lit"))
        self.edit.textChanged.connect(self._show_button)
        hint = text_label(lambda: self.tr("What followed is kept as another version"), "muted")
        self.cancel_button = push_button(lambda: self.tr("Cancel"), pressed=self.cancelled)
        self.send_button = push_button(
            lambda: self.tr("Send"), "primary", name=lambda: self.tr("Send the edited message")
        )
        self.send_button.clicked.connect(self._send)
        vbox(
            self.edit,
            hbox(hint, stretch(), self.cancel_button, self.send_button, gap=8),
            into=self,
            gap=8,
            margins=(14, 12, 12, 10),
        )
        self.setFocusProxy(self.edit)

    @property
    def text(self) -> str:
        return self.edit.toPlainText()

    def set_waiting(self, waiting: bool) -> None:
        """It was sent, and is not accepted yet."""
        self.setEnabled(not waiting)

    def _show_button(self) -> None:
        self.send_button.setEnabled(bool(self.text.strip()))

    def _send(self) -> None:
        text = self.text.strip()
        if text and self.isEnabled():
            self.sent.emit(text)
