"""Whether a chain does what was asked. A model may doubt what the starter mind finds good, and no more."""

from __future__ import annotations

from partner_desktop.mind.prompted.abilities import NamedAbilities
from partner_desktop.mind.prompted.answers import JudgedAnswer, object_schema, read_answer, text_of_at_most
from partner_desktop.mind.prompted.asking import Asker
from partner_desktop.mind.prompted.chain_lines import chain_lines, turn_of
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, tail_of
from partner_desktop.mind.question import ChainVerdict, JudgeChain, Mind

_SAID, _REASON = 1_500, 240
_MOST_TOKENS = 160


async def judge(asker: Asker, starter: Mind, request: JudgeChain) -> ChainVerdict:
    """The starter's verdict where it is a no, or where nothing ran yet; else the model's."""
    known = await starter.ask(request)
    if not known.ok or not request.steps:
        return known
    when = tail_of("judged_final" if request.final else "judged_underway", asker.language)
    found = await asker.ask(
        request,
        _read,
        {
            "said": quoted(request.action.request_text, _SAID),
            "chain": chain_lines(request.action, request.steps, NamedAbilities(())),
            "when": when,
        },
        turn=request.turn or turn_of(request.action),
        schema=object_schema(ok={"type": "boolean"}, reason=text_of_at_most(_REASON)),
        max_tokens=_MOST_TOKENS,
    )
    return known if found is None or found.ok else found


async def _read(text: str) -> ChainVerdict:
    answer = read_answer(JudgedAnswer, text)
    reason = " ".join("".join(sign if sign.isprintable() else " " for sign in answer.reason).split())
    if len(reason) > _REASON or (not answer.ok and not reason):
        raise FlawError(Flaw.VALUES)
    return ChainVerdict(answer.ok, reason)
