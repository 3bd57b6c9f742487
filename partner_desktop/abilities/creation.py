"""CreationMind: a mind that knows when an ability is wished for, and what `it` is right after one was made.

A `Mind` around another one. Plain phrases only: everything else goes on as it came. What comes of a phrase is
a card like any other; nothing is decided here. What reads the phrases comes in with the first message.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from typing import Literal, Protocol

from partner_desktop.abilities.builtin.own_abilities import GENERATE, PERSIST, REMOVE, RESTORE
from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.abilities.new_script import ScriptReader, script_name
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import spoken_language
from partner_desktop.base.patterns import late
from partner_desktop.capabilities import ActionRecords, CognitionCapability, ModelCapability
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import Role
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.answerers import Answerers
from partner_desktop.mind.question import (
    EvaluateIntent,
    ExtractedParams,
    ExtractParams,
    GenerateAction,
    GeneratedAction,
    IntentEvaluation,
    Mind,
    RankedAbility,
    ReplyRequest,
)

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

    async def of(self, said: AbilityVerb, conversation_id: str) -> str:
        """The key of the ability at hand, where the verb fits it; empty where none is."""
        last, verb = await self._last(conversation_id), said.verb
        if last is None or (verb == "remove" and last.paths and not said.says_ability):
            return ""  # of `delete it`, the file or folder that it was about is meant
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
_ABILITY = late(r"\b(?:ability|script|tool|skill)\b|能力|脚本|工具", re.IGNORECASE)
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
    says_ability: bool = False
    """The words say that it is one, rather than `it`."""


def said_of(text: str) -> AbilityVerb | None:
    """What the whole message says about the ability at hand; `None` when it is about something else."""
    plain = _plain(text)
    if not plain or len(plain) > _LONGEST:
        return None
    if _BACK.fullmatch(plain) or _UNDO.fullmatch(plain):
        return AbilityVerb("restore")
    for verb, pattern in (*_OF_IT.items(), *_ZH):
        if pattern.fullmatch(plain):
            return AbilityVerb(verb, says_ability=_ABILITY.search(plain) is not None)
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


#: Messages of the conversation among which `this` is looked for.
_EARLIER = 30


class CreationMind(Answerers):
    """`subject` tells what `it` is."""

    def __init__(
        self,
        mind: Mind,
        catalog: AbilityCatalog,
        cognition: CognitionCapability,
        models: ModelCapability,
        subject: Subject,
        reader: ScriptReader,
    ) -> None:
        super().__init__(
            EvaluateIntent.answered_by(self._evaluate),
            ExtractParams.answered_by(self._extract),
            otherwise=mind.ask,
        )
        self._mind = mind
        self._catalog = catalog
        self._cognition = cognition
        self._models = models
        self._subject = subject
        self._reader = reader

    @property
    def name(self) -> str:
        return self._mind.name

    async def _evaluate(self, request: EvaluateIntent) -> IntentEvaluation:
        """What was wished for, or what is said about the ability at hand; else as the mind says."""
        meant = await self._meant(request)
        if meant is not None:
            return IntentEvaluation(meant, (RankedAbility(meant, 1.0),))
        spoken = await asyncio.to_thread(_spoken_in, request.text)
        if not spoken:  # what code says, nobody asks for
            return IntentEvaluation.of_talk(request.abilities)
        return await self._mind.ask(replace(request, text=spoken))

    async def _meant(self, request: EvaluateIntent) -> MetaActionInfo | None:
        wanted = await asyncio.to_thread(_wanted, request.text)
        if wanted is not None:
            return self._catalog.get(GENERATE) if wanted else None
        conversation_id = request.turn.conversation_id if request.turn is not None else ""
        said = said_of(request.text)
        if said is not None:
            key = await self._subject.of(said, conversation_id)
            chosen = {"run": key, "keep": PERSIST, "remove": REMOVE, "restore": RESTORE}[said.verb]
            return self._catalog.get(chosen) if key else None
        named = named_in(request.text, self._subject.own())
        if named is not None:
            verb, ability = named[0].verb, named[1]
            fits = {"run": True, "keep": ability.temporary, "remove": True, "restore": False}[verb]
            chosen = {"run": ability.key, "keep": PERSIST, "remove": REMOVE, "restore": RESTORE}[verb]
            return self._catalog.get(chosen) if fits else None
        return None

    async def _extract(self, request: ExtractParams) -> ExtractedParams:
        """Of a new ability its code and what is known of it; of one that is there its key."""
        if request.info.key == GENERATE and request.asked in ("", "code"):
            return await self._new_ability(request)
        if request.info.key == GENERATE and request.asked == "name":
            return _named_anew(request)
        if request.info.key in (PERSIST, REMOVE, RESTORE):
            key = await self._key_meant(request)
            if key:
                return ExtractedParams(values={**request.known, "actionKey": key}, missing=())
        return await self._mind.ask(request)

    async def _key_meant(self, request: ExtractParams) -> str:
        if request.asked:
            return next((one.key for one in self._subject.own() if is_called(one, request.text)), "")
        conversation_id = request.turn.conversation_id if request.turn is not None else ""
        said = said_of(request.text)
        if said is not None:
            return await self._subject.of(said, conversation_id)
        named = named_in(request.text, self._subject.own())
        return named[1].key if named is not None else ""

    async def _new_ability(self, request: ExtractParams) -> ExtractedParams:
        earlier = () if request.asked else await self._earlier(request)
        wish = GenerateAction(request.text, request.turn, earlier, answers=bool(request.asked))
        made = await self._mind.ask(wish)
        sentences = await asyncio.to_thread(_sentences, request.text)
        if made is None:
            return self._without_code(request, await asyncio.to_thread(self._why_none, request, sentences))
        values: dict[str, Json] = {**_values(made), **request.known}
        problem = _name_problem(str(values["name"]))
        if problem:
            return ExtractedParams({**values, "name": ""}, missing=("name",), problem=problem)
        problem = await _problem(self._reader, values, sentences)
        if problem:
            del values["code"]
            return self._without_code(request, problem, values)
        return ExtractedParams(values=values, missing=())

    @staticmethod
    def _without_code(
        request: ExtractParams, problem: str, values: dict[str, Json] | None = None
    ) -> ExtractedParams:
        # What the code says of itself comes with the code that does.
        known = {name: value for name, value in (values or {}).items() if name == "name" and value}
        return ExtractedParams(values={**known, **request.known}, missing=("code",), problem=problem)

    def _why_none(self, request: ExtractParams, sentences: Sentences) -> str:
        from partner_desktop.language.speech_acts.ability_requests import wish_in  # noqa: PLC0415 - not at the start

        wish = wish_in(request.text)
        if request.asked or (wish is not None and wish.kind == "paste"):
            return sentences.no_code
        writes = self._models.serves("generate_action", request.conversation_id)
        return sentences.not_written if writes else sentences.no_model

    async def _earlier(self, request: ExtractParams) -> tuple[str, ...]:
        """What the person said before this turn, the newest first."""
        if request.turn is None:
            return ()
        recent = await self._cognition.recent(request.turn.conversation_id, limit=_EARLIER)
        said = [one for one in recent if one.role is Role.USER and one.id not in request.turn.said]
        return tuple(one.text for one in reversed(said))

    def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        return self._mind.reply(request)


# These run in threads: the first call imports.


def _wanted(text: str) -> bool | None:
    """Whether a new ability is wished for, or just not (`don't write …`); `None` where none is spoken of."""
    from partner_desktop.language.speech_acts.ability_requests import wish_in  # noqa: PLC0415 - not at the start
    from partner_desktop.language.speech_acts.speech_act import speech_act  # noqa: PLC0415

    return None if wish_in(text) is None else not speech_act(text).declines


def _spoken_in(text: str) -> str:
    from partner_desktop.language.speech_acts.ability_requests import spoken_in  # noqa: PLC0415 - as above

    return spoken_in(text)


def _sentences(text: str) -> Sentences:
    from partner_desktop.language.conversation_language import conversation_language  # noqa: PLC0415 - as above

    return CHINESE if (spoken_language.get() or conversation_language([text])) == "zh" else ENGLISH


def _values(made: GeneratedAction) -> dict[str, Json]:
    """The arguments of the call that makes it."""
    meta: JsonObject = {"freeArgs": True} if made.free_args else {}
    if made.params.get("properties"):
        meta["params"] = made.params
    name = made.name.strip()
    return {
        "name": name,
        "desc": made.description or _named(name, made.language),
        "code": made.code,
        "codeType": made.language,
        "meta": json.dumps(meta, ensure_ascii=False) if meta else "",
    }


def _named_anew(request: ExtractParams) -> ExtractedParams:
    """The answer to the question for another name."""
    from partner_desktop.language.spans import unquoted  # noqa: PLC0415 - small, and not at the start

    name = unquoted(request.text)
    problem = _name_problem(name) if name else ""
    if problem:
        return ExtractedParams(dict(request.known), missing=("name",), problem=problem)
    return ExtractedParams({**request.known, "name": name}, missing=())


def _name_problem(name: str) -> str:
    """Why it cannot be called so; empty where it can, or where nobody said how."""
    if not name:
        return ""
    try:
        script_name(name)
    except UsageError as error:
        return str(error)
    return ""


def _named(name: str, language: str) -> str:
    return f"Run {name}" if name else f"Pasted {language} script"


async def _problem(reader: ScriptReader, values: dict[str, Json], sentences: Sentences) -> str:
    """Why no ability can be made of it; empty when one can."""
    if not values["codeType"]:
        return sentences.no_language
    try:
        await reader.read(values)
    except UsageError as error:
        return str(error)
    return ""


@dataclass(frozen=True)
class Sentences:
    """One language's."""

    no_code: str
    """`This` is nowhere to be found."""
    no_model: str
    """Somebody should write it, and nobody here can."""
    not_written: str
    """The model was asked, and no script came of it."""
    no_language: str


ENGLISH = Sentences(
    no_code="I found no code in your last messages.",
    no_model="Writing code takes a model, and none is set up; but I can make an ability of code "
    "that you paste.",
    not_written="The model did not write a script that works out.",
    no_language="I cannot tell which language that is; put it between ``` marks, with the language behind "
    "the first, such as ```python.",
)
CHINESE = Sentences(
    no_code="在你最近的消息里没有找到代码。",
    no_model="写代码需要模型，这里还没有设置；不过，你贴出代码，我就能把它变成能力。",
    not_written="模型没有写出可用的脚本。",
    no_language="我看不出这是什么语言；请放在 ``` 之间，并在第一个 ``` 后写上语言，比如 ```python。",
)
