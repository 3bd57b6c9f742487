"""`partner-desktop actions list|run|persist|remove|disable|enable|undo|keep`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.commands.chat import Console
from partner_desktop.commands.connection import connect
from partner_desktop.commands.plain import plain
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.session import ManageAsk
from partner_desktop.gateways.wire import json_line
from partner_desktop.permission.request import StandingAnswer


async def list_actions(home: Home, action_dir: Path | None, *, as_json: bool) -> int:
    """Every ability and every broken file; 1 when something is broken."""
    async with connect(home, action_dir) as session:
        abilities = [item for item in await session.abilities() if isinstance(item, dict)]
    for ability in abilities:
        print(json_line(ability) if as_json else plain(_line(ability)))
    return 1 if any(ability.get("fault") for ability in abilities) else 0


def _line(ability: JsonObject) -> str:
    fault, info = ability.get("fault"), ability.get("info")
    if isinstance(fault, dict):
        where = f"{fault['path']}:{fault['line']}" if fault.get("line") else f"{fault['path']}"
        kept = " The last good version is kept." if info else ""
        return f"! {where}: {fault['message']}.{kept}"
    description = info.get("description") if isinstance(info, dict) else ""
    off = "(off) " if ability.get("off") else ""
    return f"{ability['key']:<32} {off}{description}"


async def manage_action(home: Home, action_dir: Path | None, ask: ManageAsk, *, as_json: bool) -> int:
    """Keep, remove or switch one ability; or take back what a run did, or keep what it left.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    async with connect(home, action_dir) as session:
        key = await session.manage(ask)
    if ask.verb in ("undo", "keep"):
        print(json_line({"verb": ask.verb, "id": ask.key, "told": key}) if as_json else plain(key))
        return 0
    sentences = {
        "persist": f"{ask.key} is kept as {key}. It asks again before it runs.",
        "remove": f"{ask.key} was moved to the trash.",
        "disable": f"{ask.key} is off.",
        "enable": f"{ask.key} is on.",
    }
    print(json_line({"verb": ask.verb, "key": key}) if as_json else plain(sentences[ask.verb]))
    return 0


async def run_action(
    home: Home,
    action_dir: Path | None,
    *,
    key: str,
    arguments: Sequence[str],
    as_json: bool,
    approve: StandingAnswer,
    program: str = "",
) -> int:
    """Run one ability by its key; 1 when it failed.

    Raises:
        UsageError: There is no such ability, or an argument is not `name=value`.
    """
    async with connect(home, action_dir) as session:
        schema = _schema(await session.abilities(), key)
        params = {name: _typed(value, schema.get(name)) for name, value in map(_pair, arguments)}
        console = Console(session, as_json, approve)
        await console.run(key, params, program=program)
    return 1 if console.failed or console.unsettled else 0


def _schema(abilities: Sequence[Json], key: str) -> JsonObject:
    for ability in abilities:
        if isinstance(ability, dict) and ability["key"] == key and isinstance(ability.get("info"), dict):
            found: Json = ability["info"]
            for part in ("params", "properties"):
                found = found.get(part) if isinstance(found, dict) else None
            return found if isinstance(found, dict) else {}
    raise UsageError(f"There is no ability `{key}`; `partner-desktop actions list` shows what there is.")


def _pair(argument: str) -> tuple[str, str]:
    name, sign, value = argument.removeprefix("--").partition("=")
    if not sign or not name:
        raise UsageError(f"`{argument}` is not of the form name=value.")
    return name, value


def _typed(value: str, schema: Json) -> Json:
    """Text as the type that the schema asks for, where it reads as one."""
    kind = schema.get("type") if isinstance(schema, dict) else "string"
    if kind == "string":
        return value
    try:
        found: Json = json.loads(value)
    except ValueError:
        return value
    return found
