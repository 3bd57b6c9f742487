"""Whether the desktop asks for reduced motion, by its settings portal on the session's D-Bus.

Qt tells of colours and contrast, and not yet of motion. Where there is no portal nothing is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from partner_desktop.desktop.desktop_bus import BusService, NoDesktopServiceError, desktop_bus

_SETTINGS = BusService(
    "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings"
)
_APPEARANCE, _GNOME = "org.freedesktop.appearance", "org.gnome.desktop.interface"
#: What says it, the portal's own key first, and which value asks for it.
_ASKS: dict[tuple[str, str], object] = {
    (_APPEARANCE, "reduced-motion"): 1,
    (_GNOME, "enable-animations"): False,
}


async def follow_motion(tell: Callable[[bool], object]) -> None:
    """Tell whether the desktop asks for reduced motion, now and whenever that changes.

    Returns where there is no portal.
    """
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return
    try:
        await _follow(tell)
    except NoDesktopServiceError:
        return  # a desktop that cannot be asked asks for nothing


async def _follow(tell: Callable[[bool], object]) -> None:
    async with desktop_bus() as bus, bus.signals(_SETTINGS.interface, _SETTINGS.path) as signals:
        (found,) = await bus.call(_SETTINGS, "ReadAll", "as", ([_APPEARANCE, _GNOME],))
        known = {(space, key): value for space, keys in found.items() for key, value in keys.items()}
        tell(_asks(known))
        while True:
            changed = await signals.next()
            if changed.member != "SettingChanged":
                continue
            space, key, value = changed.body
            if (space, key) in _ASKS:
                known[space, key] = value
                tell(_asks(known))


def _asks(known: Mapping[tuple[str, str], tuple[str, object]]) -> bool:
    """Variants come as a pair of their signature and their value."""
    return any(name in known and known[name][1] == asks for name, asks in _ASKS.items())
