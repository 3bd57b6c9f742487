"""Sensitive places: where secrets lie, where programs are started from, and where programs listen.

A read of the first and a write to the second are asked about, each time; of the third no ability is ever
given anything. All by the resolved path alone, compared with `resources/places.toml`; only `executed_below`
and `never_below` look at the disk, blocking, and bounded in how much is read. A place that the environment
has moved (`XDG_CONFIG_HOME`, `XDG_DATA_HOME`) counts where it is.
"""

from __future__ import annotations

import fnmatch
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import chain
from pathlib import Path, PurePath
from typing import Literal

from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path, shipped
from partner_desktop.domain.run_facts import PathUse

#: Folders that are looked through before something is given to write to.
_MOST_FOLDERS = 100_000
#: Places that are looked at for where they lead.
_MOST_LEADS = 10_000


def is_sensitive(use: PathUse, *, whole: bool) -> bool:
    """Whether a path that was chosen for this run may hold secrets.

    `whole`: it is given with everything in it, so that a folder above such a place counts, too. What a script
    declares for every run is no choice: the card showed it, and a grant is bound to it.
    """
    if not use.param:
        return False
    return any(map(is_sensitive_place, _names(use))) or (whole and lies_above(Path(use.path)))


def is_executed(use: PathUse, *, whole: bool) -> bool:
    """Whether a run may write to where programs are started from, be it chosen or declared for every run.

    What lies so in a folder of the person's choice that is none by itself (`.git` in a project) is not meant:
    that is mounted so that nothing can write there, see `executed_below`.
    """
    listed = places("executed")
    if use.access != "write":
        return False
    return any(map(listed.holds, _names(use))) or (whole and listed.lies_below(Path(use.path)))


def _names(use: PathUse) -> list[Path]:
    return [Path(use.path), *([Path(use.known_as)] if use.known_as else [])]


def known_as(path: Path) -> str:
    """The name in the home of a resolved path to which one of these places is linked (`~/.bashrc` to a folder
    of settings that is kept elsewhere); empty for others. Blocking.
    """
    for kind in ("executed", "secret"):
        for led, named in places(kind).linked().items():
            if path.is_relative_to(led):
                return str(named / path.relative_to(led))
    return ""


def is_sensitive_place(path: PurePath) -> bool:
    """Whether a resolved path is one of the places of secrets, or lies in one."""
    return places("secret").holds(path)


def lies_above(path: PurePath) -> bool:
    """Whether such places lie in a resolved folder as a rule: a home, `~/.config`, `/etc`."""
    return places("secret").lies_below(path)


def never_mounted(path: PurePath) -> bool:
    """Whether a resolved path is, or lies in, where programs listen (buses, agents) or devices are."""
    return places("never").holds(path)


def never_below(path: Path) -> list[Path]:
    """Those of them that are there, in a folder. Blocking."""
    listed, found, folders = places("never"), [], [path]
    all_of_it = listed.holds(path)
    for folder in folders:
        for entry in _entries(folder):
            if (all_of_it or listed.may_end(entry.name)) and listed.holds(Path(entry.path)):
                found.append(Path(entry.path))
            elif entry.is_dir(follow_symlinks=False) and listed.lies_below(Path(entry.path)):
                folders.append(Path(entry.path))
    return sorted(found)


def executed_below(path: Path) -> list[Path]:
    """Where programs are started from, at or below a resolved path that is given to write to; outermost ones.

    What is returned is there and is no link. Where such places lead is among it, too, as far as that lies
    below: what places of the home are linked to, the store of a `.git` that is a link or names another
    folder, hooks that are links or are kept elsewhere. Blocking: it looks through all folders.

    Raises:
        AskHumanError: There are too many folders to look through.
    """
    listed = places("executed")
    linked = listed.linked()
    if listed.holds(path) or any(path.is_relative_to(led) for led in linked):
        return [path]
    led_to, moved = set(map(str, linked)), {str(_real_folder(folder)) for folder, _usual in _moved()}
    found, folders = list[Path](), [path]
    for looked_at, folder in enumerate(folders):
        if looked_at >= _MOST_FOLDERS:
            raise AskHumanError("permission.too_many_folders", path=display_path(path), most=_MOST_FOLDERS)
        for entry in _entries(folder, links=True):
            may_be = entry.path in moved or listed.may_end(entry.name)
            if entry.path in led_to or (may_be and listed.holds(Path(entry.path))):
                found.append(Path(entry.path))
            elif entry.is_dir(follow_symlinks=False):
                folders.append(Path(entry.path))
    return _outermost([*(place for place in found if not place.is_symlink()), *_led_below(path, found)])


