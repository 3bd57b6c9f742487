"""Plain words for what is known of people, places and things."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from partner_desktop.desktop.panel.memory.memory_words import said_at
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.entity import SELF, Attribute, Entity, EntityFact, EntityKind

#: A fact that is surer than this needs no word about it.
_SURE = 0.6
_MOST_VALUES = 3
#: Their values say by themselves what they are.
_BY_THEMSELVES = frozenset({"event", "impression", "note", "email", "phone", "address"})

_ATTRIBUTES: dict[Attribute, Callable[[], str]] = {
    "name": lambda: tr("Goes by"),
    "relation": lambda: tr("Relation"),
    "birthday": lambda: tr("Birthday"),
    "age": lambda: tr("Age"),
    "home": lambda: tr("Lives in"),
    "origin": lambda: tr("Comes from"),
    "work": lambda: tr("Works at"),
    "job": lambda: tr("Job"),
    "project": lambda: tr("Project"),
    "email": lambda: tr("Mail"),
    "phone": lambda: tr("Phone"),
    "address": lambda: tr("Address"),
    "allergy": lambda: tr("Allergic to"),
    "diet": lambda: tr("Diet"),
    "likes": lambda: tr("Likes"),
    "dislikes": lambda: tr("Dislikes"),
    "favourite": lambda: tr("Favourite"),
    "language": lambda: tr("Language"),
    "event": lambda: tr("Date"),
    "impression": lambda: tr("Impression"),
    "note": lambda: tr("Note"),
}
_KINDS: dict[EntityKind, Callable[[], str]] = {
    "self": lambda: tr("you"),
    "person": lambda: tr("person"),
    "animal": lambda: tr("animal"),
    "place": lambda: tr("place"),
    "project": lambda: tr("project"),
    "thing": lambda: tr("thing"),
}


def attribute_words(attribute: Attribute) -> str:
    """What a fact tells."""
    return _ATTRIBUTES[attribute]()


def entity_kind(entity: Entity) -> str:
    """What it is to the person, or what it is at all."""
    return entity.relation or _KINDS[entity.kind]()


def entity_title(entity: Entity) -> str:
    """Its name; what it is, where no name was said."""
    if entity.name:
        return entity.name
    if entity.id == SELF:
        return tr("You")
    words = entity_kind(entity)
    return words[:1].upper() + words[1:]


def entity_summary(entity: Entity) -> str:
    """The first of what is known."""
    holding = [fact for fact in entity.facts if not fact.former and fact.attribute != "relation"]
    return " · ".join(map(_fact_words, holding[:_MOST_VALUES]))


def _fact_words(fact: EntityFact) -> str:
    if fact.attribute in _BY_THEMSELVES:
        return fact.value
    return tr("{what} {value}").format(what=attribute_words(fact.attribute), value=fact.value)


def fact_facts(fact: EntityFact) -> str:
    """Since when it is known, how surely, and whether it still holds."""
    written = tr("written by you") if fact.source == "person" else ""
    parts = [tr("no longer") if fact.former else "", written, said_at(fact.at)]
    if fact.confidence < _SURE and not fact.former:
        parts.append(tr("not sure"))
    return " · ".join(part for part in parts if part)


def unknown_words(unknown: Sequence[Attribute]) -> str:
    """What one would like to know."""
    if not unknown:
        return ""
    names = tr(", ").join(attribute_words(one).lower() for one in unknown)
    return tr("Not known yet: {names}").format(names=names)
