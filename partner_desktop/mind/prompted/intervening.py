"""Whether words want something of a chain to be otherwise, asked of a model behind plain phrases.

Security: nothing that a model reads here approves anything. It may add steps, which ask. It takes steps out,
ends the work or begins it anew only where there is something of the kind in the person's own words: what is
done here counts as said by the person.
"""

from __future__ import annotations

import re

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.card_verdict import Confirmation
from partner_desktop.domain.chain import Chain
from partner_desktop.domain.intervention import InterventionKind
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.language.speech_acts.confirmation import judge
from partner_desktop.language.speech_acts.imperatives import is_question
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.mind.prompted.abilities import NamedAbilities
from partner_desktop.mind.prompted.answers import InterventionAnswer, object_schema, read_answer
from partner_desktop.mind.prompted.asking import Asker
from partner_desktop.mind.prompted.chain_lines import chain_lines
from partner_desktop.mind.prompted.changes import MOST_TOKENS, ChangeReader, changes_schema, words_of_chain
from partner_desktop.mind.prompted.correcting import nearest
from partner_desktop.mind.prompted.grounding import Grounds, wanted
from partner_desktop.mind.prompted.intent import OPEN_SCORE
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted
from partner_desktop.mind.question import (
    EvaluateIntent,
    IntentEvaluation,
    Mind,
    ReadIntervention,
    WordedIntervention,
)

#: A longer text is a request of its own.
_LONGEST = 400
_MOST_CHAINS = 3
#: Words that put one thing beside, before or in the place of another.
_CUES = re.compile(
    r"\b(?:also|too|as well|then|after|afterwards|before|first|instead|rather|without|skip|drop|leave|omit"
    r"|add|insert|append|step|steps|stage|stages|start over|again|stop|cancel|don'?t|do not|only|just)\b"
    r"|也|还|再|然后|之后|以后|之前|先|改|换|跳过|去掉|删掉|不要|不用|别|加|步|阶段|重新|停|取消|只",
    re.IGNORECASE,
)
#: Without one of these, nobody asked for such a change.
_SAYS = {
    InterventionKind.DELETE: re.compile(
        r"\b(?:skip|drop|omit|leave|leaving|without|delete|remove|cancel|stop|take|not|no|never|only|just"
        r"|instead|rather|except|but|forget|out|off|rid|away)\b|n't\b|跳过|去掉|略|删|取消|停|不|别|只|除了|改|换",
        re.IGNORECASE,
    ),
    InterventionKind.CANCEL: re.compile(
        r"\b(?:stop|cancel|abort|halt|terminate|end|off|quit|kill|give up|enough|forget|drop|mind|not|no"
        r"|never|without)\b|n't\b|停|取消|中止|终止|放弃|算了|不|别|够了",
        re.IGNORECASE,
    ),
    InterventionKind.REBUILD: re.compile(
        r"\b(?:again|anew|afresh|over|restart|redo|rebuild|instead|rather|scratch|beginning|start|top)\b"
        r"|重|从头|再来|改|换",
        re.IGNORECASE,
    ),
}


async def read(asker: Asker, starter: Mind, request: ReadIntervention) -> WordedIntervention | None:
    """The starter's reading where it is one; else the model's, if the words may be about a chain."""
    plain = await starter.ask(request)
    if plain is not None or not request.chains or not _may_be_one(request.text):
        return plain
    chains = list(request.chains)[-_MOST_CHAINS:]
    evaluated = await starter.ask(EvaluateIntent(request.text, request.abilities, request.turn))
    if not _is_near(request.text, chains, evaluated):
        return None
    own = {step.key for action in chains for step in (action.chain or Chain(())).steps}
    named = NamedAbilities(await nearest(starter, request.text, request.abilities, first=own))
    found = await asker.ask(
        request,
        _Reading(request.text, chains, named).read,
        {
            "chains": _listed(chains, named),
            "abilities": named.lines() or "-",
            "said": quoted(request.text),
        },
        turn=request.turn,
        schema=_schema(chains, named),
        max_tokens=MOST_TOKENS,
    )
    return found[0] if found is not None else None


class _Reading:
    """Reads the model's answers to one question."""

    def __init__(self, text: str, chains: list[ActionRecord], named: NamedAbilities) -> None:
        self._text, self._chains, self._named = text, chains, named

    async def read(self, text: str) -> tuple[WordedIntervention | None]:
        answer = read_answer(InterventionAnswer, text)
        if not 0 <= answer.chain <= len(self._chains):
            raise FlawError(Flaw.VALUES)
        if not answer.chain or not answer.changes:
            return (None,)
        action = self._chains[answer.chain - 1]
        reader = ChangeReader(
            action.chain or Chain(()),
            self._named,
            (self._text, *words_of_chain(action)),
            asks=wanted(self._text) or "-",
        )
        wishes = reader.interventions(answer.changes)
        if not all(_is_said(wish.kind, self._text) for wish in wishes):
            raise FlawError(Flaw.UNSAID)
        return (WordedIntervention(action.id, wishes),)


def _is_said(kind: InterventionKind, text: str) -> bool:
    """Whether the words hold anything that asks for so much; a question changes nothing."""
    says = _SAYS.get(kind)
    return not is_question(text.strip()) and (says is None or says.search(text) is not None)


def _may_be_one(text: str) -> bool:
    if len(text) > _LONGEST or small_talk(text) is not None:
        return False
    return judge(text) is Confirmation.OTHER


def _is_near(text: str, chains: list[ActionRecord], evaluated: IntentEvaluation) -> bool:
    """Whether the words have to do with a step; or with an ability, beside something that is there."""
    if any(Grounds(*words_of_chain(action)).touch(text) for action in chains):
        return True
    best = max((item.score for item in evaluated.ranked), default=0.0)
    return best >= OPEN_SCORE and _CUES.search(text) is not None


def _listed(chains: list[ActionRecord], named: NamedAbilities) -> str:
    return "\n".join(
        f"Work {number}: {quoted(action.title, 160)}\n{chain_lines(action, (), named)}"
        for number, action in enumerate(chains, 1)
    )


def _schema(chains: list[ActionRecord], named: NamedAbilities) -> JsonObject:
    most = max(len((action.chain or Chain(())).stages) for action in chains)
    return object_schema(
        chain={"type": "integer", "minimum": 0, "maximum": len(chains)},
        changes=changes_schema(named, most),
    )
