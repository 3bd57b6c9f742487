"""The part of the app's public face that is about what a run left: files, and the way back."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.base.errors import UsageError


class UndoFace:
    """Whoever inherits builds the parts."""

    async def undo(self, action_id: str) -> str:
        """Take back what a run did to the person's files; the sentence to show.

        Raises:
            UsageError: It cannot be taken back (any more); the sentence names what went on changing.
        """
        raise UsageError("Nothing of it can be taken back.")

    async def keep_files(self, action_id: str, folder: Path) -> str:
        """Copy what a run left in its workspace into a folder, under names that are free there; the sentence.

        Raises:
            UsageError: There is nothing to keep, or it cannot be copied.
        """
        raise UsageError("It left no files.")
