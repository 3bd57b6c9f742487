"""The journal's half on the disk: one folder a run, in the home. Blocking, for use off the loop.

Whether what a run left is still as it left it is looked at first. What already is as it was before the run is
fine, too: an undo that stopped half-way can be repeated.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from partner_desktop.abilities.builtin.file_access import StopEvent
from partner_desktop.abilities.builtin.file_moves import moved
from partner_desktop.action.undo.changes import (
    BEFORE,
    COPIES,
    Before,
    Changes,
    PathChange,
    SnapshotLimits,
    WatchedPlaces,
    read_before,
    read_changes,
    take,
    write_changes,
)
from partner_desktop.action.undo.restoration import Restoration
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.messages import sentence_of, sentences_joined, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.files.file_copy import same_content
from partner_desktop.files.trash import find_in_trash
from partner_desktop.files.tree import Kind, Tree, TreeEntry, alike, below, look, scan

#: A run may leave more than there was; this often as much is still looked at.
_MORE = 4


class UndoDisk:
    """`own`: folders that are Partner's; nothing in them is noted or changed."""

    def __init__(self, root: Path, *, own: Sequence[Path]) -> None:
        self._root = root
        self._own = own

    def folder(self, action_id: str) -> Path:
        return self._root / action_id

    def snapshot(
        self, action_id: str, watch: WatchedPlaces, limits: SnapshotLimits, check: Callable[[], None]
    ) -> None:
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
            changes.note = sentences_joined(filter(None, [changes.note, sentence_of("undo.cut_off")]))
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
        moved(source, target, StopEvent())
    except PartnerError as error:
        raise OSError(0, str(error)) from error


_MOST_NAMES = 3


def why_not(changes: Changes, *, own: Sequence[Path]) -> str:
    """Why it cannot be taken back now, in one sentence; empty: it can."""
    wrong: list[str] = []
    for path in _places(changes):
        if any(folder in (Path(path), *Path(path).parents) for folder in own):
            return sentence_of("undo.own", path=display_path(Path(path)))
    for folder in {os.path.dirname(path) for path in _places(changes)}:  # noqa: PTH120 - thousands
        if os.path.realpath(folder) != folder:
            return sentence_of("undo.link", path=display_path(Path(folder)))
    for each in changes.possible:
        try:
            wrong += _moved_on(each, changes)
        except OSError as error:
            return sentence_of(
                "could_not.looked_at", path=display_path(Path(each.path)), reason=system_reason(error)
            )
    if not wrong:
        return ""
    named = sentence_of("step.comma").join(display_path(Path(path)) for path in wrong[:_MOST_NAMES])
    if len(wrong) > _MOST_NAMES:
        named = sentence_of("undo.and_more", names=named, count=len(wrong) - _MOST_NAMES)
    return sentence_of("undo.changed_since", names=named)


def _places(changes: Changes) -> Iterator[str]:
    for each in changes.possible:
        yield each.path
        if each.now_at:
            yield each.now_at


def _moved_on(change: PathChange, changes: Changes) -> Iterator[str]:
    now = look(change.path)
    if change.now_at:
        yield from _of_moved(change, now, changes)
    elif alike(now, change.before):
        return
    elif not alike(now, change.after):
        yield change.path
    elif now is not None and now.kind is Kind.FOLDER and _must_go(change):
        yield from _strangers(change.path, changes)


def _of_moved(change: PathChange, now: TreeEntry | None, changes: Changes) -> Iterator[str]:
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


def _must_go(change: PathChange) -> bool:
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


#: Names that a note tells; of more it tells the number.


