"""A chain that begins anew. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from partner_desktop.base.ids import new_id
from partner_desktop.domain.chain import Chain, Feed, Stage, Step, StepStatus


def rebuilt(chain: Chain, steps: Sequence[Step]) -> Chain:
    """The chain at its beginning: with `steps` as one stage each, or with those that it had.

    Nothing of it is approved any more: a yes was to one run of each step, and that may have been.
    """
    stages = tuple(Stage((step,)) for step in steps) if steps else _again(chain)
    return replace(chain, stages=stages, at=0, asked_step="", rebuilt=True, checked="")


def _again(chain: Chain) -> tuple[Stage, ...]:
    """The same steps under fresh ids. Those that were to make a failed one good are not needed again."""
    ids = {step.id: new_id() for step in chain.steps if not _mends(chain, step)}
    anew = [
        Stage(tuple(_anew(chain, step, ids) for step in stage.steps if step.id in ids))
        for stage in chain.stages
    ]
    return tuple(stage for stage in anew if stage.steps)


def _anew(chain: Chain, step: Step, ids: Mapping[str, str]) -> Step:
    feeds = tuple(Feed(feed.param, ids[_mended(chain, feed.step)]) for feed in step.feeds)
    return replace(
        step,
        id=ids[step.id],
        feeds=feeds,
        mends="",
        approved=False,
        status=StepStatus.PLANNED,
        result="",
        error="",
        started_at=None,
        finished_at=None,
    )


def _mends(chain: Chain, step: Step) -> bool:
    """Whether it was put in the place of another that is still there."""
    return bool(step.mends) and chain.step(step.mends) is not None


def _mended(chain: Chain, step_id: str) -> str:
    """The step that stood there first."""
    step, seen = chain.step(step_id), {step_id}
    while step is not None and _mends(chain, step) and step.mends not in seen:
        seen.add(step.mends)
        step = chain.step(step.mends)
    return step.id if step is not None else step_id
