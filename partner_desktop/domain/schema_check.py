"""Whether a value fits a JSON Schema that somebody else wrote.

Imports `jsonschema`, which is slow the first time, and takes its time with long values: off the loop.

A schema of a stranger is a small program: a pattern can take longer than the world has time, with the whole
interpreter waiting, and references can double the work with each step. Of a server's schema no pattern is
tried, and what takes more than so many steps counts as fitting: the server will look for itself. A script's
schema is a stranger's too, but nobody else looks: of its patterns those are tried that are done in a moment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

#: Keywords of one schema that are looked at for one value: a few seconds in a thread, at worst.
MOST_STEPS = 100_000
#: What tries patterns, or follows references without a step that is counted.
_NOT_TRIED = ("pattern", "patternProperties", "unevaluatedProperties", "unevaluatedItems")

#: A pattern is plain: short, with few things that may be there once or more, and no group that repeats. On a
#: short text it is then tried in a moment, whatever the text.
_PLAIN_LENGTH, _PLAIN_REPEATS, _PLAIN_TEXT = 200, 2, 500
_ONE_SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_NOT_PLAIN = re.compile(r"\)[*+?{]|\(\?[^:]|\\[0-9]")
_REPEATS = re.compile(r"[*+?]|\{\d*,\d*\}")

#: A keyword of `jsonschema`: validator, the keyword's value, instance, schema → errors. Any: as it has them.
_Check = Callable[[Any, Any, Any, Any], Iterator[Any] | None]


@dataclass(frozen=True)
class Misfit:
    """Why it does not fit."""

    message: str
    param: str = ""
    """The property that is to blame; empty where none is."""
    of_schema: bool = False
    """The schema itself is wrong: no value could fit."""
    keyword: str = ""
    """The schema's rule that is broken, and what it says."""
    limit: Json = None


class TooManyStepsError(Exception):
    """The schema asks for more than is done for it."""


