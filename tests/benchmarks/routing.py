"""`routing --data FILE`: is the right ability chosen, are its arguments right, and nothing where none fits?

Each row goes through the real starter mind: its functions are the abilities, its text is the message.
`chosen` looks at the best ranked ability, whether the mind would propose it or not; `arguments` is the share
of all rows whose best ranked ability is the right one and whose arguments are all right.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.question import EvaluateIntent, ExtractParams, IntentEvaluation, Mind
from tests.benchmarks.calls import SETS, MeaningError, Row, read_rows, verdicts
from tests.meaning import watched_mind


@dataclass(frozen=True)
class Outcome:
    """What became of one row."""

    row: Row
    abstained: bool
    """Nothing was chosen, and no choice between near ties was offered."""
    chosen: bool
    """The best ranked ability is the right one."""
    verdicts: dict[str, bool] = field(default_factory=dict)
    """Parameter → was it right? Of the right ability only."""
    types: dict[str, str] = field(default_factory=dict)
    """Parameter → its type in the schema."""

    @property
    def right(self) -> bool:
        return self.chosen and all(self.verdicts.values())


def measure(data: Path, *, model: Path | None = None) -> dict[str, Any]:
    """The figures by set, and which mind they are of; `model` instead of the shipped one.

    Raises:
        DataError: The data cannot be read.
        MeaningError: Meaning was there to be compared and failed for some row.
    """
    mind, outcomes = asyncio.run(_outcomes(read_rows(data), model))
    return {"mind": mind, **figures(outcomes)}


async def _outcomes(rows: Sequence[Row], model: Path | None) -> tuple[str, list[Outcome]]:
    """With the mind as the app builds it; by words alone where there is no engine."""
    with tempfile.TemporaryDirectory() as place:
        async with watched_mind(Path(place), model=model) as watched:
            absent = watched.embedder.status().state == "absent"
            outcomes = [await outcome(row, watched.mind) for row in rows]
            if watched.meaning.unanswered and not absent:
                reason = watched.embedder.status().reason or "it gave no vectors"
                raise MeaningError(
                    f"Meaning failed for {watched.meaning.unanswered} of {len(rows)} rows: {reason}"
                )
    return "words" if absent else "words and meaning", outcomes


async def outcome(row: Row, mind: Mind) -> Outcome:
    """One row through the mind."""
    evaluation = await mind.ask(EvaluateIntent(row.text, row.functions))
    best = evaluation.ranked[0].info if evaluation.ranked else None
    if best is None or row.accepted is None or best.key != row.wanted:
        return Outcome(row, _abstained(evaluation), chosen=False)
    found = await mind.ask(ExtractParams(row.text, best))
    judged = verdicts(found.values, row.accepted)
    return Outcome(row, _abstained(evaluation), chosen=True, verdicts=judged, types=_types(best))


def _abstained(evaluation: IntentEvaluation) -> bool:
    return evaluation.chosen is None and not evaluation.ties


def _types(info: MetaActionInfo) -> dict[str, str]:
    return {name: _type(schema) for name, schema in info.properties().items()}


def _type(schema: JsonObject) -> str:
    found = schema.get("type", "any")
    return "|".join(map(str, found)) if isinstance(found, list) else str(found)


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Shares by set; sets without rows are left out."""
    found: dict[str, Any] = {}
    for name in SETS:
        mine = [outcome for outcome in outcomes if outcome.row.group == name]
        if mine:
            found[name] = _of_set(name, mine)
    answerable = [outcome for outcome in outcomes if outcome.row.wanted]
    if answerable:
        found["refused_answerable"] = _share(outcome.abstained for outcome in answerable)
    return found


def _of_set(name: str, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    if name == "irrelevance":
        return {"abstained": _share(outcome.abstained for outcome in outcomes), "count": len(outcomes)}
    shares = {
        "chosen": _share(outcome.chosen for outcome in outcomes),
        "arguments": _share(outcome.right for outcome in outcomes),
        "count": len(outcomes),
    }
    return shares | ({"by_type": _by_type(outcomes)} if name == "simple_python" else {})


def _by_type(outcomes: Sequence[Outcome]) -> dict[str, float]:
    said: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for outcome in outcomes:
        for name, verdict in outcome.verdicts.items():
            kind = outcome.types.get(name, "any")
            said[kind] += 1
            right[kind] += verdict
    return {kind: round(right[kind] / said[kind], 4) for kind in sorted(said)}


def _share(answers: Iterable[bool]) -> float:
    found = list(answers)
    return round(sum(found) / len(found), 4)
