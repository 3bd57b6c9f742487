"""`partner-desktop conversations list|search|export|import|delete|rename|pin|archive|move|…`."""

from __future__ import annotations

from collections.abc import Iterator

from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.verb import Command, Verb
from partner_desktop.domain.json_value import Json, JsonObject

#: This much of an id tells conversations apart, and is enough for the other verbs.
_SHORT_ID = 8
_FIND = "conversations.find"


def _listed(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    yield f"{_short(item)}  {str(item['updated_at'])[:16].replace('T', ' ')}  {_title(item)}{_marks(item)}"


def _marks(item: JsonObject) -> str:
    """What is said of it behind its title."""
    marks = [sentence_of(f"terminal.{name}") for name in ("pinned", "archived") if item[name]]
    if item["folder"]:
        marks.append(sentence_of("terminal.in_folder", folder=item["folder"]))
    if item["unread"]:
        marks.append(sentence_of("terminal.unread", count=item["unread"]))
    return f"  [{', '.join(marks)}]" if marks else ""


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


def _of_many(name: str, help_text: str, **given: Json) -> Verb:
    """A verb of several conversations that says itself what becomes of them."""
    hidden = tuple(one for one in _CHANGES if one != "folder" or name != "move")
    return Verb(name, "conversations.organize", _listed, help_text, given=given, hidden=hidden, find=_FIND)


_CHANGES = ("pinned", "archived", "folder", "unread")

COMMAND = Command(
    ("conversations",),
    (
        Verb("list", "conversations.list", _listed, "those in use, newest first; or those in the archive"),
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
            "conversations.delete_many",
            lambda one, _said: [f"Deleted “{_title(one)}”."],
            "delete some and everything said in them",
            find=_FIND,
        ),
        _of_many("pin", "let them stand above the others", pinned=True),
        _of_many("unpin", "let them stand among the others", pinned=False),
        _of_many("archive", "put them out of the way; a search still finds them", archived=True),
        _of_many("unarchive", "bring them back from the archive", archived=False),
        _of_many("move", 'put them into a folder, or out of theirs with --folder ""'),
        _of_many("mark-read", "nothing in them is new any more", unread=False),
        _of_many("mark-unread", "something in them is new", unread=True),
        Verb(
            "folders",
            "conversations.folders",
            lambda one, _said: [f"{one['name']}  {one['count']}"],
            "the folders, with how many conversations are in each",
        ),
        Verb(
            "rename-folder",
            "conversations.rename_folder",
            _listed,
            "give a folder another name; an empty one ends it, and keeps what is in it",
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
