"""Client: one known websocket client, what it may ask for, and of which conversations.

Its queue is what goes to it, in what order, and when it is too far behind. Nothing is copied for a client.
Of each conversation it keeps how far it has come in the shared log, so that a client that does not read
costs no memory; one that is too far behind is let go.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field

from partner_desktop.api.operations import Operation, Operations
from partner_desktop.base import log as logs
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.recent import Recent
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.base.text import shown
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import Conversation, sayable
from partner_desktop.gateways.websocket.protocol import (
    Addressing,
    Connected,
    EventLog,
    Opened,
    ReplayedNotification,
    protocol,
    without_places,
)

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

_log = logs.area("websocket")

#: What a client may ask for and is told, once it was made; and who makes it.
_told: list[JsonObject] = []
_telling = asyncio.Lock()

#: Conversations that one client may follow at once.
MOST_FOLLOWED = 32
#: Operations that may name a conversation which the client does not follow.
_OF_ANY = ("conversations.get",)
_FACTS: Final = {"source": "websocket"}


class Client:
    """Does one request after the other, in their order; never sends itself: all goes into the outbox.

    Contract: an operation whose parameters name a conversation or an action is done only for one that this
    client follows. That is looked at here, once and for all operations, those to come included.
    """

    def __init__(
        self, host: Services, addressing: Addressing, queue: ClientQueue, connected: Connected
    ) -> None:
        self.queue = queue
        self._host = host
        self._addressing = addressing
        self._connected = connected
        self._own = Operations({"client": self})

    # As a follower.

    def tell(self, text: str) -> None:
        self.queue.put(text)

    def news(self, conversation_id: str) -> None:
        self.queue.news(conversation_id)

    # What it asks for.

    async def answer(self, text: str) -> None:
        """Send this answer."""
        self.queue.put(text)

    def known_operations(self) -> Iterator[Operation]:
        """Those of its connection, then everybody's."""
        return chain(self._own, self._host.operations)

    async def operate(self, method: str, given: JsonObject) -> Json | AsyncGenerator[Json, None]:
        """Do what a request asks for.

        What begins to follow ends with the last wait: its answer is in the outbox before any event.
        """
        if method.startswith("client."):
            return await self._own.begin(method, given, caller=Caller.CLIENT)
        return await self._ask(method, given)

    async def _ask(self, method: str, given: JsonObject) -> Json | AsyncGenerator[Json, None]:
        one = self._host.operations.get(method, Caller.CLIENT)
        if method == "actions.approve" and not given.get("shown"):
            given = {**given, "shown": self.queue.shown.get(str(given.get("action_id")), "")}
        values = one.values(given, Caller.CLIENT)
        if method == "messages.send" and values.get("conversation_id") is None:
            return await self._send_in_a_new_one(given, values["text"])
        if method not in _OF_ANY:
            await self._check(one, values)
        return await self._done(method, given)

    async def _done(self, method: str, given: JsonObject) -> Json | AsyncGenerator[Json, None]:
        # What has begun is done, though it is taken back or the gateway closes meanwhile.
        answer = await uninterrupted(
            self._host.operations.begin(method, given, caller=Caller.CLIENT, facts=_FACTS)
        )
        return answer if isinstance(answer, AsyncGenerator) else without_places(answer)

    async def _send_in_a_new_one(self, given: JsonObject, text: str) -> Json | AsyncGenerator[Json, None]:
        sayable(text)  # what is refused leaves no empty conversation behind
        conversation, log = await self._begun()
        try:
            answer = await self._done("messages.send", {**given, "conversation_id": conversation.id})
        except BaseException:
            self._addressing.unfollow(conversation.id, self)
            raise
        self.queue.follow(conversation.id, log, seq=0)
        return answer

    async def _check(self, one: Operation, values: dict[str, Any]) -> None:
        named = one.parameters(Caller.CLIENT).model_fields
        if "action_id" in named:
            record = await self._host.actions.get(values.get("action_id") or "")
            self._check_followed(record.conversation_id)
        if "conversation_id" in named:
            self._check_followed(values.get("conversation_id") or "")

    def _check_followed(self, conversation_id: str) -> None:
        if conversation_id not in self.queue:
            raise UsageError("gateways.not_opened_here")

    def _check_room(self) -> None:
        if len(self.queue) >= MOST_FOLLOWED:
            raise UsageError("gateways.follows_too_many", most=MOST_FOLLOWED)

    # The operations of the connection.

    @operation(Caller.CLIENT)
    def hello(self, token: str = "", *, name: Annotated[str, Field(max_length=64)] = "") -> Connected:
        """The first request, with the token, unless that came in the head of the connection.

        `name` is for whoever reads the log.
        """
        del token  # it was looked at before there was a client
        _log.info("a client says hello: %s", shown(name))
        return self._connected

    @operation(Caller.CLIENT)
    async def operations(self) -> JsonObject:
        """All that a client may ask for and is told, as `partner-desktop api docs --json` prints it."""
        async with _telling:  # schemas take their time to make; they are the same for all
            if not _told:
                _told.append(await asyncio.to_thread(protocol, self.known_operations(), Caller.CLIENT))
        return _told[0]

    @operation(Caller.CLIENT)
    async def begin(self) -> Opened:
        """Begin a conversation, and follow it from its first event on."""
        conversation, log = await self._begun()
        self.queue.follow(conversation.id, log, seq=log.last)
        return Opened(conversation.id, conversation.title, log.epoch, log.last)

    @operation(Caller.CLIENT)
    async def open(
        self,
        conversation_id: str,
        *,
        after: Annotated[int, Field(ge=0, le=2**53)] | None = None,
        epoch: str | None = None,
    ) -> Opened:
        """Follow a conversation: from now on, or from the event `after` in its `epoch` on.

        Raises:
            UsageError: It does not exist, or the client follows as many as it may.
        """
        if after is not None and epoch is None:
            raise UsageError("gateways.after_needs_epoch")
        if conversation_id not in self.queue:
            self._check_room()
        conversation = await self._host.conversations.get(conversation_id)
        log = self._addressing.follow(conversation.id, self)
        reason = log.why_not_after(after, epoch) if after is not None else ""
        resumed = after is not None and not reason
        self.queue.follow(
            conversation.id, log, seq=after if after is not None and resumed else log.last, replays=resumed
        )
        return Opened(conversation.id, conversation.title, log.epoch, log.last, resumed, reason)

    @operation(Caller.CLIENT)
    def close(self, conversation_id: str) -> None:
        """Follow a conversation no longer."""
        self._addressing.unfollow(conversation_id, self)
        self.queue.unfollow(conversation_id)

    async def _begun(self) -> tuple[Conversation, EventLog]:
        self._check_room()
        conversation = await self._host.conversations.create()
        return conversation, self._addressing.follow(conversation.id, self)


