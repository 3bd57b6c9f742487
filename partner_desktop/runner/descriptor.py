"""The description of a script: `desc.json`, or the TOML block in a single file. Same keys in both.

Text from outside enters here and leaves as a checked `Descriptor`; every error is one sentence that
names the key, and the line where it can be known.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.base.prompts import LANGUAGES, messages
from partner_desktop.base.text import cut, shown
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Annotations
from partner_desktop.domain.planning_facts import PLANNERS_OWN, USUAL_COST, PlanningFacts
from partner_desktop.runner.located_json import find, parse

#: Unknown keys that are told of; guessing what each was meant for takes its time.
_HINTED_KEYS = 20
#: Signs of such a key that are shown.
_SHOWN_KEY = 80
_TYPES = {"string", "number", "integer", "boolean", "array", "object"}
_TOML_LINE = re.compile(r"at line (\d+)")


Raw = dict[str, Any]  # Any: a description as its author wrote it, checked by `Descriptor`

#: What a person reads of an ability, and of a parameter.
_READ = ("title", "description")


def in_languages(raw: Raw) -> tuple[Raw, dict[str, Raw]]:
    """A description with each text in English, or else in its first language; and its texts by language."""
    told: dict[str, Raw] = {}
    plain = _in_one_language(raw, told)
    params = plain.get("params")
    if isinstance(params, dict):
        whole = params.get("type") == "object" and isinstance(params.get("properties"), dict)
        properties = params["properties"] if whole else params
        of_each: dict[str, Raw] = {}
        flat = {}
        for name, spec in properties.items() if isinstance(properties, dict) else ():
            flat[name], of_param = in_languages(spec) if isinstance(spec, dict) else (spec, {})
            for language, words in of_param.items():
                of_each.setdefault(language, {})[name] = words
        plain["params"] = {**params, "properties": flat} if whole else flat
        for language, by_name in of_each.items():
            told.setdefault(language, {})["params"] = by_name
    return plain, told


def _in_one_language(raw: Raw, told: dict[str, Raw]) -> Raw:
    plain = dict(raw)
    for key in _READ:
        texts = raw.get(key)
        if isinstance(texts, dict) and texts and all(isinstance(text, str) for text in texts.values()):
            plain[key] = texts.get("en") or (next(iter(texts.values())) if key == "description" else "")
            if not plain[key]:
                del plain[key]
            for language, text in texts.items():
                told.setdefault(str(language), {})[key] = text
    return plain


def _flat_aliases(value: object) -> object:
    """`["a"]`, `"a"` and `{"en": ["a"], "zh": "b"}` alike."""
    if isinstance(value, dict):
        return [
            alias for group in value.values() for alias in (group if isinstance(group, list) else [group])
        ]
    return [value] if isinstance(value, str) else value


def _words(value: object) -> object:
    return value.split() if isinstance(value, str) else value


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _named_output(value: object) -> object:
    """`"Summary"` is `{"result": "Summary"}`."""
    return {"result": value} if isinstance(value, str) else value


def _conditions(value: object) -> object:
    """`["a", "b"]` and `"a"`: all of it is so."""
    if isinstance(value, str):
        return {value: True}
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return dict.fromkeys(value, True)
    return value


#: A type, and a condition, as authors name them.
_TypeName = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[\p{L}_][\p{L}\p{N}_]*$")]
_Condition = Annotated[
    str, Field(min_length=1, max_length=200, pattern=r"^[^\s\p{C}]([^\p{C}]*[^\s\p{C}])?$")
]
_Conditions = TypeVar("_Conditions", dict[str, bool], list[str])
#: The key of an ability, and how many of them one description names.
_ActionKey = Annotated[str, Field(min_length=1, max_length=300, pattern=r"^\S.*$")]
_MOST_ACTIONS = 20


class HintModel(BaseModel):
    """MCP's tool annotations."""

    model_config = ConfigDict(extra="ignore", strict=True, defer_build=True)

    readOnlyHint: bool | None = None  # noqa: N815 - MCP's own names
    destructiveHint: bool | None = None  # noqa: N815
    idempotentHint: bool | None = None  # noqa: N815
    openWorldHint: bool | None = None  # noqa: N815

    def told(self) -> Annotations:
        """As an ability has them."""
        return Annotations(
            read_only=self.readOnlyHint,
            destructive=self.destructiveHint,
            idempotent=self.idempotentHint,
            open_world=self.openWorldHint,
        )


