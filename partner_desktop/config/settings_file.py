"""One settings file on the disk: looked at, made, written. Blocking; for use off the loop.

Tables from it are held against the settings model: that gives the settings, or each mistake with line and
example.
"""

from __future__ import annotations

import difflib
import inspect
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from partner_desktop.base import private
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.text import shown
from partner_desktop.config.field import ANY_NAME, ConfigField, describe
from partner_desktop.config.toml_edit import template
from partner_desktop.config.toml_text import (
    ConfigProblem,
    Place,
    Tables,
    Unusable,
    decode,
    key_line,
    parse,
    read_bytes,
    statements,
    toml_key,
)
from partner_desktop.domain.json_value import Json
from partner_desktop.files.atomic import write_whole

S = TypeVar("S", bound=BaseModel)


@dataclass(frozen=True)
class Look(Generic[S]):
    """What a look at the file found: settings, or problems, or neither where there is no file."""

    data: bytes | None = None
    settings: S | None = None
    problems: tuple[ConfigProblem, ...] = ()
    linked: bool = False
    """Whether the file is a link: the folder's watch does not see where it leads."""

    @property
    def missing(self) -> bool:
        return self.data is None and not self.problems

    def same(self, other: Look[S]) -> bool:
        """Whether the disk gave the same; what came of it may differ, when it was turned down."""
        return self.data == other.data and (self.data is not None or self.problems == other.problems)


class SettingsFile(Generic[S]):
    """The file of one model. Without `default` it must be there and say what has no default."""

    def __init__(self, path: Path, model: type[S], default: S | None) -> None:
        self.path = path
        self.model = model
        self._default = default
        self._checker = Checker(path, model, lambda: self.fields)

    @cached_property
    def fields(self) -> tuple[ConfigField, ...]:
        """Every key, with the defaults that hold here."""
        found = tuple(replace(one, file=self.path.stem) for one in describe(self.model))
        if self._default is None:
            return found
        values: Json = self._default.model_dump(mode="json")
        return tuple(
            one if ANY_NAME in one.key else replace(one, default=value_at(values, one.key), required=False)
            for one in found
        )

    @property
    def description(self) -> str:
        """What the settings are for: the model's docstring."""
        return inspect.cleandoc(self.model.__doc__ or "")

    def holds(self, seen: Look[S], *, follow_link: bool) -> bool:
        """Whether there is no need for another look after `seen`: the disk still gives the same.

        With `follow_link` a link needs one.
        """
        try:
            same = read_bytes(self.path) == seen.data and (seen.data is not None or not seen.problems)
        except Unusable:
            return False
        return same and not (follow_link and os.path.islink(self.path))  # noqa: PTH114 - never raises

    def look(self) -> Look[S]:
        """Read and check it; never raises."""
        linked = os.path.islink(self.path)  # noqa: PTH114 - never raises
        try:
            data = read_bytes(self.path)
        except Unusable as error:
            return Look(problems=(error.problem,), linked=linked)
        return Look() if data is None else replace(self.judge(data), linked=linked)

    def judge(self, data: bytes) -> Look[S]:
        """What the file would be worth if it held `data`; never raises."""
        try:
            text = decode(self.path, data)
            checked = self._checker.check(parse(self.path, text), text)
        except Unusable as error:
            return Look(data, problems=(error.problem,))
        if isinstance(checked, list):
            return Look(data, problems=tuple(checked))
        return Look(data, settings=checked)

    def judge_nothing(self) -> Look[S]:
        """What no file at all is worth: the defaults, or a problem for each key that has none."""
        checked = self._checker.check({}, "")
        return Look(problems=tuple(checked)) if isinstance(checked, list) else Look(settings=checked)

    def create(self) -> bytes:
        """Write a new file with everything explained; returns what was written.

        Raises:
            OSError: It cannot be written.
        """
        data = self.fresh()
        private.make_folder(self.path.parent)
        if not os.path.lexists(self.path):
            write_whole(self.path, data, private=True)
        return data

    def fresh(self) -> bytes:
        """What a new file holds."""
        return template(self.description, self.fields).encode()

    def write(self, data: bytes, *, instead_of: bytes | None) -> bool:
        """Put `data` into the file if it still holds `instead_of`; whether it did. A link is followed.

        Raises:
            OSError: It cannot be written; the file is as it was.
            Unusable: What is there now cannot be read.
        """
        if read_bytes(self.path) != instead_of:
            return False
        private.make_folder(self.path.parent)
        write_whole(self.path.resolve(), data, private=True)
        return True


def value_at(values: Json, key: tuple[str, ...]) -> Json:
    """A value in nested tables; `None` where a table on the way is not set."""
    for part in key:
        if not isinstance(values, dict):
            return None
        values = values.get(part)
    return values


#: Mistakes looked at in one file; thousands of unknown keys help nobody.
_MOST_PROBLEMS = 50
_SHOWN_CHARACTERS = 60


