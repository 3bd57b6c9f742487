"""New requests: what was said in one go, where it is about nothing that is open: one wish, typed in pieces;
or several, where each is clear on its own.

`SaidWords` is what every reader of words has at hand, and asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Self

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.inquiry import AskedAbout
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.plan import Plan, Step
from partner_desktop.domain.surroundings import Surroundings
from partner_desktop.language.anaphora import is_reference
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.clauses import begins_with_joint, may_be_compound, orders_beside
from partner_desktop.language.ellipsis import (
    EllipticalTurn,
    follow_up,
    inherited,
    looks_for_text,
    read_ellipsis,
    to_the_point,
    with_more,
)
from partner_desktop.language.entity_statements import states_only
from partner_desktop.language.file_questions import (
    LOOK_UP,
    FileInquiry,
    looked_for,
    said_in_file,
    said_in_last,
)
from partner_desktop.language.home_references import resolve_references
from partner_desktop.language.list_orders import read_list_order
from partner_desktop.language.path_swap import Swap
from partner_desktop.language.recollection import asks_for_a_fact, asks_what_was_said
from partner_desktop.language.result_references import look_at_result, without_kept
from partner_desktop.language.rule_table import says
from partner_desktop.language.spans import SpanKind, find_spans
from partner_desktop.language.speech_acts.asked_about import forget_order
from partner_desktop.language.speech_acts.imperatives import asks, conditional
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.language.speech_acts.speech_act import (
    SpeechActKind,
    keeps_words,
    speech_act,
    trial_switch,
)
from partner_desktop.language.spoken_words import ResolvedText
from partner_desktop.language.values.calculations import read_calculation
from partner_desktop.mind.act import (
    Again,
    AskAbout,
    Condition,
    Forget,
    Interpret,
    Interpretation,
    NewAct,
    Recollection,
    Request,
    TalkState,
)
from partner_desktop.mind.answerers import Ask
from partner_desktop.mind.parameter_finder import ParameterFinder
from partner_desktop.mind.question import (
    NEAR_SCORE,
    EvaluateIntent,
    ExtractedParams,
    ExtractParams,
    IntentEvaluation,
    ReadSelfTalk,
)


class SaidWords:
    """One message, or what was said in one go, against the state of the talk."""

    def __init__(self, asked: Interpret, ask: Ask) -> None:
        self._asked = asked
        self._ask = ask
        self._finder = ParameterFinder(ask)

    @property
    def _state(self) -> TalkState:
        return self._asked.state

    @property
    def _text(self) -> str:
        return self._asked.texts[0]

    def _unresolved(self, text: str) -> ResolvedText:
        """The text as it is, for what names nothing on the disk."""
        return ResolvedText(text, text, plain=text)

    def _ability(self, key: str) -> MetaActionInfo | None:
        return next((info for info in self._state.abilities if info.key == key), None)

    async def _meaning(self, text: str) -> IntentEvaluation:
        """What the words mean, of all that can be called now."""
        abilities = self._state.abilities
        if await asyncio.to_thread(keeps_words, text):
            abilities = [info for info in abilities if any(slot.is_free for slot in slots_of(info))]
        return await self._ask(EvaluateIntent(text, abilities, turn=self._asked.turn))

    async def _asks_for_another(self, text: str, *own: str) -> bool:
        """Whether the words are a request for an ability whose key is none of these."""
        meant = (await self._meaning(text)).meant
        return bool(meant) and all(info.key not in own for info in meant) and asks(text, meant)

    async def _resolved(self, text: str, *, asked: bool = False) -> ResolvedText:
        """The text with what its words mean written out: things on the disk, and what results left.

        `asked`: it answers a question for a file or a folder.
        """
        found = await asyncio.to_thread(resolve_references, text, self._state.surroundings, asked=asked)
        return replace(found, plainly=self._asked.plainly)

    async def _find(self, request: ExtractParams, *, asked: bool = False) -> ExtractedParams:
        """The arguments that the words give, read with what they mean written out; see `_resolved`."""
        schema = request.info.properties().get(request.asked, {})
        place = schema.get("format") == "path" or "x-partner-target" in schema
        asked = asked or (place and not schema.get("x-partner-new"))
        resolved = await self._resolved(request.text, asked=asked)
        request = replace(request, text=resolved.text, resolved=resolved, turn=self._asked.turn)
        return await self._finder.find(request)


#: What is said to Partner in the form of an order: `tell me a story`, `can you see me`.
_SAID_AS_ORDERS = frozenset(
    {"joke", "mood", "hello", "thanks", "insult", "sorry", "senses", "what_can_you_do"}
)
#: What tells of one file, and what finds files by their names.
_INFO, _FIND = "builtin::files::info", "builtin::files::find"
_CALCULATE = "builtin::calculate"
#: Up to so many things said together are looked at one by one; more is one text in pieces.
_MOST_WISHES = 5
#: More words than that say something of their own.
_LONGEST_TURN = 80


class RequestReading(SaidWords):
    """Reads all that was said in one go."""

    @classmethod
    async def to_the_point(cls, asked: Interpret, ask: Ask) -> Self:
        """Of what is asked for, without the talk before it."""
        texts = await asyncio.to_thread(lambda: tuple(map(to_the_point, asked.texts)))
        return cls(replace(asked, texts=texts), ask)

    async def read(self) -> Interpretation:
        """What is asked for, in order."""
        texts = self._asked.texts
        if len(texts) == 1:
            act = await self._whole(texts[0])
            if act is not None:
                return Interpretation.of(act)
        requests = [await self._request(wish) for wish in await self._wishes()]
        meant = any(request.evaluation.meant for request in requests)
        if len(texts) == 1 and (about := await self._said_to_partner(requests[0], meant=meant)) is not None:
            return Interpretation.of(AskAbout(about))
        if len(texts) == 1:
            act = self._in_earnest(requests[0])
            for look in () if meant or act is not None else (looked_for, said_in_last):
                act = act or await asyncio.to_thread(self._at_file, texts[0], look)
            act = act or (None if meant else await self._looked_on(texts[0]))
            if act is not None:
                return Interpretation.of(act)
        return Interpretation(tuple(requests))

    async def _whole(self, text: str) -> NewAct | None:
        order = forget_order(text, self._asked.at)
        if order is not None:
            return Forget(text, order)
        return await self.again(text)

    async def _said_to_partner(self, request: Request, *, meant: bool) -> AskedAbout | None:
        """What is only said to Partner, or asked of it: where an ability is `meant`, only what surely is."""
        text, resolved, remembered = request.resolved.said, request.resolved, request.recollection
        named = resolved.doubtful or any(not is_reference(each.words, text) for each in resolved.references)
        if named or await asyncio.to_thread(_is_more_than_talk, text):
            return None
        said = await self._ask(ReadSelfTalk(text))
        if said is None or (self._asked.unrecorded and not said.has_answer):
            return None
        if remembered is not None and (remembered.asked or (remembered.fact and not said.sure)):
            return None
        spoken = await asyncio.to_thread(speech_act, text)
        ordered = spoken.kind is SpeechActKind.COMMAND and said.kind not in _SAID_AS_ORDERS
        return None if meant and (ordered or not said.sure) else said.asked

    # What was done last.

    async def again(self, text: str) -> Again | None:
        """What a text wants once more that leaves out what the last one said; `None`: it is whole."""
        look = await asyncio.to_thread(self._at_result, text) or await self._calculated(text)
        for read in (said_in_file, read_list_order):
            look = look or await asyncio.to_thread(self._at_file, text, read)
        if look is not None:
            return look
        wanted = read_ellipsis(text)
        again = await self._again(text, wanted) if wanted is not None else None
        plainly = wanted is not None and wanted.again
        return again if again is not None and (plainly or again.record is not None) else None

    def _at_result(self, text: str) -> Again | None:
        """A look at what results left, which answers a question about them."""
        look = look_at_result(text, self._state.surroundings.referents)
        key = _INFO if "path" in look else _FIND
        return Again(text, self._state.last, look, key) if look and self._ability(key) is not None else None

    def _at_file(self, text: str, look: Callable[[str, Surroundings], FileInquiry | None]) -> Again | None:
        """What answers a question about files, or does what is wanted of a list."""
        found = look(text, self._state.surroundings)
        if found is None or self._ability(found.key) is None:
            return None
        written = ("text", "lines")  # what a file says, or is to say
        params = {
            name: self._own(value) if name in written else value for name, value in found.params.items()
        }
        return Again(text, None, params, found.key)

    def _own(self, value: Json) -> Json:
        """Each line of a value as the person said it."""
        if not isinstance(value, str):
            return value
        lines = value.split("\n")
        for plain in self._asked.plainly:
            lines = [plain.own(line) for line in lines]
        return "\n".join(lines)

    async def _calculated(self, text: str) -> Again | None:
        """A sum or a measure, worked out; `plus 9` goes on with the one before. What is split among people
        may be meant for a script of one's own."""
        last = self._state.last
        before = unit = ""
        if last is not None and last.key == _CALCULATE and isinstance(last.data, dict):
            unit = str(last.params.get("into", ""))
            before = str(last.data.get("value", "") if unit else last.params.get("expression", ""))
        params = read_calculation(text, before, unit=unit, only_asked=self._state.may_be_answered)
        if params is None or self._ability(_CALCULATE) is None:
            return None
        if says("calculations", "shared", text):
            meant = (await self._meaning(text)).chosen
            if meant is not None and meant.route is not Route.BUILTIN:
                return None
        return Again(text, None, params, _CALCULATE)

    def _in_earnest(self, request: Request) -> Again | None:
        """What was only tried last, asked for by its verb alone: `go on then, tidy it for real`."""
        last, chosen, resolved = self._state.last, request.evaluation.chosen, request.resolved
        if last is not None and not request.evaluation.meant and says("assent", "earnest", resolved.said):
            chosen = self._ability(last.key)
        switch = trial_switch(chosen) if chosen is not None else None
        if (
            last is None
            or chosen is None
            or last.key != chosen.key
            or not (switch and last.params.get(switch))
        ):
            return None
        if request.preview or resolved.references or resolved.doubtful or find_spans(resolved.text):
            return None
        params = {name: value for name, value in last.params.items() if name != switch}
        return Again(resolved.said, last, params)

    async def _looked_on(self, text: str) -> Again | None:
        """Words that ask for nothing of their own: a number, a place or a choice for what looked last."""
        info = self._ability(self._state.last.key) if self._state.last is not None else None
        if info is None or not info.annotations.read_only or len(text) > _LONGEST_TURN:
            return None
        spoken = await asyncio.to_thread(speech_act, text)
        if not spoken.may_make_card or small_talk(text) is not None or states_only(text):
            return None
        again = await self._again(text, EllipticalTurn(text, typed=True))
        return again if again.record is not None else None

    async def _again(self, text: str, wanted: EllipticalTurn) -> Again:
        last = self._state.last
        if last is None:
            return Again(text, None)
        if last.chain is not None:
            chain = await self._chain_with(last.chain, wanted.words) if wanted.words else last.chain
            request = text if wanted.words else last.request_text
            return Again(request, last if chain is not None else None, chain=chain)
        info = self._ability(last.key)
        if wanted.words and last.key == LOOK_UP and not wanted.typed:  # `and salt?`
            return Again(text, last, {**last.params, "about": wanted.words})
        if not wanted.words or info is None:
            return Again(text, last, last.params)
        if wanted.more:
            more = with_more(wanted.words, info, last.params)
            return Again(text, last if more is not None else None, more or {})
        asked = wanted.placed or not (wanted.typed or looks_for_text(info))
        said = await self._resolved(wanted.words, asked=asked)
        amended = ExtractParams(wanted.words, info, known=last.params, amends=True)
        found = await self._find(amended, asked=asked)
        params = inherited(said, info, last.params, found.values, typed=wanted.typed)
        if params is None and not wanted.typed and not said.doubtful:
            params = with_more(wanted.words, info, last.params)
        return Again(text, last, params) if params is not None else Again(text, None)

    async def _chain_with(self, chain: Plan, words: str) -> Plan | None:
        """The chain with another path wherever the first that it works on stands."""
        for step in chain.steps:
            info = self._ability(step.key)
            if info is None:
                continue
            found = await self._find(ExtractParams(words, info, known=step.params, amends=True), asked=True)
            swap = Swap.of(step.params, found.values)
            if swap is not None:
                return _swapped(chain, swap)
        return None

    # Wishes.

    async def _wishes(self) -> list[_Wish]:
        groups = _spoken_together(self._asked.texts)
        if 1 < len(groups) <= _MOST_WISHES:
            alone = [(group, await self._meant(group)) for group in groups]
            wishes = _divided(alone)
            if len(wishes) > 1:
                return wishes
        every = tuple(range(len(self._asked.texts)))
        return [_Wish(every, await self._meant(every))] if every else []

    async def _read_out(self, inputs: Sequence[int]) -> ResolvedText:
        """What was said with its references, without what is only said to stay."""
        resolved = await self._resolved("\n".join(self._asked.texts[number] for number in inputs))
        return replace(resolved, text=await asyncio.to_thread(without_kept, resolved))

    async def _meant(self, inputs: Sequence[int]) -> IntentEvaluation:
        resolved = await self._read_out(inputs)
        whole = await self._meaning(resolved.text)
        if whole.meant or not whole.wishes or resolved.plain == resolved.text:
            return whole
        plain = await self._meaning(resolved.plain)  # what is free text may hide what is asked for
        return plain if plain.meant else whole

    async def _request(self, wish: _Wish) -> Request:
        resolved = await self._read_out(wish.inputs)
        spoken = await asyncio.to_thread(speech_act, resolved.text)
        if spoken.order_text and wish.evaluation.meant:
            resolved = replace(resolved, text=spoken.order_text)
        text = resolved.text
        texts = [self._asked.texts[number] for number in wish.inputs]
        texts = [text] if spoken.preview else texts
        near = max((item.score for item in wish.evaluation.ranked), default=0.0) >= NEAR_SCORE
        compound = (
            near
            and (not keeps_words(text) or orders_beside(text))
            and (any(map(may_be_compound, texts)) or any(map(begins_with_joint, texts[1:])))
        )
        found = conditional(text)
        condition = Condition(found.clause, found.before, found.stretch) if found is not None else None
        recollection = await asyncio.to_thread(_recollection, text)
        return Request(
            wish.inputs, resolved, wish.evaluation, compound, recollection, condition, spoken.preview
        )


