"""Abilities and results for tests of what steps bring each other."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route


def ability(name: str, description: str, *, looks: bool = False, **params: JsonObject) -> MetaActionInfo:
    """An ability that needs all of its parameters that have no default."""
    required = [param for param, schema in params.items() if "default" not in schema]
    schema: JsonObject = {"type": "object", "properties": dict(params), "required": list(required)}
    info = MetaActionInfo(f"local::{name}", Route.MCP, description, params=schema)
    return replace(info, annotations=Annotations(read_only=True)) if looks else info


def path(description: str, access: str = "read", **more: object) -> JsonObject:
    schema: JsonObject = {"type": "string", "format": "path", "access": access, "description": description}
    return {**schema, **more}  # type: ignore[dict-item]  # what a test adds is JSON


FIND = ability(
    "find_duplicates", "Find duplicate files in a folder", looks=True, folder=path("the folder to search")
)
ZIP = ability(
    "zip_folder",
    "Zip a folder into an archive",
    source=path("the folder (or file) to zip"),
    target=path("the folder where it goes", "write", default="~/Backups"),
)
WRITE = ability(
    "write",
    "Make a new file that holds a text",
    file=path("the file to write", "write"),
    text={"type": "string", "description": "the text that the file shall hold"},
)
COUNT = ability(
    "count_words", "Count the words in a text file", looks=True, file=path("the text file to count")
)
TRASH = ability(
    "trash",
    "Put something into the trash",
    what=path("the file or folder", "write", **{"x-partner-there": True}),
)
REPEAT = ability("repeat", "Say it so many times", times={"type": "integer", "description": "how often"})
PAINT = ability(
    "paint", "Paint the house", colour={"type": "string", "enum": ["red", "it"], "description": "the colour"}
)
SEARCH = ability(
    "search_text",
    "Search in a folder",
    looks=True,
    words={"type": "string", "description": "the text to search for"},
    folder=path("the folder to look in"),
)
PACK = ability(
    "pack",
    "Pack files together",
    files={
        "type": "array",
        "items": {"type": "string", "format": "path"},
        "description": "the files to pack",
    },
)


def step(info: MetaActionInfo, words: str, /, **params: object) -> StepDraft:
    return StepDraft(info, words, params=params)  # type: ignore[arg-type]  # what a test gives is JSON


def result(data: object = None, *, stdout: str = "", **more: object) -> ActionRecord:
    """What a run left."""
    record = ActionRecord(
        id="run",
        conversation_id="c",
        exchange_id="e",
        key="local::some",
        title="Some",
        description="",
        params={},
        schema={},
        status=ActionStatus.SUCCEEDED,
        created_at=datetime.now(UTC),
        stdout=stdout,
        data=data,  # type: ignore[arg-type]  # what a test gives is JSON
    )
    return replace(record, **more)  # type: ignore[arg-type]  # a field of it each
