"""What to say of what is done later: what was planned, what became of it, and why something cannot be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from partner_desktop.base.messages import speaking
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Missed, NoSuchTime, Planned, Scheduled
from partner_desktop.domain.schedule import Schedule, Terms
from partner_desktop.domain.schedule_text import due_in_words, next_times_of, when_in_words
from partner_desktop.mind.starter.phrases import Phrases
from partner_desktop.mind.starter.results import bold, inline

#: More are counted.
_MOST_LINES = 20
_MOMENT = timedelta(microseconds=1)


def proposed_later(action: ActionRecord, terms: Terms, phrases: Phrases) -> str:
    """The question whether to plan it."""
    said = phrases.later
    when = _when(terms, phrases)
    if terms.is_reminder:
        told = said.proposed_reminder.format(text=inline(terms.message), when=when)
        return phrases.gap.join([told, *_next(terms, phrases)])
    template = said.proposed if terms.timing is not None else said.proposed_trigger
    return phrases.gap.join([template.format(title=bold(action.title), when=when), *_next(terms, phrases)])


def _next(terms: Terms, phrases: Phrases) -> list[str]:
    """The next times of what comes again and again, as its card has them."""
    if terms.cycle is None:
        return []
    times = [_time(at, terms, phrases) for at in next_times_of(terms, _now())]
    return [phrases.later.next_times.format(times=phrases.list_separator.join(times))] if times else []


def scheduled(evidence: Scheduled, phrases: Phrases) -> str:
    """That it is planned, and for when."""
    schedule, said = evidence.schedule, phrases.later
    title, when = _title(schedule, phrases), _when(schedule.terms, phrases)
    if schedule.terms.cycle is not None and schedule.next_at is not None:
        time = _time(schedule.next_at, schedule.terms, phrases)
        told = said.scheduled.format(title=title, when=when, time=time)
    elif schedule.next_at is not None:
        told = said.scheduled_once.format(title=title, time=_time(schedule.next_at, schedule.terms, phrases))
    else:
        told = said.scheduled_trigger.format(title=title, when=when)
    return phrases.gap.join((told, said.asks)) if schedule.asks else told


def planned(evidence: Planned, phrases: Phrases) -> str:
    """What the person asked about, or what became of it."""
    said, schedules = phrases.later, evidence.schedules
    if evidence.deed == "listed":
        return _listed(evidence, phrases)
    if not schedules:
        return said.every.get(evidence.deed, said.none)
    if len(schedules) > 1 and evidence.deed in said.every:
        return said.every[evidence.deed]
    at = evidence.at or schedules[0].next_at
    return said.deeds[evidence.deed].format(
        title=phrases.list_separator.join(_title(each, phrases) for each in schedules[:_MOST_LINES]),
        time=_time(at, schedules[0].terms, phrases) if at is not None else _when(schedules[0].terms, phrases),
    )


def _listed(evidence: Planned, phrases: Phrases) -> str:
    said, schedules = phrases.later, evidence.schedules
    span = _span(evidence.since, evidence.until, phrases)
    if not schedules:
        return said.none_then.format(span=span) if span else said.none_planned
    lead = said.planned_then.format(span=span) if span else said.planned
    lines = [_line(each, phrases) for each in schedules[:_MOST_LINES]]
    more = len(schedules) - len(lines) + evidence.more
    return "\n".join([lead, "", *lines, *([said.more.format(count=more)] if more > 0 else [])])


def _line(schedule: Schedule, phrases: Phrases) -> str:
    said = phrases.later
    told = f"- {_title(schedule, phrases)}: {_when(schedule.terms, phrases)}"
    if schedule.state in said.states:
        return f"{told} {said.states[schedule.state]}"
    if schedule.terms.once is not None and schedule.next_at is not None:
        return f"- {_title(schedule, phrases)}: {_time(schedule.next_at, schedule.terms, phrases)}"
    if schedule.terms.cycle is not None and schedule.next_at is not None:
        return f"{told} {said.next.format(time=_time(schedule.next_at, schedule.terms, phrases))}"
    return told


def _span(since: datetime | None, until: datetime | None, phrases: Phrases) -> str:
    """`14 May`, or from the one day to the other; empty: no days were named."""
    if since is None or until is None:
        return ""
    first, last = (phrases.day(at, phrases.later.day) for at in (since, until - _MOMENT))
    return first if first == last else phrases.later.days.format(first=first, last=last)


def no_such_time(evidence: NoSuchTime, phrases: Phrases) -> str:
    """Why nothing was planned."""
    return phrases.later.no_time[evidence.why]


def missed(evidence: Missed, phrases: Phrases) -> str:
    """What was due meanwhile, once."""
    lines = [_missed_line(each, phrases) for each in evidence.schedules[:_MOST_LINES]]
    more = len(evidence.schedules) - len(lines)
    rest = [phrases.later.more.format(count=more)] if more > 0 else []
    return "\n".join([phrases.later.missed, "", *lines, *rest])


def _missed_line(schedule: Schedule, phrases: Phrases) -> str:
    title, last = _title(schedule, phrases), schedule.last
    if last is None:
        return f"- {title}"
    told = f"- {title}: {_time(last.due_at, schedule.terms, phrases)}"
    return f"{told} {phrases.later.times.format(count=last.count)}" if last.count > 1 else told


def _title(schedule: Schedule, phrases: Phrases) -> str:
    if schedule.terms.is_reminder:
        return phrases.quoted.format(words=inline(schedule.title))
    return bold(schedule.title)


def _when(terms: Terms, phrases: Phrases) -> str:
    with speaking(phrases.language):
        return when_in_words(terms, now=_now())


def _time(at: datetime, terms: Terms, phrases: Phrases) -> str:
    with speaking(phrases.language):
        return due_in_words(terms, at, _now())


def _now() -> datetime:
    return datetime.now(UTC).astimezone()
