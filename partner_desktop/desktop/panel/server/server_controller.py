"""External servers in the list of abilities, and the page of one of them, kept up with what happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication
from shiboken6 import isValid

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.opener import is_web, open_link
from partner_desktop.desktop.operations.ability_verbs import open_source
from partner_desktop.desktop.panel.abilities.ability_rows import ServerVerb
from partner_desktop.desktop.panel.server.server_words import failure_text, runs
from partner_desktop.desktop.window_context import Controller, WindowContext, WindowOperation, alive
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.mcp_server import ServerStatus

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.panel.server.forms import AddServerForm, SecretLine
    from partner_desktop.desktop.panel.server.offers import LogView, Reader
    from partner_desktop.desktop.panel.server.page import ServerPage

#: No configuration of servers is larger.
_MOST_CONFIG = 1_000_000


@WindowOperation
async def switch_server(context: WindowContext, partner: Partner, server_id: str, *, on: bool) -> None:
    """On, or off, which can be taken back."""
    await partner.servers.switch(server_id, on=on)
    if not on:
        words = lambda: tr("The server “{name}” is off, and its tools with it.").format(name=server_id)  # noqa: E731
        context.tell(words, undo=lambda: switch_server(context, server_id, on=True))


allow_server = WindowOperation.of("allow", lambda partner: partner.servers.allow)
restart_server = WindowOperation.of("restart", lambda partner: partner.servers.restart)


cancel_sign_in = WindowOperation.of("give up signing in", lambda partner: partner.servers.cancel_sign_in)


@WindowOperation
async def sign_in_to_server(
    context: WindowContext, partner: Partner, server_id: str, page: ServerPage
) -> None:
    """The browser is opened here, because somebody pressed here."""
    address = await partner.servers.sign_in(server_id)
    opened = is_web(QUrl(address)) and open_link(QUrl(address))
    if not opened and isValid(page):
        page.sign_in.show_address(address)


@WindowOperation
async def sign_out_of_server(context: WindowContext, partner: Partner, server_id: str) -> None:
    """Here and there."""
    await partner.servers.sign_out(server_id)
    context.tell(lambda: tr("You are signed out of “{name}”.").format(name=server_id))


@WindowOperation
async def move_secrets(context: WindowContext, partner: Partner, server_id: str) -> None:
    """Out of its file into the place of secrets."""
    context.tell(await partner.servers.move_secrets(server_id))


@WindowOperation
async def keep_secret(
    context: WindowContext, partner: Partner, server_id: str, name: str, value: str
) -> None:
    """Where it is never shown again."""
    from partner_desktop.desktop.models.words import key_place_words  # noqa: PLC0415 - on first use

    place = await partner.servers.keep_secret(name, value, server_id=server_id)
    context.notices.tell(
        lambda: tr("Secret “{name}”").format(name=name),
        lambda: tr("It is never shown again, and kept {place}.").format(place=key_place_words(place)),
    )


@WindowOperation
async def show_secret_place(_context: WindowContext, partner: Partner, page: ServerPage) -> None:
    """Where secrets are kept on this machine."""
    place = await partner.models.key_place()
    if isValid(page):
        page.secrets.show_place(place)


@WindowOperation
async def show_server_log(_context: WindowContext, partner: Partner, server_id: str, view: LogView) -> None:
    text = await partner.servers.log(server_id)
    if isValid(view):
        view.show_text(text)


@WindowOperation
async def read_resource(
    _context: WindowContext, partner: Partner, server_id: str, uri: str, reader: Reader
) -> None:
    """Show what it is."""
    response = await partner.servers.read_resource(server_id, uri)
    if isValid(reader):
        reader.show_response(response)


@WindowOperation
async def fill_in_prompt(
    context: WindowContext,
    partner: Partner,
    server_id: str,
    name: str,
    values: dict[str, str],
    reader: Reader,
) -> None:
    """What comes goes into the message at once; what is no text stays to be looked at."""
    response = await partner.servers.get_prompt(server_id, name, dict(values))
    if response.ok and response.stdout:
        insert_text(context, response.stdout)
    elif isValid(reader):
        reader.show_response(response)


def insert_text(context: WindowContext, text: str) -> None:
    """Into what is being written, with the keyboard there."""
    page = context.window.page
    page.close_aside()
    context.window.columns.uncover()
    page.composer.add_text(text)
    page.composer.edit.setFocus()


@WindowOperation
async def add_server(
    context: WindowContext, partner: Partner, text: str, name: str, form: AddServerForm
) -> None:
    """By what was written or pasted into a form."""
    context.tell(await partner.servers.add(text, name, allow=True))
    if isValid(form):
        form.closed.emit()


@WindowOperation
async def add_server_files(context: WindowContext, partner: Partner, files: Sequence[Path]) -> None:
    """Configurations that were dropped on the window, or whatever else lies in such files."""
    for file in files:
        text = await asyncio.to_thread(_read_config, file)
        if text is None:
            words = tr("{path} cannot be read, or is too large for a configuration.")
            context.notices.fault(words.format(path=display_path(file)))
        else:
            context.tell(await partner.servers.add(text, file.stem))


def _read_config(path: Path) -> str | None:
    try:
        if path.stat().st_size > _MOST_CONFIG:
            return None
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None


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
