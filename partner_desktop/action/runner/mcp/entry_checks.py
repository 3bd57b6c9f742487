"""What single values in a server's configuration must be: ids, addresses, headers, variables. Pure.

Each check returns what is wrong as the end of a sentence that names the value, or an empty text.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import urlsplit

from partner_desktop.action.runner.mcp.placeholders import without_placeholders
from partner_desktop.base.text import cut

MAX_ID_LENGTH = 100
#: What keys begin with that are not external servers' own: other abilities, faults, a server's switch.
RESERVED_IDS = frozenset({"local", "builtin", "origin", "file", "folder", "server"})

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, token


def printable(name: str) -> str:
    """A name that a sentence can hold."""
    return "".join(sign if sign.isprintable() else "�" for sign in cut(name, 60))


def wrong_id(name: str) -> str:
    """Why a server cannot be called so."""
    if not name.strip():
        return "has no name; give it one"
    if len(name) > MAX_ID_LENGTH:
        return f"has a name of {len(name)} characters; {MAX_ID_LENGTH} are the most"
    if not name.isprintable() or name != name.strip():
        return "has control characters, or blanks at an end, in its name; leave them out"
    if _is_reserved(name):
        return "cannot be called so, because Partner's own abilities are; choose another name"
    for sign in ("::", ":", "/", "\\"):
        if sign in name:
            return f"has `{sign}` in its name; use letters, digits, blanks, `.`, `-` and `_`{_shorter(name)}"
    return ""


def _is_reserved(name: str) -> bool:
    """Whatever its letters' size and width: a card that says `Local` must not be a stranger's."""
    return unicodedata.normalize("NFKC", name).casefold() in RESERVED_IDS


def _shorter(name: str) -> str:
    last = re.split(r"[:/\\]", name.strip(":/\\"))[-1].strip()
    return f", for example `{last}`" if last and not _is_reserved(last) else ""


def wrong_address(text: str) -> str:
    """Why a text is not the address of a server; placeholders in it count as filled in."""
    filled = without_placeholders(text)
    if not filled.isprintable() or " " in filled:
        return "holds blanks or control characters"
    try:
        parts = urlsplit(filled)
        port = parts.port
    except ValueError:  # its own words could quote what was filled in
        return "is not an address; look at its host and port"
    if parts.scheme.lower() not in ("http", "https"):
        if text.startswith("${"):
            return ""  # the scheme stands in the placeholder: looked at again once it is filled in
        return "must begin with `http://` or `https://`"
    if not parts.hostname:
        return "names no host"
    return "has the port 0, which no server listens on" if port == 0 else ""


def address_hints(text: str) -> list[str]:
    """What is odd about an address that works."""
    parts = urlsplit(without_placeholders(text))
    if parts.username is not None or parts.password is not None:
        hint = (
            "The address holds a name or a password; give them as a header instead, like "
            '"headers": {"Authorization": "Bearer ${keyring:NAME}"}.'
        )
        return [hint]
    return []


def wrong_header(name: str, value: str) -> str:
    """Why a header cannot be sent."""
    if not _HEADER_NAME.fullmatch(name):
        return "is not the name of a header; use letters, digits and `-`"
    if not value.isprintable() or not value.isascii():
        return "holds a line break, a control character or a letter outside of ASCII, which no header can"
    return ""


def wrong_variable(name: str, value: str) -> str:
    """Why a variable of the environment cannot be set."""
    if not name or "=" in name or not name.isprintable():
        return "is not the name of a variable; it is empty, or holds `=` or control characters"
    return "holds the character NUL, which no variable can" if "\0" in value else ""
