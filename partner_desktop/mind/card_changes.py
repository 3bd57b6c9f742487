"""CardChanges: how a waiting card is wanted otherwise: by a phrase (`call it Receipts`), or by the type of
what is said: `320 though, not 512` and `no, it is the desktop that is a mess` can mean one parameter only.

Contract: what is changed asks again; nothing runs by it. What is to be left out and cannot be is told.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from partner_desktop.base.paths import display_text, expanded_path
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.leftover import Leftover, unkept
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan, Step
from partner_desktop.language.anaphora import is_reference
from partner_desktop.language.arguments.account import unaccounted
from partner_desktop.language.arguments.slot import Slot, slots_of
from partner_desktop.language.path_swap import Swap
from partner_desktop.language.phrase_table import SaidPhrase, phrase_table
from partner_desktop.language.references import in_order, is_in_step_number, names_step
from partner_desktop.language.rule_table import first_match, says
from partner_desktop.language.spans import SpanKind, find_spans
from partner_desktop.language.speech_acts import assent
from partner_desktop.language.speech_acts.imperatives import asks
from partner_desktop.language.speech_acts.speech_act import is_asking, speech_act, trial_switch
from partner_desktop.language.spoken_words import ResolvedText
from partner_desktop.language.terms import FUNCTION_WEIGHT, has_cjk, terms
from partner_desktop.language.text_changes import text_change
from partner_desktop.language.values.quantities import find_quantities
from partner_desktop.mind.act import AmendCard, Unkept
from partner_desktop.mind.new_requests import SaidWords
from partner_desktop.mind.open_question import answer_pieces, told_apart
from partner_desktop.mind.question import ExtractParams

#: Chinese words for numbers up to this are said of anything: `一下`, `两个`.
_FEW = 10
#: Things that are named to choose from.
_MOST_OTHERS = 6
#: Of a change of several values.
_MOST_PIECES = 6
_SUFFIX = re.compile(r"\.[A-Za-z]\w{1,4}$")
#: Where something is to be put.
_PUT = re.compile(r"(?:in(?:to)?|to|on(?:to)?|under)\s+|到", re.IGNORECASE)
_PUT_BEFORE = re.compile(
    r"(?:\b(?:into|to|onto|on)|^(?:but )?in|\b(?:put|store|save|keep|be|go|land)\b.*\b(?:in|under|inside))"
    r"(?: the| my)?$|[放存移挪搬到]$",
    re.IGNORECASE,
)


class CardChanges(SaidWords):
    """Reads one thing said to one card."""

    async def trial(self, card: ActionRecord) -> AmendCard | None:
        """The card so that it only shows what it would do: `let me see it first`; or no longer: `do it for
        real`."""
        info = self._ability(card.key)
        switch = trial_switch(info) if info is not None else ""
        if not switch:
            return None
        spoken = await asyncio.to_thread(speech_act, self._text)
        tried = card.params.get(switch) is True
        preview = spoken.preview or says("assent", "preview", self._text)
        told = spoken.may_make_card and not preview and "?" not in self._text
        earnest = told and says("assent", "earnest", self._text)
        return (
            AmendCard(card, {**card.params, switch: not tried}) if (earnest if tried else preview) else None
        )

    async def wanted(self, card: ActionRecord) -> AmendCard | None:
        """The card as the words want it; of a chain the step that they name, else the last that they fit.

        What stood in several steps alike is changed in all of them, unless the words name one.
        """
        if card.chain is None:
            found = await self._otherwise(card.key, card.params)
            return AmendCard(card, found) if found is not None and not _same(found, card.params) else None
        for step in in_order(self._text, card.chain.steps):
            found = await self._otherwise(step.key, step.params)
            others = [each.params for each in card.chain.steps if each.key == step.key]
            if found is not None and not any(_same(found, each) for each in others):  # nothing is done twice
                return self.of_step(card, card.chain, step, found)
        return None

    def of_step(self, card: ActionRecord, chain: Plan, step: Step, found: JsonObject) -> AmendCard:
        """The plan with other arguments of a step, and of those that have the same where none is named."""
        alike = Swap.of(step.params, found)
        if alike is None or names_step(self._text, step) or len(alike.names(chain)) < 2:
            return AmendCard(card, found, step.id)
        changed = dict.fromkeys(name for names in alike.names(chain) for name in names)
        return AmendCard(card, card.params, edit=alike.edit(chain), changed=tuple(changed))

    async def with_values(
        self, info: MetaActionInfo, params: JsonObject, said: JsonObject, *, offered: Sequence[str] = ()
    ) -> JsonObject | None:
        """The arguments with what was said for the parameters of these names: of a path the words for it.

        `None`: nothing changes by it, or a path is neither there, nor one that can be made, nor `offered`.
        """
        found, resolved = params, await self._resolved(self._text)
        for slot in [slot for slot in slots_of(info) if slot.name in said]:
            value = said[slot.name]
            if slot.is_path and value not in offered:
                placed = await self._placed(info, found, slot, str(value))
                if placed is None or {n for n in placed if placed[n] != found.get(n)} != {slot.name}:
                    return None
                found = placed
            else:
                plain = isinstance(value, str) and not slot.is_path
                found = {**found, slot.name: resolved.restored(str(value)) if plain else value}
        return found if found != params else None

    async def _placed(
        self, info: MetaActionInfo, params: JsonObject, slot: Slot, words: str
    ) -> JsonObject | None:
        if slot.name in params:
            return await self._with_value(info, params, words, first=slot.name)
        found = await self._find(ExtractParams(words, info, known=params, asked=slot.name))
        known = "/" in str(found.values.get(slot.name)) or "x-partner-new" in slot.schema
        return found.values if known else None

    async def left_out(self, card: ActionRecord, change: AmendCard | None) -> Unkept | None:
        """What the words leave out, or keep to, and the card as it is wanted would go against."""
        if says("assent", "preview", self._text):
            return None
        steps: Sequence[Step | ActionRecord] = card.chain.steps if card.chain is not None else (card,)
        step_id = change.step_id if change is not None else ""
        keys = [step.key for step in steps if step.id == step_id or not step_id] or [card.key]
        info = next(filter(None, map(self._ability, keys)), None)
        if info is None:
            return None
        given = change.params if change is not None else card.params
        left = await asyncio.to_thread(unaccounted, self._text, info, given)
        if change is not None or await self._speaks_of_others(card):
            values = [card.params, *(each.params for each in steps)]
            known = [f"{_known(value)}/" for params in values for value in params.values()]
            new = change.params if change is not None else {}
            below = {n: v for n, v in new.items() if any(f"{_known(v)}/".startswith(one) for one in known)}
            values.append(below)
            left = tuple([one for one in left if not await self._exchanges(one, values)])
        words = unkept(info, left)
        return Unkept(info, words) if words else None

    async def _exchanges(self, left: Leftover, values: Sequence[JsonObject]) -> bool:
        """Whether the words are of a value that was, or is now: `~/Music, not ~/Pictures`."""
        known = [str(_known(value)) for params in values for value in params.values()]
        said = set(re.findall(r"\w{3,}", left.words.casefold())) - {"but", "not", "the", "instead", "only"}
        if any(word in value.casefold() for word in said for value in known):
            return True
        words = assent.without_words(left.words, "light")
        named = (await self._resolved(words, asked=True)).references
        paths = [path for each in named for path in each.paths]
        return any(f"{value}/".startswith(f"{path}/") for path in paths for value in known)

    async def _speaks_of_others(self, card: ActionRecord) -> bool:
        """Whether what the words name is neither what the card is about, nor in it."""
        resolved = await self._resolved(self._text)
        given = [str(_known(value)) for value in card.params.values() if isinstance(value, str)]
        named = [path for each in resolved.references for path in each.paths]
        touched = any(f"{path}/".startswith(f"{one}/") for path in named for one in given)
        return bool(named) and card.chain is None and not touched

    async def _otherwise(self, key: str, params: JsonObject) -> JsonObject | None:
        """The arguments with the one changed that the words have a value for; `None`: they have none."""
        info = self._ability(key)
        if info is None:
            return None
        if found := await self._rewritten(info, params) or await self._piecewise(info, params):
            return found
        phrases = [
            phrase
            for words in dict.fromkeys(
                (self._text, *reversed(assent.clauses_of(self._text)), *_ends_of(self._text))
            )
            if (phrase := phrase_table("corrections").read(words)) is not None
        ]
        named = [phrase for phrase in phrases if phrase.kind == "name"]
        for phrase in named:
            if found := await self._with_value(info, params, phrase.groups["value"], named=True):
                return found
        if found := await self._retyped(info, params) or await self._beside_it(info, params):
            return found
        for phrase in phrases:
            if phrase not in named and (found := await self._put_right(info, params, phrase)):
                return found
        return None

    async def _rewritten(self, info: MetaActionInfo, params: JsonObject) -> JsonObject | None:
        """The arguments with more, less or another text in the one that they have to write down."""
        slots = [slot for slot in slots_of(info) if slot.is_free and slot.required and not slot.is_place]
        change = text_change(self._text) if len(slots) == 1 and not info.annotations.read_only else None
        if change is None:
            return None
        if not assent.left_of(change.value) or is_asking(change.value):
            return None  # `also thank you`, `还要多久`
        before, name = params.get(slots[0].name), slots[0].name
        known = before if isinstance(before, list) else [before]
        texts = [each for each in known if isinstance(each, str)]
        if not texts or len(texts) < len(known) or await self._is_of_a_place(change.value):
            return None
        if change.kind != "less" and await self._asks_for_another(change.value, info.key):
            return None
        text = change.of("\n".join(texts))
        if text is None:
            return None
        return {**params, name: [*text.split("\n")] if isinstance(before, list) else text}

    async def _is_of_a_place(self, words: str) -> bool:
        """Whether words are a place, a file or a link, and nothing else."""
        resolved = await self._resolved(words, asked=True)
        spans = [span for span in find_spans(resolved.text) if span.kind is not SpanKind.QUOTE]
        left = resolved.said
        for each in resolved.references:
            left = left.replace(each.words, " ")
        return bool(spans) and (not resolved.references or not assent.left_of(left))

    async def _piecewise(self, info: MetaActionInfo, params: JsonObject) -> JsonObject | None:
        """The arguments with several changed, each by a phrase of its own: `call it Taxes and put it in
        Documents`; `None`: not all of the words are such phrases."""
        pieces = answer_pieces(self._text)
        if not 1 < len(pieces) <= _MOST_PIECES:
            return None
        phrases = _phrases_of(pieces)
        if phrases is None or len(phrases) < 2:
            return None
        found: JsonObject | None = params
        for phrase in phrases:
            if found is not None:
                named, value = phrase.kind == "name", phrase.groups["value"]
                found = (
                    await self._with_value(info, found, value, named=True)
                    if named
                    else await self._put_right(info, found, phrase)
                )
        return found

    def others(self, card: ActionRecord) -> tuple[str, ...]:
        """What lies beside the thing of a card, of its kind, where another is meant and not told which."""
        info = self._ability(card.key)
        if info is None or not says("assent", "other_one", self._text):
            return ()
        slot = next((slot for slot in slots_of(info) if slot.is_place and slot.name in card.params), None)
        thing = PurePath(str(_known(card.params[slot.name]))) if slot is not None else PurePath()
        beside = [path for path in self._lying_beside(thing) if path.suffix == thing.suffix]
        alike = [path for path in beside if _words(path) & _words(thing) or path.name == thing.name]
        return tuple(map(str, alike or beside))[:_MOST_OTHERS]

    def with_other(self, card: ActionRecord, path: str) -> JsonObject | None:
        """The arguments for another thing, where a card has nothing but its thing."""
        info = self._ability(card.key)
        places = (
            [slot.name for slot in slots_of(info) if slot.is_place and slot.name in card.params]
            if info
            else []
        )
        return {**card.params, places[0]: display_text(path)} if len(places) == 1 else None

    def _lying_beside(self, thing: PurePath) -> list[PurePath]:
        """What is called as a thing is, elsewhere; else all of its kind that lie where it does."""
        entries = self._state.surroundings.entries
        folder = next((each.is_folder for each in entries if each.path == str(thing)), False)
        paths = [PurePath(entry.path) for entry in entries if entry.is_folder is folder]
        beside = [path for path in paths if path.parent == thing.parent and path != thing]
        return [path for path in paths if path.name == thing.name and path != thing] or beside

    async def _beside_it(self, info: MetaActionInfo, params: JsonObject) -> JsonObject | None:
        """The arguments with what lies beside the thing in its place: `no, the one with the (1)`."""
        if not says("assent", "other_one", self._text):
            return None
        slot = next((slot for slot in slots_of(info) if slot.is_place and slot.name in params), None)
        thing = PurePath(str(_known(params[slot.name]))) if slot is not None else PurePath()
        beside = self._lying_beside(thing)
        words = assent.left_of(self._text)
        at = told_apart(words, [path.name for path in beside])
        alike = [path for path in beside if path.suffix == thing.suffix and _is_like(path.stem, thing.stem)]
        said = first_match("assent", "other_one", words)
        left = words[: said.start()] + words[said.end() :] if said is not None else words
        named = alike or [path for path in beside if _words(path) & _words(thing)]
        if any(term.weight > FUNCTION_WEIGHT for term in terms(left)):
            named = []  # `the one called ideas` is none that is not called so
        chosen = beside[at] if at is not None else named[0] if len(named) == 1 else None
        if slot is None or chosen is None:
            return None
        in_place = {  # its new name is in the folder where it lies
            name: display_text(str(chosen.parent / path.name))
            for name, value in params.items()
            if (path := PurePath(str(_known(value)))).parent == thing.parent and path != thing
        }
        return {**params, **in_place, slot.name: display_text(str(chosen))}

    async def _put_right(
        self, info: MetaActionInfo, params: JsonObject, phrase: SaidPhrase
    ) -> JsonObject | None:
        """The arguments with the one that fits what the phrase says."""
        value, old = phrase.groups["value"], phrase.groups.get("old", "")
        preposition = _PUT.match(value)
        value = value[preposition.end() :] if preposition is not None else value
        if old and (replaced := _replaced(info, params, old, value)) is not None:
            return replaced
        written = value.startswith(("~", "/"))
        if phrase.kind == "loose" and not written and await self._asks_for_another(self._text, info.key):
            return None
        where = phrase.groups.get("put") or (preposition.group().strip() if preposition is not None else "")
        put = bool(where) and where.casefold() != "in"  # something may as well be done in a folder
        return await self._with_value(info, params, value, put=put)

    async def _with_value(
        self,
        info: MetaActionInfo,
        params: JsonObject,
        value: str,
        *,
        put: bool = False,
        named: bool = False,
        first: str = "",
    ) -> JsonObject | None:
        """The arguments with a value for the first parameter that it fits by its form, `first` before all.

        `put`: it is where something is to go; `named`: it is a name, whatever else is called so.
        """
        value = value.strip(" ,，。")
        points = not named and is_reference(value, self._text)  # `the other` is no name
        resolved = ResolvedText(value, value) if named else await self._resolved(value, asked=True)
        if suffix := _SUFFIX.search(value):  # a part of a name is none: `合同备份.txt` is not the folder 合同
            meant = [path for each in resolved.references for path in each.paths]
            named = named or not any(path.endswith(suffix.group()) for path in meant)
            resolved = ResolvedText(value, value) if named else resolved
        if len(resolved.references) == 1:
            value = resolved.references[0].words
        there = {entry.path: entry.is_folder for entry in self._state.surroundings.entries}
        slots = list(_in_order_of_form(info, params, resolved, put=put, there=there))
        away = any(slot.is_place and slot.name in params for slot in slots) and not any(
            map(_is_put_there, slots)
        )
        if not value or points or (put and away and not _is_name(resolved)):
            return None  # what only takes a place away puts nothing there
        if named:
            slots.sort(key=lambda slot: not slot.is_path)
        for slot in sorted(slots, key=lambda slot: slot.name != first):
            before = params.get(slot.name)
            made = slot.is_path and isinstance(before, str) and _known(before) not in there
            if slot.is_place and _is_name(resolved):
                if made and (named or "." in value or not _is_brought(slot) or _renames(params, slot.name)):
                    return {**params, slot.name: _named_so(str(before), value)}
                continue  # it is a thing that is there, and not what is to be made
            place = resolved.references[0].paths[0] if resolved.references else ""
            if made and there.get(place, slot.is_made) and not _is_brought(slot):
                return {**params, slot.name: display_text(str(PurePath(place) / PurePath(str(before)).name))}
            found = await self._find(ExtractParams(value, info, known=params, asked=slot.name))
            if not found.problem and found.values != params:
                return found.values
            if found.problem and slot.is_path and value.startswith(("~", "/")):
                return {**params, slot.name: value}  # the card says that it is not there
        return None

    async def _retyped(self, info: MetaActionInfo, params: JsonObject) -> JsonObject | None:
        """The arguments with the one value that the words have in the place of another of its type."""
        words = assent.without_words(assent.left_of(self._text), "but")
        kinds = {piece.says for piece in assent.said_pieces(self._text)}
        if not words or assent.Says.DOUBT in kinds:
            return None
        resolved = await self._resolved(words)
        if not resolved.references:
            eager = await self._resolved(words, asked=True)
            around = [words.replace(each.words, " ") for each in eager.references]
            resolved = eager if around and not assent.left_of(around[0]) else resolved
        before = self._text[: max(self._text.find(words), 0)]
        said = dict(_values_said(words, resolved, before))
        given = {name: _known(value) for name, value in params.items()}
        brought = [str(given[slot.name]) for slot in slots_of(info) if slot.is_made and slot.name in given]
        old = [*given.values(), *(str(PurePath(path).parent) for path in brought)]
        new = list({value: word for word, value in said.items() if value not in old}.values())
        places = [word for word, value in said.items() if isinstance(value, str)]
        put = bool(new) and _PUT_BEFORE.search(words[: max(words.find(new[0]), 0)].rstrip()) is not None
        meant = (await self._meaning(self._text)).meant
        another = bool(places) or (not new and all(one.key != info.key for one in meant))
        alone = another and not put and not says("assent", "corrects", self._text)
        if alone and meant and asks(self._text, meant):
            return None  # it is asked for on its own
        counts = len(said) > len(places)
        typed = {slot.name for slot in slots_of(info) if slot.choices or slot.types == {"boolean"}}
        typed |= {slot.name for slot in slots_of(info) if slot.is_number and counts}
        if not typed and not new:
            return None
        plain = _without_old(words, slots_of(info), params)
        found = await self._find(ExtractParams(plain, info, known=params, amends=True))
        changed = {name for name, value in found.values.items() if params.get(name) != value}
        called = [slot.name for slot in slots_of(info) if _is_called(slot, info, words)]
        if changed and changed <= typed and not places and not {*called} - changed:
            return found.values
        if len(new) == 1 and (new[0] in places or any(slot.is_number for slot in slots_of(info))):
            held = [name for name, value in given.items() if value in said.values()]
            same = [name for name in held if isinstance(given[name], str) is (new[0] in places)]
            return await self._with_value(
                info, params, new[0], put=put, first=next(iter((*called, *same)), "")
            )
        return None


def _ends_of(text: str) -> Iterator[str]:
    """A text from each of its clauses on."""
    for clause in assent.clauses_of(text)[1:]:
        yield text[text.find(clause) :]


def _phrases_of(pieces: Sequence[str]) -> list[SaidPhrase] | None:
    """The phrases that pieces are, one or several together each; `None`: some are none."""
    if not pieces:
        return []
    for end in range(1, len(pieces) + 1):
        said = "".join(pieces[:end])
        phrase = phrase_table("corrections").read(said)
        phrase = phrase if phrase is not None and re.search(r"\w", phrase.groups["value"]) else None
        if phrase is None and assent.left_of(said):
            continue
        rest = _phrases_of(pieces[end:])
        if rest is not None:
            return [phrase, *rest] if phrase is not None else rest
    return None


def _is_like(one: str, other: str) -> bool:
    """Whether one name is the other with something more: `cat (1)`, `old plan`."""
    return one.casefold() in other.casefold() or other.casefold() in one.casefold()


def _words(path: PurePath) -> set[str]:
    """What tells a name from others: its words, without numbers."""
    return set(re.findall(r"[^\W\d_]{3,}|[\u4e00-\u9fff]{2,}", path.stem.casefold()))


def _without_old(words: str, slots: Sequence[Slot], params: JsonObject) -> str:
    """Words without the numbers and choices that stand on the card: `not 800, 500`."""
    for slot in slots:
        value = params.get(slot.name)
        if slot.is_number or slot.choices:
            words = re.sub(rf"(?<![\w.])(?a:{re.escape(str(value))})(?![A-Za-z0-9.])", " ", words)
    return words


def _values_said(words: str, resolved: ResolvedText, before: str) -> Iterator[tuple[str, object]]:
    """The places and numbers that words have, but for those that are not meant: `not Backups`."""
    spans = [(each.start, each.end) for each in resolved.references]
    for each in resolved.references:
        if not each.new and not says("assent", "apart", f"{before}{words[: each.start]}".rstrip()):
            yield each.words, each.paths[0]
    for number in find_quantities(words):
        apart = all(number.end <= start or end <= number.start for start, end in spans)
        place = is_in_step_number(words, number.start)
        told = words[number.start].isdigit() or (has_cjk(words) and number.value > _FEW)
        if apart and not place and told:
            said = words[number.start : number.end]
            yield (f"{number.value:f}" if number.worded else said), number.value


def _is_called(slot: Slot, info: MetaActionInfo, words: str) -> bool:
    """Whether words say what a number is called: `质量调到 70`."""
    title = str(info.spoken("zh").properties()[slot.name].get("title") or "")
    return slot.is_number and has_cjk(title) and title in words


def _known(value: Json) -> object:
    """A value as it is compared: a path in full."""
    is_path = isinstance(value, str) and value.startswith(("~", "/"))
    return str(expanded_path(str(value))) if is_path else value


def _same(found: JsonObject, before: JsonObject) -> bool:
    return {name: _known(found[name]) for name in found} == {name: _known(before[name]) for name in before}


def _in_order_of_form(
    info: MetaActionInfo,
    params: JsonObject,
    value: ResolvedText,
    *,
    put: bool,
    there: Mapping[str, bool],
) -> Iterator[Slot]:
    """The parameters that a value may be for, by its form: a place, a number, a choice, a text.

    `put`: it is where something is to be put; a folder is that, too, where what is worked on is a file.
    """
    given = sorted(slots_of(info), key=lambda slot: slot.name not in params)
    if not _is_name(value):
        places = [slot for slot in given if slot.is_place]
        folder = bool(value.references) and there.get(value.references[0].paths[0], False)
        files = [slot for slot in places if there.get(str(_known(params.get(slot.name)))) is False]
        put = put or (folder and bool(files))
        yield from sorted(places, key=lambda slot: _is_put_there(slot) is not put)
        return
    if re.search(r"\d", value.said):
        yield from (slot for slot in given if slot.is_number)
    yield from (slot for slot in given if slot.choices)
    texts = [slot for slot in given if "string" in slot.types and slot.name in params]
    yield from sorted(texts, key=lambda slot: slot.is_path)


def _renames(params: JsonObject, name: str) -> bool:
    """Whether a path is another name for a file in its place."""
    paths = {each: PurePath(str(_known(value))) for each, value in params.items() if "/" in str(value)}
    return bool(paths[name].suffix) and any(
        path.parent == paths[name].parent for each, path in paths.items() if each != name
    )


def _is_brought(slot: Slot) -> bool:
    return slot.is_destination or "x-partner-into" in slot.schema


def _is_put_there(slot: Slot) -> bool:
    writes = slot.schema.get("access") == "write" and slot.file_kinds == {"file"}
    return slot.is_destination or slot.is_made or (writes and not slot.schema.get("x-partner-there"))


def _is_name(value: ResolvedText) -> bool:
    """Whether it names no place that is there."""
    paths = [span for span in find_spans(value.text) if span.kind is SpanKind.PATH]
    return not value.references and all("/" not in span.value for span in paths)


def _named_so(path: str, name: str) -> str:
    """The path of something to make, with another name at its end."""
    old = PurePath(path)
    named = name.strip(" \"'“”「」")
    return str(old.with_name(named if "." in named else f"{named}{old.suffix}"))


def _replaced(info: MetaActionInfo, params: JsonObject, old: str, new: str) -> JsonObject | None:
    """The arguments with words of just one of the texts replaced."""
    texts = {slot.name: params.get(slot.name) for slot in slots_of(info) if not slot.is_path}
    holding = [
        name for name, value in texts.items() if isinstance(value, str) and old.casefold() in value.casefold()
    ]
    if len(holding) != 1:
        return None
    value = re.sub(re.escape(old), lambda _: new, str(params[holding[0]]), flags=re.IGNORECASE)
    return {**params, holding[0]: value}
