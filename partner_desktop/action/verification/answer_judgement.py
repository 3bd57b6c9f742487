"""What the answer of a read-only ability says of a step. Pure.

Contract: an answer counts only where it is about this very step: an id, a name or a path of it stands there.
Typed members decide; text in an answer decides nothing, whatever it says. What a later step may have changed
is held against nobody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.text import cut
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.step_claim import (
    LEAST_LOOSE,
    StepClaim,
    is_scalar,
    member_name,
    moments_of,
    plain_value,
    records_in,
    same_value,
    slack_of,
)
from partner_desktop.domain.verification import CheckedFact, VerdictStatus

#: With `false` they say that it is not so.
_FLAGS = frozenset(
    {"found", "exists", "exist", "verified", "ok", "success", "successful", "present", "valid"}
)
#: What holds what was looked for.
_HOLDERS = frozenset(
    {"record", "records", "row", "rows", "item", "items", "entry", "entries", "match", "matches", "result"}
    | {"results", "data", "value", "object"}
)
#: With anything in it: the call did not work.
_ERRORS = frozenset({"error", "errors", "exception", "is_error"})
#: Where an answer repeats what was looked for.
_QUESTION = frozenset({"query", "params", "arguments", "args", "criteria", "filter", "filters", "where"})
#: What a result says of the call and not of its subject.
_ABOUT_THE_CALL = _FLAGS | {
    *("message", "summary", "text", "note", "detail", "details", "info", "reason", "error", "tool"),
    *("duration", "duration_ms", "duration_s", "elapsed", "elapsed_ms", "took_ms", "conditions"),
}
#: What a step says of its own call by a status; any other status is its subject's.
_OF_A_CALL = frozenset(
    {"ok", "success", "successful", "succeeded", "done", "created", "updated", "completed", "finished"}
)
_COUNT = re.compile(r"^(?:count|rows|number_of_\w+|\w+_count)$")
_TIME = re.compile(r"(?:_at$|^(?:modified|created|updated|changed|timestamp|mtime|last_modified)$)")
#: They change whenever the record does.
_TOUCHED = frozenset(
    {"updated_at", "modified_at", "changed_at", "updated", "modified", "last_modified", "mtime"}
)
_SHOWN = 80


@dataclass(frozen=True)
class Judged:
    """Of one answer."""

    status: VerdictStatus
    facts: tuple[CheckedFact, ...] = ()
    reason: str = ""


def judge_answer(claim: StepClaim, answer: Json, ability: str) -> Judged:
    """What an answer says of what a step claims; `ability`: the key of whoever gave it."""
    found = _Answer(claim, answer).judged()
    return replace(found, facts=tuple(replace(fact, ability=ability) for fact in found.facts))


def _failed(*facts: CheckedFact) -> Judged:
    return Judged(VerdictStatus.FAILED, facts, next(fact.text for fact in facts if not fact.holds))


def shown_value(value: Json) -> str:
    """A value in a sentence."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return cut(" ".join(text.split()), _SHOWN)


