"""`partner-desktop actions list|run|runs|show|cancel|persist|remove|disable|enable|undo|keep`.

The whole record of an action is told in lines for a terminal: a chain step by step.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.chat import Console
from partner_desktop.commands.options import add_approve
from partner_desktop.commands.plain import plain, plain_line
from partner_desktop.commands.plan_lines import (
    SIGNS,
    argument_lines,
    last_tries,
    number_in,
    risk_words,
    steps_of,
)
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
    steps = last_tries(steps_of(action))
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


#: Lines of what was said that are shown; `--json` has it whole.
_MOST_LINES = 20
_MOST_LETTERS = 300
_TOLD = ("action_id", "kind", "outcome", "scope", "by_whom", "reason")
_DECIDED = ("decision", "resume", "undo")


def record_lines(whole: JsonObject) -> Iterator[str]:
    """The record in words."""
    action = action_of(whole)
    yield f"{plain_line(action['title'])} · {plain(action['status'])}"
    began = moment_words(action.get("started_at") or action["created_at"])
    yield f"  {plain(action['id'])} · {began}{_took(action)}"
    if action.get("request_text"):
        yield f"  asked: {plain_line(action['request_text'])}"
    if not steps_of(action):
        yield f"  {plain(action['key'])} · {_held(action)}"
        yield from argument_lines(action.get("params"), "  ")
    yield from _steps(whole)
    yield from _outcome(action, "  ")
    yield from _changes(action)
    yield from _decisions(whole)
    if whole.get("version"):
        way = f"partner-desktop actions approve {plain(action['id'])} {plain(whole['version'])}"
        yield sentence_of("terminal.it_waits", way=way)


def _steps(whole: JsonObject) -> Iterator[str]:
    children = whole.get("steps")
    ran = (
        {str(one["id"]): one for one in children if isinstance(one, dict)}
        if isinstance(children, list)
        else {}
    )
    steps = steps_of(action_of(whole))
    for step in steps:
        status, number = str(step["status"]), number_in(steps, step["id"])
        took = _between(step.get("started_at"), step.get("finished_at"))
        yield f"{SIGNS.get(status, '–')} {number}. {plain_line(step['title'])} · {status}{took}"
        record = ran.get(str(step["id"]))
        yield from argument_lines((record or step).get("params"), "     ")
        if record is not None:
            yield from _outcome(record, "     ")
        elif step.get("error"):
            yield f"     {plain(step['error'])}"


def _outcome(action: JsonObject, indent: str) -> Iterator[str]:
    if action.get("error"):
        yield f"{indent}{plain(action['error'])}"
    yield from _said(action, indent)
    files = action.get("files")
    for file in files if isinstance(files, list) else ():
        if isinstance(file, dict):
            yield f"{indent}left {plain_line(file['name'])} ({file['size_bytes']} B)"
    undo = action.get("undo")
    if isinstance(undo, dict) and undo.get("state") == "possible":
        way = sentence_of("terminal.undo_takes_back", id=plain(action["id"]))
        yield sentence_of("terminal.changed_files", indent=indent, count=undo["count"], way=way)


def _said(action: JsonObject, indent: str) -> Iterator[str]:
    """The first lines of its output, or of its data."""
    lines = _told(action).rstrip().splitlines()
    yield from (f"{indent}| {line[:_MOST_LETTERS]}" for line in lines[:_MOST_LINES])
    if action.get("truncated") and action.get("stdout_path"):
        yield sentence_of("terminal.excerpt", indent=indent, path=plain(action["stdout_path"]))
    elif len(lines) > _MOST_LINES:
        yield sentence_of("terminal.lines_in_all", indent=indent, lines=len(lines))


def _told(action: JsonObject) -> str:
    data = action.get("data")
    if isinstance(data, dict) and isinstance(data.get("summary"), str):
        return plain(data["summary"])
    if isinstance(data, (dict, list)):
        return plain(json.dumps(data, ensure_ascii=False, indent=2))
    return plain(action.get("stdout") or "") or (plain(data) if data is not None else "")


def _changes(action: JsonObject) -> Iterator[str]:
    chain = action.get("chain")
    if not isinstance(chain, dict):
        return
    changes = chain.get("changes")
    for change in changes if isinstance(changes, list) else ():
        if isinstance(change, dict):
            yield sentence_of("terminal.changed_by", by=plain(change["by"]), text=plain(change["text"]))
    if chain.get("checked"):
        yield f"  checked: {plain(chain['checked'])}"


def _decisions(whole: JsonObject) -> Iterator[str]:
    entries, said = whole.get("decisions"), set[tuple[str, ...]]()
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry["kind"] in _DECIDED:
            told = tuple(str(entry[name]) for name in _TOLD)
            if told in said:
                continue  # a step that was approved with its plan is looked at once more before it runs
            said.add(told)
            by = f" by {plain(entry['by_whom'])}" if entry["by_whom"] else ""
            why = f" ({plain(entry['reason'])})" if entry["reason"] else ""
            what = f"{plain(entry['action_key'])} {plain(entry['outcome'])} {plain(entry['scope'])}".rstrip()
            yield f"  {moment_words(entry['at'])}  {what}{by}{why}"


def _held(action: JsonObject) -> str:
    isolation = action.get("isolation")
    held = plain(isolation.get("summary") or "") if isinstance(isolation, dict) else ""
    return " · ".join(part for part in (risk_words(str(action["risk"])), held) if part)


def action_of(whole: JsonObject) -> JsonObject:
    """What it is the record of."""
    action = whole.get("action")
    return action if isinstance(action, dict) else {}


def _took(action: JsonObject) -> str:
    duration = action.get("duration_ms")
    if isinstance(duration, int) and duration:
        return f" · {duration / 1000:.1f} s"
    return _between(action.get("started_at"), action.get("finished_at"))


def _between(start: Json, end: Json) -> str:
    if not isinstance(start, str) or not isinstance(end, str):
        return ""
    return f" · {(datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds():.1f} s"


def moment_words(at: Json) -> str:
    """`2026-05-14 12:00`, in the person's zone."""
    return f"{datetime.fromisoformat(str(at)).astimezone():%Y-%m-%d %H:%M}"
