"""The blanks of an address template, and the address once they are filled (RFC 6570, without modifiers)."""

from __future__ import annotations

import re
from urllib.parse import quote

_BLANK = re.compile(r"\{([+#./;?&]?)([^{}]+)\}")
#: Operator → what the expansion begins with, what stands between its values, and whether names go with them.
_FORMS = {
    "": ("", ",", False),
    "+": ("", ",", False),
    "#": ("#", ",", False),
    ".": (".", ".", False),
    "/": ("/", "/", False),
    ";": (";", ";", True),
    "?": ("?", "&", True),
    "&": ("&", "&", True),
}
_RESERVED = ":/?#[]@!$&'()*+,;="


def blanks(template: str) -> tuple[str, ...]:
    """The names to ask for, in order, each once."""
    names = [name for _, listed in _BLANK.findall(template) for name in _names(listed)]
    return tuple(dict.fromkeys(names))


def fill(template: str, values: dict[str, str]) -> str:
    """The address; a blank without a value leaves nothing behind."""

    def expand(found: re.Match[str]) -> str:
        operator, listed = found.groups()
        first, between, named = _FORMS[operator]
        safe = _RESERVED if operator in "+#" and operator else ""
        parts = []
        for name in _names(listed):
            value = values.get(name, "")
            if value:
                text = quote(value, safe=safe)
                parts.append(f"{name}={text}" if named else text)
        return first + between.join(parts) if parts else ""

    return _BLANK.sub(expand, template)


def _names(listed: str) -> list[str]:
    return [name.split(":", 1)[0].rstrip("*").strip() for name in listed.split(",")]
