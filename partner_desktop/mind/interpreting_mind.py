"""InterpretingMind: the mind that answers `Interpret`, around any other, which it asks what that needs.

The open question comes first, then the cards and what runs, then what is new. What the rules leave unsettled
while something is open is asked once more of whoever knows more of words.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.inquiry import AskedAbout, Topic
from partner_desktop.domain.intervention import Confirmation, Settled
from partner_desktop.domain.referent import ATTACHED
from partner_desktop.language.result_references import asks_what_came
from partner_desktop.language.speech_acts.asked_about import asked_about
from partner_desktop.language.speech_acts.schedule_talk import calls_off_last
from partner_desktop.language.speech_acts.speech_act import only_asks
from partner_desktop.language.spoken_words import in_plain_words
from partner_desktop.language.values.several_times import goes_on_from_before
from partner_desktop.mind.act import (
    Act,
    AmendCard,
    AskAbout,
    AskAgain,
    AskWhich,
    Decide,
    Fill,
    Interpret,
    Interpretation,
    Leave,
    NewAct,
    NoTime,
    OpenQuestion,
    ReadOpenWords,
    Request,
    Unwanted,
)
from partner_desktop.mind.answerers import Answerers
from partner_desktop.mind.new_requests import RequestReading
from partner_desktop.mind.open_cards import CardReading
from partner_desktop.mind.open_question import AnswerReading
from partner_desktop.mind.question import Mind, ReadSelfTalk, ReplyRequest
from partner_desktop.mind.timed_requests import TimedReading

_SKILLS = (Topic.SKILL, Topic.SKILLS, Topic.ABILITY)


class InterpretingMind(Answerers):
    """What it is asked beside, the other mind answers."""

    def __init__(self, mind: Mind) -> None:
        super().__init__(
            Interpret.answered_by(self._interpret),
            otherwise=mind.ask,
        )
        self._mind = mind

    @property
    def name(self) -> str:
        return self._mind.name

    async def _interpret(self, asked: Interpret) -> Interpretation:
        """What the words do, read in plain words; what of them is left is left as it was said."""
        entries = asked.state.surroundings.entries
        names = [PurePath(entry.path).stem for entry in entries]
        plain = await asyncio.to_thread(lambda: tuple(in_plain_words(text, names) for text in asked.texts))
        texts = tuple(words.plain for words in plain)
        found = await self._read(replace(asked, texts=texts, plainly=plain))
        return replace(found, rest="\n".join(asked.texts)) if found.rest == "\n".join(texts) else found

    async def _read(self, asked: Interpret) -> Interpretation:
        """What is wanted later and what records answer come first; of what is open, what was said last."""
        timed = await self._timed(asked)
        if timed is not None:
            return timed
        if len(asked.texts) == 1 and not asked.state.something_open:
            reading = await RequestReading.to_the_point(asked, self.ask)
            again = await reading.again(asked.texts[0])
            if again is not None:
                return Interpretation.of(again)
        if len(asked.texts) == 1 and not asked.unrecorded:
            about = await asyncio.to_thread(_about, asked)
            if about is not None and about.topic in _SKILLS:
                said = await self.ask(ReadSelfTalk(asked.texts[0]))  # `can you see me?` is about no ability
                about = said.asked if said is not None and said.sure else about
            if about is not None:
                return Interpretation.of(AskAbout(about))
        if asked.state.question is not None:
            return await self._settled(asked, await self._to_question(asked, asked.state.question))
        if asked.state.something_open and len(asked.texts) == 1:
            return await self._settled(asked, await CardReading(asked, self.ask).read())
        return await self._anew(asked)

    async def _timed(self, asked: Interpret) -> Interpretation | None:
        """What is wanted at other times, or said of what is planned; `None`: nothing of it is."""
        if asked.state.something_open:
            return await self._timed_beside(asked) if len(asked.texts) == 1 else None
        each = [
            replace(asked, texts=(text,), plainly=asked.plainly[at : at + 1])
            for at, text in enumerate(asked.texts)
        ]
        acts = [await (await TimedReading.of(one, self.ask)).read_all() for one in each]
        whole = await self._said_in_two(asked, acts)
        if whole is not None:
            return Interpretation.of(_said_by(whole, range(len(acts))))
        if not any(acts):
            return None
        found: list[Act] = []
        for at, (one, own) in enumerate(zip(each, acts, strict=True)):
            others = own or (await self._read(one)).acts
            found += [_said_by(other, (at,)) for other in others]
        return Interpretation(tuple(found))

    async def _said_in_two(self, asked: Interpret, acts: Sequence[tuple[NewAct, ...]]) -> NewAct | None:
        """What two messages want together: a time, and what is wanted then; `None`: each is whole."""
        texts = asked.texts
        if len(texts) == 1 or all(acts) or not _lacks_the_other(texts, acts):
            return None
        joined = replace(asked, texts=(" ".join(texts),), plainly=())
        whole = await (await TimedReading.of(joined, self.ask)).read()
        return whole if isinstance(whole, Request) else None

    async def _timed_beside(self, asked: Interpret) -> Interpretation | None:
        """What is wanted at other times while something is open: of a card, or of nothing that is open."""
        reading = await TimedReading.of(asked, self.ask)
        if await asyncio.to_thread(reading.stands_by_itself):
            return Interpretation(rest=asked.texts[0])
        if asked.state.question is not None:
            return None
        card = next((card for card in reversed(asked.state.cards) if card.id in asked.state.said_last), None)
        off = card is not None and card.terms is not None
        if card is not None and off and await asyncio.to_thread(calls_off_last, asked.texts[0], asked.at):
            return Interpretation((Decide((Settled(card.id, Confirmation.REJECT),)),))
        asks = await asyncio.to_thread(only_asks, asked.texts[0])
        moved = await reading.to_card(card) if card is not None and not asks else None
        if isinstance(moved, NoTime):
            return Interpretation.of(moved)
        if card is not None and moved is not None:
            return Interpretation((Decide((Settled(card.id, Confirmation.REJECT),)), moved))
        return Interpretation(rest=asked.texts[0]) if await reading.is_new_request() else None

    async def _settled(self, asked: Interpret, found: Interpretation) -> Interpretation:
        """What the rules found, or what is made of words that they leave unsettled; a yes is theirs alone."""
        text = asked.texts[0]
        if asked.unrecorded or len(asked.texts) > 1 or not _is_unsettled(found, text):
            return found
        act = await self.ask(ReadOpenWords(asked, turn=asked.turn))
        if isinstance(act, AmendCard | Fill) and await asyncio.to_thread(only_asks, text):
            return found  # no question changes anything, whoever reads it
        match act:
            case None:
                return found
            case Unwanted():
                return Interpretation.of(Decide((Settled(act.card_id, Confirmation.REJECT),)))
            case Leave():
                return Interpretation((act,) if asked.state.question is not None else (), rest=text)
            case _:
                return Interpretation.of(act)

    async def _to_question(self, asked: Interpret, question: OpenQuestion) -> Interpretation:
        """What words do where a question is open, and cards may be."""
        cards = CardReading(asked, self.ask)
        cards_first = any(_later(card, question.record) for card in asked.state.cards)
        if cards_first and (found := await cards.read()).rest is None:
            return found
        answer = await AnswerReading(asked, self.ask).read(question)
        if answer.rest is None or cards_first:
            return answer
        found = await cards.read()
        return found if found.rest is None else answer

    async def _anew(self, asked: Interpret) -> Interpretation:
        if asked.state.something_open:
            return Interpretation(rest="\n".join(asked.texts))
        return await (await RequestReading.to_the_point(asked, self.ask)).read()

    def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        return self._mind.reply(request)


def _about(asked: Interpret) -> AskedAbout | None:
    """What is asked of records, or of a file that came with these very words."""
    newest = next(iter(asked.state.surroundings.referents), None)
    said = asked.turn.said if asked.turn is not None else ()
    came = newest is not None and newest.key == ATTACHED and newest.action_id in said
    if came and asks_what_came(asked.texts[0]):
        return AskedAbout(Topic.ATTACHED)
    return asked_about(asked.texts[0], asked.at)


def _said_by(act: Act, inputs: Iterable[int]) -> Act:
    """The act of these of the things said."""
    return replace(act, inputs=tuple(inputs)) if isinstance(act, Request) else act


def _lacks_the_other(texts: Sequence[str], acts: Sequence[tuple[NewAct, ...]]) -> bool:
    """Whether nothing is whole, or the time or the message of a reminder stands beside it."""
    if not any(acts):
        return True
    return any(
        isinstance(act, NoTime) or (isinstance(act, Request) and goes_on_from_before(after))
        for own, after in zip(acts, texts[1:], strict=False)
        for act in own
    )


def _is_unsettled(found: Interpretation, text: str) -> bool:
    """Whether the rules see only that words are no plain answer, or leave all of them for something new."""
    match found.acts:
        case () | (Leave(),):
            return found.rest == text
        case (AskWhich(said=Confirmation.OTHER) | AskWhich(near=(_, *_)),) | (AskAgain(back=""),):
            return True
        case (Fill(found=given),):
            return bool(given.problem)
        case (AskAbout(asked=about),):
            return about.beyond
        case _:
            return False


def _later(card: ActionRecord, question: ActionRecord) -> bool:
    return card.created_at > (question.asked_at or question.created_at)
