"""`run it`, `keep resize`, `undo`: what is said about an ability right after something became of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from partner_desktop.base.patterns import late
from partner_desktop.domain.ability import Ability

Verb = Literal["run", "keep", "remove", "restore"]

_LONGEST = 120
_POLITE = r"(?:(?:please|now|ok|okay|and|then|yes|no|great|can you|could you|请|帮我|那就?|好)[\s,，]{0,2})*"
_END = r"(?: (?:please|now|again|for good|permanently|for ever|forever|then|out|once|up))*"
_IT = r"(?:it|this|that|(?:this|that|the)(?: new)? (?:ability|one|script|tool|skill))"
_IT_ZH = r"(?:它|这个|那个)?(?:能力|脚本|工具)?"
_VERBS: tuple[tuple[Verb, str], ...] = (
    ("run", r"(?:run|try|use|start|execute)"),
    ("keep", r"(?:keep|persist|save)"),
    ("remove", r"(?:remove|delete|uninstall|throw away|get rid of)"),
    ("restore", r"(?:restore|bring back|put back|take back)"),
)
_OF_IT = {verb: late(rf"{_POLITE}{words} {_IT}{_END}", re.IGNORECASE) for verb, words in _VERBS}
_OF_NAME = {
    verb: late(rf"{_POLITE}{words} (?:the (?:ability|script|tool|skill) )?(?P<name>.+?){_END}", re.IGNORECASE)
    for verb, words in _VERBS
}
_BACK = late(rf"{_POLITE}(?:bring|put|take|get) {_IT} back{_END}", re.IGNORECASE)
_UNDO = late(rf"{_POLITE}(?:undo|revert)(?: (?:it|that|this|the removal))?{_END}", re.IGNORECASE)
_ZH: tuple[tuple[Verb, re.Pattern[str]], ...] = (
    ("run", late(rf"{_POLITE}(?:运行|试试|试一下|用)一?下?{_IT_ZH}(?:吧|看看)?")),
    ("keep", late(rf"{_POLITE}(?:永久)?(?:保留|留下|保存){_IT_ZH}(?:吧)?")),
    ("remove", late(rf"{_POLITE}(?:移除|删除|删掉|去掉){_IT_ZH}(?:吧)?")),
    (
        "restore",
        late(rf"{_POLITE}(?:撤销|撤回|恢复|还原){_IT_ZH}(?:吧)?|{_POLITE}(?:把它)?(?:拿|找|要)回来(?:吧)?"),
    ),
)


@dataclass(frozen=True)
class Said:
    """A verb about an ability; without a name it is the one at hand."""

    verb: Verb
    name: str = ""


def said_of(text: str) -> Said | None:
    """What the whole message says about the ability at hand; `None` when it is about something else."""
    plain = _plain(text)
    if not plain or len(plain) > _LONGEST:
        return None
    if _BACK.fullmatch(plain) or _UNDO.fullmatch(plain):
        return Said("restore")
    for verb, pattern in (*_OF_IT.items(), *_ZH):
        if pattern.fullmatch(plain):
            return Said(verb)
    return None


def named_in(text: str, abilities: Iterable[Ability]) -> tuple[Said, Ability] | None:
    """`keep resize`: a verb and the whole name, title or key of one of the abilities."""
    plain = _plain(text)
    if not plain or len(plain) > _LONGEST:
        return None
    known = list(abilities)
    for verb, pattern in _OF_NAME.items():
        match = pattern.fullmatch(plain)
        found = [ability for ability in known if match and is_called(ability, match["name"])]
        if match is not None and len(found) == 1:
            return Said(verb, match["name"]), found[0]
    return None


def is_called(ability: Ability, words: str) -> bool:
    """Whether the words are the ability's key, name or title."""
    names = {ability.key, ability.key.partition("::")[2]}
    if ability.info is not None:
        names.add(ability.info.title)
    said = _folded(words)
    return bool(said) and said in {_folded(name) for name in names}


def _plain(text: str) -> str:
    if len(text) > 4 * _LONGEST:
        return ""
    return " ".join(text.replace("’", "'").split()).strip(" .!。！?？“”\"'")


def _folded(words: str) -> str:
    return re.sub(r"[\s_-]+", " ", words).strip(" `“”\"'").casefold()
