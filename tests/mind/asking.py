"""Abilities with a schema, and their arguments out of a message, on a fixed day."""

from __future__ import annotations

from datetime import UTC, datetime

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.mind.question import ExtractedParams, ExtractParams
from partner_desktop.mind.starter.params import extract

#: A Wednesday.
TODAY = datetime(2025, 3, 5, 10, tzinfo=UTC)


def ability(name: str, description: str, /, *, needs: str = "", **params: JsonObject) -> MetaActionInfo:
    """A described ability; `needs` names the required parameters."""
    schema: JsonObject = {"type": "object", "properties": dict(params), "required": list(needs.split())}
    return MetaActionInfo(key=f"local::{name}", route=Route.MCP, description=description, params=schema)


def param(kind: str, description: str = "", **more: Json) -> JsonObject:
    """The schema of one parameter."""
    return {"type": kind, "description": description, **more}


def many(kind: str, description: str = "", **more: Json) -> JsonObject:
    """The schema of a list; `more` belongs to its items."""
    return {"type": "array", "items": {"type": kind, **more}, "description": description}


async def read(
    text: str, info: MetaActionInfo, *, asked: str = "", known: JsonObject | None = None
) -> ExtractedParams:
    return await extract(ExtractParams(text, info, known=known or {}, asked=asked), now=lambda: TODAY)
