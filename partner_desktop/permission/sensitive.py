"""Sensitive places: where secrets lie, where programs are started from, and where programs listen.

A read of the first and a write to the second are asked about, each time; of the third no ability is ever
given anything. All by the resolved path alone, as `places.py` compares it; `executed_below` and `never_below`
look at the disk.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePath

from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.paths import display_path
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.permission.leads import is_store, leads
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
