"""`memory::forget`: forgets what its card has shown, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import AskHumanError, PartnerError
from partner_desktop.base.spoken import counted_words, sentence_of
from partner_desktop.base.text import cut
from partner_desktop.capabilities import ForgetCapability
from partner_desktop.domain.forgetting import ForgetPreview
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, RunnerResponse

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
            raise AskHumanError(str(error)) from error
        if isinstance(done_now, ForgetPreview):
            now = counted_words("message", done_now.count)
            raise AskHumanError(sentence_of("talk.not_forgotten", messages=now))
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
