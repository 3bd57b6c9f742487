"""Requests to try, made from the abilities that are really here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from partner_desktop.desktop.known_paths import KnownPaths
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
)
#: An alias of fewer words reads like a label.
_FULL_WORDS = 4
_NOTHING_KNOWN = KnownPaths()


def example_request(
    info: MetaActionInfo, *, chinese: bool = False, known: KnownPaths = _NOTHING_KNOWN
) -> str:
    """One sentence that asks for the ability; it names a path only where one is really there.

    Without one the path is left out, and Partner asks for it.
    """
    named = [alias for alias in info.aliases if alias.strip()]
    own = next((alias for alias in named if _CHINESE.search(alias)), "") if chinese else ""
    words = own or _reads_well([alias for alias in named if alias.isascii()]) or _plain_title(info)
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
    """A few requests: the person's own abilities first, of every place the easy and harmless ones."""
    usable = [ability.info for ability in abilities if ability.info is not None and ability.usable]
    found: list[str] = []
    for info in _mixed(usable):
        request = example_request(info, chinese=chinese, known=known)
        if info.key != "builtin::command::execute" and request not in found:
            found.append(request)
        if len(found) == MOST:
            break
    return found


def _mixed(usable: Iterable[MetaActionInfo]) -> list[MetaActionInfo]:
    """By turns from each place, so that a server with many tools does not take all the room."""
    easy = sorted(usable, key=lambda info: (len(info.required()), not info.annotations.read_only, info.key))
    turns: Counter[str] = Counter()
    ranked = []
    for info in easy:
        ranked.append((info.route is Route.BUILTIN, turns[info.location], info.location != "local"))
        turns[info.location] += 1
    return [easy[place] for place in sorted(range(len(easy)), key=lambda place: ranked[place])]


def _plain_title(info: MetaActionInfo) -> str:
    """A label as one says it: servers write `Get Sum Tool`."""
    words = [word for word in info.title.split() if word != "Tool"] or [info.title]
    if all(word[:1].isupper() for word in words):
        return " ".join(word.lower() if word.istitle() else word for word in words)
    return info.title


def _filler(name: str, schema: JsonObject, known: KnownPaths) -> str:
    if schema.get("format") != "path":
        return ""
    if any(word in name.lower() for word in _FOLDER_WORDS):
        return known.folder
    return "" if _NO_TEXT.search(f"{name} {schema.get('description', '')}") else known.file
