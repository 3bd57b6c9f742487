"""Takes back what a run changed. Blocking, for use off the loop.

First everything that comes from a copy is built beside its place: a disk without room is noticed while
nothing has changed yet. Then each path is put back by one rename. What the run made goes to the desktop's
trash. A step that fails ends it; what is done stays done, and the same can be asked for again.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from partner_desktop.action.undo.changes import COPIES, Changes, PathChange
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.files import no_symlinks
from partner_desktop.files.file_copy import bring_to_disk, copy_content
from partner_desktop.files.trash import forget_in_trash, move_to_trash
from partner_desktop.files.tree import Kind, TreeEntry, alike, look

#: Moves a file or folder to another disk: source, target.
MoveFar = Callable[[Path, Path], None]


class HalfDoneError(Exception):
    """A step failed when others were done: `path` could not be put back."""

    def __init__(self, path: str, error: OSError) -> None:
        super().__init__(path)
        self.path = path
        self.reason = system_reason(error)


class Restoration:
    """One undo. `mark`: makes the names of what is built unlike any other's."""

    def __init__(
        self, changes: Changes, folder: Path, *, mark: str, check: Callable[[], None], move_far: MoveFar
    ) -> None:
        self._left = [each for each in changes.possible if not _is_back(each)]
        self._known = changes
        self._copies = folder / COPIES
        self._mark = mark
        self._check = check
        self._move_far = move_far
        self._built: dict[str, str] = {}
        """Path → where what comes to it was built."""

    def work(self) -> None:
        """Raises:
        OSError: It cannot be begun; nothing was changed.
        HalfDoneError: It cannot be ended.
        """
        try:
            self._build_all()
            for change, step in self._steps():
                try:
                    step(change)
                except OSError as error:
                    raise HalfDoneError(change.path, error) from error
        finally:
            for place in self._built.values():
                with suppress(OSError):  # the disk is gone, or read-only by now
                    no_symlinks.remove_file(place)

    # Building.

    def _build_all(self) -> None:
        left = {each.path for each in self._left}
        disks: dict[int, Path] = {}
        for number, change in enumerate(self._known.changes):
            if change.path in left and _comes_from_copy(change) and not _in_place(change):
                self._check()
                folder = _near(Path(change.path).parent)
                disks[folder.stat().st_dev] = folder
                self._build(change, str(folder / f".{self._mark}.{number}.undo"))
        for folder in disks.values():
            bring_to_disk(folder)

    def _build(self, change: PathChange, place: str) -> None:
        with suppress(FileNotFoundError):  # of an attempt that was cut off
            os.unlink(place)  # noqa: PTH108 - thousands
        self._built[change.path] = place
        changed = {each.path for each in self._known.changes} if change.twins else set()
        same = (path for path in change.twins if path not in changed and alike(look(path), change.before))
        twin = next(same, None)
        source = twin or next((self._built[path] for path in change.twins if path in self._built), None)
        if source is not None and source != place:
            no_symlinks.link(source, place)
        else:
            self._fill(place, change)

    def _fill(self, place: str, change: PathChange) -> None:
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            self._pour(handle, change)
        finally:
            os.close(handle)

    def _pour(self, handle: int, change: PathChange) -> None:
        """The content, the rights and the time of before."""
        assert change.before is not None
        source = os.open(self._copies / change.copy, os.O_RDONLY | os.O_CLOEXEC)
        try:
            if os.fstat(source).st_size != change.before.size_bytes:
                raise OSError(0, sentence_of("undo.copy_not_whole"))
            copy_content(source, handle, self._check)
        finally:
            os.close(source)
        os.fchmod(handle, change.before.mode)
        os.utime(handle, ns=(change.before.mtime_ns, change.before.mtime_ns))

    # Putting back, in the order in which nothing is in the way of anything.

    def _steps(self) -> Iterator[tuple[PathChange, Callable[[PathChange], None]]]:
        left = sorted(self._left, key=lambda each: each.path)
        folders = [each for each in left if _kind(each.before) is Kind.FOLDER and not each.now_at]
        yield from ((each, _open_up) for each in folders if _kind(each.after) is Kind.FOLDER)
        in_the_way = [each for each in left if not each.now_at and _goes(each)]
        new_folders = [each for each in in_the_way if _kind(each.after) is Kind.FOLDER]
        within = {each.path for each in new_folders}
        single = [each for each in in_the_way if _kind(each.after) is not Kind.FOLDER]
        yield from ((each, _away) for each in single if not within & {*map(str, Path(each.path).parents)})
        yield from ((each, _make_folder) for each in folders)
        yield from ((each, self._move_back) for each in left if each.now_at)
        yield from ((each, self._clear) for each in new_folders)
        yield from ((each, _drop) for each in reversed(new_folders))
        yield from ((each, self._put_back) for each in left if not each.now_at)
        yield from ((each, _finish_folder) for each in reversed(folders))

    def _move_back(self, change: PathChange) -> None:
        if look(change.path) is not None:
            raise FileExistsError(0, sentence_of("undo.in_the_way"))
        _make_way(change.path)
        try:
            no_symlinks.rename(change.now_at, change.path)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            self._move_far(Path(change.now_at), Path(change.path))
        forget_in_trash(Path(change.now_at))

    def _clear(self, change: PathChange) -> None:
        """A folder that the run made goes as a whole; of one that holds more by now, what is the run's."""
        if look(change.path) is None:
            return
        made = {each.path: each for each in self._known.changes if each.before is None}
        held = [name for name in _held(change.path) if name not in made]
        if not held and next(_held(change.path), None) is not None:
            move_to_trash(Path(change.path))
        elif held:
            for name in [*_held(change.path)]:
                if name in made and _kind(made[name].after) is not Kind.FOLDER:
                    _away(made[name])

    def _put_back(self, change: PathChange) -> None:
        if change.before is None or change.before.kind is Kind.FOLDER:
            return
        _make_way(change.path)
        if change.before.kind is Kind.LINK:
            place = str(Path(change.path).with_name(f".{self._mark}.link.undo"))
            with suppress(FileNotFoundError):
                no_symlinks.remove_file(place)
            no_symlinks.make_link(place, change.before.target)
            no_symlinks.rename(place, change.path)
        elif _in_place(change):
            handle = no_symlinks.open_file(change.path, os.O_WRONLY | os.O_TRUNC)
            try:
                self._pour(handle, change)
                os.fsync(handle)
            finally:
                os.close(handle)
        else:
            no_symlinks.rename(self._built[change.path], change.path)
            del self._built[change.path]


