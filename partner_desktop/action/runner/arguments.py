"""From parameters to what a script gets: its arguments, and the same as JSON on stdin.

A value that does not fit into an argument is refused with a sentence. Passing it on stdin alone would
leave a script that reads only its arguments without it, silently.
"""

from __future__ import annotations

import json
import os
import shlex

from partner_desktop.action.schema_check import unknown_names
from partner_desktop.base.errors import AskHumanError, TellMindError
from partner_desktop.base.text import cut, shown
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo

#: Linux takes 128 KiB an argument (MAX_ARG_STRLEN) and about 2 MiB of them together with the environment.
MAX_ARGUMENT_BYTES = 100 * 1024
MAX_ARGUMENTS_BYTES = 1024 * 1024


def command_arguments(info: MetaActionInfo, params: JsonObject) -> list[str]:
    """`--key=value` in declared order; of an undescribed script, its `args` split like a shell would.

    Strings stand as they are, everything else in its JSON form. What is absent or null is left out.

    Raises:
        AskHumanError: A quote in `args` is not closed.
        TellMindError: A value cannot be an argument (too long, NUL, not a number that JSON knows), or the
            script has none of that name.
    """
    unknown = [name for name in unknown_names(info.params, params) if not (info.free_args and name == "args")]
    if unknown:
        raise TellMindError(f"{info.title} has no parameter `{cut(shown(unknown[0]), 80)}`.")
    if info.free_args:
        arguments = _split(params.get("args"))
        names = ["args"] * len(arguments)
    else:
        declared = [name for name in info.properties() if name in params]
        more = [name for name in params if name not in declared]  # as the schema allows
        names = [name for name in (*declared, *more) if params[name] is not None]
        arguments = [f"--{name}={_text(name, params[name])}" for name in names]
    for name, argument in zip(names, arguments, strict=True):
        _check(name, argument)
    if sum(len(os.fsencode(argument)) + 1 for argument in arguments) > MAX_ARGUMENTS_BYTES:
        raise TellMindError(
            "The arguments are longer than 1 MiB together; put the text into a file and name that."
        )
    return arguments


def stdin_payload(params: JsonObject) -> bytes:
    """All parameters as one JSON object, in UTF-8.

    Raises:
        TellMindError: A number that JSON does not know (NaN, infinity).
    """
    try:
        try:
            return json.dumps(params, ensure_ascii=False, allow_nan=False).encode()
        except UnicodeEncodeError:  # half of a surrogate pair: JSON can say it, UTF-8 cannot
            return json.dumps(params, allow_nan=False).encode()
    except ValueError as error:
        raise TellMindError(
            "The parameters hold a number that JSON does not know (NaN or infinity)."
        ) from error


def _split(value: Json) -> list[str]:
    if value is None:
        return []
    if isinstance(value, list):
        return [part if isinstance(part, str) else json.dumps(part, ensure_ascii=False) for part in value]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    try:
        return shlex.split(text)
    except ValueError as error:
        raise AskHumanError(
            f"I cannot split `{cut(text, 80)}` into arguments: a quote is not closed, or a backslash ends it."
        ) from error


def _text(name: str, value: Json) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise TellMindError(f"`{name}` holds a number that JSON does not know (NaN or infinity).") from error


def _check(name: str, argument: str) -> None:
    if "\0" in argument:
        raise TellMindError(f"`{name}` holds a NUL character, which no program takes in an argument.")
    try:
        size = len(os.fsencode(argument))
    except UnicodeEncodeError as error:
        raise TellMindError(f"`{name}` holds half a character (a lone surrogate); write it again.") from error
    if size > MAX_ARGUMENT_BYTES:
        raise TellMindError(
            f"`{name}` is {size // 1024} KiB long; an argument may have {MAX_ARGUMENT_BYTES // 1024} KiB."
            " Put the text into a file and name that."
        )
