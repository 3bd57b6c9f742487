"""Between Partner and the page of permissions: what the person changes is written, what changes is shown.

Contract: there may be no Partner yet. What fails is said on the page, in the form that asked for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.opener import open_in_editor
from partner_desktop.desktop.permissions.page import PermissionsPage
from partner_desktop.desktop.permissions.words import rule_words
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.events import ConfigEvent, Event, PermissionsEvent
from partner_desktop.domain.permission import Permissions, Rule

if TYPE_CHECKING:
    from partner_desktop.api.permission_service import PermissionService
    from partner_desktop.app import Partner

#: The name of the file among the settings.
_FILE = "permission"


class PermissionController(Controller):
    """One window's permissions."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._permissions: Permissions | None = None
        self.page = page = PermissionsPage(self._window.theme)
        page.closed.connect(self.toggle)
        page.audit_wanted.connect(self._window.audit_wanted)
        page.asked.connect(self._ask)
        page.rule_saved.connect(self._save_rule)
        page.rule_removed.connect(self._remove_rule)
        page.file_wanted.connect(self._open_file)

    def _begin(self, partner: Partner) -> None:
        self._look()

    def toggle(self) -> None:
        """Show the page, or go back from it."""
        page = self.page
        if self._window.toggle_aside(page, regions=page.regions):
            self._look()
            mark = next((row.mark for row in page.modes.rows.values() if row.mark.isChecked()), None)
            QTimer.singleShot(0, page, (mark or page.close_button).setFocus)

    def deliver(self, event: Event) -> None:
        if isinstance(event, PermissionsEvent):
            self._show(event.permissions)
        elif isinstance(event, ConfigEvent):
            self._show_problems()

    def _look(self) -> None:
        self._request("permissions", self._read, on_fault=self.page.show_fault)

    async def _read(self, partner: Partner) -> None:
        self._show(await partner.permissions.list())

    def _show(self, permissions: Permissions) -> None:
        self._permissions = permissions
        titles = {one.id: one.title for one in self._store.conversations.values()}
        keys = [ability.key for ability in self._store.abilities.values()]
        self.page.show_permissions(permissions, conversations=titles, keys=keys)
        self._show_problems()

    def _show_problems(self) -> None:
        known = (file for file in self._store.settings_files if file.name == _FILE)
        self.page.show_problems([problem for file in known for problem in file.problems])

    # What the person asks for.

    def _save_rule(self, rule: Rule, place: int | None) -> None:
        self._ask("rule", lambda service: service.save_rule(rule, place=place))

    def _remove_rule(self, place: int) -> None:
        rules = self._permissions.rules if self._permissions is not None else ()
        if place < len(rules):
            rule = rules[place]
            self._ask(
                "remove rule",
                lambda service: service.remove_rule(place),
                then=lambda: self._tell(rule),
            )

    def _tell(self, rule: Rule) -> None:
        """It can be taken back; its place among the others decides nothing, so it comes at the end."""
        self._context.tell(
            lambda: tr("The rule “{rule}” is removed.").format(rule=rule_words(rule)),
            undo=lambda: self._save_rule(rule, None),
            about=f"rule {rule!r}",
        )

    def _ask(
        self,
        what: str,
        act: Callable[[PermissionService], Awaitable[None]],
        *,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """What came of it shows at once."""

        async def asking(partner: Partner) -> None:
            await act(partner.permissions)
            self.page.settled()
            self._show(await partner.permissions.list())
            then()

        self._request(what, asking, on_fault=self.page.show_fault)

    # The file.

    def _open_file(self, line: int | None) -> None:
        self._request("open the rules", lambda partner: self._open(partner, line))

    async def _open(self, partner: Partner, line: int | None) -> None:
        path = partner.config.folder / f"{_FILE}.toml"
        shown = display_path(path)
        if not await asyncio.to_thread(path.exists):
            self.page.show_fault(
                tr("There is no {path} yet; it is written with the first rule.").format(path=shown)
            )
        elif not open_in_editor(path, line):
            self.page.show_fault(tr("Nothing here could open {path}.").format(path=shown))