class PermissionModel(BaseModel):
    """What the script asks for beyond its parameters."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    net: bool = False
    read: list[str] = []
    write: list[str] = []
    sockets: bool = False


class Descriptor(BaseModel):
    """A checked description."""

    model_config = ConfigDict(extra="allow", defer_build=True)  # a home need not have a script

    @model_validator(mode="before")
    @classmethod
    def _in_languages(cls, raw: object) -> object:
        """`title` and `description`, also of a parameter, may be a text by language, as aliases are."""
        if not isinstance(raw, dict):
            return raw
        plain, told = in_languages(raw)
        return {**plain, "localized": told} if told else plain

    description: str = Field(default="", max_length=4_000)
    title: str = Field(default="", max_length=80)
    localized: dict[str, dict[str, Any]] = {}  # Any: see `MetaActionInfo.localized`
    aliases: Annotated[list[str], BeforeValidator(_flat_aliases)] = []
    owner: str = ""
    params: dict[str, Any] = {}  # Any: a JSON Schema, checked by `params_schema`
    freeArgs: bool = False  # noqa: N815
    """It takes one free `args` text, split like a shell would, in place of described parameters."""
    responseSchema: dict[str, Any] = {}  # noqa: N815 - the format's own name; Any: a JSON Schema of the result
    tags: list[str] = []
    preActions: Annotated[list[_ActionKey], Field(max_length=_MOST_ACTIONS), BeforeValidator(_listed)] = []  # noqa: N815
    """Keys of the abilities that come before it; one without `::` stands beside it, in the same place."""
    postActions: Annotated[list[_ActionKey], Field(max_length=_MOST_ACTIONS), BeforeValidator(_listed)] = []  # noqa: N815
    strictDependencies: bool = Field(default=False, strict=True)  # noqa: N815
    """It is never done without its `preActions`."""
    inputs: dict[str, _TypeName] = {}
    """Parameter → the type of what it takes."""
    outputs: Annotated[dict[str, _TypeName], BeforeValidator(_named_output)] = {}
    """Name → type; of one alone the type is enough."""
    preconditions: Annotated[dict[_Condition, bool], BeforeValidator(_conditions)] = {}
    """Condition → how it must be; a list: all of it must be so."""
    effects: Annotated[dict[_Condition, bool], BeforeValidator(_conditions)] = {}
    senses: Annotated[list[_Condition], Field(max_length=_MOST_ACTIONS), BeforeValidator(_listed)] = []
    """Conditions of which its result says, under `conditions`, whether they are so."""
    cost: float = Field(default=USUAL_COST, ge=0, le=1e9, allow_inf_nan=False)
    value: float = Field(default=0.0, ge=0, le=1e9, allow_inf_nan=False)
    rerunnable: bool = Field(default=False, strict=True)
    launcher: Annotated[list[str], BeforeValidator(_words)] = []
    timeoutSeconds: float = Field(default=120.0, gt=0, le=86_400)  # noqa: N815 - the format's own name
    annotations: HintModel = Field(default_factory=HintModel)
    permissions: PermissionModel = Field(default_factory=PermissionModel)

    @field_validator("inputs", "outputs")
    @classmethod
    def _can_be_told_apart(cls, kinds: dict[str, str], info: ValidationInfo) -> dict[str, str]:
        """What takes two of one type cannot be given the right one by its type alone."""
        params = info.data.get("params") or {}
        known = params.get("properties") if params.get("type") == "object" else params
        declared = known if isinstance(known, dict) else {}
        for name in kinds if info.field_name == "inputs" and declared else ():
            if name not in declared:
                raise PydanticCustomError("no_such_input", "{name} is no parameter", {"name": name})
        given = [*kinds.values()]
        for kind in given:
            if given.count(kind) > 1:
                raise PydanticCustomError("same_type", "two are of the type {kind}", {"kind": kind})
        return kinds

    @field_validator("preconditions", "effects", "senses")
    @classmethod
    def _speak_of_the_world(cls, conditions: _Conditions) -> _Conditions:
        """What is there and what ran is for the planner to say, and nobody's claim."""
        for name in conditions:
            if name.startswith(PLANNERS_OWN):
                raise PydanticCustomError("planners_own", "{name} is the planner's own", {"name": name})
        return conditions

    def planning_facts(self) -> PlanningFacts:
        """What it says for plans."""
        return PlanningFacts(
            inputs=self.inputs,
            outputs=self.outputs,
            preconditions=self.preconditions,
            effects=self.effects,
            senses=tuple(self.senses),
            cost=self.cost,
            value=self.value,
            rerunnable=self.rerunnable,
        )

    def keys_before(self, location: str) -> tuple[str, ...]:
        """`preActions` as whole keys, seen from an ability at `location`."""
        return _whole(self.preActions, location)

    def keys_after(self, location: str) -> tuple[str, ...]:
        """`postActions` as whole keys."""
        return _whole(self.postActions, location)

    def unknown_keys(self, *, but: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """One hint for each key that no part of the format knows; `but` are known to the caller."""
        hints = []
        known = _LATER_KEYS | but
        for key in islice((key for key in self.model_extra or {} if key not in known), _HINTED_KEYS):
            near = get_close_matches(key, [*type(self).model_fields, *_LATER_KEYS], n=1)
            hints.append(unknown_key_hint(key, near))
        return tuple(hints)


Described = TypeVar("Described", bound=Descriptor)


def unknown_key_hint(key: str, near: Sequence[str]) -> str:
    """What its author is told of a key that nobody reads; `near`: the key that was meant, if one is."""
    key = cut(shown(key), _SHOWN_KEY)
    if near:
        return sentence_of("descriptor.unknown_key_near", key=key, near=near[0])
    return sentence_of("descriptor.unknown_key", key=key)


def _whole(keys: list[str], location: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key if "::" in key else f"{location}::{key}" for key in keys))


