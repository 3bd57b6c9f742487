"""The middle column: header, conversation, banners and the composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QLineEdit, QStackedLayout, QStackedWidget, QWidget

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.accessible import ButtonInterface, Role, interface_for
from partner_desktop.desktop.chat.column import Centered, column_margin
from partner_desktop.desktop.chat.composer import Composer
from partner_desktop.desktop.chat.message_list import MessageList
from partner_desktop.desktop.chat.model_switch import ModelSwitch
from partner_desktop.desktop.chat.suggestions import AnswerBar, Welcome
from partner_desktop.desktop.chat.toasts import ToastStack
from partner_desktop.desktop.notices import Crash, Notices
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.boxes import grow, hbox, horizontal_rule, stretch, vbox
from partner_desktop.desktop.parts.controls import (
    ElidedLabel,
    IconButton,
    Pill,
    on_escape,
    push_button,
    text_label,
)
from partner_desktop.desktop.theme.theme import HEADER_HEIGHT, Theme, set_look, zoomed
from partner_desktop.desktop.wording import bind_text, in_every_language, set_tip

if TYPE_CHECKING:
    from partner_desktop.desktop.chat.crash_card import CrashCard
    from partner_desktop.desktop.chat.message_actions import MessageActions


class ChatPage(QWidget):
    """Shows the feed, the welcome or the fault; banners stand over the composer."""

    def __init__(self, theme: Theme, notices: Notices, *, clock: Clock | None = None) -> None:
        super().__init__()
        self.setObjectName("chat")
        self.header = ChatHeader(theme)
        self.feed = MessageList(theme, clock=clock)
        self.welcome = Welcome()
        self.fault_page = FaultPage()
        self.composer = Composer(theme)
        self.answers = AnswerBar()
        self._pages = QStackedWidget()
        for page in (self.welcome, self.feed, self.fault_page):
            self._pages.addWidget(page)
        self._aside: QWidget | None = None
        self._aside_regions: tuple[QWidget, ...] = ()
        self._beneath: QWidget = self.welcome
        self._banners = vbox(gap=8)
        self._foot = QWidget()
        self._dock = vbox(self._banners, self.answers, self.composer, into=self._foot, gap=8, margins=None)
        vbox(self.header, grow(self._pages), self._foot, into=self)
        self.toasts = ToastStack(notices, theme, parent=self)
        self.crash_card: CrashCard | None = None
        self._message_actions: MessageActions | None = None
        notices.crashed.connect(self._show_crash)
        self._pages.installEventFilter(self)
        theme.changed.connect(self._set_margins)
        self._set_margins()

    @property
    def message_actions(self) -> MessageActions:
        """What the message under the mouse, or the keyboard, offers; made with the first message."""
        if self._message_actions is None:
            from partner_desktop.desktop.chat.message_actions import MessageActions  # noqa: PLC0415

            self._message_actions = MessageActions(self.feed)
        return self._message_actions

    def go_to_message(self, step: int) -> None:
        """By keyboard: to what the message before or after offers."""
        if self.feed.entries and self.shown is self.feed:
            self.message_actions.go(step)

    def show_feed(self) -> None:
        self._bring(self.feed)

    def show_welcome(self) -> None:
        self._bring(self.welcome)

    def show_fault(self, sentence: str) -> None:
        """Partner could not start: nothing can be sent."""
        self.fault_page.say(sentence)
        self._bring(self.fault_page)
        self.close_aside()
        self.composer.setEnabled(False)

    def show_aside(self, page: QWidget, *, regions: tuple[QWidget, ...] = ()) -> None:
        """Lay a page over the conversation, which goes on beneath it.

        `regions`: its parts as Tab goes through them, where it has several.
        """
        if self._pages.indexOf(page) < 0:
            self._pages.addWidget(page)
        self._aside = page
        self._aside_regions = regions or (page,)
        self._pages.setCurrentWidget(page)

    def close_aside(self) -> None:
        if self._aside is not None:
            self._aside = None
            self._pages.setCurrentWidget(self._beneath)

    @property
    def aside_shown(self) -> bool:
        """Whether another page lies over the conversation."""
        return self._aside is not None

    @property
    def regions(self) -> tuple[QWidget, ...]:
        """The parts from the top down, as Tab goes through them."""
        middle = self._aside_regions if self.aside_shown else (self._pages,)
        return (self.header, *middle, self.toasts, self._foot)

    @property
    def shown(self) -> QWidget | None:
        return self._pages.currentWidget()

    def _show_crash(self, crash: Crash) -> None:
        """One card for all of them, over everything else that stands there."""
        if self.crash_card is None:
            from partner_desktop.desktop.chat.crash_card import CrashCard  # noqa: PLC0415

            self.crash_card = CrashCard()
            self.crash_card.closed.connect(self._drop_crash)
            self._banners.insertWidget(0, self.crash_card)
        self.crash_card.take(crash)

    def _drop_crash(self) -> None:
        self.crash_card = None

    def add_banner(self, banner: Banner) -> None:
        """Ask something over the composer; the banner leaves by itself."""
        self._banners.addWidget(banner)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_margins()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._pages and event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self.toasts.place(self._pages.geometry())
        return super().eventFilter(watched, event)

    def _bring(self, page: QWidget) -> None:
        self._beneath = page
        if self._aside is None:
            self._pages.setCurrentWidget(page)

    def _set_margins(self) -> None:
        side = column_margin(self.width())
        self._dock.setContentsMargins(side, 4, side, 20)


_WIDEST = 560


class FaultPage(Centered):
    """The sentence, to read and to copy. `quit_pressed()`."""

    quit_pressed = Signal()

    def __init__(self) -> None:
        super().__init__(widest=_WIDEST)
        self.column.addWidget(text_label(lambda: self.tr("Partner could not start"), "welcome", wrap=True))
        self._sentence = text_label("", wrap=True, selectable=True)
        self.column.addWidget(self._sentence)
        copy = push_button(lambda: self.tr("Copy this text"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.sentence))
        leave = push_button(lambda: self.tr("Quit"), pressed=self.quit_pressed)
        self.column.addLayout(hbox(copy, leave, stretch(), gap=None))

    @property
    def sentence(self) -> str:
        """What happened and what to do."""
        return self._sentence.text()

    def say(self, sentence: str) -> None:
        """Show the sentence."""
        self._sentence.setText(sentence)
        self._sentence.setAccessibleName(sentence)


class ChatHeader(QWidget):
    """`sidebar_toggled()`, `panel_toggled()`; `title_changed(title)` when the person wrote another;
    `remember_toggled(remembered)`."""

    sidebar_toggled = Signal()
    panel_toggled = Signal()
    title_changed = Signal(str)
    remember_toggled = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._named = ""
        self._remembered = True
        self.model_switch = ModelSwitch()
        self.not_remembered = Pill()
        self.remember_button = IconButton(theme, "remembered", self._remember_words)
        self.remember_button.clicked.connect(lambda: self.remember_toggled.emit(not self._remembered))
        self.title_field = EditableTitle()
        self.title_field.changed.connect(self.title_changed)
        in_every_language(self, lambda: self.set_title(self._named))
        sidebar = IconButton(theme, "left_column", lambda: self.tr("Conversations"), shortcut="Ctrl+B")
        sidebar.clicked.connect(self.sidebar_toggled)
        panel = IconButton(theme, "right_column", lambda: self.tr("The panel at the right"), shortcut="F9")
        panel.clicked.connect(self.panel_toggled)
        vbox(
            stretch(),
            hbox(
                sidebar,
                grow(self.title_field),
                self.model_switch,
                self.not_remembered,
                self.remember_button,
                panel,
                gap=8,
                margins=(10, 0, 10, 0),
            ),
            stretch(),
            horizontal_rule(),
            into=self,
        )
        self.remember_button.hide()
        in_every_language(self, self._say_remembered)
        self._fit_text_size()
        theme.changed.connect(self._fit_text_size)

    def _fit_text_size(self) -> None:
        self.setFixedHeight(zoomed(HEADER_HEIGHT))

    def show_remembered(self, remembered: bool | None) -> None:
        """Whether what is said here is remembered elsewhere; `None`: there is no conversation yet."""
        self.remember_button.setVisible(remembered is not None)
        self._remembered = remembered is not False
        self.remember_button.show_sign("remembered" if self._remembered else "not_remembered")
        self._say_remembered()

    def _say_remembered(self) -> None:
        self.not_remembered.say("" if self._remembered else self.tr("not remembered"), "careful")
        self.remember_button.setAccessibleName(self._remember_words())
        set_tip(self.remember_button, self._remember_words())

    def _remember_words(self) -> str:
        if self._remembered:
            return self.tr("Do not remember this conversation")
        return self.tr("Remember this conversation again")

    @property
    def title(self) -> str:
        return self.title_field.label.text()

    def set_title(self, title: str) -> None:
        """Name the conversation; one without a title cannot be given another."""
        self._named = title
        self.title_field.show_title(title or self.tr("New chat"), editable=bool(title))


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
        bind_text(self.field, self.field.setAccessibleName, lambda: self.tr("New title"))
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

    def begin_rename(self) -> None:
        """Write another, by keys; it goes back to where the keyboard was."""
        self._begin(by_keys=True)

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


class _TitleInterface(ButtonInterface):
    """A button where it can be rewritten, else only what holds the words."""

    def role(self) -> QAccessible.Role:
        return Role.Button if self._offered else Role.Grouping

    def actionNames(self) -> list[str]:
        return super().actionNames() if self._offered else []

    @property
    def _offered(self) -> bool:
        return self.widget().focusPolicy() is not Qt.FocusPolicy.NoFocus


@interface_for("EditableTitle")
def _title_interface(title: QObject) -> ButtonInterface | None:
    if not isinstance(title, EditableTitle):
        return None
    return _TitleInterface(title, Role.Button, title.begin_rename)
