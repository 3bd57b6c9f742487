"""Kinds of files: what they are called, by the tables `file_kinds.toml`, and how their names end. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import PurePath

from partner_desktop.language.rule_table import Language, rule_table

FOLDER, FILE, WRITING = "folder", "file", "writing"
_ENDINGS = {
    "image": "png jpg jpeg gif webp svg bmp heic tif tiff",
    "table": "csv tsv xlsx xls ods",
    "archive": "zip tar gz tgz xz bz2 7z rar",
    "text": "txt md",
    "document": "pdf docx doc odt md txt rtf",
    "video": "mp4 mkv mov webm avi",
    "audio": "mp3 wav ogg flac m4a opus",
    "script": "py sh js rb pl",
    "slides": "pptx ppt odp",
    WRITING: "txt md pdf docx doc odt rtf",
}
_ALONE = "html css json xml toml yaml log exe deb iso epub"
_LANGUAGES: tuple[Language, ...] = ("en", "zh")


@cache
def _pattern() -> re.Pattern[str]:
    """A kind, with its name as the group: `pictures`, `pdf files`, `.csv`."""
    own = {ending for endings in (*_ENDINGS.values(), _ALONE) for ending in endings.split()}
    english, chinese = (
        "|".join(
            f"(?P<{kind}_{language}>{rule_table('file_kinds', language)[kind].pattern})"
            for kind in (FOLDER, FILE, *_ENDINGS)
        )
        for language in _LANGUAGES
    )
    ending = rf"(?<![a-z0-9])\.?(?P<ending>{'|'.join(sorted(own, key=len, reverse=True))})s?(?![a-z0-9])"
    behind = r"(?:\s*(?:files?\b|文件(?!夹)))?"
    return re.compile(rf"(?:{ending}|\b(?:{english})\b|{chinese}){behind}", re.IGNORECASE)


def kind_at(text: str, position: int) -> tuple[str, int] | None:
    """The kind that the words at a place name, an ending with its dot, and where they end."""
    found = _pattern().match(text, position)
    return (_kind(found), found.end()) if found is not None else None


def kinds_in(words: str) -> frozenset[str]:
    """All kinds that are named."""
    return frozenset(_kind(found) for found in _pattern().finditer(words))


def kind_places(text: str) -> Iterator[tuple[int, int]]:
    """Where kinds are named that have endings of their own."""
    return (found.span() for found in _pattern().finditer(text) if name_pattern(found.group()))


def name_pattern(words: str) -> str:
    """What all files of the kind fit that the words name, and nothing else: `*.pdf`, `*.{mp4,mkv}`; empty
    where they name none."""
    found = _pattern().fullmatch(words.strip())
    kind = _kind(found) if found is not None else ""
    endings = (
        _ENDINGS.get(kind, kind.removeprefix(".")).split() if kind not in (FOLDER, FILE, WRITING) else []
    )
    return f"*.{{{','.join(endings)}}}" if len(endings) > 1 else "".join(f"*.{ending}" for ending in endings)


def _kind(found: re.Match[str]) -> str:
    if found["ending"]:
        return f".{found['ending'].lower()}"
    return next(name for name, said in found.groupdict().items() if said).rpartition("_")[0]


def is_of_kind(path: str, kind: str, *, is_folder: bool) -> bool:
    """Whether something is what a kind names."""
    if kind in (FOLDER, FILE):
        return is_folder is (kind == FOLDER)
    ending = PurePath(path).suffix.removeprefix(".").lower()
    return not is_folder and ending in (_ENDINGS.get(kind) or kind.removeprefix(".")).split()
