"""Dictionaries: what lies on this system in Hunspell's format, for the languages that it is set to."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass

#: Languages that are checked at once: a word is right where one of them has it.
_MOST = 3
_FOLDERS = ("hunspell", "myspell", "myspell/dicts")
_DATA = "/usr/local/share:/usr/share"


@dataclass(frozen=True)
class SpellDictionary:
    """One language's."""

    language: str
    """As its file is called: `en_GB`."""
    stem: Path
    """Its two files without their endings."""


def dictionary_folders(environ: Mapping[str, str]) -> list[Path]:
    """Where they may lie, the first the most wanted."""
    own = environ.get("XDG_DATA_HOME") or str(Path(environ.get("HOME") or "/") / ".local/share")
    data = f"{own}:{environ.get('XDG_DATA_DIRS') or _DATA}"
    named = [Path(one) for one in environ.get("DICPATH", "").split(":") if one]
    shared = [Path(one) / folder for one in data.split(":") if one for folder in _FOLDERS]
    return [*named, *shared]


def system_languages(environ: Mapping[str, str]) -> list[str]:
    """What the system is set to, the first first, as `de_AT` or `de`; none: to no language."""
    chosen = next(
        (environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)),
        "",
    )
    named = f"{environ.get('LANGUAGE', '')}:{chosen}".split(":")
    plain = [one.partition(".")[0].partition("@")[0] for one in named]
    return [one for one in dict.fromkeys(plain) if one and one not in ("C", "POSIX")]


def system_dictionaries(environ: Mapping[str, str] = os.environ) -> list[SpellDictionary]:
    """Those of the languages of the system, as far as they are there. Blocking."""
    found: dict[str, SpellDictionary] = {}
    there = dict(_there(dictionary_folders(environ)))
    for language in system_languages(environ):
        name = _named(language, there)
        if name and len(found) < _MOST:
            found.setdefault(name.partition("_")[0], SpellDictionary(name, there[name]))
    return [*found.values()]


def _there(folders: list[Path]) -> Iterator[tuple[str, Path]]:
    """Those of the first folders last, so that they count."""
    for folder in reversed(folders):
        try:
            files = sorted(folder.glob("*.dic"))
        except OSError:
            continue
        for file in files:
            if file.with_suffix(".aff").is_file():
                yield file.stem.replace("-", "_"), file.with_suffix("")


def _named(language: str, there: Mapping[str, Path]) -> str:
    """The dictionary for a language: its own country's, the language's, or another country's."""
    short = language.partition("_")[0]
    home = f"{short}_{short.upper()}"
    others = sorted(name for name in there if name.partition("_")[0] == short)
    return next((name for name in (language, short, home, *others) if name in there), "")
