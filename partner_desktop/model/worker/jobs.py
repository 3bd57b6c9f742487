"""What the worker still has to do, step by step: between two steps the most urgent job is chosen anew."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from partner_desktop.model.worker.frames import Answer, Failure

#: One step of a job: its final answer, or `None` when there is more to do.
Step = Callable[[], Answer | None]


@dataclass(order=True)
class Job:
    """Sorted by urgency, then by arrival."""

    rank: int
    arrived: int
    id: int = field(compare=False)
    step: Step = field(compare=False)
    cancelled: bool = field(default=False, compare=False)


class JobQueue:
    """Filled by the thread that reads the pipe, emptied by the one that works."""

    def __init__(self) -> None:
        self._heap: list[Job] = []
        self._open: dict[int, Job] = {}
        self._arrivals = count()
        self._changed = threading.Condition()

    def add(self, job_id: int, step: Step, *, urgent: bool) -> None:
        """Append a job, before all that are not urgent if it is."""
        with self._changed:
            job = Job(0 if urgent else 1, next(self._arrivals), job_id, step)
            self._open[job_id] = job
            heapq.heappush(self._heap, job)
            self._changed.notify()

    def cancel(self, job_id: int) -> None:
        """Give a job up before its next step; one that is not here has been answered."""
        with self._changed:
            job = self._open.get(job_id)
            if job is not None:
                job.cancelled = True

    def work(self) -> Answer | None:
        """Wait for a job and do its next step; the final answer of a job that ended with it."""
        job = self._take()
        if job.cancelled:
            answer: Answer | None = Failure(id=job.id, kind="cancelled", message="It was cancelled.")
        else:
            answer = job.step()
        with self._changed:
            if answer is None:
                heapq.heappush(self._heap, job)
            else:
                del self._open[job.id]
        return answer

    def _take(self) -> Job:
        with self._changed:
            while not self._heap:
                self._changed.wait()
            return heapq.heappop(self._heap)
