"""Between the page of settings and the settings: what the person changes is saved, what changes is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from partner_desktop.base.errors import PartnerError
from partner_desktop.base.paths import display_path
from partner_desktop.desktop.opener import open_folder
from partner_desktop.desktop.operations.ability_verbs import open_source
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.events import ConfigEvent, Event
from partner_desktop.domain.json_value import Json

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.settings.settings_page import SettingsPage


class SettingsController(Controller):
    """Makes the page when it is first asked for; there may be no Partner yet."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._page: SettingsPage | None = None
        self._window.settings_wanted.connect(self.toggle)

    @property
    def page(self) -> SettingsPage:
        if self._page is None:
            from partner_desktop.desktop.settings.settings_page import SettingsPage  # noqa: PLC0415

            self._page = page = SettingsPage(self._window.theme)
            page.closed.connect(self.toggle)
            page.outdated.connect(self._show_again)
            in_every_language(page, self._show_again)
            page.wanted.connect(self._change)
            page.file_wanted.connect(self._open_file)
            page.folder_wanted.connect(self._open_folder)
            page.models_wanted.connect(self._window.models_wanted)
            page.permissions_wanted.connect(self._window.permissions_wanted)
        return self._page

    def _begin(self, partner: Partner) -> None:
        if self._page is not None:
            self._show()

    def toggle(self) -> None:
        """Show the page, or go back from it."""
        page = self.page
        if self._window.toggle_aside(page, regions=page.regions):
            QTimer.singleShot(0, page, self._show)  # the page first, what is on it after
            (page.search if self._store.ready else page.close_button).setFocus()

    def look_for(self, words: str) -> None:
        """Show the page with what has these words."""
        if self._window.page.shown is not self.page or not self._window.page.aside_shown:
            self.toggle()
        self.page.search.setText(words)

    def _show(self) -> None:
        folder = self._store.settings_folder
        if folder is not None:
            from partner_desktop.desktop.settings.window_settings import window_file  # noqa: PLC0415 - with the page

            files = [window_file(self._window), *self._store.settings_files]
            self.page.show_files(files, display_path(folder))

    def _show_again(self) -> None:
        """What the page says may be otherwise now; one that is not in view is filled when it is shown."""
        if self._page is not None and not self._page.isHidden():
            self._show()

    def deliver(self, event: Event) -> None:
        if isinstance(event, ConfigEvent):
            self._show_again()

    def _change(self, name: str, key: tuple[str, ...], value: Json) -> None:
        from partner_desktop.desktop.settings.window_settings import WINDOW, set_window_setting  # noqa: PLC0415 - with the page

        if name == WINDOW:
            set_window_setting(self._window, key[0], value)
            self._show_again()
            self._answer(name, key)
        else:
            self._request("setting", lambda partner: self._save(partner, name, key, value))

    async def _save(self, partner: Partner, name: str, key: tuple[str, ...], value: Json) -> None:
        try:
            if value is None:
                await partner.config.reset(name, key)
            else:
                await partner.config.set(name, key, value)
        except PartnerError as error:
            self._answer(name, key, str(error))
        except Exception:
            self._answer(name, key, tr("It could not be saved."))
            raise
        else:
            self._show()
            self._answer(name, key)

    def _answer(self, name: str, key: tuple[str, ...], fault: str = "") -> None:
        row = self.page.row(name, key)
        if row is not None and fault:
            row.refuse(fault)
        elif row is not None:
            row.accept()

    def _open_file(self, path: Path, line: int | None) -> None:
        open_source(self._context, path, line)

    def _open_folder(self) -> None:
        if self._store.settings_folder is not None:
            open_folder(self._store.settings_folder)
