"""One registered file in the center: its handle, what was last seen of it, and its turn to be changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import field, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.spoken import sentence_of
from partner_desktop.config.field import ANY_NAME, ConfigField, ConfigFile
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.config.settings_file import Look, SettingsFile, value_at
from partner_desktop.config.toml_text import toml_value
from partner_desktop.domain.json_value import Json

S = TypeVar("S", bound=BaseModel)

#: A notice is a sentence; longer values are cut.
_SHOWN_CHARACTERS = 60


@dataclass(eq=False)
class RegisteredFile(Generic[S]):
    """`lock` is held while the file is read for a change, or written."""

    handle: ConfigHandle[S]
    file: SettingsFile[S]
    indispensable: bool
    stand_in: str = "config.stand_in"
    """The id of what is so while the file could not be understood since the start, for a sentence."""
    seen: Look[S] = field(default_factory=Look)
    pending: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def name(self) -> str:
        return self.handle.name

    def shown(self) -> ConfigFile:
        """The file for a form."""
        values: Json = None
        if not (self.indispensable and self.seen.settings is None):
            values = self.handle.value.model_dump(mode="json")
        fields = tuple(
            one if ANY_NAME in one.key else replace(one, value=value_at(values, one.key))
            for one in self.file.fields
        )
        return ConfigFile(
            name=self.name,
            path=self.file.path,
            description=self.file.description,
            fields=fields,
            problems=self.seen.problems,
        )

    def difference(self, old: S, new: S) -> str:
        """What is different, in words: “key old → new”, and which of it waits for the next start."""
        before, after = old.model_dump(mode="json"), new.model_dump(mode="json")
        changed = [one for one in self._leaves() if value_at(before, one.key) != value_at(after, one.key)]
        said = ", ".join(
            f"{one.name} {_step(value_at(before, one.key), value_at(after, one.key))}" for one in changed
        )
        later = [one.name for one in changed if one.restart]
        return said + (sentence_of("config.from_next_start", later=", ".join(later)) if later else "")

    def _leaves(self) -> Iterator[ConfigField]:
        """Every field that is not told by those below it."""
        tables = {one.key[:-1] for one in self.file.fields}
        return (one for one in self.file.fields if ANY_NAME not in one.key and one.key not in tables)


def _step(old: Json, new: Json) -> str:
    """What became of a value. Free tables are not told: what others keep in them may be a secret."""
    return (
        sentence_of("config.changed")
        if _holds_table(old) or _holds_table(new)
        else f"{_shown(old)} → {_shown(new)}"
    )


def _holds_table(value: Json) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(map(_holds_table, value)))


def _shown(value: Json) -> str:
    text = sentence_of("config.not_set") if value is None else toml_value(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"
