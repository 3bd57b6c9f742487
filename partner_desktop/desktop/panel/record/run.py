"""All that the page of one run shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.card.words import status_words, tr
from partner_desktop.desktop.panel.record.words import (
    Argument,
    arguments_of,
    change_words,
    decision_line,
    facts_words,
    held_lines,
    moment_words,
    output_text,
    step_arguments,
    step_line,
)
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.chain import Chain, Step

_DECIDED = ("decision", "resume", "undo")


@dataclass(frozen=True)
class Run:
    """A record, the records of its steps by their ids, and what the audit log holds of them all."""

    record: ActionRecord
    steps: Mapping[str, ActionRecord] = field(default_factory=dict)
    entries: Sequence[AuditEntry] = ()
    """Oldest first."""

    @property
    def chain(self) -> Chain | None:
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
    yield " · ".join(part for part in (status, facts_words(record)) if part)
    yield moment_words(record.started_at or record.created_at)
    yield from held_lines(record)
    if record.request_text:
        yield from ("", tr("Asked for"), f"  {record.request_text}")
    yield from _argument_lines(arguments_of(record) if record.chain is None else ())
    if record.chain is not None:
        yield from ("", tr("Steps"))
        for number, step in enumerate(record.chain.steps, 1):
            yield from _step_lines(number, step, run, record.chain)
    yield from _outcome_lines(record)
    yield from _history_lines(run)


def _argument_lines(arguments: Sequence[Argument]) -> Iterator[str]:
    if arguments:
        yield from ("", tr("Inputs"))
        yield from (f"  {one.title}: {one.whole}" for one in arguments)


def _step_lines(number: int, step: Step, run: Run, chain: Chain) -> Iterator[str]:
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
