"""Whether words settle what is pending, asked of a model that may only ever hold back.

Security: only the starter mind's reading makes words an approval, that is a message of which every word
says yes, or to what. A model may add a refusal, or leave the words for something else; what it takes for an
approval counts as something else. So neither a model's mistake nor a text that steers it can let an action
run.
"""

from __future__ import annotations

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.card_verdict import Confirmation, Settled, Verdict
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.mind.prompted.answers import VerdictAnswer, object_schema, one_of, read_answer
from partner_desktop.mind.prompted.asking import Asker
from partner_desktop.mind.prompted.prompts import quoted, written
from partner_desktop.mind.question import JudgeConfirmation, Mind

#: A longer text says more than no.
_LONGEST = 300
_MOST_TOKENS = 48
_SHOWN, _TITLE, _PARAMS = 5, 160, 300


async def judge(asker: Asker, starter: Mind, request: JudgeConfirmation) -> Verdict:
    """The starter's reading where it is one; otherwise whether the model sees a refusal of what waits.

    Words after a question are its answer, unless they plainly refuse it: that is not the model's to decide.
    """
    judged = await starter.ask(request)
    waiting = [action for action in request.pending if action.status is ActionStatus.WAITING]
    if judged.kind is not Confirmation.OTHER or not waiting or len(request.text) > _LONGEST:
        return judged
    if small_talk(request.text) is not None:
        return judged
    pending = "\n".join(_line(action) for action in waiting[:_SHOWN])

    async def read(text: str) -> VerdictAnswer:
        return read_answer(VerdictAnswer, text)

    answer = await asker.ask(
        request,
        read,
        {"pending": pending, "said": quoted(request.text)},
        turn=request.turn,
        schema=object_schema(means=one_of("reject", "confirm", "other")),
        max_tokens=_MOST_TOKENS,
    )
    refused = answer is not None and answer.means == "reject"
    if not refused:
        return Verdict(Confirmation.OTHER)
    if len(waiting) > 1:
        return Verdict(Confirmation.UNCLEAR)
    return Verdict(Confirmation.REJECT, (Settled(waiting[0].id, Confirmation.REJECT),))


def _line(action: ActionRecord) -> str:
    return f"- {quoted(action.title, _TITLE)}: {quoted(written(action.params), _PARAMS)}"
