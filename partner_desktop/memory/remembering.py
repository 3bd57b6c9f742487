"""Remembering: whether anything of a conversation is found from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.capabilities import Forgettable
from partner_desktop.domain.forgetting import Forgotten
from partner_desktop.domain.message import Conversation
from partner_desktop.memory.indexing import TurnIndexing
from partner_desktop.runtime.conversations.dialog_erasure import SaidMessages
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.storage.database import Database


class Remembering:
    """“Do not remember”: the messages stay in their conversation, and what was made of them goes."""

    def __init__(
        self, database: Database, dialog: Dialog, indexing: TurnIndexing, keepers: Sequence[Forgettable]
    ) -> None:
        self._database = database
        self._dialog = dialog
        self._indexing = indexing
        self._keepers = keepers

    async def set(self, conversation_id: str, *, remembered: bool) -> Conversation:
        """Switch it; what was said until now is taken out, or in again.

        Raises:
            UsageError: There is no such conversation.
        """
        conversation = await self._dialog.remember(conversation_id, remembered=remembered)
        if not remembered:
            turns = await SaidMessages(self._database).of_conversation(conversation_id)
            gone = Forgotten(
                frozenset(turn.message_id for turn in turns),
                frozenset(turn.position for turn in turns),
                frozenset([conversation_id]),
                frozenset(),
                frozenset(),
                _says_nothing,
                _says_nothing,
            )
            for keeper in self._keepers:
                await keeper.erase(self._database, gone)
            await self._indexing.erased()
        return conversation


def _says_nothing(_text: str) -> bool:
    """What was made of these messages goes by their ids; their words may stand elsewhere."""
    return False
