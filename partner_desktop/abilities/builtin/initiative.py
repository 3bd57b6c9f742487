"""`capability::initiate_turn`: a turn that Partner begins itself.

Contract: its input is a fact of that turn, never the person's words: it answers no question, approves nothing
and is not planned. So a turn begun here begins no other one.
"""

from __future__ import annotations

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.spoken import sentence_of
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.domain.evidence import Initiated
from partner_desktop.domain.meta_action import RunnerResponse

_SKIP = frozenset({"ActionPlanner"})


class InitiativeBuiltins:
    """Speaks through the dialog."""

    def __init__(self, cognition: CognitionCapability) -> None:
        self._cognition = cognition

    def definitions(self) -> Builtins:
        return {"capability::initiate_turn": self._initiate}

    async def _initiate(self, call: BuiltinCall) -> RunnerResponse:
        # Raises where it is not there, or was deleted.
        target = await self._cognition.conversation(call.text("target") or call.conversation_id)
        self._cognition.initiate_turn(
            [Initiated(call.text("input"))], conversation_id=target.id, exchange_id="", skip=_SKIP
        )
        if target.id == call.conversation_id:
            return done(sentence_of("talk.here"))
        return done(sentence_of("talk.elsewhere", title=target.title or sentence_of("talk.a_conversation")))
