"""What of the disk a run is shown: held open before the sandbox is made, compared again when it is.

bwrap mounts by name (`/proc/self/fd/N` it resolves to a name first, and a descriptor that it is given stays
open in the run), and between a look and a mount a name may come to lead elsewhere. So each place is opened
part by part, without following links, and kept; bwrap mounts its name; and while it still holds the run back,
what really lies at each place in the sandbox is compared with what is held. The system's own folders, which
only root can change, are left out of that.

Partner's own places are known by device and inode, and by where they lie on their disk: they stay closed
under any other name, too (another spelling, a bind mount), and are covered where a folder above is shown.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path

from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.files.no_symlinks import Identity, OpenPlace, identity_of, open_place

_MOUNTS = Path("/proc/self/mountinfo")
_COVER_BYTES = 4096


@dataclass(frozen=True)
class Mount:
    """One place that a run is shown."""

    source: str
    """Absolute, without links."""
    place: str = ""
    """Where it is inside; the same by default."""
    writable: bool = False
    ours: bool = False
    """Of Partner's own places, and meant to be shown: the script, its workspace, what a run left for it."""
    optional: bool = False
    """Left out where it is not there."""
    seen: tuple[int, ...] = ()
    """See `PathUse.seen`."""

    @property
    def inside(self) -> str:
        return self.place or self.source


@dataclass
class HeldMounts:
    """Places that are held open, and what covers Partner's own among them. Closed by whoever opened them."""

    held: dict[str, tuple[Mount, OpenPlace]] = field(default_factory=dict)
    """By where they are inside; of two at one place the later one is shown."""
    covers: dict[str, Identity] = field(default_factory=dict)
    """By where they are inside: what is not to be seen there."""
    own: list[OpenPlace] = field(default_factory=list)

    def arguments(self) -> list[str]:
        """bwrap's, outer places first, so that the inner ones lie on top."""
        kinds = dict.fromkeys(self.covers, "")
        for inside, (mount, _) in self.held.items():
            kinds[inside] = "--bind" if mount.writable else "--ro-bind"
        arguments: list[str] = []
        for inside, kind in sorted(kinds.items(), key=lambda item: item[0].count("/")):
            if kind:
                arguments += [kind, self.held[inside][0].source, inside]
            else:
                arguments += ["--perms", "0700", "--size", str(_COVER_BYTES), "--tmpfs", inside]
        for inside, kind in kinds.items():
            arguments += () if kind else ("--remount-ro", inside)
        return arguments

    def check(self, root: str) -> None:
        """Compare with what lies in a sandbox that waits; `root` is its root, seen from here.

        Raises:
            AskHumanError: Something else is mounted there, or it cannot be seen.
        """
        try:
            below = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise AskHumanError("runner.unseen") from error
        try:
            found, outside = os.fstat(below), os.stat("/")  # noqa: PTH116 - the root of this machine
            if (found.st_dev, found.st_ino) == (outside.st_dev, outside.st_ino):
                raise AskHumanError("runner.unseen")
            for inside, (mount, place) in self.held.items():
                if _identity(inside, below) != place.identity:
                    raise AskHumanError("runner.another", place=display_path(Path(mount.source)))
            for inside, hidden in self.covers.items():
                if inside not in self.held and _identity(inside, below) == hidden:
                    raise AskHumanError("runner.own", place=display_path(Path(inside)))
        finally:
            os.close(below)

    def close(self) -> None:
        """Let go of them; more than once, if need be."""
        for place in (*(place for _, place in self.held.values()), *self.own):
            os.close(place.handle)
        self.held.clear()
        self.own.clear()


def hold(mounts: Sequence[Mount], own: Sequence[Path], closed: Sequence[Path] = ()) -> HeldMounts:
    """Open the places; of what is named twice, writable beats read-only. `own`: Partner's places; `closed`:
    other folders that are never shown, by their own names.

    Raises:
        AskHumanError: One is a link or behind one, is not what was shown, or is Partner's own.
    """
    found = HeldMounts()
    try:
        for path in own:
            with suppress(FileNotFoundError, NotADirectoryError):
                found.own.append(_open(str(path)))
        disk = _Disk()
        for mount in sorted(mounts, key=lambda mount: mount.writable):
            try:
                place = _open(mount.source)
            except FileNotFoundError:
                if mount.optional:
                    continue
                raise AskHumanError("runner.place_gone", place=display_path(Path(mount.source))) from None
            before = found.held.pop(mount.inside, None)
            if before is not None:
                os.close(before[1].handle)
            found.held[mount.inside] = (mount, place)
            if place.way[-2:] and not _as_seen(place, mount.seen):
                raise AskHumanError("runner.another", place=display_path(Path(mount.source)))
            for owned in found.own:
                _keep_closed(found, mount, place, owned, disk)
        for path in closed:
            hidden = identity_of(str(path))
            if hidden is not None:
                found.covers[str(path)] = hidden
    except BaseException:
        found.close()
        raise
    return found


