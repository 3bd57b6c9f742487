"""Plain words for what memory holds."""

from __future__ import annotations

from datetime import date, datetime

from PySide6.QtCore import QDate, QLocale

from partner_desktop.desktop.panel.action_words import day_in_words
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.remembered import PARTNER, PERSON, MemoryStatus

_WEEK_DAYS = 7
_BELOW = "->"


def meaning_note(status: MemoryStatus) -> str:
    """Why not everything is found by its meaning; empty: everything is."""
    match status.meaning:
        case "off":
            return tr("Meaning is switched off: what was said is found by words and dates.")
        case "missing":
            return tr("There is no embedding model: what was said is found by words and dates.")
        case "unread":
            left = status.turns - status.by_meaning
            return tr("{count} messages are found by words alone until their meaning is read.").format(
                count=f"{left:,}"
            )
        case _:
            return status.note


def day_head(day: date) -> str:
    """`Today`, `Monday`, `14 May`, `14 May 2024`: the person's calendar."""
    today = datetime.now().astimezone().date()
    age = (today - day).days
    if age == 0:
        return tr("Today")
    if age == 1:
        return tr("Yesterday")
    if 1 < age < _WEEK_DAYS:
        return QLocale().standaloneDayName(day.isoweekday())
    if day.year == today.year:
        return day_in_words(day)
    return QLocale().toString(QDate(day.year, day.month, day.day), tr("d MMM yyyy"))


def moment_of_day(moment: datetime) -> str:
    """`10:42`."""
    return f"{moment.astimezone():%H:%M}"


def said_at(moment: datetime) -> str:
    """The time of day, for what was said today; the day otherwise."""
    day = moment.astimezone().date()
    today = datetime.now().astimezone().date()
    return moment_of_day(moment) if day == today else day_head(day)


def speaker_words(speaker: str) -> str:
    """Who spoke, as the person would say."""
    return {PERSON: tr("You"), PARTNER: tr("Partner")}.get(speaker, speaker)


def topic_name(path: str) -> str:
    """The last part of `A->B->C`."""
    return path.rpartition(_BELOW)[2]


def topic_parents(path: str) -> str:
    """`A › B`; empty for a topic that stands by itself."""
    return path.rpartition(_BELOW)[0].replace(_BELOW, " › ")


def topic_path(path: str) -> str:
    """`A › B › C`."""
    return path.replace(_BELOW, " › ")


def message_count(count: int) -> str:
    """`8 messages`."""
    return tr("1 message") if count == 1 else tr("{count} messages").format(count=f"{count:,}")


def passage_count(count: int) -> str:
    """How many pieces of talk."""
    return tr("1 passage") if count == 1 else tr("{count} passages").format(count=f"{count:,}")


def memory_size(status: MemoryStatus) -> str:
    """How much can be found, and how."""
    how = tr("by words and meaning") if status.by_meaning else tr("by words")
    return tr("{messages} can be found {how}").format(messages=message_count(status.turns), how=how)