class _Answer:
    def __init__(self, claim: StepClaim, answer: Json) -> None:
        self._claim = claim
        self._answer = _without_question(answer)
        self._records = list(records_in(self._answer))
        self._subjects = {name: _Values(values) for name, values in claim.subjects.items()}
        told = claim.said(but=_ABOUT_THE_CALL)
        for name in ("status", "state"):
            told[name] = [each for each in told.get(name, []) if str(each).casefold() not in _OF_A_CALL]
        self._of_members = {name: _Values(values) for name, values in told.items() if values}
        self._later = _by_name(record for each in claim.later for record in records_in(each))
        self._claimed_names = {member_name(name) for each in records_in(claim.claimed) for name in each}
        self._given_names = {member_name(name) for name in claim.given}

    def judged(self) -> Judged:
        if self._answer is None or self._answer in ("", [], {}):
            return _failed(self._nothing())
        whole = [self._answer] if isinstance(self._answer, dict) else []
        denied = self._denied(whole) or self._condition_denied()
        if denied is not None:
            return _failed(denied)
        ours, about = self._about_it() if not self._erred(whole) else ([], None)
        if about is not None and about.holds and ours and all(map(self._only_repeats, ours)):
            about = None
        if about is None:
            told = "verification.not_about_it" if self._records else "verification.only_text"
            return Judged(VerdictStatus.UNABLE, (), sentence_of(told))
        if not about.holds:
            return _failed(about)
        faults = min((list(self._faults(each)) for each in ours), key=len, default=[])
        faults += self._counts()
        if faults:
            return _failed(about, *faults)
        return Judged(VerdictStatus.VERIFIED, (about,), about.text)

    def _nothing(self, name: str = "") -> CheckedFact:
        subject = next((value for each in self._subjects.values() for value in each.values), None)
        told = "verification.nothing_about" if subject is not None else "verification.nothing_there"
        text = sentence_of(told, subject=shown_value(subject), name=name)
        return CheckedFact("record", text, holds=False, subject=str(subject or ""), found=None)

    # That it is not so.

    def _denied(self, records: Sequence[JsonObject]) -> CheckedFact | None:
        for record in records:
            for name, value in record.items():
                if member_name(name) in _FLAGS and is_scalar(value) and plain_value(value) == "false":
                    return replace(self._nothing(name), wanted=True, found=False)
                if member_name(name) in _HOLDERS and value in (None, [], {}, ""):
                    return self._nothing(name)
        return None

    def _erred(self, whole: Sequence[JsonObject]) -> bool:
        """Whether the call says that it did not work: what it repeats of its arguments then tells nothing."""
        return any(
            member_name(name) in _ERRORS and bool(value) for each in whole for name, value in each.items()
        )

    def _only_repeats(self, record: JsonObject) -> bool:
        """Whether it is what was looked for, and all else in it is empty."""
        named = [(member_name(name), value) for name, value in self._members(record)]
        if any(name in self._of_members and not self._of_members[name].has(value) for name, value in named):
            return False  # otherwise than it was given
        others = [value for name, value in named if name not in self._of_members]
        return bool(others) and all(value in (None, "", [], {}) or _is_zero(value) for value in others)

    def _condition_denied(self) -> CheckedFact | None:
        for condition, wanted in self._claim.effects.items():
            told = self._condition(condition)
            if told is not None and told is not wanted:
                text = sentence_of("verification.condition_not_so", condition=condition)
                return CheckedFact(
                    "answer", text, holds=False, subject=condition, wanted=wanted, found=not wanted
                )
        return None

    def _condition(self, name: str) -> bool | None:
        told = self._answer.get("conditions") if isinstance(self._answer, dict) else None
        value = told.get(name) if isinstance(told, dict) else None
        return value if isinstance(value, bool) else None

    # What it is about.

    def _about_it(self) -> tuple[list[JsonObject], CheckedFact | None]:
        """The records that are about the step, and by what that is known; else what speaks against it."""
        other: tuple[str, Json, Json] | None = None
        for record in self._records:
            for name, value in record.items():
                wanted = self._subjects.get(member_name(name))
                if wanted is None or not is_scalar(value):
                    continue
                if wanted.has(value):
                    return self._ours(), self._known_by(name, value)
                other = other or (name, wanted.values[0], value)
        if other is not None:
            name, mine, found = other
            text = sentence_of(
                "verification.another", name=name, wanted=shown_value(mine), found=shown_value(found)
            )
            return [], CheckedFact("record", text, holds=False, subject=str(mine), wanted=mine, found=found)
        return self._loosely()

    def _ours(self) -> list[JsonObject]:
        def is_ours(record: JsonObject) -> bool:
            wanted = ((self._subjects.get(member_name(name)), value) for name, value in record.items())
            return any(each is not None and each.has(value) for each, value in wanted)

        return list(filter(is_ours, self._records))

    def _loosely(self) -> tuple[list[JsonObject], CheckedFact | None]:
        """By a value that stands there under another name, or by what is so since the step ran."""
        mine = _Values(
            [
                value
                for each in self._subjects.values()
                for value in each.values
                if len(str(value)) >= LEAST_LOOSE
            ]
        )
        for record in self._records:
            for name, value in record.items():
                values = value if isinstance(value, list) else [value]
                if any(map(mine.has, values)):
                    return [record], self._known_by(name, value)
        if isinstance(self._answer, list):
            for value in self._answer:
                if mine.has(value):
                    return [], self._known_by("", value)
        if not self._subjects:
            for condition, wanted in self._claim.effects.items():
                if self._condition(condition) is wanted:
                    text = sentence_of("verification.condition_so", condition=condition)
                    return [], CheckedFact("answer", text, holds=True, subject=condition, found=wanted)
        return [], None

    def _known_by(self, name: str, value: Json) -> CheckedFact:
        text = sentence_of("verification.record_there", name=name, value=shown_value(value))
        return CheckedFact("record", text, holds=True, subject=shown_value(value), wanted=value, found=value)

    # What is otherwise in it.

    def _faults(self, record: JsonObject) -> Iterator[CheckedFact]:
        denied = self._denied([record])
        if denied is not None:
            yield denied
        for name, value in self._members(record):
            plain = member_name(name)
            wanted = self._of_members.get(plain)
            if _TIME.search(plain) and plain not in self._given_names:
                yield from self._stale(name, value, claimed=plain in self._claimed_names)
                continue
            if wanted is None or isinstance(value, dict) or wanted.fit(value):
                continue
            if plain not in self._later or not self._later[plain].has(value):
                yield self._otherwise(name, wanted.values[0], value)

    def _members(self, record: JsonObject) -> Iterator[tuple[str, Json]]:
        """Of a record with what lies in it and round it, as far as that is not about something else."""
        yield from record.items()
        inner = [value for value in record.values() if isinstance(value, dict)]
        outer = self._answer if isinstance(self._answer, dict) and self._answer is not record else {}
        for each in (*inner, outer):
            if not any(member_name(name) in self._subjects for name in each):
                yield from each.items()

    def _stale(self, name: str, value: Json, *, claimed: bool) -> Iterator[CheckedFact]:
        began, told = self._claim.began_at, max(moments_of(value), default=None)
        if began is None or told is None or not (claimed or member_name(name) in _TOUCHED):
            return
        if told < began - slack_of(told):
            text = sentence_of("verification.stale", name=name, found=shown_value(value))
            yield CheckedFact(
                "time", text, holds=False, subject=name, wanted=began.isoformat(), found=told.isoformat()
            )

    def _otherwise(self, name: str, wanted: Json, found: Json) -> CheckedFact:
        text = sentence_of(
            "verification.otherwise", name=name, wanted=shown_value(wanted), found=shown_value(found)
        )
        kind: Literal["count", "record"] = "count" if _COUNT.match(member_name(name)) else "record"
        return CheckedFact(kind, text, holds=False, subject=name, wanted=wanted, found=found)

    def _counts(self) -> list[CheckedFact]:
        """The one number that the step tells of how many there are, beside the one of the answer."""
        mine = _count_in(self._claim.claimed)
        theirs = _count_in(self._answer) if isinstance(self._answer, dict) else None
        if mine is None or theirs is None or member_name(mine[0]) == member_name(theirs[0]):
            return []
        return [] if mine[1] == theirs[1] else [self._otherwise(theirs[0], mine[1], theirs[1])]


