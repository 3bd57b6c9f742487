"""Reads a trace back, turn by turn. Blocking. Works on the files alone, whether a Partner writes them or not.

Contract: what cannot be read is left out: a line that a crash tore, a file that ends too early or was removed
while it is read. Nothing here raises for it.

A turn is told as a tree of plain text: orders, their modules, and in each what it asked and changed.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject
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


#: What a line of the tree says by its place, and not once more as a detail.
_SAID = frozenset(
    {"at", "kind", "turn", "span", "within", "duration_ms", "outcome", "order", "module", "conversation"}
)
#: The fields that name a record, by kind; others are named by their kind alone.
_NAMES = {
    "mind": ("question",),
    "model_call": ("question",),
    "workspace": ("op", "name"),
    "error": ("module", "where", "error"),
    "run": ("ability",),
    "worker": ("step",),
}
_SHORT_ID = 8
_FULL_ID = 32
_BAR = 24
#: Where the figures stand: after the longest name, within reason.
_LEAST_LABEL, _MOST_LABEL = 40, 64
FORGOTTEN = "the conversation was forgotten; a trace holds ids and numbers only, never what was said"


@dataclass
class _Node:
    record: JsonObject
    start: datetime | None
    children: list[_Node] = field(default_factory=list)


def short(turn_id: str) -> str:
    """As much of an id as tells turns apart."""
    return turn_id[:_SHORT_ID]


def turn_lines(turn: TurnTrace) -> list[str]:
    """The whole tree."""
    lines = [_headline(turn)]
    if turn.forgotten:
        lines.append(f"  [{FORGOTTEN}]")
    rows = list(_rows(_grown(turn)))
    scale = _Scale(turn)
    longest = max((len(label) for label, node in rows if node is not None), default=0)
    width = min(_MOST_LABEL, max(_LEAST_LABEL, longest))
    lines += [
        label if node is None else f"{label:<{width}} {scale.figures(node)}  {_details(node.record)}"
        for label, node in rows
    ]
    return [printable(line.rstrip()) for line in lines]


def _rows(roots: Sequence[_Node]) -> Iterator[tuple[str, _Node | None]]:
    """Label by label; the title of a group has no node."""
    modules = [node for node in roots if node.record.get("kind") == "module"]
    modules.sort(key=_order)
    others = [node for node in roots if node.record.get("kind") != "module"]
    sections = [
        (f"order {order}", sorted(group, key=_start)) for order, group in groupby(modules, key=_order)
    ]
    if others:
        sections.append(("beside the modules", sorted(others, key=_start)))
    for number, (title, nodes) in enumerate(sections, 1):
        last = number == len(sections)
        yield ("└─ " if last else "├─ ") + title, None
        yield from _branch(nodes, "   " if last else "│  ")


def list_line(turn: TurnTrace) -> str:
    """One turn in the list of turns."""
    at = _local(turn.at)
    took = _ms(turn.duration_ms)
    asked = turn.count("mind")
    calls = f"{asked} mind call" + ("" if asked == 1 else "s")
    whose = "forgotten" if turn.forgotten else f"conversation {short(turn.conversation_id) or '?'}"
    return printable(
        f"{short(turn.turn_id)}  {at}  {turn.state:<7} {took:>13}  {calls:<14} {_faults(turn):<10} {whose}"
    ).rstrip()


def printable(text: str) -> str:
    """Names come from files: they must not drive the terminal."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def _headline(turn: TurnTrace) -> str:
    facts = turn.facts
    state = {"open": "not ended"}.get(turn.state, turn.state)
    parts = [f"turn {short(turn.turn_id)}", _local(turn.at), f"{state} {_ms(turn.duration_ms)}".strip()]
    parts.append("started by Partner itself" if facts.get("self_turn") else _said_and_run(facts))
    if not turn.forgotten:
        parts.append(f"conversation {short(turn.conversation_id) or '?'}")
        parts.append(f"exchange {short(str(facts.get('exchange', ''))) or '?'}")
    return "  ".join(parts)


