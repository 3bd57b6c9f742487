"""Brings in the app behind the window, after the first paint and in a thread: importing it takes a while."""

from __future__ import annotations

import asyncio
import importlib
import logging
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from partner_desktop.base import log
from partner_desktop.base.errors import HostError
from partner_desktop.base.paths import display_path

if TYPE_CHECKING:
    from partner_desktop.app import Partner

_HEAVY = ("partner_desktop.app", "partner_desktop.commands.connection", "partner_desktop.config.home")


class AppBuilder:
    """Builds the one Partner of this process; on leaving, the log file is closed."""

    def __init__(self, home_root: Path | None, action_dir: Path | None) -> None:
        self._home_root = home_root
        self._action_dir = action_dir
        self._handler: logging.Handler | None = None

    async def __call__(self) -> Partner:
        """Import, become the host, begin the log, lay out the samples; `launch` is the caller's.

        Raises:
            PartnerError: The home cannot be used, or is in use.
        """
        for name in _HEAVY:
            await asyncio.to_thread(importlib.import_module, name)
        from partner_desktop.app import WINDOW_PACE_S, Partner  # noqa: PLC0415 - loaded by the thread above
        from partner_desktop.commands.partner_host import seed_samples  # noqa: PLC0415
        from partner_desktop.config.home import resolve_home  # noqa: PLC0415

        home = resolve_home(self._home_root)
        action_dir = self._action_dir or home.action_dir
        partner = Partner(home, action_dir, kind="window", pace_s=WINDOW_PACE_S)
        if not partner.lock.acquire():
            raise HostError("runtime.home_in_use_by_another", path=display_path(home.root))
        self._handler = log.log_to_file(home.log_file)
        if self._action_dir is None:
            await asyncio.to_thread(seed_samples, home)
        return partner

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handler is not None:
            log.stop_logging(self._handler)
