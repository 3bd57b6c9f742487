"""What tests of abilities look for in the events and the list."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.events import AbilitiesEvent, Event
from tests.support import Watcher


def listed(key: str) -> Callable[[Event], bool]:
    def fits(event: Event) -> bool:
        return isinstance(event, AbilitiesEvent) and any(a.key == key and a.usable for a in event.changed)

    return fits


def gone(key: str) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, AbilitiesEvent) and key in event.removed


def keys(partner: Partner) -> set[str]:
    """What is listed of the person's own."""
    return {ability.key for ability in partner.abilities.list() if not ability.key.startswith("builtin::")}


def by_key(partner: Partner, key: str) -> Ability:
    return next(ability for ability in partner.abilities.list() if ability.key == key)


async def put(watcher: Watcher, path: Path, text: str, key: str) -> None:
    """Save a file as the person does, and wait until it is listed."""
    watcher.events.clear()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    await watcher.until(listed(key))
    watcher.events.clear()


def trash_of() -> Path:
    """Where this process's trash lies: send2trash settles that once, when it is first used."""
    from send2trash import plat_other  # noqa: PLC0415

    return Path(plat_other.HOMETRASH) / "files"


async def restarted(home: Home, action_dir: Path) -> Partner:
    """The Partner of a next day; the caller closes it."""
    again = Partner(home, action_dir, meaning=False)
    await again.launch()
    return again
