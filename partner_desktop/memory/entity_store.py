"""EntityStore: entities and what is known of each, as rows that name what they were learnt from.

Contract: a row for each time that something was said. What was said again is one fact, what was denied later
is a former one, and of what can be so only once the newest holds; all of that is made where it is read, so
that nothing has to be put right when a message goes: its rows go with it, and an entity with its last row. A
merge changes no fact, so that it can be undone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast, get_args

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.entity import (
    SELF,
    SINGLE,
    Attribute,
    Entity,
    EntityFact,
    EntityKind,
    FactEvidence,
    FactSource,
    KnownOfPerson,
    MergedEntity,
)
from partner_desktop.runtime.dialog import storable
from partner_desktop.storage.database import Connection, Database, Row

#: What `entity_facts.denied` holds: it is so; it is not so, and is kept as what was said; it is not shown.
HELD, FORMER, REMOVED = 0, 1, 2

ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)
#: What one would like to know of a person.
_WANTED: tuple[Attribute, ...] = ("name", "home", "work", "birthday", "likes")
_LONGEST_VALUE = 400
#: Of one relation, those that are looked at: who has more friends says which.
_MOST_RELATED = 20
#: An id, or as much of its beginning as is enough to name it.
_OF_ID = "(id = :id OR (length(:id) >= 6 AND id > :id AND id < :id || 'g'))"

#: Every entity of some rows of facts, that which was spoken of last first.
_NEWEST = (
    "SELECT e.root, max(f.at) AS newest FROM entity_facts AS f JOIN entities AS e ON e.id = f.entity_id "
)
_FACTS = "SELECT f.*, e.root FROM entity_facts AS f JOIN entities AS e ON e.id = f.entity_id "


def value_key(value: str) -> str:
    """What a value is found by: width, case and blanks aside."""
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


@dataclass(frozen=True)
class FactRow:
    """A row of `entity_facts` that is to be written."""

    entity_id: str
    attribute: Attribute
    value: str
    at: datetime
    denied: int = HELD
    target_id: str = ""
    moment: datetime | None = None
    confidence: float = 1.0
    source: FactSource = "person"
    message_id: str = ""
    conversation_id: str = ""
    position: int = 0
    key: str = ""
    """What it is found by, where that is not the value itself: `sister` for `妹妹`."""


def insert_fact(db: Connection, row: FactRow) -> str:
    """Write a row; its id."""
    fact_id = new_id()
    db.execute(
        "INSERT INTO entity_facts (id, entity_id, attribute, value, key, denied, target_id, moment, "
        "confidence, source, message_id, conversation_id, position, at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (fact_id, row.entity_id, row.attribute, row.value, row.key or value_key(row.value), row.denied,
         row.target_id or None, row.moment.isoformat() if row.moment else "", row.confidence, row.source,
         row.message_id or None, row.conversation_id, row.position, row.at.astimezone(UTC).isoformat()),
    )  # fmt: skip
    return fact_id


def join_entities(db: Connection, into_id: str, other_id: str) -> None:
    """What is known of the other is shown with the first; no fact changes."""
    db.execute("UPDATE entities SET merged_into = ? WHERE id = ?", (into_id, other_id))
    db.execute("UPDATE entities SET root = ? WHERE root = ?", (into_id, other_id))
    db.execute(
        "UPDATE entities SET spoken_at = "
        "max(spoken_at, (SELECT spoken_at FROM entities WHERE id = ?)) WHERE id = ?",
        (other_id, into_id),
    )


def insert_entity(db: Connection, kind: EntityKind) -> str:
    """Write an entity of which nothing is known yet; its id."""
    entity_id = new_id()
    db.execute("INSERT INTO entities (id, kind, root) VALUES (?, ?, ?)", (entity_id, kind, entity_id))
    return entity_id


class EntityStore:
    """Owns the tables `entities`, `entity_facts` and `entity_state`."""

    def __init__(self, database: Database, *, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    # Reading.

    async def all(
        self, query: str = "", *, kind: EntityKind | str = "", limit: int = 100, offset: int = 0
    ) -> list[Entity]:
        """Entities, that which was spoken of last first; `query` is a part of what is known of them."""
        where, values = _matching(query, kind)

        def look(db: Connection) -> list[Entity]:
            rows = db.execute(
                f"SELECT id FROM entities WHERE root = id AND spoken_at <> '' {where}"  # noqa: S608 - words of ours
                "ORDER BY spoken_at DESC, id LIMIT ? OFFSET ?",
                (*values, limit, offset),
            )
            return read_entities(db, [str(row["id"]) for row in rows])

        return await self._database.read(look)

    async def count(self) -> int:
        """How many there are beside the person."""
        row = await self._database.row(
            "SELECT count(*) FROM entities WHERE root = id AND spoken_at <> '' AND id <> ?", (SELF,)
        )
        return int(row[0])

    async def get(self, entity_id: str) -> Entity:
        """An entity; the beginning of its id will do.

        Raises:
            UsageError: There is none of this id, or more than one.
        """
        return await self._database.read(lambda db: _required(db, entity_id))

    async def known(self, *, limit: int) -> KnownOfPerson:
        """What is known about the person, and whom and what the person spoke of."""
        others = [one for one in await self.all(limit=limit + 1) if one.id != SELF][:limit]
        person = await self.get(SELF)
        unknown = tuple(attribute for attribute in _WANTED if not person.holding(attribute))
        return KnownOfPerson(person, tuple(others), await self.count(), unknown)

    async def named(self, keys: Sequence[str]) -> list[Entity]:
        """The entities that have one of these names (as `value_key` makes them), former ones included."""

        def look(db: Connection) -> list[Entity]:
            return read_entities(db, roots_named(db, keys))

        return await self._database.read(look) if keys else []

    async def related(self, relations: Sequence[str]) -> list[Entity]:
        """The entities that are one of these to the person, that of which something was said last first."""

        def look(db: Connection) -> list[Entity]:
            return read_entities(db, roots_related(db, relations))

        return await self._database.read(look) if relations else []

    async def these(self, entity_ids: Sequence[str]) -> list[Entity]:
        """Those of some entities that are there."""
        return await self._database.read(lambda db: read_entities(db, entity_ids)) if entity_ids else []

    async def learnt_from(self, message_ids: Sequence[str]) -> list[EntityFact]:
        """What some messages taught, in the order in which it was said; what they denied is former."""

        def look(db: Connection) -> list[EntityFact]:
            marks = ",".join("?" * len(message_ids))
            rows = db.execute(
                f"{_FACTS}WHERE f.message_id IN ({marks}) AND f.source <> 'person' ORDER BY f.number",
                tuple(message_ids),
            )
            return [replace(_fact([row]), former=row["denied"] != HELD) for row in rows]

        return await self._database.read(look) if message_ids else []

    # What was done once, and is not done again.

    async def first_time(self, what: str) -> bool:
        """Whether something is done for the first time; from now on it was."""

        def write(db: Connection) -> bool:
            return (
                db.execute(
                    "INSERT OR IGNORE INTO entity_state (what, at) VALUES (?, ?)",
                    (what, self._clock.now().isoformat()),
                ).rowcount
                == 1
            )

        return await self._database.write(write)

    # Changing.

    async def rename(self, entity_id: str, name: str) -> Entity:
        """Give a name; the one before stays as an alias.

        Raises:
            UsageError: There is none of this id, or the name is empty or too long.
        """
        return await self.add_fact(entity_id, "name", name)

    async def add_fact(
        self, entity_id: str, attribute: str, value: str, *, moment: datetime | None = None
    ) -> Entity:
        """Enter something by hand.

        Raises:
            UsageError: There is none of this id, no such attribute, or the value is empty or too long.
        """
        known, said = _attribute(attribute), _value(value)

        def write(db: Connection) -> Entity:
            one = _required(db, entity_id)
            insert_fact(db, FactRow(one.id, known, said, self._clock.now(), moment=moment))
            return _required(db, one.id)

        return await self._database.write(write)

    async def correct_fact(self, fact_id: str, value: str, *, said: FactEvidence | None = None) -> Entity:
        """Put another value in the place of one; the old one is kept as what was said before.

        `said` is the message that did it; without one it was done by hand.

        Raises:
            UsageError: There is no fact of this id, or the value is empty or too long.
        """
        told = _value(value)

        def write(db: Connection) -> Entity:
            rows = _rows_alike(db, fact_id)
            if value_key(told) != rows[0]["key"]:
                self._deny(db, rows, FORMER)
            first = rows[0]
            attribute, target = cast("Attribute", first["attribute"]), first["target_id"] or ""
            now = self._clock.now()
            row = FactRow(first["entity_id"], attribute, told, now, target_id=target)
            if said is not None:
                row = replace(
                    row, message_id=said.message_id, conversation_id=said.conversation_id,
                    position=said.position,
                )  # fmt: skip
            insert_fact(db, row)
            return _required(db, first["root"])

        return await self._database.write(write)

    async def remove_fact(self, fact_id: str) -> Entity | None:
        """Drop what is not so; it does not come back when its message is read again.

        `None`: nothing is known of the entity any more, so it went.

        Raises:
            UsageError: There is no fact of this id.
        """

        def write(db: Connection) -> Entity | None:
            rows = _rows_alike(db, fact_id)
            root = str(rows[0]["root"])
            self._deny(db, rows, REMOVED)
            found = read_entities(db, [root])
            return found[0] if found else None

        return await self._database.write(write)

    def _deny(self, db: Connection, rows: Sequence[Row], denied: int) -> None:
        """Once for each message that taught it, so that nothing outlives them; what was entered goes."""
        now = self._clock.now()
        for row in rows:
            if row["message_id"] is None and denied == REMOVED:
                db.execute("DELETE FROM entity_facts WHERE number = ?", (row["number"],))
                continue
            old = _row_of(row)
            insert_fact(db, replace(old, at=now, denied=denied, source="person", confidence=1.0))

    async def merge(self, into_id: str, other_id: str) -> Entity:
        """Two that are one: everything known of the other is shown with the first, or with the person where
        one of them is that; see `undo_merge`.

        Raises:
            UsageError: There is none of one of the ids, or they are one already.
        """

        def write(db: Connection) -> Entity:
            into, other = _required(db, into_id), _required(db, other_id)
            if into.id == other.id:
                raise UsageError("memory.one_already")
            if other.id == SELF:
                into, other = other, into
            join_entities(db, into.id, other.id)
            return _required(db, into.id)

        return await self._database.write(write)

    async def undo_merge(self, entity_id: str) -> Entity:
        """Part again what was merged: `entity_id` is one of an entity's `merged`.

        Raises:
            UsageError: No merged entity has this id.
        """

        def write(db: Connection) -> Entity:
            rows = db.execute(
                f"SELECT id, root FROM entities WHERE merged_into <> '' AND {_OF_ID} LIMIT 2",  # noqa: S608 - ours
                {"id": entity_id},
            ).fetchall()
            if len(rows) != 1:
                raise UsageError("memory.not_merged", entity_id=entity_id)
            (row,) = rows
            db.execute("UPDATE entities SET merged_into = '' WHERE id = ?", (row["id"],))
            db.execute(
                "WITH RECURSIVE below(id) AS (SELECT ? UNION SELECT e.id FROM entities AS e "
                "JOIN below ON e.merged_into = below.id) "
                "UPDATE entities SET root = ? WHERE id IN (SELECT id FROM below)",
                (row["id"], row["id"]),
            )
            for one in (row["id"], row["root"]):  # each was spoken of when its own facts were told
                db.execute(
                    "UPDATE entities SET spoken_at = coalesce((SELECT max(f.at) FROM entity_facts AS f "
                    "JOIN entities AS e ON e.id = f.entity_id WHERE e.root = ?), spoken_at) WHERE id = ?",
                    (one, one),
                )
            return _required(db, row["id"])

        return await self._database.write(write)


# What learning shares with it, inside a transaction of its own.


def roots_named(db: Connection, keys: Sequence[str]) -> list[str]:
    """The entities of some names, that which was spoken of last first."""
    where = f"WHERE f.attribute = 'name' AND f.denied < ? AND f.key IN ({_marks(keys)}) "
    rows = db.execute(f"{_NEWEST}{where}GROUP BY e.root ORDER BY newest DESC", (REMOVED, *keys))
    return [str(row["root"]) for row in rows]


def roots_related(db: Connection, relations: Sequence[str]) -> list[str]:
    """The entities that are one of these to the person, that which was spoken of last first; some of many."""
    return _related(db, relations, "")


def roots_nameless(db: Connection, relation: str) -> list[str]:
    """Those of them of whom no name is known."""
    named = "SELECT 1 FROM entity_facts AS n WHERE n.entity_id = e.id AND n.attribute = 'name'"
    return _related(db, [relation], f"AND NOT EXISTS ({named})")


def _related(db: Connection, relations: Sequence[str], more: str) -> list[str]:
    where = (
        "WHERE f.attribute = 'relation' AND f.denied = 0 AND f.target_id IS NULL "
        f"AND f.key IN ({_marks(relations)}) {more} "
    )
    keys = tuple(map(value_key, relations))
    query = f"{_NEWEST}{where}GROUP BY e.root ORDER BY newest DESC LIMIT ?"
    return [str(row["root"]) for row in db.execute(query, (*keys, _MOST_RELATED))]


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def read_entities(db: Connection, roots: Sequence[str]) -> list[Entity]:
    """Entities by their ids, in this order; all but those, the person aside, of which nothing is known."""
    if not roots:
        return []
    found: dict[str, list[Row]] = {root: [] for root in roots}
    merged: dict[str, list[str]] = {root: [] for root in roots}
    kinds: dict[str, EntityKind] = {}
    wanted = list(found)
    for start in range(0, len(wanted), 500):
        some = wanted[start : start + 500]
        marks = ",".join("?" * len(some))
        for row in db.execute(f"{_FACTS}WHERE e.root IN ({marks}) ORDER BY f.at, f.number", some):
            found[row["root"]].append(row)
        for row in db.execute(f"SELECT * FROM entities WHERE root IN ({marks})", some):  # noqa: S608 - marks
            if row["id"] == row["root"]:
                kinds[row["id"]] = row["kind"]
            else:
                merged[row["root"]].append(row["id"])
    read = (_entity(root, kinds[root], found[root], merged[root]) for root in wanted if root in kinds)
    return [one for one in read if one.names or one.facts or one.id == SELF]


def _entity(root: str, kind: EntityKind, rows: Sequence[Row], merged: Sequence[str]) -> Entity:
    facts = facts_of(rows)
    names = tuple(fact for fact in facts if fact.attribute == "name")
    return Entity(
        root,
        kind,
        next((fact.value for fact in names if not fact.former), ""),
        tuple(fact.value for fact in names if fact.former),
        tuple(fact for fact in facts if fact.attribute != "name"),
        names,
        max((fact.at for fact in facts), default=None),
        tuple(MergedEntity(one, _name_among(rows, one)) for one in merged),
    )


def _name_among(rows: Sequence[Row], entity_id: str) -> str:
    own = [row for row in rows if row["entity_id"] == entity_id]
    return next((fact.value for fact in facts_of(own) if fact.attribute == "name" and not fact.former), "")


def facts_of(rows: Sequence[Row]) -> list[EntityFact]:
    """The facts of one entity from its rows, the oldest of them first: what holds first, then the newest."""
    alike: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        alike.setdefault((row["attribute"], row["key"], row["target_id"] or ""), []).append(row)
    shown: list[EntityFact] = []
    for same in alike.values():
        denied = same[-1]["denied"]
        held = [row for row in same if row["denied"] == HELD]
        if denied == REMOVED or not held:
            if denied == FORMER:
                shown.append(replace(_fact(same), former=True))
            continue
        shown.append(replace(_fact(held), former=denied == FORMER))
    shown.sort(key=lambda fact: fact.at, reverse=True)
    settled: set[str] = set()
    facts = []
    for fact in shown:
        about = _settled_by(fact)
        late = bool(about) and about in settled
        if not fact.former:
            settled.add(about)
        facts.append(replace(fact, former=fact.former or late))
    return sorted(facts, key=lambda fact: fact.former)


def _settled_by(fact: EntityFact) -> str:
    """What can be known in one way only; empty: this may hold beside others."""
    if fact.attribute in SINGLE:
        return fact.attribute
    return value_key(fact.value) if fact.attribute in ("likes", "dislikes") else ""


def _fact(rows: Sequence[Row]) -> EntityFact:
    """One fact from the rows of it, the newest last."""
    newest = rows[-1]
    evidence = tuple(
        FactEvidence(
            row["message_id"], row["conversation_id"], row["position"], datetime.fromisoformat(row["at"])
        )
        for row in reversed(rows)
        if row["message_id"] is not None
    )
    return EntityFact(
        newest["id"],
        newest["root"],
        newest["attribute"],
        newest["value"],
        newest["key"],
        datetime.fromisoformat(newest["at"]),
        max(row["confidence"] for row in rows),
        newest["source"],
        datetime.fromisoformat(newest["moment"]) if newest["moment"] else None,
        newest["target_id"] or "",
        evidence=evidence,
    )


def _row_of(row: Row) -> FactRow:
    return FactRow(
        row["entity_id"],
        row["attribute"],
        row["value"],
        datetime.fromisoformat(row["at"]),
        row["denied"],
        row["target_id"] or "",
        datetime.fromisoformat(row["moment"]) if row["moment"] else None,
        row["confidence"],
        row["source"],
        row["message_id"] or "",
        row["conversation_id"],
        row["position"],
        row["key"],
    )


def _rows_alike(db: Connection, fact_id: str) -> list[Row]:
    """The rows that say what the one of this id says, of the whole entity."""
    first = db.execute(f"{_FACTS}WHERE f.id = ?", (fact_id,)).fetchone()
    if first is None:
        raise UsageError("memory.no_fact", fact_id=fact_id)
    return db.execute(
        f"{_FACTS}WHERE e.root = ? AND f.attribute = ? AND f.key = ? AND f.target_id IS ? AND f.denied = 0 "
        "ORDER BY f.number DESC",
        (first["root"], first["attribute"], first["key"], first["target_id"]),
    ).fetchall() or [first]


def _required(db: Connection, entity_id: str) -> Entity:
    rows = db.execute(
        f"SELECT DISTINCT root FROM entities WHERE {_OF_ID} LIMIT 2",  # noqa: S608 - ours
        {"id": entity_id},
    ).fetchall()
    found = read_entities(db, [str(rows[0]["root"])]) if len(rows) == 1 else []
    if not found:
        raise UsageError("memory.no_entity", entity_id=entity_id)
    return found[0]


def _matching(query: str, kind: str) -> tuple[str, Sequence[object]]:
    """A part of a name or a value, and a kind, as further conditions."""
    where = ""
    values: list[object] = []
    if key := value_key(storable(query)):
        where += (
            "AND id IN (SELECT o.root FROM entity_facts AS s JOIN entities AS o ON o.id = s.entity_id "
            "WHERE instr(s.key, ?) > 0 AND s.denied < ?) "
        )
        values += [key, REMOVED]
    if kind:
        where += "AND kind = ? "
        values.append(kind)
    return where, values


def _attribute(name: str) -> Attribute:
    if name not in ATTRIBUTES:
        raise UsageError("memory.no_attribute", name=name, attributes=", ".join(ATTRIBUTES))
    return name


def _value(value: str) -> str:
    said = " ".join(storable(value.replace("\x00", "")).split())
    if not said:
        raise UsageError("memory.empty_value")
    if len(said) > _LONGEST_VALUE:
        raise UsageError("memory.fact_too_long", most=_LONGEST_VALUE, length=len(said))
    return said
