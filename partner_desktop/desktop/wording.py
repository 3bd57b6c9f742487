"""Words that follow the language, and tool tips that say a text as it is.

A text is given as what says it: `lambda: self.tr("Send")` in place of `self.tr("Send")`. `bind_text` puts it
where it belongs now, and again whenever the language changes, as long as its owner lives. Every helper that
makes a widget takes such words, so that a text which would stay behind is one without `lambda:` before it;
the tests switch the language and look at every text there is.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TypeAlias
from weakref import WeakValueDictionary

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAction, Qt
from PySide6.QtWidgets import QSystemTrayIcon, QWidget
from shiboken6 import isValid

from partner_desktop.base.text import shown

#: A text that stays as it is (the person's own, a path, a name), or what says one in the present language.
LazyText: TypeAlias = str | Callable[[], str]


class _Saying:
    """What says something of its owner, by whom it is held: goes with it.

    Plain Python, because a window has hundreds: a connected child of the owner takes ten times as long.
    """

    __slots__ = ("__weakref__", "_act", "owner")

    def __init__(self, owner: QObject, act: Callable[[], object]) -> None:
        self.owner = owner
        self._act = act
        vars(owner).setdefault(_HELD, []).append(self)
        _sayings[next(_numbers)] = self

    def again(self) -> None:
        if isValid(self.owner):
            self._act()


#: Where an owner holds what says something of it.
_HELD = "_sayings"
#: All of them, in the order in which they were first said.
_sayings: WeakValueDictionary[int, _Saying] = WeakValueDictionary()
_numbers = count()


def tr(text: str) -> str:
    """Words of a module that has no widget to ask; lupdate files a bare `tr` under no context's name."""
    return QCoreApplication.translate("", text)


def resolve_text(words: LazyText) -> str:
    """The words in the present language."""
    return words if isinstance(words, str) else words()


def bind_text(owner: QObject, put: Callable[[str], object], words: LazyText) -> None:
    """Put the words in their place, now and in every language that comes.

    Once for each place: words that change later are kept by the owner and shown through `in_every_language`.
    """
    put(resolve_text(words))
    if not isinstance(words, str):
        _Saying(owner, lambda: put(words()))


def in_every_language(owner: QObject, act: Callable[[], object], *, now: bool = False) -> None:
    """Call `act` after each change of the language, while `owner` lives; with `now`, at once too."""
    _Saying(owner, act)
    if now:
        act()


def say_again(owner: QObject) -> None:
    """The language is another: what is bound to `owner` is said anew."""
    for saying in vars(owner).get(_HELD, ()):
        saying.again()


def retranslate_others() -> None:
    """The same for what belongs to no widget."""
    for saying in list(_sayings.values()):
        if not isinstance(saying.owner, QWidget):
            saying.again()


class Announcements(QObject):
    """What is said to those who listen. `said(text, urgent)`."""

    said = Signal(str, bool)


announcements = Announcements()


def announce(widget: QWidget, text: str, *, urgent: bool = False) -> None:
    """Say `text`, when anyone listens."""
    if not text or not QAccessible.isActive():
        return
    event = QAccessibleAnnouncementEvent(widget, text)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
    QAccessible.updateAccessibility(event)
    announcements.said.emit(text, urgent)


def joined_words(*parts: str) -> str:
    """`12:00 · 3.1 s`: what there is to say, of what is said in a line."""
    return " · ".join(part for part in parts if part)


_UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB"))
#: Below this many of a unit, its first decimal says something.
_FEW = 100


def size_words(size_bytes: int) -> str:
    """`2.5 GB`."""
    for size, unit in _UNITS:
        if size_bytes >= size:
            count = size_bytes / size
            return f"{count:.1f} {unit}" if count < _FEW else f"{count:,.0f} {unit}"
    return f"{size_bytes} B"


def set_tip(on: QWidget | QAction | QSystemTrayIcon, words: LazyText) -> None:
    """Give it a tip that reads like the words, whatever stands in them."""
    if isinstance(on, QWidget):
        bind_text(on, lambda text: on.setToolTip(plain_tip(text)), words)
    else:
        on.setToolTip(plain_tip(words if isinstance(words, str) else words()))


def plain_tip(text: str) -> str:
    """What is to be set as a tip so that it reads like `text`."""
    text = shown(text, lines=True)
    if not Qt.mightBeRichText(text):
        return text
    import html  # noqa: PLC0415 - half a megabyte of entities, and few tips look like markup

    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>'
