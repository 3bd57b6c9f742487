"""`capability::initiate_turn`: a turn that Partner begins itself.

Contract: its input is a fact of that turn, never the person's words: it answers no question, approves nothing
and is not planned. So a turn begun here begins no other one.
"""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.runner.builtin.registry import BuiltinCall, BuiltinDefinition
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.domain.evidence import Initiated
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route, RunnerResponse

_SKIP = frozenset({"ActionPlanner"})


class InitiativeBuiltins:
    """Speaks through the dialog."""

    def __init__(self, cognition: CognitionCapability) -> None:
        self._cognition = cognition

    def definitions(self) -> Sequence[BuiltinDefinition]:
        return (BuiltinDefinition(_INFO, self._initiate),)

    async def _initiate(self, call: BuiltinCall) -> RunnerResponse:
        # Raises where it is not there, or was deleted.
        target = await self._cognition.conversation(call.text("target") or call.conversation_id)
        self._cognition.initiate_turn(
            [Initiated(call.text("input"))], conversation_id=target.id, exchange_id="", skip=_SKIP
        )
        where = "here" if target.id == call.conversation_id else f"in “{target.title or 'a conversation'}”"
        return RunnerResponse(ok=True, data={"summary": f"A turn begins {where}."})


_INFO = MetaActionInfo(
    key="builtin::capability::initiate_turn",
    route=Route.BUILTIN,
    label="Begin a turn of its own",
    description="Let Partner begin a turn of its own about something",
    aliases=("start a turn of your own", "speak up on your own about", "主动发起一轮对话"),
    params={
        "type": "object",
        "properties": {
            "input": {
                "type": "string",
                "minLength": 1,
                "maxLength": 4_000,
                "description": "what the turn is about",
                "x-partner-rest": True,
            },
            "target": {"type": "string", "description": "the id of the conversation; without it, this one"},
        },
        "required": ["input"],
    },
    annotations=Annotations(read_only=False, destructive=False, open_world=False),
)