class Checker(Generic[S]):
    """Checks one file's tables against its model."""

    def __init__(self, path: Path, model: type[S], fields: Callable[[], Sequence[ConfigField]]) -> None:
        self._path = path
        self._model = model
        self._read_fields = (
            fields  # only where something is wrong: a start with good files need not know them
        )

    def check(self, tables: Tables, text: str) -> S | list[ConfigProblem]:
        """The settings, or what is wrong; `text` is where the tables come from."""
        try:
            # Strict, so that "300" is no number; as JSON, where lists are tuples and texts are paths even so.
            return self._model.model_validate_json(json.dumps(tables, default=str), strict=True)
        except ValidationError as error:
            found = error.errors(include_url=False)[:_MOST_PROBLEMS]
        except (RecursionError, ValueError):
            message = sentence_of("config.too_deep_value")
            return [ConfigProblem(self._path, message)]
        return self._problems(found, tables, text)

    @property
    def _fields(self) -> Sequence[ConfigField]:
        return self._read_fields()

    def _problems(self, found: Sequence[Any], tables: Tables, text: str) -> list[ConfigProblem]:
        lines = statements(text)
        problems: list[ConfigProblem] = []
        for one in found:
            place = _known_part(one["loc"], tables, missing=one["type"] == "missing")
            key = tuple(str(part) for part in place)
            if key in {problem.key for problem in problems}:
                continue  # one sentence a key: a union complains once for each of its members
            message = shown(self._sentence(one, place, tables), lines=True)
            problems.append(ConfigProblem(self._path, message, line=key_line(lines, place), key=key))
        return sorted(problems, key=lambda problem: problem.line)

    def _sentence(self, one: dict[str, Any], place: Place, tables: Tables) -> str:
        name = toml_key(tuple(str(part) for part in place))
        field = self._field(place)
        match one["type"]:
            case "extra_forbidden":
                return sentence_of(
                    "config.there_is_no_setting", name=_short(name), nearest=self._nearest(place)
                )
            case "missing":
                return missing_sentence(field) if field else sentence_of("config.is_missing", name=name)
            case "value_error" | "assertion_error":
                reason = str(one["msg"]).split(", ", 1)[-1]
                return sentence_of("config.does_not_fit", name=name, reason=reason) if name else reason
        if field is None:
            return sentence_of(
                "config.does_not_fit_so", name=_short(name), reason=one["msg"], said=_said(place, tables)
            )
        inside = len(place) > len(field.key)
        entry = (
            sentence_of("config.its_entry", number=int(place[len(field.key)]) + 1)
            if inside
            else sentence_of("config.it")
        )
        own = toml_key(tuple(str(part) for part in place[: len(field.key)]))
        said = _said(place, tables)
        return sentence_of(
            "config.must_be_but",
            own=own,
            expected=field.expected,
            sample=field.sample,
            entry=entry,
            said=said,
        )

    def _field(self, place: Place) -> ConfigField | None:
        """The field of a place: its own, else that of the list which it is in."""
        own = (field for field in self._fields if _fits(field.key, place))
        return next(own, None) or next(
            (field for field in self._fields if _fits(field.key, _list_around(field.key, place))), None
        )

    def _nearest(self, place: Place) -> str:
        """“; the nearest one is …”, by the whole key and by its last part."""
        given = ".".join(str(part) for part in place)[:200]
        names = {field.name: field.name for field in self._fields}
        leaves = {field.key[-1]: field.name for field in reversed(self._fields)}
        near = difflib.get_close_matches(given, names, n=1, cutoff=0.5)
        leaf = difflib.get_close_matches(str(place[-1])[:200], leaves, n=1, cutoff=0.6)
        nearest = leaves[leaf[0]] if leaf and (not near or str(place[-1]) in leaves) else next(iter(near), "")
        return sentence_of("config.nearest_setting", nearest=nearest) if nearest else ""


def missing_sentence(field: ConfigField) -> str:
    """What must be written for a setting that has no default: type, range, unit and an example."""
    said = sentence_of("config.has_no_default", name=field.name, expected=field.expected, sample=field.sample)
    return f"{said} — {field.description}" if field.description else f"{said}."


def _fits(key: tuple[str, ...], place: Place) -> bool:
    """Whether a place is a field's."""
    return len(key) == len(place) and all(
        part in (ANY_NAME, given) for part, given in zip(key, place, strict=True)
    )


def _list_around(key: tuple[str, ...], place: Place) -> Place:
    """The place of the list that is a field's value, where the place is in one; else the place itself."""
    inside = len(place) > len(key) and isinstance(place[len(key)], int)
    return place[: len(key)] if inside else place


def _known_part(loc: Sequence[str | int], tables: Tables, *, missing: bool) -> Place:
    """The part of pydantic's location that is in the file; it adds names of union members behind it."""
    place: list[str | int] = []
    here: Any = tables  # whatever TOML holds
    for position, part in enumerate(loc):
        inside = (isinstance(here, dict) and part in here) or (
            isinstance(here, list) and isinstance(part, int) and part < len(here)
        )
        if not inside:
            if missing and position == len(loc) - 1:
                place.append(part)
            break
        place.append(part)
        here = here[part]
    return tuple(place)


def _said(place: Place, tables: Tables) -> str:
    here: Any = tables  # whatever TOML holds
    for part in place:
        here = here[part]
    try:
        return _short(json.dumps(here, default=str, ensure_ascii=False))
    except (RecursionError, ValueError):
        return sentence_of("config.too_long_to_show")


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"
