"""The window's clipboard, for actions: the runtime itself knows no Qt."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication


class WindowClipboard:
    """`ClipboardDoor` of the action package. Called on the loop, which is the window's thread."""

    def read(self) -> str | None:
        """The text on the clipboard; `None` where there is none."""
        mime = QGuiApplication.clipboard().mimeData()
        return mime.text() if mime.hasText() else None

    def write(self, text: str) -> None:
        """Put a text there, in place of what it holds."""
        QGuiApplication.clipboard().setText(text)
