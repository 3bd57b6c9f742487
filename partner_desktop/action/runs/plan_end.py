"""PlanClosing: the end of a chain, whatever brought it about. What runs is ended, and one turn tells."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from partner_desktop.action.runs.live_plan import Ending, LivePlan
from partner_desktop.action.work_parts import WorkPart
from partner_desktop.base.errors import StorageError, UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import Chain, Stage, Step, StepStatus

#: Why what a step asks is turned down.
OVER = "What it was a step of is over."
_OPEN = (ActionStatus.ASKING, ActionStatus.WAITING)


class PlanClosing(WorkPart):
    """Shared by all plans."""

    async def close(self, live: LivePlan, ending: Ending) -> None:
        """End what runs, write the outcome down, and say it."""
        await self.stop_steps(live, OVER)
        async with live.lock:
            record, now = live.record, self._clock.now()
            begun = record.started_at or now
            ended = replace(
                record,
                status=ending.status,
                error=ending.reason,
                chain=_closed(live.chain, live),
                duration_ms=max(0, int((now - begun).total_seconds() * 1000)),
            )
            live.exchange.status = "ok" if ended.status is ActionStatus.SUCCEEDED else "failed"
            say = ending.tell and live.exchange.told
            await self._executor.finish(record, ended, say=say, steps=live.ran())

    async def stop_steps(self, live: LivePlan, reason: str) -> None:
        """End the steps under way and their processes, and turn down what they ask."""
        tasks = list(live.steps.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        under_way = [child for child in live.children.values() if not child.status.ended]
        await asyncio.gather(*(self._stop(live, child, reason) for child in under_way))

    async def _stop(self, live: LivePlan, child: ActionRecord, reason: str) -> None:
        async with self._executor.settling(child.conversation_id):
            now = live.children[child.id]
            if now.status in _OPEN:
                with suppress(UsageError, StorageError):  # settled already; or nothing can be written down
                    live.children[child.id] = await self._executor.turn_down(now, reason)
        await self._executor.cancel(child.id, tell=False)
        now = live.children[child.id]
        if now.status is ActionStatus.RUNNING:  # in its row alone: it ran in a process that is no more
            await self._executor.interrupt(now)


def _closed(chain: Chain, live: LivePlan) -> Chain:
    """With what ended last, and with what was not begun cancelled."""
    return replace(
        chain,
        stages=tuple(Stage(tuple(_ended(step, live) for step in stage.steps)) for stage in chain.stages),
    )


def _ended(step: Step, live: LivePlan) -> Step:
    child = live.children.get(step.id)
    done = child is not None and child.status is ActionStatus.SUCCEEDED
    if step.status.ended:
        return step
    if child is not None and done:  # it came to its end before its row could say so
        return replace(step, status=StepStatus.SUCCEEDED, finished_at=child.finished_at)
    return replace(step, status=StepStatus.CANCELLED)
