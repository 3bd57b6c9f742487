"""Secrets that stand in a configuration as plain text: which they are, and the text without them. Pure.

Only what can be told from other text is one: the value of a telling name, an option's value, the shape of a
well-known token. What already refers to the keyring or a variable is none.

Contract: a text is given back without one only when the keyring has given that one back; where it does not,
all of the text stays as it was, and a sentence says why.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from partner_desktop.base.errors import ConfigError, UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.base.patterns import late
from partner_desktop.config.secrets import usable
from partner_desktop.files.atomic import write_whole
from partner_desktop.runner.located_json import Node, as_text, parse
from partner_desktop.runner.mcp.configuration.entry_values import ENV_KEYS, pieces
from partner_desktop.runner.mcp.configuration.secrets import (
    SecretHolder,
    SecretName,
    ServerSecrets,
    find_token,
)
from partner_desktop.runner.mcp.configuration.server_file import entries, read_servers
from partner_desktop.runner.mcp.consent import StartConsent
from partner_desktop.runner.mcp.port import ConfiguredServer, ServerConfig, ServerEndedError

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


class TokenMover:
    """One at a time, so that two of them do not take the same entry."""

    def __init__(self, secrets: ServerSecrets, consent: StartConsent) -> None:
        self._secrets = secrets
        self._consent = consent
        self._moving = asyncio.Lock()

    async def without_tokens(self, text: str, name: str, *, path: Path) -> tuple[str, str]:
        """A configuration without them, and what was moved as a sentence; both as they were where none is.

        Raises:
            DescriptorError: The text cannot be read.
            ConfigError: The keyring does not take them.
        """
        placed = await asyncio.to_thread(placed_tokens, text, name)
        if not placed:
            return text, ""
        async with self._moving:
            entry_of: dict[PlacedToken, str] = {}
            for each in placed:
                taken = {entry: other.token.value for other, entry in entry_of.items()}
                entry_of[each] = await self._entry(each.token, taken)
            fresh = moved(text, entry_of)
            servers = {each.config.id: each for each in read_servers(fresh, path=path, name=name).servers}
            for each, entry in entry_of.items():
                await self._keep(entry, each.token.value, await self._holder(servers.get(each.token.server)))
        told = [
            sentence_of("servers.tokens.of", name=each.token.name, server=each.token.server)
            for each in placed
        ]
        return fresh, sentence_of("servers.tokens.moved", names=", ".join(dict.fromkeys(told)))

    async def move_in_file(self, path: Path, name: str, servers: Sequence[ConfiguredServer]) -> str:
        """Move those of a file; says what was moved. `servers`: of that file, as they are known.

        Raises:
            UsageError: There are none, or the file changed meanwhile or cannot be written.
            DescriptorError: The file cannot be read.
            ConfigError: The keyring does not take them.
        """
        try:
            before = await asyncio.to_thread(path.read_bytes)
            text, told = await self.without_tokens(as_text(before), name, path=path)
            if not told:
                raise UsageError("servers.tokens.none_plain", path=display_path(path))
            await self._keep_allowed(text, name, path, servers)
            await asyncio.to_thread(_replace, path, before, text)
        except OSError as error:
            reason = system_reason(error)
            raise UsageError("servers.tokens.not_changed", path=display_path(path), reason=reason) from error
        return told

    async def _keep_allowed(
        self, text: str, name: str, path: Path, servers: Sequence[ConfiguredServer]
    ) -> None:
        """What may start is the same without the values."""
        known = {each.config.id: each.config for each in servers}
        for fresh in read_servers(text, path=path, name=name).servers:
            old = known.get(fresh.config.id)
            if old is not None and await self._consent.is_allowed(old):
                await self._consent.allow_start(fresh.config, reason="its secrets moved to the keyring")

    async def _entry(self, token: PlainToken, taken: Mapping[str, str]) -> str:
        """A name under which neither the keyring nor `taken` has another value."""
        alone = re.sub(r"[^\w.-]", "_", token.name)
        beside = re.sub(r"[^\w.-]", "_", f"{token.server}-{token.name}")
        for name in (alone, beside, *(f"{beside}-{number}" for number in range(2, 1_000))):
            if taken.get(name, token.value) == token.value == (await self._secrets.get(name) or token.value):
                return name
        raise ConfigError("servers.tokens.many_entries", name=beside)

    async def _keep(self, entry: str, value: str, holder: SecretHolder | None) -> None:
        if await self._secrets.get(entry) != value:
            await self._secrets.keep(entry, value, holder=holder)
        elif holder is not None:
            await self._secrets.share(SecretName("keyring", entry), holder)
        if await self._secrets.get(entry) != value:
            raise ConfigError("servers.tokens.not_kept")

    async def _holder(self, server: ConfiguredServer | None) -> SecretHolder | None:
        try:
            return await self._consent.holder(server.config) if server is not None else None
        except ServerEndedError:
            return None


def _replace(path: Path, before: bytes, text: str) -> None:
    """Blocking. What was written meanwhile is not written over."""
    if path.read_bytes() != before:
        raise UsageError("servers.tokens.changed_meanwhile", path=display_path(path))
    write_whole(path, text.encode("utf-8"))
