"""Between Partner and the self-tests on the cards of models. Contract: there may be no Partner yet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from partner_desktop.desktop.models.model_controller import ModelController
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.domain.events import Event, ModelCheckEvent
from partner_desktop.domain.model_check import ModelCheck, QuestionScore

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.models.models_page import ModelsPage
    from partner_desktop.model.settings import QuestionName


class CheckController(Controller):
    """One window's, made with the page. A model's last test is looked up when its card is first in view."""

    def __init__(self, context: WindowContext, models: ModelController) -> None:
        super().__init__(context)
        self._models = models
        self._asked: set[str] = set()
        self._connect(models.page)
        self._window.models_wanted.connect(self._look)

    def deliver(self, event: Event) -> None:
        if isinstance(event, ModelCheckEvent) and event.check.at is None:
            self._show(event.check)
        elif isinstance(event, ModelCheckEvent):
            self._request("a test has ended", partial(self._show_end, event.check))

    def _connect(self, page: ModelsPage) -> None:
        page.check_wanted.connect(self._start)
        page.check_stopped.connect(
            lambda name: self._request("stop a test", lambda partner: partner.checks.stop(name))
        )
        page.starter_preferred.connect(self._prefer)

    def _look(self) -> None:
        page = self._models.made_page
        for name in [one for one in (page.cards if page is not None else ()) if one not in self._asked]:
            self._asked.add(name)
            self._request(f"last test of {name}", partial(self._show_last, name))

    async def _show_last(self, name: str, partner: Partner) -> None:
        check = await partner.checks.last(name)
        if check is not None:
            self._show(check, await partner.checks.questions(name))

    async def _show_end(self, check: ModelCheck, partner: Partner) -> None:
        """With who keeps which question. A model that was removed meanwhile has no card any more."""
        page = self._models.made_page
        if page is not None and check.model in page.cards:
            self._show(check, await partner.checks.questions(check.model))

    def _start(self, name: str) -> None:
        async def starting(partner: Partner) -> None:
            self._show(await partner.checks.start(name))

        self._request(f"test {name}", starting, on_fault=partial(self._say_fault, name))

    def _prefer(self, name: str, question: QuestionName, on: bool) -> None:
        async def preferring(partner: Partner) -> None:
            await partner.checks.prefer(question, starter=on)
            for known in sorted(self._asked):
                await self._show_last(known, partner)

        self._asked.add(name)
        self._request("who keeps a question", preferring, on_fault=partial(self._say_fault, name))

    def _say_fault(self, name: str, sentence: str) -> None:
        if self._models.in_view:
            self._models.page.show_fault(sentence, name)
        else:
            self._context.notices.fault(sentence)

    def _show(self, check: ModelCheck, scores: Sequence[QuestionScore] = ()) -> None:
        page = self._models.made_page
        card = page.cards.get(check.model) if page is not None else None
        if card is not None:
            self._asked.add(check.model)
            card.show_check(check, scores)
