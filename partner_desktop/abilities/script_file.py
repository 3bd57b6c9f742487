"""Reading a script: its `# /// partner` block (like PEP 723's), or its docstring, or nothing.

A script is a stranger's text: what it says of itself stands at its beginning, and no more than that is read.
It is scanned and not parsed: Python's own parser holds the whole interpreter, for minutes where somebody
means it to.
"""

from __future__ import annotations

import re

from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.runner.descriptor import Descriptor, from_toml

_READ_CHARS = 64 * 1024
#: Of a script, what holds that many signs, however they are written.
READ_BYTES = 4 * _READ_CHARS
_DESCRIPTION = 500
_OPENING = re.compile(r"^(#|//|--|;|%)\s*/// partner\s*$")
_COMMENT = re.compile(r"^\s*(?:#|//|--|;|%)\s?(.*)$")

#: What may stand before the first statement of Python, and a text that is that statement.
_UNSAID = re.compile(r"(?:[ \t\f\r\n\ufeff]+|#[^\n]*)*+")
_TEXTS = tuple(
    re.compile(rf"(?P<raw>[rR]?)[uU]?{quote}(?P<text>(?:{plain}++|\\.{also})*+){quote}", re.DOTALL)
    for quote, plain, also in (
        ('"""', r'[^"\\]', '|"(?!"")'),
        ("'''", r"[^'\\]", "|'(?!'')"),
        ('"', r'[^"\\\n]', ""),
        ("'", r"[^'\\\n]", ""),
    )
)
_ENDS = re.compile(r"[ \t]*(?:[\r\n;#]|\Z)")
_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
_ESCAPED = {"\n": "", "n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}


@dataclass(frozen=True)
class ScriptDescription:
    """What a script says of itself."""

    descriptor: Descriptor
    described: bool
    """Whether it declares its parameters; otherwise it takes one free `args` field."""


def has_block(text: str) -> bool:
    """Whether a script describes itself in a block, be it a good one or not."""
    return any(_OPENING.match(line) for line in text[:_READ_CHARS].splitlines())


def find_block(text: str) -> tuple[str, int] | None:
    """The TOML of the block, and the line of the file that it begins in; `None` where there is no block.

    Raises:
        DescriptorError: The block is not closed; `line` is set.
    """
    lines = text[:_READ_CHARS].splitlines()
    for number, line in enumerate(lines):
        opening = _OPENING.match(line)
        if opening:
            return _block(lines[number + 1 :], opening.group(1), opened_at=number + 1), number + 2
    return None


def describe(text: str, *, is_python: bool) -> ScriptDescription:
    """The description inside a script's text.

    Raises:
        DescriptorError: The block is not closed or not valid; `line` is set.
    """
    block = find_block(text)
    if block is not None:
        body, first_line = block
        return ScriptDescription(from_toml(body, first_line=first_line), described=True)
    return ScriptDescription(Descriptor(description=_docstring(text, is_python=is_python)), described=False)


def _block(lines: list[str], sign: str, *, opened_at: int) -> str:
    """The block's lines without their comment signs, up to the closing one."""
    body: list[str] = []
    for offset, line in enumerate(lines, start=1):
        if line.rstrip() == f"{sign} ///":
            return "\n".join(body)
        if not line.startswith(sign):
            raise DescriptorError(
                f"the partner block opened in line {opened_at} is not closed by `{sign} ///`",
                line=opened_at + offset,
            )
        body.append(line.removeprefix(sign).removeprefix(" "))
    raise DescriptorError(
        f"the partner block opened in line {opened_at} is not closed by `{sign} ///`", line=opened_at
    )


def _docstring(text: str, *, is_python: bool) -> str:
    """The first paragraph of the docstring, or of the leading comments."""
    text = text[:_READ_CHARS]
    found = _first_text(text) if is_python else ""
    if found:
        return found
    words: list[str] = []
    for line in text.splitlines():
        if line.startswith("#!") and not words:
            continue
        comment = _COMMENT.match(line)
        if not comment or not comment.group(1).strip():
            break
        words.append(comment.group(1).strip())
    return " ".join(words)[:_DESCRIPTION]


def _first_text(text: str) -> str:
    """The first paragraph of the text that Python code begins with; empty where it begins otherwise."""
    begin = _UNSAID.match(text)
    at = begin.end() if begin else 0
    found = next((match for each in _TEXTS if (match := each.match(text, at))), None)
    if found is None or not _ENDS.match(text, found.end()):
        return ""
    said = found["text"]
    if not found["raw"]:
        said = _ESCAPE.sub(lambda sign: _ESCAPED.get(sign[1], sign[0]), said)
    words: list[str] = []
    for line in said.strip().splitlines():
        if not line.strip():
            break
        words += line.split()
    return " ".join(words)[:_DESCRIPTION]
