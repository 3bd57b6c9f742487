"""`partner-desktop permissions [list|mode|revoke|deny|ask|forget]`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from partner_desktop.base.paths import Home
from partner_desktop.commands.connection import connect
from partner_desktop.commands.plain import plain
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.permission_ask import PermissionAsk
from partner_desktop.gateways.wire import json_line

_MODES = {
    "ask": "everything asks, each time",
    "smart": "built-in actions that only look run, and what you allowed; the rest asks",
    "autonomous": "also what a sandbox keeps from changing or sending anything runs; the rest asks",
}
#: Of an id; more would push the words out of sight.
_SHORT_ID = 8


async def permissions(home: Home, action_dir: Path | None, ask: PermissionAsk, *, as_json: bool) -> int:
    """Ask the Partner of this home and print everything as it is then.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    async with connect(home, action_dir) as session:
        answer = [item for item in await session.permissions(ask) if isinstance(item, dict)]
    for item in answer:
        print(json_line(item) if as_json else plain("\n".join(_lines(item))))
    return 0


def _lines(item: JsonObject) -> Iterator[str]:
    yield f"Mode: {item['mode']} ({_MODES[str(item['mode'])]})"
    rules, grants = _objects(item["rules"]), _objects(item["grants"])
    yield "Rules, in config/permission.toml:" if rules else "No rules."
    for number, rule in enumerate(rules, start=1):
        note = f"  ({rule['note']})" if rule["note"] else ""
        yield f"  {number:>2}  {rule['effect']!s:<5}  {rule['action']}{note}"
    yield "What you allowed:" if grants else "You allowed nothing beyond single runs."
    yield from map(_grant_line, grants)


def _grant_line(grant: JsonObject) -> str:
    reach = "always" if grant["scope"] == "always" else "in one conversation"
    edited = "" if grant["current"] else "; edited since, so it asks again"
    words = f"{grant['title']} ({grant['action_key']}): {reach}, {grant['held']}{edited}"
    return f"  {str(grant['id'])[:_SHORT_ID]}  {words}"


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
