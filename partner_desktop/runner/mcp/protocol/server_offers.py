"""Asking a server what it offers: all pages, within bounds, and only what it announced."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable
from typing import TypeVar

import mcp_types as types
from jsonschema import SchemaError
from jsonschema.validators import validator_for
from mcp import Client
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from partner_desktop.base.text import shown
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import PromptArgument, ServerPrompt, ServerResource
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route
from partner_desktop.runner.mcp.port import ResolvedServer, ServerFacts
from partner_desktop.runner.mcp.protocol.message_filter import MessageFilter
from partner_desktop.runner.mcp.server_log import ServerLog, harmless_line, harmless_text

_PAGES = 100
_ENTRIES = 1000
_TEXT_CHARACTERS = 4000
_NAME_CHARACTERS = 200

Entry = TypeVar("Entry")
#: Asks for the page behind a cursor; gives its entries and the next cursor.
Page = Callable[[str | None], Awaitable[tuple[list[Entry], str | None]]]


class Listing:
    """Of one connection."""

    def __init__(
        self, client: Client, server: ResolvedServer, message_filter: MessageFilter, server_log: ServerLog
    ) -> None:
        self._client, self._server = client, server
        self._filter, self._log = message_filter, server_log

    async def facts(self) -> ServerFacts:
        """Everything that the server says of itself.

        Raises:
            MCPError, ValidationError: Its tools cannot be listed. (What it has beside them is left out then.)
        """
        client = self._client
        hidden = self._server.secrets.masked
        can, info = client.server_capabilities, client.server_info
        name = harmless_line(f"{info.title or info.name} {info.version}", _NAME_CHARACTERS) if info else ""
        return ServerFacts(
            name=hidden(name.strip()),
            instructions=harmless_text(hidden(client.instructions or ""), _TEXT_CHARACTERS),
            tools=await self._tools() if can.tools is not None else (),
            resources=await self._resources() if can.resources is not None else (),
            prompts=await self._optional("prompts", self._prompts()) if can.prompts is not None else (),
        )

    async def _tools(self) -> tuple[MetaActionInfo, ...]:
        async def page(cursor: str | None) -> tuple[list[types.Tool], str | None]:
            found = await self._client.list_tools(cursor=cursor, cache_mode="bypass")
            return found.tools, found.next_cursor

        listed = await self._all("tools", page)
        # A schema takes about a millisecond to be checked.
        infos, left_out = await asyncio.to_thread(self._abilities, listed)
        for line in left_out:
            self._log.say(line)
        return tuple(infos)

    def _abilities(self, listed: list[types.Tool]) -> tuple[list[MetaActionInfo], list[str]]:
        infos: dict[str, MetaActionInfo] = {}
        left_out = []
        for tool in listed:
            problem = tool_problem(tool)
            if tool.name in infos:
                problem = "another one has the same name"
            if problem:
                left_out.append(f"The tool {tool.name!r:.130} is left out: {problem}.")
            else:
                infos[tool.name] = tool_info(self._server, tool, self._filter.output_schemas.get(tool.name))
        return list(infos.values()), left_out

    async def _resources(self) -> tuple[ServerResource, ...]:
        async def page(cursor: str | None) -> tuple[list[types.Resource], str | None]:
            found = await self._client.list_resources(cursor=cursor, cache_mode="bypass")
            return found.resources, found.next_cursor

        async def template_page(cursor: str | None) -> tuple[list[types.ResourceTemplate], str | None]:
            found = await self._client.list_resource_templates(cursor=cursor, cache_mode="bypass")
            return found.resource_templates, found.next_cursor

        async def plain() -> tuple[ServerResource, ...]:
            listed = await self._all("resources", page)
            return tuple(_resource(each, each.uri, template=False) for each in listed)

        async def templates() -> tuple[ServerResource, ...]:
            listed = await self._all("resource templates", template_page)
            return tuple(_resource(each, each.uri_template, template=True) for each in listed)

        found = await self._optional("resources", plain())
        return (*found, *await self._optional("resource templates", templates()))

    async def _prompts(self) -> tuple[ServerPrompt, ...]:
        async def page(cursor: str | None) -> tuple[list[types.Prompt], str | None]:
            found = await self._client.list_prompts(cursor=cursor, cache_mode="bypass")
            return found.prompts, found.next_cursor

        return tuple(_prompt(each) for each in await self._all("prompts", page))

    async def _optional(self, what: str, asking: Awaitable[tuple[Entry, ...]]) -> tuple[Entry, ...]:
        """Tools do not suffer from a server that announces what it cannot list."""
        try:
            return await asking
        except MCPError as error:
            if error.error.code == types.CONNECTION_CLOSED:
                raise
            self._log.say(f"Its {what} cannot be listed: {error.error.message}")
        except ValidationError as error:
            self._log.say(f"Its {what} cannot be read: {error.errors()[0]['msg']}.")
        return ()

    async def _all(self, what: str, page: Page[Entry]) -> list[Entry]:
        found: list[Entry] = []
        cursor: str | None = None
        seen: set[str] = set()
        for _ in range(_PAGES):
            entries, cursor = await page(cursor)
            found += entries
            if len(found) > _ENTRIES:
                break
            if cursor is None:
                return found
            if cursor in seen:
                self._log.say(f"Its list of {what} comes back to the same page; the rest is left out.")
                return found
            seen.add(cursor)
        self._log.say(
            f"It lists more than {_ENTRIES} {what} or {_PAGES} pages of them; the rest is left out."
        )
        return found[:_ENTRIES]


def _resource(found: types.Resource | types.ResourceTemplate, uri: str, *, template: bool) -> ServerResource:
    return ServerResource(
        uri=harmless_line(uri),
        name=harmless_line(found.title or found.name, _NAME_CHARACTERS),
        description=harmless_text(found.description or "", _TEXT_CHARACTERS),
        mime=harmless_line(found.mime_type or "", _NAME_CHARACTERS),
        template=template,
    )


def _prompt(found: types.Prompt) -> ServerPrompt:
    return ServerPrompt(
        name=found.name,
        title=harmless_line(found.title or "", _NAME_CHARACTERS),
        description=harmless_text(found.description or "", _TEXT_CHARACTERS),
        arguments=tuple(
            PromptArgument(
                each.name,
                harmless_text(each.description or "", _TEXT_CHARACTERS),
                required=bool(each.required),
            )
            for each in found.arguments or ()
        ),
    )


_TITLE_CHARACTERS = 128
_LABEL_CHARACTERS = 200
_DESCRIPTION_CHARACTERS = 4000


def tool_problem(tool: types.Tool) -> str:
    """Why a tool cannot be an ability: a part of a sentence; empty if it can."""
    name = tool.name
    if not name.strip():
        return "it has no name"
    if len(name) > _TITLE_CHARACTERS:
        return f"its name is longer than {_TITLE_CHARACTERS} characters"
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
        return f"its schema is wrong at {place or 'its root'} ({harmless_line(error.message, 200)})"
    except RecursionError:
        return "its schema is nested too deeply"
    return ""


def tool_info(server: ResolvedServer, tool: types.Tool, output_schema: JsonObject | None) -> MetaActionInfo:
    """The ability that a tool is."""
    hints = tool.annotations or types.ToolAnnotations()
    return MetaActionInfo(
        key=f"{server.id}::{tool.name}",
        route=Route.MCP,
        label=harmless_line(tool.title or hints.title or "", _LABEL_CHARACTERS),
        description=harmless_text(tool.description or "", _DESCRIPTION_CHARACTERS),
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
