"""`partner-desktop schedule list|add|cancel|skip|pause|resume|run|history`: what is done later."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.actions import moment_words
from partner_desktop.commands.chat import Console
from partner_desktop.commands.options import add_approve
from partner_desktop.commands.plain import plain_line
from partner_desktop.commands.verb import Command, Options, Verb, print_result
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.schedule import Terms
from partner_desktop.domain.schedule_text import when_in_words
from partner_desktop.gateways.partner_client import PartnerClient

_FIND = "schedules.find"
#: Schedules that are asked for at a time.
_PAGE = 200


def _line(schedule: JsonObject, _params: JsonObject) -> Iterator[str]:
    """One schedule: its id, what it is, when, and where it stands."""
    title, terms = plain_line(schedule["title"]), schedule["terms"]
    when = when_in_words(decoded(Terms, terms)) if isinstance(terms, dict) else ""
    state = sentence_of(f"terminal.schedule_{schedule['state']}")
    times = schedule["next_times"]
    told = [f"{str(schedule['id'])[:8]}  {title}", plain_line(when), state]
    if isinstance(times, list) and times:
        told.append(sentence_of("terminal.schedule_next", when=_wall(times[0])))
    if schedule["why"]:
        told.append(plain_line(schedule["why"]))
    last = schedule.get("last")
    if isinstance(last, dict):
        outcome = sentence_of(f"terminal.firing_{last['state']}")
        told.append(sentence_of("terminal.schedule_last", outcome=outcome, when=moment_words(last["due_at"])))
    yield " · ".join(told)


def _wall(at: Json) -> str:
    """`2026-05-14 18:00`, on the wall of its own zone."""
    return f"{datetime.fromisoformat(str(at)):%Y-%m-%d %H:%M}"


def _answer(answer: JsonObject, params: JsonObject) -> Iterator[str]:
    """What became of a wish."""
    for schedule in _objects(answer["schedules"]):
        yield from _line(schedule, params)
    if not answer["schedules"] and not answer["actions"]:
        yield sentence_of("terminal.no_schedules")
    for action in _objects(answer["actions"]):
        yield sentence_of(
            "terminal.schedule_waits", title=plain_line(action["title"]), id=str(action["id"])[:8]
        )


def _firing(firing: JsonObject, _params: JsonObject) -> Iterator[str]:
    outcome = sentence_of(f"terminal.firing_{firing['state']}")
    count = sentence_of("terminal.firing_count", count=firing["count"]) if firing["count"] != 1 else ""
    why = f" · {plain_line(firing['why'])}" if firing["why"] else ""
    action = f" · {str(firing['action_id'])[:8]}" if firing["action_id"] else ""
    yield f"{moment_words(firing['due_at'])}  {outcome}{count}{why}{action}"


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _add_words(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="+", metavar="WORDS", help="what, and when, as one says it")
    add_approve(parser)


async def _add(client: PartnerClient, params: JsonObject, options: Options) -> int:
    """Say what is to be done, and when, in a new conversation; 1 when something waits, or fails.

    Raises:
        UsageError: Nothing was planned.
    """
    await client.call("servers.settled")
    console = Console(client, options.json, options.approve)
    await console.say(" ".join(options.text))
    if options.approve == "all":
        await console.approve_planned()
    made = await client.objects("schedules.made_in", conversation_id=console.conversation_id or "")
    if made and not options.json:
        print_result([*made], params, as_json=False, show=_line)
    if not made and not console.failed and not console.unsettled:
        raise UsageError("schedules.nothing_planned")
    return 1 if console.failed or console.unsettled else 0


async def _list(client: PartnerClient, params: JsonObject, options: Options) -> int:
    """Page after page: there may be very many."""
    offset = 0
    while page := await client.objects("schedules.list", **params, limit=_PAGE, offset=offset):
        print_result([*page], params, as_json=options.json, show=_line)
        offset += len(page)
    if not offset and not options.json:
        print(sentence_of("terminal.no_schedules"))
    return 0


def _found(answer: Any) -> int:  # noqa: ANN401 - as an operation gives it
    """1 when a card asks first."""
    return 1 if answer["actions"] else 0


def _ran(answer: Any) -> int:  # noqa: ANN401 - as an operation gives it
    """1 unless it was done."""
    return 0 if all(one["last"]["state"] == "done" for one in answer["schedules"]) else 1


def _verb(name: str, help_words: str) -> Verb:
    return Verb(name, f"schedules.{name}", _answer, help_words, find=_FIND, code=_found)


COMMAND = Command(
    ("schedules",),
    (
        Verb(
            "list",
            "schedules.list",
            help="what is planned, the soonest first, with its next time and the last outcome",
            hidden=("words", "limit", "offset"),
            do=_list,
        ),
        Verb(
            "add",
            "schedules.add",
            help="say what is to be done, and when",
            hidden=("words", "cwd", "standing"),
            add=_add_words,
            do=_add,
        ),
        _verb("cancel", "do it no more"),
        _verb("skip", "leave a single time out; the next one, where none is named"),
        _verb("pause", "do nothing of one, or of all, until it is resumed"),
        _verb("resume", "go on with one, or with all"),
        Verb(
            "run",
            "schedules.run",
            _answer,
            "do it now, whatever its times are, and wait for its end",
            given={"wait": True},
            find=_FIND,
            code=_ran,
        ),
        _verb("done", "what one was reminded of is done"),
        _verb("snooze", "be reminded again at a time"),
        Verb("history", "schedules.history", _firing, "the times that it was due", find=_FIND),
    ),
    usual="list",
    none="terminal.no_schedules",
)
