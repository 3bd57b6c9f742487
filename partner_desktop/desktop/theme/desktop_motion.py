"""Whether the desktop asks for reduced motion, by its settings portal on the session's D-Bus.

Qt tells of colours and contrast, and not yet of motion. Where there is no portal nothing is asked for.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jeepney import Message
    from jeepney.io.asyncio import DBusRouter

_NAME = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Settings"
_APPEARANCE, _GNOME = "org.freedesktop.appearance", "org.gnome.desktop.interface"
#: What says it, the portal's own key first, and which value asks for it.
_ASKS: dict[tuple[str, str], object] = {
    (_APPEARANCE, "reduced-motion"): 1,
    (_GNOME, "enable-animations"): False,
}
#: A portal that does not answer is as good as none.
_ANSWER_TIMEOUT_S = 3.0
_MOST_SIGNALS = 16


async def follow_motion(tell: Callable[[bool], object]) -> None:
    """Tell whether the desktop asks for reduced motion, now and whenever that changes.

    Returns where there is no portal.
    """
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return
    from jeepney import DBusErrorResponse  # noqa: PLC0415 - after the first picture
    from jeepney.io.asyncio import open_dbus_router  # noqa: PLC0415

    try:
        async with open_dbus_router("SESSION") as bus:
            await _follow(bus, tell)
    except (OSError, EOFError, KeyError, ValueError, RuntimeError, TimeoutError, DBusErrorResponse):
        return  # a desktop that cannot be asked asks for nothing


async def _follow(bus: DBusRouter, tell: Callable[[bool], object]) -> None:
    from jeepney import DBusAddress, MatchRule, new_method_call  # noqa: PLC0415
    from jeepney.bus_messages import message_bus  # noqa: PLC0415
    from jeepney.io.asyncio import Proxy  # noqa: PLC0415
    from jeepney.wrappers import unwrap_msg  # noqa: PLC0415

    rule = MatchRule(type="signal", interface=_INTERFACE, member="SettingChanged", path=_PATH)
    read_all = new_method_call(
        DBusAddress(_PATH, bus_name=_NAME, interface=_INTERFACE), "ReadAll", "as", ([_APPEARANCE, _GNOME],)
    )
    with bus.filter(rule, bufsize=_MOST_SIGNALS) as signals:
        async with asyncio.timeout(_ANSWER_TIMEOUT_S):
            await Proxy(message_bus, bus).AddMatch(rule)
            (found,) = unwrap_msg(await bus.send_and_get_reply(read_all))
        known = {(space, key): value for space, keys in found.items() for key, value in keys.items()}
        tell(_asks(known))
        while True:
            changed: Message = await signals.get()
            space, key, value = changed.body
            if (space, key) in _ASKS:
                known[space, key] = value
                tell(_asks(known))


def _asks(known: Mapping[tuple[str, str], tuple[str, object]]) -> bool:
    """Variants come as a pair of their signature and their value."""
    return any(name in known and known[name][1] == asks for name, asks in _ASKS.items())
