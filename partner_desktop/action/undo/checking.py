"""Whether what a run left is still as it left it. Blocking, for use off the loop.

What already is as it was before the run is fine, too: an undo that stopped half-way can be repeated.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from partner_desktop.action.undo.changes import Change, Changes
from partner_desktop.base.paths import display_path
from partner_desktop.files.tree import Entry, Kind, alike, look

_MOST_NAMES = 3


def why_not(changes: Changes, *, own: Sequence[Path]) -> str:
    """Why it cannot be taken back now, in one sentence; empty: it can."""
    wrong: list[str] = []
    for path in _places(changes):
        if any(folder in (Path(path), *Path(path).parents) for folder in own):
            return f"{display_path(Path(path))} is Partner's own; nothing was changed."
    for folder in {os.path.dirname(path) for path in _places(changes)}:  # noqa: PTH120 - thousands
        if os.path.realpath(folder) != folder:
            return (
                f"{display_path(Path(folder))} is a link now, or lies behind one: it leads elsewhere than "
                "when the run was approved. Nothing was changed."
            )
    for each in changes.possible:
        try:
            wrong += _moved_on(each, changes)
        except OSError as error:
            return f"{display_path(Path(each.path))} could not be looked at: {error.strerror}."
    if not wrong:
        return ""
    named = ", ".join(display_path(Path(path)) for path in wrong[:_MOST_NAMES])
    more = f" and {len(wrong) - _MOST_NAMES} more" if len(wrong) > _MOST_NAMES else ""
    return f"Nothing was taken back, because this changed since the run: {named}{more}."


def _places(changes: Changes) -> Iterator[str]:
    for each in changes.possible:
        yield each.path
        if each.now_at:
            yield each.now_at


def _moved_on(change: Change, changes: Changes) -> Iterator[str]:
    now = look(change.path)
    if change.now_at:
        yield from _of_moved(change, now, changes)
    elif alike(now, change.before):
        return
    elif not alike(now, change.after):
        yield change.path
    elif now is not None and now.kind is Kind.FOLDER and _must_go(change):
        yield from _strangers(change.path, changes)


def _of_moved(change: Change, now: Entry | None, changes: Changes) -> Iterator[str]:
    there = look(change.now_at)
    if there is None and alike(now, change.before):
        return
    if now is not None:
        yield change.path
    elif not alike(there, change.after):
        yield change.now_at
    elif change.after is not None and change.after.kind is Kind.FOLDER:
        prefix = change.now_at + os.sep
        for path, entry in changes.inside.items():
            if path.startswith(prefix) and not alike(look(path), entry):
                yield path


def _must_go(change: Change) -> bool:
    """Something else than a folder has to come back to its place."""
    return change.before is not None and change.before.kind is not Kind.FOLDER


def _strangers(folder: str, changes: Changes) -> Iterator[str]:
    """What lies in a folder and is not the run's."""
    known = {each.path for each in changes.changes} | {each.now_at for each in changes.changes}
    known |= changes.inside.keys()
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(place, name)  # noqa: PTH118 - thousands
            if path not in known:
                yield path
