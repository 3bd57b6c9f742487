"""A description as the `# /// partner` block of a single file: what `script_file` reads. No I/O."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from partner_desktop.action.runner.script_file import find_block
from partner_desktop.base.errors import DescriptorError

Raw = dict[str, Any]  # Any: a description as it was given, checked by `Descriptor`

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
#: What a basic string of TOML may not hold as it is, or what would end a line of comment.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
#: Lines that only work where they are: which program runs it, and how its text is encoded.
_FIRST = re.compile(r"#!")
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")


def with_block(code: str, raw: Raw, *, sign: str) -> str:
    """The code with its description in front, in place of the block that it may have.

    Raises:
        DescriptorError: Its block is not closed, or the description holds what TOML does not know.
    """
    lines = _without_block(code)
    first = 0
    while first < min(2, len(lines)) and (
        (first == 0 and _FIRST.match(lines[0])) or _CODING.match(lines[first])
    ):
        first += 1
    block = [f"{sign} /// partner", *(f"{sign} {line}".rstrip() for line in toml_lines(raw)), f"{sign} ///"]
    return "\n".join([*lines[:first], *block, *lines[first:]]) + "\n"


def _without_block(code: str) -> list[str]:
    lines = code.rstrip("\n").split("\n")
    block = find_block(code)
    if block is None:
        return lines
    body, first_line = block
    opened = first_line - 2
    return lines[:opened] + lines[opened + len(body.split("\n") if body else []) + 2 :]


def toml_lines(raw: Raw) -> Iterator[str]:
    """The description as TOML: what is short on a line of its own, each parameter as a table.

    Raises:
        DescriptorError: It holds what TOML does not know (`null`).
    """
    params = raw.get("params")
    tables = (
        isinstance(params, dict) and bool(params) and all(isinstance(each, dict) for each in params.values())
    )
    for key, value in raw.items():
        if key != "params" or not tables:
            yield f"{_key(key)} = {_value(value)}"
    for name, spec in params.items() if isinstance(params, dict) and tables else ():
        yield f"[params.{_key(name)}]"
        yield from (f"{_key(key)} = {_value(value)}" for key, value in spec.items())


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_key(key)} = {_value(each)}' for key, each in value.items())} }}"
    raise DescriptorError("the description holds an empty value (`null`); leave it out")
