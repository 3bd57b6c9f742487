"""`partner-desktop actions runs|show|cancel`: what was proposed and run, one by one."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.base.paths import Home
from partner_desktop.commands.chain_lines import SIGNS, steps_of
from partner_desktop.commands.connection import connect
from partner_desktop.commands.plain import plain
from partner_desktop.commands.record_lines import action_of, moment_words, record_lines
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.gateways.record_ask import RecordAsk
from partner_desktop.gateways.wire import json_line


async def runs(home: Home, action_dir: Path | None, ask: RecordAsk, *, as_json: bool) -> int:
    """Ask the Partner of this home and print its answer.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    async with connect(home, action_dir) as session:
        answer = [item for item in await session.records(ask) if isinstance(item, dict)]
    for item in answer:
        if as_json:
            print(json_line(item))
        elif ask.record_verb == "show":
            print("\n".join(record_lines(item)))
        else:
            print(_line(action_of(item) if ask.record_verb == "cancel" else item))
    if not answer and not as_json:
        print("Nothing was proposed or run yet.")
    return 0


def _line(action: JsonObject) -> str:
    status, when = str(action["status"]), moment_words(action.get("started_at") or action["created_at"])
    steps = steps_of(action)
    ended = sum(step["status"] not in ("planned", "waiting", "running") for step in steps)
    far = f" · {ended} of {len(steps)} steps" if steps else ""
    of_plan = " · a step of a plan" if action.get("parent_id") else ""
    sign = SIGNS.get(status, "–")
    return f"{sign} {str(action['id'])[:8]}  {when}  {plain(action['title'])} · {status}{far}{of_plan}"
