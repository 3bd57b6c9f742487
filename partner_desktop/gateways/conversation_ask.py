"""What a command asks about whole conversations, and the answer from the Partner of this process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, assert_never

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import Conversation
from partner_desktop.domain.search import ConversationHit

Verb = Literal["list", "find", "search", "export", "import", "delete", "rename"]

#: A part of an id that is shorter could mean too many.
_LEAST_ID = 4


@dataclass(frozen=True)
class ConversationAsk:
    """`verb` says which fields count. `path` is absolute: the host has a working folder of its own."""

    verb: Verb
    conversation_id: str = ""
    """The id or the beginning of one."""
    text: str = ""
    """What is looked for, or the new title."""
    path: str = ""
    limit: int = 50


class ShelfFace(Protocol):
    """The part of the app that answers."""

    async def conversations(self) -> list[Conversation]: ...

    async def search_conversations(self, text: str, *, limit: int = 50) -> Sequence[ConversationHit]: ...

    async def rename_conversation(self, conversation_id: str, title: str) -> Conversation: ...

    async def delete_conversation(self, conversation_id: str) -> Conversation: ...

    async def export_conversation(
        self, conversation_id: str, path: Path, *, kind: Literal["markdown", "json"]
    ) -> None: ...

    async def import_conversation(self, path: Path) -> Conversation: ...


async def answer(partner: ShelfFace, ask: ConversationAsk) -> list[Json]:
    """The conversations or hits that the ask is about, as JSON.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    if ask.verb == "list":
        return [as_json(each) for each in await partner.conversations()]
    if ask.verb == "search":
        return [as_json(hit) for hit in await partner.search_conversations(ask.text, limit=ask.limit)]
    if ask.verb == "import":
        return [as_json(await partner.import_conversation(Path(ask.path)))]
    conversation = await _find(partner, ask.conversation_id)
    if ask.verb == "export":
        kind = kind_of(Path(ask.path))
        await partner.export_conversation(conversation.id, Path(ask.path), kind=kind)
    elif ask.verb == "delete":
        conversation = await partner.delete_conversation(conversation.id)
    elif ask.verb == "rename":
        conversation = await partner.rename_conversation(conversation.id, ask.text)
    elif ask.verb != "find":
        assert_never(ask.verb)
    return [as_json(conversation)]


def kind_of(path: Path) -> Literal["markdown", "json"]:
    """What a file's name asks for: Markdown where it ends so, JSON otherwise."""
    return "markdown" if path.suffix.lower() in (".md", ".markdown") else "json"


async def _find(partner: ShelfFace, wanted: str) -> Conversation:
    known = await partner.conversations()
    found = [each for each in known if each.id == wanted]
    if not found and len(wanted) >= _LEAST_ID:
        found = [each for each in known if each.id.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{len(found)} conversations have an id that begins with {wanted}; give more of it.")
    raise UsageError(
        f"There is no conversation {wanted}; `partner-desktop conversations list` shows what there is."
    )
