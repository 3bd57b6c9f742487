"""External MCP servers, put together with what they need of the rest of the app."""

from __future__ import annotations

import asyncio
import importlib
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import cast

from partner_desktop.action.confirmation_expiry import CONFIRMATION_TIMEOUT, REMINDER
from partner_desktop.action.sampling import can_sample
from partner_desktop.action.settings import ActionSettings
from partner_desktop.app.core_services import CoreServices
from partner_desktop.app.models import ModelParts
from partner_desktop.runner.ability_content import SwitchStore
from partner_desktop.runner.mcp.configuration.config_resolution import resolve
from partner_desktop.runner.mcp.configuration.folder import McpFolder
from partner_desktop.runner.mcp.configuration.program import LoginPath
from partner_desktop.runner.mcp.configuration.secrets import ServerSecrets
from partner_desktop.runner.mcp.consent import StartConsent, ran_before
from partner_desktop.runner.mcp.elicitations import Elicitations
from partner_desktop.runner.mcp.manager import McpServers
from partner_desktop.runner.mcp.plain_secrets import TokenMover
from partner_desktop.runner.mcp.port import (
    Authorize,
    Connect,
    ConnectionHooks,
    ResolvedServer,
    Revoke,
    SamplingRequest,
    ServerConfig,
)
from partner_desktop.runner.mcp.server_import import ServerImport
from partner_desktop.runner.mcp.sign_in.server_sign_in import SignInParts
from partner_desktop.runner.mcp.supervisor import ServerEnvironment
from partner_desktop.storage.backup_file import home_key

_CONNECTION = "partner_desktop.runner.mcp.protocol.connection"
_AUTHORIZATION = "partner_desktop.runner.mcp.protocol.authorization"


class ServerParts:
    """`exchange_of` gives the exchange of a running action; `sample` asks the person, then a model."""

    def __init__(
        self,
        core: CoreServices,
        action_dir: Path,
        models: ModelParts,
        switches: SwitchStore,
        *,
        exchange_of: Callable[[str], str],
        sample: Callable[[SamplingRequest], Awaitable[str]],
    ) -> None:
        self._core = core
        self._models = models
        self._sample = sample
        self._newest: ActionSettings | None = None
        self._path = LoginPath(os.environ)
        self.secrets = ServerSecrets(models.secrets)
        self.elicitations = Elicitations(
            core.channels.publish,
            exchange_of,
            clock=core.clock,
            patience=CONFIRMATION_TIMEOUT,
            reminder=REMINDER,
            in_window=core.lock.kind == "window",
        )
        self.consent = StartConsent(
            core.permission,
            self.secrets,
            self._outline,
            ran_until_s=ran_before(core.home),
            mark=lambda: home_key(core.home),
        )
        self.manager = McpServers(
            McpFolder(action_dir),
            self._ground,
            self.elicitations,
            self.consent,
            switches=switches,
            publish=core.channels.publish,
            scratch=core.home.root / "cache" / "resources",
        )
        mover = TokenMover(self.secrets, self.consent)
        self.server_import = ServerImport(action_dir / "mcp", self.manager, mover)
        core.action_settings.on_change(self._apply)

    def _ground(self, changed: Callable[[str], None]) -> ServerEnvironment:
        return ServerEnvironment(
            check=self.consent.check,
            resolve=self._resolve,
            look_again=self._path.forget,
            load=_load,
            hooks=self._hooks,
            changed=changed,
            logs=self._core.home.log_file.parent / "mcp",
            clock=self._core.clock,
            sign_in=SignInParts(self.secrets, _load_authorization),
        )

    def _hooks(self, changed: Callable[[], None]) -> ConnectionHooks:
        sample = self._sample if can_sample(self._models.registry) else None
        return ConnectionHooks(changed=changed, ask=self.elicitations.ask, roots=self._roots, sample=sample)

    def _roots(self) -> Sequence[Path]:
        return self._settings.root_folders()

    @property
    def _settings(self) -> ActionSettings:
        return self._newest or self._core.action_settings.value

    async def _apply(self, new: ActionSettings) -> None:
        """A server that is told asks at once, perhaps before the new settings are in force everywhere."""
        before, self._newest = self._settings, new
        if before.roots != new.roots:
            self.manager.tell_roots()

    async def _resolve(self, config: ServerConfig) -> ResolvedServer:
        return await resolve(config, environ=os.environ, secret=self.secrets.get, path=self._path)

    async def _outline(self, config: ServerConfig) -> ResolvedServer:
        return await resolve(config, environ=os.environ, secret=None, path=self._path)


async def _load() -> Connect:
    """The SDK takes a second: it is loaded by the first server that starts, in a thread."""
    module = await asyncio.to_thread(importlib.import_module, _CONNECTION)
    return cast("Connect", module.connect)  # a module loaded by name is untyped


async def _load_authorization() -> tuple[Authorize, Revoke]:
    """As the SDK is."""
    module = await asyncio.to_thread(importlib.import_module, _AUTHORIZATION)
    return cast("Authorize", module.authorize), cast("Revoke", module.revoke)
