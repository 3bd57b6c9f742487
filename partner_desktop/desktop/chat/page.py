"""The middle column: header, conversation, banners and the composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.chat.answers import AnswerBar
from partner_desktop.desktop.chat.centered import Centered
from partner_desktop.desktop.chat.column import column_margin
from partner_desktop.desktop.chat.composer import Composer
from partner_desktop.desktop.chat.feed import Feed
from partner_desktop.desktop.chat.title import EditableTitle
from partner_desktop.desktop.chat.toasts import ToastStack
from partner_desktop.desktop.chat.welcome import Welcome
from partner_desktop.desktop.notices import Crash, Notices
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.boxes import grow, hbox, stretch, vbox
from partner_desktop.desktop.parts.buttons import IconButton, push_button
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.rule import horizontal_rule
from partner_desktop.desktop.theme.style import zoomed
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.theme.tokens import HEADER_HEIGHT
from partner_desktop.desktop.wording import in_every_language

if TYPE_CHECKING:
    from partner_desktop.desktop.chat.crash_card import CrashCard
    from partner_desktop.desktop.chat.message_actions import MessageActions


class ChatPage(QWidget):
    """Shows the feed, the welcome or the fault; banners stand over the composer."""

    def __init__(self, theme: Theme, notices: Notices, *, clock: Clock | None = None) -> None:
        super().__init__()
        self.setObjectName("chat")
        self.header = ChatHeader(theme)
        self.feed = Feed(theme, clock=clock)
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
        """The conversation has something to show."""
        self._bring(self.feed)

    def show_welcome(self) -> None:
        """The conversation is empty."""
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
        """Back to the conversation."""
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
        """The page in view."""
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
        leave = push_button(lambda: self.tr("Quit"))
        leave.clicked.connect(self.quit_pressed)
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
    """`sidebar_toggled()`, `panel_toggled()`; `title_changed(title)` when the person wrote another."""

    sidebar_toggled = Signal()
    panel_toggled = Signal()
    title_changed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._named = ""
        self._title = EditableTitle()
        self._title.changed.connect(self.title_changed)
        in_every_language(self, lambda: self.set_title(self._named))
        sidebar = IconButton(theme, "left_column", lambda: self.tr("Conversations"), shortcut="Ctrl+B")
        sidebar.clicked.connect(self.sidebar_toggled)
        panel = IconButton(theme, "right_column", lambda: self.tr("Actions and abilities"), shortcut="F9")
        panel.clicked.connect(self.panel_toggled)
        vbox(
            stretch(),
            hbox(sidebar, grow(self._title), panel, gap=8, margins=(10, 0, 10, 0)),
            stretch(),
            horizontal_rule(),
            into=self,
        )
        self._fit_text_size()
        theme.changed.connect(self._fit_text_size)

    def _fit_text_size(self) -> None:
        self.setFixedHeight(zoomed(HEADER_HEIGHT))

    @property
    def title(self) -> str:
        """What stands there."""
        return self._title.label.text()

    @property
    def title_field(self) -> EditableTitle:
        """Where it is rewritten."""
        return self._title

    def set_title(self, title: str) -> None:
        """Name the conversation; one without a title cannot be given another."""
        self._named = title
        self._title.show_title(title or self.tr("New chat"), editable=bool(title))
