"""PromptDesk: makes the request of a reply from what is known, and writes down what it was made of.

Contract: `prepare` before the mind is asked; `settle` before the turn is over, however it ends. Preparing
only reads the dialog, so that the first word does not wait for a record that nobody reads yet.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ContextOverflowError, StorageError
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.capabilities import ActionCapability, CognitionCapability
from partner_desktop.communication.context_usage import ContextUsage, words
from partner_desktop.communication.fitting import Fit, fit
from partner_desktop.communication.prompt import prompt_tail
from partner_desktop.communication.prompt_budget import PromptBudgets, cost_of
from partner_desktop.communication.prompt_prefix import PrefixKeeper
from partner_desktop.context.block import Domain
from partner_desktop.context.resolution import Resolution
from partner_desktop.context.snapshots import SnapshotStore, TurnPrompt
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.snapshot import PromptFill, PromptPart
from partner_desktop.mind.question import Mind, ReplyRequest
from partner_desktop.runtime.channel import ChannelRegistry
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
        prefixes: PrefixKeeper,
        budgets: PromptBudgets,
        channels: ChannelRegistry,
        *,
        clock: Clock,
    ) -> None:
        self._mind = mind
        self._workspace = workspace
        self._cognition = cognition
        self._action = action
        self._snapshots = snapshots
        self._prefixes = prefixes
        self._budgets = budgets
        self._usage = ContextUsage(channels, snapshots, language=lambda: budgets.language)
        self._clock = clock
        self._made: dict[str, TurnPrompt] = {}
        self._dialogs: dict[str, float] = {}
        """How full the dialog's share was."""

    async def prepare(self, flow: RunningFlowContext) -> ReplyRequest:
        """The question for the mind, with the prompt that answers to it word by word."""
        kept, recent = await asyncio.gather(
            self._prefixes.kept(flow.ref), self._cognition.recent(flow.conversation_id, limit=_RECENT)
        )
        abilities = tuple(self._action.usable())
        fresh = kept.digest.differences(abilities)
        fitted = await fit(self._prefixes, flow.ref, flow.inputs, kept=kept, fresh=fresh)
        counter = self._workspace.counter = kept.budgets.counter
        resolution = await self._workspace.resolve_async(
            _DOMAINS, scope=flow.conversation_id, turn_id=flow.turn_id, most_tokens=fitted.blocks_tokens
        )
        tail = prompt_tail(
            resolution=resolution,
            fresh=fresh,
            inputs=flow.inputs,
            most_characters=fitted.most_characters,
            counter=counter,
        )
        parts = (*fitted.kept.parts, *tail)
        self._keep(flow, resolution, parts, fitted)
        told = [fact for item in flow.inputs for fact in item.evidence]
        return ReplyRequest(
            text=flow.text,
            evidence=[*told, *resolution.evidence_of(flow.turn_id)],
            abilities=abilities,
            recent=recent,
            prompt=parts,
            turn=flow.ref,
        )

    async def prepare_shorter(self, flow: RunningFlowContext, error: ContextOverflowError) -> ReplyRequest:
        """The question again: its prompt was longer than the model can hold, which is known exactly now."""
        made = self._made[flow.turn_id]
        self._budgets.learn(flow.conversation_id, error, estimated_tokens=cost_of(made.prompt))
        self._prefixes.end(flow.turn_id)
        _log.info("turn %s: the prompt was too long (%s) and is made shorter", flow.turn_id[:8], error)
        return await self.prepare(flow)

    def too_long(self, error: ContextOverflowError) -> str:
        """What is said when the question fits at no length."""
        language = self._budgets.language
        return words("too_long", language, prompt=error.prompt_tokens, context=error.context_tokens)

    def _keep(
        self,
        flow: RunningFlowContext,
        resolution: Resolution,
        parts: tuple[PromptPart, ...],
        fitted: Fit,
    ) -> None:
        budgets = fitted.kept.budgets
        self._made[flow.turn_id] = TurnPrompt(
            turn_id=flow.turn_id,
            conversation_id=flow.conversation_id,
            at=self._clock.now(),
            mind=self._mind.name,
            said=flow.text,
            resolution=resolution,
            prompt=parts,
            fill=PromptFill(
                context_tokens=budgets.context_tokens,
                answer_tokens=budgets.answer_tokens,
                prompt_tokens=cost_of(parts),
                left_out_messages=fitted.kept.left_out_messages,
            ),
        )
        self._dialogs[flow.turn_id] = fitted.kept.dialog_fullness
        if fitted.most_characters is not None:
            self._tell_cut(flow, fitted)

    def _tell_cut(self, flow: RunningFlowContext, fitted: Fit) -> None:
        budgets = fitted.kept.budgets
        self._usage.cut(
            flow.conversation_id,
            flow.inputs[-1].message_id,
            model=budgets.model,
            context_tokens=budgets.context_tokens,
        )

    async def settle(self, flow: RunningFlowContext) -> None:
        """Write the turn's prompt down; a disk that refuses costs the record, never the reply."""
        self._prefixes.end(flow.turn_id)
        made = self._made.pop(flow.turn_id, None)
        if made is None:
            return
        made = replace(made, fill=self._usage.exact(flow.turn_id, made.fill))
        try:
            await uninterrupted(self._record(made))
        except StorageError as error:
            _log.warning("the context of turn %s was not kept: %s", flow.turn_id, error)

    async def _record(self, made: TurnPrompt) -> None:
        dialog = self._dialogs.pop(made.turn_id, 0.0)
        await self._usage.tell(made.conversation_id, made.fill, dialog=dialog, model=made.mind)
        await self._snapshots.record(made)