@dataclass(frozen=True)
class _Wish:
    """What belongs together, and what it asks for."""

    inputs: tuple[int, ...]
    evaluation: IntentEvaluation

    @property
    def key(self) -> str:
        return self.evaluation.chosen.key if self.evaluation.chosen is not None else ""


def _is_more_than_talk(text: str) -> bool:
    """Whether something is named, or it is small talk that has its own answer, or words to keep."""
    return bool(find_spans(text)) or small_talk(text) is not None or keeps_words(text)


def _spoken_together(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """The inputs, with each that goes on where the one before ended beside that one: `and then zip it`."""
    groups: list[tuple[int, ...]] = []
    for number, text in enumerate(texts):
        if groups and begins_with_joint(text):
            groups[-1] = (*groups[-1], number)
        else:
            groups.append((number,))
    return groups


def _divided(alone: Sequence[tuple[tuple[int, ...], IntentEvaluation]]) -> list[_Wish]:
    """One wish for each ability that is clearly chosen by inputs on their own, in order.

    What chooses nothing belongs to the wish before it, at the beginning to the one after it. Inputs that
    choose the same ability one after the other are one wish. Without any choice there is no wish.
    """
    wishes: list[_Wish] = []
    before: tuple[int, ...] = ()
    for inputs, evaluation in alone:
        chosen, last = evaluation.chosen, wishes[-1] if wishes else None
        if chosen is not None and (last is None or last.key != chosen.key):
            wishes.append(_Wish((*before, *inputs), evaluation))
            before = ()
        elif last is not None:
            wishes[-1] = replace(last, inputs=(*last.inputs, *inputs))
        else:
            before = (*before, *inputs)
    return wishes


def _recollection(text: str) -> Recollection | None:
    """What the words may want of earlier talk; what names a file asks for the file."""
    if any(span.kind is SpanKind.PATH for span in find_spans(text)):
        return None
    wanted = follow_up(text)
    return Recollection(wanted is not None or asks_what_was_said(text), asks_for_a_fact(text), wanted)


def _swapped(chain: Plan, swap: Swap) -> Plan:
    def step_of(step: Step) -> Step:
        return replace(step, params=swap.changed(step.params))

    stages = [replace(stage, steps=tuple(map(step_of, stage.steps))) for stage in chain.stages]
    return replace(chain, stages=tuple(stages))
