"""What may run, and what was decided and run: grants, rules and rows of the audit log to show."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.permission import Effect, Grant, Mode, Permissions, Rule

from .samples import NOON


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