class _Steps:
    def __init__(self, most: int) -> None:
        self._left = most

    def take(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooManyStepsError


_steps: ContextVar[_Steps] = ContextVar("schema_steps")


def is_foreign(info: MetaActionInfo) -> bool:
    """Whether a stranger describes the parameters: an external server."""
    return info.route is Route.MCP and info.location != "local"


def without_nulls(value: Json, schema: Json) -> Json:
    """Without the nulls that stand for nothing where the schema takes none; references are not followed."""
    if isinstance(value, list) and isinstance(schema, dict):
        return [without_nulls(item, schema.get("items")) for item in value]
    if not isinstance(value, dict) or not isinstance(schema, dict):
        return value
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return value
    needed = required if isinstance(required, list) else []
    return {
        name: without_nulls(item, properties.get(name))
        for name, item in value.items()
        if item is not None or name in needed or name not in properties or _nullable(properties[name])
    }


def _nullable(schema: Json) -> bool:
    if not isinstance(schema, dict):
        return True
    kind, choices = schema.get("type"), schema.get("anyOf")
    if kind is None and isinstance(choices, list):
        return any(_nullable(choice) for choice in choices)
    return kind is None or kind == "null" or (isinstance(kind, list) and "null" in kind)


def unknown_names(schema: JsonObject, params: JsonObject) -> list[str]:
    """The arguments that the schema does not name and does not ask for either.

    JSON Schema lets more names pass where nothing is said of them; here they pass only where
    `additionalProperties` says so: what nobody described, nobody expects.
    """
    more = schema.get("additionalProperties")
    if more is True or isinstance(more, dict):
        return []
    named = known_names(schema)
    return [name for name in params if name not in named]


def known_names(schema: JsonObject) -> list[str]:
    """The arguments that a schema names, also where it is put together of several."""
    parts = [schema]
    for word in ("allOf", "anyOf", "oneOf"):
        listed = schema.get(word)
        parts += [part for part in listed if isinstance(part, dict)] if isinstance(listed, list) else []
    found = [part.get("properties") for part in parts]
    return list(dict.fromkeys(name for each in found if isinstance(each, dict) for name in each))


def misfit(schema: JsonObject, value: Json, *, formats: bool = False, foreign: bool = False) -> Misfit | None:
    """The first thing that is wrong; `None` when it fits. With `formats`, what `format` says counts too."""
    if not formats and _plainly_fits(schema, value):
        return None
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - 0.1 s that start-up must not pay
    from jsonschema.exceptions import SchemaError  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    checker = Draft202012Validator.FORMAT_CHECKER if formats else None
    made = foreign_class(Draft202012Validator, patterns=not foreign)
    try:
        Draft202012Validator.check_schema(schema)
        # A registry of our own: without one, a schema could have any address on the network read.
        validator = made(schema, registry=Registry(), format_checker=checker)
        problem = first_error(validator, value)
    except SchemaError as error:
        return Misfit(error.message, of_schema=True)
    except Unresolvable as error:
        return Misfit(f"it refers to {error.ref}, which is not in it", of_schema=True)
    except RecursionError:
        return Misfit("it refers to itself without an end, or is nested too deeply", of_schema=True)
    except TooManyStepsError:
        problem = None
    if problem is not None:
        param = str(problem.path[0]) if problem.path else ""
        return Misfit(problem.message, param, keyword=str(problem.validator), limit=problem.validator_value)
    return None


def misfits(info: MetaActionInfo, values: JsonObject) -> dict[str, Misfit]:
    """Parameter → what is wrong with its value, where something is; a schema that is wrong itself is told
    where the call is proposed."""
    definitions = {name: info.params[name] for name in _DEFINITIONS if name in info.params}
    found = {
        name: misfit({**schema, **definitions}, values[name], foreign=is_foreign(info))
        for name, schema in info.properties().items()
        if name in values
    }
    return {name: wrong for name, wrong in found.items() if wrong is not None and not wrong.of_schema}


#: What the definitions that a property may refer to are called.
_DEFINITIONS = ("$defs", "definitions")
#: Keywords that are for people, and rules that are kept or not without jsonschema.
_TOLD = frozenset({"title", "description", "format", "access", "default"})
_TYPES: Mapping[object, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "object": dict,
}


def _plainly_fits(schema: JsonObject, value: Json) -> bool:
    """Whether it fits, by a schema that is told without jsonschema; most are."""
    properties = schema.get("properties")
    if not isinstance(value, dict) or not isinstance(properties, dict):
        return _is_plain_schema(schema) and _keeps(schema, value)
    required = schema.get("required", [])
    return (
        schema.keys() <= {"type", "properties", "required", "additionalProperties"}
        and schema.get("type") == "object"
        and isinstance(schema.get("additionalProperties", False), bool)
        and isinstance(required, list)
        and all(isinstance(name, str) and name in value for name in required)
        and all(isinstance(each, dict) and _is_plain_schema(each) for each in properties.values())
        and all(_keeps(properties.get(name), each) for name, each in value.items())
    )


def _is_plain_schema(schema: JsonObject) -> bool:
    told = all(word == "default" or isinstance(schema[word], str) for word in schema.keys() & _TOLD)
    others = [word for word in schema if word not in _TOLD and not word.startswith("x-partner-")]
    return told and others == ["type"] and isinstance(schema["type"], str) and schema["type"] in _TYPES


def _keeps(schema: Json, value: Json) -> bool:
    """Whether a value is of a plain schema's type; `True` is no number."""
    if not isinstance(schema, dict):
        return False
    kind = schema["type"]
    return isinstance(value, _TYPES[kind]) and isinstance(value, bool) is (kind == "boolean")


def first_error(validator: Validator, value: Json, *, most: int = MOST_STEPS) -> ValidationError | None:
    """What is wrong first, by a validator of a `foreign_class`.

    Raises:
        TooManyStepsError: It takes more than `most` steps to tell.
    """
    from jsonschema.exceptions import best_match  # noqa: PLC0415 - as above

    token = _steps.set(_Steps(most))
    try:
        found: ValidationError | None = best_match(validator.iter_errors(value))
    finally:
        _steps.reset(token)
    return found


@cache
def foreign_class(draft: type[Validator], *, patterns: bool = False) -> type[Validator]:
    """A draft of JSON Schema whose steps are counted, and without what a stranger could harm us by.

    `patterns`: whether the plain ones are tried.
    """
    from jsonschema.validators import extend  # noqa: PLC0415 - as above

    checks = {word: _counted(word, check) for word, check in draft.VALIDATORS.items()}
    tried = {"pattern": _plainly(checks["pattern"])} if patterns else {}
    made: type[Validator] = extend(draft, {**checks, **dict.fromkeys(_NOT_TRIED, _untried), **tried})
    return made


def _counted(word: str, check: _Check) -> _Check:
    def counted(validator: Any, said: Any, value: Any, schema: Any) -> Iterator[Any]:  # noqa: ANN401 - see _Check
        _steps.get().take()
        if word == "additionalProperties" and "patternProperties" in schema:
            return  # which are additional, only the patterns know
        yield from check(validator, said, value, schema) or ()

    return counted


def _plainly(check: _Check) -> _Check:
    def tried(validator: Any, pattern: Any, value: Any, schema: Any) -> Iterator[Any]:  # noqa: ANN401 - see _Check
        if isinstance(value, str) and len(value) <= _PLAIN_TEXT and _is_plain(pattern):
            yield from check(validator, pattern, value, schema) or ()

    return tried


def _is_plain(pattern: str) -> bool:
    """Whether it is tried in a moment."""
    if len(pattern) > _PLAIN_LENGTH or _NOT_PLAIN.search(pattern):
        return False
    bare = _ONE_SIGN.sub("x", pattern)
    return not _NOT_PLAIN.search(bare) and len(_REPEATS.findall(bare)) <= _PLAIN_REPEATS


def _untried(*_: object) -> Iterator[Any]:
    yield from ()
