"""`partner-desktop trace`: what happened in a turn, from the files alone; no host is asked or started."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys

from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.options import CommandFolders
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.gateways.wire import json_line
from partner_desktop.runtime.trace.trace_reader import (
    TurnTrace,
    find_turns,
    last_turns,
    list_line,
    turn_lines,
)

_LISTED = 20


async def trace(options: argparse.Namespace, place: CommandFolders) -> int:
    """Print the list of turns, or trees: of the turn named, else of the last `limit` (1) turns.

    Raises:
        UsageError: No turn is called so, or several are.
    """
    traces = place.home.traces
    if options.turn:
        found = await asyncio.to_thread(find_turns, traces, options.turn)
        turns = [_one_of(found, options.turn)]
    else:
        count = options.limit or (_LISTED if options.list else 1)
        turns = await asyncio.to_thread(last_turns, traces, limit=count)
    if not turns:
        print(sentence_of("terminal.no_turn_traced"), file=sys.stderr)
        return 1
    for number, each in enumerate(turns):
        _print(each, as_list=options.list, as_json=options.json, first=number == 0)
    return 0


def _one_of(found: list[TurnTrace], wanted: str) -> TurnTrace:
    exact = [each for each in found if each.turn_id == wanted]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        raise UsageError("terminal.several_turns", count=len(found), wanted=wanted)
    raise UsageError("terminal.no_turn", wanted=wanted)


def _print(turn: TurnTrace, *, as_list: bool, as_json: bool, first: bool) -> None:
    if as_list:
        print(json_line(_summary(turn)) if as_json else list_line(turn))
    elif as_json:
        for record in turn.records:
            print(json.dumps(record, ensure_ascii=False))
    else:
        print(("" if first else "\n") + "\n".join(turn_lines(turn)))


def _summary(turn: TurnTrace) -> JsonObject:
    return {
        "turn": turn.turn_id,
        "at": turn.at.isoformat() if turn.at is not None else None,
        "state": turn.state,
        "duration_ms": turn.duration_ms,
        "conversation": turn.conversation_id,
        "inputs": turn.facts.get("inputs"),
        "modules": turn.count("module"),
        "mind_calls": turn.count("mind"),
        "workspace_changes": turn.count("workspace"),
        "errors": turn.count("error"),
        "forgotten": turn.forgotten,
    }
