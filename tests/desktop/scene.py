"""A real Partner behind a window on the stage; it goes by words, as no story here is about models.

A story runs in one go: what a real Partner does goes on between two steps, and Qt would run it where no loop
runs.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.guard import GuardedButton
from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.desktop.language import LanguageChoice
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.mind.question import Mind
from tests.support import WAIT_S, HastyClock, Trusting

from .stage import Stage, rounds

#: A whole story; each wait in it has its own limit.
STORY_S = 4 * WAIT_S


class Scene:
    """Hands and eyes of a person in front of the window."""

    def __init__(self, stage: Stage, home: Home, action_dir: Path) -> None:
        self.stage = stage
        self.home = home
        self.action_dir = action_dir
        self.mind: Mind | None = None
        """Set before the play: it takes the place of the starter mind."""
        self.trusting = True
        """Set before the play: whether every server is let start, as in stories that are not about that."""
        self.language = LanguageChoice.ENGLISH
        """Set before the play: what the window speaks from its start on."""
        self._partner: Partner | None = None

    @property
    def partner(self) -> Partner:
        assert self._partner is not None
        return self._partner

    @property
    def window(self) -> MainWindow:
        return self.stage.window

    def play(self, story: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Open, tell the story, close."""
        self.stage.open()
        self.window.language.choose(self.language)
        try:
            self.stage.run(self._play(story), patience_s=STORY_S)
        finally:
            self.window.language.choose(LanguageChoice.ENGLISH)

    async def _play(self, story: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._partner = Partner(
            self.home,
            self.action_dir,
            kind="window",
            mind=self.mind,
            meaning=False,
            quiet_clock=HastyClock(),
        )
        person = Trusting(self._partner) if self.trusting else None
        await self._partner.launch()
        try:
            await self.stage.session.attach(self._partner)
            await rounds()
            await story()
        finally:
            await self.stage.session.close()
            await self._partner.close()
            if person is not None:
                await person.settled()

    # Hands.

    async def do(self, act: Callable[[], object]) -> None:
        """Act, and let what follows follow."""
        if not self.window.isActiveWindow():
            self.window.activateWindow()
        act()
        await rounds()

    async def click(self, button: QPushButton, *, at_once: bool = False) -> None:
        """Once it has stood still for a moment, as one who aims at it; or `at_once`."""
        if isinstance(button, GuardedButton) and not at_once:
            await rounds()
            self.stage.clock.move(timedelta(seconds=1))
        await self.do(lambda: QTest.mouseClick(button, Qt.MouseButton.LeftButton))

    async def key(self, key: Qt.Key) -> None:
        """A key for whatever has the keyboard."""
        await self.do(lambda: QTest.keyClick(self.focused(), key))

    async def type(self, text: str) -> None:
        await self.do(lambda: QTest.keyClicks(self.focused(), text))

    async def tab_to(self, wanted: QWidget) -> None:
        """Tab from wherever the keyboard is until it is there."""
        for _ in range(80):
            if self.focused() is wanted:
                return
            await self.key(Qt.Key.Key_Tab)
        raise AssertionError("Tab never came there")

    async def ask(self, text: str) -> ActionCard:
        """Say it in the composer; the card that comes of it, once it listens."""
        self.window.page.composer.edit.setFocus()
        before = set(self.cards)
        self.window.page.composer.set_text(text)
        await self.key(Qt.Key.Key_Return)
        return await self.next_card(before)

    # Eyes.

    @property
    def cards(self) -> tuple[ActionCard, ...]:
        return self.window.page.feed.cards

    def focused(self) -> QWidget:
        found: QWidget | None = self.window.focusWidget()
        assert found is not None
        return found

    def ability(self, key: str) -> Ability | None:
        return self.window.panel.abilities_tab.known.abilities.get(key)

    def toasts(self) -> list[str]:
        return [resolve_text(toast.notice.text) for toast in self.window.page.toasts.toasts]

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(WAIT_S):
            while not holds():  # noqa: ASYNC110 - a widget's state has no event to wait for
                await asyncio.sleep(0.005)

    async def next_card(self, before: set[ActionCard]) -> ActionCard:
        await self.until(lambda: set(self.cards) - before)
        (card,) = set(self.cards) - before
        await self.until(lambda: card.record is not None and card.record.status is not ActionStatus.ASKING)
        await self.let_listen(card)
        return card

    async def let_listen(self, card: ActionCard) -> None:
        """Wait until a card was painted, then past its quiet moment."""
        await self.do(lambda: self.window.page.feed.column.ensureWidgetVisible(card))
        await self.until(lambda: card.seen)
        self.stage.clock.move(timedelta(seconds=1))

    async def ended(self, card: ActionCard) -> ActionRecord:
        await self.until(lambda: card.record is not None and card.record.status.ended)
        await self.let_listen(card)
        assert card.record is not None
        return card.record

    async def form_on(self, card: ActionCard) -> DraftForm:
        await self.until(lambda: card.findChildren(DraftForm))
        return card.findChildren(DraftForm)[0]


def played(story: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that is a story: its first parameter is the scene."""

    @functools.wraps(story)
    def test(scene: Scene, **given: object) -> None:
        async def tell() -> None:
            await story(scene, **given)

        scene.play(tell)

    return test
