"""Tool tips that say a text as it is.

Qt takes a tip that looks like markup for markup, and loads the pictures that it names from the disk: a title,
a description or an argument that came from outside could show what is not there, and reach for files.
"""

from __future__ import annotations

import html

from PySide6.QtGui import Qt


def plain_tip(text: str) -> str:
    """The tip that reads like `text`, whatever stands in it."""
    if not Qt.mightBeRichText(text):
        return text
    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>'