def _said_and_run(facts: JsonObject) -> str:
    inputs, runs = facts.get("inputs", "?"), facts.get("runs", 1)
    said = "1 input" if inputs == 1 else f"{inputs} inputs"
    return said if runs == 1 else f"{said}, begun {runs} times"


def _faults(turn: TurnTrace) -> str:
    errors = turn.count("error")
    return f"{errors} error" + ("" if errors == 1 else "s") if errors else ""


def _grown(turn: TurnTrace) -> list[_Node]:
    """The records as a forest: each below the span that it was recorded in."""
    nodes = [_Node(record, _begun(record)) for record in turn.records if record.get("kind") != "turn"]
    spans = {node.record["span"]: node for node in nodes if isinstance(node.record.get("span"), int)}
    roots: list[_Node] = []
    for node in nodes:
        within = node.record.get("within")
        parent = spans.get(within) if isinstance(within, int) else None
        (parent.children if parent is not None and parent is not node else roots).append(node)
    return roots


def _begun(record: JsonObject) -> datetime | None:
    """Spans are recorded when they end."""
    at, took = time_of(record), record.get("duration_ms")
    measured = isinstance(took, int | float) and not isinstance(took, bool)
    return at - timedelta(milliseconds=float(took)) if at is not None and measured else at  # type: ignore[arg-type]  # measured


def _branch(nodes: Sequence[_Node], indent: str) -> Iterator[tuple[str, _Node | None]]:
    for number, node in enumerate(nodes, 1):
        last = number == len(nodes)
        yield indent + ("└─ " if last else "├─ ") + _label(node.record), node
        children = sorted(node.children, key=_start)
        yield from _branch(children, indent + ("   " if last else "│  "))


def _label(record: JsonObject) -> str:
    kind = str(record.get("kind", "?"))
    if kind == "module":
        return str(record.get("module", "?"))
    named = [str(record[name]) for name in _NAMES.get(kind, ()) if record.get(name)]
    return " ".join([kind, *named])


def _details(record: JsonObject) -> str:
    kind = str(record.get("kind"))
    outcome = record.get("outcome", "ok")
    known = _SAID | set(_NAMES.get(kind, ()))
    parts = [] if outcome == "ok" else [f"!! {outcome}"]
    parts += [
        f"{name} {_value(value)}" for name, value in record.items() if name not in known and value is not None
    ]
    return ", ".join(parts)


def _value(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1f}"
    text = str(value)
    return short(text) if len(text) == _FULL_ID and text.isalnum() else text


class _Scale:
    """Where in the turn something lay: its milliseconds, and a bar as wide as its share."""

    def __init__(self, turn: TurnTrace) -> None:
        self._zero = turn.at
        self._whole_ms = max(turn.duration_ms or 0.0, 0.001)

    def figures(self, node: _Node) -> str:
        took = node.record.get("duration_ms")
        if isinstance(took, bool) or not isinstance(took, int | float):
            return " " * (_BAR + 16)
        return f"{_ms(float(took)):>13} {self._bar(node.start, float(took))}"

    def _bar(self, start: datetime | None, took_ms: float) -> str:
        if self._zero is None or start is None:
            return " " * (_BAR + 2)
        offset_ms = (start - self._zero).total_seconds() * 1000
        begin = min(_BAR - 1, max(0, round(offset_ms / self._whole_ms * _BAR)))
        width = min(_BAR - begin, max(1, round(took_ms / self._whole_ms * _BAR)))
        return "[" + (" " * begin + "=" * width).ljust(_BAR) + "]"


def _order(node: _Node) -> int:
    order = node.record.get("order")
    return order if isinstance(order, int) else 0


def _start(node: _Node) -> float:
    return node.start.timestamp() if node.start is not None else 0.0


def _ms(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f} ms"


def _local(at: datetime | None) -> str:
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S") if at is not None else "unknown time"
