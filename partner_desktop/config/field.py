"""One setting as a person meets it: in the docs, in a message, in a form.

A settings model is described so: type, unit, range, default and example come from the model and nowhere
else. So does its place among the settings: `json_schema_extra` of a field, or of a model for all in it, says
the `section` that it belongs to, and `place` which tables of a section come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from pydantic import BaseModel

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import current_language, sentence_of
from partner_desktop.base.prompts import messages
from partner_desktop.config.toml_text import ConfigProblem, toml_key, toml_value
from partner_desktop.domain.json_value import Json, JsonObject

Kind: TypeAlias = Literal["bool", "int", "float", "str", "choice", "list", "path", "table", "any"]

#: Where a person looks for a setting, in the order in which the sections are shown.
Section: TypeAlias = Literal[
    "general",
    "appearance",
    "models",
    "permissions",
    "abilities",
    "memory",
    "schedules",
    "servers",
    "advanced",
]
SECTIONS: tuple[Section, ...] = get_args(Section)

#: Stands in a key for the names that the person chooses, or for each entry of a list of tables.
ANY_NAME = "*"


def settings_words(language: str) -> dict[str, Any]:  # Any: what TOML says
    """What settings are called: by file and key their `title`, `text` and `choices`; sections and units."""
    return messages("settings", language)


def section_words(section: Section) -> tuple[str, str]:
    """Title and description of a section, in the language of this task."""
    words = settings_words(current_language())["sections"][section]
    return words["title"], words["text"]


@dataclass(frozen=True, kw_only=True)
class ConfigField:
    """One key of a file. Values are as JSON has them; `value` is what is in force now."""

    key: tuple[str, ...]
    file: str = ""
    """The name of the file that it stands in."""
    title: str
    description: str
    note: str = ""
    """What is so on this system, in words of its language; it stands behind the description."""
    kind: Kind
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    minimum_excluded: bool = False
    maximum_excluded: bool = False
    choices: tuple[str, ...] = ()
    """With `choice`, what may be said; with `list`, what its entries may be (empty: any text)."""
    entries: str = ""
    """With `list`, what it is a list of, in words."""
    hint: str = ""
    """What else it must keep to, in words."""
    required: bool = False
    nullable: bool = False
    default: Json = None
    value: Json = None
    example: Json = None
    restart: bool = False
    """Whether a change takes effect only at the next start."""
    section: Section = "advanced"
    place: int = 50
    """In its section, tables with a smaller one come first."""
    apart: bool = False
    """Whether it belongs to another section than what it stands in, or to that section as a whole."""

    @property
    def told(self) -> ConfigField:
        """The same with title, description and unit as they are called in the language of this task."""
        language = current_language()
        words = settings_words(language).get(self.file, {}).get(self.name, {})
        unit = settings_words(language).get("units", {}).get(self.unit, self.unit)
        if not words and unit == self.unit and not self.note:
            return self
        title, text = words.get("title", self.title), words.get("text", self.description)
        text = f"{text} {self.note}".rstrip()
        return replace(self, title=title, description=text, unit=unit)

    @property
    def schema(self) -> JsonObject:
        """What a field of a form has to know of it, as JSON Schema says it."""
        limits = {
            "exclusiveMinimum" if self.minimum_excluded else "minimum": self.minimum,
            "exclusiveMaximum" if self.maximum_excluded else "maximum": self.maximum,
        }
        entries = {"whole numbers": "integer", "numbers": "number"}.get(self.entries, "string")
        return {
            "type": {"int": "integer", "float": "number"}.get(self.kind, "string"),
            "items": {"type": entries},
            "title": self.title,
            "description": self.description,
            **{name: limit for name, limit in limits.items() if limit is not None},
        }

    def choice_title(self, choice: str) -> str:
        """What a choice is called in the language of this task; else the choice itself."""
        words = settings_words(current_language()).get(self.file, {}).get(self.name, {})
        return str(words.get("choices", {}).get(choice, choice))

    @property
    def name(self) -> str:
        """The key as it is written in TOML."""
        return toml_key(tuple("<name>" if part == ANY_NAME else part for part in self.key)).replace(
            '"<name>"', "<name>"
        )

    @property
    def editable(self) -> bool:
        """Whether a form can set it: tables, and what is in them under free names, are edited in the file."""
        return self.kind not in ("table", "any") and ANY_NAME not in self.key

    @property
    def listed(self) -> bool:
        """Whether it is a list of tables, to which entries are added."""
        return self.kind == "table" and isinstance(self.default, list) and ANY_NAME not in self.key

    @property
    def expected(self) -> str:
        """What it must be, with range and unit."""
        words = sentence_of(f"config.kind_{self.kind}")
        if self.kind == "choice":
            words += " " + ", ".join(toml_value(choice) for choice in self.choices)
        elif self.kind == "list" and self.choices:
            of = ", ".join(toml_value(choice) for choice in self.choices)
            words = sentence_of("config.of", words=words, entries=of)
        elif self.entries:
            words = sentence_of("config.of", words=words, entries=self.entries)
        spread = self.spread
        own = self.told.unit
        unit = f" {own}" if spread and own else sentence_of("config.in_unit", unit=own) if own else ""
        hint = f", {self.hint}" if self.hint else ""
        return f"{words}{' ' if spread else ''}{spread}{unit}{hint}"

    @property
    def spread(self) -> str:
        """The range in words; empty where everything goes."""
        low = "" if self.minimum is None else _number(self.minimum)
        high = "" if self.maximum is None else _number(self.maximum)
        if low and high and not (self.minimum_excluded or self.maximum_excluded):
            return sentence_of("config.from_to", low=low, high=high)
        least = "config.above" if self.minimum_excluded else "config.at_least"
        most = "config.below" if self.maximum_excluded else "config.at_most"
        parts = [
            *([sentence_of(least, low=low)] if low else []),
            *([sentence_of(most, high=high)] if high else []),
        ]
        return sentence_of("config.and_also").join(parts)

    @property
    def sample_line(self) -> str:
        """One line that is right, as it stands below its table's header."""
        return f"{toml_key(self.key[-1:])} = {toml_value(self.example)}"

    @property
    def sample(self) -> str:
        """The same with its whole key."""
        key = tuple("example" if part == ANY_NAME else part for part in self.key)
        return f"{toml_key(key)} = {toml_value(self.example)}"

    def to_json(self) -> JsonObject:
        """For `--json`."""
        return {
            "key": self.name,
            "title": self.title,
            "description": self.description,
            "type": self.kind,
            "unit": self.unit,
            "minimum": self.minimum,
            "maximum": self.maximum,
            "choices": list(self.choices),
            "expected": self.expected,
            "required": self.required,
            "default": self.default,
            "value": self.value,
            "example": self.sample,
            "restart": self.restart,
            "section": self.section,
        }


