"""Evidence in words, in three lengths: what prompts and the Context panel show of what happened."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from partner_desktop.base.text import cut
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import CommandSession
from partner_desktop.domain.evidence import (
    Amended,
    Asked,
    Choice,
    CommandEnded,
    Dropped,
    Evidence,
    Finished,
    Initiated,
    Intervened,
    NoAbility,
    Proposed,
    Reminded,
    Started,
    Unsettled,
    Withheld,
)

#: Characters of an output that the full and the compact form hold.
_FULL_OUTPUT = 4_000
_COMPACT_OUTPUT = 200


@dataclass(frozen=True)
class Words:
    """One fact in three lengths."""

    full: str
    compact: str
    abstract: str


def words_of(evidence: Evidence) -> Words:  # noqa: PLR0911, PLR0912 - one answer a fact
    """What happened, for a reader who knows nothing else of it."""
    match evidence:
        case Proposed(action=action):
            return _about(action, "waits for the person's decision")
        case Started(action=action):
            return _about(action, "was started; its result will come by itself")
        case Withheld(action=action, reason=reason):
            return _about(action, f"was not run: {reason}")
        case Asked(action=action, param=param, hint=hint, problem=problem):
            asked = f"needs {param} ({hint}); the person was asked for it"
            return _about(action, f"{asked}, because {problem}" if problem else asked)
        case Choice(options=options):
            names = ", ".join(option.title for option in options)
            return _same(f"The person was asked which ability was meant: {names}")
        case Finished(action=action, steps=steps) if action.chain is not None:
            return _outcome_of_chain(action, steps)
        case Finished(action=action):
            return outcome_of(action)
        case Dropped(action=action):
            return _about(action, "was called off by the person")
        case Reminded(action=action):
            return _about(action, f"still waits for the person's yes; it expires {_until(action)}".rstrip())
        case Amended(action=action, changed=changed, problem=problem):
            return _amended(action, changed, problem)
        case Unsettled(actions=(action,)):
            return _about(action, "waits still: what was said is no plain yes or no")
        case Unsettled(actions=actions):
            names = ", ".join(action.title for action in actions)
            open_ = "running" if actions and actions[0].status is ActionStatus.RUNNING else "waiting"
            return _same(f"It is not clear which {open_} action was meant: {names}")
        case Intervened(action=action, done=done, refused=refused):
            return _about(action, f"was changed while it was under way: {' '.join((*done, *refused))}")
        case NoAbility(nearest=nearest, near=near):
            names = ", ".join(info.title for info in nearest)
            return _same(f"No ability does this; the nearest: {names}" if near else "No ability does this")
        case Initiated(text=text):
            return _same(f"Partner began this turn itself, nobody said anything. It is about: {text}")
        case CommandEnded(session=session, output=output):
            return _command_ended(session, output)
    assert_never(evidence)


def _until(action: ActionRecord) -> str:
    until = action.waits_until
    return f"at {until.astimezone():%H:%M}" if until is not None else ""


def _amended(action: ActionRecord, changed: tuple[str, ...], problem: str) -> Words:
    if changed:
        names = ", ".join(changed)
        return _about(
            action, f"was changed as the person asked ({names}) and asks for a yes again; it did not run"
        )
    why = f": {problem}" if problem else ""
    return _about(
        action, f"did not run and waits still: what the person wants otherwise was not found in it{why}"
    )


def _command_ended(session: CommandSession, output: str) -> Words:
    head = f"The command in the background {shlex.join(session.argv)} has ended"
    head = f"{head}: {session.error}" if session.error else f"{head} with exit code {session.exit_code}."
    if not output:
        return _same(head)
    return Words(
        full=f"{head}\n{cut(output, _FULL_OUTPUT)}",
        compact=f"{head}\n{cut(output, _COMPACT_OUTPUT)}",
        abstract=head,
    )


def outcome_of(action: ActionRecord) -> Words:
    """How an action ended, with its output."""
    output = (action.error or action.stdout or _data(action)).strip()
    head = f"{action.title}: {action.status.value}"
    if not output:
        return _same(head)
    return Words(
        full=f"{head}\n{cut(output, _FULL_OUTPUT)}",
        compact=f"{head}\n{cut(output, _COMPACT_OUTPUT)}",
        abstract=head,
    )


def _outcome_of_chain(action: ActionRecord, steps: Sequence[ActionRecord]) -> Words:
    """How it ended, and what each of its steps came to."""
    head = f"{action.title}: {action.status.value}"
    head = f"{head}. {action.error}" if action.error else head
    parts = [outcome_of(step) for step in steps]
    skipped = [
        f"{step.title}: {step.status.value}. {step.error}".strip()
        for step in (action.chain.steps if action.chain is not None else ())
        if step.id not in {one.id for one in steps}
    ]
    return Words(
        full="\n".join([head, *(part.full for part in parts), *skipped]),
        compact="\n".join([head, *(part.compact for part in parts), *skipped]),
        abstract=head,
    )


def _about(action: ActionRecord, what: str) -> Words:
    params = ", ".join(f"{name} = {value}" for name, value in action.params.items())
    head = f"{action.title} {what}"
    asked = f" It was asked for with: {action.request_text}" if action.request_text else ""
    full = f"{head}. With {cut(params, _FULL_OUTPUT)}.{asked}" if params else f"{head}.{asked}"
    return Words(full=full, compact=head, abstract=head)


def _data(action: ActionRecord) -> str:
    """A result that is no text: its JSON, or the text it is."""
    if action.data is None or isinstance(action.data, str):
        return action.data or ""
    return json.dumps(action.data, ensure_ascii=False)


def _same(text: str) -> Words:
    return Words(full=text, compact=text, abstract=text)
