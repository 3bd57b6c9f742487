"""Places: paths that Partner is careful with, and how a path is compared with them.

Facts only: a resolved path is compared with `resources/places.toml`; nothing is looked at. A place
that the environment has moved (`XDG_CONFIG_HOME`, `XDG_DATA_HOME`) counts where it is.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import filter as fnmatch_filter
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain
from pathlib import Path, PurePath
from typing import Literal

from partner_desktop.base.paths import shipped

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
            for name in (fnmatch_filter(there, first) if "*" in first else [first] * (first in there))
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
        """Whether one of the places may be called so: what is not needs no closer look."""
        folded = name.casefold()
        return self._tells(folded) or any(fnmatchcase(folded, one[-1]) for one in self._patterns())

    def _patterns(self) -> Iterator[Parts]:
        return chain.from_iterable(self.below.values())

    def _tells(self, part: str) -> bool:
        if any(fnmatchcase(part, example) for example in self.examples):
            return False
        return any(fnmatchcase(part, pattern) for pattern in self.names)


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
    for variable, usual in _MOVED:
        moved = os.environ.get(variable, "")
        if moved.startswith("/") and path.is_relative_to(_real(moved)):
            return (_HOME, *_of_text(usual), *_parts(path.relative_to(_real(moved))))
    if path.is_relative_to(home):
        return (_HOME, *_parts(path.relative_to(home)))
    parts = _parts(path)
    if parts[:2] == ("/", "root"):
        return (_HOME, *parts[2:])
    place = next((len(homes) for homes in _HOMES[1:] if _begins(parts[:-1], homes)), 0)
    return (_HOME, *parts[place + 1 :]) if place else parts


def _home() -> Path:
    return _real(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where no home is known


@cache
def _real(folder: str) -> Path:
    """Where a folder of the environment's lies: `/home` itself is a link on some systems."""
    return Path(os.path.realpath(folder))


def _begins(parts: Parts, pattern: Parts) -> bool:
    """Whether the first parts are those of the pattern."""
    if len(parts) < len(pattern):
        return False
    pairs = zip(parts, pattern, strict=False)
    return all(part == one or ("*" in one and fnmatchcase(part, one)) for part, one in pairs)
