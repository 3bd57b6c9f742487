"""What a scripted Partner says about what may run, and about what was decided and run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.audit import AuditEntry, AuditQuery, AuditWords
from partner_desktop.domain.permission import Effect, Grant, Mode, Permissions, Rule

NOON = datetime(2030, 5, 14, 12, 0, tzinfo=UTC)


class FakePermissions:
    """`FakePartner` inherits it; what was asked stands in its `asked`."""

    asked: list[tuple[object, ...]]
    known_permissions: Permissions = Permissions(Mode.SMART)
    permission_error: str = ""
    known_audit: Sequence[AuditEntry] = ()
    """Oldest first, as the log has them."""
    audit_error: str = ""

    async def list_permissions(self) -> Permissions:
        return self.known_permissions

    async def set_mode(self, mode: Mode) -> None:
        self._ask("set_mode", mode)
        self.known_permissions = replace(self.known_permissions, mode=mode)

    async def save_rule(self, rule: Rule, *, place: int | None = None) -> None:
        self._ask("save_rule", rule, place)
        rules = list(self.known_permissions.rules)
        if place is None:
            rules.append(rule)
        else:
            rules[place] = rule
        self.known_permissions = replace(self.known_permissions, rules=tuple(rules))

    async def remove_rule(self, place: int) -> None:
        self._ask("remove_rule", place)
        rules = list(self.known_permissions.rules)
        del rules[place]
        self.known_permissions = replace(self.known_permissions, rules=tuple(rules))

    async def revoke_grant(self, grant_id: str) -> None:
        self._ask("revoke_grant", grant_id)
        grants = tuple(one for one in self.known_permissions.grants if one.id != grant_id)
        self.known_permissions = replace(self.known_permissions, grants=grants)

    def _ask(self, *what: object) -> None:
        self.asked.append(what)
        if self.permission_error:
            raise UsageError(self.permission_error)

    async def audit_page(
        self, query: AuditQuery, *, before: int | None = None, limit: int = 100
    ) -> list[AuditEntry]:
        self.asked.append(("audit_page", query, before, limit))
        if self.audit_error:
            raise UsageError(self.audit_error)
        end = len(self.known_audit) if before is None else before - 1
        found = []
        for entry in reversed(self.known_audit[:end]):
            if _fits(entry, query):
                found.append(entry)
                if len(found) == limit:
                    break
        return found

    async def audit_words(self) -> AuditWords:
        return AuditWords()

    async def export_audit(
        self, query: AuditQuery, path: Path, *, limit: int | None = None, force: bool = False
    ) -> int:
        self.asked.append(("export_audit", query, path, limit, force))
        if self.audit_error:
            raise UsageError(self.audit_error)
        return sum(_fits(entry, query) for entry in self.known_audit)


def _fits(entry: AuditEntry, query: AuditQuery) -> bool:
    return (
        query.action.lower() in entry.action_key.lower()
        and query.kind in ("", entry.kind)
        and query.outcome in ("", entry.outcome)
        and (query.since is None or datetime.fromisoformat(entry.at) >= query.since)
        and (query.until is None or datetime.fromisoformat(entry.at) < query.until)
    )


def grant(number: int = 1, **facts: object) -> Grant:
    """A yes for good."""
    one = Grant(
        f"g{number}",
        f"local::count_{number}",
        f"Count {number}",
        "always",
        NOON - timedelta(days=number),
        held="sandboxed · no network",
    )
    return replace(one, **facts)  # type: ignore[arg-type] # a test's own facts


def filled_permissions() -> Permissions:
    """Grants and rules of every kind."""
    return Permissions(
        Mode.SMART,
        rules=(
            Rule(Effect.DENY, "shell::*", note="nothing that deletes"),
            Rule(Effect.ASK, "zone::*"),
            Rule(Effect.ALLOW, "local::count_words", hash="3fa9c2d1" * 8, note="looked through it"),
        ),
        grants=(
            grant(1, title="Count words", action_key="local::count_words"),
            grant(2, title="Resize photos", action_key="local::resize_photos", current=False),
            grant(
                3, title="Time zones", action_key="zone::convert", scope="conversation", conversation_id="c1"
            ),
        ),
    )


def audit_entry(position: int, **facts: object) -> AuditEntry:
    """A decision of the person's, a minute after the one before."""
    one = AuditEntry(
        at=(NOON + timedelta(minutes=position)).isoformat(),
        kind="decision",
        action_id=f"a{position}",
        action_key="local::count_words",
        content_hash="3fa9c2d1" * 8,
        params_hash="77aa00ff" * 8,
        outcome="allow",
        scope="once",
        by_whom="person",
        reason="",
        position=position,
    )
    return replace(one, **facts)  # type: ignore[arg-type] # a test's own facts


def audit_story(now: datetime) -> list[AuditEntry]:
    """A few days of a log: every kind of row, the newest a minute before `now`."""
    held = "sandboxed · no network"
    rows: list[dict[str, str]] = [
        {"outcome": "allow", "scope": "always"},
        {"kind": "run", "outcome": "started", "reason": held, "scope": "", "by_whom": ""},
        {"kind": "result", "outcome": "succeeded", "scope": "", "by_whom": "", "content_hash": ""},
        {"by_whom": "grant", "scope": "always"},
        {"kind": "run", "outcome": "started", "reason": held, "scope": "", "by_whom": ""},
        {"kind": "resume", "outcome": "started", "reason": held, "by_whom": "grant", "scope": "always"},
        {"kind": "result", "outcome": "failed", "scope": "", "by_whom": "", "content_hash": ""},
        {"by_whom": "policy", "reason": "it only reads", "action_key": "builtin::file::list"},
        {
            "outcome": "deny",
            "by_whom": "policy",
            "reason": "a path of this run holds Partner's own data",
            "action_key": "local::tidy_downloads",
        },
        {
            "outcome": "deny",
            "by_whom": "rule",
            "reason": "nothing that deletes",
            "action_key": "shell::execute",
        },
        {"outcome": "deny", "action_key": "zone::convert", "scope": "conversation"},
        {"by_whom": "flag", "reason": "--approve all"},
        {"kind": "result", "outcome": "cancelled", "scope": "", "by_whom": "", "content_hash": ""},
        {},
    ]
    days = (3, 3, 3, 1, 1, 1, 1, *([0] * 20))
    return [
        audit_entry(
            place + 1,
            **row,
            at=(now - timedelta(days=days[place], minutes=2 * (len(rows) - place))).isoformat(),
        )
        for place, row in enumerate(rows)
    ]
