"""PermissionService: what the person said about runs to come, shown as one thing and changed by hand.

Contract: mode and rules live in `config/permission.toml` and are changed there; grants are rows. Each change,
also of the file by an editor, gets a row in the audit log; then a `PermissionsEvent` says all as it is then.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.plans.saved_plan_maker import saved_plan_hash
from partner_desktop.base import log
from partner_desktop.base.errors import ConfigError, StorageError, UsageError
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.tasks import TaskSet
from partner_desktop.config.center import ConfigCenter
from partner_desktop.config.entries import AddEntry, DropEntry, Edit, PutEntry, PutValue
from partner_desktop.domain.events import (
    AbilitiesEvent,
    ConfigEvent,
    ConversationEvent,
    ConversationGoneEvent,
    Event,
    PermissionsEvent,
)
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import SERVER_KEYS
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.permission import Effect, Grant, Mode, Permissions, Rule
from partner_desktop.domain.schedule import SCHEDULE_KEYS
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.grants import GrantStore, StoredGrant
from partner_desktop.permission.policy import PolicyKeeper
from partner_desktop.permission.rules import rule_problem
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.storage.database import Connection

#: The settings that this is about.
SETTINGS: Final = "permission"

_log = log.area("permissions")

#: Changed rules that the audit log names; of more it tells the number.
_MOST_ROWS = 100


class PermissionService:
    """A channel, for what changes elsewhere; a part of the AgentContext, launched behind the abilities."""

    name = "permissions"

    def __init__(
        self,
        config: ConfigCenter,
        policy: PolicyKeeper,
        grants: GrantStore,
        catalog: AbilityCatalog,
        channels: ChannelRegistry,
        audit: AuditLog,
    ) -> None:
        self._config = config
        self._policy = policy
        self._grants = grants
        self._catalog = catalog
        self._channels = channels
        self._audit = audit
        self._tasks = TaskSet("permissions")
        self._telling = asyncio.Lock()
        self._told: Permissions | None = None
        self._pending = False
        self._listening = False
        self._gone: set[str] = set()
        """Deleted conversations: one that comes back brings its grants."""
        grants.on_change(self._look)
        channels.register(self)

    async def launch(self) -> None:
        self._told = await self.list()
        self._listening = True

    async def shutdown(self) -> None:
        self._listening = False
        await self._tasks.close()

    @operation(Caller.ATTACHED)
    async def list(self) -> Permissions:
        """Everything in force now: the mode, the rules and the grants."""
        stored = await self._grants.all()
        policy = self._policy.now()
        return Permissions(policy.mode, policy.rules.rules, tuple(map(self._shown, stored)))

    def _shown(self, grant: StoredGrant) -> Grant:
        entry = self._catalog.entry(grant.action_key)
        info = entry.info if entry is not None else None
        return Grant(
            id=grant.id,
            action_key=grant.action_key,
            title=grant.title or (info.title if info is not None else grant.action_key),
            scope=grant.scope,
            created_at=grant.created_at,
            conversation_id=grant.conversation_id,
            # Whether a server is still the same is looked at when it starts, and a schedule as it is due.
            current=grant.action_key.startswith((SERVER_KEYS, SCHEDULE_KEYS))
            or (info is not None and grant.content_hash in ("", self._hash_of(info, grant))),
            held=grant.held,
            program=grant.program,
            places=grant.places,
        )

    def _hash_of(self, info: MetaActionInfo, grant: StoredGrant) -> str:
        """What a grant that holds was given for; of a saved plan that is all that it runs, too."""
        if info.plan is None:
            return info.content_hash
        return saved_plan_hash(info, self._catalog) or grant.content_hash

    # By hand.

    @operation(Caller.ATTACHED)
    async def set_mode(self, mode: Mode) -> None:
        """Let more or less run without a question; written into `config/permission.toml`.

        Raises:
            UsageError: The file cannot be changed; the sentence says why.
        """
        await self._change(PutValue(("mode",), mode.value))

    @operation(Caller.ATTACHED)
    async def deny(self, pattern: str) -> None:
        """Never run what fits a pattern, such as 'builtin::command::*'.

        Raises:
            UsageError: As of `save_rule`.
        """
        await self.save_rule(Rule(Effect.DENY, pattern))

    @operation(Caller.ATTACHED)
    async def ask(self, pattern: str) -> None:
        """Ask each time about what fits a pattern.

        Raises:
            UsageError: As of `save_rule`.
        """
        await self.save_rule(Rule(Effect.ASK, pattern))

    @operation()
    async def save_rule(self, rule: Rule, *, place: int | None = None) -> None:
        """Write a rule into the file: a new one behind the others, or in the place of one that stands there.

        Raises:
            UsageError: It is not one that can hold, or the file cannot be changed; the sentence says why.
        """
        problem = rule_problem(rule)
        if problem:
            raise UsageError("api.rule_problem", problem=f"{problem[:1].upper()}{problem[1:]}")
        if place is None:
            await self._change(AddEntry("rule", _entry(rule)))
        else:
            await self._change(PutEntry("rule", place, self._at(place), _entry(rule)))

    @operation(Caller.ATTACHED)
    async def remove_rule(self, place: int) -> None:
        """Take a rule out of the file; `place` counts from 0.

        Raises:
            UsageError: There is none, or the file cannot be changed.
        """
        await self._change(DropEntry("rule", self._at(place), place=place))

    @operation(Caller.ATTACHED)
    async def revoke(self, grant_id: str) -> None:
        """Take a yes back: it asks again from now on. What runs at this moment goes on.

        `grant_id` may be the beginning of an id, if no other begins so.

        Raises:
            UsageError: There is none, or it was taken back already; or several begin so.
        """
        known = await self._grants.all()
        found = [one.id for one in known if grant_id and one.id.startswith(grant_id)]
        if len(found) > 1:
            raise UsageError("api.several_grants", count=len(found), grant_id=grant_id)

        def note(db: Connection, grant: StoredGrant) -> None:
            self._audit.setting(
                db, grant.action_key, outcome="revoked", content_hash=grant.content_hash, scope=grant.scope
            )

        await self._grants.revoke(found[0] if found else grant_id, also=note)

    def _at(self, place: int) -> JsonObject:
        """What must stand there in the file, too: it may have been edited since it was looked at."""
        rules = self._policy.now().rules.rules
        if not 0 <= place < len(rules):
            raise UsageError("api.no_rule", place=place + 1, count=len(rules))
        return {"effect": rules[place].effect.value, "action": rules[place].action}

    async def _change(self, edit: Edit) -> None:
        try:
            await self._config.change(SETTINGS, edit)
        except ConfigError as error:
            raise UsageError("common.told", text=error) from error

    # What changed.

    def accepts(self, event: Event) -> bool:
        match event:
            case ConfigEvent():
                return event.name == SETTINGS
            case ConversationGoneEvent():
                return True
            case ConversationEvent():
                return event.conversation_id in self._gone
            case _:
                return isinstance(event, AbilitiesEvent)

    def deliver(self, event: Event) -> None:
        if isinstance(event, AbilitiesEvent) and not self._is_of_grants(event):
            return
        if isinstance(event, ConversationGoneEvent):
            (self._gone.discard if event.erased else self._gone.add)(event.conversation_id)
        elif isinstance(event, ConversationEvent):
            self._gone.discard(event.conversation_id)
        self._look()

    def _is_of_grants(self, event: AbilitiesEvent) -> bool:
        """Whether it may change how a grant is shown: few of the many abilities of a launch have one."""
        if self._told is None or self._telling.locked():
            return True
        granted = {grant.action_key for grant in self._told.grants}
        return not granted.isdisjoint((*event.removed, *(each.key for each in event.changed)))

    def _look(self) -> None:
        if self._listening and not self._pending:
            self._pending = True
            self._tasks.start("look", self._tell())

    async def _tell(self) -> None:
        async with self._telling:
            self._pending = False  # what changes from here on needs another look
            now = await self.list()
            if now != self._told:
                await self._note(self._told, now)
                self._told = now
                self._channels.publish(PermissionsEvent(permissions=now))

    async def _note(self, before: Permissions | None, now: Permissions) -> None:
        # Off the loop: there may be thousands of rules.
        changes = await asyncio.to_thread(_changes, before, now) if before is not None else []
        try:
            if changes:
                await self._audit.settings(changes)
        except StorageError:  # they are in force all the same
            _log.exception("changed permissions could not be written into the audit log")


def _changes(before: Permissions, now: Permissions) -> list[tuple[str, str, str]]:
    """What is different of mode and rules, as the audit log has it; grants have rows of their own."""
    added, removed = Counter(now.rules), Counter(before.rules)
    new, old = added - removed, removed - added
    found = []
    if before.mode is not now.mode:
        found.append(("permission::mode", "changed", f"{before.mode.value} → {now.mode.value}"))
    if new.total() + old.total() > _MOST_ROWS:
        told = f"{new.total():,} added, {old.total():,} removed"
        return [*found, ("permission::rules", "changed", told)]
    found += [(rule.action, "removed", f"rule: {rule.effect.value}") for rule in old.elements()]
    return found + [(rule.action, "added", f"rule: {rule.effect.value}") for rule in new.elements()]


def _entry(rule: Rule) -> JsonObject:
    """As it is written; what is empty is left out."""
    entry: JsonObject = {"effect": rule.effect.value, "action": rule.action}
    return entry | {name: text for name, text in (("hash", rule.hash), ("note", rule.note)) if text}
