"""Notices at the foot of the chat. They leave after a while; errors, and what goes on, stay until closed."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QRect, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from partner_desktop.base.text import cut_lines
from partner_desktop.desktop.chat.column import column_margin
from partner_desktop.desktop.notices import Notice, NoticeAction, Notices
from partner_desktop.desktop.parts.boxes import flow, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import IconButton, push_button, text_label
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.desktop.wording import LazyText, announce, bind_text, resolve_text, set_tip

STAYS_MS = 6000
#: With something to do about it, there is time to read, to think and to reach the button.
ACTION_STAYS_MS = 10_000
_MOST = 4
#: A toast is a notice and no page: of a longer text it shows the beginning.
_MOST_CHARS, _MOST_LINES = 1_200, 20
_WIDEST = 400


class Toast(QFrame):
    """One notice. `closed()` when it leaves."""

    closed = Signal()

    def __init__(self, notice: Notice, theme: Theme) -> None:
        super().__init__()
        self.notice = notice
        set_look(self, f"toast-{notice.level}")
        bind_text(self, self.setAccessibleName, self._words)
        words = vbox(gap=2)
        signs = {"info": "", "warning": "⚠ ", "error": "⚠ "}
        if notice.title:
            words.addWidget(
                text_label(lambda: signs[notice.level] + _short(notice.title), "strong", wrap=True)
            )
        if notice.text:
            sign = "" if notice.title else signs[notice.level]
            self._text = text_label(lambda: sign + _short(self.notice.text), wrap=True, selectable=True)
            words.addWidget(self._text)
        self.action_button = self._make_button(notice.action)
        self.choice_buttons = [self._make_choice(choice) for choice in notice.choices]
        close = IconButton(theme, "close", lambda: self.tr("Close this notice"))
        close.clicked.connect(self.leave)
        layout = hbox(grow(words), gap=None)
        column = vbox(layout, into=self, gap=8, margins=(14, 10, 8, 10))
        if self.choice_buttons:
            column.addLayout(flow(*self.choice_buttons))
        if self.action_button is not None:
            layout.addWidget(self.action_button, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        if notice.level != "error" and not notice.stays:
            QTimer.singleShot(STAYS_MS if notice.action is None else ACTION_STAYS_MS, self, self.leave)

    def _words(self) -> str:
        return _short(self.notice.words)

    def _make_button(self, action: NoticeAction | None) -> QPushButton | None:
        if action is None:
            return None
        button = push_button(
            action.label, "toast", name=lambda: f"{resolve_text(action.label)}: {self._words()}"
        )
        if action.undoes:
            set_tip(button, lambda: f"{resolve_text(action.label)} (Ctrl+Z)")
        button.clicked.connect(self.act)
        return button

    def _make_choice(self, choice: NoticeAction) -> QPushButton:
        button = push_button(
            choice.label, "small", name=lambda: f"{resolve_text(choice.label)}: {self._words()}"
        )
        button.clicked.connect(lambda: self._choose(choice))
        return button

    def _choose(self, choice: NoticeAction) -> None:
        if not self.isHidden():
            self.leave()
            choice.callback()

    def act(self) -> None:
        """Do what is offered, once, and go."""
        action = self.notice.action
        if action is not None and not self.isHidden():
            self.leave()
            action.callback()

    def say(self, text: LazyText) -> None:
        """Say something else, in the same place."""
        self.notice = replace(self.notice, text=text)
        self._text.setText(_short(text))
        self.setAccessibleName(self._words())

    def leave(self) -> None:
        """Go, once."""
        if not self.isHidden():
            self.hide()
            self.closed.emit()
            self.deleteLater()


def _short(text: LazyText) -> str:
    return cut_lines(resolve_text(text), _MOST_CHARS, lines=_MOST_LINES)


class ToastStack(QWidget):
    """Lies over the foot of the chat, at the right, where cards have no decisions; the newest is lowest."""

    def __init__(self, notices: Notices, theme: Theme, *, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._area = QRect()
        self._toasts: list[Toast] = []
        self._layout = vbox(into=self, gap=8)
        notices.posted.connect(self._add)
        notices.renewed.connect(self._renew)
        notices.settled.connect(self._retire)
        self.hide()

    @property
    def toasts(self) -> tuple[Toast, ...]:
        """What is shown, oldest first."""
        return tuple(self._toasts)

    def undo_newest(self) -> None:
        """Ctrl+Z: take back what the newest notice with an undo tells of."""
        for toast in reversed(self._toasts):
            if toast.notice.action is not None and toast.notice.action.undoes:
                toast.act()
                return

    def place(self, area: QRect) -> None:
        """The chat's area is this now."""
        self._area = area
        self._settle()

    def event(self, event: QEvent) -> bool:
        taken = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._settle()  # a toast has another height now: its words changed, or their font
        return taken

    def _add(self, notice: Notice) -> None:
        if self._toasts and self._toasts[-1].notice.words() == notice.words():
            return  # the same sentence twice is one sentence
        self._retire(notice.about)
        toast = Toast(notice, self._theme)
        toast.closed.connect(lambda: self._drop(toast))
        self._toasts.append(toast)
        self._layout.addWidget(toast)
        toast.show()  # what is not shown has no height yet
        announce(toast, toast.accessibleName(), urgent=notice.stays or notice.level == "error")
        if len(self._toasts) > _MOST:
            next((one for one in self._toasts if not one.notice.stays), self._toasts[0]).leave()
        self._settle()

    def _renew(self, about: str, text: LazyText) -> None:
        """What goes on is somewhere else now."""
        for one in self._toasts:
            if one.notice.stays and one.notice.about == about:
                one.say(text)

    def _retire(self, about: str) -> None:
        """What was said about this is no longer so."""
        for older in [one for one in self._toasts if about and one.notice.about == about]:
            older.leave()

    def _drop(self, toast: Toast) -> None:
        self._toasts.remove(toast)
        self._layout.removeWidget(toast)
        self._settle()

    def _settle(self) -> None:
        self.setVisible(bool(self._toasts))
        if not self._toasts:
            return
        width = min(_WIDEST, self._area.width() - 2 * column_margin(self._area.width()))
        height = self._layout.heightForWidth(width)
        left = self._area.right() - width - column_margin(self._area.width())
        self.setGeometry(left, self._area.bottom() - height - 8, width, height)
        self.raise_()
