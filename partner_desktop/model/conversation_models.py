"""ConversationModels: which model a person chose for one conversation.

Contract: what was chosen is on disk when `choose` returns, and goes with its conversation. All of it is held
in memory too, as every question asks for it: a row is made only where somebody chose. A name stays as it was
chosen when its model goes, so that a model that comes back answers again.
"""

from __future__ import annotations

from collections.abc import Mapping

from partner_desktop.storage.database import Connection, Database


class ConversationModels:
    """A part of the AgentContext, launched after the database and before the models."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._chosen: dict[str, str] = {}

    async def launch(self) -> None:
        """Read what was chosen.

        Raises:
            StorageError: It cannot be read.
        """
        rows = await self._database.rows("SELECT conversation_id, model FROM conversation_models")
        self._chosen = {row["conversation_id"]: row["model"] for row in rows}

    async def shutdown(self) -> None:
        """Nothing."""

    @property
    def chosen(self) -> Mapping[str, str]:
        """By conversation the name of its model, or `starter`; without those that nobody chose one for."""
        return self._chosen

    async def choose(self, conversation_id: str, model: str) -> None:
        """Let a model answer this conversation; empty: whoever answers elsewhere.

        Raises:
            StorageError: It cannot be kept; nothing changed.
        """

        def keep(db: Connection) -> None:
            db.execute("DELETE FROM conversation_models WHERE conversation_id = ?", (conversation_id,))
            if model:
                db.execute("INSERT INTO conversation_models VALUES (?, ?)", (conversation_id, model))

        await self._database.write(keep)
        rest = {one: name for one, name in self._chosen.items() if one != conversation_id}
        self._chosen = rest | ({conversation_id: model} if model else {})

    async def follow(self, conversation_id: str, branch_id: str) -> None:
        """Let a branch be answered by the model that was chosen for the conversation that it comes from.

        Raises:
            StorageError: It cannot be kept; nothing changed.
        """
        model = self._chosen.get(conversation_id)
        if model:
            await self.choose(branch_id, model)
