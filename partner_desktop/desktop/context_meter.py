"""How full the model's context is in the open conversation, from its last answer there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from partner_desktop.desktop.panel.panel import Panel
from partner_desktop.domain.events import UsageEvent
from partner_desktop.domain.model_call import ModelCall

if TYPE_CHECKING:
    from partner_desktop.app import Partner

#: The question whose prompt is the conversation; the others' are tails that nobody sees.
_REPLY = "reply"


class ContextMeter:
    """Of one conversation at a time; what another one's turns say is dropped."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self._conversation_id = ""

    def open(self, conversation_id: str) -> None:
        """Another conversation: nothing is known of it yet."""
        self._conversation_id = conversation_id
        self._panel.show_call(None)

    def note(self, event: UsageEvent) -> None:
        """A model was called."""
        call = event.call
        if call.conversation_id == self._conversation_id and call.question == _REPLY and call.prompt_tokens:
            self._panel.show_call(call)

    async def read(self, partner: Partner, turn_id: str) -> None:
        """The newest turn ended, or the conversation was opened: what its last answer took."""
        place = self._conversation_id
        calls = await partner.usage.calls(turn_id)
        if place == self._conversation_id:
            counted = last_reply(calls)
            if counted is not None or not calls:  # a turn that was stopped uncounted changes little
                self._panel.show_call(counted)


def last_reply(calls: Sequence[ModelCall]) -> ModelCall | None:
    """The last answer among calls that was counted."""
    replies = (call for call in reversed(calls) if call.question == _REPLY and call.prompt_tokens)
    return next(replies, None)
