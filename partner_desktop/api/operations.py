"""Operations: what can be asked of a Partner by name, with its parameters as JSON.

Contract: a call is looked through before anything happens: whether there is such an operation, whether
whoever asks may, and whether its parameters fit. Each refusal is one error of its own (`base.errors`), with a
`code`. The models of parameters are made from the signatures, each with its first use.
"""

from __future__ import annotations

import difflib
import inspect
import json
import os
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from partner_desktop.base.errors import (
    CallerError,
    ParametersError,
    ResultError,
    TooLargeError,
    UnknownOperationError,
    UsageError,
)
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.operation import Caller, OnlyFrom, Sent, least_caller
from partner_desktop.base.text import shown
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json, JsonObject

#: Characters of JSON that the parameters of one call may take: several times the longest message.
MOST_CHARACTERS: Final = 4 * 1024 * 1024
#: Parameters that one refusal names.
_MOST_FAULTS = 5
#: Bytes of a path, and of each part of it, that systems take.
_LONGEST_PATH, _LONGEST_PART = 4_096, 255
#: Characters of an unknown name that a refusal repeats.
_LONGEST_NAME = 80

#: Bytes that are no UTF-8 stand as half characters in a path: carried through JSON as signs for private use.
_CARRIED: Final = {0xDC00 + byte: 0x10FE00 + byte for byte in range(0x80, 0x100)}
_BACK: Final = {sign: half for half, sign in _CARRIED.items()}

_NO_FACTS: Mapping[str, Json] = {}


def _whole_or_none(folder: str) -> str:
    if folder:
        _must_be_whole(Path(folder))
    return folder


#: The folder that paths begin in which are said without one; none where it is empty.
WorkingFolder: TypeAlias = Annotated[
    str, AfterValidator(_whole_or_none), Field(json_schema_extra={"format": "path"})
]


@dataclass(frozen=True)
class Operation:
    """One method of a service. `caller`: who may ask for it at least."""

    name: str
    caller: Caller
    function: Callable[..., Any]  # Any: each has parameters and a result of its own

    @property
    def text(self) -> str:
        """Its whole docstring."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """Its first sentence."""
        return self.text.partition("\n")[0]

    @property
    def streams(self) -> bool:
        """Whether it gives one thing after another, and is asked for by `Operations.stream`."""
        return inspect.isasyncgenfunction(self.function)

    def parameters(self, caller: Caller) -> type[BaseModel]:
        """What `caller` may give; made at the first look."""
        return _parameters(self.name, self.function.__func__, caller)  # type: ignore[attr-defined] # bound

    def values(self, given: JsonObject, caller: Caller) -> dict[str, Any]:
        """What is given, looked through and in the types of the signature. Errors as of `Operations.call`."""
        return _arguments(self, given, caller, _NO_FACTS)

    def result(self) -> TypeAdapter[Any]:
        """What it gives, of a stream each single thing."""
        hint = get_type_hints(self.function, include_extras=True)["return"]
        return TypeAdapter(get_args(hint)[0] if self.streams else hint)

    def outlined(self) -> JsonObject:
        """What can be said of it at once; `described` has to make models first."""
        return {"name": self.name, "summary": self.summary, "streams": self.streams}

    def schema(self, caller: Caller) -> JsonObject:
        """What `caller` may give, as JSON Schema."""
        return self.parameters(caller).model_json_schema()

    def described(self, caller: Caller) -> JsonObject:
        """The whole of it for the documentation, schemas included, as it is for `caller`."""
        return {
            **self.outlined(),
            "text": self.text,
            "caller": self.caller.name.lower(),
            "parameters": self.schema(caller),
            "result": self.result().json_schema(mode="serialization"),
        }


class Operations:
    """The marked methods of `services`, each of which has its name there."""

    def __init__(self, services: Mapping[str, object]) -> None:
        self._services = services

    def __iter__(self) -> Iterator[Operation]:
        return iter(self._table.values())

    @cached_property
    def _table(self) -> dict[str, Operation]:
        found = {}
        for service, one in sorted(self._services.items()):
            for verb in sorted(dir(type(one))):
                caller = least_caller(getattr(type(one), verb))
                if caller is not None:
                    name = f"{service}.{verb}"
                    found[name] = Operation(name, caller, getattr(one, verb))
        return found

    def outlined(self, services: Collection[str], caller: Caller) -> list[JsonObject]:
        """What `caller` may ask of some services, in short."""
        return [
            one.outlined() for one in self if caller >= one.caller and one.name.partition(".")[0] in services
        ]

    def get(self, name: str, caller: Caller = Caller.LOCAL) -> Operation:
        """The operation of this name.

        Raises:
            UnknownOperationError: There is none.
            CallerError: `caller` may not ask for it.
        """
        found = self._table.get(name)
        if found is None:
            near = difflib.get_close_matches(name[:_LONGEST_NAME], self._table, n=1)
            asked = shown(name[:_LONGEST_NAME])
            if not near:
                raise UnknownOperationError("api.no_operation", name=asked)
            raise UnknownOperationError("api.no_operation_but", name=asked, near=near[0])
        if caller < found.caller:
            raise CallerError("api.not_from_here", name=name)
        return found

    async def begin(
        self, name: str, given: JsonObject, *, caller: Caller, facts: Mapping[str, Any] = _NO_FACTS
    ) -> Json | AsyncGenerator[Json, None]:
        """What `call` or `stream` gives, as the operation is. Errors and `facts` as of `call`."""
        if self.get(name, caller).streams:
            return self.stream(name, given, caller=caller, facts=facts)
        return await self.call(name, given, caller=caller, facts=facts)

    async def call(
        self, name: str, given: JsonObject, *, caller: Caller, facts: Mapping[str, Any] = _NO_FACTS
    ) -> Json:
        """Ask for an operation, and have its result as JSON.

        `facts`: what whoever carries the call knows of it, for parameters that `caller` itself may not give
        (where it comes from, the exchange that it belongs to). Those that the operation has not are left. One
        that has a `caller` is told who asks.

        Raises:
            UsageError: It cannot be called so; the classes below it in `base.errors` say why.
            ResultError: What it gave has no form as JSON. It was done all the same.
            PartnerError: As the operation says.
        """
        one = self.get(name, caller)
        if one.streams:
            raise UsageError("api.has_to_be_followed", name=name)
        answer = one.function(**_arguments(one, given, caller, facts))
        return _encoded(name, await answer if inspect.isawaitable(answer) else answer)

    async def stream(
        self, name: str, given: JsonObject, *, caller: Caller, facts: Mapping[str, Any] = _NO_FACTS
    ) -> AsyncGenerator[Json, None]:
        """Follow an operation that gives one thing after another. Errors and `facts` as of `call`."""
        one = self.get(name, caller)
        if not one.streams:
            raise UsageError("api.nothing_to_follow", name=name)
        answers = one.function(**_arguments(one, given, caller, facts))
        try:
            async for answer in answers:
                yield _encoded(name, answer)
        finally:
            await answers.aclose()


def _arguments(one: Operation, given: JsonObject, caller: Caller, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What the function is called with: checked, and in the types of its signature."""
    model = one.parameters(caller)
    try:
        # Half characters are bytes of a path that is no UTF-8; JSON has none.
        text = json.dumps(given, allow_nan=False, ensure_ascii=False).translate(_CARRIED)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ParametersError("api.parameters_no_json", name=one.name) from error
    if len(text) > MOST_CHARACTERS:
        raise TooLargeError("api.parameters_too_long", name=one.name, length=len(text), most=MOST_CHARACTERS)
    try:
        values = model.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise ParametersError("api.cannot_take", name=one.name, faults=_faults(error)) from error
    known = inspect.signature(one.function).parameters
    facts = {"caller": caller, **facts}
    own = {name: fact for name, fact in facts.items() if name in known and name not in model.model_fields}
    return own | {name: _undecoded(getattr(values, name)) for name in values.model_fields_set}


