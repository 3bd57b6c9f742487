"""PlanningFacts: what an ability needs and brings, by types and conditions, so that plans can be computed.

A type is a name that authors agree on (`Transcript`), a condition a sentence that is so or not (`mail is
sent`). Nothing of this is a fact about the world: it is what the ability's author says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject

#: How conditions begin that the planner makes itself: that something of a type is there, that an ability ran.
HAVE, RAN = PLANNERS_OWN = ("have:", "ran:")
#: What a step costs where its author says nothing: so of two ways the shorter is the better one.
USUAL_COST = 1.0


@dataclass(frozen=True)
class PlanningFacts:
    """Of one ability."""

    inputs: Mapping[str, str] = field(default_factory=dict)
    """Parameter → the type of what it takes."""
    outputs: Mapping[str, str] = field(default_factory=dict)
    """Name → type. A single one is the whole result; of several each is a member of the result's object."""
    preconditions: Mapping[str, bool] = field(default_factory=dict)
    effects: Mapping[str, bool] = field(default_factory=dict)
    senses: tuple[str, ...] = ()
    """Conditions that it finds out: its result may say of these whether they are so."""
    cost: float = USUAL_COST
    value: float = 0.0
    rerunnable: bool = False
    """It may run again in one plan."""
    derived: bool = False
    """Nobody said so: it follows from the schemas."""

    @property
    def takes_part(self) -> bool:
        """Whether a planner has any use for it."""
        return bool(self.inputs or self.outputs or self.preconditions or self.effects)

    def output_of(self, kind: str) -> str:
        """Which member of the result is of a type; empty: the whole result is."""
        return next(
            (name for name, each in self.outputs.items() if each == kind and len(self.outputs) > 1), ""
        )


NO_FACTS = PlanningFacts()


def derived_facts(params: JsonObject, response: JsonObject) -> PlanningFacts:
    """What follows of schemas alone: an object with a title is of that type; text and numbers are of none.

    Two parameters of one type say nothing: which of them is meant cannot be told.
    """
    properties = params.get("properties")
    taken: dict[str, str] = {}
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        kind = _type_of(schema, params)
        if kind:
            taken[name] = kind
    kinds = [*taken.values()]
    inputs = {name: kind for name, kind in taken.items() if kinds.count(kind) == 1}
    brought = _type_of(response, response)
    return PlanningFacts(inputs, {"result": brought} if brought else {}, derived=True)


def _type_of(schema: Json, whole: JsonObject) -> str:
    """The title of an object's schema, also of one that it refers to."""
    if not isinstance(schema, dict):
        return ""
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        known = whole.get("$defs")
        schema = known.get(reference.removeprefix("#/$defs/")) if isinstance(known, dict) else None
        if not isinstance(schema, dict):
            return ""
    title = schema.get("title")
    return title if schema.get("type") == "object" and isinstance(title, str) else ""
