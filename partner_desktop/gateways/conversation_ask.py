"""What a command asks about whole conversations, and the answer from the Partner of this process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, assert_never

from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

Verb = Literal["list", "find", "search", "export", "import", "delete", "rename"]


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


async def answer(partner: Services, ask: ConversationAsk) -> list[Json]:
    """The conversations or hits that the ask is about, as JSON.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    if ask.verb == "list":
        return [as_json(each) for each in await partner.conversations.list()]
    if ask.verb == "search":
        return [as_json(hit) for hit in await partner.conversations.search(ask.text, limit=ask.limit)]
    if ask.verb == "import":
        return [as_json(await partner.conversations.import_from(Path(ask.path)))]
    conversation = await partner.conversations.find(ask.conversation_id)
    if ask.verb == "export":
        kind = kind_of(Path(ask.path))
        await partner.conversations.export_to(conversation.id, Path(ask.path), kind=kind)
    elif ask.verb == "delete":
        conversation = await partner.conversations.delete(conversation.id)
    elif ask.verb == "rename":
        conversation = await partner.conversations.rename(conversation.id, ask.text)
    elif ask.verb != "find":
        assert_never(ask.verb)
    return [as_json(conversation)]


def kind_of(path: Path) -> Literal["markdown", "json"]:
    """What a file's name asks for: Markdown where it ends so, JSON otherwise."""
    return "markdown" if path.suffix.lower() in (".md", ".markdown") else "json"