def _undecoded(value: Any) -> Any:  # noqa: ANN401 - of any parameter
    if isinstance(value, Path):
        return Path(str(value).translate(_BACK))
    return value.translate(_BACK) if isinstance(value, str) and type(value) is str else value


def _faults(error: ValidationError) -> str:
    """What names each parameter that does not fit."""
    told = []
    for fault in error.errors(include_url=False, include_input=False)[:_MOST_FAULTS]:
        where = ".".join(map(str, fault["loc"])) or sentence_of("api.the_whole")
        if fault["type"] == "extra_forbidden":
            told.append(sentence_of("api.no_parameter", name=shown(where)))
        elif fault["type"] == "missing":
            told.append(sentence_of("api.parameter_missing", name=where))
        elif fault["type"] == "value_error":  # of our own, and a sentence already
            told.append(f"{shown(where)}: {fault['ctx']['error']}")
        else:
            told.append(f"{shown(where)}: {fault['msg'][:1].lower()}{fault['msg'][1:]}")
    return "; ".join(told)


def _encoded(name: str, answer: object) -> Json:
    try:
        value = as_json(answer)
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ResultError("api.untellable", name=name, error=error) from error
    return value


@cache
def _parameters(name: str, function: Callable[..., Any], caller: Caller) -> type[BaseModel]:
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:  # but `self`
        hint = hints[parameter.name]
        marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        if any(isinstance(mark, OnlyFrom) and caller < mark.caller for mark in marks):
            continue
        forms = [mark.form for mark in marks if isinstance(mark, Sent)]
        default = ... if forms or parameter.default is parameter.empty else parameter.default
        fields[parameter.name] = (_whole_path(forms[0] if forms else hint), default)
    # Any: pydantic's own overloads cannot follow fields that are only known here.
    return create_model(name, __config__=ConfigDict(extra="forbid"), **fields)


def _whole_path(hint: Any) -> Any:  # noqa: ANN401 - any type hint
    """The host has a working folder of its own: a path from elsewhere must say all."""
    whole = Annotated[Path, AfterValidator(_must_be_whole)]
    if get_origin(hint) is Annotated:
        return Annotated[(_whole_path(get_args(hint)[0]), *hint.__metadata__)]
    if hint == Path | None:
        return whole | None
    if hint == Sequence[Path]:
        return Sequence[Annotated[Path, AfterValidator(_must_be_possible)]]
    return whole if hint is Path else hint


def _must_be_whole(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError(sentence_of("api.path_not_whole"))
    return _must_be_possible(path)


def _must_be_possible(path: Path) -> Path:
    """No system has a file of such a name, and asking it for one is no `OSError`."""
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError:
        name = b"\0"
    if b"\0" in name or len(name) >= _LONGEST_PATH or max(map(len, name.split(b"/"))) > _LONGEST_PART:
        raise ValueError(sentence_of("api.impossible_name"))
    return path
