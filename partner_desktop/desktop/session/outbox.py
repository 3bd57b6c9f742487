"""Messages on their way from the composer to Partner.

What is submitted shows at once and is sent in order, one at a time; before Partner is there it waits. A
message that is not accepted goes back into the composer of its place: nothing typed is lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.base.errors import PartnerError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.chat.attachment_tray import TrayItem
from partner_desktop.desktop.chat.composer import Composer
from partner_desktop.desktop.chat.message_list import MessageList
from partner_desktop.desktop.notices import Notices
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.message import Message, Role

if TYPE_CHECKING:
    from partner_desktop.app import Partner


@dataclass(frozen=True)
class Letter:
    """One message that is not accepted yet."""

    key: str
    place: Place
    text: str
    items: tuple[TrayItem, ...] = ()


class Outbox:
    """Owned by the session, which says which place is open."""

    def __init__(self, feed: MessageList, composer: Composer, notices: Notices) -> None:
        self._feed = feed
        self._composer = composer
        self._notices = notices
        self._waiting: deque[Letter] = deque()
        self._sending: Letter | None = None
        self.place = Place()
        self.draft_changed: Callable[[Place], object] = lambda _place: None
        """Told when what is to be kept of a place is otherwise, though nobody typed."""
        self.begun: Callable[[Place], object] = lambda _place: None
        """Told when a new chat has become a conversation."""

    @property
    def letters(self) -> tuple[Letter, ...]:
        """Everything not accepted yet, in order."""
        first = (self._sending,) if self._sending is not None else ()
        return (*first, *self._waiting)

    def put(self, text: str, items: Sequence[TrayItem] = ()) -> None:
        """Take a text for the open place, with what goes with it, and show it."""
        letter = Letter(f"pending-{new_id()}", self.place, text, tuple(items))
        self._waiting.append(letter)
        self._show(letter)

    def show_pending(self) -> None:
        """The open place is shown anew: what is under way there is shown again."""
        for letter in self.letters:
            if letter.place is self.place and not self._feed.has(letter.key):
                self._show(letter)

    def accepted(self, message: Message) -> None:
        """A message arrived: when it is the one being sent, it is no longer pending."""
        letter = self._sending
        if letter is not None and message.role is Role.USER and message.text.strip() == letter.text:
            self._feed.remove(letter.key)

    async def send_all(self, partner: Partner) -> None:
        """Send what waits; one caller at a time, later ones leave it to the first."""
        if self._sending is not None:
            return
        while self._waiting:
            self._sending = self._waiting.popleft()
            try:
                await self._send(partner, self._sending)
            except PartnerError as error:
                self._return(self._sending, str(error))
            finally:
                place, self._sending = self._sending.place, None
                self.draft_changed(place)

    def return_all(self) -> None:
        """Nothing can be sent any more: everything goes back to where it was typed."""
        while self._waiting:
            self._return(self._waiting.popleft(), "")

    async def _send(self, partner: Partner, letter: Letter) -> None:
        if not letter.place.conversation_id:
            conversation = await partner.conversations.create()
            letter.place.conversation_id = conversation.id
            self.begun(letter.place)
        things = [each.attachment for each in letter.items if each.attachment is not None]
        message = await partner.messages.send(
            letter.text,
            conversation_id=letter.place.conversation_id,
            pictures=[each.picture for each in letter.items if each.picture is not None],
            attachments=[Path(each.path) for each in things if each.path],
            talks=[each.conversation_id for each in things if each.conversation_id],
        )
        self._feed.remove(letter.key)
        if letter.place is self.place:
            self._feed.add_message(message)

    def _return(self, letter: Letter, sentence: str) -> None:
        self._feed.remove(letter.key)
        self.give_back(letter.place, letter.text, letter.items)
        self.draft_changed(letter.place)
        if sentence:
            self._notices.fault(sentence)

    def give_back(self, place: Place, text: str, items: Sequence[TrayItem]) -> None:
        """Put something before what is typed in a place, wherever that is shown or waits."""
        if place is not self.place:
            place.draft = f"{text}\n{place.draft}".strip() if text else place.draft
            place.items = (*items, *place.items)
            return
        if text:
            self._composer.give_back(text)
        self._composer.tray.put((*items, *self._composer.tray.items))

    def _show(self, letter: Letter) -> None:
        self._feed.add_pending(letter.key, letter.text, lambda: tr("sending…"))


@dataclass(eq=False)
class Place:
    """Compared by identity: two new chats are two places."""

    conversation_id: str = ""
    draft: str = ""
    """What was typed here and not sent."""
    items: tuple[TrayItem, ...] = ()
    """What was to go with it."""
    kept_as: str = ""
    """The conversation that its draft is on the disk for,"""
    kept: tuple[str, tuple[TrayItem, ...]] = ("", ())
    """as far as it is."""
