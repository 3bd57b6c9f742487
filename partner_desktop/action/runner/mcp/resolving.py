"""From a configuration as written to one that can be started: secrets, variables, program, environment.

Contract: runs on the loop; the file system is looked at off it, and the login shell is asked once for all
servers. What comes back is never logged; `shown` holds no secret that is known or looks like one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from partner_desktop.action.runner.mcp.config import ResolvedServer, ServerConfig
from partner_desktop.action.runner.mcp.entry_checks import wrong_address, wrong_header
from partner_desktop.action.runner.mcp.filling import Filled, Filling, Secret
from partner_desktop.action.runner.mcp.login_path import LoginPath, SearchPath
from partner_desktop.action.runner.mcp.masking import (
    KnownSecrets,
    is_secret_name,
    masked,
    masked_address,
    masked_arguments,
    without_token,
    without_tokens,
)
from partner_desktop.action.runner.mcp.program import cannot, find_folder, find_program, held_by
from partner_desktop.base.errors import ConfigError
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import cut
from partner_desktop.base.text import shown as clear
from partner_desktop.model.endpoint.address import is_overheard

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
    filling.check()
    if not outline:
        _check_filled(url, headers)
        texts = [url.value, *(f"{name}: {filled.value}" for name, filled in headers.items())]
        secrets = filling.hidden or any(masked(text) != text for text in texts)
        if secrets and is_overheard(url.value) and not config.insecure:
            raise cannot(
                f"Its key would go over the net for everybody to read, as {masked_address(url.shown)} is not "
                'encrypted. Use https://, or set "insecure": true in its entry.'
            )
    return ResolvedServer(
        id=config.id,
        transport=config.transport,
        shown=clear(without_token(url.shown)) if outline else masked_address(cut(url.shown, _SHOWN_LENGTH)),
        url=url.value,
        headers={name: filled.value for name, filled in headers.items()},
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
        raise cannot(f"Its address, once filled in, {wrong}; look at what its placeholders stand for.")
    for name, filled in headers.items():
        wrong = wrong_header(name, filled.value)
        if wrong:
            raise cannot(f"Its header `{name}`, once filled in, {wrong}; correct what it refers to.")
