"""Settings changed from a form: taken over, then written; nothing of the person's is overwritten.

Contract: the file is read, changed and checked anew for each try. New settings come into force before they
are written, so that the file never holds what was turned down; if the file changed meanwhile, or cannot be
written, that is undone and tried again, or told. `entry.lock` is taken here.

An entry is one registered file: its handle, what was last seen of it, and its turn to be changed.
"""

from __future__ import annotations

import asyncio
import codecs
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar, assert_never

from pydantic import BaseModel

from partner_desktop.base import log
from partner_desktop.base.errors import ConfigError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.config.entries import (
    AddEntry,
    DropEntry,
    Edit,
    PutEntry,
    PutValue,
    with_entry,
    with_other_entry,
    without_entry,
)
from partner_desktop.config.field import ANY_NAME, ConfigField, ConfigFile
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.config.settings_file import Look, SettingsFile, value_at
from partner_desktop.config.toml_edit import with_value, without
from partner_desktop.config.toml_text import Unusable, decode, read_bytes, toml_key, toml_value
from partner_desktop.domain.json_value import Json

_log = log.area("config")

_TRIES = 3


#: Changes a file's text; may raise as `editing.with_value` does.
_Change = Callable[[Path, str], str]


async def change_settings(entry: RegisteredFile[Any], edits: Sequence[Edit], *, limit_s: float) -> None:
    """Make all the edits as one change. `limit_s` is for each part that takes it over.

    Raises:
        ConfigError: It cannot be done; everything is as it was.
    """
    changes = [_change_of(entry, edit) for edit in edits]
    what = ", ".join(toml_key(_key(edit)) for edit in edits)
    async with entry.lock:
        before = entry.handle.value
        try:
            for _try in range(_TRIES):
                if await _tried(entry, changes, limit_s=limit_s):
                    _log.info("%s: %s changed", entry.file.path.name, what)
                    return
            raise ConfigError("config.being_changed", name=entry.file.path.name)
        except (OSError, Unusable, ConfigError) as error:
            if entry.handle.value is not before:
                await _put_back(entry, before, limit_s=limit_s)
            if isinstance(error, ConfigError):
                raise
            raise _refusal(entry, error) from error


def _key(edit: Edit) -> tuple[str, ...]:
    return edit.key if isinstance(edit, PutValue) else (edit.key,)


def _change_of(entry: RegisteredFile[Any], edit: Edit) -> _Change:
    field = next((one for one in entry.file.fields if one.key == _key(edit)), None)
    fits = field is not None and (field.editable if isinstance(edit, PutValue) else field.listed)
    if field is None or not fits:
        raise ConfigError("config.no_setting", key=toml_key(_key(edit)), name=entry.name)
    match edit:
        case PutValue():
            return partial(_with_value, field, edit.value)
        case AddEntry():
            return lambda path, text: with_entry(path, text, edit)
        case DropEntry():
            return lambda path, text: without_entry(path, text, edit)
        case PutEntry():
            return lambda path, text: with_other_entry(path, text, edit)
        case _:
            assert_never(edit)


def _with_value(field: ConfigField, value: Json, path: Path, text: str) -> str:
    try:
        edited = without(path, text, field) if value is None else with_value(path, text, field.key, value)
        edited.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigError(
            "config.must_be", name=field.name, expected=field.expected, sample=field.sample
        ) from error
    return edited


async def _put_back(entry: RegisteredFile[Any], before: BaseModel, *, limit_s: float) -> None:
    try:
        await entry.handle.change(before, limit_s=limit_s)
    except ConfigError as error:
        _log.error("%s is not as its file says, for it cannot be put back: %s", entry.name, error)


async def _tried(entry: RegisteredFile[Any], changes: Sequence[_Change], *, limit_s: float) -> bool:
    there = await asyncio.to_thread(read_bytes, entry.file.path)
    data = await asyncio.to_thread(_edited, entry, changes, there)
    look: Look[Any] = await asyncio.to_thread(entry.file.judge, data)
    if look.settings is None:
        raise ConfigError("common.told", text="\n".join(str(problem) for problem in look.problems))
    if look.settings != entry.handle.value:
        await entry.handle.change(look.settings, limit_s=limit_s)
    if not await asyncio.to_thread(entry.file.write, data, instead_of=there):
        return False
    entry.seen = look
    return True


def _edited(entry: RegisteredFile[Any], changes: Sequence[_Change], there: bytes | None) -> bytes:
    path = entry.file.path
    data = entry.file.fresh() if there is None or not there.strip() else there
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    text = decode(path, data)
    lines = text.count("\n")
    foreign = 0 < lines == text.count("\r\n")
    text = text.replace("\r\n", "\n") if foreign else text
    for change in changes:
        text = change(path, text)
    if not text.strip():
        return entry.file.fresh()  # an empty file is taken for a mistake
    try:
        return mark + (text.replace("\n", "\r\n") if foreign else text).encode()
    except UnicodeEncodeError as error:
        raise ConfigError("config.half_character") from error


def _refusal(entry: RegisteredFile[Any], error: OSError | Unusable) -> ConfigError:
    if isinstance(error, Unusable):
        return ConfigError("config.correct_first", problem=error.problem)
    return ConfigError("config.unwritable", name=entry.file.path.name, reason=system_reason(error))


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
