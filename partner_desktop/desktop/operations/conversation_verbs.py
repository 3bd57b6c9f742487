"""What is asked of whole conversations, of one or of several at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.window_context import WindowContext, WindowOperation
from partner_desktop.desktop.wording import LazyText, tr
from partner_desktop.domain.message import Conversation

if TYPE_CHECKING:
    from partner_desktop.app import Partner


rename_conversation = WindowOperation.of("rename", lambda partner: partner.conversations.rename)
#: They can be taken back: the events bring the notice that offers it.
delete_conversations = WindowOperation.of("delete", lambda partner: partner.conversations.delete_many)
look_at_conversation = WindowOperation.of("look at", lambda partner: partner.conversations.look_at)


@WindowOperation
async def restore_conversations(
    context: WindowContext, partner: Partner, conversation_ids: Sequence[str], reopened: set[str]
) -> None:
    """With their actions; one that was open when it went, and is in `reopened`, is open again."""
    await partner.conversations.restore_many(conversation_ids)
    for one in conversation_ids:
        await context.store.read_actions(one)
        if one in reopened:
            reopened.discard(one)
            context.navigation.open(one)


@WindowOperation
async def organize_conversations(
    context: WindowContext,
    partner: Partner,
    conversation_ids: Sequence[str],
    change: Mapping[str, Any],
    said: LazyText = "",
) -> None:
    """Change some conversations, as `organize` names it; with `said` it is told, and can be taken back."""
    # Any: each name has values of its own, and the operation looks at them.
    before = context.store.conversations.those(conversation_ids)
    await partner.conversations.organize(conversation_ids, **change)
    if said:
        context.tell(said, undo=lambda: put_back_conversations(context, before, tuple(change)))


@WindowOperation
async def put_back_conversations(
    context: WindowContext, partner: Partner, before: Sequence[Conversation], names: Sequence[str]
) -> None:
    """As they were, each of them; of what is gone meanwhile nothing is said."""
    ids: dict[tuple[Any, ...], list[str]] = {}
    for one in before:
        if one.id in context.store.conversations:
            ids.setdefault(tuple(getattr(one, name) for name in names), []).append(one.id)
    for values, some in ids.items():
        await partner.conversations.organize(some, **dict(zip(names, values, strict=True)))


@WindowOperation
async def rename_folder(context: WindowContext, partner: Partner, folder: str, name: str) -> None:
    """Give a folder another name; without one it is no more, which can be taken back."""
    changed = await partner.conversations.rename_folder(folder, name)
    if not name:
        ids = [one.id for one in changed]
        context.tell(
            lambda: tr("Removed the folder “{folder}”").format(folder=folder),
            undo=lambda: organize_conversations(context, ids, {"folder": folder}),
        )


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


def titles_words(conversations: Sequence[Conversation]) -> str:
    """What one is called, or how many there are."""
    if len(conversations) == 1:
        return f"“{title_words(conversations[0])}”"
    return tr("{count} conversations").format(count=len(conversations))
