"""Secrets of servers: what is shown of them, and ServerSecrets, which keeps whom each was given for.

What stands in a file in plain text is told from other text only by its looks: a guess, and a generous one.
What was filled in is known (`KnownSecrets`), and is found in whatever a server writes.

What `${keyring:NAME}` stands for is kept apart from the keys of models. A file in `mcp/` can name any key
and any address: of the keys that Partner keeps, it must only reach those that were given for servers; and of
these, and of the variables that look like secrets, those that were given for this server. Who that is stands
beside the key, in the keyring or the file of keys, never in the database: a backup brings that one along.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal
from urllib.parse import quote, quote_plus, unquote, urlsplit

from partner_desktop.base.errors import ConfigError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.config.secrets import SecretStore

MASK = "•••"

_NAME = (
    r"(?:api[_-]?)?key|token|secret|passw|pwd|passphrase|credential|auth|bearer|cookie|session|private|dsn"
    r"|database_?url|connection_?string|signature"
)
_SECRET_NAME = late(_NAME, re.IGNORECASE)
#: `--api-key`, `-token`: the argument behind it is the secret.
_OPTION = late(r"--?[\w-]+")
#: `--api-key=…`, `--env=API_KEY=…`, `X-Api-Key: …`
_ASSIGNED = late(r"(?<![\w./-])(?P<name>(?:[\w.-]+\"?\s*[=:]\s*)+)(?!//)(?P<value>[^\s&,;]+)")
_SCHEME = late(r"\b(?P<name>(?:Bearer|Basic|Token)\s+)(?P<value>[^\s\"',;]+)", re.IGNORECASE)
_LOGIN = late(r"(?P<name>[a-z][a-z0-9+.-]*://)(?P<value>[^\s/@]+)(?=@)", re.IGNORECASE)
#: The shapes of well-known services' tokens, and long words that nobody would type.
_TOKEN = late(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{8,}|github_pat_\w{8,}|glpat-[\w-]{8,}"
    r"|xox[abeprs]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{16,}|hf_[A-Za-z0-9]{8,}|npm_[A-Za-z0-9]{8,}"
    r"|eyJ[\w-]{8,}(?:\.[\w-]+)*|[0-9a-fA-F]{32,}"
    r"|(?=[A-Za-z]*\d)(?=[A-Z0-9]*[a-z])(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{32,}"
    r")(?![A-Za-z0-9])"
)

#: A value behind what names it, and nothing that a shell or an interpreter could run or open.
_NAMED = late(
    r"(?P<name>(?:[\w.-]+[=:]\s*)*(?:(?:Bearer|Basic|Token)\s+)?)(?P<value>[^\s/&$`;|(){}<>\\=:]+)",
    re.IGNORECASE,
)
_ADDRESS = late(r"(?:[\w-]+=)?[a-z][a-z0-9+.-]*://[^\s$`;|(){}<>\\]+", re.IGNORECASE)
_QUERY = late(r"(?<=[?&])(?P<name>[\w.-]+=)(?P<value>[^&#/]+)")


def is_secret_name(name: str) -> bool:
    """Whether what is called so is probably not for others' eyes."""
    return _SECRET_NAME.search(name) is not None


def find_token(text: str) -> tuple[int, int]:
    """Where the first thing stands that has the shape of a token; an empty stretch where none does."""
    found = _TOKEN.search(text)
    return found.span() if found is not None else (0, 0)


def masked_secrets(text: str) -> str:
    """The text with what looks like a secret replaced."""
    text = _LOGIN.sub(rf"\g<name>{MASK}", text)
    text = _SCHEME.sub(rf"\g<name>{MASK}", text)
    text = _ASSIGNED.sub(_without_value, text)
    return _TOKEN.sub(MASK, text)


def _without_value(found: re.Match[str]) -> str:
    """A scheme's word stays: `Authorization: Bearer •••`."""
    harmless = found["value"].lower() in ("bearer", "basic", "token") or not is_secret_name(found["name"])
    return found[0] if harmless else found["name"] + MASK


