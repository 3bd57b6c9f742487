"""Slot: one parameter of an ability, as far as finding its value needs to know it; and what its
description states beside its meaning: default, examples, what true and false mean.

Objects in parameters: their properties are found like parameters of their own, and put together again.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.language.arguments.wordings import WORDINGS
from partner_desktop.language.terms import FUNCTION_WEIGHT, GENERIC_WEIGHT, stem, terms

_LINK_FORMATS = frozenset({"uri", "url", "iri", "uri-reference"})
_MOMENT_FORMATS = frozenset({"date", "time", "date-time"})


_TEXT_NAMES = frozenset(stem(word) for word in ("message", "text", "content", "input", "sentence", "phrase"))
_PATH_NAMES = frozenset({"path", "file", "folder", "directori", "dir", "filepath", "filenam"})

_SAID = WORDINGS.patterns


@dataclass(frozen=True)
class Slot:
    """A parameter with its JSON Schema."""

    name: str
    schema: JsonObject
    required: bool
    alone: bool = False
    """Nothing else is required, and no other parameter takes a text."""
    elsewhere: tuple[str, ...] = ()
    """The description in other languages."""

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

    @property
    def is_place(self) -> bool:
        """Whether it takes a path, or a path or a link."""
        return self.is_path or "x-partner-target" in self.schema

    @cached_property
    def file_kinds(self) -> frozenset[str]:
        """`file`, `folder`, or both: what a path parameter takes, by its name and else by its description."""
        both = frozenset({"file", "folder"})
        named = both & {name for term in terms(self.name) for name in term.concepts}
        told = both & self.concepts
        other = _SAID["or_else"].search(self.description)
        return both if other or not (named or told) or len(named) == 2 else named or told

    @property
    def is_destination(self) -> bool:
        """A place where something goes that need not be said."""
        return self.is_path and self.schema.get("access") == "write" and not self.required

    @property
    def is_made(self) -> bool:
        """A place that what is made, or brought there, has in the end."""
        return self.is_path and bool({"x-partner-new", "x-partner-into"} & self.schema.keys())

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
    def is_file_name(self) -> bool:
        """Whether it takes what files are called."""
        return self.format == "file-name"

    @property
    def is_free(self) -> bool:
        """Whether it takes words as they are."""
        return "string" in self.item.types and not (self.format or self.choices or self.is_zone)

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
    def words(self) -> frozenset[str]:
        """The words of its name."""
        return frozenset(term.word.rstrip("0123456789") for term in terms(self.name) if term.word)

    def holds(self, *kinds: str) -> bool:
        """Whether it is called what holds such a kind of value: one of `WORDINGS.kinds`."""
        return any(self.words & WORDINGS.kinds[kind] for kind in kinds)

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
    elsewhere = [info.spoken(language).properties() for language in info.localized if language != "en"]
    return tuple(
        Slot(
            name,
            _resting(schema) if info.free_args else schema,
            name in required,
            served and required == {name} and texts <= {name},
            tuple(str(told[name].get("description") or "") for told in elsewhere),
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


def default_of(slot: Slot) -> tuple[Json, ...]:
    """The default, from the schema or as the description states it; empty when there is none."""
    if "default" in slot.schema:
        return (slot.schema["default"],)
    match = _SAID["default"].search(slot.description)
    if match is None:
        return ()
    said = match["value"].strip("'\"")
    if slot.choices:
        return tuple(choice for choice in slot.choices if str(choice).lower() == said.lower())[:1]
    if slot.is_number or slot.types == {"boolean"} or slot.is_list:
        try:
            value: Json = json.loads(said.lower())
        except ValueError:
            return ()
        return (value,)
    return (said,) if "string" in slot.types else ()


@lru_cache(maxsize=1024)
def examples_in(description: str) -> tuple[str, ...]:
    """Values that a description gives as examples."""
    match = _SAID["example"].search(description)
    if match is None:
        return ()
    quoted = [next(filter(None, groups)) for groups in _SAID["quoted"].findall(match.group())]
    if quoted:
        return tuple(quoted)
    plain = _SAID["example_lead"].split(match.group(), maxsplit=1)
    parts = re.split(r",\s*|\s+or\s+|\s+and\s+", re.split(r"[.;)]", plain[-1])[0])
    return tuple(part.strip() for part in parts if 0 < len(part.strip()) < 30)[:8]


@lru_cache(maxsize=1024)
def quoted_in(description: str) -> tuple[str, ...]:
    """What a description quotes outside of its default, and lists in brackets: values to choose from."""
    told = _SAID["default"].sub("", description)
    quoted = [next(filter(None, groups)) for groups in _SAID["quoted"].findall(told)]
    listed = [
        part.strip() for group in _SAID["listed"].findall(told) for part in re.split(r",\s*|\s+or\s+", group)
    ]
    return tuple(value for value in (*quoted, *listed) if 1 < len(value) < 40)[:20]


@lru_cache(maxsize=1024)
def truths_in(description: str) -> tuple[tuple[bool, str], ...]:
    """What true and what false stand for, where the description says it."""
    return tuple(
        ((match["bool"] or match["paren"]).lower() == "true", match["after"] or match["before"])
        for match in _SAID["true_false"].finditer(description)
    )


#: Between the names of an object and of its property; in no name of a parameter.
_JOINT = "\x1f"
_DEEPEST = 3
_LONGEST_LITERAL = 2_000
_LITERAL = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")


def flattened(slots: Sequence[Slot], depth: int = 0) -> Iterator[Slot]:
    """The slots, with those of objects replaced by those of their properties."""
    for slot in slots:
        inner = slot.schema.get("properties")
        if "object" not in slot.types or not isinstance(inner, dict) or depth >= _DEEPEST:
            yield slot
            continue
        named = slot.schema.get("required")
        required = set(named) if isinstance(named, list) else set()
        parts = [
            Slot(f"{slot.name}{_JOINT}{name}", schema, slot.required and name in required)
            for name, schema in inner.items()
            if isinstance(schema, dict)
        ]
        yield from flattened(parts, depth + 1)


def own_name(name: str) -> str:
    """The name of the property itself."""
    return name.rpartition(_JOINT)[2]


def rebuilt(values: JsonObject) -> dict[str, Json]:
    """Values of flattened slots → the objects that they belong to."""
    found: dict[str, Json] = {}
    for name, value in values.items():
        *outer, last = name.split(_JOINT)
        place = found
        for part in outer:
            inner = place.setdefault(part, {})
            if not isinstance(inner, dict):
                break
            place = inner
        place[last] = value
    return found


def literals(text: str) -> Iterator[tuple[int, int, JsonObject]]:
    """Objects written out in a text, as JSON or with single quotes."""
    for match in _LITERAL.finditer(text[:_LONGEST_LITERAL]):
        value = _read(match.group())
        if isinstance(value, dict):
            yield match.start(), match.end(), value


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        value = ast.literal_eval(text)
        json.dumps(value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value
