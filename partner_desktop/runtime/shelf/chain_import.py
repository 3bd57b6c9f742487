"""A chain of an exported conversation as history: nothing of it is approved, waits or runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from partner_desktop.domain.chain import Chain, Change, Feed, Stage, Step, StepStatus
from partner_desktop.domain.run_facts import Isolation, PathUse
from partner_desktop.runtime.shelf.file_format import ChainItem, StepItem

#: What had not ended in the file has ended here; what was only planned never began.
_ENDED = {StepStatus.WAITING: StepStatus.CANCELLED, StepStatus.RUNNING: StepStatus.CANCELLED}


def imported_chain(
    item: ChainItem, *, id_of: Callable[[str], str], past: Callable[[datetime], datetime]
) -> Chain:
    """The chain, its steps under new ids; `past` takes times to come as the present."""
    stages = tuple(Stage(tuple(_step(step, id_of, past) for step in stage.steps)) for stage in item.stages)
    return Chain(
        stages,
        at=min(item.at, len(stages)),
        changes=tuple(Change(one.kind, one.by, one.text, past(one.at)) for one in item.changes),
        corrections=item.corrections,
        rebuilt=item.rebuilt,
        checked=item.checked,
    )


def _step(item: StepItem, id_of: Callable[[str], str], past: Callable[[datetime], datetime]) -> Step:
    return Step(
        id=id_of(item.id),
        key=item.key,
        title=item.title,
        text=item.text,
        params=item.params,
        schema=item.params_schema,
        risk=item.risk,
        isolation=Isolation(**item.isolation.model_dump()),
        paths=tuple(PathUse(**use.model_dump()) for use in item.paths),
        content_hash=item.content_hash,
        feeds=tuple(Feed(feed.param, id_of(feed.step)) for feed in item.feeds),
        origin=item.origin,
        mends=id_of(item.mends) if item.mends else "",
        status=_ENDED.get(item.status, item.status),
        result=item.result,
        error=item.error,
        started_at=past(item.started_at) if item.started_at is not None else None,
        finished_at=past(item.finished_at) if item.finished_at is not None else None,
    )
