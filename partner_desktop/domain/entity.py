"""Entities: who the person is, and whom and what the person speaks of, with what is known of each.

Nothing here is a model's memory: every fact names the message that it was learnt from, unless the person
entered it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass

#: The one entity that is always there: the person.
SELF = "self"

EntityKind = Literal["self", "person", "animal", "place", "project", "thing"]
FactSource = Literal["rules", "model", "person"]

#: What can be known; each has its words in `resources/messages/entities.*.toml`.
Attribute = Literal[
    "name",
    "relation",
    "birthday",
    "age",
    "home",
    "origin",
    "work",
    "job",
    "project",
    "email",
    "phone",
    "address",
    "allergy",
    "diet",
    "likes",
    "dislikes",
    "favourite",
    "language",
    "event",
    "impression",
    "note",
]

#: Of these a newer one takes the place of an older one; of the others all hold at once.
SINGLE: frozenset[str] = frozenset(
    {"name", "birthday", "age", "home", "origin", "work", "job", "email", "phone", "address"}
)


@dataclass(frozen=True)
class FactEvidence:
    """The message that a fact was learnt from."""

    message_id: str
    conversation_id: str
    position: int
    at: datetime


@dataclass(frozen=True)
class EntityFact:
    """One thing that is known of an entity; what was said several times is one fact."""

    id: str
    entity_id: str
    attribute: Attribute
    value: str
    key: str
    """What it is found by: the value in small letters; of a relation its one name, `sister`."""
    at: datetime
    """When it was said last."""
    confidence: float
    """0 to 1."""
    source: FactSource
    moment: datetime | None = None
    """The day that it is about, of what has one."""
    target_id: str = ""
    """Of a relation: to whom, where that is not the person."""
    former: bool = False
    """It was corrected, or something newer was said: it is kept, and does not hold any more."""
    evidence: tuple[FactEvidence, ...] = ()
    """The newest first; empty where the person entered it."""


@dataclass(frozen=True)
class MergedEntity:
    """An entity that was found to be another one."""

    id: str
    name: str


@dataclass(frozen=True)
class Entity:
    """The person, or somebody or something that the person spoke of."""

    id: str
    kind: EntityKind
    name: str
    """As it was given last; empty where only a relation is known: `my sister`."""
    aliases: tuple[str, ...]
    """Other names that were given, the newest first."""
    facts: tuple[EntityFact, ...]
    """All but the names, what holds first, then the newest first; former ones are among them."""
    names: tuple[EntityFact, ...] = ()
    """The names as facts, that in use first."""
    at: datetime | None = None
    """When something was said of it last."""
    merged: tuple[MergedEntity, ...] = ()

    def holding(self, attribute: str) -> tuple[EntityFact, ...]:
        """The facts of an attribute that hold, the newest first."""
        facts = self.names if attribute == "name" else self.facts
        return tuple(fact for fact in facts if fact.attribute == attribute and not fact.former)

    @property
    def relation(self) -> str:
        """What it is to the person, as `sister`; empty where that is not known."""
        return next((fact.key for fact in self.holding("relation") if not fact.target_id), "")


@dataclass(frozen=True)
class KnownOfPerson:
    """What is known about the person."""

    person: Entity
    others: Sequence[Entity]
    """Whom and what the person spoke of, the newest first; the first of them."""
    count: int
    """How many others there are."""
    unknown: tuple[Attribute, ...]
    """What one would like to know of a person and does not."""
    unread: int = 0
    """Messages that are still to be read for what they teach."""


@dataclass(frozen=True)
class EntitySubject:
    """Whom a statement is about; nothing is the person."""

    name: str = ""
    relation: str = ""
    """To the person, as the rules call it: `sister`."""
    said: str = ""
    """The relation as it was said: `little sister`, `妹妹`."""
    kind: EntityKind = "person"

    @property
    def is_person(self) -> bool:
        return not self.name and not self.relation


@dataclass(frozen=True)
class EntityStatement:
    """One thing that was stated."""

    subject: EntitySubject
    attribute: Attribute
    value: str = ""
    denied: str = ""
    """What it is not: `Anna, not Ann`."""
    moment: datetime | None = None
    """The day that it is about, in the person's time zone."""
    target: EntitySubject | None = None
    """Of a relation: whose it is, where it is not the person's."""
    confidence: float = 0.9
    introduces: bool = False
    """The subject may be somebody who was not spoken of yet."""
