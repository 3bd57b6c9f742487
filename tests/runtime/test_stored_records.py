"""What stands in a home, or comes from a package, in a form of other days is read all the same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.events import Event, NoticeEvent


@dataclass(frozen=True)
class Part:
    name: str = "none"


@dataclass(frozen=True)
class Whole:
    title: str
    at: datetime | None
    part: Part | None = None
    parts: tuple[Part, ...] = ()


def test_what_is_missing_null_or_empty_is_not_there_and_names_of_other_versions_are_passed_over() -> None:
    assert decoded(Whole, {"title": "one", "at": "", "part": {}, "later": 1}) == Whole("one", None)
    assert decoded(Whole, {"title": "one", "at": None, "parts": None}) == Whole("one", None)
    full = {"title": "one", "at": "2026-11-23T00:00:00+00:00", "part": {"name": "a"}, "parts": [{}]}
    assert decoded(Whole, full) == Whole("one", datetime(2026, 11, 23, tzinfo=UTC), Part("a"), (Part(),))
    with pytest.raises(TypeError):
        decoded(Whole, {"at": None})


def test_an_event_is_called_as_its_class_unless_it_says_how() -> None:
    class SlowTideEvent(Event):
        pass

    class WeatherEvent(Event):
        type = "weather.now"

    assert (NoticeEvent.type, SlowTideEvent.type, WeatherEvent.type) == ("notice", "slow_tide", "weather.now")
