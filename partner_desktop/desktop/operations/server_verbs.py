"""What is asked of external servers, and of what they offer.

Contract: an answer whose page or form is gone by then is dropped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from shiboken6 import isValid

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.opener import is_web, open_link
from partner_desktop.desktop.window_context import WindowContext, WindowOperation
from partner_desktop.desktop.wording import tr

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.panel.server.forms import AddServerForm
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
