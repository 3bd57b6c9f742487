"""The values of one server's object, checked: texts, lists, maps, seconds; and placeholders in them. Pure.

What is wrong becomes a `DescriptorError` with the line of the key; what is odd and harmless, a hint.

Each check of a single value (an id, an address, a header) returns what is wrong as the end of a sentence that
names the value, or an empty text.

`${env:NAME}` and `${NAME}` (a variable), each with `:-default` behind the name, `${keyring:NAME}`,
`${input:NAME}` (VS Code's question for a secret; here the keyring's entry of that name), `${userHome}` and
`${pathSeparator}` or `${/}` are filled in at the start. What was filled in is not looked at again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import field
from typing import Literal
from urllib.parse import urlsplit

from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.text import cut
from partner_desktop.runner.located_json import Node

_PLACEHOLDER = re.compile(r"\$\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: VS Code's variables for an editor's window; a companion on the desktop has no such folder.
_WORKSPACE = ("workspaceFolder", "workspaceRoot", "workspaceFolderBasename", "cwd", "file", "relativeFile")

Kind = Literal["text", "env", "keyring", "home", "unknown"]


@dataclass(frozen=True)
class PlaceholderPiece:
    """A stretch of a text: as it is, or a placeholder."""

    kind: Kind
    text: str
    """The text itself, the name referred to, or the placeholder that is not known."""
    default: str | None = None
    asked: bool = False
    """Written as `${input:…}`."""


def pieces(text: str) -> list[PlaceholderPiece]:
    """A text in its stretches, in order."""
    found, at = [], 0
    for match in _PLACEHOLDER.finditer(text):
        if match.start() > at:
            found.append(PlaceholderPiece("text", text[at : match.start()]))
        found.append(_placeholder(match.group(1)))
        at = match.end()
    if at < len(text):
        found.append(PlaceholderPiece("text", text[at:]))
    return found


def _placeholder(inside: str) -> PlaceholderPiece:
    if inside in ("pathSeparator", "/"):
        return PlaceholderPiece("text", "/")
    if inside == "userHome":
        return PlaceholderPiece("home", inside)
    kind, colon, rest = inside.partition(":")
    if colon and kind in ("keyring", "input") and rest.strip() and rest.isprintable():
        return PlaceholderPiece("keyring", rest.strip(), asked=kind == "input")
    name, dash, default = (rest if colon and kind == "env" else inside).partition(":-")
    if inside.partition(":")[0] not in _WORKSPACE and _NAME.fullmatch(name):
        return PlaceholderPiece("env", name, default=default if dash else None)
    return PlaceholderPiece("unknown", inside)


def why_unknown(inside: str) -> str:
    """What to write in place of a placeholder that is not known, as a clause."""
    kind, _, _ = inside.partition(":")
    if kind in _WORKSPACE:
        return f"`${{{inside}}}` stands for an editor's folder, and there is none here; write the path"
    return (
        f"`${{{inside}}}` is not known here; write `${{env:NAME}}`, `${{keyring:NAME}}` or the value itself"
    )


def without_placeholders(text: str) -> str:
    """The text as it could look when everything is filled in."""
    return _PLACEHOLDER.sub("x", text)


def asked_for(text: str) -> list[str]:
    """The names that `${input:…}` refers to."""
    return [piece.text for piece in pieces(text) if piece.asked]


#: Longer than any call; beyond it, milliseconds were meant.
MAX_SECONDS = 86_400.0
_LIKE_MILLISECONDS = 5_000
_SHORT_LIST = 10_000


@dataclass
class EntryValues:
    """One server's object. Keys are asked for by all names that clients have for them, best known first."""

    node: Node
    hints: list[str] = field(default_factory=list)

    def has(self, *names: str) -> bool:
        """Whether one of the keys is there, and not null."""
        return self._find(names) is not None

    def _find(self, names: tuple[str, ...]) -> tuple[str, Node] | None:
        for name in names:
            found = self.node.members.get(name)
            if found is not None and found.value is not None:
                return name, found
        return None

    def line(self, *names: str) -> int:
        """Where one of the keys stands; the object's own line where none does."""
        found = self._find(names)
        return found[1].line if found else self.node.line

    def text(self, *names: str) -> str:
        """A text; empty where the key is not there."""
        found = self._find(names)
        if found is None:
            return ""
        name, node = found
        if not isinstance(node.value, str):
            more = ""
            if isinstance(node.value, list) and name in ("command", "cmd"):
                more = "; put the program into `command` and the rest into `args`"
            raise DescriptorError(f"`{name}` must be a text, not {_kind(node)}{more}", line=node.line)
        if not node.value.isprintable():
            raise DescriptorError(
                f"`{name}` holds a line break or a control character; leave it out", line=node.line
            )
        return node.value.strip()

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        node = self.node.members.get(name)
        if node is None or node.value is None:
            return ()
        if not isinstance(node.value, list):
            raise DescriptorError(
                f'`{name}` must be a list of texts like ["one", "two"], not {_kind(node)}', line=node.line
            )
        if len(node.value) > _SHORT_LIST:
            raise DescriptorError(f"`{name}` holds more than {_SHORT_LIST} texts", line=node.line)
        found = []
        for place, item in enumerate(node.value, 1):
            text = self._as_text(item, f"`{name}`, place {place},")
            if "\0" in text:
                raise DescriptorError(f"`{name}`, place {place}, holds the character NUL", line=item.line)
            found.append(text)
        return tuple(found)

    def mapping(self, check: Callable[[str, str], str], *names: str) -> tuple[tuple[str, str], ...]:
        """Names with texts, in the order of the file; `check` says what is wrong with one."""
        found = self._find(names)
        if found is None:
            return ()
        key, node = found
        if not isinstance(node.value, dict):
            raise DescriptorError(
                f'`{key}` must be an object like {{"NAME": "value"}}, not {_kind(node)}', line=node.line
            )
        if node.twice:
            name, line = node.twice[0]
            raise DescriptorError(f"`{key}` holds `{printable(name)}` twice; remove one", line=line)
        pairs = []
        for name, item in node.value.items():
            text = self._as_text(item, f"`{printable(name)}` in `{key}`")
            wrong = check(name, text)
            if wrong:
                raise DescriptorError(f"`{printable(name)}` in `{key}` {wrong}", line=item.line)
            pairs.append((name, text))
        return tuple(pairs)

    def _as_text(self, node: Node, place: str) -> str:
        if isinstance(node.value, str):
            return node.value
        if isinstance(node.value, bool) or node.raw:
            text = node.raw or str(node.value).lower()
            self.hints.append(f"{place} is taken as the text `{text[:40]}`.")
            return text
        raise DescriptorError(f"{place} must be a text, not {_kind(node)}", line=node.line)

    def seconds(self, default: float, *names: str) -> float:
        """A time limit."""
        found = self._find(names)
        if found is None:
            return default
        name, node = found
        if not node.raw or not isinstance(node.value, int | float):
            raise DescriptorError(
                f"`{name}` must be a number of seconds without quotes, like 30, not {_kind(node)}",
                line=node.line,
            )
        if node.value <= 0:
            raise DescriptorError(f"`{name}` must be more than 0 seconds", line=node.line)
        if node.value > MAX_SECONDS:
            raise DescriptorError(
                f"`{name}` is in seconds, and {node.raw[:20]} are more than a day; "
                "where milliseconds were meant, leave out three zeros",
                line=node.line,
            )
        if node.value >= _LIKE_MILLISECONDS and node.value % 1_000 == 0:
            self.hints.append(
                f"`{name}` is in seconds; where milliseconds were meant, write {node.value / 1_000:g}."
            )
        return float(node.value)

    def flag(self, *names: str) -> bool | None:
        """true or false; `None` where no key is there."""
        found = self._find(names)
        if found is None:
            return None
        name, node = found
        if not isinstance(node.value, bool):
            raise DescriptorError(
                f"`{name}` must be true or false without quotes, not {_kind(node)}", line=node.line
            )
        return node.value


def _kind(node: Node) -> str:
    """What a value is, for a sentence."""
    if node.value is None:
        return "null"
    if isinstance(node.value, bool):
        return "true or false"
    if isinstance(node.value, str):
        return "a text"
    if isinstance(node.value, list):
        return "a list"
    return "an object" if isinstance(node.value, dict) else "a number"


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
