"""What a run tells while it is under way (its progress, what it prints), and what its record keeps of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Self

from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.evidence import Finished
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.runner.call import OnOutput

#: Characters of each stream; about what a card shows.
KEPT = 16 * 1024


class Printed:
    """The end of what each run has printed, by action; only while it runs: its record has the outcome."""

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


def outcome_of(record: ActionRecord, response: RunnerResponse | None) -> ActionRecord:
    """The record with what a run answered; as it was where it did not come to an answer."""
    if response is None:
        return record
    return replace(
        record,
        status=ActionStatus.SUCCEEDED if response.ok else ActionStatus.FAILED,
        exit_code=response.exit_code,
        stdout=response.stdout,
        stderr=response.stderr,
        data=response.data,
        error=response.error,
        truncated=response.truncated,
        stdout_path=str(response.stdout_path or ""),
        stderr_path=str(response.stderr_path or ""),
        duration_ms=response.duration_ms,
        parts=response.parts,
        files=response.files,
        files_until=response.files_until,
        undo=response.undo,
    )


def finished_block(record: ActionRecord, steps: Sequence[ActionRecord]) -> ContextBlock:
    """The outcome, for the turns to come."""
    words = words_of(Finished(record, tuple(steps)))
    if record.verification is not None:
        told = json.dumps(record.verification.as_context(), ensure_ascii=False)
        words = replace(words, full=f"{words.full}\n{told}")
    return ContextBlock(
        name="action_finished",
        source=record.id,
        domain=Domain.ACTION,
        scope=record.conversation_id,
        full=words.full,
        compact=words.compact,
        abstract=words.abstract,
        fades=block_settings.FINISHED,
    )


#: Seconds between two that are passed on. A server may tell thousands in that time.
PACE_S = 0.1

Told = tuple[float, float | None, str]


class Progress:
    """Passes the first on at once and then the latest, once in `pace_s`, until the run is over."""

    def __init__(
        self, publish: Callable[[float, float | None, str], None], *, pace_s: float = PACE_S
    ) -> None:
        self._publish = publish
        self._pace_s = pace_s
        self._latest: Told | None = None
        self._pause: asyncio.TimerHandle | None = None
        self._over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        if self._pause is not None:
            self._pause.cancel()

    def tell(self, done: float, total: float | None, message: str) -> None:
        """The run is here now. On the loop; what comes after its end is dropped."""
        self._latest = (done, total, message)
        if self._pause is None and not self._over:
            self._go_on()

    def _go_on(self) -> None:
        self._pause = None
        if self._latest is None:
            return
        latest, self._latest = self._latest, None
        self._publish(*latest)
        self._pause = asyncio.get_running_loop().call_later(self._pace_s, self._go_on)
