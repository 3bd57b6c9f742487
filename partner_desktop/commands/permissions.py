"""`partner-desktop permissions`: what runs without a question, and what may change that."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.commands.verb import Command, Options, Verb, print_result
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.partner_client import PartnerClient

#: Of an id; more would push the words out of sight.
_SHORT_ID = 8


def _shown(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    """Everything in force."""
    mode = str(item["mode"])
    yield sentence_of("terminal.mode", mode=mode, words=sentence_of(f"terminal.mode_{mode}"))
    rules, grants = _objects(item["rules"]), _objects(item["grants"])
    yield sentence_of("terminal.rules") if rules else sentence_of("terminal.no_rules")
    for number, rule in enumerate(rules, start=1):
        note = f"  ({rule['note']})" if rule["note"] else ""
        yield f"  {number:>2}  {rule['effect']!s:<5}  {rule['action']}{note}"
    yield sentence_of("terminal.what_you_allowed") if grants else sentence_of("terminal.allowed_nothing")
    yield from map(_grant_line, grants)


def _grant_line(grant: JsonObject) -> str:
    reach = (
        sentence_of("terminal.in_one_conversation")
        if grant["scope"] == "conversation"
        else sentence_of("terminal.always")
    )
    caller = sentence_of("terminal.for_program", program=grant["program"]) if grant["program"] else ""
    edited = "" if grant["current"] else sentence_of("terminal.edited_since")
    held = f", {grant['held']}" if grant["held"] else ""
    words = f"{grant['title']} ({grant['action_key']}): {reach}{_where(grant)}{caller}{held}{edited}"
    return f"  {str(grant['id'])[:_SHORT_ID]}  {words}"


def _where(grant: JsonObject) -> str:
    """The places that it holds of those that may be chosen."""
    if grant["scope"] == "everywhere":
        return sentence_of("terminal.everywhere")
    if grant["places"] is None:
        return sentence_of("terminal.before_places")
    places = [
        f"{place['access']}s {display_path(Path(str(place['path'])))}" for place in _objects(grant["places"])
    ]
    return f" ({', '.join(places)})" if places else ""


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _add_number(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("number", type=int, metavar="PLACE", help="its number in the list")


async def _forget(client: PartnerClient, params: JsonObject, options: Options) -> int:
    """The list counts from 1."""
    await client.call("permissions.remove_rule", place=options.number - 1)
    now = await client.call("permissions.list")
    print_result(now, params, as_json=options.json, show=_shown)
    return 0


#: Every verb shows what is in force after it.
COMMAND = Command(
    ("permissions",),
    (
        Verb("mode", "permissions.set_mode", _shown, then=("permissions.list",)),
        Verb(
            "forget",
            "permissions.remove_rule",
            help="take a rule out of the file, by its number in the list",
            hidden=("place",),
            add=_add_number,
            do=_forget,
        ),
    ),
    usual="list",
    show=_shown,
    then=("permissions.list",),
)
