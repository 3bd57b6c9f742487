"""The part of the app's public face that is about whole conversations; `app.Partner` inherits it."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.domain.message import Conversation
from partner_desktop.domain.search import ConversationHit
from partner_desktop.runtime.shelf.shelf import ConversationShelf, ExportKind


class ShelfFace:
    """Errors are those of `ConversationShelf`. Whoever inherits sets `shelf`."""

    shelf: ConversationShelf

    async def rename_conversation(self, conversation_id: str, title: str) -> Conversation:
        """Give a title, which then stays."""
        return await self.shelf.rename(conversation_id, title)

    async def delete_conversation(self, conversation_id: str) -> Conversation:
        """Out of sight at once, erased a little later."""
        return await self.shelf.delete(conversation_id)

    async def restore_conversation(self, conversation_id: str) -> Conversation:
        """Take a deletion back, while that is possible."""
        return await self.shelf.restore(conversation_id)

    async def search_conversations(self, text: str, *, limit: int = 50) -> list[ConversationHit]:
        """The conversations in which something like `text` was said, best first."""
        return await self.shelf.search(text, limit=limit)

    async def export_conversation(self, conversation_id: str, path: Path, *, kind: ExportKind) -> None:
        """Write a conversation to a file."""
        await self.shelf.export_to(conversation_id, path, kind)

    async def import_conversation(self, path: Path) -> Conversation:
        """Take an exported JSON file in as a new conversation."""
        return await self.shelf.import_from(path)
