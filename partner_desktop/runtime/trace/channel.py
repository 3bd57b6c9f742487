"""TraceChannel: what the events of a turn say, as records. Ids, states, numbers; never a message's text."""

from __future__ import annotations

from partner_desktop.base.trace import Tracer, current_turn
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import (
    ConversationGoneEvent,
    ErrorEvent,
    Event,
    ResultEvent,
    RunEvent,
    TurnEvent,
)

_HEARD = (TurnEvent, RunEvent, ResultEvent, ErrorEvent, ConversationGoneEvent)


class TraceChannel:
    """Registered by the app like any gateway's channel."""

    name = "trace"

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    def accepts(self, event: Event) -> bool:
        return isinstance(event, _HEARD)

    def deliver(self, event: Event) -> None:
        record = self._tracer.record
        match event:
            case RunEvent(action=action):
                record("run", step="begun", action=action.id, ability=ability_name(action))
            case ResultEvent(action=action):
                record(
                    "run",
                    step=action.status.value,
                    action=action.id,
                    ability=ability_name(action),
                    duration_ms=action.duration_ms,
                    exit_code=action.exit_code,
                )
            case TurnEvent(state="started", turn_id=turn):  # the runtime itself records the end
                exchange, conversation = event.exchange_id, event.conversation_id
                record("turn", turn=turn, state="started", conversation=conversation, exchange=exchange)
            case ErrorEvent(where=where, report="") if not current_turn.get():
                # In a turn the runtime has recorded it; with a report, whoever wrote that.
                record("error", where=where, conversation=event.conversation_id)
            case ConversationGoneEvent(erased=True):
                record("conversation", step="erased", conversation=event.conversation_id)
            case _:
                pass


def ability_name(action: ActionRecord) -> str:
    """The ability's key; of a temporary script, whose key is its path, only that it was one."""
    route, _, _ = action.key.partition("::")
    return "origin" if route == "origin" else action.key
