"""Wires what messages offer to Partner: regenerate, edit and send again, branch, choose between versions.

What is shown of it is read from Partner's line whenever that may have changed: when a conversation is opened,
a turn is over, something was begun anew, here or anywhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton, QWidget
from shiboken6 import isValid

from partner_desktop.base.errors import PartnerError
from partner_desktop.desktop.parts.boxes import drop_widget, holds_keyboard
from partner_desktop.desktop.parts.controls import push_button
from partner_desktop.desktop.session.chat_controller import ChatController
from partner_desktop.desktop.session.history import History
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.events import Event, TakeEvent
from partner_desktop.domain.message import Fork, Line

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.chat.bubble import Bubble
    from partner_desktop.desktop.chat.message_actions import EditInPlace, MessageActions


class TakesController(Controller):
    """One window's."""

    def __init__(self, context: WindowContext, history: History, chat: ChatController) -> None:
        super().__init__(context)
        self._page = self._window.page
        self._feed = self._page.feed
        self._history = history
        self._chat = chat
        self._row: MessageActions | None = None
        self._line = Line()
        self._line_of = ""
        self._decorated: list[tuple[QWidget, Callable[[], None]]] = []
        """What takes away the choices and buttons that stand under messages now."""
        self._drafts: dict[str, str] = {}
        """Edits that were begun and neither sent nor cancelled, by message: they survive a look elsewhere."""
        self._kept_place: int | None = None
        self._kept_focus: tuple[int, bool] | None = None
        """The fork whose choice had the keyboard, and its direction."""
        self._feed.entry_added.connect(self._watch)
        self._page.composer.running_changed.connect(self._running_changed)
        context.place_filled.connect(self._refresh)

    # What is known.

    @property
    def _shown_id(self) -> str:
        return self._context.navigation.conversation_id

    def _refresh(self) -> None:
        """Read the line of the open conversation and show it."""
        conversation_id = self._shown_id
        if conversation_id:
            self._request("line", lambda partner: self._read(partner, conversation_id))

    async def _read(self, partner: Partner, conversation_id: str) -> None:
        line = await partner.messages.line(conversation_id)
        if conversation_id == self._shown_id:
            self._line, self._line_of = line, conversation_id
            self._decorate()

    def deliver(self, event: Event) -> None:
        shown = bool(event.conversation_id) and event.conversation_id == self._shown_id
        if shown and isinstance(event, TakeEvent):
            self._request("renew", lambda partner: self._renew(partner, event))

    async def _renew(self, partner: Partner, event: TakeEvent) -> None:
        place, self._kept_place = self._kept_place, None
        self._undecorate()
        if self._row is not None:
            self._row.leave()
        if place is None:
            self._feed.follow.follow()
        else:
            self._feed.follow.let_go()
        await self._history.renew(partner, event)
        self._chat.show_live()
        if place is not None:
            bar = self._feed.column.verticalScrollBar()
            bar.setValue(min(place, bar.maximum()))
            self._feed.follow.look()
        self._refresh()

    # What is shown of it.

    def _watch(self, key: str) -> None:
        """Something came into view."""
        if self._row is None:
            self._row = self._page.message_actions
            self._row.edit_wanted.connect(self.edit)
            self._row.branch_wanted.connect(self.branch)
            self._row.busy = self._page.composer.running
        entry = self._feed.entry(key)
        if entry is not None:
            self._row.watch(entry)
        if self._line_of == self._shown_id and any(fork.shown_at == key for fork in self._line.forks):
            self._decorate()

    def _running_changed(self) -> None:
        running = self._page.composer.running
        if self._row is not None:
            self._row.busy = running
            self._row.leave()
        if running:
            self._undecorate()
        else:
            self._refresh()

    def _decorate(self) -> None:
        """Put the choices and the button under their messages; none while a turn runs."""
        self._undecorate()
        if self._page.composer.running or self._line_of != self._shown_id:
            return
        for number, fork in enumerate(self._line.forks):
            self._put_switch(number, fork)
        if self._line.again:
            self._put_again()
        self._kept_focus = None

    def _undecorate(self) -> None:
        for widget, take_away in self._decorated:
            if isValid(widget):  # what it stood under may have been swept away
                take_away()
        self._decorated.clear()

    def _put_switch(self, number: int, fork: Fork) -> None:
        from partner_desktop.desktop.chat.message_actions import TakeSwitch  # noqa: PLC0415

        switch = TakeSwitch(self._window.theme, fork)
        switch.chosen.connect(lambda take_id, forward: self._choose(number, take_id, forward))
        if self._put_under(fork.shown_at, switch) and self._kept_focus is not None:
            kept, forward = self._kept_focus
            if kept == number:
                switch.take_focus(forward=forward)

    def _put_again(self) -> None:
        asks = self._line.again == "ask"
        button = again_button(asks=asks)
        button.clicked.connect(self.ask_again if asks else self.regenerate)
        self._put_under(self._line.reply_id, button)

    def _put_under(self, key: str, widget: QWidget) -> bool:
        from partner_desktop.desktop.chat.bubble import Bubble  # noqa: PLC0415 - as above
        from partner_desktop.desktop.chat.reply.reply import ReplyView  # noqa: PLC0415 - as above

        entry = self._feed.entry(key)
        under = entry.widget if entry is not None else None
        if isinstance(under, Bubble):
            under.set_foot(widget)
            self._decorated.append((under, lambda: under.set_foot(None)))
        elif isinstance(under, ReplyView):
            under.add_to_foot(widget)
            self._decorated.append((widget, lambda: drop_widget(widget)))
        else:
            widget.deleteLater()
            return False
        return True

    # What the person does.

    def regenerate(self) -> None:
        """Have the latest answer anew."""
        self._request("regenerate", lambda partner: partner.messages.regenerate(self._line.reply_id))

    def ask_again(self) -> None:
        """Say the latest message once more, with everything that it sets off."""
        line = self._line
        self._request("ask again", lambda partner: partner.messages.edit(line.asked_id, line.asked_text))

    def branch(self, key: str) -> None:
        """Go on from a message in a conversation of its own."""
        self._request("branch", lambda partner: self._branch(partner, key))

    async def _branch(self, partner: Partner, key: str) -> None:
        conversation = await partner.conversations.branch(key)
        self._context.navigation.open(conversation.id)
        self._context.tell(lambda: tr("This is a branch: the other conversation stays as it is."))

    def _choose(self, number: int, take_id: str, forward: bool) -> None:
        self._kept_focus = (number, forward) if holds_keyboard(self._feed) else None
        self._kept_place = self._feed.column.verticalScrollBar().value()
        self._request("choose", lambda partner: self._choose_take(partner, take_id))

    async def _choose_take(self, partner: Partner, take_id: str) -> None:
        try:
            await partner.messages.choose(take_id)
        except PartnerError:
            self._kept_place = self._kept_focus = None
            raise

    def edit(self, key: str) -> None:
        """Let a message of the person's be said differently, where it stands."""
        from partner_desktop.desktop.chat.bubble import Bubble  # noqa: PLC0415 - as above
        from partner_desktop.desktop.chat.message_actions import EditInPlace  # noqa: PLC0415

        entry = self._feed.entry(key)
        if entry is None or not isinstance(entry.widget, Bubble) or entry.widget.covered:
            return
        bubble = entry.widget
        if self._row is not None:
            self._row.leave()
        editor = EditInPlace(self._drafts.get(key, bubble.text))
        editor.edit.textChanged.connect(lambda: self._drafts.__setitem__(key, editor.text))
        editor.cancelled.connect(lambda: self._close_editor(bubble, key))
        editor.sent.connect(lambda text: self._send(editor, key, text))
        self._feed.follow.stay()
        bubble.cover(editor)
        editor.setFocus()

    def _close_editor(self, bubble: Bubble, key: str) -> None:
        self._drafts.pop(key, None)
        bubble.cover(None)
        self._page.composer.edit.setFocus()

    def _send(self, editor: EditInPlace, key: str, text: str) -> None:
        if self._store.partner is not None:
            editor.set_waiting(True)
            self._request("edit", lambda partner: self._send_edited(partner, editor, key, text))

    async def _send_edited(self, partner: Partner, editor: EditInPlace, key: str, text: str) -> None:
        try:
            await partner.messages.edit(key, text)
        except PartnerError:
            if isValid(editor):
                editor.set_waiting(False)  # nothing typed is lost
                editor.setFocus()
            raise
        self._drafts.pop(key, None)
        self._page.composer.edit.setFocus()


def again_button(*, asks: bool) -> QPushButton:
    """Under the latest answer: `asks` where more than words came of what the person said."""
    if asks:
        return push_button(
            lambda: tr("Ask again"), "bare", name=lambda: tr("Ask again, with everything that it sets off")
        )
    return push_button(lambda: tr("Regenerate"), "bare", name=lambda: tr("Regenerate this answer"))
