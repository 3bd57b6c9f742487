"""Policy: the person's settings about what may run, ready to be asked; and who keeps them up to date.

Contract: a file that became broken leaves the last good policy in force. One that was never understood is no
policy: until it is corrected everything asks, for it may hold a rule that denies.
"""

from __future__ import annotations

import asyncio
from dataclasses import field

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.permission import Mode
from partner_desktop.permission.rules import RuleBook
from partner_desktop.permission.settings import PermissionSettings


@dataclass(frozen=True)
class Policy:
    """What holds now."""

    mode: Mode = Mode.SMART
    rules: RuleBook = field(default_factory=RuleBook)
    known: bool = True
    """Whether the file could be understood; when not, only a person's own yes counts."""


CLOSED = Policy(Mode.ASK, known=False)


class PolicyKeeper:
    """The policy of a settings file. A part of the AgentContext, launched behind the settings."""

    def __init__(self, settings: ConfigHandle[PermissionSettings]) -> None:
        self._settings = settings
        self._policy = CLOSED
        settings.on_change(self._take)

    async def launch(self) -> None:
        await self._take(self._settings.value)

    async def shutdown(self) -> None:
        """Nothing to close."""

    def now(self) -> Policy:
        """What holds at this moment."""
        return self._policy if self._settings.understood else CLOSED

    async def _take(self, settings: PermissionSettings) -> None:
        self._policy = await asyncio.to_thread(_policy_of, settings)


def _policy_of(settings: PermissionSettings) -> Policy:
    return Policy(settings.mode, RuleBook(entry.rule() for entry in settings.rule))
