"""`partner-desktop permissions [list|mode|revoke|deny|ask|forget]`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from partner_desktop.base.paths import Home, display_path
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
    reach = "in one conversation" if grant["scope"] == "conversation" else "always"
    caller = f", for “{grant['program']}” as it calls itself" if grant["program"] else ""
    edited = "" if grant["current"] else "; edited since, so it asks again"
    held = f", {grant['held']}" if grant["held"] else ""
    words = f"{grant['title']} ({grant['action_key']}): {reach}{_where(grant)}{caller}{held}{edited}"
    return f"  {str(grant['id'])[:_SHORT_ID]}  {words}"


def _where(grant: JsonObject) -> str:
    """The places that it holds of those that may be chosen."""
    if grant["scope"] == "everywhere":
        return " everywhere"
    if grant["places"] is None:
        return " (from before places were kept: it asks again where a file or folder is chosen)"
    places = [
        f"{place['access']}s {display_path(Path(str(place['path'])))}" for place in _objects(grant["places"])
    ]
    return f" ({', '.join(places)})" if places else ""


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
