"""What to say of a chain: what it would do, what it did, step by step, and what was changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from partner_desktop.base.messages import speaking
from partner_desktop.base.paths import display_text
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Amended, AsksAnew, Finished, Intervened, NoAbility
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import Plan, Step, StepStatus
from partner_desktop.domain.run_facts import Risk
from partner_desktop.domain.verification import VerdictStatus, checked_sentence
from partner_desktop.mind.starter.card_reply import arguments_of
from partner_desktop.mind.starter.hello import variant
from partner_desktop.mind.starter.phrases import Phrases
from partner_desktop.mind.starter.results import bold, did_not_work, inline, one_line, outcome, sentence

#: Steps that a sentence names; the card shows them all.
_NAMED = 6
_GONE = (StepStatus.SKIPPED, StepStatus.CANCELLED)


def proposed(action: ActionRecord, chain: Plan, phrases: Phrases) -> str:
    """What it would do, and the question whether to."""
    if chain.mends_another:  # nobody asked for it: first of all why
        why = sentence(display_text(action.description))
        return f"{why} {phrases.chain.mends.format(steps=steps_of(chain, phrases))}"
    if len(_meant(chain)) == 1:
        return variant(phrases.proposed[action.risk], action.id).format(title=steps_of(chain, phrases))
    said = phrases.chain.proposed[action.risk]
    return said.format(count=len(_meant(chain)), steps=steps_of(chain, phrases))


def step_asks(action: ActionRecord, why: AsksAnew, phrases: Phrases) -> str:
    """Why a step of an approved chain asks for itself, and the question."""
    words = phrases.chain
    said = {
        "left_open": words.asks_left_open,
        "rerouted": words.asks_rerouted,
        "broke_before": words.asks_broke_before,
    }
    return said.get(why, words.asks_changed).format(title=bold(action.title))


def started(chain: Plan, phrases: Phrases) -> str:
    """That it began; nothing where it is over before that could be read."""
    if all(step.key.startswith("builtin::") and step.risk is Risk.READ for step in chain.steps):
        return ""
    if len(_meant(chain)) == 1:
        return phrases.started.format(title=steps_of(chain, phrases))
    return phrases.chain.started.format(count=len(_meant(chain)), steps=steps_of(chain, phrases))


def steps_of(chain: Plan, phrases: Phrases) -> str:
    """The steps in their order, in half a sentence."""
    told, left, all_meant = "", _NAMED, _meant(chain)
    for stage in chain.stages:
        meant = [step for step in stage.steps if step in all_meant][:left]
        titles = [step_name(step, chain, phrases) for step in meant]
        left -= len(titles)
        if titles:
            told += (phrases.chain.then if told else "") + phrases.chain.together.join(titles)
    more = len(_meant(chain)) - _NAMED
    if more <= 0:
        return told
    return f"{told}{phrases.list_separator}{phrases.chain.more_steps.format(count=more)}"


def left_out(evidence: NoAbility, phrases: Phrases) -> str:
    """What of a request is not among what is done for it."""
    if evidence.condition:
        return phrases.chain.condition.format(text=inline(evidence.text))
    said = phrases.chain.left_out_near if evidence.near and evidence.nearest else phrases.chain.left_out
    near = [info.spoken(phrases.language) for info in evidence.nearest]
    titles = phrases.list_separator.join(bold(info.title) for info in near)
    return said.format(text=inline(evidence.text), titles=titles)


def finished(evidence: Finished, chain: Plan, phrases: Phrases) -> str:
    """One message with what came of each step, and of its check; one that failed stands before all else."""
    action = evidence.action
    if not action.status.ended or action.status in (ActionStatus.REJECTED, ActionStatus.EXPIRED):
        return outcome(action, phrases)
    wanted = _of_goal(chain) if action.status is ActionStatus.SUCCEEDED else []
    if wanted:  # what a computed plan was for, and not all that lies on the way there
        ran = {record.id: record for record in evidence.steps}
        blocks = [_brought(step, ran.get(step.id), phrases) for step in wanted]
        told = phrases.chain.by_steps.format(count=len(_meant(chain)), steps=steps_of(chain, phrases))
        blocks.append(told)
    else:
        blocks = list(_results(evidence.steps, chain, phrases))
        if len(chain.last_tries) > 1 or action.status is not ActionStatus.SUCCEEDED:
            blocks.insert(0, _lead(action, chain, phrases))
    replanned = (change for change in chain.changes if change.by == "mind" or change.kind == "reroute")
    changes = [sentence(display_text(change.text)) for change in replanned]
    if changes:
        blocks.append(phrases.chain.replanned.format(changes=" ".join(changes[-_NAMED:])))
    checked = sentence(display_text(chain.checked))
    if checked and chain.checked.rstrip(".") not in action.error:
        blocks.append(phrases.chain.checked.format(reason=checked))
    with speaking(phrases.language):
        verified = checked_sentence(action.verification, chain.last_tries)
    if verified:
        told = sentence(display_text(verified))
        failed = action.verification is not None and action.verification.overall is VerdictStatus.FAILED
        blocks.insert(0 if failed else len(blocks), told)
    return "\n\n".join(blocks)


def amended(evidence: Amended, chain: Plan, phrases: Phrases) -> str:
    """What its card shows otherwise now."""
    told = [
        f"{bold(step.title)} ({arguments})"
        for step in _meant(chain)
        if (arguments := arguments_of(_changed(step, evidence.changed), step.schema, phrases))
    ]
    if told:
        return phrases.chain.amended.format(steps=phrases.list_separator.join(told))
    return phrases.chain.edited.format(title=bold(evidence.action.title), steps=steps_of(chain, phrases))


def intervened(evidence: Intervened, phrases: Phrases) -> str:
    """What was changed of it and what was not."""
    done, chain = [*evidence.done], evidence.action.chain
    if done and phrases.chain.now and chain is not None:
        done = [phrases.chain.now.format(steps=steps_of(chain, phrases))]
    told = [
        *(each if each.endswith("。") else sentence(display_text(each)) for each in done),
        *(sentence(display_text(each)) for each in evidence.refused),
    ]
    if not told:
        told = [phrases.chain.unchanged.format(title=bold(evidence.action.title))]
    if evidence.done and evidence.action.status is ActionStatus.WAITING:
        told.append(phrases.chain.asks_again)
    # Some of these are English whatever is spoken.
    return "".join(
        f"{each}{phrases.gap or ' ' * each[-1].isascii()}" if number < len(told) else each
        for number, each in enumerate(told, 1)
    )


def step_name(step: Step, chain: Plan, phrases: Phrases) -> str:
    """Its title; where another is called so too, with the argument that tells them apart."""
    alike = [each for each in chain.steps if each.title == step.title and each.id != step.id]
    differing = (
        (name, value)
        for name, value in step.params.items()
        if any(each.params.get(name) != value for each in alike)
    )
    told = next(differing, None)
    if told is None:
        return bold(step.title)
    return f"{bold(step.title)} ({one_line(told[1], phrases)})"


def _meant(chain: Plan) -> list[Step]:
    return [step for step in chain.last_tries if step.status not in _GONE]


def _of_goal(chain: Plan) -> list[Step]:
    """The steps that bring what a computed plan is for."""
    if not chain.is_planners:
        return []
    ended = [step for step in chain.steps if _worked(step) and step.reason is not None]
    return [step for step in ended if step.reason is not None and not step.reason.needed_by]


def _changed(step: Step, names: Sequence[str]) -> JsonObject:
    return {name: step.params[name] for name in names if name in step.params}


def _lead(action: ActionRecord, chain: Plan, phrases: Phrases) -> str:
    words, error = phrases.chain, sentence(display_text(action.error))
    done = sum(step.status is StepStatus.SUCCEEDED for step in chain.last_tries)
    count = len(chain.last_tries)
    match action.status:
        case ActionStatus.SUCCEEDED:
            both = words.done_both if done == 2 else words.done
            template = both if done == count else words.done_partly
        case ActionStatus.CANCELLED:
            template = words.stopped_because if error else words.stopped if done else words.stopped_early
        case ActionStatus.INTERRUPTED:
            template = words.interrupted
        case _:
            template = words.failed_because if error else words.failed
    return template.format(title=bold(action.title), error=error, done=done, count=count)


def _results(records: Sequence[ActionRecord], chain: Plan, phrases: Phrases) -> Iterator[str]:
    ran = {record.id: record for record in records}
    replacing = (step for step in chain.steps if step.mends and step.origin != "retry")
    mended = {step.mends: step for step in replacing if _worked(step)}
    several = len(chain.last_tries) > 1
    for number, step in enumerate(chain.last_tries, 1):
        head = f"**{number}.** " if several else ""  # a result has bold words of its own
        result = _result(step, ran.get(step.id), step_name(step, chain, phrases), phrases, head=head)
        tries = len(chain.tries_before(step)) + 1
        yield result if tries == 1 else f"{result}\n\n{phrases.chain.tried.format(count=tries)}"
        if step.id in mended:
            other = bold(mended[step.id].title)
            yield phrases.chain.step_mended.format(title=bold(step.title), other=other)


def _worked(step: Step) -> bool:
    return step.status is StepStatus.SUCCEEDED


def _result(step: Step, record: ActionRecord | None, title: str, phrases: Phrases, *, head: str) -> str:
    """What came of one step; where its record tells nothing, from the step itself."""
    words = phrases.chain
    match step.status:
        case StepStatus.SUCCEEDED:
            return f"{head}{title}\n\n{_brought(step, record, phrases)}"
        case StepStatus.FAILED:
            return _failed(step, record, phrases)
        case StepStatus.SKIPPED if step.error:
            return words.step_skipped.format(title=title, reason=sentence(display_text(step.error)))
        case StepStatus.CANCELLED | StepStatus.RUNNING if record is not None or step.started_at:
            return words.step_stopped.format(title=title)
        case _:
            return words.step_did_not_run.format(title=title)


def _brought(step: Step, record: ActionRecord | None, phrases: Phrases) -> str:
    if record is not None and record.status is ActionStatus.SUCCEEDED:
        return outcome(record, phrases)
    return sentence(display_text(step.result)) or phrases.finished_empty


def _failed(step: Step, record: ActionRecord | None, phrases: Phrases) -> str:
    if record is not None and record.status is ActionStatus.FAILED:
        return outcome(record, phrases)
    return did_not_work(bold(step.title), sentence(display_text(step.error)), phrases)


def judged(titles: Sequence[str], phrases: Phrases) -> str:
    """Why a chain is not what was asked for: the steps that did not succeed."""
    names = phrases.list_separator.join(inline(title) for title in titles)
    template = phrases.chain.judged if len(titles) == 1 else phrases.chain.judged_many
    return template.format(titles=names)
