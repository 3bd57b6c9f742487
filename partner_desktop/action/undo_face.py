"""The part of the app's public face that is about what a run left: files, and the way back."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.action.run_files import RunFiles
from partner_desktop.action.undo.taking_back import TakingBack


class UndoFace:
    """Whoever inherits builds the parts."""

    _run_files: RunFiles
    _taking_back: TakingBack

    async def undo(self, action_id: str) -> str:
        """Take back what a run did to the person's files; the sentence to show.

        Raises:
            UsageError: It cannot be taken back (any more); the sentence names what went on changing.
        """
        return await self._taking_back.take_back(action_id)

    async def keep_files(self, action_id: str, folder: Path) -> str:
        """Copy what a run left in its workspace into a folder, under names that are free there; the sentence.

        Raises:
            UsageError: There is nothing to keep, or it cannot be copied.
        """
        return await self._run_files.keep(action_id, folder)
