"""StartConsent: nothing of a server starts, and nothing is filled in, before the person said yes to it.

Contract: a yes is a grant of the permission engine, bound to the hash of all that the configuration would
start, and of what the program and the files named there hold. So it stands in the audit log and in the list
of grants, holds in every mode, and is gone with a grant that is taken back. What of it are secrets is said
yes to apart: that yes stands beside the secret itself, for this server and where it goes (`secrets.py`). Both
have to be there. No setting switches the question off.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from urllib.parse import urlsplit

from partner_desktop.base.errors import ConfigError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import sentence_of, sentences_joined
from partner_desktop.base.paths import Home, display_path
from partner_desktop.base.text import shown
from partner_desktop.domain.mcp_server import SERVER_KEYS, StartQuestion
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.run_facts import Isolation, Risk
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.permission.request import ApprovalMode, Outcome, PermissionRequest
from partner_desktop.runner.mcp.configuration.config_resolution import quoted
from partner_desktop.runner.mcp.configuration.entry_values import pieces
from partner_desktop.runner.mcp.configuration.program import cannot
from partner_desktop.runner.mcp.configuration.secrets import (
    SecretHolder,
    SecretName,
    ServerSecrets,
    is_secret_name,
    without_token,
)
from partner_desktop.runner.mcp.port import (
    AsksFirstError,
    ConfiguredServer,
    ResolvedServer,
    ServerConfig,
    ServerEndedError,
)


class StartConsent:
    """`outline` resolves a configuration without its secrets.

    `ran_until_s`: when Partner last ran in this home without asking, in seconds since 1970; `None`: never.
    `mark` notes down that it asks from now on; blocking.
    """

    def __init__(
        self,
        permission: PermissionEngine,
        secrets: ServerSecrets,
        outline: Callable[[ServerConfig], Awaitable[ResolvedServer]],
        *,
        ran_until_s: float | None,
        mark: Callable[[], object],
    ) -> None:
        self._permission = permission
        self._secrets = secrets
        self._outline = outline
        self._ran_until_s = ran_until_s
        self._mark: Callable[[], object] | None = mark

    async def check(self, config: ServerConfig) -> None:
        """Let a start happen.

        Raises:
            AsksFirstError: The person has not said yes to exactly this.
            ServerEndedError: A rule denies it, or it cannot be started at all.
        """
        outline = await self._outline(config)
        request = _request(config, outline)
        decision = await self._permission.decide(request, standing=ApprovalMode.ASK)
        if decision.outcome is Outcome.DENY:
            raise cannot(sentence_of("servers.may_not_start", reason=decision.reason))
        holder = _holder(config, outline)
        try:
            asked = [
                (secret, holders)
                for secret in named_secrets(config)
                if holder not in (holders := await self._secrets.holders(secret))
            ]
        except ConfigError as error:  # the keyring could not be asked
            raise cannot(str(error)) from error
        if asked or decision.outcome is not Outcome.ALLOW:
            starts = decision.outcome is not Outcome.ALLOW
            changed = starts and await self._permission.allowed_before_edit(request)
            before = sentence_of("servers.consent.changed_before") if changed else ""
            shown_hash = _shown_hash(config, outline, request.content_hash)
            raise AsksFirstError(_question(config, outline, asked, before, shown_hash, starts=starts))

    async def allow(self, config: ServerConfig, question: StartQuestion) -> None:
        """The person said yes to `question`.

        Raises:
            UsageError: By now it would start or get something else; nothing was allowed.
            ServerEndedError: It cannot be started at all.
            ConfigError: It could not be kept whom a secret is for.
        """
        outline = await self._outline(config)
        request = _request(config, outline)
        if question.shown_hash != _shown_hash(config, outline, request.content_hash):
            raise UsageError("servers.start_changed", name=config.id)
        holder = _holder(config, outline)
        await self._permission.approve(request, scope="always", reason="its start")
        for secret in named_secrets(config):
            await self._secrets.share(secret, holder)

    async def is_allowed(self, config: ServerConfig) -> bool:
        """Whether the person said yes to what it starts."""
        try:
            request = _request(config, await self._outline(config))
        except ServerEndedError:
            return False
        judged = await self._permission.preview(request, standing=ApprovalMode.ASK)
        return judged.outcome is Outcome.ALLOW

    async def allow_start(self, config: ServerConfig, *, reason: str) -> None:
        """The person said yes to what it starts, and to no secret. What cannot be started yet asks then."""
        with contextlib.suppress(ServerEndedError):
            request = _request(config, await self._outline(config))
            await self._permission.approve(request, scope="always", reason=reason)

    async def refuse(self, config: ServerConfig) -> None:
        """The person said no."""
        with contextlib.suppress(ServerEndedError):
            await self._permission.reject(_request(config, await self._outline(config)))

    async def holder(self, config: ServerConfig) -> SecretHolder:
        """As whom it gets secrets.

        Raises:
            ServerEndedError: It cannot be started at all, so that nobody knows where they would go.
        """
        return _holder(config, await self._outline(config))

    async def adopt(self, servers: Iterable[ConfiguredServer]) -> None:
        """Take over what ran before Partner asked: it lay there when Partner last ran. Once in a home."""
        if self._mark is None:
            return
        for server in servers:
            ran = self._ran_until_s is not None and _changed_s(server.path) < self._ran_until_s
            if ran and not server.config.disabled:
                await self.allow_start(server.config, reason="it ran in this home before")
        await asyncio.to_thread(self._mark)
        self._mark = None


def named_secrets(config: ServerConfig) -> list[SecretName]:
    """The secrets that a configuration names, each once, in the order of their names.

    A variable that it sets itself is not one that Partner was started with, except for its own value's sake.
    """
    own = {name for name, _ in config.env}
    found = set()
    texts = [(text, own) for text in (config.command, config.cwd, config.url, *config.args)]
    texts += [(text, set[str]()) for _, text in (*config.env, *config.headers)]
    texts.append((config.oauth.client_secret if config.oauth is not None else "", set[str]()))
    for text, known in texts:
        for piece in pieces(text):
            if piece.kind == "keyring":
                found.add(SecretName("keyring", piece.text))
            elif piece.kind == "env" and is_secret_name(piece.text) and piece.text not in known:
                found.add(SecretName("env", piece.text))
    return sorted(found, key=lambda secret: (secret.kind, secret.name))


def _request(config: ServerConfig, outline: ResolvedServer) -> PermissionRequest:
    content_hash = _start_hash(config, outline)
    here = config.transport == "stdio"
    summary = "outside the sandbox, with your rights" if here else "at its address"
    return PermissionRequest(
        action_id=new_id(),
        action_key=SERVER_KEYS + config.id,
        route=Route.MCP,
        content_hash=content_hash,
        params={},
        risk=Risk.WRITE,
        isolation=Isolation(sandboxed=False, net=True, summary=summary, server=config.id, remote=not here),
        outward=True,
        lasting=True,
        title=sentence_of("servers.start_title", name=config.id),
    )


def _start_hash(config: ServerConfig, outline: ResolvedServer) -> str:
    """Of all that decides what is started. What a header says reaches nobody but its address.

    The configuration as written, the program that it means by now, and what that and the files named in its
    arguments hold. What a database holds changes with its use, and is left out.
    """
    headers = [[name, _names(text)] for name, text in config.headers]
    parts: list[object] = [config.id, config.transport, config.command, config.args, config.env]
    parts += [config.cwd, config.folder]
    parts += [config.url, headers, *(["insecure"] if config.insecure else [])]
    if config.oauth is not None and config.oauth.client_secret:
        parts.append(["oauth", _names(config.oauth.client_secret)])
    if outline.program is not None:
        parts.append(outline.held)
    return _hash(parts)


def _names(text: str) -> list[str]:
    return [f"{piece.kind}:{piece.text}" for piece in pieces(text) if piece.kind != "text"]


def _holder(config: ServerConfig, outline: ResolvedServer) -> SecretHolder:
    if config.transport == "stdio":
        return SecretHolder(config.id, _hash([str(outline.program), config.args]))
    return SecretHolder(config.id, _hash([_origin(outline.url)]))


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme.lower()}://{parts.netloc.rpartition('@')[2].lower()}"


def _hash(parts: list[object]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _shown_hash(config: ServerConfig, outline: ResolvedServer, start_hash: str) -> str:
    names = [f"{secret.kind}:{secret.name}" for secret in named_secrets(config)]
    where = [_holder(config, outline).target, outline.shown, str(outline.cwd)]
    return _hash([start_hash, *where, names])


def _question(
    config: ServerConfig,
    outline: ResolvedServer,
    asked: list[tuple[SecretName, list[SecretHolder]]],
    before: str,
    shown_hash: str,
    *,
    starts: bool,
) -> StartQuestion:
    sentences = []
    if starts and config.transport != "stdio":
        sentences.append(sentence_of("servers.consent.connects", place=outline.shown))
    elif starts:
        folder = quoted(display_path(outline.cwd or Path.cwd()))
        sentences.append(sentence_of("servers.consent.runs", command=outline.shown, folder=folder))
        if config.env:
            sets = ", ".join(f"`{quoted(without_token(f'{name}={text}'))}`" for name, text in config.env)
            sentences.append(sentence_of("servers.consent.sets", variables=sets))
        sentences.append(sentence_of("servers.consent.not_looked"))
    if before:
        sentences.insert(0, before)
    wanted = [secret for secret, _ in asked]
    gets = [_shown_secret(secret) for secret in named_secrets(config) if starts and secret not in wanted]
    if gets:
        sentences.append(sentence_of("servers.consent.gets", secrets=", ".join(gets)))
    sentences += [_wants(config.id, secret, holders) for secret, holders in asked]
    sentences.append(sentence_of("servers.consent.nothing_yet"))
    names = tuple(secret.name for secret in named_secrets(config))
    return StartQuestion(sentences_joined(sentences), shown_hash, names)


def _shown_secret(secret: SecretName) -> str:
    if secret.kind == "env":
        return sentence_of("servers.consent.variable", name=shown(secret.name))
    return sentence_of("servers.consent.entry", name=shown(secret.name))


def _wants(server: str, secret: SecretName, holders: list[SecretHolder]) -> str:
    others = sorted({each.server for each in holders if each.server != server})
    what = _shown_secret(secret)
    if others:
        names = ", ".join(others)
        return sentence_of("servers.consent.wants_others", server=server, what=what, others=names)
    if holders:
        return sentence_of("servers.consent.wants_another", server=server, what=what)
    return sentence_of("servers.consent.wants", server=server, what=what)


def _changed_s(path: Path) -> float:
    """When a file was last changed or put there: the system's own word, which no archive brings along."""
    try:
        return path.stat().st_ctime
    except OSError:
        return float("inf")


def ran_before(home: Home) -> float | None:
    """When Partner last ran in a home that has no key yet; `None` for a new home, and one that has it.

    To be asked before the database is opened.
    """
    if home.key_file.exists():
        return None
    files = (home.database, home.database.with_name(f"{home.database.name}-wal"))
    return max((each.stat().st_mtime for each in files if each.exists()), default=None)
