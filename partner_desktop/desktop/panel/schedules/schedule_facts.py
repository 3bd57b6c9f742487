"""Schedules as rows, and how the window says where one stands, when it is next, what came of its times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias

from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.schedule import (
    Firing,
    FiringState,
    MissedTerms,
    Schedule,
    ScheduleState,
    Terms,
)
from partner_desktop.domain.schedule_text import terms_zone, time_in_words, when_in_words

#: What ran as it should needs no sign in the list.
_AS_IT_SHOULD: tuple[FiringState, ...] = ("begun", "running", "done")


def next_words(times: Sequence[datetime], now: datetime) -> str:
    """Each on a line of its own."""
    return "\n".join(time_in_words(at, now) for at in times)


def closed_words(terms: Terms) -> str:
    """What becomes of its times while Partner is not open."""
    if terms.lands is not None and terms.missed == "skip":
        return tr("What lands while Partner is closed is left alone.")
    if terms.lands is not None:
        return tr("What lands while Partner is closed is seen to when it is open again.")
    if terms.timing is None:
        return tr("It is noticed only while Partner is open.")
    if terms.is_reminder:
        return tr("Nothing happens while Partner is closed; what was missed is told when it is open again.")
    words: dict[MissedTerms, str] = {
        "usual": tr("Nothing happens while Partner is closed; the settings say what becomes of missed ones."),
        "once": tr("Nothing happens while Partner is closed; what was missed is done once afterwards."),
        "all": tr("Nothing happens while Partner is closed; each time that was missed is done afterwards."),
        "skip": tr("Nothing happens while Partner is closed; what was missed is left out."),
    }
    return words[terms.missed]


def missed_words(policy: MissedTerms, *, reminds: bool) -> str:
    """A policy as it is chosen; `reminds`: it only tells."""
    if policy == "usual":
        return tr("as the settings say")
    if reminds:
        return {
            "once": tr("say it once afterwards"),
            "all": tr("say it for each of them"),
            "skip": tr("leave it out"),
        }[policy]
    return {
        "once": tr("do it once afterwards"),
        "all": tr("do each of them afterwards"),
        "skip": tr("leave them out"),
    }[policy]


def schedule_pill(schedule: Schedule, *, all_paused: bool = False) -> tuple[str, PillKind]:
    """Where it stands, as far as that wants attention: what is armed and went well says nothing."""
    words: dict[ScheduleState, tuple[str, PillKind]] = {
        "armed": (tr("paused"), "plain") if all_paused else ("", "plain"),
        "paused": (tr("paused"), "plain"),
        "stopped": (tr("stopped"), "careful"),
        "over": (tr("over"), "plain"),
    }
    said = words[schedule.state]
    last = schedule.last
    if said[0] or last is None or last.state in _AS_IT_SHOULD:
        return said
    return firing_pill(last)


def firing_pill(firing: Firing) -> tuple[str, PillKind]:
    """What came of one time."""
    words: dict[FiringState, tuple[str, PillKind]] = {
        "begun": (tr("begins"), "busy"),
        "running": (tr("running"), "busy"),
        "waiting": (tr("waits for you"), "careful"),
        "done": (tr("done"), "good"),
        "failed": (tr("failed"), "bad"),
        "missed": (tr("missed"), "careful"),
        "skipped": (tr("skipped"), "plain"),
        "called_off": (tr("left out"), "plain"),
        "refused": (tr("not allowed"), "bad"),
    }
    return words[firing.state]


def firing_why(firing: Firing) -> str:
    """What is to be said of it beside its state."""
    if firing.state == "missed" and firing.count > 1:
        words = tr("{count} times").format(count=firing.count)
        return f"{words} · {firing.why}" if firing.why else words
    if firing.state == "skipped" and not firing.why:
        return tr("the run before went on")
    return firing.why


def next_line(schedule: Schedule, now: datetime) -> str:
    """`next tomorrow at 18:00`; why it is not, where it stopped; empty where nothing is to come."""
    if schedule.state == "stopped" and schedule.why:
        return schedule.why
    if schedule.state != "armed" or schedule.next_at is None:
        return ""
    at = schedule.next_at.astimezone(terms_zone(schedule.terms, now))
    return tr("next {time}").format(time=time_in_words(at, now))


def outcome_line(schedule: Schedule, now: datetime) -> str:
    """`last done Thu 18:00`; empty where it has not been."""
    last = schedule.last
    if last is None:
        return ""
    at = time_in_words(last.due_at.astimezone(terms_zone(schedule.terms, now)), now)
    return tr("last: {outcome}, {time}").format(outcome=firing_pill(last)[0], time=at)


def timing_words(terms: Terms) -> str:
    """When, in words, as a line begins."""
    return as_sentence_start(when_in_words(terms))


def as_sentence_start(words: str) -> str:
    """With a capital, as a line begins; what is marked as code is plain here."""
    return (words[:1].upper() + words[1:]).replace("`", "")


def brief_timing(terms: Terms, now: datetime) -> str:
    """The same, where the line is read today: a single time as it is from now."""
    return as_sentence_start(when_in_words(terms, now=now.astimezone(terms_zone(terms, now))))


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
