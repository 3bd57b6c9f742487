"""The journal's half on the disk: one folder a run, in the home. Blocking, for use off the loop."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from partner_desktop.action.runner.builtin.ground import Stop
from partner_desktop.action.runner.builtin.moving import moved
from partner_desktop.action.undo.changes import (
    BEFORE,
    COPIES,
    Changes,
    Watch,
    read_before,
    read_changes,
    write_changes,
)
from partner_desktop.action.undo.checking import why_not
from partner_desktop.action.undo.comparing import Comparison
from partner_desktop.action.undo.restoring import Restoration
from partner_desktop.action.undo.snapshot import Limits, take
from partner_desktop.base.errors import PartnerError
from partner_desktop.files.tree import scan

#: A run may leave more than there was; this often as much is still looked at.
_MORE = 4
_CUT_OFF = (
    "Partner ended while it ran: whatever changed there until Partner was started again counts as the run's."
)


class UndoDisk:
    """`own`: folders that are Partner's; nothing in them is noted or changed."""

    def __init__(self, root: Path, *, own: Sequence[Path]) -> None:
        self._root = root
        self._own = own

    def folder(self, action_id: str) -> Path:
        return self._root / action_id

    def snapshot(self, action_id: str, watch: Watch, limits: Limits, check: Callable[[], None]) -> None:
        """See `snapshot.take`."""
        self.remove(action_id)
        take(self.folder(action_id), watch, limits, closed=self._closed(), check=check)

    def is_whole(self, action_id: str) -> bool:
        """Whether its snapshot was finished."""
        return read_before(self.folder(action_id)) is not None

    def roots(self, action_id: str) -> tuple[str, ...]:
        """The places that a run that is under way may change."""
        before = read_before(self.folder(action_id))
        return before.watch.roots if before is not None else ()

    def compare(self, action_id: str, *, most: int, cut_off: bool) -> tuple[Changes, int] | None:
        """What the run changed, with the bytes that are kept for it; `None`: it never began.

        Raises:
            TooManyError: There is too much by now.
            OSError: It cannot be written.
        """
        folder = self.folder(action_id)
        before = read_before(folder)
        if before is None:
            return None
        tree = scan(before.watch.roots, closed=self._closed(), most=most * _MORE, check=_go_on)
        changes = Comparison(before, tree, folder, _go_on).work()
        if cut_off:
            changes.note = f"{changes.note} {_CUT_OFF}".strip()
        write_changes(folder, changes)
        (folder / BEFORE).unlink()
        return changes, _drop_unused(folder / COPIES, {each.copy for each in changes.changes})

    def changes(self, action_id: str) -> Changes | None:
        return read_changes(self.folder(action_id))

    def why_not(self, changes: Changes) -> str:
        """See `checking.why_not`."""
        return why_not(changes, own=[path.resolve() for path in self._own])

    def restore(self, action_id: str, changes: Changes) -> None:
        """See `Restoration.work`."""
        Restoration(changes, self.folder(action_id), mark=action_id, check=_go_on, move_far=_move_far).work()

    def remove(self, action_id: str) -> None:
        shutil.rmtree(self.folder(action_id), ignore_errors=True)

    def folders(self) -> list[str]:
        """The ids that have a folder."""
        with suppress(FileNotFoundError):
            return [path.name for path in self._root.iterdir()]
        return []

    def _closed(self) -> set[str]:
        return {str(path.resolve()) for path in self._own}


def _go_on() -> None:
    """Comparing and taking back are not ended half-way."""


def _drop_unused(copies: Path, used: set[str]) -> int:
    """Only what changed is kept; how many bytes that is."""
    kept_bytes = 0
    for copy in copies.iterdir():
        if copy.name in used:
            kept_bytes += copy.stat().st_size
        else:
            copy.unlink()
    return kept_bytes


def _move_far(source: Path, target: Path) -> None:
    try:
        moved(source, target, Stop())
    except PartnerError as error:
        raise OSError(0, str(error)) from error
