"""PromptDesk: makes the request of a reply from what is known, and writes down what it was made of.

Contract: `prepare` before the mind is asked; `settle` before the turn is over, however it ends. Preparing
only reads the dialog, so that the first word does not wait for a record that nobody reads yet.
"""

from __future__ import annotations

import asyncio

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import StorageError
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.capabilities.action import ActionCapability
from partner_desktop.capabilities.cognition import CognitionCapability
from partner_desktop.communication import prompt
from partner_desktop.communication.window import MOST_MESSAGES, DialogWindow, said_before
from partner_desktop.config.center import ConfigHandle
from partner_desktop.context.block import Domain
from partner_desktop.context.resolution import Resolution
from partner_desktop.context.settings import ContextSettings
from partner_desktop.context.snapshots import SnapshotStore, TurnPrompt
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.message import Message
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.mind.port import Mind, ReplyRequest
from partner_desktop.runtime.flow import RunningFlowContext

_log = log.area("communication")

#: What a reply is about, what matters most first.
_DOMAINS = (Domain.COGNITION, Domain.ACTION, Domain.MEMORY, Domain.PERCEIVE)
#: Messages that a reply looks back at.
_RECENT = 6


class PromptDesk:
    """Belongs to the CommunicationProducer."""

    def __init__(
        self,
        mind: Mind,
        workspace: ContextWorkspace,
        cognition: CognitionCapability,
        action: ActionCapability,
        snapshots: SnapshotStore,
        *,
        settings: ConfigHandle[ContextSettings],
        clock: Clock,
    ) -> None:
        self._mind = mind
        self._workspace = workspace
        self._cognition = cognition
        self._action = action
        self._snapshots = snapshots
        self._settings = settings
        self._clock = clock
        self._windows = DialogWindow()
        self._made: dict[str, TurnPrompt] = {}

    async def prepare(self, flow: RunningFlowContext) -> ReplyRequest:
        """The question for the mind, with the prompt that answers to it word by word."""
        limit = MOST_MESSAGES + len(flow.inputs)
        messages, count = await asyncio.gather(
            self._cognition.recent(flow.conversation_id, limit=limit),
            self._cognition.count(flow.conversation_id),
        )
        resolution = await self._workspace.resolve_async(
            _DOMAINS, scope=flow.conversation_id, turn_id=flow.turn_id
        )
        abilities = tuple(self._action.usable())
        parts = prompt.build(
            abilities=abilities,
            dialog=self._dialog(flow, messages, first=max(0, count - len(messages))),
            resolution=resolution,
            inputs=flow.inputs,
            counter=self._workspace.counter,
        )
        self._keep(flow, resolution, parts)
        told = [fact for item in flow.inputs for fact in item.evidence]
        return ReplyRequest(
            text=flow.text,
            evidence=[*told, *resolution.evidence_of(flow.turn_id)],
            abilities=abilities,
            recent=messages[-_RECENT:],
            prompt=parts,
        )

    def _dialog(self, flow: RunningFlowContext, messages: list[Message], *, first: int) -> list[PromptPart]:
        return self._windows.parts(
            said_before(messages, flow.inputs),
            first=first,
            budget_tokens=self._settings.value.dialog_tokens,
            counter=self._workspace.counter,
        )

    def _keep(self, flow: RunningFlowContext, resolution: Resolution, parts: tuple[PromptPart, ...]) -> None:
        self._made[flow.turn_id] = TurnPrompt(
            turn_id=flow.turn_id,
            conversation_id=flow.conversation_id,
            at=self._clock.now(),
            mind=self._mind.name,
            said=flow.text,
            resolution=resolution,
            prompt=parts,
        )

    async def settle(self, flow: RunningFlowContext) -> None:
        """Write the turn's prompt down; a disk that refuses costs the record, never the reply."""
        made = self._made.pop(flow.turn_id, None)
        if made is None:
            return
        try:
            await uninterrupted(self._snapshots.record(made))
        except StorageError as error:
            _log.warning("the context of turn %s was not kept: %s", flow.turn_id, error)
