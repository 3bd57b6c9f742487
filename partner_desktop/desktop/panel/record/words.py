"""All that the page of one run shows, and how it says it.

That is the facts in a line, a step's state, arguments, decisions and changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path, display_text
from partner_desktop.desktop.audit.words import local_time, reason_words, what_happened
from partner_desktop.desktop.card.plan.step_words import status_chip
from partner_desktop.desktop.card.words import held_words, param_title, risk_words, status_words, value_words
from partner_desktop.desktop.panel.actions.action_words import (
    chain_words,
    clock_words,
    span_words,
    took_words,
)
from partner_desktop.desktop.wording import joined_words, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import properties_of
from partner_desktop.domain.plan import Change, Plan, Step, StepInput
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.domain.schedule import LANDED

_DECIDED = ("decision", "resume", "undo")


@dataclass(frozen=True)
class Run:
    """A record, the records of its steps by their ids, and what the audit log holds of them all."""

    record: ActionRecord
    steps: Mapping[str, ActionRecord] = field(default_factory=dict)
    entries: Sequence[AuditEntry] = ()
    """Oldest first."""

    @property
    def chain(self) -> Plan | None:
        return self.record.chain

    @property
    def ids(self) -> tuple[str, ...]:
        """Its own, then those of its steps."""
        steps = self.chain.steps if self.chain is not None else ()
        return (self.record.id, *(step.id for step in steps))

    def of_step(self, step: Step) -> ActionRecord | None:
        """What a step has become, once it was begun."""
        return self.steps.get(step.id)

    @property
    def decisions(self) -> list[AuditEntry]:
        """Who let it and its steps run, or took back what they did; that they ran stands elsewhere.

        A step that was approved with its plan is looked at once more before it runs: that says nothing new.
        """
        said: dict[tuple[str, ...], AuditEntry] = {}
        for entry in self.entries:
            if entry.kind in _DECIDED:
                told = (entry.action_id, entry.kind, entry.outcome, entry.scope, entry.by_whom, entry.reason)
                said.setdefault(told, entry)
        return list(said.values())

    def title_of(self, action_id: str) -> str:
        """What it, or one of its steps, is called."""
        step = self.chain.step(action_id) if self.chain is not None else None
        return step.title if step is not None else self.record.title

    @property
    def can_run_again(self) -> bool:
        """Not where nobody said which ability was meant, and not what is done once and for all."""
        record = self.record
        done_for_good = record.once and record.status is ActionStatus.SUCCEEDED
        return record.status.ended and bool(record.key) and not record.options and not done_for_good


#: Of what was printed; the file has the rest.
_MOST_LETTERS = 20_000


def run_text(run: Run) -> str:
    """One line below the other."""
    return "\n".join(_lines(run)).rstrip() + "\n"


def _lines(run: Run) -> Iterator[str]:
    record = run.record
    yield record.title
    status, _ = status_words(record.status)
    yield joined_words(status, facts_words(record))
    yield moment_words(record.started_at or record.created_at)
    yield from held_lines(record)
    if record.request_text:
        yield from ("", tr("Asked for"), f"  {record.request_text}")
    yield from _argument_lines(arguments_of(record) if record.chain is None else ())
    if record.chain is not None:
        yield from ("", tr("Steps"))
        for step in record.chain.steps:
            yield from _step_lines(record.chain.number_of(step.id), step, run, record.chain)
    yield from _outcome_lines(record)
    yield from _history_lines(run)


def _argument_lines(arguments: Sequence[Argument]) -> Iterator[str]:
    if arguments:
        yield from ("", tr("Inputs"))
        yield from (f"  {one.title}: {one.whole}" for one in arguments)


def _step_lines(number: int, step: Step, run: Run, chain: Plan) -> Iterator[str]:
    yield f"{number}. {step.title} · {step_line(step)}"
    record = run.of_step(step)
    for one in step_arguments(step, record, chain):
        yield f"     {one.title}: {one.whole}"
    said = output_text(record)[:_MOST_LETTERS].rstrip() if record is not None else ""
    yield from (f"     | {line}" for line in said.splitlines())


def _outcome_lines(record: ActionRecord) -> Iterator[str]:
    if record.error:
        yield from ("", record.error)
    for title, text in ((tr("Output"), output_text(record)), (tr("Log"), record.stderr)):
        if text.strip():
            yield from ("", title, text[:_MOST_LETTERS].rstrip())
    if record.files:
        yield from ("", *(f"{file.name} ({file.size_bytes} B)" for file in record.files))


def _history_lines(run: Run) -> Iterator[str]:
    chain = run.chain
    if chain is not None and (chain.changes or chain.checked):
        yield from ("", tr("Changes of the plan"))
        yield from (f"  {change_words(change)}" for change in chain.changes)
        yield from ((f"  {chain.checked}",) if chain.checked else ())
    decisions = [decision_line(entry, run.title_of(entry.action_id)) for entry in run.decisions]
    if decisions:
        yield from ("", tr("Decisions"), *(f"  {line}" for line in decisions))


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
        return joined_words(tr("since {time}").format(time=began), place)
    return joined_words(began, took_words(record), _exit_words(record))


def held_lines(record: ActionRecord) -> Iterator[str]:
    """What held the run, what it could change, and what it is by its key."""
    if record.isolation is not None:
        yield joined_words(held_words(record.isolation), risk_words(record)[0])
    if record.resumes:
        times = tr("Begun again once, because Partner had ended") if record.resumes == 1 else ""
        yield times or tr("Begun again {count} times, because Partner had ended").format(count=record.resumes)
    if record.chain is None:
        yield record.key


def arguments_of(record: ActionRecord) -> list[Argument]:
    """In the order of the form."""
    return _arguments(record.params, record.schema, record.paths)


def step_arguments(step: Step, record: ActionRecord | None, chain: Plan) -> list[Argument]:
    """As they were when it ran; before that as they are known, and where the others will come from."""
    if record is not None:
        return _arguments(record.params, record.schema, record.paths)
    known = _arguments(step.params, step.schema, step.paths)
    return known + [_fed(feed, step, chain) for feed in step.feeds]


def _fed(feed: StepInput, step: Step, chain: Plan) -> Argument:
    words = tr("from step {number}").format(number=chain.number_of(feed.step))
    if feed.step == LANDED:
        words = tr("the file that landed")
    return Argument(param_title(feed.param, properties_of(step.schema).get(feed.param, {})), words, words)


def _arguments(params: JsonObject, schema: JsonObject, paths: Sequence[PathUse]) -> list[Argument]:
    described = properties_of(schema)
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


# Steps.


def step_line(step: Step) -> str:
    """`done · 0.4 s · 3 groups`."""
    state = status_chip(step)[0] or tr("not yet begun")
    took = span_words(step.started_at, step.finished_at)
    return joined_words(state, took, display_text(" ".join((step.error or step.result).split())))


def change_words(change: Change) -> str:
    """`12:01 · You: step 2 is left out`."""
    who = {"person": tr("you"), "mind": tr("the mind"), "partner": "Partner"}[change.by]
    return f"{clock_words(change.at)} · {who}: {change.text}"


# Decisions.


def decision_line(entry: AuditEntry, title: str) -> str:
    """`12:00 · You allowed Count types, once`, and why."""
    reason = reason_words(entry.reason) if entry.reason else ""
    return joined_words(clock_words(local_time(entry.at)), what_happened(entry, title), reason)


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
