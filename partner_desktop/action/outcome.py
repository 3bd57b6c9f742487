"""Outcome: what a run came to, in its record and for the turns to come. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Finished
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.domain.meta_action import RunnerResponse


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