def masked_arguments(arguments: Sequence[str]) -> list[str]:
    """A command's arguments, with what follows an option like `--api-key` replaced, too."""
    found, is_value = [], False
    for argument in arguments:
        shown = masked_address(argument) if "://" in argument else masked_secrets(argument)
        found.append(MASK if is_value and not argument.startswith("-") else shown)
        is_value = _OPTION.fullmatch(argument) is not None and is_secret_name(argument)
    return found


def without_tokens(arguments: Sequence[str]) -> list[str]:
    """A command's arguments as the person has to see them before it runs, with the tokens in them replaced.

    Here a guess may hide what would run: so only what has both the name and the shape of a token is one.
    """
    found, option = [], ""
    for argument in arguments:
        found.append(without_token(argument, option=option))
        option = argument if _OPTION.fullmatch(argument) is not None else ""
    return found


def without_token(text: str, *, option: str = "") -> str:
    """One of them; `option` stands before it."""
    if _ADDRESS.fullmatch(text) is not None:
        return _QUERY.sub(_without_shape, _LOGIN.sub(rf"\g<name>{MASK}", text))
    found = _NAMED.fullmatch(text)
    return text if found is None else _without_shape(found, option=option)


def _without_shape(found: re.Match[str], *, option: str = "") -> str:
    is_one = is_secret_name(option + found["name"]) and _TOKEN.fullmatch(found["value"]) is not None
    return found["name"] + MASK if is_one else found[0]


def masked_address(address: str) -> str:
    """An address without login and the values of its query; what is none as `masked_secrets` has it."""
    address = masked_secrets(address)
    try:
        parts = urlsplit(address)
    except ValueError:
        return address
    pairs = [pair.partition("=") for pair in parts.query.split("&")] if parts.query else []
    query = "&".join(name + sign + (MASK if sign else "") for name, sign, _ in pairs)
    return parts._replace(query=query, fragment="").geturl()


#: A value that is shorter is found everywhere; a piece of one, at the end or the beginning of a line, sooner.
_SHORTEST, _SHORTEST_PIECE = 4, 6
#: Tokens of a sign-in, which come in pairs.
_MOST_LEARNED = 6


