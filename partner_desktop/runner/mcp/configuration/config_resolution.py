"""From a configuration as written to one that can be started: secrets, variables, program, environment.

Contract: runs on the loop; the file system is looked at off it, and the login shell is asked once for all
servers. What comes back is never logged; `shown` holds no secret that is known or looks like one. `secret` is
awaited once a name; nothing here keeps a value longer than the start that needs it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path

from partner_desktop.base.errors import ConfigError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import cut
from partner_desktop.base.text import shown as clear
from partner_desktop.model.endpoint.address import is_overheard
from partner_desktop.runner.mcp.configuration.entry_values import (
    PlaceholderPiece,
    pieces,
    why_unknown,
    wrong_address,
    wrong_header,
)
from partner_desktop.runner.mcp.configuration.program import (
    LoginPath,
    SearchPath,
    cannot,
    find_folder,
    find_program,
    held_by,
)
from partner_desktop.runner.mcp.configuration.secrets import (
    MASK,
    KnownSecrets,
    is_secret_name,
    masked_address,
    masked_arguments,
    masked_secrets,
    without_token,
    without_tokens,
)
from partner_desktop.runner.mcp.port import ResolvedServer, ServerConfig, ServerEndedError

#: What a server inherits. Everything else may carry secrets, and is named in `env` where it is needed.
_INHERITED = frozenset(
    {
        "HOME", "LOGNAME", "USER", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR", "SSL_CERT_FILE",
        "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    }
)  # fmt: skip
_SHOWN_LENGTH = 1_000


async def resolve(
    config: ServerConfig, *, environ: Mapping[str, str], secret: Secret | None, path: LoginPath
) -> ResolvedServer:
    """Fill in and find what a configuration names.

    `secret` gives an entry of the keyring, empty where there is none. Without it the outline comes back,
    for the person's eyes alone: `shown` is whole, and nothing in it was asked of the keyring.

    Raises:
        ServerEndedError: Something is missing; `failure.needs` names the entries of the keyring.
    """
    known = {name: text for name, text in environ.items() if not name.startswith("PARTNER_")}
    try:
        if config.transport == "stdio":
            return await _process(config, known, secret, await path.get())
        outline = secret is None
        return await _address(config, Filling(known, secret or _unfilled, outline=outline), outline=outline)
    except ConfigError as error:  # the keyring could not be asked
        raise cannot(str(error)) from error


async def _unfilled(name: str) -> str:
    return name


async def _process(
    config: ServerConfig, known: dict[str, str], secret: Secret | None, search: SearchPath
) -> ResolvedServer:
    outline = secret is None
    filling = Filling(known | {"PATH": search.value}, secret or _unfilled, outline=outline)
    own = {name: await filling.fill(text) for name, text in config.env}
    for name, filled in own.items():
        # As with `mcp-remote`: an argument may refer to what only `env` says.
        filling.define(name, filled)
        if is_secret_name(name):
            filling.hidden.add(filled.value)
    command = await filling.fill(config.command)
    args = [await filling.fill(text) for text in config.args]
    cwd = await filling.fill(config.cwd)
    filling.check()
    env = _inherited(known) | {"PATH": search.value} | {name: filled.value for name, filled in own.items()}
    home = known.get("HOME", "")
    values = tuple(each.value for each in args)

    def find() -> tuple[Path, Path | None, tuple[str, ...]]:
        place, trouble = config.folder, search.trouble
        found = find_program(command.value, path=env["PATH"], home=home, folder=place, trouble=trouble)
        folder = find_folder(cwd.value, home=home, folder=place)
        return found, folder, held_by(found, values, folder or Path.cwd()) if outline else ()

    program, folder, held = await asyncio.to_thread(find)
    return ResolvedServer(
        id=config.id,
        transport=config.transport,
        shown=(_outlined if outline else _command_line)(display_path(program), args),
        program=program,
        args=values,
        env=env,
        cwd=folder,
        held=held,
        secrets=KnownSecrets(filling.hidden),
        legacy=config.legacy,
        timeout_s=config.timeout_s,
        start_timeout_s=config.start_timeout_s,
    )


def _inherited(known: Mapping[str, str]) -> dict[str, str]:
    return {
        name: text
        for name, text in known.items()
        if (name.upper() in _INHERITED or name.startswith(("LC_", "XDG_")))
        and not text.startswith("()")  # a function that bash exports
    }


def _command_line(program: str, args: list[Filled]) -> str:
    words = [program, *masked_arguments([cut(each.shown, _SHOWN_LENGTH) for each in args])]
    return cut(" ".join(quoted(word) for word in words), _SHOWN_LENGTH)


def _outlined(program: str, args: list[Filled]) -> str:
    return " ".join(quoted(word) for word in (program, *without_tokens([each.shown for each in args])))


def quoted(word: str) -> str:
    """As a shell would take it, where that matters to the eye; with every sign visible and in its place."""
    seen = clear(word)
    return "'" + seen.replace("'", "'\\''") + "'" if not seen or set(seen) & set(" \"'\\$`;&|<>()") else seen


async def _address(config: ServerConfig, filling: Filling, *, outline: bool) -> ResolvedServer:
    url = await filling.fill(config.url)
    headers = {name: await filling.fill(text) for name, text in config.headers}
    client_secret = await filling.fill(config.oauth.client_secret) if config.oauth is not None else None
    if client_secret is not None and client_secret.value:
        filling.hidden.add(client_secret.value)
    filling.check()
    if not outline:
        _check_filled(url, headers)
        texts = [url.value, *(f"{name}: {filled.value}" for name, filled in headers.items())]
        secrets = filling.hidden or any(masked_secrets(text) != text for text in texts)
        if secrets and is_overheard(url.value) and not config.insecure:
            raise cannot(sentence_of("servers.start.overheard", address=masked_address(url.shown)))
    return ResolvedServer(
        id=config.id,
        transport=config.transport,
        shown=clear(without_token(url.shown)) if outline else masked_address(cut(url.shown, _SHOWN_LENGTH)),
        url=url.value,
        headers={name: filled.value for name, filled in headers.items()},
        oauth=replace(config.oauth, client_secret=client_secret.value)
        if config.oauth is not None and client_secret is not None
        else None,
        legacy=config.legacy,
        secrets=KnownSecrets(filling.hidden | _in_headers(headers)),
        timeout_s=config.timeout_s,
        start_timeout_s=config.start_timeout_s,
    )


def _in_headers(headers: Mapping[str, Filled]) -> set[str]:
    """What stands in headers of telling names as it is, without the scheme before it."""
    return {filled.value.rpartition(" ")[2] for name, filled in headers.items() if is_secret_name(name)}


def _check_filled(url: Filled, headers: Mapping[str, Filled]) -> None:
    wrong = wrong_address(url.value)
    if wrong:
        raise cannot(sentence_of("servers.start.address_filled", wrong=wrong))
    for name, filled in headers.items():
        wrong = wrong_header(name, filled.value)
        if wrong:
            raise cannot(sentence_of("servers.start.header_filled", name=name, wrong=wrong))


Secret = Callable[[str], Awaitable[str]]


@dataclass(frozen=True)
class Filled:
    """A text with everything filled in, and as it may be shown."""

    value: str
    shown: str


class Filling:
    """The placeholders of one configuration. What is missing is collected: one sentence names it all."""

    def __init__(self, environ: Mapping[str, str], secret: Secret, *, outline: bool = False) -> None:
        """`outline`: for the person's eyes, who has to see what stands in the file itself."""
        self._outline = outline
        self._environ = environ
        self._defined: dict[str, Filled] = {}
        self._secret = secret
        self._secrets: dict[str, str] = {}
        self.hidden: set[str] = set()
        """Every value that was filled in and is not shown."""
        self._no_variables: dict[str, None] = {}
        self._no_entries: dict[str, None] = {}
        self._unknown: dict[str, None] = {}

    def define(self, name: str, filled: Filled) -> None:
        """From now on a variable has this value."""
        hidden = filled.shown != filled.value or is_secret_name(name)
        shown = MASK if hidden and not self._outline else filled.shown
        self._defined[name] = Filled(filled.value, shown)

    async def fill(self, text: str) -> Filled:
        """The text filled in; what is missing is left empty, and reported by `check`."""
        parts = [await self._piece(piece) for piece in pieces(text)]
        self.hidden.update(part.value for part in parts if part.shown != part.value)
        return Filled("".join(each.value for each in parts), "".join(each.shown for each in parts))

    async def _piece(self, piece: PlaceholderPiece) -> Filled:
        if piece.kind == "keyring":
            return Filled(await self._from_keyring(piece.text), MASK)
        if piece.kind in ("env", "home"):
            return self._variable(piece)
        if piece.kind == "unknown":
            self._unknown[piece.text] = None
        return Filled(piece.text, piece.text)

    def _variable(self, piece: PlaceholderPiece) -> Filled:
        name = "HOME" if piece.kind == "home" else piece.text
        found = self._defined.get(name)
        if found is None and (text := self._environ.get(name)) is not None:
            found = Filled(text, _plain(name, text))
        if found is not None and (found.value or piece.default is None):
            return found
        if piece.default is None:
            self._no_variables[name] = None
        default = piece.default or ""
        return Filled(default, default if self._outline else _plain(name, default))

    async def _from_keyring(self, name: str) -> str:
        if name not in self._secrets:
            self._secrets[name] = await self._secret(name)
        if not self._secrets[name]:
            self._no_entries[name] = None
        return self._secrets[name]

    def check(self) -> None:
        """Whether everything was there.

        Raises:
            ServerEndedError: Something is missing, or not known; the sentence names all of it.
        """
        if self._unknown:
            reasons = "; ".join(why_unknown(inside) for inside in self._unknown)
            raise cannot(sentence_of("servers.start.not_filled", reasons=reasons))
        if self._no_variables or self._no_entries:
            raise self._missing()

    def _missing(self) -> ServerEndedError:
        both = self._no_variables and self._no_entries
        clauses = []
        if self._no_variables:
            clauses.append(_named(self._no_variables, "servers.start.variable", "servers.start.variables"))
        if self._no_entries:
            clauses.append(_named(self._no_entries, "servers.start.entry", "servers.start.entries"))
        alone = "servers.start.set_variables" if self._no_variables else "servers.start.give_entries"
        advice = LazySentence("servers.start.give_both" if both else alone)
        what = sentence_of("servers.start.and_also").join(clauses)
        told = sentence_of("servers.start.missing", what=what, advice=advice)
        return cannot(told, needs=tuple(self._no_entries))


def _plain(name: str, text: str) -> str:
    return MASK if text and is_secret_name(name) else text


def _named(names: dict[str, None], one: str, many: str) -> str:
    """The names in a sentence: its id for one of them, and for several."""
    *first, last = (f"`{name}`" for name in names)
    listed = sentence_of("servers.start.and_also").join([", ".join(first), last] if first else [last])
    return sentence_of(many if first else one, names=listed)
