"""From a configuration as written to one that can be started: secrets, variables, program, environment.

Contract: runs on the loop; the file system is looked at off it, and the login shell is asked once for all
servers. What comes back is never logged; `shown` holds no secret that is known or looks like one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from partner_desktop.action.runner.mcp.config import ResolvedServer, ServerConfig
from partner_desktop.action.runner.mcp.entry_checks import wrong_address, wrong_header
from partner_desktop.action.runner.mcp.filling import Filled, Filling, Secret
from partner_desktop.action.runner.mcp.login_path import LoginPath, SearchPath
from partner_desktop.action.runner.mcp.masking import masked_address, masked_arguments
from partner_desktop.action.runner.mcp.program import cannot, find_folder, find_program
from partner_desktop.base.errors import ConfigError
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import cut

#: What a server inherits. Everything else may carry secrets, and is named in `env` where it is needed.
_INHERITED = frozenset(
    {
        "HOME", "LOGNAME", "USER", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR", "SSL_CERT_FILE",
        "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    }
)  # fmt: skip
_SHOWN_LENGTH = 1_000


async def resolve(
    config: ServerConfig, *, environ: Mapping[str, str], secret: Secret, path: LoginPath
) -> ResolvedServer:
    """Fill in and find what a configuration names.

    `secret` gives an entry of the keyring, empty where there is none.

    Raises:
        ServerEndedError: Something is missing; `failure.needs` names the entries of the keyring.
    """
    known = {name: text for name, text in environ.items() if not name.startswith("PARTNER_")}
    try:
        if config.transport == "stdio":
            return await _process(config, known, secret, await path.get())
        return await _address(config, Filling(known, secret))
    except ConfigError as error:  # the keyring could not be asked
        raise cannot(str(error)) from error


async def _process(
    config: ServerConfig, known: dict[str, str], secret: Secret, search: SearchPath
) -> ResolvedServer:
    filling = Filling(known | {"PATH": search.value}, secret)
    own = {name: await filling.fill(text) for name, text in config.env}
    for name, filled in own.items():
        # As with `mcp-remote`: an argument may refer to what only `env` says.
        filling.define(name, filled)
    command = await filling.fill(config.command)
    args = [await filling.fill(text) for text in config.args]
    cwd = await filling.fill(config.cwd)
    filling.check()
    env = _inherited(known) | {"PATH": search.value} | {name: filled.value for name, filled in own.items()}
    home = known.get("HOME", "")
    program = await asyncio.to_thread(
        find_program,
        command.value,
        path=env["PATH"],
        home=home,
        folder=config.folder,
        trouble=search.trouble,
    )
    folder = await asyncio.to_thread(find_folder, cwd.value, home=home, folder=config.folder)
    return ResolvedServer(
        id=config.id,
        transport=config.transport,
        shown=_command_line(display_path(program), args),
        program=program,
        args=tuple(each.value for each in args),
        env=env,
        cwd=folder,
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
    return cut(" ".join(_quoted(word) for word in words), _SHOWN_LENGTH)


def _quoted(word: str) -> str:
    """As a shell would take it, where that matters to the eye."""
    clear = "".join(sign if sign.isprintable() else " " for sign in word)
    return (
        "'" + clear.replace("'", "'\\''") + "'" if not clear or set(clear) & set(" \"'\\$`;&|<>()") else clear
    )


async def _address(config: ServerConfig, filling: Filling) -> ResolvedServer:
    url = await filling.fill(config.url)
    headers = {name: await filling.fill(text) for name, text in config.headers}
    filling.check()
    wrong = wrong_address(url.value)
    if wrong:
        raise cannot(f"Its address, once filled in, {wrong}; look at what its placeholders stand for.")
    for name, filled in headers.items():
        wrong = wrong_header(name, filled.value)
        if wrong:
            raise cannot(f"Its header `{name}`, once filled in, {wrong}; correct what it refers to.")
    return ResolvedServer(
        id=config.id,
        transport=config.transport,
        shown=masked_address(cut(url.shown, _SHOWN_LENGTH)),
        url=url.value,
        headers={name: filled.value for name, filled in headers.items()},
        timeout_s=config.timeout_s,
        start_timeout_s=config.start_timeout_s,
    )
