"""Schedules as rows: what, when, when next; and what came of each of their times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias

from partner_desktop.desktop.panel.schedules.schedule_facts import (
    as_sentence_start,
    brief_timing,
    firing_pill,
    firing_why,
    next_line,
    outcome_line,
    schedule_pill,
    timing_words,
)
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.schedule import Firing, Schedule

ScheduleVerb: TypeAlias = Literal["run", "edit", "pause", "resume", "skip", "cancel"]


def schedule_verbs(schedule: Schedule) -> Iterator[tuple[ScheduleVerb, str]]:
    """The verbs that fit, with their words; what does not fit is absent."""
    if schedule.state == "over":
        return
    yield "run", tr("Remind me now") if schedule.terms.is_reminder else tr("Run now")
    if schedule.state == "armed":
        if schedule.next_at is not None and schedule.terms.once is None:
            yield "skip", tr("Skip the next time")
        yield "pause", tr("Pause")
    else:
        yield "resume", tr("Resume")
    yield "edit", tr("Edit…")
    yield "cancel", tr("Cancel it")


def is_looked_for(schedule: Schedule, words: Sequence[str]) -> bool:
    """Whether it holds all of the words, in its title or in what says when."""
    if not words:
        return True
    text = f"{schedule.title} {schedule.terms.message} {timing_words(schedule.terms)}".casefold()
    return all(word in text for word in words)


def comes_at(schedule: Schedule) -> datetime:
    """When it is next; behind all that is what does not go on, and then what waits for something."""
    last = datetime.max.replace(tzinfo=UTC)
    return schedule.next_at or (last if schedule.state == "armed" else last - timedelta(days=1))


def schedule_row(schedule: Schedule, now: datetime, *, all_paused: bool) -> RowSpec[Schedule]:
    """`all_paused`: whether nothing is begun at present."""
    pill, kind = schedule_pill(schedule, all_paused=all_paused)
    lines = [brief_timing(schedule.terms, now)]
    if schedule.terms.once is None or schedule.state != "armed":  # a single time has been said
        lines.append(next_line(schedule, now))
    facts = [line for line in (*lines, outcome_line(schedule, now)) if line]
    return RowSpec(
        f"schedule/{schedule.id}",
        schedule.title,
        schedule,
        tag=pill,
        tag_kind=kind,
        lines=tuple(RowLine(line) for line in lines if line),
        tip="\n".join(facts),
        spoken=", ".join(part for part in (schedule.title, pill, *facts) if part),
    )


def firing_row(firing: Firing, when: str) -> RowSpec[Firing]:
    """One time that it was due."""
    pill, kind = firing_pill(firing)
    why = firing_why(firing)
    lines = (RowLine(why),) if why else ()
    key = f"{firing.due_at.isoformat()}/{firing.action_id}"
    return RowSpec(key, as_sentence_start(when), firing, tag=pill, tag_kind=kind, lines=lines)
