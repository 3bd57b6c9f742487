"""What the feed is made of: bubbles, replies and cards. Brought in with the first of them."""

from __future__ import annotations

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.chat.reply import ReplyView
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.message import Message, MessageState, Role

__all__ = ["ActionCard", "Bubble", "ReplyView", "Role", "make_bubble", "make_card", "make_reply"]


def make_bubble(message: Message) -> Bubble:
    """What the person said, here or in a terminal; or somebody else, in a chat from elsewhere."""
    terminal = message.source == "terminal"
    note = (lambda: tr("from a terminal")) if terminal else ""
    return Bubble(message.text, note=note, speaker=message.speaker)


def make_reply(theme: Theme, slices: Slices, message: Message | None = None) -> ReplyView:
    """What Partner said; without a message, a reply that is about to come."""
    view = ReplyView(theme, slices)
    if message is None:
        return view
    if message.speaker:
        view.show_speaker(message.speaker)
    if message.reasoning:
        view.think(message.reasoning, whole=True)
    if message.state is MessageState.STREAMING:
        view.add(message.text)
    else:
        view.finish(message.text, message.state)
    return view


def make_card(theme: Theme, clock: Clock | None) -> ActionCard:
    """The place of an action; its record comes on its own."""
    return ActionCard(theme, clock=clock)
