"""ContextUsage: how full the model is, told in time, in the language of the prompts. One sentence when it
is nearly full, one when it is.

The estimate is looked at as a turn ends, the model's own count when it comes: mostly a little later. What
was told of a conversation before a restart is in the record of its last turn.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from partner_desktop.base.errors import StorageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.prompts import messages
from partner_desktop.context.snapshots import SnapshotStore
from partner_desktop.domain.events import Event, NoticeEvent, UsageEvent
from partner_desktop.domain.model_call import ModelCall
from partner_desktop.domain.snapshot import PromptFill
from partner_desktop.runtime.channel import ChannelRegistry


def words(name: str, language: str, *, model: str = "", **numbers: int) -> str:
    """A sentence for the person; numbers with their thousands set apart."""
    known: Mapping[str, str] = messages("context_usage", language)
    spoken = {key: f"{value:,}" for key, value in numbers.items()}
    return known[name].format(model=model or known["the_model"], **spoken)


T = TypeVar("T")

#: From this part of the room for prompts on the person is warned.
WARN_FROM = 0.75
#: Below this part it is not the model's memory that leaves messages out, but the settings.
_BY_ROOM_FROM = 0.4
_TURNS, _CONVERSATIONS = 64, 256


@dataclass
class _Told:
    """What the person knows of a conversation."""

    context_tokens: int
    warned: bool
    left_out: bool


class ContextUsage:
    """A channel for usage events, and the one that tells."""

    name = "gauge"

    def __init__(
        self, channels: ChannelRegistry, snapshots: SnapshotStore, *, language: Callable[[], str]
    ) -> None:
        self._language = language
        self._channels = channels
        self._snapshots = snapshots
        self._counted: OrderedDict[str, ModelCall] = OrderedDict()
        self._ended: OrderedDict[str, PromptFill] = OrderedDict()
        self._told: OrderedDict[str, _Told] = OrderedDict()
        channels.register(self)

    # The models' own counts.

    def accepts(self, event: Event) -> bool:
        return isinstance(event, UsageEvent) and event.call.question == "reply" and bool(event.call.turn_id)

    def deliver(self, event: Event) -> None:
        assert isinstance(event, UsageEvent)
        call = event.call
        estimate = self._ended.pop(call.turn_id, None)
        if estimate is None:
            _put(self._counted, call.turn_id, call, _TURNS)
        elif (fill := _counted_by(call, estimate)).fullness >= WARN_FROM:
            told = self._told.get(call.conversation_id) or _Told(0, warned=False, left_out=False)
            self._look(call.conversation_id, fill, told, model=call.model)

    def exact(self, turn_id: str, estimate: PromptFill) -> PromptFill:
        """A turn ended: its estimate, or what the model itself counted if that is known already."""
        call = self._counted.pop(turn_id, None)
        if call is not None:
            return _counted_by(call, estimate)
        _put(self._ended, turn_id, estimate, _TURNS)
        return estimate

    # Telling.

    async def tell(self, conversation_id: str, fill: PromptFill, *, dialog: float, model: str) -> None:
        """Say what should be known of a turn, unless it was said before. Before the turn is recorded.

        `dialog`: how much of what the model leaves to the dialog is taken, 0 to 1.

        Raises:
            StorageError: The record of the last turn cannot be read.
        """
        nearly = max(fill.fullness, dialog) >= WARN_FROM
        if not fill.context_tokens or not (nearly or fill.left_out_messages):
            return  # the common case reads nothing
        told = self._told.get(conversation_id) or await self._told_before(conversation_id)
        self._look(conversation_id, fill, told, model=model)

    def _look(self, conversation_id: str, fill: PromptFill, told: _Told, *, model: str) -> None:
        """It is nearly full, or was."""
        _put(self._told, conversation_id, told, _CONVERSATIONS)
        if told.context_tokens != fill.context_tokens:  # another model: what was said of the last is void
            told.context_tokens, told.warned, told.left_out = fill.context_tokens, False, False
        if fill.left_out_messages and not told.left_out:
            told.left_out = told.warned = True
            self._say(conversation_id, "left_title", self._left_out(fill))
        elif not told.warned:
            told.warned = True
            room = fill.context_tokens - fill.answer_tokens
            text = self._words("nearly", model=model, prompt=fill.prompt_tokens, room=room)
            self._say(conversation_id, "nearly_title", text)

    def _left_out(self, fill: PromptFill) -> str:
        number = fill.left_out_messages
        by_room = fill.fullness >= _BY_ROOM_FROM
        name = "left_by_number" if not by_room else "left" if number > 1 else "left_one"
        return self._words(name, number=number, context=fill.context_tokens)

    def _words(self, name: str, *, model: str = "", **numbers: int) -> str:
        return words(name, self._language(), model=model, **numbers)

    def cut(self, conversation_id: str, message_id: str, *, model: str, context_tokens: int) -> None:
        """A message was too long to be carried whole."""
        text = self._words("cut", model=model, context=context_tokens)
        self._say(conversation_id, "cut_title", text, about=f"cut:{message_id}")

    async def _told_before(self, conversation_id: str) -> _Told:
        try:
            turns = await self._snapshots.turns(conversation_id, before=None, limit=1)
        except StorageError:
            turns = []
        if not turns:
            return _Told(0, warned=False, left_out=False)
        last = turns[-1]
        left_out = last.left_out_messages > 0
        return _Told(last.context_tokens, warned=left_out or last.fullness >= WARN_FROM, left_out=left_out)

    def _say(self, conversation_id: str, title: str, text: str, *, about: str = "") -> None:
        self._channels.publish(
            NoticeEvent(
                conversation_id=conversation_id,
                title=self._words(title),
                text=text,
                about=about or f"context:{conversation_id}",
            )
        )


def _counted_by(call: ModelCall, estimate: PromptFill) -> PromptFill:
    if not call.prompt_tokens:
        return estimate
    context = call.context_tokens or estimate.context_tokens
    return replace(estimate, prompt_tokens=call.prompt_tokens, context_tokens=context)


def _put(kept: OrderedDict[str, T], key: str, value: T, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)
