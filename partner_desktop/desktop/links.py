"""Links in replies: shown whole, opened only after a yes."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from partner_desktop.desktop.chat.page import ChatPage
from partner_desktop.desktop.parts.banner import Banner

_OPENABLE = ("http", "https", "mailto")


def tr(text: str) -> str:
    """Translated words of the question."""
    return QCoreApplication.translate("links", text)


def ask_about_link(page: ChatPage, address: str) -> Banner:
    """Ask over the composer whether to open `address`; other schemes can be copied only."""
    url = QUrl(address)
    banner = Banner(tr("Open this link?"), address)
    if url.scheme().lower() in _OPENABLE:
        banner.add_choice(tr("Open"), lambda: _open(url), look="primary")
    banner.add_choice(tr("Copy"), lambda: QGuiApplication.clipboard().setText(address))
    banner.add_choice(tr("Cancel"), None)
    page.add_banner(banner)
    return banner


def _open(url: QUrl) -> None:
    QDesktopServices.openUrl(url)