#: Taken, and not used yet.
_LATER_KEYS = frozenset({"io"})


def from_json(text: str) -> Descriptor:
    """Read a `desc.json`.

    Raises:
        DescriptorError: It is not valid; `line` is set.
    """
    try:
        raw = json.loads(text)
    except json.JSONDecodeError as error:
        raise DescriptorError("descriptor.not_json", reason=error.msg, line=error.lineno) from error
    except (RecursionError, ValueError) as error:
        raise DescriptorError("descriptor.too_deep", line=1) from error
    return checked(raw, text, first_line=1, model=Descriptor)


def from_toml(text: str, *, first_line: int) -> Descriptor:
    """Read a single file's block, comment signs already removed; `first_line` is its place in the file.

    Raises:
        DescriptorError: It is not valid; `line` counts in the file.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _TOML_LINE.search(str(error))  # the only place where Python 3.11 tells the line
        line = first_line + (int(found.group(1)) - 1 if found else 0)
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise DescriptorError("descriptor.not_toml", reason=reason, line=line) from error
    except (RecursionError, ValueError) as error:
        raise DescriptorError("descriptor.block_unread", line=first_line) from error
    return checked(raw, text, first_line=first_line, model=Descriptor)


def checked(raw: object, text: str, *, first_line: int, model: type[Described]) -> Described:
    """What was read from `text`, as a description, or as a `model` that is one and more.

    Raises:
        DescriptorError: It is none; `line` counts from `first_line`.
    """
    if not isinstance(raw, dict):
        raise DescriptorError("descriptor.no_object", line=first_line)
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        line = _line_of(first["loc"], text, first_line)
        raise DescriptorError("descriptor.unfit", key=key, reason=_misfit(first), line=line) from error


def _misfit(error: ErrorDetails) -> object:
    """What pydantic found, in a person's language where it is one of the usual things."""
    if error["type"] in messages("descriptor", LANGUAGES[0])["misfit"]:
        return LazySentence(f"descriptor.misfit.{error['type']}", **error.get("ctx", {}))
    return error["msg"][:1].lower() + error["msg"][1:]


def _line_of(path: tuple[int | str, ...], text: str, first_line: int) -> int:
    """Where a value stands; of TOML, whose reader knows no lines, as well as a search for a key can tell."""
    try:
        return first_line - 1 + find(parse(text).root, path).line
    except DescriptorError:  # it is TOML
        key = re.escape(str(path[0])) if path else ""
    pattern = re.compile(rf"""^\s*\[?["']?{key}["']?\s*[\].:=]""")
    for number, line in enumerate(text.splitlines()):
        if pattern.search(line):
            return first_line + number
    return first_line


def params_schema(params: dict[str, Any]) -> JsonObject:
    """The JSON Schema of the arguments, from a full schema, a map of properties, or name → text.

    Raises:
        DescriptorError: A parameter is neither text nor a schema, or its type is unknown.
    """
    try:
        json.dumps(params)
    except (TypeError, ValueError, RecursionError) as error:
        raise DescriptorError("descriptor.odd_params") from error
    if params.get("type") == "object" and isinstance(params.get("properties"), dict):
        properties, required = params["properties"], params.get("required", [])
        if not (
            isinstance(required, list)
            and all(isinstance(name, str) and name in properties for name in required)
        ):
            raise DescriptorError("descriptor.odd_required")
        schema: JsonObject = dict(params)
    else:
        properties = {
            name: {"type": "string", "description": spec} if isinstance(spec, str) else spec
            for name, spec in params.items()
        }
        required = [name for name, spec in properties.items() if _is_required(spec)]
        schema = {"type": "object"}
    schema["properties"] = {name: _checked_property(name, spec) for name, spec in properties.items()}
    schema["required"] = required
    return schema


def _is_required(spec: object) -> bool:
    """A property is required unless it has a default or says otherwise."""
    return not (isinstance(spec, dict) and ("default" in spec or spec.get("required") is False))


def _checked_property(name: str, spec: object) -> JsonObject:
    if not isinstance(spec, dict):
        raise DescriptorError("descriptor.no_param", name=name)
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", name):
        raise DescriptorError("descriptor.param_name", name=name)
    kind = spec.get("type", "string")
    if isinstance(kind, str) and kind not in _TYPES:
        near = get_close_matches(kind, sorted(_TYPES), n=1)
        if near:
            raise DescriptorError("descriptor.param_type_near", name=name, kind=kind, near=near[0])
        raise DescriptorError("descriptor.param_type", name=name, kind=kind, types=", ".join(sorted(_TYPES)))
    clean: JsonObject = {key: value for key, value in spec.items() if key != "required"}
    clean.setdefault("type", "string")
    return clean
