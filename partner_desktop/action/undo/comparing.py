"""What is different since the snapshot. Blocking, for use off the loop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from partner_desktop.action.undo.changes import COPIES, Before, Change, Changes
from partner_desktop.action.undo.snapshot import UNREADABLE
from partner_desktop.base.paths import display_path
from partner_desktop.files.copying import same_content
from partner_desktop.files.trash import find_in_trash
from partner_desktop.files.tree import Entry, Kind, Tree, alike, below

#: Names that a note tells; of more it tells the number.
_MOST_NAMES = 3


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
                self._found.changes.append(Change(path, None, self._after[path]))
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

    def _add(self, path: str, now: Entry | None) -> None:
        old = self._before[path]
        copy, lost = "", ""
        if old.kind is Kind.FILE:
            copy = self._known.copies.get(path, "")
            lost = "" if copy else self._known.missing.get(path, UNREADABLE)
        elif old.kind is Kind.SPECIAL:
            lost = "a pipe, a socket or a device is not copied"
        twins = tuple(name for name in self._twins.get(old.inode, ()) if name != path)
        self._found.changes.append(Change(path, old, now, copy=copy, lost=lost, twins=twins))

    # What only has another place now.

    def _trashed(self) -> None:
        watch = self._known.watch
        root = watch.roots[0]
        if not watch.trashes or root not in self._gone:
            return
        old = self._before[root]
        item = find_in_trash(Path(root), dev=old.dev, ino=old.ino)
        lost = "" if item is not None else "it is in the desktop's trash and can be taken back from there"
        place = str(item.parent.resolve() / item.name) if item is not None else ""
        self._found.changes.append(Change(root, old, old, now_at=place, lost=lost))
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
        self._found.changes.append(Change(old, self._before[old], self._after[new], now_at=new))

    def _note(self) -> str:
        return " ".join(self._sentences())

    def _sentences(self) -> Iterator[str]:
        lost = [each for each in self._found.changes if each.lost]
        by_reason: dict[str, list[str]] = defaultdict(list)
        for each in lost:
            by_reason[each.lost].append(display_path(Path(each.path)))
        for reason, names in by_reason.items():
            yield f"Not {_names(names)}: {reason}."
        if self._known.unread:
            names = [display_path(Path(path)) for path in self._known.unread]
            yield f"Not what lies in {_names(names)}: it could not be read before."
        if not self._known.watch.held:
            yield "It ran outside the sandbox: what it did elsewhere is not covered."


def _names(names: list[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown


def _twins(entries: dict[str, Entry]) -> dict[tuple[int, int], list[str]]:
    found: dict[tuple[int, int], list[str]] = defaultdict(list)
    for path, entry in entries.items():
        if entry.kind is Kind.FILE and entry.links > 1:
            found[entry.inode].append(path)
    return found
