"""Links in replies: shown as they really are, opened only after a yes."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication

from partner_desktop.desktop.chat.page import ChatPage
from partner_desktop.desktop.opener import LINKS, open_folder, open_link
from partner_desktop.desktop.parts.address import breakable, wire_form
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.wording import tr


def ask_about_link(page: ChatPage, address: str) -> Banner:
    """Ask over the composer whether to open `address`; what cannot be opened can be copied.

    The address is shown as it goes over the wire, in ASCII: a letter that looks like another, or a sign that
    turns the writing around, cannot pass for something else. A file is never opened, because opening can
    mean running it: its folder is.
    """
    url = QUrl(address)
    wire = wire_form(url, address)
    banner = Banner(lambda: _question(url), lambda: breakable(wire))
    if url.isValid() and url.scheme().lower() in LINKS:
        banner.add_choice(lambda: tr("Open"), lambda: open_link(url), look="primary")
    elif url.isLocalFile() and not url.host():
        folder = PurePath(url.toLocalFile()).parent
        banner.add_choice(lambda: tr("Show its folder"), lambda: open_folder(folder), look="primary")
    banner.add_choice(lambda: tr("Copy"), lambda: QGuiApplication.clipboard().setText(wire))
    banner.add_choice(lambda: tr("Cancel"), None)
    page.add_banner(banner)
    return banner


def _question(url: QUrl) -> str:
    """With the place it leads to: in a long address, that is what gets lost."""
    host = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
    if host and url.scheme().lower() in ("http", "https"):
        return tr("Open a link to {host}?").format(host=host)
    return tr("Open this link?")
