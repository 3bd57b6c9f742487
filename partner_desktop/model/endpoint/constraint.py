"""A schema as servers take it, and whether an answer keeps it.

Blocking, because it imports jsonschema; for use on a thread.

A dialect is how a server wants to be asked, and what to try next when it refuses.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from partner_desktop.base import log, private
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import SchemaError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.schema_check import without_nulls
from partner_desktop.files.atomic import write_whole
from partner_desktop.model.endpoint.address import shown_address

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

#: Notes for people, which strict mode does not take.
_NOTES = frozenset({"$schema", "$id", "title", "default", "examples", "deprecated", "readOnly", "writeOnly"})
#: Rules that servers leave out of their grammars here and there.
_FINE = frozenset(
    {
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "format"),
        *("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
    }
)
_NAMED = ("properties", "$defs", "definitions")
_LISTED = ("anyOf", "oneOf", "allOf", "prefixItems")
_MOST_DEPTH = 100

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCED = re.compile(r"```[\w-]*\s*\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Constraint:
    """One schema, ready for use."""

    schema: JsonObject
    strict: JsonObject | None
    """In the form that strict mode demands; `None` where it has none, as open objects."""
    _validator: Draft202012Validator

    @property
    def is_object(self) -> bool:
        """JSON mode knows objects alone."""
        return self.schema.get("type") == "object"

    def answer(self, text: str) -> str | None:
        """The one JSON value in a text, if it keeps the schema."""
        for candidate in _candidates(text):
            try:
                value = json.loads(candidate, parse_constant=_no_number)
                kept = without_nulls(value, self.schema)
                if self._keeps(kept):
                    return (
                        candidate if kept == value else json.dumps(kept, ensure_ascii=False, allow_nan=False)
                    )
            except (ValueError, RecursionError):
                continue
        return None

    def shapes(self, text: str) -> bool:
        """Whether a text has the schema's shape, though it may break its finer rules."""
        try:
            value = without_nulls(json.loads(text), self.schema)
            return all(error.validator in _FINE for error in self._validator.iter_errors(value))
        except Exception:  # noqa: BLE001 - broken JSON, endless depth, references to nowhere: no shape
            return False

    def _keeps(self, value: Json) -> bool:
        from referencing.exceptions import Unresolvable  # noqa: PLC0415 - slow to import

        try:
            return bool(self._validator.is_valid(value))
        except Unresolvable:
            return True  # nobody can say; whoever asked checks it all the same


def constraint(schema: JsonObject) -> Constraint:
    """Make a schema ready.

    Raises:
        SchemaError: It is none.
    """
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to import
    from jsonschema.exceptions import SchemaError as NoSchema  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415

    try:
        Draft202012Validator.check_schema(schema)
        json.dumps(schema)
        strict = _strict(schema, 0) if schema.get("type") == "object" else None
    except (NoSchema, ValueError, TypeError, RecursionError) as error:
        raise SchemaError("model.no_json_schema") from error
    return Constraint(schema, strict, Draft202012Validator(schema, registry=Registry()))


def is_json(text: str) -> bool:
    """Whether there is a JSON object in it, whatever it says."""
    for candidate in _candidates(text):
        try:
            if isinstance(json.loads(candidate), dict):
                return True
        except (ValueError, RecursionError):
            continue
    return False


def tidied(text: str) -> str:
    """What in a text is likeliest meant as the JSON value."""
    return next(reversed(list(_candidates(text))), text)


def _candidates(text: str) -> list[str]:
    """The text; without its thoughts; what is fenced in it; what stands in its outer braces."""
    spoken = _THOUGHT.sub("", text).strip()
    found = [text.strip(), spoken, *(fenced.strip() for fenced in _FENCED.findall(spoken))]
    start, end = spoken.find("{"), spoken.rfind("}")
    if 0 <= start < end:
        found.append(spoken[start : end + 1])
    return list(dict.fromkeys(one for one in found if one))


def _strict(schema: Json, depth: int) -> JsonObject | None:
    """Every object closed, every property required, optional ones nullable; `None` where that cannot be."""
    if not isinstance(schema, dict) or depth > _MOST_DEPTH:
        return None
    made: JsonObject = {key: value for key, value in schema.items() if key not in _NOTES}
    for key in _NAMED:
        if isinstance(group := made.get(key), dict):
            parts = {name: _strict(part, depth + 1) for name, part in group.items()}
            if None in parts.values():
                return None
            made[key] = dict(parts)
    for key in _LISTED:
        if isinstance(listed := made.get(key), list):
            members = [_strict(part, depth + 1) for part in listed]
            if None in members:
                return None
            made[key] = list(members)
    if "items" in made:
        made["items"] = _strict(made["items"], depth + 1)
        if made["items"] is None:
            return None
    return _closed(made, schema) if schema.get("type") == "object" or "properties" in schema else made


def _closed(made: JsonObject, schema: JsonObject) -> JsonObject | None:
    properties = made.get("properties")
    if not isinstance(properties, dict) or schema.get("additionalProperties", False) is not False:
        return None
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    made["properties"] = {
        name: part if name in needed else {"anyOf": [part, {"type": "null"}]}
        for name, part in properties.items()
    }
    made["required"] = list(properties)
    made["additionalProperties"] = False
    return made


def _no_number(word: str) -> Json:
    raise ValueError(f"{word} is not JSON")


_log = log.area("model")

