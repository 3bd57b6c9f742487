"""Which conversations there are, which of them work is going on in, and the list that shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.sidebar.sidebar import Sidebar
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.message import Conversation, Message


class ConversationBook:
    """Everything that is told of conversations comes here; the list follows."""

    def __init__(self, sidebar: Sidebar, clock: Clock) -> None:
        self._sidebar = sidebar
        self._clock = clock
        self._known: dict[str, Conversation] = {}
        self._work: dict[str, set[str]] = {}
        in_every_language(sidebar, self._list)

    def add(self, conversations: Iterable[Conversation]) -> None:
        """All there are."""
        self._known.update({each.id: each for each in conversations})
        self._list()

    def put(self, conversation: Conversation) -> None:
        """A conversation is new, or has another title."""
        self.add([conversation])

    def remove(self, conversation_id: str) -> None:
        """A conversation was deleted."""
        self._known.pop(conversation_id, None)
        self._list()

    def get(self, conversation_id: str) -> Conversation | None:
        """What is known of it."""
        return self._known.get(conversation_id)

    def move_up(self, message: Message) -> None:
        """The conversation that was spoken in last stands first."""
        known = self._known.get(message.conversation_id)
        if known is not None and message.created_at > known.updated_at:
            self.put(replace(known, updated_at=message.created_at))

    def note_work(self, conversation_id: str, work_id: str, *, goes_on: bool) -> None:
        """A turn or a run began or ended there."""
        work = self._work.setdefault(conversation_id, set())
        was_busy = bool(work)
        if goes_on:
            work.add(work_id)
        else:
            work.discard(work_id)
        if not work:
            del self._work[conversation_id]
        if bool(work) != was_busy and conversation_id in self._known:
            self._list()

    def _list(self) -> None:
        now = self._clock.now().astimezone()
        self._sidebar.show_conversations(self._known.values(), now, self._work)
