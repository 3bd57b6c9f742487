"""Slot: one parameter of an ability, as far as finding its value needs to know it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.language.terms import FUNCTION_WEIGHT, GENERIC_WEIGHT, stem, terms

_LINK_FORMATS = frozenset({"uri", "url", "iri", "uri-reference"})
_MOMENT_FORMATS = frozenset({"date", "time", "date-time"})


_TEXT_NAMES = frozenset(stem(word) for word in ("message", "text", "content", "input", "sentence", "phrase"))
_PATH_NAMES = frozenset({"path", "file", "folder", "directori", "dir", "filepath", "filenam"})

#: A description that allows for the other kind of path.
_OR_ELSE = re.compile(
    r"\b(?:or|single)\)? (?:a |an |one |the |single )?(?:file|folder|directory|picture|document)s?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Slot:
    """A parameter with its JSON Schema."""

    name: str
    schema: JsonObject
    required: bool
    alone: bool = False
    """Nothing else is required, and no other parameter takes a text."""

    @cached_property
    def types(self) -> frozenset[str]:
        """JSON types that it accepts; `string` when nothing is said."""
        found = frozenset(_types(self.schema))
        return found - {"null"} or frozenset({"string"})

    @property
    def items(self) -> JsonObject:
        """The schema of a list's items; empty when it has none."""
        found = self.schema.get("items")
        return found if isinstance(found, dict) else {}

    @property
    def item(self) -> Slot:
        """The slot of one item of a list; itself where it is no list."""
        return Slot(self.name, self.items, self.required) if self.is_list else self

    @property
    def format(self) -> str:
        return str(self.schema.get("format") or self.items.get("format") or "")

    @property
    def is_list(self) -> bool:
        return "array" in self.types

    @property
    def is_path(self) -> bool:
        return self.format == "path"

    @cached_property
    def file_kinds(self) -> frozenset[str]:
        """`file`, `folder`, or both: what a path parameter takes, by its name and else by its description."""
        both = frozenset({"file", "folder"})
        named = both & {name for term in terms(self.name) for name in term.concepts}
        told = both & self.concepts
        other = _OR_ELSE.search(self.description)
        return both if other or not (named or told) or len(named) == 2 else named or told

    @property
    def is_destination(self) -> bool:
        """A place where something goes that need not be said."""
        return self.is_path and self.schema.get("access") == "write" and not self.required

    @property
    def is_number(self) -> bool:
        return bool((self.item.types if self.is_list else self.types) & {"integer", "number"})

    @property
    def is_zone(self) -> bool:
        """Whether it takes the name of a time zone."""
        told = "IANA" in self.description and "string" in self.types
        return ("string" in self.types and bool({"timezon", "tz"} & self.name_stems)) or told

    @property
    def may_be_path(self) -> bool:
        """Whether it is a path, or a text that is called one: servers know no format for paths."""
        plain = self.item.types == {"string"} and not self.format and not self.choices
        return self.is_path or (plain and bool(_PATH_NAMES & self.name_stems))

    @property
    def is_moment(self) -> bool:
        return self.format in _MOMENT_FORMATS

    @property
    def is_link(self) -> bool:
        said = self.name_stems | self.description_stems
        return self.format in _LINK_FORMATS or bool({"url", "link", "uri", "websit", "webpag"} & said)

    @property
    def takes_rest(self) -> bool:
        """Whether it takes the rest of the message behind the verb."""
        return self.only_rest or self._is_the_text

    @property
    def only_rest(self) -> bool:
        """Whether it says so, and takes nothing else."""
        return self.schema.get("x-partner-rest") is True

    @property
    def _is_the_text(self) -> bool:
        """`echo(message)`: a text that the ability is all about."""
        plain = self.alone and self.types == {"string"} and not self.format and not self.choices
        return plain and bool(_TEXT_NAMES & self.name_stems)

    @property
    def description(self) -> str:
        return str(self.schema.get("description") or "")

    @property
    def choices(self) -> list[Json]:
        found = self.schema.get("enum") or self.items.get("enum")
        return found if isinstance(found, list) else []

    @cached_property
    def name_stems(self) -> frozenset[str]:
        """Stems of the name's words."""
        return frozenset(term.stem for term in terms(self.name) if term.weight > FUNCTION_WEIGHT)

    @cached_property
    def description_stems(self) -> frozenset[str]:
        found = terms(self.description[:500])
        return frozenset(term.stem for term in found if term.weight >= GENERIC_WEIGHT)

    @cached_property
    def concepts(self) -> frozenset[str]:
        """Everyday meanings in name and description."""
        found = terms(f"{self.name} {self.description[:500]}")
        return frozenset(name for term in found for name in (*term.concepts, term.stem))


def slots_of(info: MetaActionInfo) -> tuple[Slot, ...]:
    """The parameters in declared order."""
    required = set(info.required())
    # An author here says `x-partner-rest`, or wants to be asked.
    served = info.route is Route.MCP and info.location != "local"
    texts = {name for name, schema in info.properties().items() if _may_be_text(schema)}
    return tuple(
        Slot(
            name,
            _resting(schema) if info.free_args else schema,
            name in required,
            served and required == {name} and texts <= {name},
        )
        for name, schema in info.properties().items()
    )


def _may_be_text(schema: JsonObject) -> bool:
    plain = set(_types(schema)) - {"null", "integer", "number", "boolean"}
    return not schema.get("enum") and (bool(plain) or "type" not in schema)


def _resting(schema: JsonObject) -> JsonObject:
    """The one field of an undescribed script takes whatever follows its name."""
    return {**schema, "x-partner-rest": True}


def _types(schema: JsonObject) -> Iterator[str]:
    declared = schema.get("type")
    if isinstance(declared, str):
        yield declared
    elif isinstance(declared, list):
        yield from (str(item) for item in declared)
    for key in ("anyOf", "oneOf"):
        variants = schema.get(key)
        for variant in variants if isinstance(variants, list) else ():
            if isinstance(variant, dict):
                yield from _types(variant)
