"""Between Partner and where models come from: what lies here, servers that run, the list, downloads.

It fills the page of models and the first run. Contract: there may be no Partner yet. The disk is looked at
when the person asks for it, and by itself only while the first run is in view; addresses are asked for a
press alone. What fails is said where it was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partner_desktop.desktop.models.model_controller import ModelController
from partner_desktop.desktop.parts.file_dialogs import ask_for_folder
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.model_download import CatalogModel, Download
from partner_desktop.domain.model_file import FoundModels
from partner_desktop.domain.model_status import ModelStatus

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.models.download_row import DownloadList
    from partner_desktop.desktop.models.first_run import FirstRun
    from partner_desktop.desktop.models.found_section import FoundSection
    from partner_desktop.desktop.models.models_page import ModelsPage

#: Where the settings have the folders that are looked into.
_FILE, _FOLDERS = "model", ("folders",)

Act = Callable[["Partner"], Coroutine[Any, Any, object]]


class SourceController(Controller):
    """One window's."""

    def __init__(self, context: WindowContext, models: ModelController) -> None:
        super().__init__(context)
        self._models = models
        self._first: FirstRun | None = None
        self._begun = False
        self._found: FoundModels | None = None
        self._catalog: Sequence[CatalogModel] = ()
        self._loading: set[str] = set()
        """Downloads that were seen before they were done."""
        models.parts.append(self._connect_page)
        self._window.page.welcome.came_into_view.connect(self._show_first_run)
        self._window.models_wanted.connect(self._look_at_list)
        self._store.models.changed.connect(lambda _ids, _gone: self._models_changed())
        self._store.downloads.changed.connect(lambda _ids, _gone: self._show_downloads())

    def begin_first_run(self) -> None:
        """The window shows what it was opened for: a conversation, or the welcome."""
        self._begun = True
        self._show_first_run()

    def _models_changed(self) -> None:
        self._mark_known(self._store.models.values())
        self._show_first_run()

    # The first run.

    def _show_first_run(self) -> None:
        """While there is no model and the person did not choose to begin without."""
        welcome = self._window.page.welcome
        if not self._begun:
            return
        if len(self._store.models) or self._window.first_run_over:
            self._first = None
            welcome.show_offers(None)
        elif self._first is None and welcome.isVisible():
            from partner_desktop.desktop.models.first_run import FirstRun  # noqa: PLC0415 - seldom needed

            self._first = first = FirstRun(self._window.theme)
            self._connect_first_run(first)
            welcome.show_offers(first)
            first.show_download(self._under_way())
            self._look()
            self._look_at_list()

    def _connect_first_run(self, first: FirstRun) -> None:
        first.model_used.connect(self._use_found)
        first.file_wanted.connect(self._models.ask_for_file)
        first.more_wanted.connect(self._models.show)
        first.download_wanted.connect(partial(self._download, file=""))
        self._connect_downloads(first)
        first.servers_wanted.connect(self._look_for_servers)
        first.server_used.connect(self._use_server)
        first.address_wanted.connect(self._give_address)
        first.start_wanted.connect(self._just_start)

    def _just_start(self) -> None:
        self._window.first_run_over = True
        self._show_first_run()
        self._window.page.composer.edit.setFocus()

    def _give_address(self) -> None:
        self._models.show()
        self._models.open_form()

    # The page.

    def _connect_page(self, page: ModelsPage) -> None:
        page.found.look_wanted.connect(self._look)
        page.found.folder_wanted.connect(self._ask_for_folder)
        page.found.servers_wanted.connect(self._look_for_servers)
        page.found.model_used.connect(self._use_found)
        page.found.known_used.connect(self._models.use)
        page.found.server_used.connect(self._use_server)
        page.get.known_used.connect(self._models.use)
        page.get.download_wanted.connect(self._download)
        page.get.repository_wanted.connect(self._look_at_repository)
        self._connect_downloads(page.get.downloads)
        if self._found is not None:
            page.found.show_found(self._found)
        page.get.show_catalog(self._catalog)
        page.get.show_downloads(self._store.downloads.values())

    # What lies here.

    def _look(self) -> None:
        async def looking(partner: Partner) -> None:
            try:
                self._found = await partner.finds.models()
            finally:
                self._show_found()

        for view in self._views:
            view.show_looking()
        self._ask("look for models", looking)

    def _show_found(self) -> None:
        if self._models.made_page is not None:
            self._models.made_page.found.show_found(self._found)
        if self._first is not None:
            self._first.show_found(self._found)

    def _mark_known(self, models: Sequence[ModelStatus]) -> None:
        """What was found and is in the list by now says so, whoever brought it there."""
        if self._found is None:
            return
        names = {model.name for model in models}
        by_place = {model.where: model.name for model in models if model.kind == "file"}
        known = [by_place.get(one.path, one.known_as) for one in self._found.models]
        marked = [
            replace(one, known_as=name if name in names else "")
            for one, name in zip(self._found.models, known, strict=True)
        ]
        found = replace(self._found, models=tuple(marked))
        if found != self._found:
            self._found = found
            self._show_found()

    def _ask_for_folder(self) -> None:
        ask_for_folder(self._window, tr("Look for models in"), self._add_folder)

    def _add_folder(self, folder: str) -> None:
        """From now on it is looked into each time."""

        async def adding(partner: Partner) -> None:
            fields = next(one.fields for one in partner.config.files() if one.name == _FILE)
            known = next(one.value for one in fields if one.key == _FOLDERS)
            assert isinstance(known, list)
            if folder not in known:
                await partner.config.set(_FILE, _FOLDERS, [*known, folder])
            self._look()

        self._ask("another folder of models", adding)

    def _use_found(self, path: str) -> None:
        async def using(partner: Partner) -> None:
            name = await partner.finds.use(Path(path))
            await self._models.let_answer(partner, name)

        self._ask("use a model that was found", using)

    # Servers.

    def _look_for_servers(self) -> None:
        async def looking(partner: Partner) -> None:
            servers = None
            try:
                servers = await partner.finds.endpoints()
            finally:
                for view in self._views:
                    view.show_servers(servers)

        for view in self._views:
            view.show_servers_looking()
        self._ask("look for servers", looking)

    def _use_server(self, address: str, model: str) -> None:
        async def using(partner: Partner) -> None:
            name = await partner.finds.use_endpoint(address, model)
            await self._models.let_answer(partner, name)

        self._ask("use a server that was found", using)

    # The list and downloads.

    def _look_at_list(self) -> None:
        async def looking(partner: Partner) -> None:
            self._catalog = await partner.downloads.catalog()
            if self._models.made_page is not None:
                self._models.made_page.get.show_catalog(self._catalog)
            if self._first is not None:
                suggested = (one for one in self._catalog if one.suggested)
                self._first.show_suggested(next(suggested, None))

        self._ask("the list of models", looking)

    def _look_at_repository(self, reference: str) -> None:
        page = self._models.page

        async def looking(partner: Partner) -> None:
            page.get.show_listing(await partner.downloads.look(reference))

        page.get.show_looking()
        self._ask("look at a repository", looking, on_fault=page.get.show_fault)

    def _download(self, reference: str, file: str) -> None:
        self._ask("download", lambda partner: partner.downloads.start(reference, file=file))

    def _connect_downloads(self, view: FirstRun | DownloadList) -> None:
        """Both have the same buttons for one."""
        for name, wanted in (
            ("pause", view.pause_wanted),
            ("resume", view.resume_wanted),
            ("cancel", view.cancel_wanted),
        ):
            wanted.connect(partial(self._change_download, name))

    def _change_download(self, verb: str, download_id: str) -> None:
        async def changing(partner: Partner) -> None:
            downloads = partner.downloads
            acts = {"pause": downloads.pause, "resume": downloads.resume, "cancel": downloads.cancel}
            await acts[verb](download_id)

        self._ask(f"{verb} a download", changing)

    def _show_downloads(self) -> None:
        downloads, before = self._store.downloads.values(), self._loading
        self._loading = {one.id for one in downloads if one.state != "done"}
        if self._models.made_page is not None:
            self._models.made_page.get.show_downloads(downloads)
        if self._first is not None:
            self._first.show_download(self._under_way())
        for one in downloads:
            if one.state == "done" and one.id in before and one.model:
                self._welcome(one.model)

    def _welcome(self, name: str) -> None:
        """One came while the person looked on: where none other answers, it comes up."""
        self._look_at_list()
        self._ask("a model that was loaded", lambda partner: self._models.welcome_model(partner, name))

    def _under_way(self) -> Download | None:
        return next((one for one in self._store.downloads.values() if one.state != "done"), None)

    # All.

    @property
    def _views(self) -> list[FoundSection | FirstRun]:
        """Where what was found is shown: both have the same verbs."""
        page = self._models.made_page
        known = (page.found if page is not None else None, self._first)
        return [one for one in known if one is not None]

    def _ask(self, name: str, act: Act, *, on_fault: Callable[[str], None] | None = None) -> None:
        if self._first is not None:
            self._first.show_fault("")
        self._request(name, act, on_fault=on_fault or self._say_fault)

    def _say_fault(self, sentence: str) -> None:
        if self._first is not None and self._first.isVisible() and not self._models.in_view:
            self._first.show_fault(sentence)
        else:
            self._models.say_fault("", sentence)
