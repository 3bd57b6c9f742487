"""The host of a home: the one process that runs its Partner. Held by a file lock, so it dies with it."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import Literal

from filelock import FileLock, Timeout

from partner_desktop.base import private
from partner_desktop.base.errors import HostError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import Home, display_path

HostKind = Literal["window", "command"]


@dataclass(frozen=True)
class HostInfo:
    """Who hosts a home; written beside the lock, for messages only, with the folder of the socket."""

    pid: int
    kind: HostKind


class HostLock:
    """The home's lock. A part of the AgentContext: taken first, let go last."""

    def __init__(self, home: Home, *, kind: HostKind) -> None:
        self._home = home
        self.kind = kind
        self._lock = FileLock(home.lock_file, mode=0o600)
        self._info = home.host_file

    def acquire(self) -> bool:
        """Try once; whether this process now is the host.

        Raises:
            HostError: The home cannot be written.
        """
        try:
            self._home.prepare()
            self._lock.acquire(timeout=0)
            self._finish_restore()
            self._clear_up()
        except Timeout:
            return False
        except OSError as error:
            raise HostError(
                "runtime.home_unusable", path=display_path(self._home.root), reason=system_reason(error)
            ) from error
        info = asdict(HostInfo(os.getpid(), self.kind)) | {"runtime": str(self._home.runtime)}
        private.write_text(self._info, json.dumps(info))
        return True

    def _finish_restore(self) -> None:
        """A restore that was cut off is finished before anyone opens what it replaces."""
        if self._home.restore_journal.exists() or self._home.restore_stage.exists():
            from partner_desktop.storage.restore import finish_restore  # noqa: PLC0415 - rarely needed

            finish_restore(self._home)

    def _clear_up(self) -> None:
        """What a killed backup left, while nobody writes one; what an older version kept of typed lines."""
        (self._home.root / "console.history").unlink(missing_ok=True)
        if next(self._home.root.glob(".backup-*"), None) is not None:
            from partner_desktop.storage.rescue import remove_scratch  # noqa: PLC0415 - rarely needed

            remove_scratch(self._home.root)

    async def launch(self) -> None:
        """Become the host, unless `acquire` did so already.

        Raises:
            HostError: Another process is.
        """
        if not self._lock.is_locked and not self.acquire():
            raise HostError("runtime.home_in_use", path=display_path(self._home.root))

    async def shutdown(self) -> None:
        self._info.unlink(missing_ok=True)
        self._lock.release()


def host_info(home: Home) -> HostInfo | None:
    """Who hosts the home, as far as is written down."""
    try:
        raw = json.loads(home.host_file.read_text(encoding="utf-8"))
        return HostInfo(pid=int(raw["pid"]), kind="window" if raw["kind"] == "window" else "command")
    except (OSError, ValueError, KeyError, TypeError):
        return None
