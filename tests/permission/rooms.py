"""What the tests of the engine share: an engine on a database of its own, and requests of every kind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from partner_desktop.base.clock import SystemClock
from partner_desktop.base.paths import Home
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.permission import Mode, Rule
from partner_desktop.domain.run_facts import Isolation, Risk
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.permission.grants import GrantStore
from partner_desktop.permission.policy import Policy
from partner_desktop.permission.request import PermissionRequest
from partner_desktop.permission.rules import RuleBook
from partner_desktop.storage.database import Database

HELD = Isolation(sandboxed=True, net=False, summary="sandboxed · no network")
OPEN = Isolation(sandboxed=False, net=True, summary="not sandboxed")

HASH = "0123456789abcdef" * 4

SCRIPT = PermissionRequest(
    action_id="a1",
    action_key="local::upper",
    route=Route.MCP,
    content_hash=HASH,
    params={"text": "x"},
    risk=Risk.READ,
    isolation=HELD,
    conversation_id="here",
)
"""A held script that only reads; it asks in the mode `smart`."""

LOOK = PermissionRequest(
    action_id="a1",
    action_key="builtin::files::read",
    route=Route.BUILTIN,
    content_hash=HASH,
    params={},
    risk=Risk.READ,
    isolation=Isolation(sandboxed=False, net=False, summary="built in · only looks"),
    conversation_id="here",
)
"""A builtin that only looks; it runs in the mode `smart`."""


@dataclass
class Room:
    """An engine, and what it goes by."""

    database: Database
    grants: GrantStore
    audit: AuditLog
    engine: PermissionEngine
    policy: Policy = field(default_factory=Policy)

    def say(self, *rules: Rule, mode: Mode = Mode.SMART) -> None:
        """The person's settings from now on."""
        self.policy = Policy(mode, RuleBook(rules))


@asynccontextmanager
async def room(home: Home, *conversations: str) -> AsyncIterator[Room]:
    """With a database in which these conversations are."""
    home.prepare()
    clock = SystemClock()
    database = Database(home.database, backups=home.backups, clock=clock)
    await database.launch()
    try:
        grants, audit = GrantStore(database, clock=clock), AuditLog(database, clock=clock)
        engine = PermissionEngine(grants, audit, home=home, policy=lambda: one.policy)
        one = Room(database, grants, audit, engine)
        for conversation in conversations:
            await database.write(
                lambda db, key=conversation: db.execute(  # type: ignore[misc]
                    "INSERT INTO conversations (id, title, created_at, updated_at) VALUES (?, '', '', '')",
                    (key,),
                )
            )
        yield one
    finally:
        await database.shutdown()