@dataclass(frozen=True, kw_only=True)
class ConfigFile:
    """One settings file as it is now."""

    name: str
    path: Path
    description: str
    fields: tuple[ConfigField, ...]
    problems: tuple[ConfigProblem, ...] = ()
    """What is wrong with the file on disk; the values of `fields` hold meanwhile."""

    @property
    def title(self) -> str:
        """What the file is about, in the language of this task; else its name in words."""
        words = self.name.replace("_", " ").replace("-", " ")
        return str(self._words.get("title", words[:1].upper() + words[1:]))

    @property
    def text(self) -> str:
        """`description` in the language of this task."""
        return str(self._words.get("text", self.description))

    @property
    def _words(self) -> dict[str, Any]:  # Any: what TOML says
        found: dict[str, Any] = settings_words(current_language()).get(self.name, {})
        return found

    def field(self, key: tuple[str, ...]) -> ConfigField | None:
        """The setting of that key."""
        return next((field for field in self.fields if field.key == key), None)


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:g}"


#: Tables in tables in tables; a model that holds itself ends here.
_DEPTH = 6

_KINDS: dict[str, Kind] = {
    "boolean": "bool",
    "integer": "int",
    "number": "float",
    "string": "str",
    "array": "list",
    "object": "table",
}
_SAMPLES: dict[Kind, Json] = {
    "bool": True,
    "int": 1,
    "float": 1.0,
    "str": "text",
    "choice": "",
    "list": [],
    "path": "~/folder",
    "table": {},
    "any": "text",
}
_ENTRIES = {"string": "texts", "integer": "whole numbers", "number": "numbers"}
#: JSON Schema as pydantic writes it: objects of objects, whose shape it alone knows.
_Schema = dict[str, Any]


@cache
def describe(model: type[BaseModel]) -> tuple[ConfigField, ...]:
    """Every key of a model, tables before what is in them; read from the model once, which takes a while."""
    schema = model.model_json_schema(by_alias=True)
    return tuple(_Walk(schema.get("$defs", {})).fields(schema, (), _Place(), depth=0))


@dataclass(frozen=True)
class _Place:
    """Where the settings of a model belong unless one of them says otherwise."""

    section: Section = "advanced"
    place: int = 50

    def within(self, shape: _Schema) -> _Place:
        return _Place(shape.get("section", self.section), shape.get("place", self.place))


