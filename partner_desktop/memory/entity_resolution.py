"""From a statement to the entity that it is about, and to the rows that keep it; inside a transaction.

Two people of one name are two where their relations tell them apart. What could be about either of two
teaches nothing: a wrong fact costs more than a missing one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from partner_desktop.domain.entity import SELF, Entity, EntityStatement, EntitySubject, FactSource
from partner_desktop.domain.remembered import RememberedTurn
from partner_desktop.language.entity_statements import entity_rules
from partner_desktop.memory.entity_store import (
    FORMER,
    FactRow,
    insert_entity,
    insert_fact,
    join_entities,
    read_entities,
    roots_named,
    roots_nameless,
    roots_related,
    value_key,
)
from partner_desktop.storage.database import Connection


def keep_statements(
    db: Connection, turn: RememberedTurn, statements: Sequence[EntityStatement], source: FactSource = "rules"
) -> int:
    """Write what a turn states; how many facts."""
    blank = FactRow(
        "", "note", "", turn.at, source=source,
        message_id=turn.message_id, conversation_id=turn.conversation_id, position=turn.position,
    )  # fmt: skip
    return sum(_keep(db, statement, blank) for statement in statements)


def _keep(db: Connection, statement: EntityStatement, blank: FactRow) -> int:
    row = replace(
        blank, attribute=statement.attribute, value=statement.value, moment=statement.moment,
        confidence=statement.confidence,
    )  # fmt: skip
    if statement.attribute == "name":
        return _keep_name(db, statement, row)
    found = _subject_of(db, statement, blank)
    target = ("", 0) if statement.target is None else _resolved(db, statement.target, blank)
    if found is None or target is None:
        return 0
    return found[1] + target[1] + _write(db, statement, replace(row, entity_id=found[0], target_id=target[0]))


def _write(db: Connection, statement: EntityStatement, row: FactRow) -> int:
    if statement.denied:
        insert_fact(db, replace(row, value=statement.denied, denied=FORMER))
    if statement.value:
        insert_fact(db, row)
    return bool(statement.denied) + bool(statement.value)


def _keep_name(db: Connection, statement: EntityStatement, row: FactRow) -> int:
    """A name: the person's, that of one who is known by another, or that of `my sister`."""
    subject = statement.subject
    if subject.is_person:
        return _write(db, statement, replace(row, entity_id=SELF))
    if not subject.relation:
        found = _named(db, subject.name, also_person=True)
        return _write(db, statement, replace(row, entity_id=found[0].id)) if len(found) == 1 else 0
    called = _of_relation(_named(db, statement.denied), subject.relation) if statement.denied else []
    if called:
        # `My sister is Ann, not Anna`, where both were told of: there is one of them.
        known = _of_relation(_named(db, statement.value), subject.relation)
        if len(called) == len(known) == 1 and called[0].id != known[0].id:
            join_entities(db, known[0].id, called[0].id)
            return _write(db, statement, replace(row, entity_id=known[0].id))
        return _write(db, statement, replace(row, entity_id=called[0].id))
    resolved = _resolved(db, replace(subject, name=subject.name or statement.value), row)
    if resolved is None:
        return 0
    denial = replace(statement, value="")
    return resolved[1] + _write(db, denial, replace(row, entity_id=resolved[0]))


def _subject_of(db: Connection, statement: EntityStatement, blank: FactRow) -> tuple[str, int] | None:
    """The entity, and how many facts were written of it on the way; `None`: it cannot be told."""
    subject = statement.subject
    if statement.introduces or subject.is_person or subject.relation:
        return _resolved(db, subject, blank)
    found = _named(db, subject.name)
    return (found[0].id, 0) if len(found) == 1 else None


def _resolved(db: Connection, subject: EntitySubject, blank: FactRow) -> tuple[str, int] | None:
    if subject.is_person:
        return SELF, 0
    if not subject.relation:
        found = _named(db, subject.name)
        if len(found) > 1:
            return None
        return (found[0].id, 0) if found else _new(db, subject, blank)
    if not subject.name:
        return _only_related(db, subject, blank)
    one = _same_one(db, subject)
    return (one.id, _add(db, one.id, subject, blank)) if one is not None else _new(db, subject, blank)


def _same_one(db: Connection, subject: EntitySubject) -> Entity | None:
    """Who is `my sister Ann`, if she was spoken of: so, as Ann alone, or as a sister without a name."""
    named = _named(db, subject.name)
    if same := _of_relation(named, subject.relation):
        return same[0]
    free = [one for one in named if not one.relation or _loose(one.relation, subject.relation)]
    if len(free) == 1:
        return free[0]
    nameless = roots_nameless(db, subject.relation)
    if len(nameless) == 1:
        return read_entities(db, nameless)[0]
    if subject.relation not in _words("unique"):
        return None
    related = read_entities(db, roots_related(db, [subject.relation]))
    return related[0] if len(related) == 1 else None


def _only_related(db: Connection, subject: EntitySubject, blank: FactRow) -> tuple[str, int] | None:
    """`My sister lives in Ulm`: the only sister, or the only one who was called so."""
    related = read_entities(db, roots_related(db, [subject.relation]))
    if len(related) > 1:
        called = [one for one in related if _called(one, subject)]
        related = called if len(called) == 1 else related
    if len(related) > 1:
        return None
    return (related[0].id, 0) if related else _new(db, subject, blank)


def _called(one: Entity, subject: EntitySubject) -> bool:
    return any(value_key(fact.value) == value_key(subject.said) for fact in one.holding("relation"))


def _new(db: Connection, subject: EntitySubject, blank: FactRow) -> tuple[str, int]:
    entity_id = insert_entity(db, subject.kind)
    return entity_id, _add(db, entity_id, subject, blank)


def _add(db: Connection, entity_id: str, subject: EntitySubject, blank: FactRow) -> int:
    """What the subject says by itself: its name and its relation."""
    row = replace(blank, entity_id=entity_id, confidence=0.9)
    written = 0
    if subject.name:
        insert_fact(db, replace(row, attribute="name", value=subject.name))
        written += 1
    if subject.relation:
        insert_fact(db, replace(row, attribute="relation", value=subject.said, key=subject.relation))
        written += 1
    return written


def _named(db: Connection, name: str, *, also_person: bool = False) -> list[Entity]:
    found = read_entities(db, roots_named(db, [value_key(name)]))
    return [one for one in found if also_person or one.id != SELF]


def _of_relation(entities: Sequence[Entity], relation: str) -> list[Entity]:
    return [one for one in entities if one.relation == relation]


def _loose(one: str, other: str) -> bool:
    return {one, other} <= _words("loose")


def _words(name: str) -> frozenset[str]:
    rules = entity_rules("en")
    return rules.loose if name == "loose" else rules.unique
