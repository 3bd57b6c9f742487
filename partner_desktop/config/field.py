"""One setting as a person meets it: in the docs, in a message, in a form."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.spoken import sentence_of
from partner_desktop.config.problem import ConfigProblem
from partner_desktop.config.toml_text import toml_key, toml_value
from partner_desktop.domain.json_value import Json, JsonObject

Kind: TypeAlias = Literal["bool", "int", "float", "str", "choice", "list", "path", "table", "any"]

#: Stands in a key for the names that the person chooses, or for each entry of a list of tables.
ANY_NAME = "*"


@dataclass(frozen=True, kw_only=True)
class ConfigField:
    """One key of a file. Values are as JSON has them; `value` is what is in force now."""

    key: tuple[str, ...]
    title: str
    description: str
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
        unit = (
            f" {self.unit}"
            if spread and self.unit
            else sentence_of("config.in_unit", unit=self.unit)
            if self.unit
            else ""
        )
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

    def field(self, key: tuple[str, ...]) -> ConfigField | None:
        """The setting of that key."""
        return next((field for field in self.fields if field.key == key), None)


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:g}"
