"""ConfigHandle: a package's door to its own settings, and the change of them as one transaction.

Contract: `value` is always whole and valid. A change is offered to every applier in the order in which they
came; one that raises, hangs or cancels itself turns it down, and those before it are given the old settings
again, the last of them first.

`SettingsModel` is what the settings of all packages have in common.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from partner_desktop.base import log
from partner_desktop.base.errors import ConfigError, PartnerError

_log = log.area("config")

S = TypeVar("S", bound=BaseModel)

#: Takes the new settings; raising PartnerError turns the reload down, and the old values stay.
Apply = Callable[[S], Awaitable[None]]

#: Seconds that an applier which is out of time is given to clean up.
_CLEAN_UP_S = 1.0


class ConfigHandle(Generic[S]):
    """The door to one file's settings."""

    def __init__(self, name: str, default: S | None) -> None:
        self.name = name
        self._value = default
        self._understood = False
        self._appliers: list[Apply[S]] = []

    @property
    def value(self) -> S:
        """The settings in force; replaced as a whole by a reload, never changed in place.

        Raises:
            ConfigError: They have a required key and were not read yet.
        """
        if self._value is None:
            raise ConfigError("config.not_read_yet", name=self.name)
        return self._value

    @property
    def understood(self) -> bool:
        """Whether the file could be understood at some time since the start; until then defaults stand in."""
        return self._understood

    def on_change(self, apply: Apply[S]) -> Callable[[], None]:
        """Call `apply` with new settings before they are in force; returns the undo."""
        self._appliers.append(apply)

        def undo() -> None:
            if apply in self._appliers:
                self._appliers.remove(apply)

        return undo

    def begin(self, value: S) -> None:
        """Set what holds at the launch; nobody is told."""
        self._value = value
        self._understood = True

    async def change(self, new: S, *, limit_s: float) -> None:
        """Bring new settings into force. `limit_s` is for each applier.

        Raises:
            ConfigError: One turned them down; the message says why, and the old ones are in force.
        """
        done: list[Apply[S]] = []
        for apply in tuple(self._appliers):
            try:
                await _bounded(apply(new), limit_s)
            except BaseException as error:
                await self._roll_back(done, limit_s)
                if isinstance(error, PartnerError):
                    raise ConfigError("common.told", text=error) from error
                if not isinstance(error, Exception):
                    raise
                _log.warning("%s were turned down by an unexpected error", self.name, exc_info=error)
                raise ConfigError("config.unexpected", kind=type(error).__name__, error=error) from error
            done.append(apply)
        self._value = new
        self._understood = True

    async def _roll_back(self, done: Sequence[Apply[S]], limit_s: float) -> None:
        for apply in reversed(done):
            try:
                await _bounded(apply(self.value), limit_s)
            except Exception:  # noqa: BLE001 - one that cannot go back must not keep the others from it
                _log.exception("%s could not be rolled back everywhere", self.name)


async def _bounded(work: Awaitable[None], limit_s: float) -> None:
    """Await `work` for so long and no longer, even if it will not be cancelled or cancels itself."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # never "never retrieved"
    late = False
    try:
        await asyncio.wait([task], timeout=limit_s)
        late = not task.done()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait([task], timeout=_CLEAN_UP_S)
            if not task.done():
                _log.warning("a part that takes over settings does not end")
    if late:
        raise ConfigError("config.took_longer", limit_s=limit_s)
    if task.cancelled():
        raise ConfigError("config.gave_up")
    await task


class SettingsModel(BaseModel):
    """Whole and never changed in place; a key that it does not know is an error."""

    # The validators are built with the first file that is read: no start-up has to wait for them.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
