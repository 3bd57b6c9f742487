"""A session's D-Bus as one program sees it, with notifications and two portals: shortcuts and settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from jeepney import HeaderFields, Message, MessageType, Parser, new_error, new_method_return
from jeepney.low_level import Endianness, Header

_PORTAL = "org.freedesktop.portal.Settings"
_NAME, _PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
_SHORTCUTS, _PORTAL_PATH = "org.freedesktop.portal.GlobalShortcuts", "/org/freedesktop/portal/desktop"
SHORTCUT_SESSION = "/org/freedesktop/portal/desktop/session/1_1/shortcuts"


class SessionBus:
    """What was shown stands in `shown`, its numbers from 1 on; `closed` are those that were taken away."""

    def __init__(self) -> None:
        self.shown: list[tuple[Any, ...]] = []
        self.closed: list[int] = []
        self.has_notifications = True
        self.bound: list[tuple[Any, ...]] = []
        """Shortcuts that work from anywhere: what was asked for."""
        self.has_portal = True
        self.says_yes = True
        """What the person answers when a program asks for one."""
        self.can = ["actions", "body", "body-markup"]
        self.settings: dict[str, dict[str, tuple[str, object]]] = {}
        """Of the desktop, as its portal tells them: a variant by space and key."""
        self._serial = 0
        self._writers: list[asyncio.StreamWriter] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One program: how it says who it is, then its calls."""
        await reader.readexactly(1)
        while (line := await reader.readline()).strip() != b"BEGIN":
            writer.write(
                b"AGREE_UNIX_FD\r\n" if line.startswith(b"NEGOTIATE") else b"OK 0123456789abcdef\r\n"
            )
        self._writers.append(writer)
        parser = Parser()
        with suppress(ConnectionResetError):  # it left before it had read all
            while data := await reader.read(4096):
                parser.add_data(data)
                while (call := parser.get_next_message()) is not None:
                    self._answer(call, writer)
        self._writers.remove(writer)
        writer.close()

    def press(self, number: int, key: str) -> None:
        """The person presses a button of a notification."""
        self._tell("ActionInvoked", "us", (number, key))

    def give_token(self, number: int) -> None:
        """As desktops do before they tell of a button: what a window is raised with."""
        self._tell("ActivationToken", "us", (number, "a-token"))

    def dismiss(self, number: int) -> None:
        """The person closes it."""
        self._tell("NotificationClosed", "uu", (number, 2))

    def change(self, space: str, key: str, value: tuple[str, object]) -> None:
        """The person changes a setting of the desktop."""
        self.settings.setdefault(space, {})[key] = value
        self._tell("SettingChanged", "ssv", (space, key, value), _PORTAL, _PORTAL_PATH)

    def activate(self, shortcut: str, session: str = SHORTCUT_SESSION) -> None:
        """The person presses the keys of a shortcut."""
        self._tell("Activated", "osta{sv}", (session, shortcut, 1, {}), _SHORTCUTS, _PORTAL_PATH)

    def _portal(self, call: Message, writer: asyncio.StreamWriter) -> None:
        """A portal's way: the path of a request, and what came of it by a signal on that path."""
        member = str(call.header.fields[HeaderFields.member])
        path = f"{_PORTAL_PATH}/request/1_1/{member}"
        creates = member == "CreateSession"
        results = {"session_handle": ("s", SHORTCUT_SESSION)} if creates else {}
        if not creates:
            self.bound.append(call.body)
        code = 0 if creates or self.says_yes else 1
        self._tell("Response", "ua{sv}", (code, results), "org.freedesktop.portal.Request", path)
        self._send(new_method_return(call, "o", (path,)), writer)

    def _answer(self, call: Message, writer: asyncio.StreamWriter) -> None:
        match call.header.fields.get(HeaderFields.member):
            case "Hello":
                self._send(new_method_return(call, "s", (":1.1",)), writer)
            case "Notify" if self.has_notifications:
                assert call.header.fields[HeaderFields.signature] == "susssasa{sv}i"
                self.shown.append(call.body)
                self._send(new_method_return(call, "u", (len(self.shown),)), writer)
            case "GetCapabilities" if self.has_notifications:
                self._send(new_method_return(call, "as", (self.can,)), writer)
            case "Notify" | "GetCapabilities":
                unknown = "org.freedesktop.DBus.Error.ServiceUnknown"
                self._send(new_error(call, unknown, "s", ("nobody has this name",)), writer)
            case "ReadAll":
                self._send(new_method_return(call, "a{sa{sv}}", (self.settings,)), writer)
            case "CreateSession" | "BindShortcuts" if self.has_portal:
                self._portal(call, writer)
            case "CreateSession" | "BindShortcuts":
                unknown = "org.freedesktop.DBus.Error.ServiceUnknown"
                self._send(new_error(call, unknown, "s", ("nobody has this name",)), writer)
            case "CloseNotification":
                self.closed.append(call.body[0])
                self._send(new_method_return(call), writer)
            case _:
                self._send(new_method_return(call), writer)

    def _tell(
        self,
        member: str,
        signature: str,
        body: tuple[Any, ...],
        interface: str = _NAME,
        path: str = _PATH,
    ) -> None:
        fields = {
            HeaderFields.path: path,
            HeaderFields.interface: interface,
            HeaderFields.member: member,
            HeaderFields.signature: signature,
        }
        for writer in self._writers:
            header = Header(Endianness.little, MessageType.signal, 0, 1, -1, -1, dict(fields))
            self._send(Message(header, body), writer)

    def _send(self, message: Message, writer: asyncio.StreamWriter) -> None:
        self._serial += 1
        writer.write(message.serialise(self._serial))


@asynccontextmanager
async def session_bus(socket: Path) -> AsyncIterator[SessionBus]:
    """Its address is `unix:path=` with the socket."""
    bus = SessionBus()
    server = await asyncio.start_unix_server(bus.serve, socket)
    try:
        yield bus
    finally:
        server.close()
        await server.wait_closed()
