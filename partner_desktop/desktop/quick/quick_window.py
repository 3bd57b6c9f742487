"""QuickWindow: one line to ask in, and what was answered below it. Enter asks, Esc puts it away."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QCloseEvent, QCursor, QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.parts.boxes import drop_widget, grow, hbox, scrolled, stretch, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Space, Theme, zoomed
from partner_desktop.desktop.wording import announce, bind_text

_WIDTH = 640
#: Of the answer; what is longer is scrolled.
_MOST_ANSWER_HEIGHT = 380
_LEAST_ANSWER_HEIGHT = 44
#: From the top of the screen, as a part of it.
_DOWN = 0.2
#: Characters of one question.
_MOST_CHARS = 20_000


class QuickWindow(QWidget):
    """`asked(text)`; `whole_wanted()`: the conversation in the large window; `put_away()`."""

    asked = Signal(str)
    whole_wanted = Signal()
    put_away = Signal()

    def __init__(self, theme: Theme, follow: Callable[[str], object]) -> None:
        flags = Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
        super().__init__(None, flags)
        self._theme, self._follow = theme, follow
        bind_text(self, self.setWindowTitle, lambda: self.tr("Ask Partner"))
        self._slices = Slices(self)
        self.line = QLineEdit(maxLength=_MOST_CHARS)
        self.line.setObjectName("quick_line")
        bind_text(self, self.line.setPlaceholderText, lambda: self.tr("Ask Partner anything…"))
        bind_text(self, self.line.setAccessibleName, lambda: self.tr("Your question"))
        self.line.returnPressed.connect(self._entered)
        self.replies: dict[str, ReplyView] = {}
        """What was answered to the last question, by id."""
        self._question = text_label("", "muted", wrap=True)
        self._question.hide()
        self._holder = QWidget()
        self._holder.installEventFilter(self)
        self._answers = vbox(into=self._holder, gap=Space.M, margins=(0, 0, Space.S, 0))
        self.answer = scrolled(self._holder)
        self.answer.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.answer.hide()
        self.status = text_label("", "muted", wrap=True)
        self.status.hide()
        self._hint = text_label(lambda: self.tr("Enter asks · Esc puts it away"), "muted")
        self.whole_button = push_button(lambda: self.tr("Show in the window"), pressed=self.whole_wanted)
        self.whole_button.hide()
        self._sheet = QFrame()
        self._sheet.setObjectName("quick")
        vbox(
            self.line,
            self._question,
            grow(self.answer),
            self.status,
            hbox(self._hint, stretch(), self.whole_button),
            into=self._sheet,
            gap=Space.S,
            margins=(Space.L, Space.L, Space.L, Space.M),
        )
        vbox(self._sheet, into=self)

    # What is asked and answered.

    def begin(self, question: str) -> None:
        """A question was asked: it stands over the place of its answer."""
        for reply_id in list(self.replies):
            self.drop_reply(reply_id)
        show_words(self._question, question)
        self.whole_button.show()
        self.say(self.tr("Partner thinks…"))

    def clear(self) -> None:
        """As before the first question. What is being typed stays."""
        for reply_id in list(self.replies):
            self.drop_reply(reply_id)
        for words in (self._question, self.status):
            show_words(words, "")
        self.whole_button.hide()
        self.refit()

    def reply(self, reply_id: str) -> ReplyView:
        """The view of an answer that comes."""
        view = self.replies.get(reply_id)
        if view is None:
            view = self.replies[reply_id] = ReplyView(self._theme, self._slices)
            view.link_clicked.connect(self._follow)
            view.why_pressed.connect(self.whole_wanted)
            self._answers.addWidget(view)
            self.answer.show()
            self.say("")
        return view

    def drop_reply(self, reply_id: str) -> None:
        """It was taken back."""
        view = self.replies.pop(reply_id, None)
        if view is not None:
            drop_widget(view)
        self.answer.setVisible(bool(self.replies))
        self.refit()

    def say(self, words: str, *, urgent: bool = False) -> None:
        """Tell how it stands, below the answer."""
        show_words(self.status, words)
        if words and urgent:
            announce(self, words, urgent=True)
        self.refit()

    # Where it lies.

    def open_here(self) -> None:
        """Show it on the screen where the pointer is, ready to be typed in."""
        self.refit()
        screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        self.move(room.x() + (room.width() - self.width()) // 2, room.y() + round(room.height() * _DOWN))
        self.show()
        self.raise_()
        self.activateWindow()
        self.line.setFocus()
        self.line.selectAll()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """It is put away and not gone: what was typed is there the next time."""
        event.ignore()
        self.hide()
        self.put_away.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._holder and event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.refit()
        return False

    def _entered(self) -> None:
        text = self.line.text().strip()
        if text:
            self.line.clear()
            self.asked.emit(text)
        elif not self.whole_button.isHidden():
            self.whole_wanted.emit()

    def refit(self) -> None:
        """As wide as the text size asks for, and as high as the answer needs, within the screen."""
        room = self.screen().availableGeometry()
        width = min(zoomed(_WIDTH), room.width() - 2 * Space.L)
        if not self.answer.isHidden():
            wanted = self._holder.heightForWidth(width - 3 * Space.L)
            most = min(zoomed(_MOST_ANSWER_HEIGHT), room.height() // 2)
            self.answer.setFixedHeight(max(zoomed(_LEAST_ANSWER_HEIGHT), min(wanted, most)))
        self.setFixedWidth(width)
        self.adjustSize()
