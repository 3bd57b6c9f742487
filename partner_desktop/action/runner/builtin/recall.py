"""`capability::memory_recall`: what was said lately, here and in other conversations."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.runner.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.text import cut
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.runtime.conversations.search import ConversationSearch
from partner_desktop.runtime.dialog import Dialog

_DEFAULT, _MOST = 10, 50
#: Messages of the conversation at hand that are looked through for the words.
_LOOKED_THROUGH = 500
_MOST_CHARACTERS = 500


class RecallBuiltins:
    """Reads only; what was deleted or set aside is not there."""

    def __init__(self, sayings: Dialog, search: ConversationSearch) -> None:
        self._sayings = sayings
        self._search = search

    def definitions(self) -> Builtins:
        return {"capability::memory_recall": self._recall}

    async def _recall(self, call: BuiltinCall) -> RunnerResponse:
        query, limit = call.text("query").strip(), call.number("limit", _DEFAULT)
        here = await self._here(call.conversation_id, query)
        found = [(message, "") for message in here[-limit:]]
        if query and len(found) < limit:
            found = [*await self._elsewhere(call.conversation_id, query, limit - len(found)), *found]
        return _answer(found, query)

    async def _here(self, conversation_id: str, query: str) -> list[Message]:
        """What was said in this conversation before it was asked for, the newest last."""
        if not conversation_id:
            return []
        recent = await self._sayings.recent(conversation_id, limit=_LOOKED_THROUGH)
        asked = max((m.position for m in recent if m.role is Role.USER), default=0)
        said = [message for message in recent if _is_said(message) and message.position < asked]
        words = query.casefold().split()
        return [message for message in said if all(word in message.text.casefold() for word in words)]

    async def _elsewhere(self, conversation_id: str, query: str, limit: int) -> list[tuple[Message, str]]:
        """The best message of each other conversation, with that one's title, the best last."""
        hits = await self._search.find(query, limit=limit + 1)
        found: list[tuple[Message, str]] = []
        for hit in hits:
            if hit.conversation.id == conversation_id or not hit.position:
                continue
            page = await self._sayings.messages(hit.conversation.id, before=hit.position + 1, limit=1)
            found.extend((message, hit.conversation.title) for message in page if _is_said(message))
        return found[:limit][::-1]


def _is_said(message: Message) -> bool:
    return message.role is not Role.ACTION and bool(message.text) and message.state is not _UNSAID


_UNSAID = MessageState.NOT_REPLIED


def _answer(found: Sequence[tuple[Message, str]], query: str) -> RunnerResponse:
    about = f" about “{cut(query, 80)}”" if query else ""
    if not found:
        return done(f"Nothing was said{about} that is still here.")
    items: list[Json] = [_item(message, title) for message, title in found]
    things = "1 thing was" if len(found) == 1 else f"{len(found)} things were"
    return RunnerResponse(ok=True, data={"summary": f"{things} said{about}, the newest last.", "said": items})


def _item(message: Message, title: str) -> dict[str, Json]:
    item: dict[str, Json] = {
        "who": "you" if message.role is Role.USER else "Partner",
        "when": message.created_at.astimezone().strftime("%Y-%m-%d %H:%M"),
        "what": cut(" ".join(message.text.split()), _MOST_CHARACTERS),
    }
    return {**item, "where": title} if title else item
