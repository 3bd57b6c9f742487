"""What is asked of whole conversations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.window_context import WindowContext, WindowOperation
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.message import Conversation

if TYPE_CHECKING:
    from partner_desktop.app import Partner


rename_conversation = WindowOperation.of("rename", lambda partner: partner.conversations.rename)
#: It can be taken back: the event brings the notice that offers it.
delete_conversation = WindowOperation.of("delete", lambda partner: partner.conversations.delete)


@WindowOperation
async def restore_conversation(
    context: WindowContext, partner: Partner, conversation_id: str, reopened: set[str]
) -> None:
    """With its actions; one that was open when it went, and is in `reopened`, is open again."""
    await partner.conversations.restore(conversation_id)
    await context.store.read_actions(conversation_id)
    if conversation_id in reopened:
        reopened.discard(conversation_id)
        context.navigation.open(conversation_id)


@WindowOperation
async def export_conversation(
    context: WindowContext, partner: Partner, conversation_id: str, path: Path
) -> None:
    """Write it to a file: Markdown or JSON, as the file's name says."""
    await partner.conversations.export_to(conversation_id, path, kind=kind_of(path))
    context.tell(lambda: tr("Exported to {file}").format(file=display_path(path)))


def kind_of(path: Path) -> Literal["markdown", "json"]:
    """What a file's name says it should hold."""
    return "json" if path.suffix.lower() == ".json" else "markdown"


def title_words(conversation: Conversation) -> str:
    """What a conversation is called."""
    return conversation.title or tr("New chat")
