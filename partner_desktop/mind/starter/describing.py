"""What to say of what waits or runs, when the person asks: step by step, with what, and what it may do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import Chain, Step, StepStatus
from partner_desktop.domain.evidence import Described
from partner_desktop.language.field_names import fact_name
from partner_desktop.mind.starter.markdown import bold, inline
from partner_desktop.mind.starter.pending import arguments_of
from partner_desktop.mind.starter.phrases import Phrases


def described(evidence: Described, phrases: Phrases) -> str:
    """All that is open, or the one step that was asked about."""
    if not evidence.actions:
        return phrases.chain.nothing_open
    chain = evidence.actions[0].chain
    if evidence.step and len(evidence.actions) == 1 and chain is not None:
        line = _asked_step(evidence.actions[0], chain, evidence.step, phrases)
        if line:
            return line
    return "\n\n".join(_open(action, phrases) for action in evidence.actions)


def _asked_step(action: ActionRecord, chain: Chain, number: int, phrases: Phrases) -> str:
    steps = chain.steps
    place = number - 1 if number > 0 else len(steps) + number
    if not 0 <= place < len(steps):
        return ""
    return phrases.chain.one_step.format(number=place + 1, step=_step(action, steps[place], steps, phrases))


def _open(action: ActionRecord, phrases: Phrases) -> str:
    words, title = phrases.chain, bold(action.title)
    lead = words.waits if action.status is ActionStatus.WAITING else words.runs
    if action.chain is None:
        arguments = arguments_of(action.params, phrases)
        told = lead.format(title=f"{title} ({arguments})" if arguments else title)
        return f"{told}{phrases.gap}{words.may_do[action.risk]}"
    return "\n".join([lead.format(title=title), "", *_lines(action, action.chain.steps, phrases)])


def _lines(action: ActionRecord, steps: Sequence[Step], phrases: Phrases) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        yield f"{number}. {_step(action, step, steps, phrases)}"


def _step(action: ActionRecord, step: Step, steps: Sequence[Step], phrases: Phrases) -> str:
    """`**Zip backup** (source ~/Pictures). It may change things.`; of what runs also where it stands."""
    told = [arguments_of(step.params, phrases), *_fed(step, steps, phrases)]
    arguments = phrases.list_separator.join(each for each in told if each)
    head = f"{bold(step.title)} ({arguments})" if arguments else bold(step.title)
    if action.status is ActionStatus.WAITING or step.status is StepStatus.WAITING:
        return phrases.chain.step_may.format(step=head, may=phrases.chain.may_do[step.risk])
    return phrases.chain.step_stands.format(step=head, state=phrases.chain.states[step.status])


def _fed(step: Step, steps: Sequence[Step], phrases: Phrases) -> Iterator[str]:
    numbers = {each.id: number for number, each in enumerate(steps, 1)}
    for feed in step.feeds:
        if feed.step in numbers:
            name = inline(fact_name(feed.param))
            yield phrases.chain.from_step.format(name=name, number=numbers[feed.step])
