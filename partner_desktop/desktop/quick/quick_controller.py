"""QuickController: asks in a conversation of its own what was typed in the small window, and shows the reply.

A question begins a new conversation each time the window is opened anew; what is asked while it is open goes
on in that one. What needs a yes is answered in the large window, where the whole card is.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from partner_desktop.base.errors import PartnerError
from partner_desktop.desktop.operations.conversation_verbs import organize_conversations
from partner_desktop.desktop.quick.quick_window import QuickWindow
from partner_desktop.desktop.session.chat_controller import show_reply
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ConversationGoneEvent, ErrorEvent, Event, ReplyEvent, TurnEvent

if TYPE_CHECKING:
    from partner_desktop.app import Partner


class QuickController(Controller):
    """Of the one small window."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self.conversation_id = ""
        """Where the question was asked; empty before it was."""
        self._waiting: list[str] = []
        self._sends = False
        self._seen = True
        """Whether the person has looked at all that was answered."""
        self._store.actions.changed.connect(self._look_at_cards)

    @cached_property
    def view(self) -> QuickWindow:
        """The small window."""
        view = QuickWindow(self._window.theme, self._follow)
        view.asked.connect(self._ask)
        view.whole_wanted.connect(self._show_whole)
        return view

    def toggle(self) -> None:
        """Open it, or put it away when it has the keyboard."""
        if self.view.isVisible() and self.view.isActiveWindow():
            self.view.close()
        else:
            self.open()

    def open(self) -> None:
        """Show it; with an answer that nobody has looked at yet, and empty otherwise."""
        if not self.view.isVisible() and self._seen and not self.runs:
            self.conversation_id = ""
            self.view.clear()
        self._seen = True
        self.view.open_here()

    def close(self) -> None:
        if "view" in self.__dict__:
            self.view.hide()
            self.view.deleteLater()

    async def listen(self, keys: str, *, tells: bool = False) -> None:
        """Be opened by these keys from anywhere, until cancelled; `tells`: say that they work now.

        Raises:
            ShortcutError: It cannot be.
        """
        from partner_desktop.desktop.quick.global_shortcut import listen  # noqa: PLC0415 - where it is wanted

        def bound() -> None:
            if tells:
                self._context.tell(lambda: tr("{keys} opens a quick question now.").format(keys=keys))

        await listen(keys, self.toggle, words=tr("Ask Partner"), bound=bound)

    def _begin(self, partner: Partner) -> None:
        if self._waiting:
            self._request("quick ask", self._send)

    def _ask(self, text: str) -> None:
        self._waiting.append(text)
        self.view.begin(text)
        if self._store.ready:
            self._request("quick ask", self._send)
        else:
            self.view.say(tr("Partner is starting; your question is asked as soon as it is there."))

    async def _send(self, partner: Partner) -> None:
        """One caller at a time, in one conversation; later ones leave it to the first."""
        if self._sends:
            return
        self._sends = True
        try:
            while self._waiting:
                if not self.conversation_id:
                    self.conversation_id = (await partner.conversations.create()).id
                await partner.messages.send(self._waiting[0], conversation_id=self.conversation_id)
                del self._waiting[0]
        except PartnerError as error:
            self.give_back(str(error))
        finally:
            self._sends = False

    def give_back(self, sentence: str) -> None:
        """What was not asked stands in the line again, before what is typed there; nothing is lost."""
        if self._waiting:
            self.view.line.setText(" ".join([*self._waiting, self.view.line.text()]).rstrip())
            self._waiting.clear()
            self.view.say(sentence, urgent=True)

    def deliver(self, event: Event) -> None:
        if not self.conversation_id:
            return
        match event:
            case ConversationGoneEvent() if event.conversation.id == self.conversation_id:
                self.conversation_id = ""
                self.view.clear()
            case ReplyEvent() if event.conversation_id == self.conversation_id:
                self._take_reply(event)
            case TurnEvent() if event.conversation_id == self.conversation_id and event.state != "started":
                self._look_at_cards((), ())
                if not self._asks:
                    self.view.say("")
            case ErrorEvent() if event.conversation_id == self.conversation_id:
                self.view.say(event.message, urgent=True)
            case _:
                pass

    def _take_reply(self, event: ReplyEvent) -> None:
        if event.withdrawn:
            self.view.drop_reply(event.reply_id)
        elif event.reasoning or event.content or event.done:
            view = self.view.reply(event.reply_id)
            show_reply(view, event, self._store.replies.get(event.reply_id))
            self._seen = self.view.isVisible()
            if event.done and self._seen:  # it is new to nobody
                organize_conversations(self._context, [self.conversation_id], {"unread": False})

    @property
    def runs(self) -> bool:
        """Whether something goes on about what was asked."""
        return bool(self._waiting) or self.conversation_id in self._store.in_work

    @property
    def _asks(self) -> str:
        """What waits for the person; empty where nothing does."""
        own = (one for one in self._store.actions.values() if one.conversation_id == self.conversation_id)
        states = {one.status for one in own}
        if ActionStatus.WAITING in states:
            return tr("This needs your yes or no: Enter shows it in the window.")
        return (
            tr("Type your answer, or press Enter to go on in the window.")
            if ActionStatus.ASKING in states
            else ""
        )

    def _look_at_cards(self, _ids: object, _gone: object) -> None:
        if self.conversation_id and (asks := self._asks):
            self.view.say(asks, urgent=True)

    def _show_whole(self) -> None:
        self.view.close()
        self._window.raise_to_front()
        if self.conversation_id:
            self._context.navigation.show_end(self.conversation_id)

    def _follow(self, address: str) -> None:
        """A link of the answer: in the large window, which asks about it."""
        self._show_whole()
        self._window.page.feed.link_clicked.emit(address)