@dataclass(frozen=True)
class _Walk:
    definitions: _Schema

    def fields(
        self, schema: _Schema, above: tuple[str, ...], place: _Place, *, depth: int
    ) -> Iterator[ConfigField]:
        required = schema.get("required", [])
        place = place.within(schema)
        for name, raw in schema.get("properties", {}).items():
            shape, nullable = self._plain(raw)
            here = place.within(shape)
            field = _field((*above, name), shape, here, required=name in required, nullable=nullable)
            yield field
            if depth < _DEPTH:
                yield from self._below(shape, field.key, here, depth=depth + 1)

    def _below(
        self, shape: _Schema, key: tuple[str, ...], place: _Place, *, depth: int
    ) -> Iterator[ConfigField]:
        """What a table holds: its own keys, or those of each entry under a free name."""
        if "properties" in shape:
            yield from self.fields(shape, key, place, depth=depth)
            return
        inner = shape.get("additionalProperties") or shape.get("items")
        if isinstance(inner, dict):
            entry, _nullable = self._plain(inner)
            if "properties" in entry:
                yield from self.fields(entry, (*key, ANY_NAME), place, depth=depth)

    def _plain(self, raw: _Schema) -> tuple[_Schema, bool]:
        """The shape with its references followed, and whether it may be left unset."""
        shape = dict(raw)
        nullable = False
        if "anyOf" in shape:
            options = [self._plain(option)[0] for option in shape.pop("anyOf")]
            nullable = any(option.get("type") == "null" for option in options)
            real = [option for option in options if option.get("type") != "null"]
            shape = ({**real[0], **shape}) if len(real) == 1 else shape
        if "$ref" in shape:
            name = str(shape.pop("$ref")).rsplit("/", 1)[-1]
            target = self.definitions.get(name, {})
            if target.get("title") == name:  # a class's name is no title for a person
                target = {key: value for key, value in target.items() if key != "title"}
            shape = {**target, **shape}
        items = shape.get("items")
        if isinstance(items, dict) and "$ref" in items:
            shape["items"] = self._plain(items)[0]
        return shape, nullable


def _field(
    key: tuple[str, ...], shape: _Schema, place: _Place, *, required: bool, nullable: bool
) -> ConfigField:
    kind = _kind(shape)
    low, high = shape.get("minimum"), shape.get("maximum")
    above, below = shape.get("exclusiveMinimum"), shape.get("exclusiveMaximum")
    if kind == "int":  # "above 0" is "from 1" for whole numbers
        low, above = (above + 1, None) if above is not None else (low, above)
        high, below = (below - 1, None) if below is not None else (high, below)
    return ConfigField(
        key=key,
        title=_title(key[-1], str(shape.get("title", "")), str(shape.get("unit", ""))),
        description=str(shape.get("description", "")).strip(),
        kind=kind,
        unit=str(shape.get("unit", "")),
        minimum=low if above is None else above,
        maximum=high if below is None else below,
        minimum_excluded=above is not None,
        maximum_excluded=below is not None,
        choices=_choices(shape),
        entries=_ENTRIES.get(str(shape.get("items", {}).get("type")), ""),
        hint=_hint(shape),
        required=required,
        nullable=nullable,
        default=shape.get("default"),
        example=_example(shape, kind),
        restart=bool(shape.get("restart", False)),
        section=place.section,
        place=place.place,
        apart="section" in shape and kind != "table",
    )


def _kind(shape: _Schema) -> Kind:
    if _choices(shape) and shape.get("type") != "array":
        return "choice"
    if shape.get("type") == "array":
        return "table" if shape.get("items", {}).get("type") == "object" else "list"
    if shape.get("format") in ("path", "file-path", "directory-path"):
        return "path"
    return _KINDS.get(str(shape.get("type")), "any")


def _choices(shape: _Schema) -> tuple[str, ...]:
    """What a choice, or each entry of a list, may say."""
    source = shape.get("items", {}) if shape.get("type") == "array" else shape
    return tuple(str(choice) for choice in source.get("enum", [source["const"]] if "const" in source else []))


def _hint(shape: _Schema) -> str:
    """Limits of length and form."""
    said = []
    for low, high, what in (("minLength", "maxLength", "characters"), ("minItems", "maxItems", "entries")):
        if shape.get(low):
            said.append(f"at least {shape[low]:,} {what}")
        if high in shape:
            said.append(f"at most {shape[high]:,} {what}")
    if "pattern" in shape:
        said.append(f"of the form {shape['pattern']}")
    return " and ".join(said)


def _example(shape: _Schema, kind: Kind) -> Json:
    """The model's own example, else its default, else something that fits."""
    given = shape.get("examples")
    if given:
        example: Json = given[0]
        return example
    default: Json = shape.get("default")
    if default is not None:
        return default
    if kind == "choice":
        return _choices(shape)[0]
    if shape.get("type") == "array":
        return []
    return shape.get("minimum", _SAMPLES[kind])


def _title(name: str, given: str, unit: str) -> str:
    """The title that the model gives; else the name in words, without the unit at its end."""
    if given and given.lower() != name.replace("_", " ").lower():
        return given
    words = name.replace("-", " ").split("_")
    if len(words) > 1 and unit and words[-1].lower() in (unit.lower(), unit[0].lower()):
        words.pop()
    return " ".join(words).capitalize()
