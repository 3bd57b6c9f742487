"""An action's record as JSON text: as it is kept in the database and in exported conversations."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import datetime
from typing import Any

from partner_desktop.domain.action import ActionRecord, ActionStatus, RunFile, Undo, UndoState
from partner_desktop.domain.chain import Chain, Change, Feed, Stage, Step, StepStatus
from partner_desktop.domain.events import as_json
from partner_desktop.domain.result_part import ResultPart
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk


def record_to_text(record: ActionRecord) -> str:
    """The whole record."""
    # ASCII: a lone surrogate (half an emoji, an undecodable path) must not keep a result off the disk.
    return json.dumps(as_json(record))


def record_from_text(text: str) -> ActionRecord:
    """The record back; fields of other versions are left out."""
    raw: dict[str, Any] = json.loads(text)  # Any: JSON of our own making, typed field by field below
    known = {item.name for item in fields(ActionRecord)}
    raw = {name: value for name, value in raw.items() if name in known}
    raw["status"] = ActionStatus(raw["status"])
    raw["risk"] = Risk(raw["risk"])
    raw["paths"] = _paths(raw["paths"])
    raw["options"] = tuple(raw.get("options") or ())
    raw["parts"] = tuple(ResultPart(**part) for part in raw.get("parts") or ())
    raw["files"] = tuple(RunFile(**file) for file in raw.get("files") or ())
    undo = raw.get("undo")
    raw["undo"] = Undo(UndoState(undo["state"]), undo["count"], undo["note"]) if undo else None
    raw["isolation"] = Isolation(**raw["isolation"]) if raw["isolation"] else None
    for name in ("created_at", "started_at", "finished_at", "asked_at", "waits_until", "files_until"):
        raw[name] = datetime.fromisoformat(raw[name]) if raw.get(name) else None
    raw["chain"] = _chain(raw["chain"]) if raw.get("chain") else None
    return ActionRecord(**raw)


def _chain(raw: dict[str, Any]) -> Chain:
    stages = tuple(Stage(tuple(_step(step) for step in stage["steps"])) for stage in raw["stages"])
    changes = tuple(Change(**{**one, "at": datetime.fromisoformat(one["at"])}) for one in raw["changes"])
    return Chain(**{**_known(raw, Chain), "stages": stages, "changes": changes})


def _step(raw: dict[str, Any]) -> Step:
    raw = _known(raw, Step)
    raw["status"], raw["risk"] = StepStatus(raw["status"]), Risk(raw["risk"])
    raw["isolation"] = Isolation(**raw["isolation"])
    raw["paths"] = _paths(raw["paths"])
    raw["feeds"] = tuple(Feed(**feed) for feed in raw["feeds"])
    for name in ("started_at", "finished_at"):
        raw[name] = datetime.fromisoformat(raw[name]) if raw.get(name) else None
    return Step(**raw)


def _paths(raw: list[dict[str, Any]]) -> tuple[PathUse, ...]:
    return tuple(PathUse(**{**_known(use, PathUse), "seen": tuple(use.get("seen", ()))}) for use in raw)


def _known(raw: dict[str, Any], kind: type) -> dict[str, Any]:
    """Without the fields of other versions."""
    names = {item.name for item in fields(kind)}
    return {name: value for name, value in raw.items() if name in names}
