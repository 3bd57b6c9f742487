"""Abilities as tools of MCP, and their results as results of MCP. Needs the SDK: loaded on first use."""

from __future__ import annotations

import mcp_types as types

from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, RunnerResponse


def as_tool(info: MetaActionInfo) -> types.Tool:
    """The ability as a tool, under its name within its location."""
    return types.Tool(
        name=info.name,
        title=info.title,
        description=info.description,
        input_schema={"type": "object", **info.params},
        output_schema=info.response_schema if _promises_object(info) else None,
        annotations=_annotations(info.annotations),
    )


def as_result(info: MetaActionInfo, response: RunnerResponse) -> types.CallToolResult:
    """The response for a client that knows nothing of Partner."""
    words = [response.stdout] if response.ok else [response.error, response.stderr, response.stdout]
    data = response.data if isinstance(response.data, dict) else None
    broken = response.ok and data is None and _promises_object(info)
    if broken:
        words.insert(0, f"{info.title} ran, but its result is not the object that its description promises.")
    if response.truncated:
        words.append("(The result is longer than this; the whole of it lies with the run in Partner.)")
    return types.CallToolResult(
        content=[types.TextContent(text=text) for text in words if text],
        structured_content=data,
        is_error=broken or not response.ok,
    )


def as_failure(sentence: str) -> types.CallToolResult:
    """A call that was not made, and why."""
    return types.CallToolResult(content=[types.TextContent(text=sentence)], is_error=True)


def _promises_object(info: MetaActionInfo) -> bool:
    """Whether results are declared in a form that clients of every version of the protocol know."""
    return info.response_schema.get("type") == "object"


def _annotations(hints: Annotations) -> types.ToolAnnotations:
    return types.ToolAnnotations(
        read_only_hint=hints.read_only,
        destructive_hint=hints.destructive,
        idempotent_hint=hints.idempotent,
        open_world_hint=hints.open_world,
    )
