"""Text for a terminal that cannot drive it: what scripts, models and files say is only ever shown."""

from __future__ import annotations

from partner_desktop.domain.json_value import Json
from partner_desktop.gateways.wire import json_line


def plain(value: Json) -> str:
    """Text without terminal control characters; anything else as JSON."""
    text = value if isinstance(value, str) else json_line(value)
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "�" for sign in text)
