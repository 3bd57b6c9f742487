"""Whether a chain does what was asked, and whether words settle what is pending, asked of a model that may
only ever hold back: it may doubt what the starter mind finds good, and no more.

Security: only the starter mind's reading makes words an approval, that is a message of which every word
says yes, or to what. A model may add a refusal, or leave the words for something else; what it takes for
an approval counts as something else. So neither a model's mistake nor a text that steers it can let an
action run.
"""

from __future__ import annotations

from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.intervention import Confirmation, Settled, Verdict
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.mind.prompted.abilities import NamedAbilities, chain_lines, turn_of
from partner_desktop.mind.prompted.answers import Answer, one_of, text_of_at_most
from partner_desktop.mind.prompted.asker import Asker
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, tail_of, written
from partner_desktop.mind.question import ChainVerdict, JudgeChain, JudgeConfirmation, Mind

_SAID, _REASON = 1_500, 240
_MOST_TOKENS_OF_CHAIN = 160


async def judge(asker: Asker, starter: Mind, request: JudgeChain) -> ChainVerdict:
    """The starter's verdict where it is a no, or where nothing ran yet; else the model's."""
    known = await starter.ask(request)
    if not known.ok or not request.steps:
        return known

    def check(answer: Answer) -> ChainVerdict:
        reason = " ".join("".join(sign if sign.isprintable() else " " for sign in answer["reason"]).split())
        if not answer["ok"] and not reason:
            raise FlawError(Flaw.VALUES)
        return known if answer["ok"] else ChainVerdict(ok=False, reason=reason)

    found = await asker.ask(
        request,
        check,
        {
            "said": quoted(request.action.request_text, _SAID),
            "chain": chain_lines(request.action, request.steps, NamedAbilities(())),
            "when": tail_of("judged_final" if request.final else "judged_underway", asker.language),
        },
        {"ok": {"type": "boolean"}, "reason": text_of_at_most(_REASON)},
        turn=request.turn or turn_of(request.action),
        max_tokens=_MOST_TOKENS_OF_CHAIN,
    )
    return known if found is None else found


#: A longer text says more than no.
_LONGEST = 300
_MOST_TOKENS = 48
_SHOWN, _TITLE, _PARAMS = 5, 160, 300


async def judge_words(asker: Asker, starter: Mind, request: JudgeConfirmation) -> Verdict:
    """The starter's reading where it is one; otherwise whether the model sees a refusal of what waits.

    Words after a question are its answer, unless they plainly refuse it: that is not the model's to decide.
    """
    judged = await starter.ask(request)
    waiting = [action for action in request.pending if action.status is ActionStatus.WAITING]
    if judged.kind is not Confirmation.OTHER or not waiting or len(request.text) > _LONGEST:
        return judged
    if small_talk(request.text) is not None:
        return judged
    pending = (
        f"- {quoted(action.title, _TITLE)}: {quoted(written(action.params), _PARAMS)}"
        for action in waiting[:_SHOWN]
    )
    refused = await asker.ask(
        request,
        lambda answer: bool(answer["means"] == "reject"),
        {"pending": "\n".join(pending), "said": quoted(request.text)},
        {"means": one_of("reject", "confirm", "other")},
        max_tokens=_MOST_TOKENS,
    )
    if not refused:
        return Verdict(Confirmation.OTHER)
    if len(waiting) > 1:
        return Verdict(Confirmation.UNCLEAR)
    return Verdict(Confirmation.REJECT, (Settled(waiting[0].id, Confirmation.REJECT),))