#: Then everything is tried again, so that a server that was updated gets its schemas back.
KEPT = timedelta(days=1)
_MOST = 200
_MOST_BYTES = 1024 * 1024


class DialectMemory:
    """By address and model. Never in the way: what cannot be read or written is not kept.

    Without a path it forgets everything with itself.
    """

    def __init__(self, path: Path | None, *, clock: Clock) -> None:
        self._path, self._clock = path, clock
        self._found: dict[str, tuple[datetime, Dialect]] | None = None
        self._writing = asyncio.Lock()

    async def dialect(self, address: str, model: str) -> Dialect:
        """How to ask; the default where nothing is known or it is too old."""
        found = await self._all()
        at, dialect = found.get(_key(address, model), (datetime.min.replace(tzinfo=UTC), Dialect()))
        return dialect if timedelta(0) <= self._clock.now() - at < KEPT else Dialect()

    async def keep(self, address: str, model: str, dialect: Dialect) -> None:
        """Remember it."""
        found = await self._all()
        found[_key(address, model)] = (self._clock.now(), replace(dialect, stream=True))
        if self._path is None:
            return
        newest = sorted(found.items(), key=lambda pair: pair[1][0])[-_MOST:]
        async with self._writing:
            await asyncio.to_thread(_write, self._path, dict(newest))

    async def _all(self) -> dict[str, tuple[datetime, Dialect]]:
        if self._found is None:
            read = await asyncio.to_thread(_read, self._path) if self._path else {}
            if self._found is None:  # another call may have been as fast
                self._found = read
        return self._found


def _key(address: str, model: str) -> str:
    return f"{shown_address(address)} {model}"


def _read(path: Path) -> dict[str, tuple[datetime, Dialect]]:
    try:
        with path.open("rb") as file:
            raw = json.loads(file.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    pairs = raw.items() if isinstance(raw, dict) else ()
    return {key: kept for key, value in pairs if (kept := _kept(value)) is not None}


def _kept(value: Json) -> tuple[datetime, Dialect] | None:
    match value:
        case {
            "at": str(at),
            "rung": str(rung),
            "usage": bool(usage),
            "modern": bool(modern),
            "sampling": bool(sampling),
            **more,
        }:
            try:
                when = datetime.fromisoformat(at)
            except ValueError:
                return None
            for known in RUNGS:
                if known == rung and when.tzinfo is not None:
                    sees = more.get("pictures") is not False
                    return when, Dialect(known, usage, modern, sampling, pictures=sees)
    return None


def _write(path: Path, found: dict[str, tuple[datetime, Dialect]]) -> None:
    shown: JsonObject = {
        key: {"at": at.isoformat(), **asdict(dialect)} for key, (at, dialect) in found.items()
    }
    try:
        private.make_folder(path.parent)
        write_whole(path, json.dumps(shown, indent=1).encode(), private=True)
    except OSError as error:
        _log.info("what endpoints take was not kept: %s", error.strerror)


#: From the strictest: JSON Schema; JSON mode that takes one too (llama.cpp, Fireworks); JSON mode; words.
Rung = Literal["schema", "json_schema", "json", "prompt"]
RUNGS: tuple[Rung, ...] = ("schema", "json_schema", "json", "prompt")


@dataclass(frozen=True)
class Dialect:
    """What a request may hold. The default is what most servers take."""

    rung: Rung = "schema"
    usage: bool = True
    """Whether it may ask for the usage of a stream."""
    modern: bool = False
    """Whether the limit is called `max_completion_tokens`, as OpenAI's reasoning models want it."""
    sampling: bool = True
    """Whether it may set temperature and the like."""
    stream: bool = True
    """Whether the answer comes piece by piece; never remembered as anything else."""
    pictures: bool = True
    """Whether pictures may stand beside words."""


def lower(dialect: Dialect) -> Dialect | None:
    """One rung down the ladder; `None` at its foot."""
    at = RUNGS.index(dialect.rung)
    return replace(dialect, rung=RUNGS[at + 1]) if at + 1 < len(RUNGS) else None


def hinted(dialect: Dialect, param: str, *, structured: bool, shows: bool = False) -> Dialect | None:
    """Without what the server names as the reason of its refusal; `None` where that helps nothing.

    `shows`: the request has pictures.
    """
    if param.startswith("messages") and shows and dialect.pictures:
        return replace(dialect, pictures=False)
    if param.startswith("response_format") and structured:
        return lower(dialect)
    if param.startswith("stream_options") and dialect.usage:
        return replace(dialect, usage=False)
    if param == "max_tokens" and not dialect.modern:
        return replace(dialect, modern=True)
    if param in ("temperature", "top_p", "seed", "stop") and dialect.sampling:
        return replace(dialect, sampling=False)
    return None


def guesses(dialect: Dialect, *, structured: bool, shows: bool = False) -> Iterator[Dialect]:
    """For a server that does not name it: what can be left out, the likeliest first.

    `shows`: the request has pictures, which few models can see.
    """
    if shows and dialect.pictures:
        blind = replace(dialect, pictures=False)
        yield blind
        yield from guesses(dialect, structured=structured)
        yield from guesses(blind, structured=structured)
        return
    bare = replace(dialect, usage=False)
    if structured:
        rung = lower(dialect)
        while rung is not None:
            yield rung
            rung = lower(rung)
        bare = replace(bare, rung="prompt")
    yield bare
    yield replace(bare, modern=True)
    yield replace(bare, modern=True, sampling=False)
