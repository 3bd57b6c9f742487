"""OpenQuestion words: what the person's words do to a question that was asked in the chat: they choose, give
a value, call it off, ask back, or are about something else.

Contract: only what fills nothing and asks for something else leaves the question, which is kept.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import PurePath

from partner_desktop.base.patterns import late
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.intervention import Confirmation
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.account import unaccounted
from partner_desktop.language.arguments.answer import asks_back, bare_name
from partner_desktop.language.arguments.said_places import makes
from partner_desktop.language.arguments.slot import Slot, slots_of
from partner_desktop.language.clauses import may_be_compound, pieces_of
from partner_desktop.language.phrase_table import phrase_table
from partner_desktop.language.spans import find_spans, unquoted
from partner_desktop.language.speech_acts.ability_requests import pick_named
from partner_desktop.language.speech_acts.assent import Says, judge, no_at_the_beginning, said_pieces
from partner_desktop.language.speech_acts.imperatives import asks
from partner_desktop.language.speech_acts.small_talk import may_order
from partner_desktop.language.speech_acts.speech_act import SpeechActKind, is_asking, speech_act
from partner_desktop.mind.act import (
    AskAgain,
    AskedBack,
    CallOff,
    ChooseAbility,
    Fill,
    Interpretation,
    Leave,
    OpenQuestion,
)
from partner_desktop.mind.new_requests import SaidWords
from partner_desktop.mind.question import (
    ExtractedParams,
    ExtractIntents,
    ExtractParams,
    JudgeConfirmation,
    PickAbility,
)

#: What states something is left for what it may be about.
_TOLD = frozenset({SpeechActKind.STATEMENT, SpeechActKind.REPORT})
_CLAUSE_ENDS = late(r"[,.?!;](?:\s|$)|[，。？！；]")
#: What several values are said in: clauses, with the marks behind them.
_PIECES = re.compile(
    r"(?<=[,，;；。!！?？、\n])(?!\d)|(?<=\.)(?=\s)|(?=\s(?:and|but)\s)"
    r"|(?=\s+(?:放|存|搁|建在|在)[\u4e00-\u9fff])"
)
_WAVERING = frozenset({Says.HALT, Says.DOUBT, Says.MUSING, Says.UNSURE})
#: So few words with a path in them are no request.
_FEW = 2
#: What phrases in place of an answer ask back.
_BACK: dict[str, AskedBack] = {"which": "which", "why": "why", "unknown": "unknown"}


class AnswerReading(SaidWords):
    """Reads one thing said against the open question."""

    async def read(self, question: OpenQuestion) -> Interpretation:
        """What the words do to it; all of them are left where they are about something else."""
        called_off = await self._called_off(question)
        if called_off is not None:
            return called_off
        phrase = phrase_table("answers").read(self._text)
        if phrase is not None and phrase.kind in _BACK:
            return Interpretation.of(AskAgain(_BACK[phrase.kind]))
        if question.info is None:
            return await self._choice(question)
        slot = next(each for each in slots_of(question.info) if each.name == question.face.asked_param)
        takes_yes = slot.types == {"boolean"} or bool(slot.choices)
        agrees = not takes_yes and judge(self._text) is Confirmation.CONFIRM  # a yes is no text and no file
        if agrees or _wavers(self._text):
            return Interpretation.of(AskAgain())
        spoken = await asyncio.to_thread(speech_act, self._text)
        unheld = slot.schema.get("x-partner-new") or slot.is_file_name
        no_name = unheld and spoken.kind is SpeechActKind.LOOK and not find_spans(self._text)
        asked_back = await asyncio.to_thread(asks_back, self._text, slot)
        if no_name or (asked_back and not await self._is_value(question, self._text)):
            meant = (await self._meaning(self._text)).meant if slot.is_file_name else ()
            again = Interpretation.of(AskAgain("unknown" if no_name else "which"))
            return self._left() if self._is_of_another(question.face.key, meant) else again
        return await self._value(question, question.info, slot)

    async def _called_off(self, question: OpenQuestion) -> Interpretation | None:
        """A no, in whatever words, that says no value; `None`: there is none."""
        text = self._text
        judged = await self._ask(JudgeConfirmation(text, [question.record], turn=self._asked.turn))
        phrase = phrase_table("answers").read(text)
        if judged.kind is Confirmation.REJECT or (phrase is not None and phrase.kind == "drop"):
            return Interpretation.of(CallOff())
        rest = no_at_the_beginning(text)
        if rest is not None and not await self._is_value(question, rest):
            meant = (await self._meaning(rest)).meant if rest else ()
            return Interpretation((CallOff(),), rest=rest if meant and asks(rest, meant) else None)
        asked = question.info.properties()[question.face.asked_param] if question.info is not None else {}
        if asked.get("type") == "string" and not {"format", "enum"} & asked.keys():
            return None  # what is to be noted may well forbid something
        spoken = await asyncio.to_thread(speech_act, text)
        if spoken.kind is SpeechActKind.REFUSAL and not await self._is_value(question, text):
            return Interpretation((CallOff(),), rest=spoken.order_text or None)
        return None

    async def _is_value(self, question: OpenQuestion, words: str) -> bool:
        """Whether words surely have what was asked for: `no, the music folder`."""
        if question.info is None or not words:
            return False
        asked = question.face.asked_param
        found = await self._find(ExtractParams(words, question.info, known=question.face.params, asked=asked))
        typed = question.info.properties()[asked].get("type") != "string"
        path = str(found.values.get(asked, "")).startswith(("~", "/"))
        return asked in found.values and not (found.unsure or found.problem) and (typed or path)

    async def _choice(self, question: OpenQuestion) -> Interpretation:
        info = await self._ask(PickAbility(self._text, question.options, turn=self._asked.turn))
        if info is not None:
            found = await self._find(ExtractParams(question.record.request_text, info))
            return Interpretation.of(ChooseAbility(info, found))
        meant = (await self._meaning(self._text)).meant
        return self._left() if meant else Interpretation.of(AskAgain())

    async def _value(self, question: OpenQuestion, info: MetaActionInfo, slot: Slot) -> Interpretation:
        asks_only = not slot.is_free and is_asking(self._text)  # no question has a value
        asks_only = asks_only and not await self._is_value(question, self._text)  # but a name may be one
        if asks_only or (not slot.is_free and await asyncio.to_thread(_is_aside, self._text, slot.name)):
            meant = (await self._meaning(self._text)).meant if asks_only else ()
            leaves = not asks_only or self._is_of_another(question.face.key, meant)
            return self._left() if leaves else Interpretation.of(AskAgain())
        face, phrase = question.face, phrase_table("answers").read(self._text)
        text = self._text
        if phrase is not None and phrase.kind == (
            "thing" if slot.is_path else "text" if slot.is_free else ""
        ):
            text = phrase.groups["value"]
        found = (
            await self._offered(face)
            or await self._named(face, info)
            or await self._with_place(face, info, slot)
            or await self._find(ExtractParams(text, info, known=face.params, asked=face.asked_param))
        )
        if face.asked_param not in found.values and found.values != face.params and not found.problem:
            return Interpretation.of(Fill(found))
        sure = not (found.unsure or found.problem) or "/" in str(found.values.get(slot.name, ""))
        framed = text != self._text  # `that one thing`: it asks for nothing
        if sure and not (
            slot.is_path and not framed and await self._says_more(str(found.values.get(slot.name)))
        ):
            return Interpretation.of(Fill(found))
        meant = (await self._meaning(self._text)).meant
        if sure and not self._is_of_another(face.key, meant):
            several = asks(self._text, meant) and await self._is_compound()
            if several and not self._orders():  # all of it fills in: `those in holiday, at most 320 wide`
                several = bool(await asyncio.to_thread(unaccounted, self._text, info, found.values))
            return self._left() if several else Interpretation.of(Fill(found))
        if any(one.key == face.key for one in meant) and asks(self._text, meant):
            return await self._said_again(face, info)
        elsewise = speech_act(self._text).kind in _TOLD or self._is_of_another(face.key, meant)
        return (
            self._left() if (sure or found.unsure) and elsewise else Interpretation.of(Fill(found, elsewise))
        )

    async def _says_more(self, path: str) -> bool:
        """Whether much stands beside a path in its own clause: the words may be a request."""
        resolved = await self._resolved(self._text, asked=True)
        clauses = [each for each in _CLAUSE_ENDS.split(resolved.text) if path in each] or [self._text]
        return all(len(each.replace(path, "").split()) > _FEW or asks(each, ()) for each in clauses)

    async def _offered(self, face: ActionRecord) -> ExtractedParams | None:
        """One of the values that were offered; `None`: the words choose none."""
        if not face.candidates:
            return None
        names = [(PurePath(path).name, PurePath(path).stem, path) for path in face.candidates]
        chosen = await asyncio.to_thread(pick_named, self._text, names)
        if chosen is None:
            chosen = told_apart(self._text, [PurePath(path).name for path in face.candidates])
        if chosen is None:
            return None
        return ExtractedParams({**face.params, face.asked_param: face.candidates[chosen]}, ())

    async def _named(self, face: ActionRecord, info: MetaActionInfo) -> ExtractedParams | None:
        """The name of a thing to make, in the place that was said before; `None`: the words are none.

        A thing that is moved and `called` so keeps its place.
        """
        slots = slots_of(info)
        asked = next(slot for slot in slots if slot.name == face.asked_param)
        thing = next(
            (face.params[each.name] for each in slots if each.name in face.params and each.is_path), None
        )
        renames = (asked.is_destination or asked.is_made) and isinstance(thing, str) and called_so(self._text)
        writes = thing is None and makes(asked) and called_so(self._text)
        if not (asked.schema.get("x-partner-new") or renames or writes):
            return None
        name, place = "", ""
        files = {each.path for each in self._state.surroundings.entries if not each.is_folder}
        for words in answer_pieces(self._text):
            phrase = phrase_table("answers").read(words)
            there = (await self._resolved(words, asked=True)).references
            if phrase is not None and phrase.kind == "called":
                name = unquoted(phrase.groups["name"])
            elif there and not place and not there[0].new and there[0].paths[0] not in files:
                place = there[0].shown(self._home)
            elif not name:
                name = bare_name(words)
        before = await self._resolved(face.request_text, asked=True)
        made = {each.paths[0] for each in before.references if each.new}
        places = (span.value for span in find_spans(before.text) if span.is_path and span.value not in made)
        beside = str(PurePath(str(thing)).parent) if renames else next(places, "")
        place = (place or beside).rstrip("/")
        name = name.strip(" .!,，。")
        if (
            not name
            or "/" in name
            or not (place or len(answer_pieces(self._text)) > 1 or called_so(self._text))
        ):
            return None
        return ExtractedParams({**face.params, face.asked_param: f"{place or '~'}/{name}"}, ())

    async def _with_place(
        self, face: ActionRecord, info: MetaActionInfo, asked: Slot
    ) -> ExtractedParams | None:
        """What was asked for, if it is said, and where it is to go, which was not: `my notes, and put them on
        the desktop`; `None`: that is not said."""
        to = next((slot for slot in slots_of(info) if slot.is_destination or slot.is_made), asked)
        if to.name == asked.name or face.params.get(to.name) not in (None, to.schema.get("default")):
            return None
        rest, place = [], ""
        for words in answer_pieces(self._text):
            phrase = phrase_table("corrections").read(words)
            put = phrase is not None and phrase.groups.get("put")
            there = (
                (await self._resolved(phrase.groups["value"], asked=True)).references
                if put and phrase
                else ()
            )
            place = there[0].shown(self._home) if there else place
            rest += [] if there else [words]
        if not place:
            return None
        values = {**face.params, to.name: place}
        if not rest:
            return ExtractedParams(values, (asked.name,))
        return await self._find(ExtractParams("".join(rest), info, known=values, asked=asked.name))

    @property
    def _home(self) -> str:
        return self._state.surroundings.home

    async def _said_again(self, face: ActionRecord, info: MetaActionInfo) -> Interpretation:
        """The words ask for the same ability again, with or without what was asked for."""
        if await self._is_compound():
            return self._left()
        found = await self._find(ExtractParams(self._text, info, known=face.params))
        return Interpretation.of(Fill(found) if face.asked_param in found.values else AskAgain())

    def _is_of_another(self, key: str, meant: Sequence[MetaActionInfo]) -> bool:
        """Whether the words, and not what they name alone, ask for another ability."""
        return bool(meant) and all(info.key != key for info in meant) and asks(self._text, meant)

    def _orders(self) -> bool:
        """Whether a clause is an order by its form."""
        return any(may_order(self._text[one.start : one.end]) for one in pieces_of(self._text))

    async def _is_compound(self) -> bool:
        """Whether the words ask for more than what was asked about: a request of its own."""
        if not may_be_compound(self._text):
            return False
        request = ExtractIntents(self._text, self._state.abilities, turn=self._asked.turn)
        return (await self._ask(request)).compound

    def _left(self) -> Interpretation:
        return Interpretation((Leave(),), rest=self._text)


def answer_pieces(text: str) -> list[str]:
    """Its clauses, each with the mark behind it."""
    return [words for words in _PIECES.split(text) if words.strip()]


def called_so(text: str) -> bool:
    """Whether it is a name, said as one: `call it Trips`."""
    phrase = phrase_table("answers").read(text)
    return phrase is not None and phrase.kind == "called"


def _wavers(text: str) -> bool:
    """Whether it holds on, or doubts, and says nothing: `hm, let me think`."""
    pieces = said_pieces(text)
    return judge(text) is Confirmation.UNCLEAR and any(piece.says in _WAVERING for piece in pieces)


def told_apart(text: str, names: Sequence[str]) -> int | None:
    """The one name that has something of the text in it which the others do not: `the one with (1)`."""
    found = {
        holding[0]
        for word in re.findall(r"[\w()]+", text.casefold())
        if len(holding := [at for at, name in enumerate(names) if word in _pieces(name)]) == 1
    }
    return found.pop() if len(found) == 1 else None


def _pieces(name: str) -> set[str]:
    plain = name.casefold()
    return {*re.findall(r"\w+", plain), *re.findall(r"[\w()]+", plain)}


def _is_aside(text: str, asked_param: str) -> bool:
    """Whether words tell something of people or of what was done, and not what is asked for.

    `My name is Max` answers a question for a name, and no question for a command.
    """
    from partner_desktop.language.entity_statements import attributes_told  # noqa: PLC0415 - with the first

    told = attributes_told(text)
    return speech_act(text).kind is SpeechActKind.REPORT or bool(
        told and not any(one in asked_param.lower() for one in told)
    )
