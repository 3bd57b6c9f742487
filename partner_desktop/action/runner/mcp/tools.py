"""From an MCP tool to an ability, and what keeps a tool from being one."""

from __future__ import annotations

import hashlib
import json

import mcp_types as types
from jsonschema import SchemaError
from jsonschema.validators import validator_for

from partner_desktop.action.runner.mcp.config import ResolvedServer
from partner_desktop.action.runner.mcp.server_log import one_line, plain_text
from partner_desktop.base.text import shown
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route

_NAME_CHARACTERS = 128
_LABEL_CHARACTERS = 200
_DESCRIPTION_CHARACTERS = 4000


def tool_problem(tool: types.Tool) -> str:
    """Why a tool cannot be an ability: a part of a sentence; empty if it can."""
    name = tool.name
    if not name.strip():
        return "it has no name"
    if len(name) > _NAME_CHARACTERS:
        return f"its name is longer than {_NAME_CHARACTERS} characters"
    if shown(name) != name:
        return "its name has characters that cannot be shown"
    if "::" in name:
        return "its name contains `::`"
    return schema_problem(tool.input_schema)


def schema_problem(schema: JsonObject) -> str:
    """Why a schema cannot describe arguments; empty if it can."""
    if schema.get("type") != "object":
        return "its parameters are not an object"
    try:
        validator_for(schema).check_schema(schema)
    except SchemaError as error:
        place = "/".join(str(part) for part in error.absolute_path)
        return f"its schema is wrong at {place or 'its root'} ({one_line(error.message, 200)})"
    except RecursionError:
        return "its schema is nested too deeply"
    return ""


def tool_info(server: ResolvedServer, tool: types.Tool, output_schema: JsonObject | None) -> MetaActionInfo:
    """The ability that a tool is."""
    hints = tool.annotations or types.ToolAnnotations()
    return MetaActionInfo(
        key=f"{server.id}::{tool.name}",
        route=Route.MCP,
        label=one_line(tool.title or hints.title or "", _LABEL_CHARACTERS),
        description=plain_text(tool.description or "", _DESCRIPTION_CHARACTERS),
        params={"properties": {}, **tool.input_schema},
        response_schema=output_schema or {},
        tags=("mcp", server.id),
        annotations=Annotations(
            read_only=hints.read_only_hint,
            destructive=hints.destructive_hint,
            idempotent=hints.idempotent_hint,
            open_world=hints.open_world_hint,
        ),
        timeout_s=server.timeout_s,
        content_hash=_content_hash(server, tool, output_schema),
    )


def _content_hash(server: ResolvedServer, tool: types.Tool, output_schema: JsonObject | None) -> str:
    """Of everything that a grant relies on: who answers, what runs there, and what the tool says it does."""
    said = [
        server.id,
        server.shown,
        tool.model_dump(mode="json", by_alias=True, exclude_none=True),
        output_schema,
    ]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