def _near(folder: Path) -> Path:
    """The folder, or the next one above it on its disk that is there and can be written.

    Raises:
        OSError: There is none.
    """
    while not folder.is_dir():
        folder = folder.parent
    disk = folder.stat().st_dev
    while folder.stat().st_dev == disk:
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
        if folder == folder.parent:
            break
        folder = folder.parent
    raise PermissionError(0, sentence_of("undo.unwritable"))


def _kind(entry: TreeEntry | None) -> Kind | None:
    return entry.kind if entry is not None else None


def _is_back(change: PathChange) -> bool:
    with suppress(OSError):
        if not change.now_at and alike(change.before, change.after):
            return False  # it differs only in its content
        there = look(change.now_at) if change.now_at else None
        return there is None and alike(look(change.path), change.before)
    return False


def _comes_from_copy(change: PathChange) -> bool:
    return not change.now_at and _kind(change.before) is Kind.FILE


def _in_place(change: PathChange) -> bool:
    """A file with names elsewhere that the run wrote into: only its own inode reaches those names."""
    old, new = change.before, change.after
    if old is None or new is None or old.kind is not Kind.FILE or change.now_at:
        return False
    return old.inode == new.inode and old.links > len(change.twins) + 1


def _goes(change: PathChange) -> bool:
    """Something lies there that has to make room: what the run made, or another kind of thing."""
    return change.after is not None and _kind(change.before) is not change.after.kind


def _away(change: PathChange) -> None:
    now = look(change.path)
    if now is None:
        return
    if now.kind is Kind.FILE:
        move_to_trash(Path(change.path))
    else:
        no_symlinks.remove_file(change.path)  # a link or a pipe holds nothing that a trash would keep


def _held(folder: str) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield os.path.join(place, name)  # noqa: PTH118 - thousands


def _drop(change: PathChange) -> None:
    """A folder of the run's that is empty by now; what holds something of the person's stays."""
    now = look(change.path)
    if now is None or now.kind is not Kind.FOLDER:
        return
    try:
        no_symlinks.remove_empty(change.path)
    except OSError as error:
        if change.before is not None or error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise


def _open_up(change: PathChange) -> None:
    """Something may have to be put into a folder whose rights the run took."""
    if change.before is not None:
        no_symlinks.set_folder(change.path, mode=change.before.mode | 0o700)


def _make_folder(change: PathChange) -> None:
    if look(change.path) is None:
        _make_way(change.path)
        no_symlinks.make_folder_in(change.path)


def _make_way(path: str) -> None:
    """The folders above it that are gone by now."""
    above = os.path.dirname(path)  # noqa: PTH120 - as `exact` has it
    if look(above) is None:
        _make_way(above)
        no_symlinks.make_folder_in(above)


def _finish_folder(change: PathChange) -> None:
    if change.before is not None:
        no_symlinks.set_folder(change.path, mode=change.before.mode, mtime_ns=change.before.mtime_ns)
