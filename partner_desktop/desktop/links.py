"""Links in replies: shown whole, opened only after a yes."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from partner_desktop.desktop.chat.page import ChatPage
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.wording import tr

_OPENABLE = ("http", "https", "mailto")


def ask_about_link(page: ChatPage, address: str) -> Banner:
    """Ask over the composer whether to open `address`; other schemes can be copied only."""
    url = QUrl(address)
    banner = Banner(lambda: tr("Open this link?"), address)
    if url.scheme().lower() in _OPENABLE:
        banner.add_choice(lambda: tr("Open"), lambda: _open(url), look="primary")
    banner.add_choice(lambda: tr("Copy"), lambda: QGuiApplication.clipboard().setText(address))
    banner.add_choice(lambda: tr("Cancel"), None)
    page.add_banner(banner)
    return banner


def _open(url: QUrl) -> None:
    QDesktopServices.openUrl(url)
