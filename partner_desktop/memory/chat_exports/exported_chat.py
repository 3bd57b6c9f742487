"""A chat as an export holds it, and how one is put together from values that may be anything."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.text import cut
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import LONGEST_TEXT, Role
from partner_desktop.runtime.dialog import storable

ChatOrigin: TypeAlias = Literal["chatgpt", "claude", "jan", "jsonl"]
#: How exports name who speaks. Whoever else speaks (the system, a tool) is no part of what was said.
SPEAKING_ROLES = {"user": Role.USER, "human": Role.USER, "assistant": Role.PARTNER, "partner": Role.PARTNER}
_LONGEST_NAME = 200
_MOST_PROBLEMS = 50
#: Below it, a time is in seconds (up to the year 5138); from it on, in milliseconds (from 1973).
_SECONDS_END = 1e11


@dataclass(frozen=True)
class ExportedTurn:
    """What somebody said."""

    role: Role
    """USER or PARTNER."""
    speaker: str
    """A name where the export has one; empty: the person, or the assistant."""
    text: str
    """Never empty, fit to be stored, and no longer than a message may be."""
    at: datetime | None
    """Aware; `None` where the export has no time, or none that can be read."""


@dataclass(frozen=True)
class ExportedChat:
    """A conversation of an export, or a part of a long one: parts come in order and have one `key`."""

    title: str
    turns: tuple[ExportedTurn, ...]
    origin: ChatOrigin
    key: str
    """Its id in the export, where it has one; the same whenever the export is read."""
    problems: tuple[str, ...]
    """A sentence for each thing of this chat that was left out."""


class ChatDraft:
    """A chat while its turns are read; notes what cannot be taken."""

    def __init__(self, origin: ChatOrigin, key: str, title: Json) -> None:
        self._origin = origin
        self._key = key
        self._title = name_in_one_line(title)
        self._turns: list[ExportedTurn] = []
        self._texts: dict[str, int] = {}
        self._problems: list[str] = []
        self._untold = 0

    def note(self, problem: str) -> None:
        """Note a problem; past the first fifty they are only counted."""
        if len(self._problems) < _MOST_PROBLEMS:
            self._problems.append(problem)
        else:
            self._untold += 1

    def add(
        self, where: str, role: Role, text: str, at: Json, *, speaker: str = "", message_id: Json = None
    ) -> None:
        """Add a turn; one without words is none. `where` begins the sentence of a problem: `Line 3`."""
        text = text.replace("\x00", "").strip()
        if not text:
            return
        text = storable(text)
        if isinstance(message_id, str | int):
            name, said = str(message_id), hash(text)
            if self._texts.get(name) == said:
                self.note(f"{where} repeats an earlier one; it was left out.")
                return
            self._texts[name] = said
        if len(text) > LONGEST_TEXT:
            self.note(f"{where} is longer than {LONGEST_TEXT:,} characters; the rest of it was left out.")
            text = text[:LONGEST_TEXT].rstrip()
        moment = moment_of(at)
        if moment is None and at not in (None, "", 0):
            told = (
                cut(name_in_one_line(str(at)), 40)
                if isinstance(at, str | int | float)
                else "no text or number"
            )
            self.note(f"{where} has a time that cannot be read ({told}); it is kept without one.")
        self._turns.append(ExportedTurn(role, speaker, text, moment))

    def chat(self) -> ExportedChat:
        """What was put together."""
        more = [f"Further problems, not listed: {self._untold:,}."] if self._untold else []
        problems = (*self._problems, *more)
        return ExportedChat(self._title, tuple(self._turns), self._origin, self._key, problems)


def name_in_one_line(value: Json) -> str:
    """A name or title as it can be stored; empty where it is none."""
    if not isinstance(value, str):
        return ""
    return cut(" ".join(storable(value[:10_000].replace("\x00", "")).split()), _LONGEST_NAME)


def joined_texts(texts: Iterable[Json]) -> str:
    """The pieces of one message that are text, a paragraph each."""
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


def moment_of(value: Json) -> datetime | None:
    """The moment of ISO 8601 (without a zone: the local one), or of seconds or milliseconds since 1970."""
    try:
        if isinstance(value, str):
            value = value.strip()
            if len(value) <= 8 or not value.replace(".", "", 1).isdecimal():
                return _within_calendar(datetime.fromisoformat(value).astimezone(UTC))
        elif isinstance(value, bool) or not isinstance(value, int | float):
            return None
        seconds = float(value)
        if not math.isfinite(seconds) or not seconds:
            return None
        if abs(seconds) >= _SECONDS_END:
            seconds /= 1000
        return _within_calendar(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return None


def _within_calendar(moment: datetime) -> datetime | None:
    """In local time, a moment at the ends of the calendar would fall off them."""
    return moment if 1900 <= moment.year < 9999 else None
