"""The second line of an action in the panel: where it stands, how long it waits, how it came out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from PySide6.QtCore import QDate, QLocale

from partner_desktop.desktop.card.outcome import progress_words
from partner_desktop.desktop.card.words import duration_words, params_words
from partner_desktop.desktop.panel.schedules.schedule_facts import brief_timing
from partner_desktop.desktop.wording import joined_words, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.plan import Plan, Step, StepStatus

_HOUR_MIN = 60
#: Of what a run printed, so much is looked through: its first lines.
_SEARCHED_LETTERS = 400


def second_line(
    record: ActionRecord, now: datetime, *, told: ProgressEvent | None = None, plan: str = ""
) -> str:
    """`told`: how far the run is; `plan`: the title of the plan that it is a step of."""
    if record.status is ActionStatus.FAILED and record.error:
        return record.error
    if record.status.ended:
        by_plan = tr("as scheduled") if record.schedule_id else ""
        return joined_words(by_plan, when_words(record), _done_words(record.chain), took_words(record))
    waits = expires_words(record, now)
    if record.terms is not None:
        return joined_words(brief_timing(record.terms, now), waits)
    if record.chain is not None:
        return joined_words(chain_words(record.chain, record.status), _told_words(told), waits)
    if told is not None:
        return _told_words(told)
    of_plan = tr("step of {plan}").format(plan=plan) if plan else ""
    return joined_words(waits, of_plan, params_words(record) or record.description)


def chain_words(chain: Plan, status: ActionStatus) -> str:
    """`step 2 of 3 · Zip backup`: the step that goes on, or is next."""
    count, at = len(chain.last_tries), current_step(chain)
    if at is None or (status is ActionStatus.WAITING and not any(step.status.ended for step in chain.steps)):
        return tr("1 step") if count == 1 else tr("{count} steps").format(count=count)
    place = tr("step {number} of {count}").format(number=chain.number_of(at.id), count=count)
    if at.status is StepStatus.WAITING:
        return joined_words(place, tr("waits for you"))
    return joined_words(place, at.title) if status is ActionStatus.RUNNING else place


def current_step(chain: Plan) -> Step | None:
    """The first that runs or waits; else the first that has not begun."""
    steps = chain.steps
    for wanted in ((StepStatus.WAITING,), (StepStatus.RUNNING,), (StepStatus.PLANNED,)):
        found = next((step for step in steps if step.status in wanted), None)
        if found is not None:
            return found
    return None


def ended_steps(chain: Plan) -> int:
    """How many of its steps have come to their end."""
    return sum(step.status.ended for step in chain.last_tries)


def expires_words(record: ActionRecord, now: datetime) -> str:
    """`expires in 28 min`; empty for what does not wait, or waits without end."""
    if record.status is not ActionStatus.WAITING or record.waits_until is None:
        return ""
    minutes = math.ceil((record.waits_until - now) / timedelta(minutes=1))
    if minutes <= 0:
        return tr("expires now")
    if minutes < 2 * _HOUR_MIN:
        return tr("expires in {minutes} min").format(minutes=minutes)
    return tr("expires in {hours} h").format(hours=minutes // _HOUR_MIN)


def when_words(record: ActionRecord) -> str:
    """When it ended, or how far it came."""
    return clock_words(record.finished_at or record.started_at or record.created_at)


def took_words(record: ActionRecord) -> str:
    """How long it took; empty where it did not run."""
    if record.duration_ms:
        return duration_words(record.duration_ms)
    return span_words(record.started_at, record.finished_at)


def span_words(start: datetime | None, end: datetime | None) -> str:
    """From one moment to the other; empty where one is missing."""
    if start is None or end is None:
        return ""
    return duration_words(max(0, int((end - start) / timedelta(milliseconds=1))))


def searched_text(record: ActionRecord) -> str:
    """Everything by which somebody may look for it."""
    parts = [record.title, record.key, record.request_text, record.description, params_words(record)]
    parts += [record.error, record.stdout[:_SEARCHED_LETTERS], _data_text(record)]
    for step in record.chain.steps if record.chain is not None else ():
        parts += [step.title, step.key, step.text, step.result, step.error, *_values(step)]
    return " ".join(parts).casefold()


def tip_words(record: ActionRecord) -> str:
    """Its arguments; of a chain its steps."""
    if record.chain is None:
        return params_words(record)
    return "\n".join(f"{number}. {step.title}" for number, step in enumerate(record.chain.last_tries, 1))


def _values(step: Step) -> Sequence[str]:
    return [str(value) for value in step.params.values()]


def _data_text(record: ActionRecord) -> str:
    return str(record.data)[:_SEARCHED_LETTERS] if record.data is not None else ""


def _done_words(chain: Plan | None) -> str:
    if chain is None:
        return ""
    count = len(chain.last_tries)
    done = sum(step.status is StepStatus.SUCCEEDED for step in chain.last_tries)
    if done == count or not any(step.status.ended for step in chain.steps):
        return tr("1 step") if count == 1 else tr("{count} steps").format(count=count)
    return tr("{done} of {count} steps done").format(done=done, count=count)


def _told_words(told: ProgressEvent | None) -> str:
    return joined_words(progress_words(told), told.message) if told is not None else ""


def day_in_words(day: date) -> str:
    """`14 May`, as the language writes it."""
    return QLocale().toString(QDate(day.year, day.month, day.day), tr("d MMM"))


def clock_words(moment: datetime) -> str:
    """The time of day; with the day when it is another."""
    local = moment.astimezone()
    today = datetime.now(local.tzinfo).date()
    time = f"{local:%H:%M}"
    return time if local.date() == today else f"{day_in_words(local.date())} {time}"
