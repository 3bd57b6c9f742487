"""One turn as a tree of plain text: orders, their modules, and in each what it asked and changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from itertools import groupby

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.runtime.trace.trace_reader import TurnTrace, time_of

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
