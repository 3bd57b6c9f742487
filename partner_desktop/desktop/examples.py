"""Requests to try, made from the abilities that are really here."""

from __future__ import annotations

import re
from collections.abc import Iterable

from partner_desktop.domain.ability import Ability
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route

MOST = 4
_CHINESE = re.compile("[\u4e00-\u9fff]")
_FOLDER_WORDS = ("folder", "dir")
#: What the example's path stands for, where the alias names it.
_NOUN = re.compile(r"\b(?:a|an|the|my|this) (?:text )?(?:file|folder|directory)\b")


def example_request(info: MetaActionInfo, *, chinese: bool = False) -> str:
    """One sentence that asks for the ability, with something to put in its place."""
    named = [alias for alias in info.aliases if alias.strip()]
    own = next((alias for alias in named if _CHINESE.search(alias)), "") if chinese else ""
    words = own or next((alias for alias in named if alias.isascii()), info.title)
    words = words[:1].lower() + words[1:]
    for name in info.required():
        filler = _filler(name, info.properties().get(name, {}))
        if filler:
            told = _NOUN.sub(filler, words, count=1)
            if own:
                return f"{words} {filler}"
            return told if told != words else f"{words} in {filler}"
    return words


def examples(abilities: Iterable[Ability], *, chinese: bool = False) -> list[str]:
    """A few requests, the person's own abilities first, easy ones before those that need details."""
    usable = [ability.info for ability in abilities if ability.info is not None and ability.usable]
    chosen = sorted(usable, key=lambda info: (info.route is Route.BUILTIN, len(info.required()), info.key))
    found: list[str] = []
    for info in chosen:
        request = example_request(info, chinese=chinese)
        if info.key != "builtin::command::execute" and request not in found:
            found.append(request)
        if len(found) == MOST:
            break
    return found


def _filler(name: str, schema: JsonObject) -> str:
    if schema.get("format") != "path":
        return ""
    return "~/Documents" if any(word in name.lower() for word in _FOLDER_WORDS) else "~/notes.md"
