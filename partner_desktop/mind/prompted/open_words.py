"""What words do to what is open, asked of a model where the rules leave them unsettled: which question, card
or run they are about, and with which values.

Security: there is no answer that is a yes, and a card that was changed asks anew. A model names what is open
by the names of this state, and nothing else. Every value was offered, or is said now as something wanted; a
path is what the starter mind makes of the words for it. Only words that end something end something, and a
question changes nothing. A card that cannot keep to what is left out is not done at all, as where rules read
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from datetime import datetime
from functools import partial
from pathlib import PurePath

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.inquiry import AskedAbout, Topic
from partner_desktop.domain.intervention import Confirmation
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.leftover import Leftover, LeftoverKind
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan, Step
from partner_desktop.language.arguments.conversion import number_value
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.rule_table import says
from partner_desktop.language.spans import find_spans
from partner_desktop.language.speech_acts.assent import judge
from partner_desktop.language.speech_acts.imperatives import asks, is_question
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.language.values.quantities import find_quantities
from partner_desktop.mind.act import (
    AmendCard,
    AskAbout,
    AskAgain,
    CallOff,
    Fill,
    Interpret,
    Leave,
    OpenWords,
    ReadOpenWords,
    Stop,
    Unwanted,
)
from partner_desktop.mind.card_changes import CardChanges
from partner_desktop.mind.prompted.answers import Answer, object_schema, one_of, or_null
from partner_desktop.mind.prompted.arguments import ArgumentForm, described_slot, slot_schema
from partner_desktop.mind.prompted.asker import Asker
from partner_desktop.mind.prompted.intent import Grounds, wanted
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, written
from partner_desktop.mind.question import EvaluateIntent, ExtractedParams, ExtractParams, Mind

#: A longer text is a document, or a request of its own.
_LONGEST = 400
_MOST_CARDS, _MOST_RUNS = 3, 3
#: Values that a small model can still fill in.
_ENTRIES = 24
_TITLE, _PARAMS = 160, 300
#: Tokens for the act, and for each value: most are null.
_TOKENS, _TOKENS_EACH, _MOST_TOKENS = 128, 40, 1_024
_QUESTION = "question"
_FILLS, _ENDS = frozenset({"answer", "amend"}), frozenset({"call_off", "reject", "stop"})
#: Rules of `chain_changes.toml`: what is said where something is to end, or to be left.
_END_RULES = ("cancel", "delete")


async def read_open(
    asker: Asker, starter: Mind, request: ReadOpenWords, *, now: Callable[[], datetime]
) -> OpenWords | None:
    """The model's reading, checked; `None` also where it is not asked."""
    asked = request.asked
    if len(asked.texts) != 1 or not asked.state.something_open or await _is_plain(starter, asked):
        return None
    things = _OpenThings(asked, now)
    entries = things.entries
    found = await asker.ask(
        request,
        things.checked,
        {
            "open": "\n".join(things.lines()),
            "values": "\n".join(f"- {name}: {described_slot(one.slot)}" for name, one in entries.items())
            or "-",
            "said": quoted(things.text),
            "acts": ", ".join(f'"{name}"' for name in things.acts),
            "names": ", ".join(f'"{name}"' for name in things.names),
            "keys": ", ".join(f'"{name}"' for name in entries) or "-",
        },
        {
            "does": one_of(*things.acts),
            "about": or_null(one_of(*things.names)),
            "values": object_schema(**{name: or_null(one.schema) for name, one in entries.items()}),
        },
        max_tokens=min(_MOST_TOKENS, _TOKENS + _TOKENS_EACH * len(entries)),
    )
    return await things.act(found, starter) if found is not None else None


async def _is_plain(starter: Mind, asked: Interpret) -> bool:
    """Whether words need no model: a yes, a no or a doubt, mere talk, or an order for something else."""
    (text,) = asked.texts
    if len(text) > _LONGEST or small_talk(text) is not None or judge(text) is not Confirmation.OTHER:
        return True
    state = asked.state
    records = (*state.cards, *state.running, *([state.question.face] if state.question is not None else ()))
    own = {record.key for record in records}
    own |= {step.key for record in records if record.chain is not None for step in record.chain.steps}
    meant = (await starter.ask(EvaluateIntent(text, state.abilities, asked.turn))).meant
    return bool(meant) and all(info.key not in own for info in meant) and asks(text, meant)


@dataclass(frozen=True)
class _Place:
    """Something with arguments: the question, a card, or a step of one."""

    thing: str
    info: MetaActionInfo
    params: JsonObject
    step: Step | None = None
    offered: tuple[str, ...] = ()
    """The values of which one was meant."""
    asked: str = ""