class Comparison:
    """Compares once. `folder`: of the journal, which holds the copies."""

    def __init__(self, before: Before, after: Tree, folder: Path, check: Callable[[], None]) -> None:
        self._before, self._after = before.entries, after.entries
        self._known = before
        self._folder = folder
        self._check = check
        self._names = sorted(self._before)
        self._new_names = sorted(self._after)
        # What could not be looked into before, or cannot be now, is neither made nor gone for all we know.
        hidden = {name for folder in before.unread for name in below(self._new_names, folder)}
        out_of_sight = {name for folder in after.unread for name in below(self._names, folder)}
        self._gone = {path for path in self._names if path not in self._after} - out_of_sight
        self._made = {path for path in self._new_names if path not in self._before} - hidden
        self._found = Changes()
        self._twins = _twins(self._before)

    def work(self) -> Changes:
        """What changed; nothing in it: nothing did."""
        self._trashed()
        self._moved()
        for path in self._names:
            self._check()
            if path in self._gone:
                self._add(path, None)
            elif path in self._after and self._differs(path):
                self._add(path, self._after[path])
        for path in self._new_names:
            if path in self._made:
                self._found.changes.append(PathChange(path, None, self._after[path]))
        self._found.note = self._note()
        return self._found

    def _differs(self, path: str) -> bool:
        old, new = self._before[path], self._after[path]
        if not alike(old, new):
            return True
        if old.kind is not Kind.FILE or (old.ctime_ns, old.ino) == (new.ctime_ns, new.ino):
            return False
        # The time of change can be set back, that of the inode cannot: only the content tells.
        copy = self._known.copies.get(path)
        return copy is not None and not same_content(Path(path), self._folder / COPIES / copy, self._check)

    def _add(self, path: str, now: TreeEntry | None) -> None:
        old = self._before[path]
        copy, lost = "", ""
        if old.kind is Kind.FILE:
            copy = self._known.copies.get(path, "")
            lost = "" if copy else self._known.missing.get(path) or sentence_of("undo.unreadable")
        elif old.kind is Kind.SPECIAL:
            lost = sentence_of("undo.special")
        twins = tuple(name for name in self._twins.get(old.inode, ()) if name != path)
        self._found.changes.append(PathChange(path, old, now, copy=copy, lost=lost, twins=twins))

    # What only has another place now.

    def _trashed(self) -> None:
        watch = self._known.watch
        root = watch.roots[0]
        if not watch.trashes or root not in self._gone:
            return
        old = self._before[root]
        item = find_in_trash(Path(root), dev=old.dev, ino=old.ino)
        lost = "" if item is not None else sentence_of("undo.in_trash")
        place = str(item.parent.resolve() / item.name) if item is not None else ""
        self._found.changes.append(PathChange(root, old, old, now_at=place, lost=lost))
        self._gone -= {root, *below(self._names, root)}

    def _moved(self) -> None:
        by_inode = {self._after[path].inode: path for path in self._new_names if path in self._made}
        told = self._known.watch.moves
        for path in self._names:
            if path not in self._gone:
                continue
            far = told is not None and path == told[0]
            there = told[1] if told is not None and far else by_inode.get(self._before[path].inode)
            if there is None or there not in self._made:
                continue
            if self._before[path].kind is Kind.FOLDER:
                self._moved_folder(path, there, far=far)
            elif (
                alike(self._before[path], self._after[there]) and self._before[path].kind is not Kind.SPECIAL
            ):
                self._move(path, there)

    def _moved_folder(self, old: str, new: str, *, far: bool) -> None:
        """A folder that was moved as it is; with `far` perhaps to another disk, where all is made anew."""
        was = {name.removeprefix(old): name for name in below(self._names, old)}
        now = {name.removeprefix(new): name for name in below(self._new_names, new)}
        if was.keys() != now.keys() or self._after[new].kind is not Kind.FOLDER:
            return
        for part, name in was.items():
            one, other = self._before[name], self._after[now[part]]
            if not alike(one, other) or not (far or one.inode == other.inode):
                return
        self._move(old, new)
        self._gone -= set(was.values())
        self._made -= set(now.values())
        self._found.inside |= {name: self._after[name] for name in now.values()}

    def _move(self, old: str, new: str) -> None:
        self._gone.discard(old)
        self._made.discard(new)
        self._found.changes.append(PathChange(old, self._before[old], self._after[new], now_at=new))

    def _note(self) -> str:
        return sentences_joined(self._sentences())

    def _sentences(self) -> Iterator[str]:
        lost = [each for each in self._found.changes if each.lost]
        by_reason: dict[str, list[str]] = defaultdict(list)
        for each in lost:
            by_reason[each.lost].append(display_path(Path(each.path)))
        for reason, names in by_reason.items():
            yield sentence_of("undo.not_these", names=_names(names), reason=reason)
        if self._known.unread:
            names = [display_path(Path(path)) for path in self._known.unread]
            yield sentence_of("undo.not_in", names=_names(names))
        if not self._known.watch.held:
            yield sentence_of("undo.unheld")


def _names(names: list[str]) -> str:
    shown = sentence_of("step.comma").join(names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return sentence_of("undo.and_more", names=shown, count=more) if more > 0 else shown


def _twins(entries: dict[str, TreeEntry]) -> dict[tuple[int, int], list[str]]:
    found: dict[tuple[int, int], list[str]] = defaultdict(list)
    for path, entry in entries.items():
        if entry.kind is Kind.FILE and entry.links > 1:
            found[entry.inode].append(path)
    return found
