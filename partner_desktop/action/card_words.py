"""CardWords: what the person's words do to the cards that wait: yes, no, otherwise, or a question which.
What they do to steps, and to what runs, is looked at by `chain/chain_words.py`.

Contract: words that want it otherwise run nothing; the card shows the new arguments and asks again. A verdict
is the mind's; what it confirms is asked about first where `SpokenYes` does not take the words for a yes, and
decided by `Approvals`. Only questions to the mind are cut short.
"""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.chain.path_swap import swapped_in
from partner_desktop.action.chain.step_amendment import StepAmendment
from partner_desktop.action.planning_parts import PlanningPart, PlanningParts
from partner_desktop.action.spoken_yes import SpokenYes
from partner_desktop.base.errors import PartnerError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Described, Dropped, Evidence, Started, Unsettled, Withheld
from partner_desktop.domain.intervention import Confirmation, Verdict
from partner_desktop.language.references import number_said, pointed_at
from partner_desktop.language.speech_acts.card_requests import status_question
from partner_desktop.language.speech_acts.confirmation import judge
from partner_desktop.mind.question import ExtractParams, JudgeConfirmation
from partner_desktop.runtime.flow import FlowInput, RunningFlowContext

#: Why an ability that was meant cannot be called.
GONE = "It is not there any more, or is switched off."

_OTHER = Verdict(Confirmation.OTHER)
#: A plain yes or no, as it is said before what it goes with.
_SAID = {Confirmation.CONFIRM: "yes", Confirmation.REJECT: "no"}


class CardWords(PlanningPart):
    """A part of the planner."""

    def __init__(self, parts: PlanningParts) -> None:
        super().__init__(parts)
        self._spoken = SpokenYes(parts.cognition, parts.catalog)
        self._chains = StepAmendment(parts.mind, parts.catalog, parts.approvals)
        self._asked_which: dict[str, Confirmation] = {}
        """Conversation → the plain yes or no that could have meant several cards, until more is said."""

    async def settle(
        self, flow: RunningFlowContext, item: FlowInput, open_: Sequence[ActionRecord]
    ) -> Sequence[Evidence]:
        """The words as a question about what is open, a verdict on the cards that wait, or about what runs;
        nothing when they are about something else."""
        text = item.text
        asked = status_question(text)
        if asked is not None and (open_ or asked.status):
            return [Described(tuple(open_), asked.step)]
        if not open_:
            return []
        waiting = [record for record in open_ if record.status is ActionStatus.WAITING]
        said = self._completed(flow, text, waiting)
        verdict = await self._judge(flow, said, waiting)
        last = await self._spoken.said_last(flow.conversation_id, waiting, item.at)
        if verdict.kind is Confirmation.UNCLEAR and judge(text) is Confirmation.UNCLEAR and not last:
            verdict = _OTHER  # praise, of something else
        cards = {record.id: record for record in waiting}
        if verdict.kind in (Confirmation.OTHER, Confirmation.UNCLEAR, Confirmation.AMEND):
            # What could be about one step is that before it is about the whole card.
            about_steps = verdict.kind is Confirmation.OTHER or any(
                card.chain is not None for card in waiting
            )
            facts = await self._chain_words.settle(flow, text, open_) if about_steps else []
            if facts or verdict.kind is Confirmation.OTHER:
                return facts
        if verdict.kind is Confirmation.UNCLEAR or not verdict.settled:
            self._asked_which[flow.conversation_id] = judge(text)
            return [Unsettled(tuple(await self._core.count(waiting)))]
        if verdict.kind is Confirmation.AMEND:
            amended = await self._amend(flow, cards[verdict.settled[0].action_id], verdict, text)
            return [] if amended is None else [amended]
        why_not = self._spoken.why_not(said, waiting, last)
        decided = [one for one in verdict.settled if one.action_id in cards]
        left = [one for one in decided if one.kind is Confirmation.CONFIRM and one.action_id in why_not]
        facts = [
            await self._decide(flow, cards[one.action_id], one.kind) for one in decided if one not in left
        ]
        for why in dict.fromkeys(why_not[one.action_id] for one in left):
            these = [cards[one.action_id] for one in left if why_not[one.action_id] == why]
            facts.append(Unsettled(tuple(await self._core.count(these)), why))
        return facts

    def _completed(self, flow: RunningFlowContext, text: str, waiting: Sequence[ActionRecord]) -> str:
        """`the second` alone, said when it was asked which is meant, goes with the yes or no before it."""
        before = _SAID.get(self._asked_which.pop(flow.conversation_id, Confirmation.OTHER), "")
        if before and len(waiting) > 1:
            pointed = pointed_at(" ".join(text.casefold().strip(" .!。！").split()), waiting, by_name=False)
            return f"{before}, {text}" if pointed is not None else text
        return text

    async def _judge(self, flow: RunningFlowContext, text: str, waiting: Sequence[ActionRecord]) -> Verdict:
        if not waiting:
            return Verdict(Confirmation.OTHER)
        also_called = self._spoken.also_called(waiting)
        asked = JudgeConfirmation(text, waiting, turn=flow.ref, also_called=also_called)
        return await flow.unless_interrupted(self._mind.ask(asked))

    async def _decide(self, flow: RunningFlowContext, card: ActionRecord, kind: Confirmation) -> Evidence:
        try:
            if kind is Confirmation.REJECT:
                return Dropped(await self._approvals.reject(card.id, exchange=flow.exchange))
            record = await self._approvals.approve_as(card, exchange=flow.exchange)
        except PartnerError as error:
            now = await self._core.current(card)
            # Another answer was first: what runs is not said to have been left.
            return Started(now) if now.status is ActionStatus.RUNNING else Withheld(now, str(error))
        return Started(record)

    async def _amend(
        self, flow: RunningFlowContext, card: ActionRecord, verdict: Verdict, text: str
    ) -> Evidence | None:
        """The card, changed as the words say and asking again; `None` when they ask for something else."""
        about_step = card.chain is not None and bool(number_said(text))
        if verdict.bare and not about_step and await self._is_of_another(flow, text, card):
            return None
        if card.chain is not None:
            return await self._chains.amend(flow, card, card.chain, verdict.amendment)
        info = self._catalog.get(card.key)
        if info is None:
            return Withheld(card, GONE)
        wanted = swapped_in(verdict.amendment, card.params)
        if wanted is None:
            asked = ExtractParams(verdict.amendment, info, known=card.params, amends=True)
            wanted = (await self._find(flow, asked)).values
        if wanted == card.params and not verdict.bare and await self._is_of_another(flow, text, card):
            return None
        try:
            evidence = await self._approvals.amend(card.id, wanted)
        except PartnerError as error:
            return Withheld(card, str(error))
        flow.exchange.status = "waiting"
        return evidence

    async def _is_of_another(self, flow: RunningFlowContext, text: str, card: ActionRecord) -> bool:
        """Whether words that could change a card ask for another ability."""
        steps = card.chain.steps if card.chain is not None else ()
        return await self._asks_for_another(flow, text, {card.key, *(step.key for step in steps)})
