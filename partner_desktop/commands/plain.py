"""Text for a terminal that cannot drive it: what scripts, models and files say is only ever shown."""

from __future__ import annotations

from partner_desktop.base.text import shown
from partner_desktop.domain.json_value import Json
from partner_desktop.gateways.wire import json_line


def plain(value: Json) -> str:
    """Text in its lines with every sign visible, so that none drives a terminal; anything else as JSON."""
    return shown(value if isinstance(value, str) else json_line(value), lines=True)


def plain_line(value: Json) -> str:
    """The same on one line: what stands below it is not of it."""
    return shown(value if isinstance(value, str) else json_line(value))
