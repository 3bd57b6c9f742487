"""Addresses shown as they really are: as they go over the wire, in ASCII, and whole.

A letter that looks like another, or a sign that turns the writing around, cannot pass for something else.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QUrl

from partner_desktop.desktop.wording import tr

#: More than this fills the window.
_MOST_SHOWN = 1_200
_UNBROKEN = re.compile(r"[^/?&=-]{60}")
_WEB = ("http", "https")


def wire_form(url: QUrl, address: str) -> str:
    """`address`, of which `url` was made, in ASCII."""
    return bytes(url.toEncoded().data()).decode("ascii") if url.isValid() else ascii(address)[1:-1]


def breakable(address: str) -> str:
    """Whole, with places to break in what would else be wider than the window; only endless ones are cut."""
    shown = _UNBROKEN.sub("\\g<0>\u200b", address[:_MOST_SHOWN])
    if len(address) <= _MOST_SHOWN:
        return shown
    more = tr("… and {count} characters more").format(count=len(address) - _MOST_SHOWN)
    return shown + more


def is_web(url: QUrl) -> bool:
    """Whether it leads to a page, and nowhere else."""
    return url.isValid() and url.scheme().lower() in _WEB and bool(url.host())
