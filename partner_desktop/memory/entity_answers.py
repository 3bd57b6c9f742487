"""EntityAnswers: what is known, where somebody asks for it, tells it, or calls an ability that wants it.

Contract: it says what rows say, and claims nothing of what is not there: a question about something unknown
is left to recall. Words are read in a thread; the first message that comes pays for the patterns.

`EntityRecaller` puts whom a turn speaks of before the mind, with what is known of them; the person always.
The reply does not wait for it. What is spoken of again, or is known otherwise now, is put there anew; what
is known no more leaves with the next turn.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.patterns import late
from partner_desktop.base.recent import Recent
from partner_desktop.base.tasks import TaskSet
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.entity import SELF, Attribute, Entity, EntityFact, EntityStatement, FactEvidence
from partner_desktop.domain.evidence import FirstMeeting, KnownFacts, Learnt
from partner_desktop.domain.evidence_text import entity_words
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.memory.entity_learning import EntityLearning
from partner_desktop.memory.entity_store import EntityStore, value_key
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.turn_reader import TurnReader

if TYPE_CHECKING:
    from partner_desktop.language.entity_questions import Correction, EntityQuestion

#: Others who are named when somebody asks what is known at all.
_OTHERS = 12
#: Conversations of which it is known who was spoken of.
_CONVERSATIONS = 32
_MEETING = "first meeting"
#: Messages that a home has at most while the person and Partner have hardly spoken.
_MOST_OF_A_FIRST_MEETING = 12

#: Letters of a name that may be another one with one letter changed, or some behind it.
_LEAST_ALIKE = 3

_EMAIL = late(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = late(r"\+?[\d(][\d ()/.-]{5,24}\d")
#: What a parameter's name and description say, and what is wanted then.
_WANTS: Sequence[tuple[Attribute, re.Pattern[str], re.Pattern[str]]] = (
    ("email", late(r"e-?mail|\brecipient|邮箱|邮件地址|收件人", re.IGNORECASE), _EMAIL),
    ("phone", late(r"\b(?:tele|mobile ?)?phone\b|\bmobile\b|电话|手机", re.IGNORECASE), _PHONE),
    (
        "address",
        late(r"\b(?:postal|street|home|delivery) address\b|住址|收件地址", re.IGNORECASE),
        late(r".*\d.*"),
    ),
)


class EntityAnswers:
    """An `EntityCapability`; it knows what it showed last in each conversation."""

    def __init__(
        self, store: EntityStore, learning: EntityLearning, reader: TurnReader, *, clock: Clock
    ) -> None:
        self._store = store
        self._learning = learning
        self._reader = reader
        self._clock = clock
        self._shown: Recent[str, tuple[EntityFact, ...]] = Recent(_CONVERSATIONS)
        self._doubts: Recent[str, tuple[str, str]] = Recent(_CONVERSATIONS)
        self._met = False

    async def answer(
        self, text: str, *, conversation_id: str, message_ids: Sequence[str]
    ) -> KnownFacts | Learnt | None:
        """See `EntityCapability.answer`."""
        doubt = self._doubts.pop(conversation_id, None)
        if doubt is not None and (settled := await self._settled(text, *doubt)) is not None:
            return settled
        shown = self._shown.pop(conversation_id, ())
        question, correction = await asyncio.to_thread(_read, text)
        if correction is not None and shown:
            stated = await asyncio.to_thread(_stated, text)
            meant = await self._spoken_of(stated, shown) if stated else shown
            put_right = await self._corrected(correction.value, meant, conversation_id, message_ids)
            # `That's wrong, I live in Bremen` says by itself what is so.
            if not (put_right.unclear and stated):
                return put_right
        if question is None:
            return None
        await self._learning.catch_up()
        found = await self._found(question)
        if found is not None:
            self._shown[conversation_id] = found.facts or _facts_shown(found)
        return found

    async def _found(self, question: EntityQuestion) -> KnownFacts | None:
        if question.about == "everything":
            unread = await self._learning.unread()  # first: what is read meanwhile is known already
            known = replace(await self._store.known(limit=_OTHERS), unread=unread)
            return KnownFacts((known.person,), everything=known)
        entities = await self._of(question)
        if question.about == "whole":
            return KnownFacts(tuple(entities)) if entities else None
        attribute = question.attribute
        assert attribute is not None
        facts = [
            fact
            for one in entities
            for fact in (one.names if attribute == "name" else one.facts)
            if fact.attribute == attribute and question.detail in fact.value.lower()
        ]
        if not facts:
            unknown_name = attribute == "name" and question.subject.is_person
            return KnownFacts(tuple(entities), attribute) if unknown_name else None
        facts.sort(key=lambda fact: fact.former)
        return KnownFacts(tuple(entities), attribute, tuple(facts))

    async def _of(self, question: EntityQuestion) -> list[Entity]:
        subject = question.subject
        if subject.is_person:
            return [await self._store.get(SELF)]
        if not subject.relation:
            return await self._store.named([value_key(subject.name)])
        related = await self._store.related([subject.relation])
        if subject.name:
            return [one for one in related if value_key(subject.name) in _keys(one)]
        said = [one for one in related if _said_so(one, subject.said)]
        return said or related

    async def _spoken_of(
        self, stated: Sequence[EntityStatement], shown: Sequence[EntityFact]
    ) -> tuple[EntityFact, ...]:
        """What of the shown facts a message is about that says itself what: `no, my sister is Anna`."""
        entities = {one.id: one for one in await self._store.these([fact.entity_id for fact in shown])}
        return tuple(
            fact
            for fact in shown
            if any(
                one.attribute == fact.attribute
                and one.subject.is_person == (fact.entity_id == SELF)
                and (not one.subject.relation or _is_a(entities.get(fact.entity_id), one.subject.relation))
                for one in stated
            )
        )

    async def _corrected(
        self, value: str, shown: tuple[EntityFact, ...], conversation_id: str, message_ids: Sequence[str]
    ) -> Learnt:
        meant = [fact for fact in shown if not fact.former]
        if len(meant) > 1 and value:
            meant = [fact for fact in meant if _form_of(value) == _form_of(fact.value)]
        strict = [fact for fact in meant if value and fact.attribute in ("email", "phone")]
        if len(meant) != 1 or any(_form_of(value) != fact.attribute for fact in strict):
            self._shown[conversation_id] = shown
            return Learnt((), (), unclear=True)
        (wrong,) = meant
        if not value:
            left = await self._learning.told(await self._store.remove_fact(wrong.id))
            return Learnt((left,) if left is not None else (), (), (wrong,))
        entity = await self._store.correct_fact(
            wrong.id, value, said=await self._said(conversation_id, message_ids)
        )
        await self._learning.told(entity)
        key = value_key(value)
        facts = tuple(
            fact
            for fact in (*entity.names, *entity.facts)
            if fact.attribute == wrong.attribute and fact.key == key and not fact.former
        )
        self._shown[conversation_id] = facts
        return Learnt((entity,), facts, (wrong,))

    async def _said(self, conversation_id: str, message_ids: Sequence[str]) -> FactEvidence | None:
        """The message as evidence, where it is there."""
        found = await self._reader.at([await self._reader.first_of(message_ids)]) if message_ids else {}
        return next(
            (FactEvidence(t.message_id, conversation_id, t.position, t.at) for t in found.values()), None
        )

    async def taught(
        self, text: str, *, conversation_id: str, message_ids: Sequence[str], wholly: bool
    ) -> Learnt | None:
        """See `EntityCapability.taught`."""
        if not await asyncio.to_thread(_states, text, wholly=wholly):
            return None
        await self._learning.catch_up()
        facts = await self._store.learnt_from(message_ids)
        if not facts:
            return None
        entities = [await self._store.get(one) for one in dict.fromkeys(fact.entity_id for fact in facts)]
        told = [fact for fact in facts if not (fact.former and fact.attribute == "name")]
        told = _without_doubles(told)
        before = [fact for fact in facts if fact.former and fact.attribute == "name"]
        self._shown[conversation_id] = tuple(fact for fact in told if fact.attribute != "relation")
        doubt = await self._doubt(entities, facts)
        if doubt:
            self._doubts[conversation_id] = (doubt[1].id, doubt[0].id)
        return Learnt(tuple(entities), tuple(told), tuple(before), doubt)

    async def _doubt(self, entities: Sequence[Entity], facts: Sequence[EntityFact]) -> tuple[Entity, ...]:
        """One who was just named, and another of nearly that name who is the same to the person.

        A pair is asked about once, and no more than one on a day.
        """
        named = {fact.entity_id for fact in facts if fact.attribute == "name" and not fact.former}
        for one in entities:
            if one.id not in named or not one.relation:
                continue
            for other in await self._store.related([one.relation]):
                if other.id == one.id or not _alike(one.name, other.name):
                    continue
                day = f"{self._clock.now().astimezone():%Y-%m-%d}"
                pair = "/".join(sorted((one.id, other.id)))
                if await self._store.first_time(f"asked {day}"):
                    return (one, other) if await self._store.first_time(f"pair {pair}") else ()
        return ()

    async def _settled(self, text: str, into_id: str, other_id: str) -> Learnt | None:
        """What became of the question whether two are one; `None`: the words are about something else."""
        answer = await asyncio.to_thread(_yes_or_no, text)
        if answer is None:
            return None
        there = await self._store.these([into_id, other_id])
        if answer and len(there) > 1:
            there = [await self._learning.told(await self._store.merge(into_id, other_id))]
        return Learnt(tuple(there), (), settled=answer)

    async def supplied(
        self, text: str, info: MetaActionInfo, values: JsonObject
    ) -> Mapping[str, tuple[Entity, EntityFact]]:
        """See `EntityCapability.supplied`."""
        wanted = {
            name: attribute
            for name, schema in info.properties().items()
            if (attribute := _wanted(name, schema, values.get(name))) is not None
        }
        if not wanted:
            return {}
        await self._learning.catch_up()
        people = [one for one in await self.mentioned(text) if one.id != SELF]
        found: dict[str, tuple[Entity, EntityFact]] = {}
        for name, attribute in wanted.items():
            fitting = [one for one in people if one.holding(attribute)]
            if len(fitting) == 1:
                found[name] = fitting[0], fitting[0].holding(attribute)[0]
        return found

    async def mentioned(self, text: str) -> list[Entity]:
        """Whom and what a text names, or speaks of as `my sister`."""
        names, relations = await asyncio.to_thread(_names, text)
        named = await self._store.named(list(dict.fromkeys(map(value_key, names))))
        related = await self._store.related(relations)
        said = [one for one in named if one.relation in relations]
        # `My sister Ann` is Ann, not every sister.
        others = [] if said else related
        return list({one.id: one for one in (*named, *others)}.values())

    async def active(
        self, text: str, standing: Sequence[str], *, most: int
    ) -> tuple[Sequence[Entity], Sequence[Entity]]:
        """Whom a text speaks of, and the person where anything is known; and who is still there of others.

        `standing` are ids. What nothing is known of any more is in neither.
        """
        await self._learning.catch_up()
        person = await self._store.get(SELF)
        named = (await self.mentioned(text))[:most]
        fresh = {one.id: one for one in (person, *named) if one.names or one.facts}
        left = await self._store.these([one for one in standing if one not in fresh])
        return tuple(fresh.values()), tuple(left)

    async def first_meeting(self, conversation_id: str) -> FirstMeeting | None:
        """See `EntityCapability.first_meeting`."""
        if self._met:
            return None
        self._met = True
        turns = await self._reader.after(-1, _MOST_OF_A_FIRST_MEETING + 1)
        here = [turn for turn in turns if turn.conversation_id == conversation_id]
        if len(turns) > _MOST_OF_A_FIRST_MEETING or len(here) < len(turns):
            return None
        if not await self._store.first_time(_MEETING):
            return None
        await self._learning.catch_up()
        return FirstMeeting(await self._store.known(limit=_OTHERS))


def _read(text: str) -> tuple[EntityQuestion | None, Correction | None]:
    from partner_desktop.language.entity_questions import (  # noqa: PLC0415 - with the first message
        read_correction,
        read_entity_question,
    )

    return read_entity_question(text), read_correction(text)


def _yes_or_no(text: str) -> bool | None:
    from partner_desktop.domain.intervention import Confirmation  # noqa: PLC0415 - with the first message
    from partner_desktop.language.speech_acts.assent import judge  # noqa: PLC0415 - with the first message

    return {Confirmation.CONFIRM: True, Confirmation.REJECT: False}.get(judge(text))


def _alike(one: str, other: str) -> bool:
    """Whether two names may be one: `Ann` and `Anna`, `Mark` and `Marc`, `小雨` and `小宇`."""
    short, long = sorted((value_key(one), value_key(other)), key=len)
    if short == long or len(short) < _LEAST_ALIKE - (not short.isascii()):
        return False
    if len(long) > len(short):
        return long.startswith(short) and len(long) - len(short) <= _LEAST_ALIKE
    return sum(mine != theirs for mine, theirs in zip(short, long, strict=True)) == 1


def _states(text: str, *, wholly: bool) -> bool:
    from partner_desktop.language.entity_statements import states_only  # noqa: PLC0415 - with the first message

    return not wholly or states_only(text)


def _stated(text: str) -> tuple[EntityStatement, ...]:
    from partner_desktop.language.entity_statements import read_statements  # noqa: PLC0415 - with the first

    return read_statements(text, datetime.now().astimezone())


def _is_a(entity: Entity | None, relation: str) -> bool:
    return entity is not None and entity.relation == relation


def _names(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    from partner_desktop.language.entity_questions import names_in  # noqa: PLC0415 - with the first message

    return names_in(text)


def _without_doubles(facts: Sequence[EntityFact]) -> list[EntityFact]:
    """`My sister's name is Ann` says by itself who Ann is, and `Ann's husband is Tom` how he is called."""
    named = {fact.entity_id for fact in facts if fact.attribute == "name"}
    related = {fact.entity_id for fact in facts if fact.attribute == "relation" and fact.target_id}
    others = {fact.entity_id for fact in facts if fact.attribute not in ("name", "relation")}
    return [
        fact
        for fact in {(one.entity_id, one.attribute, one.key, one.former): one for one in facts}.values()
        if not (fact.attribute == "relation" and not fact.target_id and fact.entity_id in named | others)
        and not (fact.attribute == "name" and fact.entity_id in related)
    ]


def _facts_shown(found: KnownFacts) -> tuple[EntityFact, ...]:
    return tuple(fact for one in found.entities for fact in (*one.names, *one.facts) if not fact.former)


def _keys(entity: Entity) -> set[str]:
    return {fact.key for fact in entity.names}


def _said_so(entity: Entity, said: str) -> bool:
    return any(value_key(fact.value) == value_key(said) for fact in entity.holding("relation"))


def _form_of(value: str) -> str:
    """What kind of thing a value is, as far as its letters tell."""
    if _EMAIL.fullmatch(value):
        return "email"
    if _PHONE.fullmatch(value):
        return "phone"
    return "number" if value.isdigit() else "words"


def _wanted(name: str, schema: JsonObject, value: object) -> Attribute | None:
    """What of somebody a parameter wants, where it has nothing of that form yet."""
    if schema.get("type", "string") != "string":
        return None
    told = f"{name.replace('_', ' ')} {schema.get('description', '')}"
    for attribute, wants, form in _WANTS:
        asks = schema.get("format") == attribute or wants.search(told)
        if asks:
            return None if isinstance(value, str) and form.fullmatch(value.strip()) else attribute
    return None


_log = log.area("memory")

_BLOCK = "active_entity"
#: Of those that a turn names; more names are a list, not whom it is about.
_MOST = 8


class EntityRecaller(RunningModule):
    """Runs beside the planner."""

    order = 2

    def __init__(self, workspace: ContextWorkspace, entities: EntityAnswers) -> None:
        self._workspace = workspace
        self._entities = entities
        self._tasks = TaskSet("entities in the prompt")
        self._there: Recent[str, dict[str, Entity]] = Recent(_CONVERSATIONS, self._expire)

    async def execute(self, flow: RunningFlowContext) -> None:
        if flow.text.strip():
            self._tasks.start(f"entities:{flow.turn_id[:8]}", self._recall(flow))

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def _recall(self, flow: RunningFlowContext) -> None:
        place = flow.conversation_id
        there = self._there.get(place, {})
        try:
            fresh, standing = await self._entities.active(flow.text, [*there], most=_MOST)
        except PartnerError as error:
            _log.warning("nobody is recalled: %s", error)
            return
        now = {one.id: one for one in (*fresh, *standing)}
        self._expire(place, there.keys() - now.keys())
        # Of whom something is known no more, no block may go on to say it.
        self._put(place, [*fresh, *(one for one in standing if one != there[one.id])])
        self._there[place] = now

    def _expire(self, place: str, entity_ids: Iterable[str]) -> None:
        for entity_id in entity_ids:
            self._workspace.expire(_BLOCK, _source(entity_id), scope=place)

    def _put(self, place: str, entities: Sequence[Entity]) -> None:
        for one in entities:
            words = entity_words(one)
            self._workspace.expire(_BLOCK, _source(one.id), scope=place)
            self._workspace.register(
                ContextBlock(
                    name=_BLOCK,
                    source=_source(one.id),
                    domain=Domain.MEMORY,
                    scope=place,
                    full=words.full,
                    compact=words.compact,
                    abstract=words.abstract,
                    fades=block_settings.ACTIVE_ENTITY,
                )
            )


def _source(entity_id: str) -> str:
    return f"EntityRecaller:{entity_id if entity_id == SELF else entity_id[:8]}"
