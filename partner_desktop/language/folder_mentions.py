"""Folders that a message names as people do: those that everybody has, and those right in the home.

Their names, and what stands around one, are in the tables `references.toml`: `my downloads folder`, `on the
desktop`, `and Pictures?`, `整理下载`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from partner_desktop.language.disk_names import distance, name_pieces
from partner_desktop.language.rule_table import Language, RuleTable, rule_table
from partner_desktop.language.terms import has_cjk

#: Stands for each character of a folder that was found.
PLACE = "\ue000"
HOME, HERE = "~", "."
#: What is longer is a document, not a request.
_LONGEST = 2_000
#: The shortest name in which a letter may be wrong.
_SLIP = 6
_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_NONE: Mapping[str, str] = MappingProxyType({})


def reference_table(text: str) -> RuleTable:
    """The table of the language that a text is written in."""
    return rule_table("references", "zh" if has_cjk(text) else "en")


def folder_mentions(
    text: str, own: Mapping[str, str] = _NONE, *, asked: bool = False
) -> Iterator[tuple[int, int, str]]:
    """Start, end and folder of each that the text names: its English name, or what `own` says of its name,
    `HOME` or `HERE`.

    `own`: of a name in lower case, its words with one blank between them. `asked`: it answers a question for
    a folder, so that a bare name will do.
    """
    if own:
        return _mentions(text[:_LONGEST], own, asked=asked)
    return iter(_everybodys_mentions(text[:_LONGEST], asked))


@lru_cache(maxsize=64)
def _everybodys_mentions(text: str, asked: bool) -> tuple[tuple[int, int, str], ...]:
    """One message is read again and again."""
    return tuple(_mentions(text, _NONE, asked=asked))


def _mentions(text: str, own: Mapping[str, str], *, asked: bool) -> Iterator[tuple[int, int, str]]:
    table = reference_table(text)
    for pattern in table.each("here"):
        for match in pattern.finditer(text):
            yield *match.span(), HERE
    known = {**everybodys_folders(), **own}
    loose = table.words("loose")
    sure = [name for name in known if name not in loose]
    slips = dict(_misspelt(text, known, sure))
    said = text.casefold()
    if not any(name.partition(" ")[0] in said for name in (*known, *slips)):
        return
    slots = {
        "any": _one_of([*known, *slips]),
        "sure": _one_of([*sure, *slips]),
        "capital": _one_of(name.title() for name in known if name.isascii()),
    }
    known |= slips
    for pattern in table.each("places", **slots) + (table.each("asked_places", **slots) if asked else ()):
        for match in list(pattern.finditer(text)):
            start, end = match.span("words")
            folder = known.get(spaced_name(match["name"]))
            if folder is not None and PLACE not in text[start:end] and _ends(table, text, end):
                text = f"{text[:start]}{PLACE * (end - start)}{text[end:]}"
                yield start, end, folder


def path_of(folder: str) -> str:
    """How people write the path of a folder that everybody has."""
    return folder if folder in (HOME, HERE) else f"{HOME}/{folder}"


def known_folder(text: str) -> str | None:
    """The path when the whole text names such a folder (`downloads`, `the Desktop`), else `None`."""
    bare = text.strip()
    if bare.casefold() in reference_table(bare).words("bare_here"):
        return HERE
    mentions = list(folder_mentions(bare, asked=True))
    return path_of(mentions[0][2]) if [each[:2] for each in mentions] == [(0, len(bare))] else None


def _ends(table: RuleTable, text: str, end: int) -> bool:
    return any(pattern.match(text, end) for pattern in table.each("place_end"))


def _misspelt(text: str, known: Mapping[str, str], sure: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Words that would be the name of a folder but for one letter."""
    long = [name for name in sure if len(name) >= _SLIP]
    for word in {piece.group().casefold() for piece in name_pieces(text)} - known.keys():
        near = [name for name in long if name[0] == word[0] and distance(name, word, 1) == 1]
        if len(near) == 1:
            yield word, known[near[0]]


@cache
def everybodys_folders() -> Mapping[str, str]:
    """What the folders that everybody has are called in any language → their English names."""
    tables = [rule_table("references", language).section("folders") for language in _LANGUAGES]
    return {
        word.replace("_", " "): folder
        for table in tables
        for folder, words in table.items()
        for word in words.split()
    }


@lru_cache(maxsize=5_000)
def spaced_name(name: str) -> str:
    """A name in lower case, its words with one blank between them."""
    return " ".join(re.split(r"[\s_\-]+", name.casefold()))


def _one_of(names: Iterable[str]) -> str:
    """A pattern for any of the names, with whatever stands between their words."""
    many = [r"[\s_\-]{1,2}".join(map(re.escape, name.split())) for name in names]
    return f"(?:{'|'.join(sorted(many, key=len, reverse=True)) or '(?!)'})"
