"""Requests to try, made from the abilities that are really here."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route

MOST = 4
_CHINESE = re.compile("[\u4e00-\u9fff]")
_FOLDER_WORDS = ("folder", "dir")
#: What the example's path stands for, where the alias names it.
_NOUN = re.compile(r"\b(?:a|an|the|my|this) (?:text )?(?:file|folder|directory)\b")


#: What a text file is none of.
_NO_TEXT = re.compile(r"image|photo|picture|pdf|audio|music|video|movie|archive|\bzip", re.IGNORECASE)
#: Words after which something has to follow.
_OPEN_ENDS = frozenset(
    ("a", "an", "the", "that", "to", "in", "of", "for", "with", "about", "into", "from", "is", "say", "says")
) | {"called", "named"}
#: An alias of fewer words reads like a label.
_FULL_WORDS = 4
_TEXT_ENDINGS = frozenset((".txt", ".md", ".markdown", ".rst", ".org"))
#: Names that need no quotation marks.
_PLAIN = re.compile(r"[\w.\-]+")
#: A folder is looked through so far.
_MOST_ENTRIES = 2000
_LARGEST_BYTES = 1_000_000


@dataclass(frozen=True)
class KnownPaths:
    """As a person writes them; empty where there is none."""

    folder: str = ""
    file: str = ""
    other_folder: str = ""
    """A second one, so that not every example is about the first."""


def own_folders() -> list[Path]:
    """Where the person keeps documents and downloads, whatever the system calls these folders."""
    places = QStandardPaths.StandardLocation
    named = [
        QStandardPaths.writableLocation(place)
        for place in (places.DocumentsLocation, places.DownloadLocation)
    ]
    # A system without such folders names the home itself: nobody wants all of it tidied as an example.
    return [Path(name) for name in named if name and Path(name) != Path.home()]


def look_for_paths(folders: Sequence[Path]) -> KnownPaths:
    """Folders that hold something come first; then the first text file that lies directly in one.

    Blocks: not for the event loop.
    """
    there = [folder for folder in folders if folder.is_dir() and os.access(folder, os.R_OK | os.X_OK)]
    there.sort(key=lambda folder: not _holds_files(folder))
    texts = (file for folder in there for file in _texts(folder))
    folder, file = next(iter(there), None), next(texts, None)
    other = next((one for one in there[1:] if _holds_files(one)), None)
    return KnownPaths(*(_written(one) if one else "" for one in (folder, file, other)))


def _holds_files(folder: Path) -> bool:
    """Something that a person put there."""
    with os.scandir(folder) as entries:
        first = (entry for entry, _ in zip(entries, range(_MOST_ENTRIES), strict=False))
        return any(not entry.name.startswith(".") and entry.is_file() for entry in first)


def _texts(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        names = [entry.name for entry, _ in zip(entries, range(_MOST_ENTRIES), strict=False)]
    for name in sorted(names):
        file = folder / name
        if file.suffix.lower() in _TEXT_ENDINGS and _PLAIN.fullmatch(name) and _is_text(file):
            yield file


def _is_text(file: Path) -> bool:
    try:
        if not file.is_file() or not 0 < file.stat().st_size <= _LARGEST_BYTES:
            return False
        with file.open("rb") as stream:
            return b"\0" not in stream.read(1024)
    except OSError:
        return False


def _written(path: Path) -> str:
    shown = display_path(path)
    return f'"{shown}"' if " " in shown else shown


_NOTHING_KNOWN = KnownPaths()


def example_request(
    info: MetaActionInfo, *, chinese: bool = False, known: KnownPaths = _NOTHING_KNOWN
) -> str:
    """One sentence that asks for the ability; it names a path only where one is really there.

    Without one the path is left out, and Partner asks for it.
    """
    info = info.told
    named = [alias for alias in info.aliases if alias.strip()]
    own = next((alias for alias in named if _CHINESE.search(alias)), "") if chinese else ""
    said = [] if chinese and _CHINESE.search(info.title) else [alias for alias in named if alias.isascii()]
    words = own or _reads_well(said) or _plain_title(info)
    words = words[:1].lower() + words[1:]
    for name in info.required():
        filler = _filler(name, info.properties().get(name, {}), known)
        if filler:
            told = _NOUN.sub(filler.replace("\\", r"\\"), words, count=1)
            if own:
                return f"{words} {filler}"
            return told if told != words else f"{words} in {filler}"
    return words


def _reads_well(aliases: Sequence[str]) -> str:
    """The first that is a whole request, else the first."""
    whole = (
        alias
        for alias in aliases
        if len(alias.split()) >= _FULL_WORDS and alias.split()[-1].lower() not in _OPEN_ENDS
    )
    return next(whole, aliases[0] if aliases else "")


def examples(
    abilities: Iterable[Ability], *, chinese: bool = False, known: KnownPaths = _NOTHING_KNOWN
) -> list[str]:
    """A few requests: the person's own abilities first, of every place the easy and harmless ones.

    Those that name a folder or a file of the person's lead: what comes of them can be seen at once.
    """
    usable = [ability.info for ability in abilities if ability.info is not None and ability.usable]
    found: list[str] = []
    again: list[str] = []
    for info in _mixed(usable, known):
        request = example_request(info, chinese=chinese, known=known)
        if known.file and known.file in request and known.file in " ".join(found):
            again.append(request)  # one example of a file says enough
        elif info.key != "builtin::command::execute" and request not in found:
            found.append(request)
            if known.other_folder and known.folder in request:
                known = replace(known, folder=known.other_folder, other_folder=known.folder)
        if len(found) == MOST:
            break
    return (found + again)[:MOST]


def _mixed(usable: Iterable[MetaActionInfo], known: KnownPaths) -> list[MetaActionInfo]:
    """By turns from each place, so that a server with many tools does not take all the room."""
    easy = sorted(usable, key=lambda info: (len(info.required()), not info.annotations.read_only, info.key))
    turns: Counter[str] = Counter()
    ranked = []
    for info in easy:
        builtin, names_path = info.route is Route.BUILTIN, _names_path(info, known)
        ranked.append((builtin, not names_path, turns[info.location], info.location != "local"))
        turns[info.location] += 1
    return [easy[place] for place in sorted(range(len(easy)), key=lambda place: ranked[place])]


def _names_path(info: MetaActionInfo, known: KnownPaths) -> bool:
    """Whether its example is about something of the person's."""
    told = info.told
    return any(_filler(name, told.properties().get(name, {}), known) for name in told.required())


def _plain_title(info: MetaActionInfo) -> str:
    """A label as one says it: servers write `Get Sum Tool`."""
    words = [word for word in info.title.split() if word != "Tool"] or [info.title]
    if all(word[:1].isupper() for word in words):
        return " ".join(word.lower() if word.istitle() else word for word in words)
    return info.title


def _filler(name: str, schema: JsonObject, known: KnownPaths) -> str:
    if schema.get("format") != "path" or schema.get("x-partner-new"):  # what is there is not to be made
        return ""
    if any(word in name.lower() for word in _FOLDER_WORDS):
        return known.folder
    return "" if _NO_TEXT.search(f"{name} {schema.get('description', '')}") else known.file
