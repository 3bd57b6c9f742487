"""Another look or language goes through a full window a few widgets a turn of the loop, each of them once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from shiboken6 import isValid

from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.slices import SLICE_S
from partner_desktop.desktop.theme.stylesheet import StyleSheet
from partner_desktop.desktop.theme.theme import ThemeChoice
from partner_desktop.desktop.window_change import WindowChange
from partner_desktop.desktop.wording import bind_text
from partner_desktop.domain.message import Role

from .chat import Chat
from .stage import Stage

pytestmark = pytest.mark.integration

_SHOWN = Qt.WidgetAttribute.WA_WState_Polished
_TICK_S = 0.001
#: What a slice has time for, by a clock that takes one tick a look.
_MOST_A_TURN = round(SLICE_S / _TICK_S) + 1


class Ticks:
    """A clock that goes on whenever it is looked at."""

    def __init__(self) -> None:
        self._now_s = 0.0

    def __call__(self) -> float:
        self._now_s += _TICK_S
        return self._now_s


class Heard(QObject):
    """What widgets are told of another style, and paint, in order."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.told: list[tuple[QEvent.Type, QObject]] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.Paint) and isinstance(watched, QWidget):
            self.told.append((event.type(), watched))
        return False

    @property
    def styled(self) -> list[QObject]:
        """Those that were told of another style."""
        return [widget for kind, widget in self.told if kind == QEvent.Type.StyleChange]


@contextmanager
def heard(app: QApplication) -> Iterator[Heard]:
    one = Heard(app)
    app.installEventFilter(one)
    try:
        yield one
    finally:
        app.removeEventFilter(one)


async def turns(goes_on: Callable[[], bool], count: Callable[[], int]) -> list[int]:
    """How much was done before each turn of the loop."""
    done = [count()]
    while goes_on():
        await asyncio.sleep(0)
        done.append(count() - sum(done))
    return done


def long_chat(chat: Chat, stage: Stage) -> QWidget:
    window = chat.open()
    stage.propose(chat)
    for number in range(30):
        stage.do(lambda number=number: chat.add_message(Role.USER, f"Number {number}"))  # type: ignore[misc] # now
        stage.do(lambda number=number: chat.add_message(Role.PARTNER, f"*{number}*\n\n" * 3))  # type: ignore[misc]
    return window


def test_another_sheet_reaches_each_widget_once_and_a_few_a_turn(
    qapp: QApplication, chat: Chat, stage: Stage
) -> None:
    window = long_chat(chat, stage)
    widgets = {one for one in window.findChildren(QWidget) if one.testAttribute(_SHOWN)}
    seen = {one for one in widgets if not one.visibleRegion().isEmpty()}
    hidden = [one for one in widgets if not one.isVisible()]
    assert seen
    assert hidden
    sheet = StyleSheet(qapp, now=Ticks())
    with heard(qapp) as events:

        async def change() -> list[int]:
            sheet.replace(qapp.styleSheet() + "\nQPushButton { padding: 3px; }", sizes=True)
            return await turns(lambda: sheet.busy, lambda: sum(one in widgets for one in events.styled))

        done = stage.run(change())
        told = list(events.told)
    alive = {one for one in widgets if isValid(one)}
    assert len(alive) > 200
    assert max(done) < len(alive) / 5  # Qt tells some of itself, too, such as what is in a scroll area
    often = Counter(one for kind, one in told if kind == QEvent.Type.StyleChange)
    assert {one for one in alive if often[one] != 1} == set()
    places = {one: at for at, (kind, one) in enumerate(told) if kind == QEvent.Type.StyleChange}
    last_seen = max(places[one] for one in seen if one in places)
    assert [one for one in hidden if places.get(one, last_seen) < last_seen] == []
    assert not [one for kind, one in told[:last_seen] if kind == QEvent.Type.Paint]
    stage.do(lambda: stage.theme.choose(ThemeChoice.DARK))  # and the theme's own is there again


def test_another_language_is_said_by_a_few_a_turn(qapp: QApplication, stage: Stage) -> None:
    window, said = QWidget(), Counter[QLabel]()

    def say(label: QLabel, text: str) -> None:
        said[label] += 1
        label.setText(text)

    labels = [QLabel() for _ in range(100)]
    for label in labels:
        bind_text(label, partial(say, label), lambda: "word")
    vbox(*labels, into=window)
    window.show()
    language = Language(qapp)
    language.change = WindowChange(qapp, now=Ticks())
    said.clear()

    async def change() -> list[int]:
        language.choose(LanguageChoice.CHINESE)
        return await turns(lambda: language.change.busy, said.total)

    try:
        done = stage.run(change())
    finally:
        stage.do(lambda: language.choose(LanguageChoice.ENGLISH))
        window.deleteLater()
    assert max(done) <= _MOST_A_TURN
    assert sum(done) == len(labels)
