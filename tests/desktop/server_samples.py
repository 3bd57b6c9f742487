"""External servers to show: each in another state, with tools, resources, prompts and questions."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from partner_desktop.domain.ability import Ability
from partner_desktop.domain.elicitation import Elicitation
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import (
    PromptArgument,
    ServerFailure,
    ServerPhase,
    ServerPrompt,
    ServerResource,
    ServerStatus,
    ServerStep,
)
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.run_facts import Isolation

from .samples import NOON

OUTSIDE = Isolation(
    sandboxed=False,
    net=True,
    summary="runs in the server time · outside the sandbox",
    server="time",
)

ZONE_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "timezone": {"type": "string", "description": "The name of a time zone, such as Europe/Berlin"},
        "format": {"type": "string", "enum": ["short", "long"], "default": "short"},
        "offset": {"type": "integer", "minimum": -12, "maximum": 14, "description": "hours to add"},
    },
    "required": ["timezone"],
}


def server(server_id: str, phase: ServerPhase = ServerPhase.READY, **facts: object) -> ServerStatus:
    """One server."""
    given: dict[str, object] = {
        "id": server_id,
        "phase": phase,
        "transport": "stdio",
        "shown": f"/usr/bin/uvx mcp-server-{server_id}",
        "path": Path(f"/home/user/partner/action/mcp/{server_id}.json"),
        "since": NOON,
    }
    return ServerStatus(**{**given, **facts})  # type: ignore[arg-type] # a test's own facts


def tool(
    server_id: str, name: str, description: str = "Does it", schema: JsonObject | None = None
) -> Ability:
    """One tool of a server, as an ability."""
    info = MetaActionInfo(
        key=f"{server_id}::{name}",
        route=Route.MCP,
        description=description,
        params=schema or {"type": "object", "properties": {}},
        owner=server_id,
    )
    return Ability(info.key, info)


def failed(server_id: str = "weather", *, needs: tuple[str, ...] = ()) -> ServerStatus:
    """One that does not run, with everything that is known about why."""
    failure = ServerFailure(
        ServerStep.HANDSHAKE,
        f"The server “{server_id}” ended before it answered; see its last lines.",
        exit_code=1,
        stderr=("Traceback (most recent call last):", '  File "server.py", line 3', "KeyError: 'API_KEY'"),
        needs=needs,
    )
    return server(server_id, ServerPhase.FAILED, failure=failure, attempts=3)


def unsteady(now: datetime, server_id: str = "search") -> ServerStatus:
    """One that is tried again in eight seconds."""
    failure = ServerFailure(ServerStep.SPAWN, "Nothing answers at http://127.0.0.1:8931/mcp; is it started?")
    return server(
        server_id,
        ServerPhase.BACKING_OFF,
        transport="http",
        shown="http://127.0.0.1:8931/mcp",
        failure=failure,
        attempts=2,
        retry_at=now + timedelta(seconds=8),
    )


def full(server_id: str = "time") -> ServerStatus:
    """One that is ready, with something of everything."""
    return replace(
        server(server_id),
        name="mcp-server-time 1.26.0",
        instructions="Ask me for the time anywhere.",
        tools=2,
        resources=(
            ServerResource("time://zones", "Zones", "Every time zone that I know", "text/plain"),
            ServerResource("time://zone/{area}/{city}", "One zone", "What I know of a zone", template=True),
        ),
        prompts=(
            ServerPrompt(
                "meeting",
                "Plan a meeting",
                "Finds an hour that suits everybody",
                (PromptArgument("cities", "where people are", required=True), PromptArgument("day")),
            ),
        ),
    )


def zone_tools(server_id: str = "time") -> list[Ability]:
    """Its tools."""
    return [
        tool(server_id, "get_current_time", "Get the current time in a time zone", ZONE_SCHEMA),
        tool(server_id, "convert_time", "Convert a time from one zone to another", ZONE_SCHEMA),
    ]


ASKED: JsonObject = {
    "type": "object",
    "properties": {
        "email": {
            "type": "string",
            "title": "Your e-mail",
            "format": "email",
            "description": "for the ticket",
        },
        "seats": {"type": "integer", "title": "Seats", "minimum": 1, "maximum": 8, "default": 2},
        "window": {"type": "boolean", "title": "At the window", "default": True},
        "class": {
            "type": "string",
            "title": "Class",
            "oneOf": [{"const": "1", "title": "First"}, {"const": "2", "title": "Second"}],
            "default": "2",
        },
        "extras": {
            "type": "array",
            "title": "Extras",
            "items": {"anyOf": [{"const": "bike", "title": "A bike"}, {"const": "dog", "title": "A dog"}]},
            "maxItems": 1,
        },
    },
    "required": ["email", "seats"],
}


def question(question_id: str = "q1", action_id: str = "a1", **facts: object) -> Elicitation:
    """A server asks for a form to be filled in."""
    given: dict[str, object] = {
        "id": question_id,
        "server": "travel",
        "action_id": action_id,
        "conversation_id": "c1",
        "message": "Who travels, and how?",
        "schema": ASKED,
    }
    return Elicitation(**{**given, **facts})  # type: ignore[arg-type] # a test's own facts
