"""BackupService: everything that must not be lost, in one file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from partner_desktop.base.clock import Clock
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.paths import Home
from partner_desktop.domain.backup import BackupReport
from partner_desktop.runner.mcp.manager import McpServers


class BackupService:
    """Of one home and its `action/` folder."""

    def __init__(self, home: Home, action_dir: Path, servers: McpServers, *, clock: Clock) -> None:
        self._home = home
        self._action_dir = action_dir
        self._servers = servers
        self._clock = clock

    @operation(Caller.ATTACHED)
    async def write(self, path: Path, *, force: bool = False) -> BackupReport:
        """Write everything that must not be lost into one file.

        Raises:
            UsageError: The file is there already (and not `force`), or its folder is not.
            BackupError: It could not be written.
        """
        from partner_desktop.storage.backup import Backup  # noqa: PLC0415 - start-up needs none of it

        report = await Backup(self._home, self._action_dir, clock=self._clock).write(path, force=force)
        own = self._action_dir.absolute() == self._home.action_dir.absolute()
        servers = self._servers.statuses() if own else ()
        return replace(report, plain=tuple(f"{name} of {each.id}" for each in servers for name in each.plain))
