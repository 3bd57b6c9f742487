"""What the person does to external servers, in the panel, carried to Partner.

Contract: everything is a task of the window's Work; an answer whose page is gone by then is dropped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtGui import QGuiApplication
from shiboken6 import isValid

from partner_desktop.base.clock import Clock
from partner_desktop.base.paths import display_path
from partner_desktop.desktop.notices import NoticeAction
from partner_desktop.desktop.opener import show_in_editor
from partner_desktop.desktop.panel.abilities.ability_rows import ServerVerb
from partner_desktop.desktop.panel.server.server_words import failure_text, runs
from partner_desktop.desktop.runs.pictures import Pictures
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import tr
from partner_desktop.desktop.work import Controller, Work
from partner_desktop.domain.events import Event, ServersEvent
from partner_desktop.domain.mcp_server import ServerStatus
from partner_desktop.domain.meta_action import RunnerResponse

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.panel.server.forms import AddServerForm, SecretLine
    from partner_desktop.desktop.panel.server.offers import LogView, Reader
    from partner_desktop.desktop.panel.server.page import ServerPage


class ServerController(Controller):
    """One page at a time, kept up with what happens."""

    def __init__(self, window: MainWindow, work: Work, pictures: Pictures, clock: Clock) -> None:
        super().__init__(window, work)
        self._tab = window.panel.abilities_tab
        self._pictures = pictures
        self._clock = clock
        self._page: ServerPage | None = None
        self._tab.server_asked.connect(self._asked)
        self._tab.server_wanted.connect(self._show_add_form)
        self._tab.changed.connect(self._refresh)

    def _begin(self, partner: Partner) -> None:
        self._tab.change_servers(partner.servers.list(), ())

    def deliver(self, event: Event) -> None:
        if isinstance(event, ServersEvent):
            self._tab.change_servers(event.changed, event.removed)
            for each in event.changed:
                if each.question is None:
                    self._window.notices.settle(f"server {each.id}")

    # In the list, and on the page.

    def _asked(self, verb: str, server: ServerStatus) -> None:
        partner = self._partner
        if partner is None:
            return
        acts: dict[ServerVerb, Callable[[], object]] = {
            "details": lambda: self._show_page(partner, server),
            "log": lambda: self._show_page(partner, server).show_log(),
            "move": lambda: self._start("move secrets of", server, self._move_secrets(partner, server)),
            "restart": lambda: self._start("restart", server, partner.servers.restart(server.id)),
            "switch": lambda: self._switch(partner, server),
            "file": lambda: self._open(server),
            "copy": lambda: QGuiApplication.clipboard().setText(failure_text(server)),
        }
        acts[cast("ServerVerb", verb)]()

    def _start(self, verb: str, server: ServerStatus, work: Coroutine[Any, Any, None]) -> None:
        self._work.start(f"{verb} {server.id}", work)

    def _allow(self, partner: Partner, server: ServerStatus, shown_hash: str) -> None:
        self._start("allow", server, partner.servers.allow(server.id, shown_hash=shown_hash))

    async def _move_secrets(self, partner: Partner, server: ServerStatus) -> None:
        self._window.notices.tell("", await partner.servers.move_secrets(server.id))

    def _switch(self, partner: Partner, server: ServerStatus) -> None:
        on = not runs(server)

        def turn_on() -> None:
            self._start("switch", server, partner.servers.switch(server.id, on=True))

        async def switch() -> None:
            await partner.servers.switch(server.id, on=on)
            if not on:
                self._window.notices.tell(
                    "",
                    lambda: tr("The server “{name}” is off, and its tools with it.").format(name=server.id),
                    action=NoticeAction(lambda: tr("Undo"), turn_on),
                )

        self._start("switch", server, switch())

    def _open(self, server: ServerStatus) -> None:
        if server.path is not None:
            opening = show_in_editor(self._window.notices, server.path, server.line)
            self._work.start("open server file", opening)

    # The page.

    def _show_page(self, partner: Partner, server: ServerStatus) -> ServerPage:
        from partner_desktop.desktop.panel.server.page import ServerPage  # noqa: PLC0415 - on first use

        page = ServerPage(server, self._window.theme, self._tab.now, self._clock)
        page.closed.connect(self._tab.hide_form)
        page.asked.connect(lambda verb: self._asked(verb, page.server))
        page.allowed.connect(lambda shown_hash: self._allow(partner, page.server, shown_hash))
        page.log_wanted.connect(lambda view: self._read_log(partner, page.server.id, view))
        page.secret_given.connect(lambda *given: self._keep_secret(partner, page.server.id, *given))
        page.try_wanted.connect(lambda ability: self._tab.asked.emit("run", ability))
        page.resource_wanted.connect(lambda uri, reader: self._read(partner, page.server.id, uri, reader))
        page.prompt_wanted.connect(lambda *asked: self._fill_in(partner, page.server.id, *asked))
        page.insert_wanted.connect(self._insert)
        page.parts_shown.connect(self._pictures.serve)
        page.show_server(server, self._tab.known.tools_of(server.id))
        self._tab.show_form(page)
        self._page = page
        self._work.start("place of secrets", self._show_place(partner, page))
        return page

    def _refresh(self) -> None:
        """The list changed: the page shows what it is about as it is now."""
        page = self._page
        if page is None or self._tab.form is not page:
            self._page = None
            return
        known = self._tab.known
        server = known.servers.get(page.server.id)
        if server is None:
            self._tab.hide_form()
        else:
            page.show_server(server, known.tools_of(server.id))

    async def _show_place(self, partner: Partner, page: ServerPage) -> None:
        place = await partner.models.key_place()
        if isValid(page):
            page.secrets.show_place(place)

    def _read_log(self, partner: Partner, server_id: str, view: LogView) -> None:
        async def read() -> None:
            text = await partner.servers.log(server_id)
            if isValid(view):
                view.show_text(text)

        self._work.start(f"log of {server_id}", read(), on_fault=lambda _: None)

    def _keep_secret(self, partner: Partner, server_id: str, name: str, value: str, line: SecretLine) -> None:
        from partner_desktop.desktop.models.words import key_place_words  # noqa: PLC0415 - on first use

        async def keep() -> None:
            place = await partner.servers.keep_secret(name, value, server_id=server_id)
            self._window.notices.tell(
                lambda: tr("Secret “{name}”").format(name=name),
                lambda: tr("It is never shown again, and kept {place}.").format(place=key_place_words(place)),
            )

        self._work.start(f"secret {name}", keep(), on_fault=_alive(line, line.show_problem))

    def _read(self, partner: Partner, server_id: str, uri: str, reader: Reader) -> None:
        async def read() -> None:
            response = await partner.servers.read_resource(server_id, uri)
            if isValid(reader):
                reader.show_response(response)

        self._work.start(f"resource {uri}", read(), on_fault=_alive(reader, reader.show_problem))

    def _fill_in(
        self, partner: Partner, server_id: str, name: str, values: dict[str, str], reader: Reader
    ) -> None:
        """What comes goes into the message at once; what is no text stays to be looked at."""

        async def fill_in() -> None:
            response: RunnerResponse = await partner.servers.get_prompt(server_id, name, dict(values))
            if response.ok and response.stdout:
                self._insert(response.stdout)
            elif isValid(reader):
                reader.show_response(response)

        self._work.start(f"prompt {name}", fill_in(), on_fault=_alive(reader, reader.show_problem))

    def _insert(self, text: str) -> None:
        page = self._window.page
        page.close_aside()
        self._window.columns.uncover()
        page.composer.add_text(text)
        page.composer.edit.setFocus()

    # A new one.

    def _show_add_form(self) -> None:
        from partner_desktop.desktop.panel.server.forms import AddServerForm  # noqa: PLC0415 - on first use

        form = AddServerForm()
        form.closed.connect(self._tab.hide_form)
        form.given.connect(lambda text, name: self._add(text, name, form))
        self._tab.show_form(form)

    def _add(self, text: str, name: str, form: AddServerForm) -> None:
        partner = self._partner
        if partner is None:
            form.show_problem(tr("Partner is still starting; try it again in a moment."))
            return

        async def add() -> None:
            said = await partner.servers.add(text, name, allow=True)
            self._window.notices.tell("", said)
            if isValid(form):
                form.closed.emit()

        self._work.start("add server", add(), on_fault=_alive(form, form.show_problem))

    def add_files(self, files: list[Path]) -> None:
        """Configurations that were dropped on the window, or whatever else lies in such files."""
        self._request("add servers", lambda partner: self._add_files(partner, files))

    async def _add_files(self, partner: Partner, files: list[Path]) -> None:
        for file in files:
            text = await asyncio.to_thread(_read_config, file)
            if text is None:
                words = tr("{path} cannot be read, or is too large for a configuration.")
                self._window.notices.fault(words.format(path=display_path(file)))
            else:
                self._window.notices.tell("", await partner.servers.add(text, file.stem))


#: No configuration of servers is larger.
_MOST_CONFIG = 1_000_000


def _read_config(path: Path) -> str | None:
    try:
        if path.stat().st_size > _MOST_CONFIG:
            return None
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None


def _alive(widget: Any, tell: Callable[[str], None]) -> Callable[[str], None]:  # noqa: ANN401 - any QObject
    """`tell` as long as what it tells is there."""

    def tell_if_alive(sentence: str) -> None:
        if isValid(widget):
            tell(sentence)

    return tell_if_alive
