"""`partner-desktop conversations list|search|export|import|delete|rename`."""

from __future__ import annotations

from collections.abc import Iterator

from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.verb import Command, Verb
from partner_desktop.domain.json_value import JsonObject

#: This much of an id tells conversations apart, and is enough for the other verbs.
_SHORT_ID = 8
_FIND = "conversations.find"


def _listed(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    yield f"{_short(item)}  {str(item['updated_at'])[:16].replace('T', ' ')}  {_title(item)}"


def _found(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    conversation, excerpt = item["conversation"], item["excerpt"]
    assert isinstance(conversation, dict)
    yield f"{_short(conversation)}  {_title(conversation)}"
    if isinstance(excerpt, dict):
        yield f"          {excerpt['text']}"


def _title(item: JsonObject) -> str:
    return str(item["title"] or sentence_of("terminal.new_chat"))


def _short(item: JsonObject) -> str:
    return str(item["id"])[:_SHORT_ID]


COMMAND = Command(
    ("conversations",),
    (
        Verb("list", "conversations.list", _listed, "all of them, newest first"),
        Verb(
            "search",
            "conversations.search",
            _found,
            "find what was said",
            code=lambda found: 0 if found else 1,
        ),
        Verb(
            "export",
            "conversations.export_to",
            lambda one, said: [f"Exported “{_title(one)}” to {said['path']}."],
            "write one to a file: Markdown where its name ends in .md, JSON otherwise",
            find=_FIND,
            then=("conversations.get", "conversation_id"),
        ),
        Verb(
            "import",
            "conversations.import_from",
            lambda one, _said: [f"Imported “{_title(one)}” as {_short(one)}."],
            "take an exported JSON file in",
        ),
        Verb(
            "delete",
            "conversations.delete",
            lambda one, _said: [f"Deleted “{_title(one)}”."],
            "delete one and everything said in it",
            find=_FIND,
        ),
        Verb(
            "rename",
            "conversations.rename",
            lambda one, _said: [sentence_of("terminal.is_called", title=_title(one))],
            "give one another title",
            find=_FIND,
        ),
    ),
)
