"""All that the page of one run shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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
