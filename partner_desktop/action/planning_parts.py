"""PlanningParts: what the person's words are read with, and what they may set going."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from partner_desktop.action.approvals import Approvals
from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.action.chain.chain_core import ChainCore
from partner_desktop.action.chain.chain_words import ChainWords
from partner_desktop.action.core import ActionCore
from partner_desktop.action.parameters import ParameterFinder
from partner_desktop.action.questions import Questions
from partner_desktop.capabilities import CognitionCapability, EntityCapability, MemoryCapability
from partner_desktop.domain.action import KnownValue
from partner_desktop.domain.entity import Entity, EntityFact
from partner_desktop.domain.events import Event
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.question import (
    EvaluateIntent,
    ExtractedParams,
    ExtractParams,
    IntentEvaluation,
    Mind,
)
from partner_desktop.runtime.flow import RunningFlowContext


@dataclass(frozen=True)
class PlanningParts:
    """The same ones for all who are given them."""

    mind: Mind
    catalog: AbilityCatalog
    core: ActionCore
    chain_core: ChainCore
    approvals: Approvals
    questions: Questions
    chain_words: ChainWords
    cognition: CognitionCapability
    memory: MemoryCapability
    entities: EntityCapability
    publish: Callable[[Event], None]


class PlanningPart:
    """Has them at hand, and what all ask the mind: slow, without effects, and cut short by more words."""

    def __init__(self, parts: PlanningParts) -> None:
        self._mind = parts.mind
        self._finder = ParameterFinder(parts.mind)
        self._catalog = parts.catalog
        self._core = parts.core
        self._chain_core = parts.chain_core
        self._approvals = parts.approvals
        self._questions = parts.questions
        self._chain_words = parts.chain_words
        self._entities = parts.entities

    async def _asked(self, flow: RunningFlowContext, text: str) -> IntentEvaluation:
        """What the words mean, of all that can be called now."""
        request = EvaluateIntent(text, self._catalog.usable(), turn=flow.ref)
        return await flow.unless_interrupted(self._mind.ask(request))

    async def _asks_for_another(self, flow: RunningFlowContext, text: str, own: Collection[str]) -> bool:
        """Whether the words are a request for an ability whose key is none of these."""
        meant = (await self._asked(flow, text)).meant
        return bool(meant) and all(info.key not in own for info in meant)

    async def _find(self, flow: RunningFlowContext, request: ExtractParams) -> ExtractedParams:
        return await flow.unless_interrupted(self._finder.find(replace(request, turn=flow.ref)))

    async def _with_known(
        self, flow: RunningFlowContext, text: str, info: MetaActionInfo, found: ExtractedParams
    ) -> tuple[ExtractedParams, tuple[KnownValue, ...]]:
        """The arguments, with what is known of those whom the words name: `send it to Ann`."""
        supplied = await flow.unless_interrupted(self._entities.supplied(text, info, found.values))
        if not supplied:
            return found, ()
        values = {**found.values, **{name: fact.value for name, (_, fact) in supplied.items()}}
        missing = tuple(name for name in found.missing if name not in values)
        known = tuple(_known_value(name, one, fact) for name, (one, fact) in supplied.items())
        return replace(found, values=values, missing=missing, problem=""), known


def _known_value(param: str, entity: Entity, fact: EntityFact) -> KnownValue:
    said = fact.evidence[0] if fact.evidence else None
    where = (said.message_id, said.conversation_id) if said is not None else ("", "")
    return KnownValue(param, entity.name or entity.relation, fact.at, *where)
