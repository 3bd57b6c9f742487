"""A plan as the person would have it: order and what is left out. Plain data; the editor shows it."""

from __future__ import annotations

from collections.abc import Mapping

from partner_desktop.domain.chain import Chain
from partner_desktop.domain.intervention import ChainEdit, StepEdit
from partner_desktop.domain.json_value import JsonObject


class ChainDraft:
    """Stages of step ids. What is dropped keeps its place until it is saved, so that it can be put back."""

    def __init__(self, chain: Chain) -> None:
        self.stages: list[list[str]] = [
            [step.id for step in stage.steps] for stage in chain.stages if stage.steps
        ]
        self.dropped: set[str] = set()

    @property
    def order(self) -> list[str]:
        """All of them, one after another."""
        return [step_id for stage in self.stages for step_id in stage]

    @property
    def empty(self) -> bool:
        """Whether nothing would be left."""
        return self.dropped >= set(self.order)

    def number_of(self, step_id: str) -> int:
        """Its place among those that stay, counted from 1; 0: it is dropped."""
        staying = [each for each in self.order if each not in self.dropped]
        return staying.index(step_id) + 1 if step_id in staying else 0

    def may_move(self, step_id: str, by: int) -> bool:
        """Whether there is a place before (-1) or after (1) it."""
        at = self._stage_of(step_id)
        return len(self.stages[at]) > 1 or 0 <= at + by < len(self.stages)

    def move(self, step_id: str, by: int) -> None:
        """One place up (-1) or down (1). What stands with others leaves them; alone, it passes a stage."""
        if not self.may_move(step_id, by):
            return
        at = self._stage_of(step_id)
        if len(self.stages[at]) > 1:
            self.stages[at].remove(step_id)
            self.stages.insert(at if by < 0 else at + 1, [step_id])
        else:
            self.stages.insert(at + by, self.stages.pop(at))

    def toggle(self, step_id: str) -> None:
        """Drop it, or put it back."""
        self.dropped ^= {step_id}

    def edit(self, params: Mapping[str, JsonObject | None]) -> ChainEdit:
        """What is to be asked for; `params`: the arguments that were changed."""
        kept = [[each for each in stage if each not in self.dropped] for stage in self.stages]
        return ChainEdit(
            tuple(tuple(StepEdit(each, params.get(each)) for each in stage) for stage in kept if stage)
        )

    def _stage_of(self, step_id: str) -> int:
        return next(at for at, stage in enumerate(self.stages) if step_id in stage)
