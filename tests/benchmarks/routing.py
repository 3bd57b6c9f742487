"""`routing --data FILE`: is the right ability chosen, are its arguments right, and nothing where none fits?

Each row goes through the real starter mind: its functions are the abilities, its text is the message.
`chosen` looks at the best ranked ability, whether the mind would propose it or not; `arguments` is the share
of all rows whose best ranked ability is the right one and whose arguments are all right.

What is turned down is cross-validated: the score from which on an ability is meant is set for each tenth of
the rows by the other nine, so that they refuse no more than `_REFUSED` of what an ability serves. Rules
cannot be fitted again for each tenth: where they were found in the rows that are measured, `arguments` says
too much.
"""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.question import EvaluateIntent, ExtractParams, IntentEvaluation, Mind
from partner_desktop.mind.starter.matcher import CHOOSE_SCORE
from tests.benchmarks.calls import SETS, MeaningError, Row, read_rows, verdicts
from tests.meaning import watched_mind


@dataclass(frozen=True)
class Outcome:
    """What became of one row."""

    row: Row
    score: float
    """Of the best ranked ability; 0 where the message was taken for none of a request."""
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
        return Outcome(row, _score(evaluation), chosen=False)
    found = await mind.ask(ExtractParams(row.text, best))
    judged = verdicts(found.values, row.accepted)
    return Outcome(row, _score(evaluation), chosen=True, verdicts=judged, types=_types(best))


def _score(evaluation: IntentEvaluation) -> float:
    best = evaluation.ranked[0].score if evaluation.ranked else 0.0
    meant = evaluation.chosen is not None or bool(evaluation.ties)
    return best if meant or best < CHOOSE_SCORE else 0.0


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
    refused = refusals(outcomes)
    for name, served in (("turned_down", False), ("refused_answerable", True)):
        said = [no for one, no in zip(outcomes, refused, strict=True) if bool(one.row.wanted) is served]
        if said:
            found[name] = _share(said)
    return found


#: Parts of the rows, and the share of what is served that may be refused in those that set the score.
_PARTS, _REFUSED = 10, 0.035


def refusals(outcomes: Sequence[Outcome]) -> list[bool]:
    """Whether each is refused by a score that the rows of other parts set."""
    parts = [int(hashlib.sha256(outcome.row.id.encode()).hexdigest(), 16) % _PARTS for outcome in outcomes]
    least = {
        part: _least(other for other, at in zip(outcomes, parts, strict=True) if at != part)
        for part in set(parts)
    }
    return [outcome.score < least[part] for outcome, part in zip(outcomes, parts, strict=True)]


def _least(outcomes: Iterable[Outcome]) -> float:
    served = sorted(outcome.score for outcome in outcomes if outcome.row.wanted)
    return served[int(_REFUSED * len(served))] if served else CHOOSE_SCORE


def _of_set(name: str, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    if name == "irrelevance":
        return {"count": len(outcomes)}
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
