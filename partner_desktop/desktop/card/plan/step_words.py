"""How a chain's card says things, of a step and of the whole: for that the least held of its steps counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from partner_desktop.base.paths import display_text
from partner_desktop.desktop.card.words import (
    VERDICT_KINDS,
    isolation_words,
    needs_consent,
    param_title,
    params_words,
    risk_words,
    verdict_words,
)
from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.wording import joined_words, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import properties_of, required_of
from partner_desktop.domain.plan import Plan, Step, StepInput, StepStatus
from partner_desktop.domain.run_facts import Risk
from partner_desktop.domain.schedule import LANDED
from partner_desktop.domain.verification import VerdictStatus, Verification

#: No row shows more of a sentence; unfolded, all of it can be read.
_MOST_LETTERS = 300


#: A step's place by its id; 0: it is not there.
Numbers = Callable[[str], int]


def fed_words(feed: StepInput, numbers: Numbers) -> str:
    """`← from step 1`."""
    if feed.step == LANDED:
        return tr("← the file that landed")
    number = numbers(feed.step)
    return (
        tr("← from step {number}").format(number=number) if number else tr("← from a step that is left out")
    )


def feeds_words(step: Step, numbers: Numbers) -> list[str]:
    """What earlier steps bring, each with its name."""
    described = properties_of(step.schema)
    return [
        f"{param_title(feed.param, described.get(feed.param, {}))} {fed_words(feed, numbers)}"
        for feed in step.feeds
    ]


def argument_words(
    record: ActionRecord, step: Step, numbers: Numbers | None = None, *, between: str = " · "
) -> str:
    """All arguments on one line, those that earlier steps bring too; or with another sign `between` them."""
    fed = feeds_words(step, numbers or chain_of(record).number_of)
    return between.join(part for part in (params_words(face(record, step), between=between), *fed) if part)


def line_words(record: ActionRecord, step: Step) -> str:
    """What stands below the title."""
    said = {
        StepStatus.SUCCEEDED: step.result,
        StepStatus.FAILED: step.error or tr("It failed."),
        StepStatus.SKIPPED: step.error,
        StepStatus.CANCELLED: step.error,
    }.get(step.status, "")
    told = display_text(said) or argument_words(record, step)
    return joined_words(origin_words(record, step), _one_line(told))


def _one_line(text: str) -> str:
    line = " ".join(text[: 4 * _MOST_LETTERS].split())
    return line if len(line) <= _MOST_LETTERS else f"{line[:_MOST_LETTERS]}…"


def origin_words(record: ActionRecord, step: Step) -> str:
    """Who put it there, when it was not asked for."""
    chain = chain_of(record)
    if step.origin == "retry":
        return _retry_words(chain, step)
    mended = chain.number_of(step.mends) if step.mends else 0
    if mended:
        return tr("in place of step {number}").format(number=mended)
    return {
        "request": "",
        "dependency": tr("needed first"),
        "person": tr("added by you"),
        "mind": tr("added on the way"),
        "goal": "",
        "reroute": tr("added on the way"),
    }[step.origin]


def _retry_words(chain: Plan, step: Step) -> str:
    """`tried again (2 of 4)`: which try it is, and of how many with those that are left."""
    number = len(chain.tries_before(step)) + 1
    words = tr("tried again ({number} of {most})")
    return words.format(number=number, most=number + step.retries)


def purpose_words(record: ActionRecord, step: Step) -> str:
    """Why a planner put it there: what it brings to whom, and what another way would cost."""
    why = step.reason
    if why is None:
        return ""
    number_of = chain_of(record).number_of
    numbers = [str(number) for number in map(number_of, why.needed_by) if number]
    things = ", ".join(why.brings)
    if not things:
        told = tr("It is what was asked for.")
    elif why.needed_by and not numbers:
        told = tr("It brings {things}.").format(things=things)
    elif not numbers:
        told = tr("It brings {things}, which is what was asked for.").format(things=things)
    elif len(numbers) == 1:
        told = tr("It brings {things} for step {number}.").format(things=things, number=numbers[0])
    else:
        told = tr("It brings {things} for the steps {numbers}.").format(
            things=things, numbers=", ".join(numbers)
        )
    if why.is_only_way:
        return f"{told}\n" + tr("There is no other way.")
    if why.without is None:
        return told
    other = tr("Without it the plan would cost {without}, and not {total}.")
    return f"{told}\n" + other.format(without=f"{why.without:g}", total=f"{why.total:g}")


def cost_words(step: Step) -> str:
    """What it costs of all that the plan does, by which the planner chose."""
    why = step.reason
    if why is None or not why.total:
        return ""
    return tr("{cost} of {total}").format(cost=f"{why.cost:g}", total=f"{why.total:g}")


def risk_chip(step: Step) -> tuple[str, PillKind]:
    """How much it could change, in a word."""
    words: dict[Risk, tuple[str, PillKind]] = {
        Risk.READ: (tr("read"), "plain"),
        Risk.WRITE: (tr("write"), "careful"),
        Risk.SYSTEM: (tr("full access"), "bad"),
    }
    return words[step.risk]


def status_chip(step: Step) -> tuple[str, PillKind]:
    """Where it stands, in a word; nothing while it is only planned."""
    words: dict[StepStatus, tuple[str, PillKind]] = {
        StepStatus.PLANNED: ("", "plain"),
        StepStatus.WAITING: (tr("waits for you"), "careful"),
        StepStatus.RUNNING: (tr("running"), "busy"),
        StepStatus.SUCCEEDED: (tr("done"), "good"),
        StepStatus.FAILED: (tr("failed"), "bad"),
        StepStatus.SKIPPED: (tr("skipped"), "plain"),
        StepStatus.CANCELLED: (tr("cancelled"), "plain"),
    }
    return words[step.status]


_EXECUTED = (StepStatus.SUCCEEDED, StepStatus.FAILED)


#: Of the overall verdict; the words stand beside it.
def verdict_chip(record: ActionRecord, step: Step) -> tuple[str, PillKind]:
    """What a check of the step came to, in a word; nothing where nobody looked."""
    found = record.verification
    if found is None:
        return "", "plain"
    verdict = found.verdict(step.id)
    if verdict is not None:
        return verdict_words(verdict.status), VERDICT_KINDS[verdict.status]
    if found.ended_at is None and step.status in _EXECUTED:
        return tr("checking…"), "busy"
    return "", "plain"


def verification_words(record: ActionRecord, found: Verification) -> str:
    """`5 of 8 verified · 1 check failed`."""
    known = found.counts
    count = sum(step.status in _EXECUTED for step in chain_of(record).steps)
    told = [tr("{done} of {count} verified").format(done=known.get(VerdictStatus.VERIFIED, 0), count=count)]
    told += [
        tr("{count} {verdict}").format(count=known[status], verdict=verdict_words(status))
        for status in VerdictStatus
        if status is not VerdictStatus.VERIFIED and known.get(status)
    ]
    return " · ".join(told)


def spoken_step(record: ActionRecord, step: Step) -> str:
    """What a screen reader says of the row."""
    number = chain_of(record).number_of(step.id)
    place = tr("Step {number} of {count}").format(number=number, count=len(chain_of(record).steps))
    stands = (status_chip(step)[0], verdict_chip(record, step)[0], tr("pinned") if step.pinned else "")
    words = (step.title, *stands, risk_chip(step)[0], line_words(record, step))
    return f"{place}: {', '.join(word for word in words if word)}"


_RISKS = tuple(Risk)
_SETTLED = (StepStatus.SUCCEEDED, StepStatus.FAILED, StepStatus.SKIPPED, StepStatus.CANCELLED)


def chain_of(record: ActionRecord) -> Plan:
    """Its chain; an empty one where it has none."""
    return record.chain or Plan(())


def face(record: ActionRecord, step: Step) -> ActionRecord:
    """A step of the chain `record` as the words of a single card know it; what is fed is no parameter."""
    return replace(
        record,
        id=step.id,
        key=step.key,
        title=step.title,
        description="",
        params=step.params,
        schema=_without(step.schema, {feed.param for feed in step.feeds}),
        status=ActionStatus.WAITING,
        content_hash=step.content_hash,
        risk=step.risk,
        isolation=step.isolation,
        paths=step.paths,
        source_path=step.source_path,
        request_text=step.text,
        options=(),
        error="",
        chain=None,
        parent_id=record.id,
    )


def _without(schema: JsonObject, names: set[str]) -> JsonObject:
    if not names:
        return schema
    properties: JsonObject = {name: body for name, body in properties_of(schema).items() if name not in names}
    required: list[Json] = [name for name in required_of(schema) if name not in names]
    return {**schema, "properties": properties, "required": required}


def open_steps(record: ActionRecord) -> list[Step]:
    """The steps that nothing but the person's word holds."""
    return [step for step in chain_of(record).steps if needs_consent(face(record, step))]