class _Values:
    """The values of one name: each answer's is looked up, for there may be thousands of both."""

    def __init__(self, values: Sequence[Json]) -> None:
        self.values = values
        self._keys = {plain_value(each) for each in values if is_scalar(each)}
        self._others = [each for each in values if not is_scalar(each)]

    def has(self, value: Json) -> bool:
        """Whether one of them says the same."""
        if is_scalar(value):
            return plain_value(value) in self._keys
        return any(same_value(value, each) for each in self._others)

    def fit(self, value: Json) -> bool:
        """The same, but for how it is written down."""
        if self.has(value):
            return True
        written_otherwise = isinstance(value, list) or bool(moments_of(value))
        return any(_fits(value, each) for each in (self.values if written_otherwise else self._others))


def _by_name(records: Iterable[JsonObject]) -> dict[str, _Values]:
    found: dict[str, list[Json]] = {}
    for record in records:
        for name, value in record.items():
            found.setdefault(member_name(name), []).append(value)
    return {name: _Values(values) for name, values in found.items()}


def _without_question(answer: Json) -> Json:
    """An answer without what it repeats of the question; what is nothing else stays as it is."""
    if not isinstance(answer, dict):
        return answer
    told = {name: value for name, value in answer.items() if member_name(name) not in _QUESTION}
    return told if any(isinstance(value, dict | list) for value in told.values()) else answer


def _is_zero(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == 0


def _count_in(record: JsonObject) -> tuple[str, int] | None:
    """The only member that tells how many; `None`: there is none, or several."""
    found = [
        (name, value if isinstance(value, int) else len(value))
        for name, value in record.items()
        if _COUNT.match(member_name(name)) and isinstance(value, int | list) and not isinstance(value, bool)
    ]
    return found[0] if len(found) == 1 else None


def _fits(found: Json, wanted: Json) -> bool:
    """Whether they say the same; of a list beside a number, how many."""
    if isinstance(found, list) and isinstance(wanted, int):
        return len(found) == wanted
    if isinstance(wanted, list) and isinstance(found, int):
        return len(wanted) == found
    if isinstance(found, str) and moments_of(found) and moments_of(wanted):
        return any(abs(one - two) < slack_of(one) for one in moments_of(found) for two in moments_of(wanted))
    return isinstance(wanted, dict) or same_value(found, wanted)
