"""`partner-desktop conversations list|search|export|import|delete|rename`."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.base.paths import Home
from partner_desktop.commands.connection import connect
from partner_desktop.commands.plain import plain
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.conversation_ask import ConversationAsk, Verb
from partner_desktop.gateways.wire import json_line

#: This much of an id tells conversations apart, and is enough for the other commands.
_SHORT_ID = 8

_DONE: dict[Verb, str] = {
    "export": "Exported “{title}” to {path}.",
    "import": "Imported “{title}” as {id}.",
    "delete": "Deleted “{title}”.",
    "rename": "It is called “{title}” now.",
}


async def conversations(home: Home, action_dir: Path | None, ask: ConversationAsk, *, as_json: bool) -> int:
    """Ask the Partner of this home and print its answer; a search that finds nothing exits with 1."""
    async with connect(home, action_dir) as session:
        answer = [item for item in await session.conversations(ask) if isinstance(item, dict)]
    for item in answer:
        print(json_line(item) if as_json else plain(_line(ask, item)))
    return 1 if ask.verb == "search" and not answer else 0


def _line(ask: ConversationAsk, item: JsonObject) -> str:
    if ask.verb == "search":
        return _found(item)
    if ask.verb == "list":
        return f"{_short(item)}  {str(item['updated_at'])[:16].replace('T', ' ')}  {_title(item)}"
    return _DONE[ask.verb].format(title=_title(item), path=ask.path, id=_short(item))


def _found(item: JsonObject) -> str:
    conversation, excerpt = item["conversation"], item["excerpt"]
    assert isinstance(conversation, dict)
    head = f"{_short(conversation)}  {_title(conversation)}"
    return f"{head}\n          {excerpt['text']}" if isinstance(excerpt, dict) else head


def _title(item: JsonObject) -> str:
    return str(item["title"] or "New chat")


def _short(item: JsonObject) -> Json:
    return str(item["id"])[:_SHORT_ID]
