"""Which recalled passages help with what is said now, asked of a model, all of them at once."""

from __future__ import annotations

from partner_desktop.domain.evidence_text import passage_words
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.mind.prompted.answers import HelpfulAnswer, object_schema, read_answer
from partner_desktop.mind.prompted.asker import Asker
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted
from partner_desktop.mind.question import JudgeSlices, Mind

_PASSAGE = 600
_MOST_TOKENS = 64


async def judge_slices(asker: Asker, starter: Mind, request: JudgeSlices) -> tuple[bool, ...]:
    """The model's choice; the starter's, which is all of them, where it gives none that can be used."""
    if not request.passages:
        return ()
    told = "\n\n".join(
        f"{number}. {quoted(passage_words(passage).full, _PASSAGE)}"
        for number, passage in enumerate(request.passages, 1)
    )

    async def read(text: str) -> tuple[bool, ...]:
        answer = read_answer(HelpfulAnswer, text)
        if not set(answer.helpful) <= set(range(1, len(request.passages) + 1)):
            raise FlawError(Flaw.VALUES)
        return tuple(number in answer.helpful for number in range(1, len(request.passages) + 1))

    number: JsonObject = {"type": "integer", "minimum": 1, "maximum": len(request.passages)}
    found = await asker.ask(
        request,
        read,
        {"said": quoted(request.text), "passages": told},
        turn=request.turn,
        schema=object_schema(helpful={"type": "array", "items": number, "maxItems": len(request.passages)}),
        max_tokens=_MOST_TOKENS,
    )
    return await starter.ask(request) if found is None else found
