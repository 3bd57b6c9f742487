"""Plans as a mind is shown them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import CHAIN_KEY, Plan, Stage, Step, StepStatus
from partner_desktop.domain.run_facts import Isolation, Risk

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
HELD = Isolation(sandboxed=True, net=False, summary="in a sandbox")


def step(name: str, title: str, params: JsonObject | None = None, **fields: Any) -> Step:
    """A step; `name` is its id and that of its ability."""
    given: dict[str, Any] = {
        "id": name,
        "key": f"local::{name}",
        "title": title,
        "text": "",
        "params": params or {},
        "schema": {},
        "risk": Risk.WRITE,
        "isolation": HELD,
    }
    return Step(**(given | fields))


FIND = step("find", "Find duplicates", {"folder": "/home/me/Pictures"})
ZIP = step("zip", "Zip backup", {"folder": "/home/me/Pictures"})


def stages(*steps: Step) -> tuple[Stage, ...]:
    return tuple(Stage((each,)) for each in steps)


def chain(
    *steps: Step, status: ActionStatus = ActionStatus.WAITING, name: str = "chain", **fields: Any
) -> ActionRecord:
    """An action of several steps, one a stage."""
    given: dict[str, Any] = {
        "id": name,
        "conversation_id": "c",
        "exchange_id": "e",
        "key": CHAIN_KEY,
        "title": " → ".join(each.title for each in steps),
        "description": "",
        "params": {},
        "schema": {},
        "status": status,
        "created_at": NOW,
        "request_text": "find duplicates in my pictures and then zip the folder",
        "chain": Plan(stages(*steps)),
    }
    return ActionRecord(**(given | fields))


def child(of: Step, **fields: Any) -> ActionRecord:
    """What a step did."""
    given: dict[str, Any] = {
        "id": of.id,
        "conversation_id": "c",
        "exchange_id": "e",
        "key": of.key,
        "title": of.title,
        "description": "",
        "params": of.params,
        "schema": {},
        "status": ActionStatus.SUCCEEDED,
        "created_at": NOW,
        "parent_id": "chain",
    }
    return ActionRecord(**(given | fields))


def with_status(of: Step, status: StepStatus, **fields: Any) -> Step:
    return replace(of, status=status, **fields)
