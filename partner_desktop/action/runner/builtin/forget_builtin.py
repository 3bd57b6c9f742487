"""`memory::forget`: forgets what its card has shown, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from partner_desktop.action.runner.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import AskHumanError, PartnerError
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
            raise AskHumanError(
                f"Nothing was forgotten: it would be {_count(done_now.count)} now, not what the card showed. "
                "Say again what to forget."
            )
        return done(
            f"Forgotten: {_count(done_now)}, and what was made of them. Backups that were made before keep "
            "what they hold, until it is erased there, too."
        )


def _count(messages: int) -> str:
    return "1 message" if messages == 1 else f"{messages:,} messages"


def _shown(preview: ForgetPreview) -> str:
    chosen = [item.turn.text for item in preview.items if item.reason == "chosen"][:_MOST_QUOTED]
    quoted = "; ".join(f"“{cut(' '.join(text.split()), _QUOTED)}”" for text in chosen)
    more = preview.count - len(chosen)
    where = "1 conversation" if preview.conversations == 1 else f"{preview.conversations:,} conversations"
    told = f"{_count(preview.count)} in {where}: {quoted}" + (f" and {more:,} more" if more > 0 else "")
    also = sum(preview.held_counts.values())
    return told + (f"; {also:,} {'place' if also == 1 else 'places'} with words of them" if also else "")
