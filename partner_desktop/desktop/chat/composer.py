"""The composer: always live, sends on Enter, stops what runs, keeps the draft when sending fails.

Its text grows from one line to eight, and Enter never sends in mid-composition.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QFocusEvent,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QApplication, QFileDialog, QFrame, QMenu, QPlainTextEdit, QSizePolicy, QWidget

from partner_desktop.desktop.chat.attachment_tray import AttachmentTray
from partner_desktop.desktop.chat.completion_list import CompletionList
from partner_desktop.desktop.chat.sent_recall import SentRecall
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import IconButton, push_button, text_label
from partner_desktop.desktop.theme.theme import STILL, Theme, set_look
from partner_desktop.desktop.wording import bind_text, set_tip
from partner_desktop.domain.attachment import mention_in
from partner_desktop.domain.message import LONGEST_TEXT

_HINT_NEEDS_PX = 460
#: Characters from which a message is so long that its length is shown.
_LONG = 10_000
#: A second slash is of a path.
_COMMAND = re.compile(r"/((?! )[^/@]{0,60})")


class Composer(QFrame):
    """`submitted(text)`, `stop_pressed()`, `files_chosen(paths)`, `files_pasted(paths)`, `running_changed()`;
    `mention_typed(words)` while a name is written behind an `@`, `command_typed(words)` behind a `/` that the
    message begins with.

    What lies in `tray` goes with the words that are submitted.
    """

    submitted = Signal(str)
    stop_pressed = Signal()
    files_chosen = Signal(list)
    files_pasted = Signal(list)
    running_changed = Signal()
    mention_typed = Signal(str)
    command_typed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("composer")
        self._running = False
        self.edit = ComposerEdit()
        self.edit.send_pressed.connect(self.submit)
        self.edit.textChanged.connect(self._show_buttons)
        self.edit.focus_changed.connect(lambda on: set_look(self, "true" if on else "false", name="lit"))
        self.tray = AttachmentTray(theme)
        self.tray.changed.connect(lambda: self.edit.say_hint(shows=bool(self.tray.items)))
        self.tray.settled.connect(self._go_on)
        self.completions = CompletionList(theme, self)
        self.completions.chosen.connect(self._make_room)
        self.completions.left.connect(self._want_none)
        self.completions.answered.connect(self._look_at_held_enter)
        self._sought = self._enter_held = False
        """Whether a list is on its way, and Enter was pressed meanwhile."""
        self._unwanted: tuple[str | None, str | None] | None = None
        """What is written and wants no list."""
        self.mention: str | None = None
        """What is written behind an `@` before the caret; `None`: there is none."""
        self.command: str | None = None
        """What is written behind a `/` that the message begins with; `None`: it does not."""
        self._suggested = ""
        self.recall = SentRecall(self.edit)
        self.edit.takes_key = lambda event: (
            self.completions.takes_key(event) or self._holds_enter(event) or self.recall.takes_key(event)
        )
        self.edit.is_covered = self.completions.isVisible
        self.edit.files_pasted.connect(self.files_pasted)
        self.edit.cursorPositionChanged.connect(self._look_for_completions)
        self.edit.textChanged.connect(self._look_for_completions)
        self.edit.composing_changed.connect(self._look_for_completions)
        self.edit.focus_changed.connect(lambda on: None if on else self.completions.leave())
        self._waits = False
        """Sent, but for something that is still looked at."""
        self._add = IconButton(theme, "plus", lambda: self.tr("Attach files"))
        self._add.clicked.connect(self.choose_files)
        self._hint = text_label(lambda: self.tr("Enter to send · Shift Enter for a new line"), "muted")
        self.stop_button = push_button(
            lambda: self.tr("Stop"), "stop", name=lambda: self.tr("Stop what runs"), pressed=self.stop_pressed
        )
        set_tip(self.stop_button, lambda: self.tr("Stop (Esc)"))
        self.send_button = push_button(
            lambda: self.tr("Send"), "primary", name=lambda: self.tr("Send the message"), pressed=self.submit
        )
        self._length = text_label(self._length_words, "muted", hidden=True)
        self._lay_out()
        self._show_buttons()

    def _lay_out(self) -> None:
        vbox(
            self.tray,
            self.edit,
            hbox(self._add, stretch(), self._length, self._hint, self.stop_button, self.send_button, gap=8),
            into=self,
            gap=8,
            margins=(14, 12, 12, 10),
        )

    @property
    def text(self) -> str:
        return self.edit.toPlainText()

    @property
    def draft(self) -> str:
        """What was typed and is not sent."""
        return self.recall.draft

    @property
    def running(self) -> bool:
        """Whether a turn runs that could be stopped."""
        return self._running

    def set_text(self, text: str) -> None:
        """Put a text there, the cursor at its end."""
        self.edit.setPlainText(text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)

    def add_text(self, text: str) -> None:
        """Put a text after whatever is there, on a line of its own."""
        typed = self.text
        self.set_text(f"{typed.rstrip()}\n{text}" if typed.strip() else text)

    def suggest(self, text: str) -> None:
        """Put a text to what is typed, which stays: before it where the caret is at its beginning. What was
        suggested before and is untouched makes room. Ctrl+Z takes it back.
        """
        cursor, move = self.edit.textCursor(), QTextCursor.MoveOperation
        if not self.text.strip() or self.text == self._suggested:
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)
        elif cursor.atStart():
            cursor.insertText(f"{text}\n")
            cursor.movePosition(move.PreviousCharacter)
        else:
            cursor.movePosition(move.End)
            cursor.insertText(f"\n{text}")
        self.edit.setTextCursor(cursor)
        self._suggested = text

    def give_back(self, text: str) -> None:
        """What could not be sent comes back, before whatever was typed since."""
        typed = self.text
        self.set_text(f"{text}\n{typed}" if typed.strip() else text)

    def set_running(self, running: bool) -> None:
        """A turn runs here, or none does."""
        changed, self._running = running != self._running, running
        self._show_buttons()
        if changed:
            self.running_changed.emit()

    def submit(self) -> None:
        """Send what is there, once what goes with it is; spaces alone are nothing."""
        text = self.text.strip()
        self._waits = bool(text) and self.tray.expected > 0
        if text and self.isEnabled() and not self._waits:
            self.edit.clear()
            self.recall.forget()
            self.submitted.emit(text)

    def begin_other(self) -> None:
        """Another conversation is open: nothing of the one before is waited for, and nothing of it sent."""
        self._waits = False
        self.recall.forget()
        self.tray.begin_round()

    def _go_on(self, complete: bool) -> None:
        """All was looked at; where something proved to be none, the person decides anew."""
        if self._waits:
            self._waits = False
            if complete:
                self.submit()

    def complete_mention(self, name: str) -> None:
        """Write the name of what was chosen in place of what was written of it."""
        if self.mention is None:
            return
        cursor = self.edit.textCursor()
        back = QTextCursor.MoveOperation.PreviousCharacter
        cursor.movePosition(back, QTextCursor.MoveMode.KeepAnchor, len(self.mention) + 1)
        cursor.insertText(f"{name} ")

    def _make_room(self, _completion: object, _by_tab: bool) -> None:
        """What was written of a command makes room for what comes of it."""
        if self.command is not None:
            cursor = self.edit.textCursor()
            cursor.movePosition(QTextCursor.MoveOperation.Start, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()

    def _holds_enter(self, event: QKeyEvent) -> bool:
        """Enter is meant for the list of what a `/` begins also where it is quicker than that list."""
        held = self._sought and event.key() in _ENTER and not event.modifiers() & _NEW_LINE
        self._enter_held = self._enter_held or held
        return held

    def _look_at_held_enter(self) -> None:
        """The list is there, or nothing fits: then it is a message like any other."""
        held, self._sought, self._enter_held = self._enter_held, False, False
        if held and not self.completions.take_marked():
            self.submit()

    def _want_none(self) -> None:
        self._sought = self._enter_held = False
        self._unwanted = self.mention, self.command
        self.mention = self.command = None

    def _look_for_completions(self) -> None:
        mention, command = self._begun()
        if (mention, command) == self._unwanted:
            return
        self._unwanted = None
        if (mention, command) == (self.mention, self.command):
            return
        self.mention, self.command = mention, command
        self._sought, self._enter_held = command is not None, False
        if command is not None:
            self.command_typed.emit(command)
        elif mention is not None:
            self.mention_typed.emit(mention)
        else:
            self.completions.leave()

    def _begun(self) -> tuple[str | None, str | None]:
        """The mention and the command that are being written; not while an input method composes."""
        cursor = self.edit.textCursor()
        if cursor.hasSelection() or self.edit.composing:
            return None, None
        before = cursor.block().text()[: cursor.positionInBlock()]
        command = _COMMAND.fullmatch(before) if cursor.blockNumber() == 0 else None
        return mention_in(before), command[1] if command is not None else None

    def _show_buttons(self) -> None:
        typed = bool(self.text.strip())
        self.stop_button.setVisible(self._running)
        self.send_button.setVisible(typed or not self._running)
        self._show_length()

    def _show_length(self) -> None:
        """How much of a long message there is room for; else the keys that send it."""
        long = self.edit.length >= _LONG
        if long:
            self._length.setText(self._length_words())
            set_look(self._length, "muted" if self.edit.length <= LONGEST_TEXT else "fault-small")
        self._length.setVisible(long)
        self._hint.setVisible(self.width() >= _HINT_NEEDS_PX and not long)

    def _length_words(self) -> str:
        words = self.tr("{length} of {most} characters")
        if self.edit.length > LONGEST_TEXT:
            words = self.tr("{length} characters: {most} can be sent at once")
        return words.format(length=f"{self.edit.length:,}", most=f"{LONGEST_TEXT:,}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_length()

    def choose_files(self) -> None:
        dialog = QFileDialog(self.window(), self.tr("Attach files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda names: self.files_chosen.emit([Path(name) for name in names]))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


MOST_LINES = 8
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
#: With these, Enter sends nothing.
_NEW_LINE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


class ComposerEdit(QPlainTextEdit):
    """`send_pressed()` on Enter; `focus_changed(bool)` so that its frame can show it; `image_pasted(image)`
    and `files_pasted(paths)` for what is pasted in place of words; `text_refused(length)` for words that are
    more than a message can hold; `composing_changed()` when an input method begins to compose, or has.
    """

    send_pressed = Signal()
    image_pasted = Signal(QImage)
    files_pasted = Signal(list)
    focus_changed = Signal(bool)
    composing_changed = Signal()
    text_refused = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("composer_text")
        bind_text(self, self.setAccessibleName, lambda: self.tr("Message"))
        self._shows = False
        self.composing = False
        """Whether an input method composes: what it shows is not in the text yet."""
        self.takes_key: Callable[[QKeyEvent], bool] = lambda _event: False
        """Whoever lies over the text is asked first,"""
        self.is_covered: Callable[[], bool] = lambda: False
        """while it does."""
        self.menu_extras: list[Callable[[QMenu, QTextCursor], object]] = []
        """Who puts something into the menu, by the place in the text that it is opened at."""
        bind_text(self, self.setPlaceholderText, self._hint)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(2)
        self._caret = RestingCaret(self)
        self.cursorPositionChanged.connect(self._moved)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        self._fit()

    @property
    def length(self) -> int:
        """Characters that are there."""
        return self.document().characterCount() - 1

    def say_hint(self, *, shows: bool) -> None:
        """What stands there while nothing is written: what is attached alone is no message."""
        self._shows = shows
        self.setPlaceholderText(self._hint())

    def _hint(self) -> str:
        if self.composing:  # Qt takes a text as empty as long as nothing is committed, and paints both
            return ""
        if self._shows:
            return self.tr("Say what you want to know of it…")
        return self.tr("Message Partner, @ for a file, / for abilities…")

    def sizeHint(self) -> QSize:
        return QSize(200, self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._height())

    def event(self, event: QEvent) -> bool:
        # Tab goes on to the next field before any widget hears of a key.
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Tab
            and not self.composing
            and self.takes_key(event)
        ):
            event.accept()
            return True
        # Ctrl+K is the search, and Ctrl+Z the window's where there is nothing of this text to take back.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            keys = QKeySequence.StandardKey
            undoable = self.document().isUndoAvailable()
            if event.key() == Qt.Key.Key_Escape and self.is_covered():
                event.accept()
                return True
            if event.matches(keys.DeleteEndOfLine) or (event.matches(keys.Undo) and not undoable):
                event.ignore()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & _NEW_LINE
        if not self.composing and self.takes_key(event):
            event.accept()
            return
        if event.key() in _ENTER and plain:
            event.accept()
            if not self.composing and not event.isAutoRepeat():
                self.send_pressed.emit()
            return
        super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        was, self.composing = self.composing, bool(event.preeditString())
        super().inputMethodEvent(event)
        if was is not self.composing:
            self.setPlaceholderText(self._hint())
            self.composing_changed.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        place = self.cursorForPosition(event.pos()) if by_mouse else self.textCursor()
        for extra in self.menu_extras:
            extra(menu, place)
        menu.popup(event.globalPos() if by_mouse else self._caret_corner())

    def _caret_corner(self) -> QPoint:
        return self.viewport().mapToGlobal(self.cursorRect().bottomLeft())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._caret.blink()
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._caret.leave()
        self.focus_changed.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        # Files that are dropped belong to the window: this one takes no drag of them.
        return bool(_is_image(source) or files_in(source)) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if files := files_in(source):
            self.files_pasted.emit(files)
            return
        if not _is_image(source):
            if len(text := source.text()) > LONGEST_TEXT:  # laid out, it would hold the window for long
                self.text_refused.emit(len(text))
            else:
                super().insertFromMimeData(source)
            return
        image = source.imageData()
        if isinstance(image, QImage) and not image.isNull():
            self.image_pasted.emit(image)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.ignore()
            return
        super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if event.mimeData().hasUrls():
            event.ignore()
            return
        super().dragMoveEvent(event)

    def _moved(self) -> None:
        if self.hasFocus():
            self._caret.blink()

    def _lines(self) -> int:
        # A QPlainTextDocumentLayout counts its height in lines as shown, wrapped ones included.
        return min(max(1, round(self.document().size().height())), MOST_LINES)

    def _height(self) -> int:
        self.ensurePolished()
        return (
            self._lines() * self.fontMetrics().lineSpacing() + 2 * round(self.document().documentMargin()) + 2
        )

    def _fit(self) -> None:
        scrolls = round(self.document().size().height()) > MOST_LINES
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if scrolls else policy.ScrollBarAlwaysOff)
        if self.height() != self._height():
            self.updateGeometry()


def _is_image(source: QMimeData) -> bool:
    """Cells of a table come as a picture, too: there the words are what is meant."""
    return source.hasImage() and not source.hasText() and not source.hasUrls()


def files_in(source: QMimeData) -> list[Path]:
    """The files and folders that were copied or are dragged; links of the web are words."""
    return [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()]


#: As long as GTK's `gtk-cursor-blink-timeout`.
_BLINKS_MS = 10_000


class RestingCaret(QObject):
    """Stills the application's caret while `text` has the keyboard and nothing is written into it.

    Qt lets it blink for ever, and every blink paints what lies behind the text too: in a window left alone
    that is most of what there is to do.
    """

    def __init__(self, text: QWidget) -> None:
        super().__init__(text)
        self._flash_ms = 0
        self._timer = QTimer(self, interval=_BLINKS_MS, singleShot=True)
        self._timer.timeout.connect(self._rest)

    def blink(self) -> None:
        """It has the keyboard, or something was written."""
        self._wake()
        self._timer.start()

    def leave(self) -> None:
        self._timer.stop()
        self._wake()

    def _rest(self) -> None:
        self._flash_ms = QApplication.cursorFlashTime()
        QApplication.setCursorFlashTime(0)

    def _wake(self) -> None:
        if self._flash_ms:
            app = QApplication.instance()
            if app is None or not app.property(STILL):
                QApplication.setCursorFlashTime(self._flash_ms)
            self._flash_ms = 0