def _keep_closed(found: HeldMounts, mount: Mount, place: OpenPlace, own: OpenPlace, disk: _Disk) -> None:
    """Refuse what lies in a place of Partner's, cover that place in what lies above it."""
    inside = own.identity in place.way or disk.holds(own.path, place.path)
    if inside and not mount.ours:
        raise AskHumanError("runner.own", place=display_path(Path(mount.source)))
    if inside:
        return
    if place.identity in own.way:
        names = Path(own.path).parts[len(own.way) - own.way[::-1].index(place.identity) :]
        found.covers[str(Path(mount.inside, *names))] = own.identity
    for within in disk.views(own.path, place.path):
        found.covers[str(Path(mount.inside, within))] = own.identity


def _open(path: str) -> OpenPlace:
    """As `open_place`.

    Raises:
        FileNotFoundError: It is not there.
        AskHumanError: A link is in the way, or it cannot be reached.
    """
    try:
        return open_place(path)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        shown, real = display_path(Path(path)), os.path.realpath(path)
        if real != path:
            raise AskHumanError("runner.link", place=shown, real=display_path(Path(real))) from error
        why = system_reason(error) if isinstance(error, OSError) else LazySentence("runner.name_is_none")
        raise AskHumanError("runner.not_opened", place=shown, reason=why) from error


def seen_of(path: str) -> tuple[int, ...]:
    """What a card shows with a path, see `PathUse.seen`; empty where it cannot be told."""
    for there, short in ((path, False), (os.path.dirname(path), True)):  # noqa: PTH120 - strings throughout
        try:
            place = open_place(there)
        except (OSError, ValueError):
            continue
        os.close(place.handle)
        way = place.way[-1:] if short else place.way[-2:] if place.is_folder else place.way[-2:-1]
        return tuple(number for identity in way for number in identity)
    return ()


def _as_seen(place: OpenPlace, seen: tuple[int, ...]) -> bool:
    now = tuple(number for identity in place.way[-2:] for number in identity)
    return now[: len(seen)] == seen


def _identity(inside: str, below: int) -> Identity | None:
    """Of what lies somewhere in the sandbox; no link is followed, for it would lead out of it."""
    try:
        place = open_place(inside, below=below)
    except OSError:
        return None
    os.close(place.handle)
    return place.identity


class _Disk:
    """Where folders lie on their disk, whatever name they are reached by; as of its making."""

    def __init__(self) -> None:
        self._points: list[tuple[str, str, str]] = []
        """(mounted at, device, which folder of it), in their order."""
        with suppress(FileNotFoundError):  # there is no such list on other systems
            # Only line feeds end a line: a name may hold all other signs that Python would part lines at.
            for line in os.fsdecode(_MOUNTS.read_bytes()).split("\n")[:-1]:
                words = [_unescaped(word) for word in line.split(" ")[:5]]
                self._points.append((words[4], words[2], words[3]))

    def holds(self, own: str, path: str) -> bool:
        """Whether `path` lies in `own`, as the disk sees it."""
        device, place = self._on_disk(own)
        other, lies = self._on_disk(path)
        return bool(device) and device == other and _within(place, lies) is not None

    def views(self, own: str, path: str) -> Iterator[str]:
        """Where in `path` the folder `own` can be seen: relative to it, also by what is mounted below."""
        device, place = self._on_disk(own)
        seen = [("", *self._on_disk(path))]
        for point, other, root in self._points:
            below = _within(path, point)
            if below:
                seen.append((below, other, root))
        for below, other, root in seen:
            if not device or device != other:
                continue
            within = _within(root, place)
            if within is not None:
                yield os.path.join(below, within)  # noqa: PTH118 - may both be empty
            elif below and _within(place, root) is not None:
                yield below

    def _on_disk(self, path: str) -> tuple[str, str]:
        """(device, folder of it); empty where it is not known."""
        best = ("", "", "")
        for point in self._points:
            if _within(point[0], path) is not None and len(point[0]) >= len(best[0]):
                best = point
        return best[1], os.path.join(best[2], _within(best[0], path) or "").rstrip("/") or "/"  # noqa: PTH118


def _within(folder: str, path: str) -> str | None:
    """The way from a folder to what lies in it, empty for itself; `None` for what does not."""
    if path == folder:
        return ""
    prefix = folder.rstrip("/") + "/"
    return path[len(prefix) :] if path.startswith(prefix) else None


def _unescaped(word: str) -> str:
    for code, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        word = word.replace(code, sign)
    return word
