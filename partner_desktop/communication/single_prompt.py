"""SinglePrompt: the prompts of a turn that belongs to no conversation, for a mind that is tried out.

They are made of the same parts as those of a conversation: who speaks, what can be done, what happened, what
was said. Nothing is registered, kept or counted anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from partner_desktop.base.clock import Clock
from partner_desktop.base.prompts import prompt_text
from partner_desktop.capabilities import PromptPrefix
from partner_desktop.communication.prompt_builder import prompt_tail
from partner_desktop.communication.prompt_prefix import make_digest
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.tokens import EstimatedTokens
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.runtime.exchanges import Exchange
from partner_desktop.runtime.flow import FlowInput, Source

_MOST_DIGEST_TOKENS = 1_000
_SOURCE = Source("window", "")
#: Nothing that changes from one time to the next: a model is tried out on the same words.
_AT = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


class SinglePrompt:
    """Implements `PrefixCapability`. `persona` empty: the shipped one."""

    def __init__(
        self, abilities: Sequence[MetaActionInfo], *, language: str, persona: str, clock: Clock
    ) -> None:
        self._counter = counter = EstimatedTokens()
        self._clock = clock
        persona = persona or prompt_text("persona", language)
        digest = make_digest(
            abilities, language=language, most_tokens=_MOST_DIGEST_TOKENS, counter=counter
        ).text
        self._parts = (
            PromptPart("system", "persona", persona, counter.count(persona)),
            PromptPart("system", "capabilities", digest, counter.count(digest)),
        )

    async def prefix(self, turn: TurnRef) -> PromptPrefix:
        """See `PrefixCapability`; nothing was said before."""
        del turn
        return PromptPrefix(self._parts)

    def of_reply(self, text: str, evidence: Sequence[Evidence], turn: TurnRef) -> tuple[PromptPart, ...]:
        """The whole prompt of a reply to `text`, in a turn in which this happened."""
        workspace = ContextWorkspace(clock=self._clock, counter=self._counter)
        for fact in evidence:
            workspace.register(_block_of(fact, turn))
        tail = prompt_tail(
            resolution=workspace.resolve((Domain.ACTION,), scope="", turn_id=turn.turn_id),
            fresh="",
            inputs=(FlowInput(_SOURCE, _AT, Exchange("", lambda _exchange: None), text),),
            most_characters=None,
            counter=self._counter,
        )
        return (*self._parts, *tail)


def _block_of(evidence: Evidence, turn: TurnRef) -> ContextBlock:
    words = words_of(evidence)
    return ContextBlock(
        name=type(evidence).__name__.lower(),
        source="ActionPlanner",
        domain=Domain.ACTION,
        full=words.full,
        compact=words.compact,
        abstract=words.abstract,
        fades=block_settings.TURN_EVIDENCE,
        evidence=evidence,
        turn_id=turn.turn_id,
    )