class KnownSecrets:
    """The values that were filled into one configuration, as they are and as they are often written.

    A server that breaks its lines somewhere cuts a value: so its pieces at the ends of a line count as well.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._given, self._learned = tuple(values), deque[str](maxlen=_MOST_LEARNED)
        self._know()

    def learn(self, values: Iterable[str]) -> None:
        """Know more of them: tokens come while a server is in use. The oldest are over, and are let go."""
        fresh = [value for value in values if value and value not in self._learned]
        if fresh:
            self._learned.extend(fresh)
            self._know()

    def _know(self) -> None:
        values = (*self._given, *self._learned)
        forms = {form for value in values for form in _forms(value) if len(form) >= _SHORTEST}
        whole = sorted(forms, key=len, reverse=True)
        self._whole = re.compile("|".join(map(re.escape, whole))) if whole else None
        self._values = [form for form in whole if len(form) > _SHORTEST_PIECE]
        self.longest = len(whole[0]) if whole else 0
        """Of what is looked for, in characters: so much of a text that was cut off may be a piece of one."""

    def masked(self, text: str) -> str:
        """The text without them, however many lines it has."""
        if self._whole is None or not text:
            return text
        return "\n".join(map(self._line, self._whole.sub(MASK, text).split("\n")))

    def _line(self, line: str) -> str:
        """Without a piece at either end."""
        inner = line.strip()
        if len(inner) < _SHORTEST_PIECE:
            return line
        for value in self._values:
            if inner in value:
                return line.replace(inner, MASK)
            begun = _overlap(inner, value)
            if begun:
                inner = inner[:-begun] + MASK
            ended = _overlap(value, inner)
            if ended:
                inner = MASK + inner[ended:]
        return line.replace(line.strip(), inner) if inner != line.strip() else line


def _overlap(left: str, right: str) -> int:
    """How much of the end of `left` is the beginning of `right`, where that is no chance."""
    most = min(len(left), len(right))
    sizes = range(most, _SHORTEST_PIECE - 1, -1)
    return next((size for size in sizes if left.endswith(right[:size])), 0)


def _forms(value: str) -> Iterator[str]:
    """A value line by line, as a part of an address, and in base64 wherever it may begin in it."""
    for line in {value, *value.splitlines()}:
        if len(line) < _SHORTEST:
            continue
        yield line
        escaped = quote(line, safe="")
        yield from (escaped, escaped.lower(), quote(line), quote_plus(line), repr(line)[1:-1])
        data = line.encode("utf-8", "surrogatepass")
        for before in range(3):  # what stands before it in the same text moves its bits
            coded = base64.b64encode(bytes(before) + data).decode()
            # The first and the last sign can hold bits of its neighbours, too.
            middle = coded[(0, 2, 3)[before] : (before + len(data)) * 8 // 6]
            if len(middle) > _SHORTEST_PIECE:
                yield from (middle, middle.replace("+", "-").replace("/", "_"))


_PREFIX = "mcp:"
_SIGN_IN = "mcp-sign-in:"
#: As many servers share one secret at most; the oldest is asked about again.
_MOST_HOLDERS = 10


@dataclass(frozen=True)
class SecretName:
    """An entry of the keyring, or a variable that Partner was started with and that looks like a secret."""

    kind: Literal["keyring", "env"]
    name: str

    @property
    def place(self) -> str:
        """Where those who may have it are kept."""
        return f"mcp-for:{self.name}" if self.kind == "keyring" else f"mcp-env-for:{self.name}"


@dataclass(frozen=True)
class SecretHolder:
    """Who gets a secret: a server by its id, and where it goes from there."""

    server: str
    target: str
    """The hash of the origin of its address, or of its program with the arguments."""


class ServerSecrets:
    """A part of the home's SecretStore."""

    def __init__(self, store: SecretStore) -> None:
        self._store = store
        self._binding = asyncio.Lock()

    async def get(self, name: str) -> str:
        """The secret of that name; empty where there is none.

        Raises:
            ConfigError: The keyring could not be asked.
        """
        return await self._store.get(_PREFIX + name)

    async def keep(self, name: str, value: str, *, holder: SecretHolder | None) -> str:
        """Keep it for one server and no other; says where it is, as the end of a sentence.

        Raises:
            ConfigError: It could not be kept.
        """
        async with self._binding:
            # Who may have the old one comes first: a new one is never in the hands of those.
            await self._write(SecretName("keyring", name), [holder] if holder is not None else [])
            return await self._store.set(_PREFIX + name, value)

    async def holders(self, secret: SecretName) -> list[SecretHolder]:
        """Those whom it was given for, or whom the person let have it.

        Raises:
            ConfigError: The keyring could not be asked.
        """
        return _read(await self._store.get(secret.place))

    async def share(self, secret: SecretName, holder: SecretHolder) -> None:
        """Let one more have it.

        Raises:
            ConfigError: That could not be kept.
        """
        async with self._binding:
            held = [each for each in await self.holders(secret) if each != holder]
            await self._write(secret, [*held, holder][-_MOST_HOLDERS:])

    async def sign_in(self, server: str) -> str:
        """What was kept of the sign-in to a server, sealed; empty where there is nothing.

        Raises:
            ConfigError: The keyring could not be asked.
        """
        return await self._store.get(_SIGN_IN + server)

    async def keep_sign_in(self, server: str, sealed: str) -> None:
        """Keep it; an empty one is forgotten. No configuration can name it.

        Raises:
            ConfigError: That could not be done.
        """
        if sealed:
            await self._store.set(_SIGN_IN + server, sealed)
        else:
            await self._store.delete(_SIGN_IN + server)

    async def _write(self, secret: SecretName, holders: list[SecretHolder]) -> None:
        if not holders:
            await self._store.delete(secret.place)
            return
        text = json.dumps([[each.server, each.target] for each in holders])
        await self._store.set(secret.place, quote(text, safe=""))


def _read(text: str) -> list[SecretHolder]:
    if not text:
        return []
    try:
        return [SecretHolder(str(server), str(target)) for server, target in json.loads(unquote(text))]
    except (ValueError, TypeError) as error:
        raise ConfigError("servers.holders_unread") from error