def chain_risk_words(record: ActionRecord) -> tuple[str, PillKind]:
    """The highest risk of all, with the places that all of them write."""
    steps = chain_of(record).steps
    if not steps:
        return "", "plain"
    riskiest = max(steps, key=lambda step: _RISKS.index(step.risk))
    if riskiest.risk is Risk.WRITE and any(_writes_what_comes(step) for step in steps):
        return tr("can change things"), "careful"
    written = {use.path: use for step in steps for use in step.paths if use.access == "write"}
    return risk_words(replace(face(record, riskiest), paths=tuple(written.values())))


def _writes_what_comes(step: Step) -> bool:
    """Whether an earlier step says what it writes."""
    described = properties_of(step.schema)
    return any(described.get(feed.param, {}).get("access") == "write" for feed in step.feeds)


def chain_isolation_words(record: ActionRecord) -> tuple[str, PillKind]:
    """What holds the step that is held least."""
    steps = chain_of(record).steps
    if not steps:
        return "", "plain"
    least = min((face(record, step) for step in steps), key=_held)
    words, kind = isolation_words(least)
    alone = kind == "bad" and len(open_steps(record)) < len(steps)
    return (tr("not all sandboxed") if alone else words), kind


def _held(record: ActionRecord) -> int:
    """How well, least first."""
    isolation = record.isolation
    if needs_consent(record):
        return 0
    if isolation is None:
        return 5
    if isolation.server:
        return 1
    if isolation.net or isolation.sockets or isolation.foreign:
        return 2
    return 3 if isolation.sandboxed else 4


def progress_words(record: ActionRecord) -> str:
    """`plan · 3 steps` before, `step 2 of 3` while it runs, `2 of 3 steps done` where it ended early."""
    chain = chain_of(record)
    count = len(chain.last_tries)
    if record.status in (ActionStatus.WAITING, ActionStatus.ASKING, ActionStatus.REJECTED):
        return tr("plan · 1 step") if count == 1 else tr("plan · {count} steps").format(count=count)
    if record.status is ActionStatus.EXPIRED:
        return tr("plan · {count} steps").format(count=count)
    if record.status is ActionStatus.RUNNING:
        return tr("step {number} of {count}").format(number=_present(chain), count=count)
    done = sum(step.status is StepStatus.SUCCEEDED for step in chain.last_tries)
    if done == count:
        return tr("1 step") if count == 1 else tr("{count} steps").format(count=count)
    return tr("{done} of {count} steps done").format(done=done, count=count)


def _present(chain: Plan) -> int:
    """The first that is not settled, by its number; at the end the last."""
    steps = chain.last_tries
    open_ones = (number for number, step in enumerate(steps, 1) if step.status not in _SETTLED)
    return next(open_ones, len(steps))
