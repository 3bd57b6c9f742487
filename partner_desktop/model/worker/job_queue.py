"""What the worker still has to do, step by step: between two steps the most urgent job is chosen anew."""

from __future__ import annotations

import heapq
import threading
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from partner_desktop.model.worker.frames import Answer, Failure

#: Before every rank that can be asked for.
_AT_ONCE = -1


class StopFlag:
    """Whether somebody gave a job up; asked from any thread, also in the midst of a step."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self) -> bool:
        return self.asked


class JobSteps(Protocol):
    """A job's inside."""

    def step(self) -> Answer | None:
        """Do a little of it; the final answer, or `None` when there is more to do. Never raises."""
        ...

    def close(self) -> None:
        """It is over, in whatever way."""
        ...


@dataclass(order=True)
class Job:
    """Sorted by rank, then by arrival."""

    rank: int
    arrived: int
    id: int = field(compare=False)
    work: JobSteps = field(compare=False)
    stop: StopFlag = field(compare=False)


class JobQueue:
    """Filled by the thread that reads the pipe, emptied by the one that works."""

    def __init__(self) -> None:
        self._heap: list[Job] = []
        self._open: dict[int, Job] = {}
        self._arrivals = count()
        self._changed = threading.Condition()

    def add(self, job_id: int, work: JobSteps, stop: StopFlag, *, rank: int) -> None:
        """Append a job, before all of a higher rank."""
        with self._changed:
            job = Job(rank, next(self._arrivals), job_id, work, stop)
            self._open[job_id] = job
            heapq.heappush(self._heap, job)
            self._changed.notify()

    def cancel(self, job_id: int) -> None:
        """Give a job up, also in the midst of a step that asks; one that is not here has been answered.

        It comes first from then on: whoever gave it up need not wait for those before it.
        """
        with self._changed:
            job = self._open.get(job_id)
            if job is not None:
                job.stop.asked = True
                job.rank = _AT_ONCE
                heapq.heapify(self._heap)

    def work(self) -> Answer | None:
        """Wait for a job and do its next step; the final answer of a job that ended with it."""
        job = self._take()
        if job.stop.asked:
            answer: Answer | None = Failure(id=job.id, kind="cancelled", message="It was cancelled.")
        else:
            answer = job.work.step()
        with self._changed:
            if answer is None:
                heapq.heappush(self._heap, job)
            else:
                self._open.pop(job.id, None)
        if answer is not None:
            job.work.close()
        return answer

    def _take(self) -> Job:
        with self._changed:
            while not self._heap:
                self._changed.wait()
            return heapq.heappop(self._heap)
