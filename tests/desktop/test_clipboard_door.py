"""The window's clipboard as actions reach it."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from partner_desktop.desktop.lifecycle import WindowClipboard


def test_a_text_goes_to_the_clipboard_and_comes_from_it(qapp: QApplication) -> None:
    del qapp
    WindowClipboard().write("Grüße 你好")
    assert QGuiApplication.clipboard().text() == "Grüße 你好"
    QGuiApplication.clipboard().setText("from elsewhere")
    assert WindowClipboard().read() == "from elsewhere"


def test_a_picture_is_no_text(qapp: QApplication) -> None:
    del qapp
    mime = QMimeData()
    mime.setData("image/png", b"\x89PNG")
    QGuiApplication.clipboard().setMimeData(mime)
    assert WindowClipboard().read() is None