#: Events of one conversation that may wait for a client to read.
MOST_WAITING = 1_000
#: Cards whose version is remembered for a client.
MOST_SHOWN = 1_000
#: Answers and notices that may wait, and their signs together.
MOST_ANSWERS = 512
MOST_ANSWER_SIGNS = 16 * 1024 * 1024


@dataclass
class _Place:
    """How far a client has come in a conversation."""

    log: EventLog
    seq: int
    replay_from: int | None = None
    replay_to: int = 0


class ClientQueue:
    """Filled on the loop at any time, emptied by the client's one sender."""

    def __init__(self, *, most_waiting: int = MOST_WAITING) -> None:
        self.too_slow = asyncio.Event()
        self.shown: Recent[str, str] = Recent(MOST_SHOWN)
        """Of the actions whose cards were sent: the version that was sent last."""
        self._most_waiting = most_waiting
        self._answers: deque[str] = deque()
        self._answer_signs = 0
        self._places: dict[str, _Place] = {}
        self._filled = asyncio.Event()

    def __contains__(self, conversation_id: str) -> bool:
        return conversation_id in self._places

    def __len__(self) -> int:
        return len(self._places)

    def put(self, text: str) -> None:
        """An answer or a notice; these go before events."""
        self._answers.append(text)
        self._answer_signs += len(text)
        if len(self._answers) > MOST_ANSWERS or self._answer_signs > MOST_ANSWER_SIGNS:
            self.too_slow.set()
        self._filled.set()

    def follow(self, conversation_id: str, log: EventLog, *, seq: int, replays: bool = False) -> None:
        """Send the events of this log after `seq`; with `replays`, say when those held now were sent."""
        replay_from = seq if replays else None
        self._places[conversation_id] = _Place(log, seq, replay_from, log.last)
        self._filled.set()

    def unfollow(self, conversation_id: str) -> None:
        self._places.pop(conversation_id, None)

    def news(self, conversation_id: str) -> None:
        """The log of a conversation has grown."""
        place = self._places.get(conversation_id)
        if place is None:
            return  # it is being opened; the log keeps the event
        missed = place.seq < place.log.reaches_back_to
        replaying = place.replay_from is not None
        if missed or (not replaying and place.log.last - place.seq > self._most_waiting):
            self.too_slow.set()
        self._filled.set()

    async def next(self) -> str:
        """What to send next; waits for it."""
        while True:
            self._filled.clear()
            text = self._take()
            if text is not None:
                return text
            await self._filled.wait()

    def _take(self) -> str | None:
        if self._answers:
            text = self._answers.popleft()
            self._answer_signs -= len(text)
            return text
        for conversation_id, place in self._places.items():
            if place.replay_from is not None and place.seq >= place.replay_to:
                count, place.replay_from = place.seq - place.replay_from, None
                return ReplayedNotification(conversation_id, place.seq, count).text()
            event = place.log.next_after(place.seq)
            if event is not None:
                place.seq += 1
                text, card = event
                if card is not None:
                    action_id, version = card
                    self.shown[action_id] = version
                # Each conversation in its turn.
                self._places[conversation_id] = self._places.pop(conversation_id)
                return text
        return None
