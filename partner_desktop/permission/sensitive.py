"""Sensitive places: where secrets lie, where programs are started from, and where programs listen.

A read of the first and a write to the second are asked about, each time; of the third no ability is ever
given anything. All by the resolved path alone, as `places.py` compares it; `executed_below` and `never_below`
look at the disk.

All blocking, and bounded in how much is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.paths import display_path
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.permission.places import places

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
    for folder in folders:
        for entry in _entries(folder):
            inside = Path(entry.path)
            if listed.holds(inside):
                found.append(inside)
            elif entry.is_dir(follow_symlinks=False) and listed.lies_below(inside):
                folders.append(inside)
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
    found, folders = list[Path](), [path]
    for looked_at, folder in enumerate(folders):
        if looked_at >= _MOST_FOLDERS:
            raise AskHumanError(
                f"{display_path(path)} holds more than {_MOST_FOLDERS:,} folders; give it a smaller one."
            )
        for entry in _entries(folder, links=True):
            inside = Path(entry.path)
            if inside in linked or (listed.may_end(entry.name) and listed.holds(inside)):
                found.append(inside)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(inside)
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
            raise AskHumanError(
                f"{display_path(path)} holds more links in places from where programs are started than can "
                "be looked at; give it a smaller folder."
            )
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
