"""Between Partner and what the window shows of models: the page, the foot's first line, the busy line.

Contract: there may be no Partner yet. The page is made when it is first asked for. What fails is said where
it was asked for: on the model's card, in the form, or, with the page out of view, over the composer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer

from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.desktop.notices import NoticeAction
from partner_desktop.desktop.window_context import Controller, WindowContext, WindowOperation
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.events import Event, ModelCheckEvent, ResultEvent
from partner_desktop.domain.model_status import EndpointDraft

if TYPE_CHECKING:
    from partner_desktop.api.familiar_service import FamiliarService
    from partner_desktop.app import Partner
    from partner_desktop.desktop.models.models_page import ModelsPage
    from partner_desktop.domain.model_check import ModelCheck, QuestionScore
    from partner_desktop.model.settings import QuestionName


_stop_check = WindowOperation.of("stop a test", lambda partner: partner.checks.stop)


@WindowOperation
async def show_familiar(context: WindowContext, partner: Partner, page: ModelsPage) -> None:
    """Requests that are answered without a model, on the page."""
    requests, savings = await partner.familiar.list(), await partner.familiar.savings()
    infos = [ability.info for ability in context.store.abilities.values() if ability.info is not None]
    page.familiar.show_requests(requests, savings, {info.key: info.told.title for info in infos})


class ModelController(Controller):
    """One window's models."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._page: ModelsPage | None = None
        self._given_up: set[str] = set()
        self._test: asyncio.Task[None] | None = None
        self._checked: set[str] = set()
        """Models whose last self-test is shown, or was looked up: when their card was first in view."""
        self.parts: list[Callable[[ModelsPage], object]] = []
        """Called once, with the page when it is made: others have their parts in it."""
        self._window.models_wanted.connect(self.toggle)
        self._store.models.changed.connect(lambda _ids, _gone: self._show_models())
        self._window.page.header.model_switch.chosen.connect(self._choose_here)

    def deliver(self, event: Event) -> None:
        if isinstance(event, ResultEvent) and self.in_view:
            show_familiar(self._context, self.page)
        elif isinstance(event, ModelCheckEvent) and event.check.at is None:
            self._show_check(event.check)
        elif isinstance(event, ModelCheckEvent):
            self._request("a test has ended", partial(self._show_end, event.check))

    def _show_models(self) -> None:
        models, page = self._store.models.values(), self._window.page
        chosen = next((model for model in models if model.in_use), None)
        self._window.sidebar.status.show_model(chosen)
        page.welcome.show_model_hint(wanted=not models)
        page.welcome.show_model(chosen)
        page.header.model_switch.show_models(models, self._store.chosen_in)
        loading = chosen is not None and chosen.state == "loading"
        page.feed.show_loading(chosen.progress if chosen is not None and loading else None)
        if self._page is not None:
            self._page.show_models(models, self._store.mind)

    # The page.

    @property
    def page(self) -> ModelsPage:
        if self._page is None:
            from partner_desktop.desktop.models.models_page import ModelsPage  # noqa: PLC0415

            self._page = page = ModelsPage(self._window.theme)
            page.show_models(self._store.models.values(), self._store.mind)
            self._connect(page)
            for connect in self.parts:
                connect(page)
        return self._page

    def _connect(self, page: ModelsPage) -> None:
        page.closed.connect(self.toggle)
        page.settings_wanted.connect(self._window.settings_wanted)
        page.file_wanted.connect(self.ask_for_file)
        page.server_wanted.connect(self.open_form)
        page.use_wanted.connect(self.use)
        page.load_wanted.connect(self._load)
        page.unload_wanted.connect(self._unload)
        page.remove_wanted.connect(lambda name: self._ask(name, lambda one: one.models.remove(name)))
        page.key_wanted.connect(self._open_key_form)
        page.key_given.connect(self._change_key)
        page.server_saved.connect(self._save_server)
        page.test_wanted.connect(self._start_test)
        page.test_stopped.connect(self._stop_test)
        page.check_wanted.connect(self._check)
        page.check_stopped.connect(partial(_stop_check, self._context))
        page.starter_preferred.connect(self._prefer)
        page.familiar.forget_wanted.connect(lambda one: self._change_familiar(lambda each: each.forget(one)))
        page.familiar.clear_wanted.connect(lambda: self._change_familiar(lambda each: each.clear()))

    def toggle(self) -> None:
        """Show the page, or go back from it."""
        page = self.page
        if self._window.toggle_aside(page, regions=page.regions):
            chosen = next((card for card in page.cards.values() if card.mark.isChecked()), page.starter)
            QTimer.singleShot(0, page, chosen.mark.setFocus)
            show_familiar(self._context, page)
            for name in page.cards.keys() - self._checked:
                if self._context.request(f"last test of {name}", partial(self._show_last, name)):
                    self._checked.add(name)

    def show(self) -> ModelsPage:
        """Show the page, if it does not lie there already."""
        if not self.in_view:
            self.toggle()
        return self.page

    @property
    def made_page(self) -> ModelsPage | None:
        """The page, if it was ever asked for."""
        return self._page

    @property
    def in_view(self) -> bool:
        """Whether the page is before the person."""
        return self._page is not None and self._page.isVisible()

    # What the person asks for.

    def add_files(self, files: Sequence[Path]) -> None:
        for file in files:
            self._start(f"add {file.name}", partial(self._add, path=file))

    def ask_for_file(self) -> None:
        """Let a model file be chosen."""
        from partner_desktop.desktop.session.dropped_files import ask_for_model_file  # noqa: PLC0415

        if self._page is not None:
            self._page.forget_fault()
        ask_for_model_file(self._window, lambda path: self.add_files((path,)))

    async def _add(self, partner: Partner, path: Path) -> None:
        await self.welcome_model(partner, await partner.models.add_file(path))

    async def welcome_model(self, partner: Partner, name: str) -> None:
        """Whoever answers from now on comes up at once; where another was chosen, it is only offered."""
        self._store.look_at_models()
        if self._page is not None:
            self._page.show_card(name)
        model = self._store.models.get(name)
        if model is not None and model.in_use:
            await self._bring_up(partner, name)
        elif not self.in_view:
            use = NoticeAction(lambda: tr("Let it answer"), lambda: self.use(name), undoes=False)
            words = lambda: tr("{name} is in the list of models.").format(name=name)  # noqa: E731
            self._context.notices.tell("", words, action=use, about=f"model {name}")

    def use(self, name: str) -> None:
        """Let a model answer, or the starter mind."""
        self._start(f"use {name}", lambda partner: self.let_answer(partner, name), name=name)

    async def let_answer(self, partner: Partner, name: str) -> None:
        """Whoever chooses a model wants to see it come up, or why it does not."""
        await partner.models.use(name)
        self._store.look_at_models()
        model = self._store.models.get(name)
        if model is not None and model.state in ("idle", "failed"):
            await self._bring_up(partner, name)

    def _choose_here(self, conversation_id: str, name: str) -> None:
        """For one conversation alone; what was chosen comes up at once."""

        async def choosing(partner: Partner) -> None:
            await partner.models.use(name, conversation_id=conversation_id)
            await partner.warm_up(conversation_id)

        self._start(f"use {name} here", choosing, name=name)

    def _load(self, name: str) -> None:
        self._start(f"load {name}", lambda partner: self._bring_up(partner, name), name=name)

    async def _bring_up(self, partner: Partner, name: str) -> None:
        self._given_up.discard(name)
        # A server tells nobody that it is being asked: look as soon as it is.
        asyncio.get_running_loop().call_soon(self._store.look_at_models)
        try:
            await partner.models.load(name)
        except PartnerError:
            if name not in self._given_up:  # else the person gave it up and knows
                raise

    def _unload(self, name: str) -> None:
        self._given_up.add(name)
        self._ask(name, lambda partner: partner.models.unload(name))

    def _change_key(self, name: str, key: str) -> None:
        async def changing(partner: Partner) -> None:
            await partner.models.set_key(name, key)
            await self._bring_up(partner, name)

        self._ask(name, changing)

    def _ask(self, name: str, act: Callable[[Partner], Coroutine[Any, Any, object]]) -> None:
        self._start(f"model {name}", act, name=name)

    def _start(
        self, what: str, act: Callable[[Partner], Coroutine[Any, Any, object]], *, name: str = ""
    ) -> asyncio.Task[None] | None:
        async def acting(partner: Partner) -> None:
            try:
                await act(partner)
            finally:
                self._store.look_at_models()  # what came of it shows at once, whatever it was

        if self._page is not None:
            self._page.forget_fault(name)
        return self._context.request(what, acting, on_fault=partial(self._fault, name))

    def _fault(self, name: str, sentence: str) -> None:
        model = self._store.models.get(name)
        failed = model is not None and model.state == "failed"
        if not (failed and self.in_view):  # else its card says why
            self.say_fault(name, sentence)

    def say_fault(self, name: str, sentence: str) -> None:
        """Of a model, or of something else, where that was asked for."""
        if self.in_view:
            self.page.show_fault(sentence, name)
        else:
            self._context.notices.fault(sentence)

    # Self-tests.

    def _check(self, name: str) -> None:
        async def starting(partner: Partner) -> None:
            self._show_check(await partner.checks.start(name))

        self._request(f"test {name}", starting, on_fault=partial(self.say_fault, name))

    async def _show_last(self, name: str, partner: Partner) -> None:
        with suppress(UsageError):  # it was removed meanwhile
            check = await partner.checks.last(name)
            if check is not None:
                self._show_check(check, await partner.checks.questions(name))

    async def _show_end(self, check: ModelCheck, partner: Partner) -> None:
        """With who keeps which question. A model that was removed meanwhile has no card any more."""
        if self._page is not None and check.model in self._page.cards:
            self._show_check(check, await partner.checks.questions(check.model))

    def _prefer(self, name: str, question: QuestionName, on: bool) -> None:
        async def preferring(partner: Partner) -> None:
            await partner.checks.prefer(question, starter=on)
            for known in sorted(self._checked):
                await self._show_last(known, partner)

        self._checked.add(name)
        self._request("who keeps a question", preferring, on_fault=partial(self.say_fault, name))

    def _show_check(self, check: ModelCheck, scores: Sequence[QuestionScore] = ()) -> None:
        card = self._page.cards.get(check.model) if self._page is not None else None
        if card is not None:
            self._checked.add(check.model)
            card.show_check(check, scores)

    # Familiar requests.

    def _change_familiar(self, change: Callable[[FamiliarService], Coroutine[Any, Any, object]]) -> None:
        async def changing(partner: Partner) -> None:
            await change(partner.familiar)
            show_familiar(self._context, self.page)

        self._start("familiar requests", changing)

    # Servers.

    def open_form(self) -> None:
        """Let a server be named, on the page."""

        async def opening(partner: Partner) -> None:
            self.page.show_form(await partner.models.key_place())

        self._start("place of keys", opening)

    def _open_key_form(self, name: str) -> None:
        async def opening(partner: Partner) -> None:
            place = await partner.models.key_place()
            card = self.page.cards.get(name)
            if card is not None:
                card.show_key_form(place)

        self._start("place of keys", opening, name=name)

    def _save_server(self, draft: EndpointDraft, key: str) -> None:
        async def saving(partner: Partner) -> None:
            name = await partner.models.add_endpoint(draft, key)
            self._stop_test()
            self.page.hide_form()
            await self.welcome_model(partner, name)

        self._start("add a server", saving)

    def _start_test(self, draft: EndpointDraft, key: str) -> None:
        async def testing(partner: Partner) -> None:
            self.page.show_report(await partner.models.test_endpoint(draft, key))

        self._test = self._start("test a server", testing)

    def _stop_test(self) -> None:
        task, self._test = self._test, None
        if task is not None:
            task.cancel()
