"""ResponseChannel: the way out of the runtime. Each gateway registers its own; the log always listens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from partner_desktop.base import log
from partner_desktop.domain.events import ErrorEvent, Event

_log = log.area("channel")


class ResponseChannel(Protocol):
    """One gateway's door for events."""

    name: str

    def accepts(self, event: Event) -> bool:
        """Whether this channel is an addressee of the event."""
        ...

    def deliver(self, event: Event) -> None:
        """Take the event; must not block. Called on the loop, in order."""
        ...


class LogChannel:
    """The fallback that is always there; it keeps errors readable and no user text."""

    name = "log"

    def accepts(self, event: Event) -> bool:
        return isinstance(event, ErrorEvent)

    def deliver(self, event: Event) -> None:
        if isinstance(event, ErrorEvent):
            _log.error("%s: %s", event.where or "error", event.message)


class ChannelRegistry:
    """Fans events out to every channel that accepts them; one failing channel never stops the rest."""

    def __init__(self) -> None:
        self._channels: list[ResponseChannel] = [LogChannel()]

    def register(self, channel: ResponseChannel) -> Callable[[], None]:
        """Add a channel; returns the undo."""
        self._channels.append(channel)

        def undo() -> None:
            if channel in self._channels:
                self._channels.remove(channel)

        return undo

    def publish(self, event: Event) -> None:
        """Give the event to its addressees."""
        for channel in tuple(self._channels):
            try:
                if channel.accepts(event):
                    channel.deliver(event)
            except Exception:  # noqa: BLE001 - the bridge to gateways: a broken window must not break a turn
                _log.exception("channel %s failed on %s", channel.name, event.type)
