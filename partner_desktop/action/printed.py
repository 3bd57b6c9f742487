"""Printed: the end of what each run under way has printed, for whoever comes to look at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from partner_desktop.action.runner.call import OnOutput
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import Stream

#: Characters of each stream; about what a card shows.
KEPT = 16 * 1024


class Printed:
    """By action; only while it runs: its record has the outcome."""

    def __init__(self) -> None:
        self._ends: dict[str, dict[Stream, str]] = {}

    def so_far(self, action_id: str) -> dict[Stream, str]:
        """What is kept of a run; empty when it is over or printed nothing."""
        return dict(self._ends.get(action_id, {}))

    @contextmanager
    def of(self, action_id: str, tell: OnOutput) -> Iterator[OnOutput]:
        """Around a run: what gets its output, keeps the end of it and passes it on."""
        ends = self._ends[action_id] = {}

        def take(stream: Stream, text: str) -> None:
            ends[stream] = (ends.get(stream, "") + text)[-KEPT:]
            tell(stream, text)

        try:
            yield take
        finally:
            del self._ends[action_id]


def cut_short(ended: ActionRecord, status: ActionStatus, said: dict[Stream, str]) -> ActionRecord:
    """A run that was ended from outside left no response: what it printed until then is all there is."""
    return replace(
        ended,
        status=status,
        error="",
        stdout=said.get("stdout", ""),
        stderr=said.get("stderr", ""),
        truncated=any(len(text) >= KEPT for text in said.values()),
    )
