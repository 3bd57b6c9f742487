"""Labels and buttons of the window.

Buttons are reached by Tab, are never the default, and never steal the focus from the composer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from partner_desktop.desktop.parts.wrapped import SelectableLabel, WrappedLabel
from partner_desktop.desktop.theme.signs import SignName, sign_icon
from partner_desktop.desktop.theme.theme import Theme, set_look, zoomed
from partner_desktop.desktop.wording import (
    LazyText,
    announce,
    bind_text,
    in_every_language,
    resolve_text,
    set_tip,
)

PillKind: TypeAlias = Literal["plain", "good", "careful", "bad", "busy"]


def text_label(
    text: LazyText = "", look: str = "", *, wrap: bool = False, selectable: bool = False, hidden: bool = False
) -> QLabel:
    """A label of plain text in one of the stylesheet's looks; `hidden`: until it has something to say."""
    label = (SelectableLabel() if selectable else WrappedLabel()) if wrap else QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    bind_text(label, label.setText, text)
    if wrap:
        label.setMinimumWidth(1)  # a long word is broken; it does not push what holds it out of its place
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if look:
        set_look(label, look)
    if hidden:
        label.hide()
    return label


def show_words(label: QLabel, words: str) -> None:
    """Say them; where there is nothing to say, the label takes no room."""
    label.setText(words)
    label.setVisible(bool(words))


class Pill(QLabel):
    """A word on a soft ground; hidden while it has nothing to say."""

    def __init__(self, text: str = "", kind: PillKind = "plain") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.say(text, kind)

    def say(self, text: str, kind: PillKind = "plain") -> None:
        """Show a word; colour only repeats what the word says."""
        self.setText(text)
        set_look(self, f"pill-{kind}")
        self.setVisible(bool(text))


class ElidedLabel(QLabel):
    """One line that ends in an ellipsis where it does not fit; the whole is its tool tip."""

    def __init__(self, text: LazyText = "", look: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if look:
            set_look(self, look)
        bind_text(self, self.set_text, text)

    def set_text(self, text: str) -> None:
        self.setText(" ".join(text.split()))

    def setText(self, text: str) -> None:
        super().setText(text)
        self._say_whole()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._say_whole()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._say_whole()

    def minimumSizeHint(self) -> QSize:
        whole = super().sizeHint()
        return QSize(min(24, whole.width()), whole.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        sides = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        painter.drawText(self.contentsRect(), sides, self._shown())
        painter.end()

    def _shown(self) -> str:
        return self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )

    def _say_whole(self) -> None:
        set_tip(self, self.text() if self._shown() != self.text() else "")


_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def pressed_by_enter(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Enter does what Space does, on every button of the house; held down it does nothing more."""
    if event.key() not in _ENTER:
        return False
    event.accept()
    if not event.isAutoRepeat():
        button.click()
    return True


class PushButton(QPushButton):
    """Listens to Enter as to Space."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)


def push_button(
    text: LazyText,
    look: str = "plain",
    *,
    name: LazyText = "",
    pressed: Callable[..., object] | SignalInstance | None = None,
    parent: QWidget | None = None,
) -> QPushButton:
    """A button in one of the stylesheet's looks; `name` is said by screen readers instead of the text.

    `pressed`: what a press calls, or tells on.
    """
    button = PushButton(parent)
    bind_text(button, button.setText, text)
    prepare_button(button, look, name=name or text)
    if pressed is not None:
        button.clicked.connect(pressed)
    return button


def prepare_button(button: QPushButton, look: str, *, name: LazyText) -> None:
    """Give any push button the house's manners.

    Focus comes by Tab only: a click leaves it in the composer, and the ring shows for keyboards alone.
    """
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAutoDefault(False)
    button.setDefault(False)
    bind_text(button, button.setAccessibleName, name)
    set_look(button, look)


class IconButton(QToolButton):
    """A small button with a drawn sign and no text."""

    def __init__(self, theme: Theme, sign: SignName, name: LazyText, *, shortcut: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._sign: SignName = sign
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        bind_text(self, self.setAccessibleName, name)
        tip = (lambda: f"{resolve_text(name)} ({shortcut})") if shortcut else name
        set_tip(self, tip)
        self.restyle()

    def show_sign(self, sign: SignName) -> None:
        self._sign = sign
        self.restyle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def restyle(self) -> None:
        """Draw the sign, in the theme as it is now."""
        size = zoomed(16)
        self.setIconSize(QSize(size, size))
        color = self._theme.color
        icon = sign_icon(self._sign, color("muted"), size_px=size, disabled=color("line"))
        self.setIcon(icon)


_COPIED_MS = 1500


class CopyButton(PushButton):
    """`text` is asked for when it is pressed; `label` stands on it in place of "Copy"."""

    def __init__(
        self, text: Callable[[], str], name: LazyText, *, look: str = "quiet", label: LazyText = ""
    ) -> None:
        super().__init__()
        self._label = label
        self._copied_text = text
        self._name = name
        self._back = QTimer(self, interval=_COPIED_MS, singleShot=True)
        self._back.timeout.connect(self._rest)
        prepare_button(self, look, name=name)
        self._rest()
        in_every_language(self, self._rest)
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._copied_text())
        words = self.tr("Copied")
        self.setText(words)
        self.setAccessibleName(words)
        announce(self, words)
        self._back.start()

    def _rest(self) -> None:
        self.setText(resolve_text(self._label) or self.tr("Copy"))
        self.setAccessibleName(resolve_text(self._name))


class _Escape(QObject):
    def __init__(self, widget: QWidget, leave: Callable[[], object], when: Callable[[], object]) -> None:
        super().__init__(widget)
        self._leave = leave
        self._when = when
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self._when():
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()  # else the window would take it
                return True
            if event.type() == QEvent.Type.KeyPress:
                self._leave()
                return True
        return super().eventFilter(watched, event)


def on_escape(
    widget: QWidget, leave: Callable[[], object], *, when: Callable[[], object] = lambda: True
) -> None:
    """Esc in the widget, or in what is in it, leaves; while `when` says no it goes on as ever."""
    _Escape(widget, leave, when)


class SearchField(QLineEdit):
    """`name` is its placeholder, and what a screen reader says."""

    def __init__(self, name: LazyText) -> None:
        super().__init__()
        bind_text(self, self.setPlaceholderText, name)
        bind_text(self, self.setAccessibleName, name)
        on_escape(self, self.clear, when=self.text)

    @property
    def words(self) -> list[str]:
        return self.text().casefold().split()


_PAUSE_MS = 80
_LONGEST = 200


class FilterField(SearchField):
    """`looked_for(text)` when the typing pauses."""

    looked_for = Signal(str)

    def __init__(self, words: LazyText = "") -> None:
        """`words`: what it looks through; the settings, if nothing else is said."""
        super().__init__(words or (lambda: self.tr("Search the settings")))
        set_look(self, "search")
        self.setMaxLength(_LONGEST)
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(lambda: self.looked_for.emit(self.text().strip()))
        self.textChanged.connect(lambda _text: self._pause.start())
