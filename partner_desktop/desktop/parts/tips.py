"""Tool tips that say a text as it is.

Qt takes a tip that looks like markup for markup, and loads the pictures that it names from the disk: a title,
a description or an argument that came from outside could show what is not there, and reach for files. So no
tip is set but by `set_tip`.
"""

from __future__ import annotations

from PySide6.QtGui import QAction, Qt
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop.wording import LazyText, bind_text


def set_tip(on: QWidget | QAction | QSystemTrayIcon, words: LazyText) -> None:
    """Give it a tip that reads like the words, whatever stands in them."""
    if isinstance(on, QWidget):
        bind_text(on, lambda text: on.setToolTip(plain_tip(text)), words)
    else:
        on.setToolTip(plain_tip(words if isinstance(words, str) else words()))


def plain_tip(text: str) -> str:
    """What is to be set as a tip so that it reads like `text`."""
    text = shown(text, lines=True)
    if not Qt.mightBeRichText(text):
        return text
    import html  # noqa: PLC0415 - half a megabyte of entities, and few tips look like markup

    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>'
