"""Secrets that stand in a configuration as plain text: which they are, and the text without them. Pure.

Only what can be told from other text is one: the value of a telling name, an option's value, the shape of a
well-known token. What already refers to the keyring or a variable is none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from partner_desktop.action.runner.mcp.config import ServerConfig
from partner_desktop.action.runner.mcp.entry import ENV_KEYS
from partner_desktop.action.runner.mcp.jsonc import Node, parse
from partner_desktop.action.runner.mcp.masking import find_token
from partner_desktop.action.runner.mcp.placeholders import pieces
from partner_desktop.action.runner.mcp.reading import entries
from partner_desktop.base.errors import ConfigError
from partner_desktop.base.patterns import late
from partner_desktop.config.secrets import usable

#: Narrower than what is masked: what is moved is told from other text by a whole word of its name.
_TELLING = late(
    r"(?:^|[^a-z])(?:api)?(?:key|token|secret|passw(?:or)?d|pwd|passphrase|credential|auth|authorization|bearer"
    r"|cookie|dsn|connection_?string|database_?url)s?(?:$|[^a-z])",
    re.IGNORECASE,
)
_HUMP = late(r"(?<=[a-z])(?=[A-Z])")
_SCHEMES = frozenset({"bearer", "basic", "token"})
_NO_SECRETS = frozenset({"", "true", "false", "yes", "no", "none", "null", "0", "1"}) | _SCHEMES


@dataclass(frozen=True)
class PlainToken:
    """One of them, as a stretch of a text."""

    server: str
    name: str
    """What it is called there: a variable, a header, an option."""
    text: str
    """The whole text that it is a part of."""
    start: int
    end: int

    @property
    def value(self) -> str:
        return self.text[self.start : self.end]


@dataclass(frozen=True, eq=False)
class PlacedToken:
    """One of them, and where its text stands in a file."""

    token: PlainToken
    node: Node


def tokens_in(config: ServerConfig) -> Iterator[PlainToken]:
    """Those of one server."""
    for name, text in (*config.env, *config.headers):
        yield from _named(config.id, name, text)
    yield from (token for token in _arguments(config.id, config.args) if token is not None)


def placed_tokens(text: str, name: str) -> list[PlacedToken]:
    """Those of all servers of a file's text; `name` is the id of one that stands there alone.

    Raises:
        DescriptorError: The text cannot be read.
    """
    found = []
    for server, node in entries(parse(text).root, name):
        for key in (*ENV_KEYS, "headers"):
            mapping = node.members.get(key)
            for label, item in mapping.members.items() if mapping is not None else ():
                if isinstance(item.value, str):
                    found += [PlacedToken(each, item) for each in _named(server, label, item.value)]
        arguments = node.members.get("args")
        items = arguments.value if arguments is not None and isinstance(arguments.value, list) else []
        texts = [item.value if isinstance(item.value, str) else "" for item in items]
        placed = zip(_arguments(server, texts), items, strict=True)
        found += [PlacedToken(token, item) for token, item in placed if token is not None]
    return found


def moved(text: str, entry_of: Mapping[PlacedToken, str]) -> str:
    """The text with each of them replaced by `${keyring:…}` of its entry; the rest as it was."""
    for placed in sorted(entry_of, key=lambda each: each.node.start, reverse=True):
        token, node = placed.token, placed.node
        filled = f"{token.text[: token.start]}${{keyring:{entry_of[placed]}}}{token.text[token.end :]}"
        text = text[: node.start] + json.dumps(filled, ensure_ascii=False) + text[node.end :]
    return text


def _named(server: str, name: str, text: str) -> Iterator[PlainToken]:
    """In the value of a variable or a header."""
    start, end = 0, len(text)
    scheme, blank, _ = text.partition(" ")
    if blank and scheme.lower() in _SCHEMES:
        start = len(scheme) + 1
    if not _tells(name):
        start, end = find_token(text)
    if _is_one(text, start, end):
        yield PlainToken(server, name, text, start, end)


def _arguments(server: str, arguments: Sequence[str]) -> Iterator[PlainToken | None]:
    """One for each argument, or `None`: the value behind an option, behind its `=`, or by its shape."""
    option = ""
    for text in arguments:
        start, end = find_token(text)
        name = "token"
        key, sign, _ = text.partition("=")
        if option and not text.startswith("-"):
            name, start, end = option, 0, len(text)
        elif sign and _tells(key):
            name, start, end = key.lstrip("-"), len(key) + 1, len(text)
        option = text.lstrip("-") if text.startswith("-") and not sign and _tells(text) else ""
        yield PlainToken(server, name, text, start, end) if _is_one(text, start, end) else None


def _tells(name: str) -> bool:
    return _TELLING.search(_HUMP.sub("_", name)) is not None


def _is_one(text: str, start: int, end: int) -> bool:
    value = text[start:end]
    if (
        value.lower() in _NO_SECRETS
        or value.startswith(("/", "~", "."))
        or any(piece.kind != "text" for piece in pieces(text))
    ):
        return False
    try:
        return usable(value) == value
    except ConfigError:
        return False
