"""A notification of the desktop with buttons, and what the person pressed on it.

By the Desktop Notifications Specification over the session's D-Bus. Qt's own way, the tray's messages, has no
buttons; where there is no such service, it is what is left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from partner_desktop.base.tasks import uninterrupted
from partner_desktop.base.text import cut, shown

if TYPE_CHECKING:
    from jeepney import Message
    from jeepney.io.asyncio import DBusRouter

_NAME = "org.freedesktop.Notifications"
_PATH = "/org/freedesktop/Notifications"
#: A service that does not answer is as good as none.
_ANSWER_TIMEOUT_S = 3.0
#: Signals that came in and were not looked at yet: those of all programs come.
_MOST_SIGNALS = 64
#: Until the person closes it.
_STAYS = 0
#: Of a longer text only the beginning is told; the whole of it is in the chat.
_MOST_CHARS = 500
#: What a service can do that reads tags in the text.
_READS_TAGS = "body-markup"
#: What a click on the notification itself means.
OPENED = "default"


class NoNotificationsError(Exception):
    """Nothing here shows notifications with buttons."""


async def ask_outside(title: str, text: str, choices: Mapping[str, str], *, opens: str) -> str:
    """Show it and wait: the key of the choice, `OPENED` for the notification itself, or empty: it is gone.

    `choices`: words by key; `opens`: what a click on the notification itself is called. When the wait is
    given up, the notification goes.

    Raises:
        NoNotificationsError: There is no such service, or it does not answer.
    """
    from jeepney import DBusErrorResponse  # noqa: PLC0415 - with the first that is shown
    from jeepney.io.asyncio import open_dbus_router  # noqa: PLC0415

    actions = [part for choice in ((OPENED, opens), *choices.items()) for part in choice]
    try:
        async with open_dbus_router("SESSION") as bus:
            return await _Notification(bus).ask(title, text, actions)
    except (OSError, EOFError, KeyError, ValueError, RuntimeError, TimeoutError, DBusErrorResponse) as error:
        raise NoNotificationsError(str(error)) from error


class _Notification:
    """One, from when it is shown until it is gone."""

    def __init__(self, bus: DBusRouter) -> None:
        self._bus = bus
        self._number = 0

    async def ask(self, title: str, text: str, actions: list[str]) -> str:
        """Show it and wait."""
        from jeepney import MatchRule  # noqa: PLC0415
        from jeepney.bus_messages import message_bus  # noqa: PLC0415
        from jeepney.io.asyncio import Proxy  # noqa: PLC0415

        rule = MatchRule(type="signal", interface=_NAME, path=_PATH)
        with self._bus.filter(rule, bufsize=_MOST_SIGNALS) as signals:
            async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                await Proxy(message_bus, self._bus).AddMatch(rule)
                message = await self._message(title, text, actions)
            try:
                # Given up before its number is known, it could not be taken away again.
                problem = await uninterrupted(self._show(message))
                if problem is not None:
                    raise problem
                return await _answer(signals, self._number)
            except asyncio.CancelledError:
                if self._number:
                    with suppress(OSError, TimeoutError):
                        async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                            await self._bus.send(_call("CloseNotification", "u", (self._number,)))
                raise

    async def _message(self, title: str, text: str, actions: list[str]) -> Message:
        body = cut(shown(cut(text, _MOST_CHARS), lines=True), _MOST_CHARS)
        if await self._reads_tags():
            import html  # noqa: PLC0415 - half a megabyte of entities, with the first notification

            body = html.escape(body)
        title = cut(shown(cut(title, _MOST_CHARS)), _MOST_CHARS)
        hints = {"desktop-entry": ("s", "partner-desktop"), "category": ("s", "x-partner.reminder")}
        told = ("Partner", 0, "partner-desktop", title, body, actions, hints, _STAYS)
        return _call("Notify", "susssasa{sv}i", told)

    async def _show(self, message: Message) -> Exception | None:
        """Show it; what went wrong."""
        from jeepney import DBusErrorResponse  # noqa: PLC0415
        from jeepney.wrappers import unwrap_msg  # noqa: PLC0415

        try:
            async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                (self._number,) = unwrap_msg(await self._bus.send_and_get_reply(message))
        except (OSError, EOFError, ValueError, RuntimeError, DBusErrorResponse) as error:
            return error
        return None

    async def _reads_tags(self) -> bool:
        from jeepney.wrappers import unwrap_msg  # noqa: PLC0415

        (can,) = unwrap_msg(await self._bus.send_and_get_reply(_call("GetCapabilities")))
        return _READS_TAGS in can


def _call(method: str, signature: str | None = None, body: tuple[object, ...] = ()) -> Message:
    from jeepney import DBusAddress, new_method_call  # noqa: PLC0415

    return new_method_call(DBusAddress(_PATH, bus_name=_NAME, interface=_NAME), method, signature, body)


async def _answer(signals: asyncio.Queue[Message], number: int) -> str:
    while True:
        told = await signals.get()
        if told.body[:1] != (number,):
            continue
        (_, kind) = told.body
        if isinstance(kind, str):  # ActionInvoked; NotificationClosed brings a number
            return kind
        return ""
