"""How a step is told in its row: its arguments before, what came of it after."""

from __future__ import annotations

from collections.abc import Callable

from partner_desktop.base.paths import display_text
from partner_desktop.desktop.card.chain.facts import chain_of, face
from partner_desktop.desktop.card.form import properties_of
from partner_desktop.desktop.card.words import param_title, params_words, tr
from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Step, StepInput, StepStatus
from partner_desktop.domain.run_facts import Risk

#: No row shows more of a sentence; unfolded, all of it can be read.
_MOST_LETTERS = 300


#: A step's place by its id; 0: it is not there.
Numbers = Callable[[str], int]


def fed_words(feed: StepInput, numbers: Numbers) -> str:
    """`← from step 1`."""
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
    return " · ".join(part for part in (origin_words(record, step), _one_line(told)) if part)


def _one_line(text: str) -> str:
    line = " ".join(text[: 4 * _MOST_LETTERS].split())
    return line if len(line) <= _MOST_LETTERS else f"{line[:_MOST_LETTERS]}…"


def origin_words(record: ActionRecord, step: Step) -> str:
    """Who put it there, when it was not asked for."""
    mended = chain_of(record).number_of(step.mends) if step.mends else 0
    if mended:
        return tr("in place of step {number}").format(number=mended)
    return {
        "request": "",
        "dependency": tr("needed first"),
        "person": tr("added by you"),
        "mind": tr("added on the way"),
    }[step.origin]


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


def spoken_step(record: ActionRecord, step: Step) -> str:
    """What a screen reader says of the row."""
    number = chain_of(record).number_of(step.id)
    place = tr("Step {number} of {count}").format(number=number, count=len(chain_of(record).steps))
    words = (step.title, status_chip(step)[0], risk_chip(step)[0], line_words(record, step))
    return f"{place}: {', '.join(word for word in words if word)}"
