"""External servers in the list of abilities, and the page of one of them, kept up with what happens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtGui import QGuiApplication

from partner_desktop.desktop.operations.ability_verbs import open_source
from partner_desktop.desktop.operations.server_verbs import (
    add_server,
    add_server_files,
    allow_server,
    cancel_sign_in,
    fill_in_prompt,
    insert_text,
    keep_secret,
    move_secrets,
    read_resource,
    restart_server,
    show_secret_place,
    show_server_log,
    sign_in_to_server,
    sign_out_of_server,
    switch_server,
)
from partner_desktop.desktop.panel.abilities.ability_rows import ServerVerb
from partner_desktop.desktop.panel.server.server_words import failure_text, runs
from partner_desktop.desktop.window_context import Controller, WindowContext, alive
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.mcp_server import ServerStatus

if TYPE_CHECKING:
    from partner_desktop.desktop.panel.server.forms import AddServerForm, SecretLine
    from partner_desktop.desktop.panel.server.offers import LogView, Reader
    from partner_desktop.desktop.panel.server.page import ServerPage


class ServerController(Controller):
    """One page at a time."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._tab = self._window.panel.abilities_tab
        self._page: ServerPage | None = None
        self._tab.server_asked.connect(self._asked)
        self._tab.server_wanted.connect(self._show_add_form)
        self._tab.changed.connect(self._refresh)
        self._store.servers.changed.connect(self._show)
        self.add_files = partial(add_server_files, context)

    def _show(self, ids: tuple[str, ...], gone: tuple[str, ...]) -> None:
        changed = self._store.servers.those(ids)
        self._tab.change_servers(changed, gone)
        for each in changed:
            if each.question is None:
                self._context.notices.settle(f"server {each.id}")

    # In the list, and on the page.

    def _asked(self, verb: str, server: ServerStatus) -> None:
        context = self._context
        acts: dict[ServerVerb, Callable[[], object]] = {
            "details": lambda: self._show_page(server),
            "log": lambda: self._show_page(server).show_log(),
            "move": lambda: move_secrets(context, server.id),
            "sign-in": lambda: self._sign_in(server),
            "cancel-sign-in": lambda: cancel_sign_in(context, server.id),
            "sign-out": lambda: sign_out_of_server(context, server.id),
            "restart": lambda: restart_server(context, server.id),
            "switch": lambda: switch_server(context, server.id, on=not runs(server)),
            "file": lambda: self._open_file(server),
            "copy": lambda: QGuiApplication.clipboard().setText(failure_text(server)),
        }
        acts[cast("ServerVerb", verb)]()

    def _sign_in(self, server: ServerStatus) -> None:
        """On its page, which says how it goes on."""
        page = self._page
        if page is None or self._tab.form is not page or page.server.id != server.id:
            page = self._show_page(server)
        sign_in_to_server(self._context, server.id, page)

    def _open_file(self, server: ServerStatus) -> None:
        if server.path is not None:
            open_source(self._context, server.path, server.line)

    # The page.

    def _show_page(self, server: ServerStatus) -> ServerPage:
        from partner_desktop.desktop.panel.server.page import ServerPage  # noqa: PLC0415 - on first use

        context, server_id = self._context, server.id
        page = ServerPage(server, self._window.theme, self._tab.now, context.clock)
        page.closed.connect(self._tab.hide_form)
        page.asked.connect(lambda verb: self._asked(verb, page.server))
        page.allowed.connect(lambda shown_hash: allow_server(context, server_id, shown_hash=shown_hash))
        page.log_wanted.connect(partial(self._read_log, server_id))
        page.secret_given.connect(partial(self._keep_secret, server_id))
        page.try_wanted.connect(lambda ability: self._tab.asked.emit("run", ability))
        page.resource_wanted.connect(partial(self._read, server_id))
        page.prompt_wanted.connect(partial(self._fill_in, server_id))
        page.insert_wanted.connect(partial(insert_text, context))
        page.parts_shown.connect(context.pictures.serve)
        page.show_server(server, self._tab.known.tools_of(server_id))
        self._tab.show_form(page)
        self._page = page
        show_secret_place(context, page)
        return page

    def _refresh(self) -> None:
        """The list changed: the page shows what it is about as it is now."""
        page = self._page
        if page is None or self._tab.form is not page:
            self._page = None
            return
        server = self._store.servers.get(page.server.id)
        if server is None:
            self._tab.hide_form()
        else:
            page.show_server(server, self._tab.known.tools_of(server.id))

    def _read_log(self, server_id: str, view: LogView) -> None:
        show_server_log.or_tell(lambda _: None)(self._context, server_id, view)

    def _keep_secret(self, server_id: str, name: str, value: str, line: SecretLine) -> None:
        keep_secret.or_tell(alive(line, line.show_problem))(self._context, server_id, name, value)

    def _read(self, server_id: str, uri: str, reader: Reader) -> None:
        read_resource.or_tell(alive(reader, reader.show_problem))(self._context, server_id, uri, reader)

    def _fill_in(self, server_id: str, name: str, values: dict[str, str], reader: Reader) -> None:
        tell = alive(reader, reader.show_problem)
        fill_in_prompt.or_tell(tell)(self._context, server_id, name, values, reader)

    # A new one.

    def _show_add_form(self) -> None:
        from partner_desktop.desktop.panel.server.forms import AddServerForm  # noqa: PLC0415 - on first use

        form = AddServerForm()
        form.closed.connect(self._tab.hide_form)
        form.given.connect(partial(self._add, form))
        self._tab.show_form(form)

    def _add(self, form: AddServerForm, text: str, name: str) -> None:
        adding = add_server.or_tell(alive(form, form.show_problem))(self._context, text, name, form)
        if adding is None:
            form.show_problem(tr("Partner is still starting; try it again in a moment."))
