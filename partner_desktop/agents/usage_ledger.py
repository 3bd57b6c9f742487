"""What a process used: a row for each call of a model and use of a tool, children and ranking included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from partner_desktop.agents.writing_mind import ModelUse


@dataclass(frozen=True)
class UsageRow:
    """One call. `process_id` is empty for what came before there was a process, as the ranking does."""

    kind: Literal["model", "tool"]
    name: str
    """Of the model, or of the tool."""
    process_id: str = ""
    step: str = ""
    prompt_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    duration_ms: float = 0.0
    ok: bool = True

    @classmethod
    def of_model(cls, use: ModelUse, *, process_id: str = "", step: str = "") -> UsageRow:
        """The row of a call of a model."""
        return cls(
            "model",
            use.model,
            process_id,
            step,
            use.prompt_tokens,
            use.output_tokens,
            use.cost,
            use.duration_ms,
        )


@dataclass(frozen=True)
class ToolUse:
    """All uses of one tool."""

    name: str
    calls: int
    failed: int
    mean_ms: float


@dataclass(frozen=True)
class UsageTotals:
    """The sum of the rows."""

    models: tuple[str, ...]
    """In order of first use."""
    calls: int
    prompt_tokens: int
    output_tokens: int
    cost: float
    tools: tuple[ToolUse, ...]

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.output_tokens


def totals_of(rows: Sequence[UsageRow]) -> UsageTotals:
    """The sums of some rows."""
    calls = [row for row in rows if row.kind == "model"]
    tools: dict[str, list[UsageRow]] = {}
    for row in rows:
        if row.kind == "tool":
            tools.setdefault(row.name, []).append(row)
    return UsageTotals(
        tuple(dict.fromkeys(row.name for row in calls)),
        len(calls),
        sum(row.prompt_tokens for row in calls),
        sum(row.output_tokens for row in calls),
        sum(row.cost for row in rows),
        tuple(
            ToolUse(
                name,
                len(used),
                sum(not row.ok for row in used),
                sum(row.duration_ms for row in used) / len(used),
            )
            for name, used in tools.items()
        ),
    )
