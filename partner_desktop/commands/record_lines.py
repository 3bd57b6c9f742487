"""The whole record of an action in lines for a terminal: a chain step by step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from partner_desktop.base.spoken import sentence_of
from partner_desktop.commands.chain_lines import SIGNS, argument_lines, risk_words, steps_of
from partner_desktop.commands.plain import plain, plain_line
from partner_desktop.domain.json_value import Json, JsonObject

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
    for number, step in enumerate(steps_of(action_of(whole)), 1):
        status = str(step["status"])
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
