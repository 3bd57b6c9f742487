"""Reads an exported conversation and checks it, blocking: for use off the loop."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import display_path
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import Role
from partner_desktop.runtime.dialog import storable
from partner_desktop.runtime.shelf.file_format import (
    FORMAT,
    VERSION,
    ActionItem,
    ConversationItem,
    MessageItem,
)
from partner_desktop.runtime.shelf.json_entries import entries

_MOST_BYTES = 256 * 1024 * 1024
_LARGEST_NUMBER = 2**63

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class ImportedFile:
    """A file that was read and fits together."""

    conversation: ConversationItem
    messages: tuple[MessageItem, ...]
    actions: tuple[ActionItem, ...]


def read_file(path: Path) -> ImportedFile:
    """Read and check.

    Raises:
        UsageError: One sentence says what is wrong with it.
    """
    name = display_path(path)
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UsageError(f"{name} is larger than {_MOST_BYTES // 2**20} MB; that is no conversation.")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{name} cannot be read ({error.strerror or error}).") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not a conversation that Partner exported: it is not text.") from error
    try:
        return _checked(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{name} is not a conversation that Partner exported: it is not JSON ({error})."
        ) from error
    except _UnfitError as error:
        raise UsageError(f"{name} cannot be imported: {error}.") from error


class _UnfitError(Exception):
    """What does not fit, as the end of a sentence."""


def _checked(text: str) -> ImportedFile:
    found: dict[str, Json] = {}
    messages: list[MessageItem] = []
    actions: list[ActionItem] = []
    for key, value in entries(text):
        if key == "messages":
            messages.append(_fit(MessageItem, value, f"message {len(messages) + 1}"))
        elif key == "actions":
            actions.append(_fit(ActionItem, value, f"action {len(actions) + 1}"))
        else:
            found[key] = value
            _check_format(found)
    if found.get("format") != FORMAT or "version" not in found:
        raise _UnfitError("it is not a conversation that Partner exported")
    conversation = _fit(ConversationItem, found.get("conversation"), "its `conversation`")
    if not messages:
        raise _UnfitError("it holds no messages")
    known = {action.id for action in actions}
    if len(known) < len(actions):
        raise _UnfitError("two of its actions have the same id")
    for number, message in enumerate(messages, 1):
        if message.role is Role.ACTION and message.action_id not in known:
            raise _UnfitError(f"message {number} is the card of an action that the file does not hold")
    return ImportedFile(conversation, tuple(messages), tuple(actions))


def _check_format(found: dict[str, Json]) -> None:
    if found.get("format", FORMAT) != FORMAT:
        raise _UnfitError("it is not a conversation that Partner exported")
    version = found.get("version", VERSION)
    if not isinstance(version, int) or version < 1:
        raise _UnfitError("its version is not a number of Partner's")
    if version > VERSION:
        raise _UnfitError(
            f"a newer Partner wrote it (version {version}, this one knows {VERSION}); update Partner"
        )


def _fit(model: type[M], value: Json, where: str) -> M:
    try:
        return model.model_validate(_whole(value))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        named = f"`{place}` of {where}" if place else where
        raise _UnfitError(f"{named} does not fit: {first['msg'][:1].lower()}{first['msg'][1:]}") from error


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
