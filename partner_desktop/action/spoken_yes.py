"""SpokenYes: which of the cards that wait a yes in words may approve, whatever a mind made of the words.

Contract: a yes is to what Partner said last: a card is approved in words only while nothing but cards that
wait was told of in its conversation since it, or words about it, stood there. What nothing holds is approved
only by words that name it (`ActionRecord.wants_name`). Both are facts, and that the words say yes at all is
read here once more, without any model: a mind may hold a yes back, and add none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import NoYes
from partner_desktop.domain.intervention import Confirmation, Settled
from partner_desktop.domain.message import MessageState, Role
from partner_desktop.language.speech_acts.verdicts import read

#: Messages that are looked back at. A card further up was not said last.
_LOOKED_AT = 40


class SpokenYes:
    """Asked by `CardWords`."""

    def __init__(self, cognition: CognitionCapability, catalog: AbilityCatalog) -> None:
        self._cognition = cognition
        self._catalog = catalog

    async def said_last(
        self, conversation_id: str, waiting: Sequence[ActionRecord], said_at: datetime
    ) -> frozenset[str]:
        """The ids of the cards that were told of last, before the person spoke."""
        ids, found = {card.id for card in waiting}, set[str]()
        for message in reversed(await self._cognition.recent(conversation_id, limit=_LOOKED_AT)):
            if message.role is Role.USER or message.state is MessageState.NOT_REPLIED:
                continue
            is_card = message.role is Role.ACTION
            told = ids.intersection((message.action_id,) if is_card else message.about)
            if not told and (is_card or message.text):
                break
            found |= told if message.created_at <= said_at else set()
        return frozenset(found)

    def also_called(self, waiting: Sequence[ActionRecord]) -> Mapping[str, Sequence[str]]:
        """Other ways to ask for what the cards would do, by which they may be named."""
        steps = [step.key for card in waiting if card.chain is not None for step in card.chain.steps]
        infos = [self._catalog.get(key) for key in dict.fromkeys([*(card.key for card in waiting), *steps])]
        return {info.key: info.aliases for info in infos if info is not None}

    def why_not(
        self, text: str, waiting: Sequence[ActionRecord], said_last: frozenset[str]
    ) -> Mapping[str, NoYes]:
        """Of each card that the words do not approve: why."""
        said = {
            one.action_id: one
            for one in read(text, waiting, self.also_called(waiting)).settled
            if one.kind is Confirmation.CONFIRM
        }
        reasons: dict[str, NoYes] = {}
        for card in waiting:
            reason = _reason(card, said.get(card.id), said_last)
            if reason is not None:
                reasons[card.id] = reason
        return reasons


def _reason(card: ActionRecord, said: Settled | None, said_last: frozenset[str]) -> NoYes | None:
    """Why words do not approve a card; `None` where they do."""
    if said is None:
        return ""
    if card.id not in said_last:
        return "not_last"
    return "not_named" if card.wants_name and not said.named else None
