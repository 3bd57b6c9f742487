"""Where every file of a folder belongs, by its type."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field

TYPES = {
    "Images": "jpg jpeg jpe png gif webp bmp tif tiff heic heif avif svg ico raw cr2 cr3 nef arw dng orf "
    "rw2 psd xcf kra",
    "Videos": "mp4 m4v mov mkv webm avi wmv flv mpg mpeg 3gp ogv mts m2ts vob srt vtt",
    "Music": "mp3 m4a aac flac ogg oga opus wav wma aif aiff mid midi m3u m3u8",
    "Documents": "pdf doc docx odt rtf txt md tex pages ps xps eml msg log",
    "Spreadsheets": "xls xlsx xlsm ods csv tsv numbers",
    "Presentations": "ppt pptx pps ppsx odp key",
    "Books": "epub mobi azw azw3 djvu fb2 cbz cbr",
    "Archives": "zip tar gz tgz bz2 tbz xz txz zst 7z rar lz4 iso img dmg",
    "Programs": "deb rpm appimage flatpakref snap exe msi apk pkg jar run",
    "Code": "py js ts jsx tsx java c h cc cpp hpp cs go rs rb php pl lua sh bash bat ps1 sql html htm "
    "css xml json yaml yml toml ini ipynb",
    "Fonts": "ttf otf woff woff2",
}
FOLDER_OF = {ending: name for name, endings in TYPES.items() for ending in endings.split()}
OTHER = "Other"
UNFINISHED = (".part", ".crdownload", ".partial", ".download", ".opdownload", ".aria2", ".!ut", ".tmp")
#: What starts a program from where it lies.
LAUNCHERS = (".desktop", ".lnk", ".url", ".webloc")
#: Bytes of a file's name.
MAX_NAME = 255


@dataclass(frozen=True)
class Move:
    """One file and the place where it belongs, both relative to the folder."""

    name: str
    subfolder: str
    new_name: str
    size_bytes: int = 0

    @property
    def target(self) -> str:
        return f"{self.subfolder}/{self.new_name}"


@dataclass
class Plan:
    """What is to move, and what stays and why."""

    moves: list[Move] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)


def planned(folder: str) -> Plan:
    """Where every file of the folder belongs. Changes nothing."""
    plan, files = Plan(), []
    with os.scandir(folder) as entries:
        listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
    names = {entry.name for entry in listed}
    for entry in listed:
        reason = why_left(entry, names)
        if reason:
            plan.left[reason] += 1
        else:
            files.append((entry.name, size_of(entry)))
    places: dict[str, str] = {}
    taken: dict[str, set[str]] = {}
    for name, size_bytes in files:
        kind = FOLDER_OF.get(os.path.splitext(name)[1][1:].lower(), OTHER)
        if kind not in places:
            places[kind] = place_for(folder, kind)
            taken[kind] = names_in(os.path.join(folder, places[kind]))
        new_name = free_name(name, taken[kind])
        taken[kind].add(new_name.casefold())
        plan.moves.append(Move(name, places[kind], new_name, size_bytes))
    return plan


def why_left(entry: os.DirEntry[str], names: set[str]) -> str:
    """Why an entry stays where it is; empty when it may move."""
    name = entry.name
    if name.startswith(".") or name.lower() in ("desktop.ini", "thumbs.db"):
        return "hidden"
    if entry.is_symlink():
        return "links"
    if entry.is_dir(follow_symlinks=False):
        return "folders"
    if name.lower().endswith(UNFINISHED) or any(name + ending in names for ending in UNFINISHED):
        return "downloads under way"
    if not entry.is_file(follow_symlinks=False) or name.lower().endswith(LAUNCHERS):
        return "launchers and special files"
    return ""


def size_of(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return 0


def place_for(folder: str, kind: str) -> str:
    """The subfolder for a type; another name where something else has it already."""
    name, number = kind, 1
    while os.path.lexists(path := os.path.join(folder, name)) and not is_folder(path):
        number += 1
        name = f"{kind} ({number})"
    return name


def is_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def names_in(folder: str) -> set[str]:
    """The names that are taken, without upper and lower case: some file systems make no difference."""
    try:
        return {name.casefold() for name in os.listdir(folder)}
    except FileNotFoundError:
        return set()


def free_name(name: str, taken: set[str]) -> str:
    """The name, or the same with ` (2)`, ` (3)` … before its ending."""
    stem, ending = os.path.splitext(name)
    if stem.lower().endswith(".tar"):
        stem, ending = stem[:-4], stem[-4:] + ending
    found, number = name, 1
    while found.casefold() in taken:
        number += 1
        mark = f" ({number}){ending}"
        room = MAX_NAME - len(os.fsencode(mark))
        found = (
            os.fsencode(stem)[:room].decode("utf-8", "ignore" if is_text(stem) else "surrogateescape") + mark
        )
    return found


def is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
