"""Builtins about what was said: recalling it, here and in other conversations, and forgetting.

`memory::forget` forgets what its card has shown, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import AskHumanError, PartnerError
from partner_desktop.base.messages import counted_words, sentence_of
from partner_desktop.base.text import cut
from partner_desktop.capabilities import ForgetCapability, MemoryCapability
from partner_desktop.domain.forgetting import ForgetPreview
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import Message, MessageState, Role, TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo, RunnerResponse
from partner_desktop.domain.remembered import PARTNER, PERSON, RecallQuery
from partner_desktop.runtime.dialog import Dialog

_DEFAULT = 10
_MOST_CHARACTERS = 500


class RecallBuiltins:
    """Reads only; what was deleted or set aside is not there."""

    def __init__(self, sayings: Dialog, memory: MemoryCapability) -> None:
        self._sayings = sayings
        self._memory = memory

    def definitions(self) -> Builtins:
        return {"capability::memory_recall": self._recall}

    async def _recall(self, call: BuiltinCall) -> RunnerResponse:
        query, limit = call.text("query").strip(), call.number("limit", _DEFAULT)
        recent = await self._recent(call.conversation_id, limit)
        asked = next((message for message in recent[::-1] if message.role is Role.USER), None)
        if not query:
            said = [each for each in recent if _is_said(each) and asked and each.position < asked.position]
            return _answer([_item(each.role.value, each.created_at, each.text) for each in said[-limit:]], "")
        before = (asked.id,) if asked is not None else ()
        turn = TurnRef(call.conversation_id, call.action_id, before)
        recall = await self._memory.recall(RecallQuery(query, turn=turn, limit=limit))
        found = sorted([each.hit.turn for each in recall.passages][:limit], key=lambda each: each.at)
        return _answer([_item(each.speaker, each.at, each.text, each.title) for each in found], query)

    async def _recent(self, conversation_id: str, limit: int) -> list[Message]:
        if not conversation_id:
            return []
        # Cards and what was asked now are among them.
        return await self._sayings.recent(conversation_id, limit=2 * limit + _DEFAULT)


def _is_said(message: Message) -> bool:
    return message.role is not Role.ACTION and bool(message.text) and message.state is not _UNSAID


_UNSAID = MessageState.NOT_REPLIED


def _answer(items: list[Json], query: str) -> RunnerResponse:
    of = "_of" if query else ""
    found = ("nothing", "one")[len(items)] if len(items) < 2 else "some"
    told = sentence_of(f"talk.{found}_said{of}", query=cut(query, 80), count=len(items))
    return RunnerResponse(ok=True, data={"summary": told, "said": items}) if items else done(told)


def _item(speaker: str, at: datetime, text: str, title: str = "") -> Json:
    item: dict[str, Json] = {
        "who": {PERSON: sentence_of("talk.you"), PARTNER: "Partner"}.get(speaker, speaker),
        "when": at.astimezone().strftime("%Y-%m-%d %H:%M"),
        "what": cut(" ".join(text.split()), _MOST_CHARACTERS),
    }
    return {**item, "where": title} if title else item


KEY = "builtin::memory::forget"
#: Messages that a card quotes, and characters of each.
_MOST_QUOTED, _QUOTED = 3, 70


class ForgetBuiltins:
    """`door` is asked for with each call: it is built after the list of builtins."""

    def __init__(self, door: Callable[[], ForgetCapability]) -> None:
        self._door = door

    def definitions(self) -> Builtins:
        return {"memory::forget": self._forget}

    async def prefill(self, info: MetaActionInfo, params: JsonObject, conversation_id: str) -> JsonObject:
        """What the card shows: how much would go, and how it begins.

        Raises:
            UsageError: There is nothing to forget.
        """
        if info.key != KEY:
            return params
        day = str(params.get("day") or "")
        words = str(params.get("words") or "")
        preview = await self._door().ordered(
            conversation_id, words=words, day=date.fromisoformat(day) if day else None
        )
        return {
            **({"words": words} if words else {}),
            **({"day": day} if day else {}),
            "messages": preview.count,
            "what": _shown(preview),
            "preview": preview.id,
        }

    async def _forget(self, call: BuiltinCall) -> RunnerResponse:
        try:
            done_now = await self._door().forget(call.text("preview"))
        except PartnerError as error:
            raise AskHumanError("common.told", text=error) from error
        if isinstance(done_now, ForgetPreview):
            now = counted_words("message", done_now.count)
            raise AskHumanError("talk.not_forgotten", messages=now)
        return done(sentence_of("talk.forgotten", messages=counted_words("message", done_now)))


def _shown(preview: ForgetPreview) -> str:
    chosen = [item.turn.text for item in preview.items if item.reason == "chosen"][:_MOST_QUOTED]
    quoted = "; ".join(f"“{cut(' '.join(text.split()), _QUOTED)}”" for text in chosen)
    more = preview.count - len(chosen)
    told = sentence_of(
        "talk.would_forget",
        messages=counted_words("message", preview.count),
        conversations=counted_words("conversation", preview.conversations),
        quoted=quoted,
    )
    told += sentence_of("talk.and_more", count=f"{more:,}") if more > 0 else ""
    also = sum(preview.held_counts.values())
    places = "talk.place_too" if also == 1 else "talk.places_too"
    return told + (sentence_of(places, count=f"{also:,}") if also else "")
