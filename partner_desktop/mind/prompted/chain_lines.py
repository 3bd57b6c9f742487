"""A chain as a question shows it: stages, steps, how far they are, and what they brought, as material."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Chain, Step, StepStatus
from partner_desktop.domain.turn_ref import TurnRef
from partner_desktop.mind.prompted.abilities import NamedAbilities
from partner_desktop.mind.prompted.prompts import quoted, written

#: Characters of arguments and results in all, so that they fit a context of two thousand tokens.
_DETAILS, _LEAST, _MOST = 2_400, 40, 160
_MOST_STEPS, _TITLE = 24, 60


def turn_of(action: ActionRecord) -> TurnRef | None:
    """Whose dialog and costs a question between two steps belongs to: the chain's conversation."""
    return TurnRef(action.conversation_id, action.id) if action.conversation_id else None


def chain_lines(action: ActionRecord, records: Sequence[ActionRecord], named: NamedAbilities) -> str:
    """One line a stage and one a step; `records` are what ran of it."""
    chain = action.chain or Chain(())
    ran = {record.id: record for record in records}
    room = max(_LEAST, min(_MOST, _DETAILS // (2 * max(1, len(chain.steps)))))
    lines = list(_lines(chain, ran, named, room))
    return "\n".join(lines) or "-"


def _lines(chain: Chain, ran: dict[str, ActionRecord], named: NamedAbilities, room: int) -> Iterator[str]:
    left = _MOST_STEPS
    for number, stage in enumerate(chain.stages, 1):
        state = "done" if number <= chain.at else "now" if number == chain.at + 1 else "later"
        yield f"Stage {number} ({state}):"
        for step in stage.steps[:left]:
            yield _line(step, ran.get(step.id), named, room)
        left -= len(stage.steps)
        if left < 0:
            yield f"… and {len(chain.stages) - number} more stages"
            return


def _line(step: Step, record: ActionRecord | None, named: NamedAbilities, room: int) -> str:
    name = named.name_of(step.key)
    called = f"{quoted(step.title, _TITLE)} ({name})" if name else quoted(step.title, _TITLE)
    words = f"- {called}, {step.status.value}: {quoted(written(step.params), room)}"
    brought = _brought(step, record)
    if not brought:
        return words
    verb = "failed with" if step.status is StepStatus.FAILED else "brought"
    return f"{words}, {verb} {quoted(brought, room)}"


def _brought(step: Step, record: ActionRecord | None) -> str:
    if record is None:
        return step.error or step.result
    data = "" if record.data is None else written(record.data)
    return (record.error or record.stdout or data or step.error or step.result).strip()
