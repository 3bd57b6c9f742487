"""Tables from a file against the settings model: the settings, or each mistake with line and example."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from partner_desktop.base.spoken import sentence_of
from partner_desktop.config.field import ANY_NAME, ConfigField
from partner_desktop.config.key_lines import Place, key_line, statements
from partner_desktop.config.problem import ConfigProblem
from partner_desktop.config.toml_text import Tables, toml_key

S = TypeVar("S", bound=BaseModel)

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
            message = self._sentence(one, place, tables)
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
