"""Servers in `mcp/`, and what is waited for of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from partner_desktop.app import Partner
from partner_desktop.domain.events import AbilitiesEvent, ResultEvent, ServersEvent
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus
from partner_desktop.permission.request import ApprovalMode
from tests.support import Watcher

PLAIN = Path(__file__).with_name("plain_server.py")


def plain(*options: str, **more: Any) -> dict[str, Any]:
    """The configuration of a small server."""
    return {"command": sys.executable, "args": ["-S", "-E", str(PLAIN), *options], **more}


def write(action_dir: Path, name: str, servers: dict[str, Any]) -> Path:
    """Save a file into `mcp/`, the way editors do."""
    path = action_dir / "mcp" / name
    fresh = path.with_name(f".{name}.new")
    fresh.parent.mkdir(exist_ok=True)
    fresh.write_text(json.dumps(servers), encoding="utf-8")
    return fresh.replace(path)


async def until(partner: Partner, watcher: Watcher, fits: Callable[[], bool]) -> None:
    """Wait until something is so; it is looked at with each event about servers and abilities."""
    if fits():
        return
    await watcher.until(lambda event: isinstance(event, ServersEvent | AbilitiesEvent) and fits())


def status(partner: Partner, name: str) -> ServerStatus | None:
    return next((each for each in partner.servers.list() if each.id == name), None)


async def until_phase(partner: Partner, watcher: Watcher, name: str, phase: ServerPhase) -> ServerStatus:
    def there() -> bool:
        found = status(partner, name)
        return found is not None and found.phase is phase

    await until(partner, watcher, there)
    found = status(partner, name)
    assert found is not None
    return found


def listed(partner: Partner, location: str) -> list[str]:
    """The keys of what is offered from there now."""
    return sorted(a.key for a in partner.abilities.list() if a.info and a.info.location == location)


async def until_listed(partner: Partner, watcher: Watcher, *keys: str) -> None:
    wanted = set(keys)
    await until(partner, watcher, lambda: wanted <= {ability.key for ability in partner.abilities.list()})


async def call(partner: Partner, watcher: Watcher, key: str, exchange: str, **params: Any) -> ResultEvent:
    """Run a tool with every approval given; its end."""
    await partner.abilities.run(key, params, cwd="", standing=ApprovalMode.ALL, exchange_id=exchange)
    found = await watcher.until(
        lambda event: isinstance(event, ResultEvent) and event.exchange_id == exchange
    )
    assert isinstance(found, ResultEvent)
    return found
