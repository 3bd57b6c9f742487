"""Reads an exported conversation and checks it, blocking: for use off the loop.

`json.loads` holds the interpreter for as long as it parses, in a thread too: of a large file the window would
feel it. Here each element of a list at the top is parsed for itself.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.base.spoken import sentence_of, system_reason
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import Role
from partner_desktop.runtime.conversations.file_format import (
    FORMAT,
    VERSION,
    ConversationItem,
    ExportedAction,
    MessageItem,
)
from partner_desktop.runtime.dialog import storable

_MOST_BYTES = 256 * 1024 * 1024
_LARGEST_NUMBER = 2**63
#: Where a file says what it is.
_HEAD_BYTES = 64 * 1024
_SAYS_OWN = re.compile(rb'"format"\s*:\s*"%s"' % FORMAT.encode())

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class ImportedFile:
    """A file that was read and fits together."""

    conversation: ConversationItem
    messages: tuple[MessageItem, ...]
    actions: tuple[ExportedAction, ...]


def read_file(path: Path) -> ImportedFile:
    """Read and check.

    Raises:
        UsageError: One sentence says what is wrong with it.
    """
    name = display_path(path)
    try:
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):  # a pipe would be waited for without an end
            raise UsageError("runtime.no_file", name=name)
        if facts.st_size > _MOST_BYTES:
            raise UsageError("runtime.file_too_large", name=name, most=_MOST_BYTES // 2**20)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError("common.unreadable", path=name, reason=system_reason(error)) from error
    except UnicodeDecodeError as error:
        raise UsageError("runtime.no_text", name=name) from error
    try:
        return _checked(text)
    except (ValueError, RecursionError) as error:
        raise UsageError("runtime.no_json", name=name, error=error) from error
    except _UnfitError as error:
        raise UsageError("runtime.not_imported", name=name, error=error) from error


def is_conversation_file(path: Path) -> bool:
    """Whether a file says of itself that Partner exported it, blocking; one that cannot be read does not.

    Within a text of JSON no quotation mark stands by itself, so that a chat that only speaks of such a file
    is none. A broken file, or one of a newer Partner, is.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return False
        with path.open("rb") as file:
            return _SAYS_OWN.search(file.read(_HEAD_BYTES)) is not None
    except OSError:
        return False


class _UnfitError(Exception):
    """What does not fit, as the end of a sentence."""


def _checked(text: str) -> ImportedFile:
    found: dict[str, Json] = {}
    messages: list[MessageItem] = []
    actions: list[ExportedAction] = []
    for key, value in entries(text):
        if key == "messages":
            messages.append(
                _fit(MessageItem, value, sentence_of("runtime.message_number", number=len(messages) + 1))
            )
        elif key == "actions":
            actions.append(
                _fit(ExportedAction, value, sentence_of("runtime.action_number", number=len(actions) + 1))
            )
        else:
            found[key] = value
            _check_format(found)
    if found.get("format") != FORMAT or "version" not in found:
        raise _UnfitError(sentence_of("runtime.not_exported"))
    conversation = _fit(ConversationItem, found.get("conversation"), sentence_of("runtime.its_conversation"))
    if not messages:
        raise _UnfitError(sentence_of("runtime.no_messages"))
    known = {action.id for action in actions}
    if len(known) < len(actions):
        raise _UnfitError(sentence_of("runtime.same_id"))
    for number, message in enumerate(messages, 1):
        if message.role is Role.ACTION and message.action_id not in known:
            raise _UnfitError(sentence_of("runtime.card_without_action", number=number))
    return ImportedFile(conversation, tuple(messages), tuple(actions))


def _check_format(found: dict[str, Json]) -> None:
    if found.get("format", FORMAT) != FORMAT:
        raise _UnfitError(sentence_of("runtime.not_exported"))
    version = found.get("version", VERSION)
    if not isinstance(version, int) or version < 1:
        raise _UnfitError(sentence_of("runtime.odd_version"))
    if version > VERSION:
        raise _UnfitError(sentence_of("runtime.newer_export", version=version, known=VERSION))


def _fit(model: type[M], value: Json, where: str) -> M:
    try:
        return model.model_validate(_whole(value))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        named = sentence_of("runtime.place_of", place=place, where=where) if place else where
        why = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
        raise _UnfitError(sentence_of("runtime.does_not_fit", named=named, why=why)) from error


def _whole(value: Json) -> Json:
    """Half characters, which neither the database nor pydantic takes, become question marks.

    A whole number that no window can show as one (over 64 bits) becomes its digits.
    """
    if isinstance(value, int) and abs(value) >= _LARGEST_NUMBER:
        return str(value)
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {storable(key): _whole(item) for key, item in value.items()}
    return value


_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def entries(text: str) -> Iterator[tuple[str, Json]]:
    """The entries of the object that `text` holds: `(key, value)`; of a list, each element under its key.

    Raises:
        ValueError: It is not one JSON object.
    """
    at = _expect(text, 0, "{")
    if text[at : at + 1] == "}":
        at += 1
    else:
        while True:
            key, at = _value(text, at)
            if not isinstance(key, str):
                raise json.JSONDecodeError(sentence_of("runtime.name_expected"), text, at)
            at = _expect(text, at, ":")
            for values, end in _elements(text, at):
                at = end
                for value in values:
                    yield key, value
            if text[at : at + 1] != ",":
                at = _expect(text, at, "}")
                break
            at = _expect(text, at, ",")
    if at != len(text):
        raise json.JSONDecodeError(sentence_of("runtime.follows_end"), text, at)


def _elements(text: str, at: int) -> Iterator[tuple[list[Json], int]]:
    """The value at a place, or one by one the elements of the list there, with the place after each."""
    if text[at : at + 1] != "[":
        value, at = _value(text, at)
        yield [value], at
        return
    at = _expect(text, at, "[")
    if text[at : at + 1] == "]":
        yield [], _expect(text, at, "]")
        return
    while True:
        value, at = _value(text, at)
        ends = text[at : at + 1] == "]"
        at = _expect(text, at, "]" if ends else ",")
        yield [value], at
        if ends:
            return


def _value(text: str, at: int) -> tuple[Json, int]:
    value, end = _DECODER.raw_decode(text, at)
    return value, _skip(text, end)


def _expect(text: str, at: int, sign: str) -> int:
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise json.JSONDecodeError(sentence_of("runtime.sign_expected", sign=sign), text, at)
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match is not None else at
