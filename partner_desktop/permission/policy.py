"""Policy: the person's settings about what may run, ready to be asked; and who keeps them up to date.

Contract: a file that became broken leaves the last good policy in force. One that was never understood is no
policy: until it is corrected everything asks, for it may hold a rule that denies.

The settings are `config/permission.toml`.
"""

from __future__ import annotations

import asyncio
from dataclasses import field
from typing import Self

from pydantic import ConfigDict, Field, model_validator

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.config.handle import ConfigHandle, SettingsModel
from partner_desktop.domain.permission import Effect, Mode, Rule
from partner_desktop.permission.rules import RuleBook, rule_problem


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


_MOST_RULES = 20_000


class RuleEntry(SettingsModel):
    """One rule."""

    effect: Effect = Field(
        description="Deny: it never runs. Ask: it asks each time. Allow: it runs without a question.",
        examples=["deny"],
    )
    action: str = Field(
        description="The key of an action, or a pattern of keys with *, ? and [ ], as in a shell.",
        examples=["builtin::command::*"],
    )
    hash: str = Field(
        default="",
        description="With allow: at least 16 digits of the content_hash that `actions list --json` shows. "
        "After an edit it fits no more, and the action asks again.",
    )
    note: str = Field(
        default="", max_length=1_000, description="Why, for yourself.", examples=["not on this machine"]
    )

    @model_validator(mode="after")
    def _holds(self) -> Self:
        problem = rule_problem(self.rule())
        if problem:
            raise ValueError(f"{problem}.")
        return self

    def rule(self) -> Rule:
        """As the rest of Partner knows it."""
        return Rule(self.effect, self.action, self.hash, self.note)


class PermissionSettings(SettingsModel):
    """What runs without a question.

    Whatever stands here, Partner's own data is refused and places that may hold secrets are asked about.
    """

    model_config = ConfigDict(json_schema_extra={"section": "permissions"})

    mode: Mode = Field(
        default=Mode.SMART,
        description="With ask, everything asks each time. With smart, built-in actions that only look run, "
        "and what you allowed; the rest asks. With autonomous, also what a sandbox keeps from changing or "
        "sending anything runs.",
        examples=["smart"],
    )
    rule: tuple[RuleEntry, ...] = Field(
        default=(),
        max_length=_MOST_RULES,
        description="Rules for actions. Deny beats ask, and ask beats allow, in whatever order they stand. "
        "An allow counts only where the sandbox holds the action, never for free command lines, and never "
        "for places that may hold secrets; of the built-in actions it opens those that change no files.",
        examples=[[{"effect": "deny", "action": "builtin::command::*"}]],
    )
