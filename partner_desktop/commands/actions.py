"""`partner-desktop actions list|run|runs|show|cancel|persist|remove|disable|enable|undo|keep`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence

from partner_desktop.base.errors import UsageError
from partner_desktop.base.spoken import sentence_of
from partner_desktop.commands.chain_lines import SIGNS, steps_of
from partner_desktop.commands.chat import Console
from partner_desktop.commands.options import add_approve
from partner_desktop.commands.plain import plain_line
from partner_desktop.commands.record_lines import action_of, moment_words, record_lines
from partner_desktop.commands.verb import Command, Options, Verb, print_result
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.partner_client import PartnerClient

_FIND, _SETTLED = "actions.find", "servers.settled"


def _ability(ability: JsonObject, _params: JsonObject) -> Iterator[str]:
    fault, info = ability.get("fault"), ability.get("info")
    if isinstance(fault, dict):
        where = f"{fault['path']}:{fault['line']}" if fault.get("line") else f"{fault['path']}"
        kept = sentence_of("terminal.last_good_kept") if info else ""
        yield f"! {where}: {fault['message']}.{kept}"
        return
    description = info.get("description") if isinstance(info, dict) else ""
    off = "(off) " if ability.get("off") else ""
    yield f"{ability['key']:<32} {off}{description}"


def _broken(abilities: Json) -> int:
    """1 when something is broken."""
    assert isinstance(abilities, list)
    return 1 if any(isinstance(one, dict) and one.get("fault") for one in abilities) else 0


def _run_line(action: JsonObject, _params: JsonObject) -> Iterator[str]:
    status, when = str(action["status"]), moment_words(action.get("started_at") or action["created_at"])
    steps = steps_of(action)
    ended = sum(step["status"] not in ("planned", "waiting", "running") for step in steps)
    far = f" · {ended} of {len(steps)} steps" if steps else ""
    of_plan = sentence_of("terminal.of_plan") if action.get("parent_id") else ""
    sign = SIGNS.get(status, "–")
    yield f"{sign} {str(action['id'])[:8]}  {when}  {plain_line(action['title'])} · {status}{far}{of_plan}"


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("argument", nargs="*", metavar="NAME=VALUE")
    parser.add_argument(
        "--for",
        dest="program",
        default="",
        metavar="PROGRAM",
        help="as if this program had asked for it (what it calls itself): a yes beyond this run is for that",
    )
    add_approve(parser)


async def _run(client: PartnerClient, params: JsonObject, options: Options) -> int:
    """Run one ability by its key; 1 when it failed.

    Raises:
        UsageError: There is no such ability, or an argument is not `name=value`.
    """
    key = str(params["key"])
    await client.call(_SETTLED)
    schema = _schema(await client.objects("abilities.list"), key)
    given = {name: _typed(value, schema.get(name)) for name, value in map(_pair, options.argument)}
    console = Console(client, options.json, options.approve)
    await console.run(key, given, program=options.program)
    return 1 if console.failed or console.unsettled else 0


def _schema(abilities: Sequence[JsonObject], key: str) -> JsonObject:
    for ability in abilities:
        if ability["key"] == key and isinstance(ability.get("info"), dict):
            found: Json = ability["info"]
            for part in ("params", "properties"):
                found = found.get(part) if isinstance(found, dict) else None
            return found if isinstance(found, dict) else {}
    raise UsageError("terminal.no_ability", key=key)


def _pair(argument: str) -> tuple[str, str]:
    name, sign, value = argument.removeprefix("--").partition("=")
    if not sign or not name:
        raise UsageError("terminal.not_name_value", argument=argument)
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


async def _cancel(client: PartnerClient, params: JsonObject, options: Options) -> int:
    """What does not run any more is not ended.

    Raises:
        UsageError: It does not run.
    """
    record = await client.object(_FIND, beginning=params["action_id"])
    if record["status"] != "running":
        raise UsageError("terminal.does_not_run", title=record["title"], status=record["status"])
    await client.call("actions.cancel", action_id=record["id"])
    story = await client.object("actions.story", action_id=record["id"])
    print_result(story, params, as_json=options.json, show=lambda one, said: _run_line(action_of(one), said))
    return 0


COMMAND = Command(
    ("abilities", "actions"),
    (
        Verb("list", "abilities.list", _ability, "list the abilities", before=_SETTLED, code=_broken),
        Verb(
            "run",
            "abilities.run",
            help="run one ability",
            hidden=("params", "cwd", "standing", "conversation_id", "title", "program"),
            add=_add_run,
            do=_run,
        ),
        Verb("runs", "actions.list", _run_line, "what was proposed and run, newest first"),
        Verb(
            "show",
            "actions.story",
            lambda story, _said: record_lines(story),
            "the whole record of one of them, step by step",
            find=_FIND,
        ),
        Verb("cancel", "actions.cancel", help="end one that runs", do=_cancel),
        Verb(
            "persist",
            "abilities.persist",
            lambda key, said: [sentence_of("terminal.ability_kept", given=said["key"], key=key)],
            "keep a temporary ability for good",
            hidden=("draft",),
        ),
        Verb(
            "remove",
            "abilities.remove",
            lambda _none, said: [sentence_of("terminal.ability_trashed", key=said["key"])],
            "move an ability to the trash",
        ),
        Verb(
            "disable",
            "abilities.switch",
            lambda _none, said: [sentence_of("terminal.ability_off", key=said["key"])],
            "switch an ability off: it is listed, but not used",
            given={"on": False},
        ),
        Verb(
            "enable",
            "abilities.switch",
            lambda _none, said: [sentence_of("terminal.ability_on", key=said["key"])],
            "switch it on again",
            given={"on": True},
        ),
        Verb("undo", "actions.undo", help="take back what a run did to files"),
        Verb("keep", "actions.keep_files", help="copy what a run made into a folder"),
    ),
    none="terminal.none_proposed",
)