@dataclass(frozen=True)
class _Entry:
    """A value that may be said of a place."""

    place: _Place
    form: ArgumentForm
    name: str
    """Of the form's."""

    @property
    def slot(self) -> Slot:
        return self.form.slots[self.name]

    @property
    def offered(self) -> tuple[str, ...]:
        return self.place.offered if self.slot.name == self.place.asked else ()

    @property
    def schema(self) -> JsonObject:
        return one_of(*self.offered) if self.offered else slot_schema(self.slot)


@dataclass(frozen=True)
class _Said:
    """An answer that fits the state and the words."""

    does: str
    about: str
    place: _Place | None = None
    values: JsonObject = field(default_factory=dict)
    """Parameter → value; of a path the words for it."""


class _OpenThings:
    """What is open, by short names that hold for this state alone, and what an answer makes of it."""

    def __init__(self, asked: Interpret, now: Callable[[], datetime]) -> None:
        self._asked, self._state, self.text = asked, asked.state, asked.texts[0]
        newest_first = asked.state.cards[::-1]
        last_first = sorted(newest_first, key=lambda card: card.id not in asked.state.said_last)
        runs = asked.state.running[-_MOST_RUNS:]
        self._cards = {f"card_{number}": card for number, card in enumerate(last_first[:_MOST_CARDS], 1)}
        self._runs = {f"run_{number}": run for number, run in enumerate(runs, 1)}
        question = [_QUESTION] if asked.state.question is not None else []
        self.names = (*question, *self._cards, *self._runs)
        self.entries: dict[str, _Entry] = {}
        for name, place in self._places():
            form = ArgumentForm(ExtractParams(self.text, place.info, known=place.params), now)
            fed = {feed.param for feed in place.step.feeds} if place.step is not None else set()
            for own, slot in form.slots.items():
                plain = slot.name in place.info.properties() and not (slot.is_path and slot.is_list)
                if plain and slot.name not in fed and len(self.entries) < _ENTRIES:
                    self.entries[f"{name}.{own}"] = _Entry(place, form, own)
        filled = {entry.place.thing for entry in self.entries.values()}
        self.acts = (
            *(["answer"] if _QUESTION in filled else []),
            *(["call_off"] if question else []),
            *(["reject"] if self._cards else []),
            *(["amend"] if filled - {_QUESTION} else []),
            *(["stop"] if self._runs else []),
            *("ask", "new", "talk", "unsure"),
        )

    def _places(self) -> Iterator[tuple[str, _Place]]:
        question, abilities = self._state.question, {info.key: info for info in self._state.abilities}
        if question is not None and question.info is not None:
            face = question.face
            place = _Place(
                _QUESTION, question.info, face.params, offered=face.candidates, asked=face.asked_param
            )
            yield _QUESTION, place
        for name, card in self._cards.items():
            if card.chain is None and card.key in abilities:
                yield name, _Place(name, abilities[card.key], card.params)
            for number, step in enumerate((card.chain or Plan(())).steps, 1):
                if step.key in abilities:
                    yield f"{name}.step_{number}", _Place(name, abilities[step.key], step.params, step)

    def lines(self) -> Iterator[str]:
        """One line each, and one for each step."""
        question = self._state.question
        if question is not None:
            face, offered = question.face, [*question.face.candidates]
            offered += [info.title for info in question.options]
            wants = quoted(face.asked_param) if question.info is not None else "which is meant"
            choice = f", one of {written([*offered])}" if offered else ""
            yield f"{_QUESTION}: {_told(face)}, asks for {wants}{choice}"
        for name, card in self._cards.items():
            yield f"{name}: {_told(card)}, waits"
            for number, step in enumerate((card.chain or Plan(())).steps, 1):
                yield f"- {name}.step_{number}: {_told(step)}"
        yield from (f"{name}: {_told(run)}, runs" for name, run in self._runs.items())

    def checked(self, answer: Answer) -> _Said:
        """The answer, where it can be meant.

        Raises:
            FlawError: It does not fit the state, or holds what nobody said.
        """
        does, about = answer["does"], answer["about"] or ""
        filled = {name: value for name, value in answer["values"].items() if value not in (None, "")}
        if bool(filled) != (does in _FILLS):
            raise FlawError(Flaw.VALUES)
        if does in _FILLS | _ENDS and is_question(self.text.strip()):
            raise FlawError(Flaw.UNSAID)
        if does in _ENDS and not any(says("chain_changes", rule, self.text) for rule in _END_RULES):
            raise FlawError(Flaw.UNSAID)
        cards, runs = list(self._cards), list(self._runs)
        fitting = {"reject": cards, "amend": cards, "stop": runs, "ask": [*self.names]}.get(does)
        if fitting is not None and about not in fitting:
            raise FlawError(Flaw.CHOICE, fitting)
        if not filled:
            return _Said(does, about)
        first, *others = [self.entries[name].place for name in filled]
        meant = _QUESTION if does == "answer" else about
        if first.thing != meant or any(other is not first for other in others):
            raise FlawError(Flaw.VALUES)
        return _Said(does, about, first, self._values(filled))

    def _values(self, filled: JsonObject) -> JsonObject:
        """Parameter → value as it is kept, of a path the words; all of it said, or offered."""
        entries = [self.entries[name] for name in filled]
        said = {each.name: self._said(each, filled[name]) for name, each in zip(filled, entries, strict=True)}
        form = entries[0].form
        found = form.values({**dict.fromkeys(form.slots), **said})
        return {**found, **{each.slot.name: said[each.name] for each in entries if each.slot.is_path}}

    def _said(self, entry: _Entry, value: Json) -> Json:
        """A value in the person's words.

        Raises:
            FlawError: Nobody said it.
        """
        if value in entry.offered:
            return value
        meant, slot = Grounds(wanted(self.text)), entry.slot
        if slot.is_path and isinstance(value, str) and not meant.hold(value):
            value = PurePath(value).name  # what a model writes out is read anew from its last part
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, bool):
                grounds = meant if each else Grounds(self.text)
                is_said = grounds.touch(f"{slot.name} {slot.description}")
            elif isinstance(each, int | float):
                numbers = [one for one in find_quantities(self.text) if not self._is_apart(one.start)]
                is_said = each in [number_value(number, slot.item) for number in numbers]
            else:
                words = str(each)
                told = bool(meant.touch(words) or find_spans(words)) and meant.hold(words)
                is_said = told and not self._is_apart(self.text.casefold().find(words.casefold()))
            if not is_said:
                raise FlawError(Flaw.UNSAID)
        return value

    def _is_apart(self, start: int) -> bool:
        """Whether what begins there is said not to be meant: `not 800`."""
        return start >= 0 and says("assent", "apart", self.text[:start].rstrip())

    async def act(self, said: _Said, starter: Mind) -> OpenWords | None:
        """What the words do; `None` where they can do no such thing, or no more than a rule sees."""
        if said.place is not None:
            changes = CardChanges(self._asked, starter.ask)
            params = await changes.with_values(
                said.place.info, said.place.params, said.values, offered=said.place.offered
            )
            if params is None:
                return None
            filled = self._answered if said.does == "answer" else self._amended
            return await filled(changes, said, said.place, params)
        acts: dict[str, Callable[[], OpenWords]] = {
            "call_off": CallOff,
            "reject": lambda: Unwanted(self._cards[said.about].id),
            "stop": lambda: Stop((self._runs[said.about].id,)),
            "ask": partial(self._asking, said.about),
            "new": Leave,
        }
        if self._state.question is None:  # which is not left for a remark
            acts["talk"] = Leave
        return acts[said.does]() if said.does in acts else None

    def _asking(self, about: str) -> OpenWords:
        if about == _QUESTION:
            return AskAgain("which")
        return AskAbout(AskedAbout(Topic.OPEN if about in self._runs else Topic.PLAN))

    async def _answered(self, changes: CardChanges, _: _Said, place: _Place, params: JsonObject) -> Fill:
        assert self._state.question is not None
        face = self._state.question.face
        unkept = await changes.left_out(face, AmendCard(face, params))
        left = () if unkept is None else (Leftover(LeftoverKind.EXCLUSION, unkept.words),)
        missing = tuple(name for name in place.info.required() if name not in params)
        return Fill(ExtractedParams(dict(params), missing, leftovers=left))

    async def _amended(
        self, changes: CardChanges, said: _Said, place: _Place, params: JsonObject
    ) -> AmendCard:
        card, step = self._cards[said.about], place.step
        change = AmendCard(card, params)
        if card.chain is not None and step is not None:
            change = changes.of_step(card, card.chain, step, params)
        unkept = await changes.left_out(card, change)
        return change if unkept is None else AmendCard(card, card.params, unkept=unkept)


def _told(one: ActionRecord | Step) -> str:
    return f"{quoted(one.title, _TITLE)} {quoted(written(one.params), _PARAMS)}"
