"""Small scripts that leave a line for each call, and plans of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import AbilitiesEvent, Event, ProposalEvent, ResultEvent
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.permission.request import ApprovalMode
from tests.support import Watcher

#: Leaves its line, and fails as long as the file beside the log has not as many lines as it wants of them.
STEP = """\
# /// partner
# description = "{description}"
# owner = "{owner}"
# annotations = {annotations}
# [params.log]
# type = "string"
# format = "path"
# access = "write"
# [params.line]
# type = "string"
# description = "what to write"
# [params.fails]
# type = "integer"
# default = 0
# description = "how often it fails"
# ///
import json, sys
given = json.load(sys.stdin)
with open(given["log"], "a+") as log:
    log.seek(0)
    before = log.read().splitlines().count(given["line"])
    log.write(given["line"] + "\\n")
if before < given.get("fails", 0):
    sys.exit("no luck with " + given["line"])
print(json.dumps({{"line": given["line"], "number": before + 1, "summary": "did " + given["line"]}}))
"""


def write_step(
    dynamic: Path, name: str, description: str, *, owner: str = "desk", annotations: str = "{}"
) -> None:
    text = STEP.format(description=description, owner=owner, annotations=annotations)
    (dynamic / f"{name}.py").write_text(text)


def write_steps(dynamic: Path) -> None:
    """`note`, which changes something; `stamp`, the same of another owner; `again`, which may be repeated;
    `peek`, which says that it only looks, and writes.
    """
    write_step(dynamic, "note", "Note a line")
    write_step(dynamic, "stamp", "Stamp a paper", owner="office")
    write_step(dynamic, "seal", "Seal a letter", owner="office")
    write_step(dynamic, "peek", "Peek at a paper", owner="guard", annotations="{ readOnlyHint = true }")
    write_step(dynamic, "again", "Say a line again", annotations="{ idempotentHint = true }")


def listener(
    name: str,
    trigger: str | Sequence[str],
    task: str,
    *,
    line: Json = "",
    fails: int = 0,
    more: JsonObject | None = None,
    **parts: Json,
) -> JsonObject:
    """One that writes its line, which is its name where nothing else is said."""
    params: JsonObject = {"log": {"$param": "log"}, "line": line or name}
    if fails:
        params["fails"] = fails
    found: JsonObject = {
        "listener_id": name,
        "trigger_task_id": trigger if isinstance(trigger, str) else [*trigger],
        "ability": "local::note",
        "params": params,
        "success_output": {"task_id": task},
    }
    return {**found, **parts, **(more or {})}


def plan(listeners: Sequence[JsonObject], tasks: Sequence[str], **more: Json) -> JsonObject:
    """`main` and the tasks; a log to write to."""
    known: list[Json] = [{"id": "main", "name": "All of it", "main": True}]
    known += [{"id": each} for each in tasks]
    return {
        "description": "Take somebody in",
        "aliases": ["welcome {name}"],
        "params": {
            "log": {
                "type": "string",
                "format": "path",
                "access": "write",
                "description": "the file that it is written to",
            }
        },
        "tasks": known,
        "listeners": [*listeners],
        **more,
    }


def write_plan(dynamic: Path, body: JsonObject, name: str = "take_in") -> Path:
    folder = dynamic / name
    folder.mkdir(exist_ok=True)
    path = folder / "plan.json"
    path.write_text(json.dumps(body, indent=2))
    return path


async def listed(partner: Partner, watcher: Watcher, dynamic: Path, body: JsonObject) -> None:
    """Write the plan, and wait until it is known."""
    before = len(watcher.events)
    write_plan(dynamic, body)

    def is_new(event: Event) -> bool:
        return isinstance(event, AbilitiesEvent) and any(
            each.key == "local::take_in" or each.fault for each in event.changed
        )

    await watcher.until(lambda event: is_new(event) and event in watcher.events[before:])


async def proposed(
    partner: Partner, watcher: Watcher, params: JsonObject, cwd: Path, key: str = "local::take_in"
) -> ActionRecord:
    """Its card."""
    before = len(watcher.events)
    await partner.abilities.run(key, params, cwd=str(cwd), standing=ApprovalMode.ASK)
    found = await watcher.until(
        lambda event: isinstance(event, ProposalEvent) and event in watcher.events[before:]
    )
    assert isinstance(found, ProposalEvent)
    return found.action


async def over(partner: Partner, watcher: Watcher, action_id: str, *, times: int = 1) -> ActionRecord:
    """It has ended, and as often as that."""

    def ends(event: Event) -> bool:
        return isinstance(event, ResultEvent) and event.action.id == action_id

    await watcher.until(lambda event: ends(event) and sum(map(ends, watcher.events)) >= times)
    return await partner.actions.get(action_id)


async def ran(partner: Partner, watcher: Watcher, params: JsonObject, cwd: Path) -> ActionRecord:
    """Approved, and over."""
    card = await proposed(partner, watcher, params, cwd)
    await partner.actions.approve(card.id, scope="once")
    return await over(partner, watcher, card.id)


def calls(log: Path) -> list[str]:
    """What was written, in order."""
    return log.read_text().splitlines() if log.exists() else []
