"""Runs of several steps to show: a plan that waits, runs, ended, and what its steps have become."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from partner_desktop.domain.action import ActionRecord, ActionStatus, RunFile, Undo, UndoState
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import CHAIN_KEY, Change, Plan, Stage, Step, StepInput, StepStatus
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk

from .samples import NOON, SANDBOXED, count_action

BUILT_IN = Isolation(sandboxed=False, net=False, summary="built in")
PICTURES = "/home/user/Pictures"

_FOLDER: JsonObject = {
    "type": "object",
    "properties": {
        "folder": {"type": "string", "format": "path", "access": "read", "title": "Folder"},
        "least": {"type": "integer", "title": "Least size"},
    },
}
_ZIP: JsonObject = {
    "type": "object",
    "properties": {
        "folder": {"type": "string", "format": "path", "access": "read", "title": "Folder"},
        "files": {"type": "array", "items": {"type": "string"}, "title": "Files"},
        "target": {"type": "string", "format": "path", "access": "write", "title": "Archive"},
    },
}
_TELL: JsonObject = {"type": "object", "properties": {"text": {"type": "string", "title": "Text"}}}

FIND = Step(
    "s1",
    "local::find_duplicates",
    "Find duplicates",
    "find the duplicates in my pictures",
    {"folder": PICTURES, "least": 1024},
    _FOLDER,
    Risk.READ,
    SANDBOXED,
    paths=(PathUse("folder", PICTURES, "read"),),
)
ZIP = Step(
    "s2",
    "local::zip_backup",
    "Zip backup",
    "back the pictures up",
    {"folder": PICTURES, "files": {"$from": "s1"}, "target": "/home/user/backup/pictures.zip"},
    _ZIP,
    Risk.WRITE,
    SANDBOXED,
    paths=(
        PathUse("folder", PICTURES, "read"),
        PathUse("target", "/home/user/backup/pictures.zip", "write"),
    ),
    feeds=(StepInput("files", "s1"),),
)
TELL = Step(
    "s3",
    "builtin::desktop::notify",
    "Show a notification",
    "then tell me",
    {"text": "The backup is done"},
    _TELL,
    Risk.READ,
    BUILT_IN,
)


def step(one: Step, status: StepStatus, **facts: object) -> Step:
    """A step as far as it is."""
    began = status is not StepStatus.PLANNED
    given: dict[str, object] = {"status": status, "started_at": NOON if began else None, **facts}
    if status.ended:
        given.setdefault("finished_at", NOON + timedelta(seconds=2))
    return replace(one, **given)  # type: ignore[arg-type] # a test's own facts


def plan(action_id: str = "p1", *steps: Step, **facts: object) -> ActionRecord:
    """A chain; without steps as it is proposed."""
    taken = steps or (FIND, ZIP, TELL)
    changes = facts.pop("changes", ())
    chain = Plan(tuple(Stage((each,)) for each in taken), changes=changes)  # type: ignore[arg-type] # changes
    checked = facts.pop("checked", "")
    given: dict[str, object] = {
        "key": CHAIN_KEY,
        "title": " → ".join(each.title for each in taken),
        "description": "Three steps",
        "params": {},
        "schema": {},
        "risk": Risk.WRITE,
        "isolation": SANDBOXED,
        "paths": (),
        "source_path": "",
        "request_text": "find the duplicates in my pictures, then back them up, then tell me",
        "chain": replace(chain, checked=str(checked)),
    }
    return count_action(action_id, **{**given, **facts})


def running(action_id: str = "p1") -> ActionRecord:
    """One step is done, the second runs."""
    steps = (
        step(FIND, StepStatus.SUCCEEDED, result="3 groups, 7 files"),
        step(ZIP, StepStatus.RUNNING),
        step(TELL, StepStatus.PLANNED),
    )
    return plan(action_id, *steps, status=ActionStatus.RUNNING, started_at=NOON)


def failed(action_id: str = "p1") -> ActionRecord:
    """The second step failed; the third did not run."""
    error = "There is no room on the disk for /home/user/backup/pictures.zip."
    steps = (
        step(FIND, StepStatus.SUCCEEDED, result="3 groups, 7 files"),
        step(ZIP, StepStatus.FAILED, error=error),
        step(TELL, StepStatus.SKIPPED, error="The step before it failed."),
    )
    changes = (
        Change("skip", "partner", "“Show a notification” is left out: the step before it failed.", NOON),
    )
    return plan(
        action_id,
        *steps,
        status=ActionStatus.FAILED,
        started_at=NOON,
        finished_at=NOON + timedelta(seconds=5),
        duration_ms=5_000,
        error=f"Step 2, Zip backup: {error}",
        changes=changes,
        checked="The pictures were not backed up.",
    )


def child(of: str, one: Step, status: ActionStatus, **facts: object) -> ActionRecord:
    """What a step has become."""
    given: dict[str, object] = {
        "key": one.key,
        "title": one.title,
        "params": {**one.params, "files": ["a.png", "b.png"]} if one.id == "s2" else one.params,
        "schema": one.schema,
        "status": status,
        "paths": one.paths,
        "risk": one.risk,
        "isolation": one.isolation,
        "parent_id": of,
        "started_at": NOON,
    }
    return count_action(one.id, **{**given, **facts})


def children_of_failed(of: str = "p1") -> list[ActionRecord]:
    """The steps of `failed` that ran."""
    groups = {"groups": 3, "files": 7, "wasted": "41 MB"}
    return [
        child(
            *(of, FIND, ActionStatus.SUCCEEDED),
            data=groups,
            stdout="group 1\n",
            duration_ms=2_000,
            files=(RunFile("groups.csv", 2_048),),
        ),
        child(
            *(of, ZIP, ActionStatus.FAILED),
            stderr="zip: write error: No space left on device\n",
            error="There is no room on the disk for /home/user/backup/pictures.zip.",
            exit_code=15,
            undo=Undo(UndoState.POSSIBLE, 1),
        ),
    ]


def entry(action_id: str, **facts: object) -> AuditEntry:
    """A row of the audit log."""
    given: dict[str, object] = {
        "at": NOON.isoformat(),
        "kind": "decision",
        "action_id": action_id,
        "action_key": "local::zip_backup",
        "content_hash": "",
        "params_hash": "",
        "outcome": "allow",
        "scope": "once",
        "by_whom": "person",
        "reason": "",
        "position": 1,
    }
    return AuditEntry(**{**given, **facts})  # type: ignore[arg-type] # a test's own facts
