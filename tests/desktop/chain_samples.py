"""Plans to show: plans that wait, run, and ended well or badly."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from partner_desktop.domain.action import ActionRecord, ActionStatus, RunFile, Undo, UndoState
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import CHAIN_KEY, Change, Plan, Stage, Step, StepInput, StepStatus
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk

from .samples import NOON, OPEN, SANDBOXED

BUILTIN = Isolation(sandboxed=False, net=False, summary="built in")

LIST_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "folder": {
            "type": "string",
            "format": "path",
            "access": "read",
            "description": "the folder to look at",
        },
        "depth": {"type": "integer", "minimum": 1, "maximum": 9, "description": "how deep to go"},
    },
    "required": ["folder"],
}
GROUP_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "files": {"type": "array", "items": {"type": "string"}, "description": "the files to group"},
        "skip": {"type": "string", "description": "types that stay where they are"},
    },
    "required": ["files"],
}
MOVE_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "groups": {"type": "object", "description": "what goes where"},
        "folder": {
            "type": "string",
            "format": "path",
            "access": "write",
            "description": "the folder to sort",
        },
    },
    "required": ["groups", "folder"],
}
DOWNLOADS = "/home/user/Downloads"


def step(step_id: str = "s1", **facts: object) -> Step:
    """One that lists a folder."""
    known: dict[str, object] = {
        "id": step_id,
        "key": "local::list_files",
        "title": "List the files",
        "text": "look through my downloads",
        "params": {"folder": DOWNLOADS},
        "schema": LIST_SCHEMA,
        "risk": Risk.READ,
        "isolation": SANDBOXED,
        "paths": (PathUse("folder", DOWNLOADS, "read"),),
        "content_hash": "5f1d7a3b9c2e4d6f" * 4,
        "source_path": "/home/user/partner/action/dynamic/list_files.py",
    }
    return Step(**{**known, **facts})  # type: ignore[arg-type] # a test's own facts


def tidy_steps() -> tuple[Step, Step, Step]:
    """List, group, move: each stands on the one before."""
    return (
        step(),
        step(
            "s2",
            key="local::group_files",
            title="Group them by type",
            text="by file type, but leave the PDFs where they are",
            params={"skip": "pdf"},
            schema=GROUP_SCHEMA,
            paths=(),
            feeds=(StepInput("files", "s1"),),
        ),
        step(
            "s3",
            key="local::move_files",
            title="Move the files into folders",
            text="tidy up my downloads",
            params={"folder": DOWNLOADS},
            schema=MOVE_SCHEMA,
            risk=Risk.WRITE,
            paths=(PathUse("folder", DOWNLOADS, "write"),),
            feeds=(StepInput("groups", "s2"),),
        ),
    )


def chain_action(action_id: str = "a1", *steps: Step, **facts: object) -> ActionRecord:
    """A plan that waits; `steps` one after another unless `chain` says otherwise."""
    known: dict[str, object] = {
        "id": action_id,
        "conversation_id": "c1",
        "exchange_id": "e1",
        "key": CHAIN_KEY,
        "title": "Tidy Downloads by type",
        "description": "",
        "params": {},
        "schema": {},
        "status": ActionStatus.WAITING,
        "created_at": NOON,
        "grantable": False,
        "request_text": "tidy up my downloads by file type, but leave the PDFs where they are",
        "chain": Plan(tuple(Stage((one,)) for one in steps or tidy_steps())),
    }
    return ActionRecord(**{**known, **facts})  # type: ignore[arg-type] # a test's own facts


def chain_of(record: ActionRecord) -> Plan:
    """Its chain."""
    assert record.chain is not None
    return record.chain


def with_steps(record: ActionRecord, *steps: Step, **facts: object) -> ActionRecord:
    """The record with other versions of some of its steps; `at`, `changes` … are facts of the chain."""
    chain = chain_of(record)
    for one in steps:
        chain = chain.with_step(one)
    return replace(record, chain=replace(chain, **facts))  # type: ignore[arg-type] # a test's own facts


def running(action_id: str = "a1") -> ActionRecord:
    """The second step runs."""
    first, second, _ = tidy_steps()
    record = chain_action(action_id, status=ActionStatus.RUNNING, started_at=NOON - timedelta(seconds=12))
    return with_steps(
        record,
        replace(first, status=StepStatus.SUCCEEDED, result="58 files", approved=True),
        replace(second, status=StepStatus.RUNNING, approved=True),
        at=1,
    )


def child_of(record: ActionRecord, step_id: str, **facts: object) -> ActionRecord:
    """What a step has become."""
    one = chain_of(record).step(step_id)
    assert one is not None
    child = ActionRecord(
        id=one.id,
        conversation_id=record.conversation_id,
        exchange_id=record.exchange_id,
        key=one.key,
        title=one.title,
        description="",
        params=one.params,
        schema=one.schema,
        status=ActionStatus.RUNNING,
        created_at=NOON,
        risk=one.risk,
        isolation=one.isolation,
        paths=one.paths,
        source_path=one.source_path,
        parent_id=record.id,
    )
    return replace(child, **facts)  # type: ignore[arg-type] # a test's own facts


def done(action_id: str = "a1") -> ActionRecord:
    """All went well, after a change on the way."""
    first, second, third = tidy_steps()
    record = chain_action(
        action_id,
        status=ActionStatus.SUCCEEDED,
        started_at=NOON - timedelta(seconds=4),
        finished_at=NOON,
        duration_ms=4100,
    )
    return with_steps(
        record,
        replace(first, status=StepStatus.SUCCEEDED, result="58 files"),
        replace(second, status=StepStatus.SUCCEEDED, result="6 groups, PDFs left out as you asked"),
        replace(third, status=StepStatus.SUCCEEDED, result="Moved 41 files into 6 folders"),
        at=3,
        changes=(Change("rebuild", "mind", "“make folders” is not needed, they exist already.", NOON),),
        checked="Everything you asked for is done.",
    )


def moved(record: ActionRecord) -> ActionRecord:
    """What became of the third step: files, and changes that can be undone."""
    return child_of(
        record,
        "s3",
        status=ActionStatus.SUCCEEDED,
        stdout="\n".join(f"photo_{number:02}.png → Images/" for number in range(19)),
        files=(RunFile("report.txt", 1_240),),
        undo=Undo(UndoState.POSSIBLE, 41),
        duration_ms=2300,
    )


def failed(action_id: str = "a1") -> ActionRecord:
    """The second failed, the third was left out."""
    first, second, third = tidy_steps()
    record = chain_action(
        action_id,
        status=ActionStatus.FAILED,
        started_at=NOON - timedelta(seconds=4),
        finished_at=NOON,
        duration_ms=1900,
        error="Step 2 failed, so the files were not moved.",
    )
    return with_steps(
        record,
        replace(first, status=StepStatus.SUCCEEDED, result="58 files"),
        replace(second, status=StepStatus.FAILED, error="It ended with exit code 1: no group fits “.xyz”."),
        replace(third, status=StepStatus.SKIPPED, error="A step that it stands on failed."),
        at=2,
    )


def backup(action_id: str = "a1") -> ActionRecord:
    """Two folders are packed together, then one is sent off by what nothing holds."""
    notes = step(
        "p1",
        title="Zip ~/Notes",
        key="local::zip_folder",
        risk=Risk.WRITE,
        params={"folder": "/home/user/Notes"},
        paths=(PathUse("folder", "/home/user/Notes", "read"),),
    )
    pictures = replace(
        notes,
        id="p2",
        title="Zip ~/Pictures",
        params={"folder": "/home/user/Pictures"},
        paths=(PathUse("folder", "/home/user/Pictures", "read"),),
    )
    send = step(
        "p3",
        title="Copy both to the backup disk",
        key="origin::/home/user/scripts/send.py",
        text="and send both to the backup disk",
        params={"target": "/mnt/backup"},
        schema={
            "type": "object",
            "properties": {
                "archives": {"type": "array", "items": {"type": "string", "format": "path"}},
                "target": {"type": "string", "format": "path", "access": "write"},
            },
        },
        risk=Risk.SYSTEM,
        isolation=OPEN,
        paths=(PathUse("target", "/mnt/backup", "write"),),
        feeds=(StepInput("archives", "p1"),),
    )
    return chain_action(
        action_id,
        title="Zip ~/Notes → Zip ~/Pictures → Copy both to the backup disk",
        chain=Plan((Stage((notes, pictures)), Stage((send,)))),
        waits_until=NOON + timedelta(minutes=28),
    )


def long_chain(action_id: str = "a1", count: int = 12) -> ActionRecord:
    """Many steps with long names, in every state."""
    states = (
        *((StepStatus.SUCCEEDED, "58 files, of which 17 are PDFs that stay where they are"),) * 5,
        (
            StepStatus.FAILED,
            "The server “archive” did not answer within 30 seconds; it was asked three times.",
        ),
        (StepStatus.SUCCEEDED, "下载了 12 个文件"),
        (StepStatus.CANCELLED, ""),
        (StepStatus.RUNNING, ""),
        *((StepStatus.PLANNED, ""),) * count,
    )
    steps = []
    for number in range(1, count + 1):
        status, said = states[number - 1]
        fault = status is StepStatus.FAILED
        steps.append(
            step(
                f"l{number}",
                title=(
                    "整理下载文件夹里的图片并按年份归档"
                    if number % 3 == 0
                    else f"Look through folder {number} of the archive that came over from the old computer"
                ),
                params={"folder": f"/home/user/Archive/{'a-long-folder-name/' * 4}{number}", "depth": 3},
                paths=(PathUse("folder", f"/home/user/Archive/{'a-long-folder-name/' * 4}{number}", "read"),),
                risk=Risk.WRITE if number % 4 == 0 else Risk.READ,
                status=status,
                result="" if fault else said,
                error=said if fault else "",
                origin="mind" if number == 7 else "request",
                mends="l6" if number == 7 else "",
            )
        )
    record = chain_action(
        action_id,
        *steps,
        title="Look through the archive → Sort the pictures and 10 more steps",
        status=ActionStatus.RUNNING,
        started_at=NOON - timedelta(seconds=95),
    )
    return with_steps(
        record,
        at=8,
        changes=(Change("insert", "mind", "Step 7 takes the place of step 6.", NOON),),
    )