def _led_below(path: Path, found: list[Path]) -> list[Path]:
    """Where those places lead, step by step, as far as that lies in the folder."""
    known = dict.fromkeys(found)
    waiting = list(found)
    for place in waiting:
        for led in leads(place):
            if led not in known and (path in led.parents or is_store(led)):
                known[led] = None
                waiting.append(led)
        if len(waiting) > _MOST_LEADS:
            raise AskHumanError("permission.too_many_links", path=display_path(path))
    return [led for led in known if path in led.parents and os.path.lexists(led) and not led.is_symlink()]


def _outermost(places: Iterable[Path]) -> list[Path]:
    found = set(places)
    return sorted(place for place in found if not found & set(place.parents))


def _entries(folder: Path, *, links: bool = False) -> list[os.DirEntry[str]]:
    """What lies there, without links unless they are wanted; nothing, where it cannot be read, for then a
    run cannot either.
    """
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if links or not entry.is_symlink()]
    except OSError:
        return []


#: A file of git's that names another place is short; of a longer one the beginning counts.
_MOST_BYTES = 65_536
#: The folders below a place in which links count (`.git/hooks`).
_DEPTH = 2
#: What names a folder of hooks, a program that each command starts, or more settings.
_NAMED = re.compile(
    r"^[ \t]*(?:hookspath|fsmonitor|path)[ \t]*=[ \t]*(.+?)[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_WORKTREE = re.compile(r"^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t]*$", re.IGNORECASE | re.MULTILINE)


def is_store(place: Path) -> bool:
    """Whether git keeps its own there: such a folder tells of others."""
    return bool(_text(place / "HEAD"))


def leads(place: Path) -> list[Path]:
    """Where a place leads, resolved: itself, if it is a link, else by the links in it and git's own words."""
    if os.path.realpath(place) != str(place):
        return [_real(place)]
    found = [_real(link) for link in _links(place, _DEPTH)]
    if place.name.casefold() == ".git":
        said = re.match(r"gitdir:[ \t]*(.+)", _text(place))
        found += [_real(place.parent / said[1].strip())] if said else []
    store = place.parent if place.name.casefold() == "config" else place
    common = _text(store / "commondir").strip()
    if common:
        found.append(_real(store / common))
    for name in ("config", "config.worktree"):
        for text in _NAMED.findall(_text(store / name)):
            named = os.path.expanduser(text.strip('"'))  # noqa: PTH111 - unknown users
            # Hooks are meant from the working folder, further settings from the file that names them.
            found += [_real(folder / named) for folder in (store, _working_folder(store))]
    return found


def _working_folder(store: Path) -> Path:
    told = _WORKTREE.search(_text(store / "config"))
    said = _text(store / "gitdir").strip()  # of a further working folder: where its `.git` lies
    if told:
        return store / told[1].strip('"')
    return (store / said).parent if said else store.parent


def _links(folder: Path, depth: int) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = [
                (Path(entry.path), entry.is_symlink(), entry.is_dir(follow_symlinks=False))
                for entry in entries
            ]
    except OSError:
        return
    for inside, is_link, is_folder in found:
        if is_link:
            yield inside
        elif is_folder and depth > 1:
            yield from _links(inside, depth - 1)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _text(path: Path) -> str:
    try:
        if not path.is_file():  # nothing is waited for: not at a pipe
            return ""
        with path.open("rb") as file:
            return os.fsdecode(file.read(_MOST_BYTES)).replace("\0", "")
    except OSError:
        return ""


Parts = tuple[str, ...]

#: Variables that move a folder of the home.
_MOVED = (("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share"))
_HOME = "~"
#: What homes lie in, and the whole of a disk.
_HOMES = (("/",), ("/", "home"), ("/", "users"), ("/", "var", "home"))


