"""Which things are asked for, asked of a model: the parts of a request by stages, in the person's words.

Cheap gates come first. What the starter mind splits by itself stands, and so does what cannot be compound,
is mere talk, or comes near to no ability. A part that nobody asked for is no part, and nothing that was asked
for may be lost: either ends in the starter's answer.
"""

from __future__ import annotations

from partner_desktop.language.negation import declined
from partner_desktop.mind.prompted.abilities import NamedAbilities
from partner_desktop.mind.prompted.answers import (
    StagesAnswer,
    list_of,
    object_schema,
    read_answer,
    text_of_at_most,
)
from partner_desktop.mind.prompted.asking import Asker
from partner_desktop.mind.prompted.grounding import Grounds, may_be_compound, wanted
from partner_desktop.mind.prompted.intent import near
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted
from partner_desktop.mind.question import EvaluateIntent, ExtractIntents, Intents, Mind

#: A longer text is a document, not a request.
_LONGEST = 1_200
_MOST_PARTS, _PART = 12, 240
#: The parts say at least this share of what the person said.
_SAID = 0.5
_MOST_TOKENS = 512

_SCHEMA = object_schema(
    stages=list_of(list_of(text_of_at_most(_PART), least=1, most=_MOST_PARTS), least=1, most=_MOST_PARTS)
)


async def extract(asker: Asker, starter: Mind, request: ExtractIntents) -> Intents:
    """The starter's stages where it sees some; else the model's."""
    known = await starter.ask(request)
    split = known.stages != ((request.text,),)  # also where it left out what is only refused
    if split or len(request.text) > _LONGEST or not may_be_compound(request.text):
        return known
    evaluated = await starter.ask(EvaluateIntent(request.text, request.abilities, request.turn))
    close = near(request.text, evaluated)
    if not close:
        return known

    async def read(text: str) -> Intents:
        return _checked(read_answer(StagesAnswer, text), request.text)

    found = await asker.ask(
        request,
        read,
        {"abilities": NamedAbilities(close).lines(), "said": quoted(request.text)},
        turn=request.turn,
        schema=_SCHEMA,
        max_tokens=_MOST_TOKENS,
    )
    return known if found is None else found


def _checked(answer: StagesAnswer, text: str) -> Intents:
    """The stages of an answer that says what the text says.

    Raises:
        FlawError: It says more, or less.
    """
    stages = tuple(tuple(" ".join(part.split()) for part in stage) for stage in answer.stages)
    parts = [part for stage in stages for part in stage]
    fits = all(stages) and 0 < len(parts) == len(set(parts)) <= _MOST_PARTS
    if not fits or not all(0 < len(part) <= _PART for part in parts):
        raise FlawError(Flaw.VALUES)
    if len(parts) == 1:
        return Intents(((text,),))
    asked = wanted(text)
    said = Grounds(asked)
    if any(declined(part) or not said.hold(part) for part in parts):
        raise FlawError(Flaw.UNSAID)
    if Grounds(*parts).share_of(asked) < _SAID:
        raise FlawError(Flaw.UNDONE)
    return Intents(stages)
