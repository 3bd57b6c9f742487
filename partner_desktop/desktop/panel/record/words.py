"""How the record of a run says things: the facts in a line, a step's state, arguments, decisions, changes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path, display_text
from partner_desktop.desktop.audit.words import local_time, reason_words, what_happened
from partner_desktop.desktop.card.chain.step_words import status_chip
from partner_desktop.desktop.card.words import held_words, param_title, risk_words, tr, value_words
from partner_desktop.desktop.panel.action_words import chain_words, clock_words, span_words, took_words
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.chain import Chain, Change, Step, StepInput
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.run_facts import PathUse

#: The field in which many abilities say what came of them.
_SUMMARY = "summary"


@dataclass(frozen=True)
class Argument:
    """One argument: its name in words, how it is shown, and what is copied."""

    title: str
    shown: str
    whole: str
    note: str = ""


def facts_words(record: ActionRecord) -> str:
    """`12:00 · 3.1 s`, or since when it runs and how far it is."""
    began = clock_words(record.started_at or record.created_at)
    if not record.status.ended:
        place = chain_words(record.chain, record.status) if record.chain is not None else ""
        return _joined(tr("since {time}").format(time=began), place)
    return _joined(began, took_words(record), _exit_words(record))


def held_lines(record: ActionRecord) -> Iterator[str]:
    """What held the run, what it could change, and what it is by its key."""
    if record.isolation is not None:
        yield _joined(held_words(record.isolation), risk_words(record)[0])
    if record.resumes:
        times = tr("Begun again once, because Partner had ended") if record.resumes == 1 else ""
        yield times or tr("Begun again {count} times, because Partner had ended").format(count=record.resumes)
    if record.chain is None:
        yield record.key


def arguments_of(record: ActionRecord) -> list[Argument]:
    """In the order of the form."""
    return _arguments(record.params, record.schema, record.paths)


def step_arguments(step: Step, record: ActionRecord | None, chain: Chain) -> list[Argument]:
    """As they were when it ran; before that as they are known, and where the others will come from."""
    if record is not None:
        return _arguments(record.params, record.schema, record.paths)
    known = _arguments(step.params, step.schema, step.paths)
    return known + [_fed(feed, step, chain) for feed in step.feeds]


def _fed(feed: StepInput, step: Step, chain: Chain) -> Argument:
    words = tr("from step {number}").format(number=chain.number_of(feed.step))
    return Argument(param_title(feed.param, _described(step.schema).get(feed.param, {})), words, words)


def _arguments(params: JsonObject, schema: JsonObject, paths: Sequence[PathUse]) -> list[Argument]:
    described = _described(schema)
    used = {use.param: use.path for use in paths}
    given = {name: params[name] for name in described if name in params} | params
    return [
        _argument(param_title(name, described.get(name, {})), value, used.get(name, ""))
        for name, value in given.items()
        if value != "" and not _is_fed(value)
    ]


def _argument(title: str, value: Json, path: str) -> Argument:
    if path and not isinstance(value, list):
        return Argument(title, display_path(Path(path)), path)
    whole = value if isinstance(value, str) else value_words(value)
    return Argument(title, whole, whole)


def _is_fed(value: Json) -> bool:
    """The placeholder for what an earlier step brings."""
    return isinstance(value, dict) and set(value) == {"$from"}


def _described(schema: JsonObject) -> Mapping[str, JsonObject]:
    found = schema.get("properties")
    shown = found if isinstance(found, dict) else {}
    return {name: one for name, one in shown.items() if isinstance(one, dict)}


# Steps.


def step_line(step: Step) -> str:
    """`done · 0.4 s · 3 groups`."""
    state = status_chip(step)[0] or tr("not yet begun")
    took = span_words(step.started_at, step.finished_at)
    return _joined(state, took, display_text(" ".join((step.error or step.result).split())))


def change_words(change: Change) -> str:
    """`12:01 · You: step 2 is left out`."""
    who = {"person": tr("you"), "mind": tr("the mind"), "partner": "Partner"}[change.by]
    return f"{clock_words(change.at)} · {who}: {change.text}"


# Decisions.


def decision_line(entry: AuditEntry, title: str) -> str:
    """`12:00 · You allowed Count types, once`, and why."""
    reason = reason_words(entry.reason) if entry.reason else ""
    return _joined(clock_words(local_time(entry.at)), what_happened(entry, title), reason)


# Data.


def data_words(data: Json) -> str:
    """Data set out for reading: names and values in lines, else as JSON."""
    if isinstance(data, dict) and data:
        return "\n".join(_named_value(name, value) for name, value in data.items())
    if isinstance(data, list) and data and all(_is_plain(value) for value in data):
        return "\n".join(value_words(value) for value in data)
    return json.dumps(data, ensure_ascii=False, indent=2)


def _named_value(name: str, value: Json) -> str:
    """`Files: 7`; what it says in a sentence stands for itself, what is nested as JSON below its name."""
    if name == _SUMMARY and isinstance(value, str):
        return value
    title = param_title(name, {})
    if _is_plain(value) or (isinstance(value, list) and all(_is_plain(item) for item in value)):
        return f"{title}: {value_words(value)}"
    return f"{title}:\n{json.dumps(value, ensure_ascii=False, indent=2)}"


def output_text(record: ActionRecord) -> str:
    """What a run said, for reading."""
    if isinstance(record.data, (dict, list)):
        return data_words(record.data)
    if record.stdout.strip() or record.data is None:
        return record.stdout
    return str(record.data)


def moment_words(moment: datetime) -> str:
    """When, with the day."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M:%S}"


def _is_plain(value: Json) -> bool:
    return value is None or isinstance(value, (str, int, float, bool))


def _exit_words(record: ActionRecord) -> str:
    code = record.exit_code
    return tr("exit code {code}").format(code=code) if code else ""


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)
