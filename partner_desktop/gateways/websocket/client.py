"""Client: one known websocket client and what it may ask for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, assert_never

from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.domain.events import as_json
from partner_desktop.domain.message import sayable
from partner_desktop.gateways.websocket import frames
from partner_desktop.gateways.websocket.addressing import Addressing
from partner_desktop.gateways.websocket.history import messages_since, portions
from partner_desktop.gateways.websocket.outbox import Outbox

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

_log = log.area("websocket")

#: Conversations that one client may follow at once.
MOST_FOLLOWED = 32


class Client:
    """Answers frames; never sends itself: what it has to say goes into the outbox."""

    def __init__(
        self, host: Services, addressing: Addressing, outbox: Outbox, welcome: frames.Welcome
    ) -> None:
        self.outbox = outbox
        self._host = host
        self._addressing = addressing
        self._welcome = welcome

    # As a follower.

    def tell(self, text: str) -> None:
        self.outbox.put(text)

    def news(self, conversation_id: str) -> None:
        self.outbox.news(conversation_id)

    # What it says.

    async def take(self, data: str | bytes) -> None:
        """Do what a frame asks for; what cannot be done is said in an `error` frame."""
        ref = ""
        try:
            frame = frames.read_frame(data)
            ref = frame.ref
            await self._do(frame)
        except frames.FrameError as error:
            self._tell(frames.Refused(message=str(error), ref=error.ref))
        except PartnerError as error:
            self._tell(frames.Refused(message=str(error), ref=ref))
        except Exception:  # noqa: BLE001 - a bridge: one bad frame never takes the host down
            _log.exception("a frame could not be handled")
            sentence = "Something went wrong inside Partner; the log has the details."
            self._tell(frames.Refused(message=sentence, ref=ref))

    async def _do(self, frame: frames.ClientFrame) -> None:
        match frame:
            case frames.Hello():
                self._tell(self._welcome.model_copy(update={"ref": frame.ref}))
            case frames.New():
                await self._begin(frame.ref)
            case frames.Open():
                await self._open(frame)
            case frames.Close():
                self._addressing.unfollow(frame.conversation, self)
                self.outbox.unfollow(frame.conversation)
                self._tell(frames.Done(ref=frame.ref))
            case frames.Say():
                await self._say(frame)
            case frames.Approve() | frames.Reject():
                await self._settle(frame)
            case frames.Stop():
                self._own(frame.conversation)
                await self._host.conversations.stop(frame.conversation)
                self._tell(frames.Done(ref=frame.ref))
            case frames.List():
                found = [as_json(one) for one in await self._host.conversations.list(limit=frame.limit)]
                self._tell(frames.Conversations(conversations=found, ref=frame.ref))
            case frames.Ping():
                self._tell(frames.Pong(ref=frame.ref))
            case _:
                assert_never(frame)

    async def _begin(self, ref: str) -> str:
        """A new conversation, followed from its first event on."""
        self._check_room()
        conversation = await self._host.conversations.create()
        book = self._addressing.follow(conversation.id, self)
        opened = frames.Opened(conversation=conversation.id, epoch=book.epoch, seq=book.last, ref=ref)
        self._tell(opened)
        self.outbox.follow(conversation.id, book, seq=book.last)
        return conversation.id

    async def _open(self, frame: frames.Open) -> None:
        if frame.conversation not in self.outbox:
            self._check_room()
        conversation = await self._host.conversations.get(frame.conversation)
        book = self._addressing.follow(conversation.id, self)
        self.outbox.unfollow(conversation.id)
        seq = book.last
        self._tell(
            frames.Opened(
                conversation=conversation.id,
                epoch=book.epoch,
                seq=seq,
                title=conversation.title,
                ref=frame.ref,
            )
        )
        if frame.after is not None and frame.epoch == book.epoch and frame.after <= seq:
            if frame.after >= book.reaches_back_to:
                self.outbox.follow(conversation.id, book, seq=frame.after, replays=True)
                return
            reason = f"Only the events after {book.reaches_back_to} are still held."
        else:
            reason = "These events were counted in another epoch."
        if frame.after is not None or frame.position is not None:
            reason = reason if frame.after is not None else "No event was named."
            gap = frames.Gap(conversation=conversation.id, epoch=book.epoch, seq=seq, reason=reason)
            self._tell(gap)
            await self._tell_since(conversation.id, frame.position)
        self.outbox.follow(conversation.id, book, seq=seq)

    async def _tell_since(self, conversation_id: str, position: int | None) -> None:
        since = await messages_since(self._host, conversation_id, position)
        parts = portions(since.messages)
        for number, part in enumerate(parts, 1):
            frame = frames.Messages(
                conversation=conversation_id,
                messages=[as_json(message) for message in part],
                complete=since.complete,
                last=number == len(parts),
            )
            self._tell(frame)
            await asyncio.sleep(0)  # the loop goes on between two large frames

    async def _say(self, frame: frames.Say) -> None:
        conversation_id = frame.conversation
        if conversation_id is None:
            sayable(frame.text)  # what is refused leaves no empty conversation behind
            conversation_id = await self._begin(frame.ref)
        self._own(conversation_id)
        message = await self._host.messages.send(
            frame.text, conversation_id=conversation_id, source="websocket"
        )
        self._tell(
            frames.Accepted(
                message=message.id,
                conversation=message.conversation_id,
                position=message.position,
                ref=frame.ref,
            )
        )

    async def _settle(self, frame: frames.Approve | frames.Reject) -> None:
        record = await self._host.actions.get(frame.action)
        self._own(record.conversation_id)
        if isinstance(frame, frames.Approve):
            shown = frame.version or self.outbox.shown.get(frame.action, "")
            await self._host.actions.approve(frame.action, scope=frame.scope, shown=shown)
        else:
            await self._host.actions.reject(frame.action)
        self._tell(frames.Done(ref=frame.ref))

    def _own(self, conversation_id: str) -> None:
        if conversation_id not in self.outbox:
            raise UsageError(
                "This client has not opened that conversation; send an `open` frame with its id first."
            )

    def _check_room(self) -> None:
        if len(self.outbox) >= MOST_FOLLOWED:
            raise UsageError(
                f"A client may follow {MOST_FOLLOWED} conversations; `close` one that is no longer needed."
            )

    def _tell(self, frame: frames.Answer) -> None:
        self.outbox.put(frame.text())
