"""A settings file's bytes as TOML tables, and every way in which that can fail as one sentence.

Blocking; for use off the loop. `Unusable` leaves this package only as problems.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

from partner_desktop.base.paths import display_path
from partner_desktop.base.spoken import sentence_of, system_reason
from partner_desktop.base.text import shown
from partner_desktop.config.problem import ConfigProblem
from partner_desktop.domain.json_value import Json

#: Settings are a page or two; what is larger is something else.
LIMIT_BYTES = 1024 * 1024
_SHOWN_CHARACTERS = 80

_AT = re.compile(r"^(?P<what>.*?)\s*\(at line (?P<line>\d+), column (?P<column>\d+)\)$", re.DOTALL)
_AT_END = re.compile(r"^(?P<what>.*?)\s*\(at end of document\)$", re.DOTALL)
#: tomllib's words for the commonest mistakes, by the ids of plainer ones; only the wording hangs on them.
_PLAIN = {
    "Cannot overwrite a value": "config.key_twice",
    "Cannot declare": "config.table_twice",
    "Expected '=' after a key in a key/value pair": "config.needs_value",
    "Expected newline or end of document after a statement": "config.behind_value",
    "Unterminated string": "config.quote_missing",
    "Illegal character '\\n'": "config.open_at_line_end",
    "Invalid value": "config.no_value",
    "Invalid statement": "config.no_statement",
}

_ENDLESS_KEY = re.compile(r"""(?<![\w"'.-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){100}""")

#: What tomllib gives: tables of tables, whose shape the model checks.
Tables = dict[str, Any]


class Unusable(Exception):  # noqa: N818 - not an error of the tree: it carries problems
    """The file cannot be read as TOML."""

    def __init__(self, problem: ConfigProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def read_bytes(path: Path) -> bytes | None:
    """What the file holds; `None` when there is none.

    Raises:
        Unusable: It is there and cannot be read.
    """
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise Unusable(ConfigProblem(path, sentence_of("config.is_folder")))
        if not stat.S_ISREG(kind):
            raise Unusable(ConfigProblem(path, sentence_of("config.no_regular_file")))
        with path.open("rb") as file:
            data = file.read(LIMIT_BYTES + 1)
    except FileNotFoundError:
        if os.path.islink(path):  # noqa: PTH114 - never raises
            raise Unusable(ConfigProblem(path, sentence_of("config.is_link", target=_target(path)))) from None
        return None
    except OSError as error:
        raise Unusable(
            ConfigProblem(path, sentence_of("config.cannot_be_read", reason=system_reason(error)))
        ) from error
    if len(data) > LIMIT_BYTES:
        raise Unusable(ConfigProblem(path, sentence_of("config.larger_than")))
    return data


def _target(path: Path) -> str:
    try:
        return sentence_of("config.not_there", path=display_path(path.readlink()))
    except OSError:
        return sentence_of("config.just_gone")


def decode(path: Path, data: bytes) -> str:
    """The text; a byte order mark is left out, line ends stay as they are.

    Raises:
        Unusable: It is empty or not UTF-8.
    """
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = sentence_of("config.not_utf8")
        raise Unusable(ConfigProblem(path, message, line=line)) from error
    if not text.strip():
        message = sentence_of("config.is_empty")
        raise Unusable(ConfigProblem(path, message))
    return text


def parse(path: Path, text: str) -> Tables:
    """The tables that the text says.

    Raises:
        Unusable: It is not TOML.
    """
    if _ENDLESS_KEY.search(text):  # tomllib takes a quarter of a minute for 20,000 parts
        raise Unusable(ConfigProblem(path, sentence_of("config.nested_too_deeply")))
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unusable(_syntax(path, text, str(error))) from error
    except RecursionError as error:
        raise Unusable(ConfigProblem(path, sentence_of("config.nested_too_deeply"))) from error
    except ValueError as error:  # a number or a date that Python does not take
        raise Unusable(ConfigProblem(path, sentence_of("config.unusable_value", error=error))) from error


def _syntax(path: Path, text: str, said: str) -> ConfigProblem:
    lines = text.replace("\r\n", "\n").split("\n")
    if match := _AT.match(said):
        line, column = int(match["line"]), int(match["column"])
    else:
        match = _AT_END.match(said)
        line = max((number for number, each in enumerate(lines, 1) if each.strip()), default=1)
        column = len(lines[line - 1]) + 1
    what = match["what"] if match else said
    known = next((each for start, each in _PLAIN.items() if what.startswith(start)), "")
    plain = sentence_of(known) if known else what
    if _AT_END.match(said):
        plain = sentence_of("config.ends_before")
    text = lines[line - 1].strip() if line <= len(lines) else ""
    if len(text) > _SHOWN_CHARACTERS:
        text = text[:_SHOWN_CHARACTERS] + "…"
    # A file that is no TOML may hold anything, and the sentence goes to a terminal and to the log.
    return ConfigProblem(
        path, sentence_of("config.the_line_is", plain=plain, text=shown(text)), line=line, column=column
    )


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: Json) -> str:
    """One line of TOML for a value; a `None` has no form there and becomes empty."""
    if value is None:
        return ""
    if isinstance(value, str):
        # A JSON string is a TOML basic string, but for the one control character that JSON leaves bare.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, list):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, dict):
        pairs = (f"{toml_key((name,))} = {toml_value(item)}" for name, item in value.items())
        return "{ " + ", ".join(pairs) + " }" if value else "{}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def toml_key(key: tuple[str, ...]) -> str:
    """A dotted key; parts that need quotes get them."""
    return ".".join(part if _BARE_KEY.fullmatch(part) else toml_value(part) for part in key)
