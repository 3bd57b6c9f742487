"""What `it` is: the ability that the last action of a conversation made, kept, removed or ran."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

from partner_desktop.abilities.builtin.dynamic import GENERATE, PERSIST, REMOVE, RESTORE
from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.capabilities import ActionRecords
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionRecord, ActionStatus

#: Of all conversations together: what lies further back is not at hand any more.
_LATEST = 50


class Removals(Protocol):
    """What was removed since the start."""

    @property
    def removed(self) -> Sequence[str]: ...


class Subject:
    """Of every conversation."""

    def __init__(self, catalog: AbilityCatalog, actions: ActionRecords, removals: Removals) -> None:
        self._catalog = catalog
        self._actions = actions
        self._removals = removals

    def own(self) -> list[Ability]:
        """The abilities that lie in the live folders."""
        return [
            ability
            for ability in self._catalog.all()
            if ability.path is not None and ability.info is not None
        ]

    async def of(self, verb: Verb, conversation_id: str) -> str:
        """The key of the ability at hand, where the verb fits it; empty where none is."""
        last = await self._last(conversation_id)
        if last is None:
            return ""
        key = _key_of(last)
        if verb == "restore":
            removed = last.key == REMOVE and last.status is ActionStatus.SUCCEEDED
            return key if removed and key in self._removals.removed else ""
        if verb == "run" and not last.status.ended:
            return ""  # a yes to the card that waits
        ability = next((one for one in self.own() if one.key == key), None)
        if ability is None or not ability.usable or (verb == "keep" and not ability.temporary):
            return ""
        return key

    async def _last(self, conversation_id: str) -> ActionRecord | None:
        newest = await self._actions.newest(limit=_LATEST)
        return next((record for record in newest if record.conversation_id == conversation_id), None)


def _key_of(record: ActionRecord) -> str:
    """The ability that an action was about: the one that came of it, or the one that was to run.

    How a run ended does not matter: what was stopped or went wrong can be kept and run again. Of what was to
    be kept or removed and was not, it is the ability as it still is.
    """
    if record.key not in (GENERATE, PERSIST, REMOVE, RESTORE):
        return record.key
    came = record.data.get("key") if isinstance(record.data, dict) else None
    key = came or record.params.get("actionKey")
    return key if isinstance(key, str) else ""


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
class AbilityVerb:
    """A verb about an ability; without a name it is the one at hand."""

    verb: Verb
    name: str = ""


def said_of(text: str) -> AbilityVerb | None:
    """What the whole message says about the ability at hand; `None` when it is about something else."""
    plain = _plain(text)
    if not plain or len(plain) > _LONGEST:
        return None
    if _BACK.fullmatch(plain) or _UNDO.fullmatch(plain):
        return AbilityVerb("restore")
    for verb, pattern in (*_OF_IT.items(), *_ZH):
        if pattern.fullmatch(plain):
            return AbilityVerb(verb)
    return None


def named_in(text: str, abilities: Iterable[Ability]) -> tuple[AbilityVerb, Ability] | None:
    """`keep resize`: a verb and the whole name, title or key of one of the abilities."""
    plain = _plain(text)
    if not plain or len(plain) > _LONGEST:
        return None
    known = list(abilities)
    for verb, pattern in _OF_NAME.items():
        match = pattern.fullmatch(plain)
        found = [ability for ability in known if match and is_called(ability, match["name"])]
        if match is not None and len(found) == 1:
            return AbilityVerb(verb, match["name"]), found[0]
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
