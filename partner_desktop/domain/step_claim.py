"""StepClaim: what a step was given, what it says that it did, and by what an answer about it is known.

Names are compared by their words (`orderId` is `order_id`): one name means one thing to the abilities
of an owner. What an answer is about is told by its members alone, never by its text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo

#: What a thing is known by.
_IDENTITY = re.compile(
    r"(?:^|_)(?:ids?|uuid|guid|key|code|number|no|ref|reference|name|title|path|file|folder|email|address"
    r"|url|uri|user|slug)$"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
#: How deep and how far a value is looked through.
_DEEP, _MOST_RECORDS = 5, 2_000
#: A shorter text may stand anywhere.
LEAST_LOOSE = 3
#: Numbers from here on may stand for a time, and above this one they count milliseconds.
_A_TIME_FROM, _MILLISECONDS_FROM = 1e8, 1e11


def member_name(name: str) -> str:
    """A member's name as it is compared with others."""
    return re.sub(r"[\s\-]+", "_", _CAMEL.sub("_", name)).casefold().strip("_")


def is_path_text(value: Json) -> bool:
    """Whether a value is the whole path of something."""
    return isinstance(value, str) and value.startswith(("/", "~/")) and "\n" not in value and len(value) > 1


def is_scalar(value: Json) -> bool:
    """Whether it is one text, number, yes or no."""
    return isinstance(value, str | int | float)


def records_in(value: Json, depth: int = _DEEP) -> Iterator[JsonObject]:
    """The objects in a value, the outer ones first; no more than can be looked through."""
    level: list[Json] = [value]
    count = 0
    for _ in range(depth):
        below: list[Json] = []
        for each in level:
            if isinstance(each, dict):
                count += 1
                if count > _MOST_RECORDS:
                    return
                yield each
                below += each.values()
            elif isinstance(each, list):
                below += each[:_MOST_RECORDS]
        level = below


def same_value(one: Json, other: Json) -> bool:
    """Whether two values say the same: `7` is "7", letters are compared without their case."""
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other or (isinstance(one, str | bool) and _text(one) == _text(other))
    if isinstance(one, list) and isinstance(other, list):
        return _same_lists(one, other)
    if isinstance(one, dict) or isinstance(other, dict):
        return one == other
    return plain_value(one) == plain_value(other)


def plain_value(value: Json) -> str | Decimal:
    """The same for values that say the same; a long number counts to its last digit."""
    if not isinstance(value, bool):
        with suppress(ArithmeticError, ValueError):
            number = Decimal(str(value).strip())
            if not number.is_nan():
                return number
    return _text(value)


def _same_lists(one: Sequence[Json], other: Sequence[Json]) -> bool:
    if len(one) != len(other):
        return False
    if not all(map(is_scalar, (*one, *other))):
        return True  # of objects only how many there are
    return sorted(map(_text, one)) == sorted(map(_text, other))


def _text(value: Json) -> str:
    # A number of thousands of digits is written as what Python writes.
    text = hex(value) if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return unicodedata.normalize("NFC", text).strip().casefold()


def moments_of(value: Json) -> tuple[datetime, ...]:
    """The times that a value may tell: ISO 8601, or (milli)seconds since 1970; nothing: it tells none.

    A time without its zone is one here, or, as databases write it, one of UTC.
    """
    try:
        if isinstance(value, str) and "-" in value:
            found = datetime.fromisoformat(value.strip())
            return (found,) if found.tzinfo else (found.astimezone(), found.replace(tzinfo=UTC))
        if isinstance(value, int | float) and not isinstance(value, bool) and value > _A_TIME_FROM:
            return (datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS_FROM else value, UTC),)
    except (ValueError, OverflowError, OSError):
        return ()
    return ()


def slack_of(moment: datetime) -> timedelta:
    """By how much a time that was written down may be before the one that was meant."""
    if not (moment.hour or moment.minute or moment.second or moment.microsecond):
        return timedelta(days=1)
    return timedelta(seconds=0.05) if moment.microsecond else timedelta(seconds=2)


@dataclass(frozen=True)
class StepClaim:
    """Of one step that ran."""

    step: str
    key: str
    title: str
    description: str = ""
    """Of its ability."""
    owner: str = ""
    given: JsonObject = field(default_factory=dict)
    """The arguments that it ran with."""
    claimed: JsonObject = field(default_factory=dict)
    """What its result says."""
    effects: Mapping[str, bool] = field(default_factory=dict)
    """What its ability says that is so once it has run."""
    began_at: datetime | None = None
    later: tuple[JsonObject, ...] = ()
    """What steps after it were given and say: they may have changed it since."""

    @property
    def values(self) -> JsonObject:
        """What is known of it by name: its arguments, and what its result says besides."""
        return {**self.claimed, **self.given}

    def said(self, *, but: frozenset[str] = frozenset()) -> dict[str, list[Json]]:
        """Plain name → the values that it was given or tells; `but`: names that count for arguments only."""
        found: dict[str, list[Json]] = {}
        for name, value in self.given.items():
            found.setdefault(member_name(name), []).append(value)
        for record in records_in(self.claimed):
            for name, value in record.items():
                if (known := member_name(name)) not in but:
                    found.setdefault(known, []).append(value)
        return found

    @property
    def subjects(self) -> dict[str, list[Json]]:
        """By what it is known: ids and names; where it has none, paths, and else what is so since."""
        named: dict[str, list[Json]] = {}
        paths: dict[str, list[Json]] = {}
        for name, values in self.said().items():
            for value in values:
                if not is_scalar(value) or isinstance(value, bool) or value == "":
                    continue
                if is_path_text(value):
                    paths.setdefault(name, []).append(value)
                elif _IDENTITY.search(name):
                    named.setdefault(name, []).append(value)
        return named or paths


def bound_arguments(tool: MetaActionInfo, claim: StepClaim) -> JsonObject | None:
    """The arguments of a call of `tool` about what a step did, all by name; `None`: it needs others."""
    known = {member_name(name): value for name, value in claim.values.items() if value not in (None, "", [])}
    ids = [value for name, value in known.items() if name == "id" or name.endswith("_id")]
    arguments: JsonObject = {}
    for name, schema in tool.properties().items():
        wanted = member_name(name)
        value = known.get(wanted)
        if value is None and len(ids) == 1 and (wanted == "id" or (wanted.endswith("_id") and "id" in known)):
            value = ids[0]
        if value is None or isinstance(value, dict):
            continue
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        arguments[name] = str(value) if schema.get("type") == "string" and numeric else value
    return None if any(name not in arguments for name in tool.required()) else arguments
