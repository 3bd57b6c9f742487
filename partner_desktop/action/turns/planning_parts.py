"""PlanningParts: what the person's words are read with, and what they may set going."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.approvals import Approvals
from partner_desktop.action.corrections.interventions import Interventions
from partner_desktop.action.plans.plan_maker import PlanMaker
from partner_desktop.action.proposals import Proposals
from partner_desktop.action.questions import Questions
from partner_desktop.action.runs.plan_runner import PlanRunner
from partner_desktop.action.schedules.schedule_manager import ScheduleManager
from partner_desktop.action.store import ActionStore
from partner_desktop.action.turns.referents import Referents
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.tasks import Deferred
from partner_desktop.capabilities import CognitionCapability, EntityCapability, MemoryCapability
from partner_desktop.domain.action import KnownValue
from partner_desktop.domain.entity import Entity, EntityFact
from partner_desktop.domain.events import Event
from partner_desktop.domain.message import Role
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.files.home_index import HomeIndex
from partner_desktop.mind.parameter_finder import ParameterFinder
from partner_desktop.mind.question import ExtractedParams, ExtractParams, Mind
from partner_desktop.runtime.flow import RunningFlowContext

if TYPE_CHECKING:
    from partner_desktop.action.turns.history_answers import HistoryAnswers
    from partner_desktop.language.conversation_language import Language


#: Messages of a conversation, its last ones, that tell its language.
_LOOKED_AT = 30


@dataclass(frozen=True)
class PlanningParts:
    """The same ones for all who are given them."""

    mind: Mind
    catalog: AbilityCatalog
    maker: PlanMaker
    proposals: Proposals
    approvals: Approvals
    questions: Questions
    interventions: Interventions
    plan_runner: PlanRunner
    store: ActionStore
    referents: Referents
    home_index: HomeIndex
    cognition: CognitionCapability
    memory: MemoryCapability
    entities: EntityCapability
    accounts: Deferred[HistoryAnswers]
    publish: Callable[[Event], None]
    schedules: ScheduleManager


class PlanningPart:
    """Has them at hand, and what several ask: slow, without effects, and cut short by more words."""

    def __init__(self, parts: PlanningParts) -> None:
        self._mind = parts.mind
        self._finder = ParameterFinder(parts.mind.ask)
        self._catalog = parts.catalog
        self._maker = parts.maker
        self._proposals = parts.proposals
        self._approvals = parts.approvals
        self._questions = parts.questions
        self._interventions = parts.interventions
        self._plan_runner = parts.plan_runner
        self._store = parts.store
        self._referents = parts.referents
        self._home_index = parts.home_index
        self._cognition = parts.cognition
        self._entities = parts.entities
        self._schedules = parts.schedules

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


async def language_spoken_in(cognition: CognitionCapability, conversation_id: str) -> Language:
    """As `conversation_language` tells of what the person said there."""
    recent = await cognition.recent(conversation_id, limit=_LOOKED_AT)
    return await asyncio.to_thread(_read, [message.text for message in recent if message.role is Role.USER])


def _read(said: Sequence[str]) -> Language:
    # Reading words is nothing that a start, or the loop, should wait for.
    from partner_desktop.language.conversation_language import conversation_language  # noqa: PLC0415

    return conversation_language(said)
