"""Things to show: abilities and actions as they come in a day's use."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from partner_desktop.domain.ability import Ability, AbilityFault
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk

NOON = datetime(2030, 5, 14, 12, 0, tzinfo=UTC)

SANDBOXED = Isolation(sandboxed=True, net=False, summary="sandboxed · no network", interpreter="python3")
OPEN = Isolation(sandboxed=False, net=True, summary="bwrap is not installed", interpreter="python3")

COUNT_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "folder": {
            "type": "string",
            "format": "path",
            "access": "read",
            "description": "the folder to look through",
        },
        "depth": {"type": "integer", "minimum": 1, "maximum": 9, "description": "how deep to go"},
        "hidden": {"type": "boolean", "description": "count hidden files too"},
        "order": {"type": "string", "enum": ["name", "count"], "description": "how to sort"},
        "skip": {"type": "array", "items": {"type": "string"}, "description": "names to leave out"},
        "title": {"type": "string", "description": "the heading of the result"},
    },
    "required": ["folder"],
}

#: The ability whose proposal `count_action` is.
COUNT_SCRIPT = """\
# /// partner
# title = "Count types"
# description = "Count how often each file type occurs in a folder"
# annotations = { readOnlyHint = true }
# [params.folder]
# type = "string"
# format = "path"
# access = "read"
# description = "the folder to look through"
# [params.depth]
# type = "integer"
# minimum = 1
# maximum = 9
# required = false
# description = "how deep to go"
# [params.hidden]
# type = "boolean"
# required = false
# description = "count hidden files too"
# [params.order]
# type = "string"
# enum = ["name", "count"]
# required = false
# description = "how to sort"
# [params.skip]
# type = "array"
# required = false
# items = { type = "string" }
# description = "names to leave out"
# [params.title]
# type = "string"
# required = false
# description = "the heading of the result"
# ///
print("png 19")
"""

#: A run that prints, and goes on until it is ended.
SORT_SCRIPT = """\
# /// partner
# description = "Sort the files, which has no end"
# ///
import itertools, time
print("reading", flush=True)
for number in itertools.count(1):
    time.sleep(0.02)
    print("sorted", number, flush=True)
"""

#: A file that is not an ability.
BROKEN_SCRIPT = """\
# /// partner
# description = "Fetch the weather"
# [params.city
# ///
"""


def count_action(action_id: str = "a1", **facts: object) -> ActionRecord:
    """A proposal with one parameter of each kind."""
    record: dict[str, object] = {
        "id": action_id,
        "conversation_id": "c1",
        "exchange_id": "e1",
        "key": "local::count_types",
        "title": "Count types",
        "description": "Count how often each file type occurs in a folder",
        "params": {
            "folder": "/home/user/Downloads",
            "depth": 3,
            "hidden": False,
            "order": "count",
            "skip": [".git", "node_modules"],
        },
        "schema": COUNT_SCHEMA,
        "status": ActionStatus.WAITING,
        "created_at": NOON,
        "content_hash": "5f1d7a3b9c2e4d6f" * 4,
        "risk": Risk.READ,
        "isolation": SANDBOXED,
        "paths": (PathUse("folder", "/home/user/Downloads", "read"),),
        "source_path": "/home/user/partner/action/dynamic/count_types.py",
        "request_text": "count the types in my downloads",
    }
    return ActionRecord(**{**record, **facts})  # type: ignore[arg-type] # a test's own facts


def ability(
    name: str, description: str, *, route: Route = Route.MCP, aliases: tuple[str, ...] = ()
) -> Ability:
    """A working ability."""
    location = {Route.MCP: "local", Route.BUILTIN: "builtin", Route.ORIGIN: "origin"}[route]
    info = MetaActionInfo(
        key=f"{location}::{name}", route=route, description=description, aliases=aliases, source=None
    )
    return Ability(info.key, info)


def lying(one: Ability, path: str, *, script: str = "", off: bool = False) -> Ability:
    """The same as it lies in a live folder: a file, or a folder with `script` in it."""
    return replace(one, path=Path(path), script=Path(path) / script if script else Path(path), off=off)


def broken_ability(name: str = "weather") -> Ability:
    """A file that is not an ability, with the reason."""
    fault = AbilityFault(
        "The parameter “city” has no description; add one to [params.city].",
        Path(f"/home/user/partner/action/dynamic/{name}.py"),
        line=7,
    )
    return Ability(f"local::{name}", None, fault)