@dataclass(frozen=True)
class PlaceList:
    """One kind of places; all patterns in lower case."""

    below: Mapping[str, tuple[Parts, ...]]
    """By their first part; those that begin with a pattern under an empty one."""
    homely: tuple[str, ...]
    """Those that may lie in a home, as they are written there; a pattern in none but the first part."""
    names: Parts
    examples: Parts
    system: tuple[Parts, ...]
    but: tuple[Parts, ...]

    def holds(self, path: PurePath) -> bool:
        """Whether a resolved path is one of the places, or lies in one."""
        parts = _parts(path)
        if any(_begins(parts, one) for one in self.system) and not any(
            _begins(parts, one) for one in self.but
        ):
            return True
        spelled = _spelled(path)
        for at, part in enumerate(spelled):
            if any(_begins(spelled[at:], one) for one in (*self.below.get(part, ()), *self.below[""])):
                return True
        return any(self._tells(part) for part in parts)

    def lies_below(self, path: PurePath) -> bool:
        """Whether such places lie in a resolved folder as a rule: a home, `~/.config`, `/etc`."""
        parts = _parts(path)
        if _home().is_relative_to(path) or parts in _HOMES:
            return True
        if any(_begins(one, parts) for one in self.system):
            return True
        spelled = _spelled(path)
        if spelled[:1] != (_HOME,):
            return False
        inside = spelled[1:]
        return any(_begins(one[1:] if one[0] == _HOME else one, inside) for one in self._patterns())

    def linked(self) -> dict[Path, Path]:
        """Those of the home that are links or lie behind one, by where they lead. Blocking."""
        home = _home()
        there = sorted(one.name for one in home.iterdir()) if home.is_dir() else []
        named = [
            f"{name}/{rest}".rstrip("/")
            for first, _, rest in (text.partition("/") for text in self.homely)
            for name in (fnmatch.filter(there, first) if "*" in first else [first] * (first in there))
        ]
        plain: dict[str, bool] = {"": True}
        led = [
            (Path(os.path.realpath(home / one)), home / one)
            for one in named
            if not _is_plain(home, one, plain)
        ]
        # What leads to the home, or above it, says nothing of what lies there.
        return {to: one for to, one in led if to != one and not home.is_relative_to(to)}

    def may_end(self, name: str) -> bool:
        """Whether one of the places may be called so: what is not, in a folder that is none, is none."""
        return self._ends.match(name.casefold()) is not None

    @cached_property
    def _ends(self) -> re.Pattern[str]:
        return _any_of((*self.names, *(one[-1] for one in (*self._patterns(), *self.system))))

    @cached_property
    def _telling(self) -> re.Pattern[str]:
        return _any_of(self.names)

    @cached_property
    def _exempt(self) -> re.Pattern[str]:
        return _any_of(self.examples)

    def _patterns(self) -> Iterator[Parts]:
        return chain.from_iterable(self.below.values())

    def _tells(self, part: str) -> bool:
        return self._telling.match(part) is not None and self._exempt.match(part) is None


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """Of a folder of ten thousand files each is looked at: one match for all patterns."""
    return re.compile("|".join(map(fnmatch.translate, patterns)) or "(?!)")


@cache
def places(kind: Literal["secret", "executed", "never"]) -> PlaceList:
    """The places of a kind."""
    found = tomllib.loads((shipped("resources") / "places.toml").read_text(encoding="utf-8"))[kind]
    return PlaceList(
        below=_by_first(_of_text(text) for text in found["below"]),
        homely=tuple(
            text.removeprefix("~/") for text in found["below"] if "*" not in text or text.startswith("~/")
        ),
        names=tuple(name.casefold() for name in found["names"]),
        examples=tuple(name.casefold() for name in found["examples"]),
        system=tuple(_parts(PurePath(text)) for text in found["system"]),
        but=tuple(_parts(PurePath(text)) for text in found.get("but", ())),
    )


def _is_plain(home: Path, place: str, known: dict[str, bool]) -> bool:
    """Whether a place in the home is no link and lies behind none; `known` is what was looked at before."""
    found = known.get(place)
    if found is None:
        above = _is_plain(home, place.rpartition("/")[0], known)
        found = known[place] = above and not (home / place).is_symlink()
    return found


def _by_first(patterns: Iterable[Parts]) -> dict[str, tuple[Parts, ...]]:
    found: dict[str, tuple[Parts, ...]] = {"": ()}
    for pattern in patterns:
        first = "" if "*" in pattern[0] else pattern[0]
        found[first] = (*found.get(first, ()), pattern)
    return found


def _of_text(text: str) -> Parts:
    return tuple(text.casefold().split("/"))


def _parts(path: PurePath) -> Parts:
    return tuple(part.casefold() for part in path.parts)


def _spelled(path: PurePath) -> Parts:
    """The path as it is usually written: `~` for a home, anybody's, and moved folders where they belong."""
    home = _home()
    for moved, usual in _moved():
        if path.is_relative_to(_real_folder(moved)):
            return (_HOME, *_of_text(usual), *_parts(path.relative_to(_real_folder(moved))))
    if path.is_relative_to(home):
        return (_HOME, *_parts(path.relative_to(home)))
    parts = _parts(path)
    if parts[:2] == ("/", "root"):
        return (_HOME, *parts[2:])
    place = next((len(homes) for homes in _HOMES[1:] if _begins(parts[:-1], homes)), 0)
    return (_HOME, *parts[place + 1 :]) if place else parts


def _moved() -> Iterator[tuple[str, str]]:
    """Folders that the environment moved, and where they are as a rule."""
    for variable, usual in _MOVED:
        folder = os.environ.get(variable, "")
        if folder.startswith("/"):
            yield folder, usual


def _home() -> Path:
    return _real_folder(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where no home is known


@cache
def _real_folder(folder: str) -> Path:
    """Where a folder of the environment's lies: `/home` itself is a link on some systems."""
    return Path(os.path.realpath(folder))


def _begins(parts: Parts, pattern: Parts) -> bool:
    """Whether the first parts are those of the pattern."""
    if len(parts) < len(pattern):
        return False
    pairs = zip(parts, pattern, strict=False)
    return all(part == one or ("*" in one and fnmatch.fnmatchcase(part, one)) for part, one in pairs)
