"""`partner-desktop audit`: what was decided and run."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.base.paths import Home
from partner_desktop.commands.connection import connect
from partner_desktop.commands.plain import plain
from partner_desktop.gateways.wire import json_line


async def audit(home: Home, action_dir: Path | None, *, limit: int, action: str, as_json: bool) -> int:
    """Print the newest entries, oldest of them first."""
    async with connect(home, action_dir) as session:
        entries = await session.audit(limit=limit, action=action)
    for entry in entries:
        if as_json:
            print(json_line(entry))
        elif isinstance(entry, dict):
            by = f" by {entry['by_whom']} ({entry['scope']})" if entry["by_whom"] else ""
            why = f": {entry['reason']}" if entry["reason"] else ""
            at, what = str(entry["at"])[:19], f"{entry['kind']:<8} {entry['outcome']:<11}"
            print(plain(f"{at}  {what} {entry['action_key']}{by}{why}"))
    return 0
