"""Reads a trace back, turn by turn. Blocking. Works on the files alone, whether a Partner writes them or not.

Contract: what cannot be read is left out: a line that a crash tore, a file that ends too early or was removed
while it is read. Nothing here raises for it.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import field
from datetime import datetime
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.runtime.trace.archive import trace_files

_LAST_STATES = ("ended", "stopped")


@dataclass
class TurnTrace:
    """Everything that was recorded of one turn, in order."""

    turn_id: str
    records: list[JsonObject] = field(default_factory=list)
    forgotten: bool = False
    """Its conversation was erased since; the trace never held more than ids and numbers of it."""

    @property
    def facts(self) -> JsonObject:
        """What is known of the turn as a whole: of each field the latest word."""
        known: JsonObject = {}
        for record in self.records:
            if record.get("kind") == "turn":
                known |= record
        return known

    @property
    def begun(self) -> bool:
        """Whether the turn's beginning is among the records."""
        return any(r.get("kind") == "turn" and r.get("state") == "started" for r in self.records)

    @property
    def at(self) -> datetime | None:
        """When it began, as far as is known."""
        return next((at for at in map(time_of, self.records) if at is not None), None)

    @property
    def state(self) -> str:
        """`ended`, `stopped`, or `open`: it runs, or Partner ended in the middle of it."""
        state = self.facts.get("state")
        return str(state) if state in _LAST_STATES else "open"

    @property
    def duration_ms(self) -> float | None:
        """From the first start to the last end."""
        ends = [
            time_of(r) for r in self.records if r.get("kind") == "turn" and r.get("state") in _LAST_STATES
        ]
        first, last = self.at, ends[-1] if ends else None
        return (last - first).total_seconds() * 1000 if first and last else None

    @property
    def conversation_id(self) -> str:
        return str(self.facts.get("conversation", ""))

    def count(self, kind: str) -> int:
        """How many records of a kind there are."""
        return sum(record.get("kind") == kind for record in self.records)


def last_turns(folder: Path, *, limit: int) -> list[TurnTrace]:
    """The newest turns, oldest of them first. Reads no more files than it must."""
    found: dict[str, TurnTrace] = {}
    erased: set[str] = set()
    for path in reversed(trace_files(folder)):
        found = _merge(_turns_of(path, erased, wanted=""), found)
        newest = list(found.values())[-limit:]
        if len(newest) == limit and all(turn.begun for turn in newest):
            break
    return _marked(list(found.values())[-limit:], erased)


def find_turns(folder: Path, wanted: str) -> list[TurnTrace]:
    """Every turn whose id is `wanted` or begins with it, oldest first."""
    found: dict[str, TurnTrace] = {}
    erased: set[str] = set()
    for path in reversed(trace_files(folder)):
        found = _merge(_turns_of(path, erased, wanted=wanted), found)
    return _marked(list(found.values()), erased)


def time_of(record: JsonObject) -> datetime | None:
    """When a record was made; `None` where it does not tell."""
    try:
        at = datetime.fromisoformat(str(record["at"]))
    except (KeyError, ValueError):
        return None
    return at if at.tzinfo is not None else None


def _turns_of(path: Path, erased: set[str], *, wanted: str) -> dict[str, TurnTrace]:
    """The turns of one file; the conversations that it saw erased are added to `erased`."""
    turns: dict[str, TurnTrace] = {}
    for record in read_records(path):
        if record.get("kind") == "conversation" and record.get("step") == "erased":
            erased.add(str(record.get("conversation")))
        turn = record.get("turn")
        if isinstance(turn, str) and turn and turn.startswith(wanted):
            turns.setdefault(turn, TurnTrace(turn)).records.append(record)
    return turns


def _merge(older: dict[str, TurnTrace], newer: dict[str, TurnTrace]) -> dict[str, TurnTrace]:
    """Both, older first; a turn that reaches over two files is one."""
    for turn_id, turn in newer.items():
        if turn_id in older:
            older[turn_id].records += turn.records
        else:
            older[turn_id] = turn
    return older


def _marked(turns: list[TurnTrace], erased: set[str]) -> list[TurnTrace]:
    for turn in turns:
        turn.forgotten = turn.conversation_id in erased
    return turns


def read_records(path: Path) -> Iterator[JsonObject]:
    """Every whole record of one file, compressed or not."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            for line in file:
                record = _record(line)
                if record is not None:
                    yield record
    except (OSError, EOFError, zlib.error):
        return


def _record(line: bytes) -> JsonObject | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
