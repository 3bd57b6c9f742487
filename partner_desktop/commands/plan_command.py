"""`partner-desktop plan --goal … [--have …] [--dry-run]`: the cheapest way to a goal, shown or proposed.

`plan save ACTION` keeps what an action did as one ability, and `plan resume ACTION` goes on with a plan that
was given up. `plan verify ACTION` checks what an action did, and `plan repair ACTION` offers to do again what
failed its check.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.chat import Console
from partner_desktop.commands.connection import connect
from partner_desktop.commands.options import CommandFolders
from partner_desktop.commands.plain import plain_line
from partner_desktop.commands.plan_lines import argument_lines, number_in, steps_of
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.verification import VerdictStatus
from partner_desktop.gateways.wire import json_line


async def plan(options: argparse.Namespace, place: CommandFolders) -> int:
    """Run the command; 1 when it failed or waits, or where something failed its check.

    Raises:
        UsageError: Nothing is called so, or there is no way; with why. Or it is not said what is wanted.
    """
    if bool(options.verb) == bool(options.goal) or bool(options.verb) != bool(options.action):
        raise UsageError("terminal.plan_what")
    if options.verb == "save":
        return await _save(options, place)
    if options.verb == "resume":
        return await _resume(options, place)
    if options.verb:
        return await _after(options, place)
    have: JsonObject = dict(map(_pair, options.have))
    async with connect(*place) as client:
        if not options.dry_run:
            console = Console(client, options.json, options.approve)
            await console.plan(options.goal, have)
            return 1 if console.failed or console.unsettled else 0
        await client.call("servers.settled")
        found = await client.object("plans.compute", goal=options.goal, have=have)
    if options.json:
        print(json_line(found))
    else:
        print(*plan_lines(found), sep="\n")
    return 0


async def _save(options: argparse.Namespace, place: CommandFolders) -> int:
    async with connect(*place) as client:
        record = await client.object("actions.find", beginning=options.action)
        draft = await client.object("plans.saveable", action_id=record["id"])
        draft = _renamed(draft, dict(map(_argument_name, options.param)))
        if options.name:
            draft = {**draft, "name": options.name}
        key = await client.call("plans.save", action_id=record["id"], draft=draft)
    if options.json:
        print(json_line({"key": key, "draft": draft}))
        return 0
    print(sentence_of("terminal.plan_saved", key=plain_line(key)))
    for each in _list(draft["arguments"]):
        if isinstance(each, dict):
            told = "terminal.plan_asks" if each["proposed"] else "terminal.plan_keeps"
            value = plain_line(json.dumps(each["value"], ensure_ascii=False))
            print(
                sentence_of(
                    told,
                    step=each["number"],
                    param=plain_line(each["param"]),
                    name=plain_line(each["name"]),
                    value=value,
                )
            )
    return 0


def _argument_name(argument: str) -> tuple[str, str]:
    """`2.folder=where`.

    Raises:
        UsageError: It is written otherwise.
    """
    place, sign, name = argument.partition("=")
    if not sign or not all(place.partition(".")[::2]):
        raise UsageError("terminal.plan_param", argument=argument)
    return place, name


def _renamed(draft: JsonObject, names: dict[str, str]) -> JsonObject:
    """With the names that were given; an empty one keeps the value as it is.

    Raises:
        UsageError: There is no such argument.
    """
    arguments = [each for each in _list(draft["arguments"]) if isinstance(each, dict)]
    known = [f"{each['number']}.{each['param']}" for each in arguments]
    for place in names:
        if place not in known:
            raise UsageError("terminal.plan_no_param", place=place, known=", ".join(known))
    renamed: list[Json] = []
    for place, each in zip(known, arguments, strict=True):
        name = names.get(place)
        told = {} if name is None else {"name": name or each["name"], "proposed": bool(name)}
        renamed.append({**each, **told})
    return {**draft, "arguments": renamed}


async def _resume(options: argparse.Namespace, place: CommandFolders) -> int:
    async with connect(*place) as client:
        record = await client.object("actions.find", beginning=options.action)
        console = Console(client, options.json, options.approve)
        await console.resume(str(record["id"]))
    return 1 if console.failed or console.unsettled else 0


async def _after(options: argparse.Namespace, place: CommandFolders) -> int:
    async with connect(*place) as client:
        found = await client.object("actions.find", beginning=options.action)
        record = await client.object(f"plans.{options.verb}", action_id=found["id"])
        if options.verb == "repair" and options.approve == "all" and record["status"] == "waiting":
            console = Console(client, options.json, options.approve)
            await console.decide(str(record["id"]), "once")
            return 1 if console.failed or console.unsettled else 0
    if options.json:
        print(json_line(record))
    elif options.verb == "repair":
        print(
            sentence_of("terminal.plan_repair", title=plain_line(record["title"]), id=str(record["id"])[:8])
        )
    else:
        print(*checked_lines(record), sep="\n")
    verdicts = _verdicts(record) if options.verb == "verify" else []
    return 1 if any(each["status"] == VerdictStatus.FAILED for each in verdicts) else 0


def checked_lines(record: JsonObject) -> Iterator[str]:
    """What was found of each step, and of what that is known."""
    steps = {str(step["id"]): step for step in steps_of(record)}
    numbers = {step_id: number_in([*steps.values()], step_id) for step_id in steps}
    found = _verdicts(record)
    if not found:
        yield sentence_of("verification.nothing_to_ask")
    for verdict in found:
        number = numbers.get(str(verdict["step"]), 1)
        title = steps.get(str(verdict["step"]), record)["title"]
        status = sentence_of(f"verification.status.{verdict['status']}")
        yield f"  {number}. {plain_line(title)}: {status}. {plain_line(verdict['reason'])}"
        for fact in _list(verdict["facts"]):
            if isinstance(fact, dict):
                yield from _fact_lines(fact, told=str(verdict["reason"]))


def _fact_lines(fact: JsonObject, *, told: str) -> Iterator[str]:
    """What was found, unless it was `told` already; where it is not so, what was wanted too."""
    if fact["text"] != told:
        yield f"     {plain_line(fact['text'])}"
    if not fact["holds"] and fact["wanted"] != fact["found"]:
        wanted, found = (_value(fact[name]) for name in ("wanted", "found"))
        yield f"     {sentence_of('terminal.plan_wanted', wanted=wanted, found=found)}"


def _value(value: Json) -> str:
    if value is None:
        return sentence_of("terminal.plan_nothing")
    return plain_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _verdicts(record: JsonObject) -> list[JsonObject]:
    found = record.get("verification")
    told = found.get("verdicts") if isinstance(found, dict) else None
    return [each for each in _list(told) if isinstance(each, dict)]


def _pair(argument: str) -> tuple[str, Json]:
    """`name=value`, or a condition that is so."""
    name, sign, value = argument.partition("=")
    if not sign:
        return name, True
    try:
        found: Json = json.loads(value)
    except (ValueError, RecursionError):
        return name, value
    return name, found


def plan_lines(found: JsonObject) -> Iterator[str]:
    """Each step with its arguments and why it is there."""
    stages = found["stages"]
    steps = [step for stage in _list(stages) for step in _list(stage) if isinstance(step, dict)]
    numbers = {str(step["id"]): number for number, step in enumerate(steps, 1)}
    head = "terminal.plan_head_one" if len(steps) == 1 else "terminal.plan_head"
    yield sentence_of(head, count=len(steps), cost=f"{_number(found['cost']):g}")
    for number, step in enumerate(steps, 1):
        yield f"  {number}. {plain_line(step['title'])}  ({plain_line(step['key'])})"
        yield from argument_lines(step["params"], "     ")
        for feed in _list(step["feeds"]):
            if isinstance(feed, dict):
                source = numbers.get(str(feed["step"]), 0)
                yield sentence_of("terminal.from_step", param=plain_line(feed["param"]), step=source)
        for name in _list(step["missing"]):
            yield sentence_of("terminal.plan_missing", param=plain_line(name))
        reason = step["reason"]
        if isinstance(reason, dict):
            yield f"     {_reason(reason, numbers)}"


def _reason(reason: JsonObject, numbers: dict[str, int]) -> str:
    things = sentence_of("step.comma").join(plain_line(each) for each in _list(reason["brings"]))
    users = [str(numbers[str(each)]) for each in _list(reason["needed_by"]) if str(each) in numbers]
    for_steps = sentence_of("terminal.plan_for_steps", numbers=sentence_of("step.comma").join(users))
    whom = for_steps if users else sentence_of("terminal.plan_for_goal")
    told_as = "terminal.plan_why" if things else "terminal.plan_asked"
    told = sentence_of(told_as, things=things, whom=whom, cost=f"{_number(reason['cost']):g}")
    if reason["is_only_way"]:
        return told + sentence_of("terminal.plan_only_way")
    if reason["without"] is None:
        return told
    dearer = f"{_number(reason['without']):g}"
    return told + sentence_of("terminal.plan_dearer", without=dearer, total=f"{_number(reason['total']):g}")


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
