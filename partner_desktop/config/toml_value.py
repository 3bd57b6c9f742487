"""Values and keys as TOML writes them (https://toml.io/en/v1.0.0); tables on one line."""

from __future__ import annotations

import json
import re

from partner_desktop.domain.json_value import Json

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: Json) -> str:
    """One line of TOML for a value; a `None` has no form there and becomes empty."""
    if value is None:
        return ""
    if isinstance(value, str):
        # A JSON string is a TOML basic string, but for the one control character that JSON leaves bare.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, list):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, dict):
        pairs = (f"{toml_key((name,))} = {toml_value(item)}" for name, item in value.items())
        return "{ " + ", ".join(pairs) + " }" if value else "{}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def toml_key(key: tuple[str, ...]) -> str:
    """A dotted key; parts that need quotes get them."""
    return ".".join(part if _BARE_KEY.fullmatch(part) else toml_value(part) for part in key)
