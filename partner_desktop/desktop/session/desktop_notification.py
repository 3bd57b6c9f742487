"""A notification of the desktop with buttons, and what the person pressed on it.

By the Desktop Notifications Specification over the session's D-Bus. Qt's own way, the tray's messages, has no
buttons; where there is no such service, it is what is left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from partner_desktop.base.tasks import uninterrupted
from partner_desktop.base.text import cut, shown
from partner_desktop.desktop.desktop_bus import (
    BusService,
    DesktopBus,
    NoDesktopServiceError,
    SignalQueue,
    desktop_bus,
)

_NAME = "org.freedesktop.Notifications"
_SERVICE = BusService(_NAME, "/org/freedesktop/Notifications", _NAME)
#: Until the person closes it.
_STAYS = 0
#: Of a longer text only the beginning is told; the whole of it is in the chat.
_MOST_CHARS = 500
#: What a service can do that reads tags in the text.
_READS_TAGS = "body-markup"
#: What a click on the notification itself means.
OPENED = "default"


async def ask_outside(title: str, text: str, choices: Mapping[str, str], *, opens: str) -> str:
    """Show it and wait: the key of the choice, `OPENED` for the notification itself, or empty: it is gone.

    `choices`: words by key; `opens`: what a click on the notification itself is called. When the wait is
    given up, the notification goes.

    Raises:
        NoDesktopServiceError: Nothing here shows notifications with buttons.
    """
    actions = [part for choice in ((OPENED, opens), *choices.items()) for part in choice]
    async with desktop_bus() as bus:
        return await _Notification(bus).ask(title, text, actions)


class _Notification:
    """One, from when it is shown until it is gone."""

    def __init__(self, bus: DesktopBus) -> None:
        self._bus = bus
        self._number = 0

    async def ask(self, title: str, text: str, actions: list[str]) -> str:
        """Show it and wait."""
        async with self._bus.signals(_SERVICE.interface, _SERVICE.path) as signals:
            told = await self._told(title, text, actions)
            try:
                # Given up before its number is known, it could not be taken away again.
                problem = await uninterrupted(self._show(told))
                if problem is not None:
                    raise problem
                return await self._answer(signals)
            except asyncio.CancelledError:
                if self._number:
                    with suppress(OSError, NoDesktopServiceError):
                        await self._bus.call(_SERVICE, "CloseNotification", "u", (self._number,))
                raise

    async def _told(self, title: str, text: str, actions: list[str]) -> tuple[object, ...]:
        body = cut(shown(cut(text, _MOST_CHARS), lines=True), _MOST_CHARS)
        (can,) = await self._bus.call(_SERVICE, "GetCapabilities")
        if _READS_TAGS in can:
            import html  # noqa: PLC0415 - half a megabyte of entities, with the first notification

            body = html.escape(body)
        title = cut(shown(cut(title, _MOST_CHARS)), _MOST_CHARS)
        hints = {"desktop-entry": ("s", "partner-desktop"), "category": ("s", "x-partner.reminder")}
        return ("Partner", 0, "partner-desktop", title, body, actions, hints, _STAYS)

    async def _show(self, told: tuple[object, ...]) -> NoDesktopServiceError | None:
        """Show it; what went wrong."""
        try:
            (self._number,) = await self._bus.call(_SERVICE, "Notify", "susssasa{sv}i", told)
        except NoDesktopServiceError as error:
            return error
        return None

    async def _answer(self, signals: SignalQueue) -> str:
        while True:
            told = await signals.next()
            if told.body[:1] != (self._number,):
                continue
            if told.member == "ActionInvoked":  # what else comes, as a token to raise a window, is no choice
                return str(told.body[1])
            if told.member == "NotificationClosed":
                return ""
