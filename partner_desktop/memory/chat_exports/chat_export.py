"""ChatExport: an export of another program, opened on its path; blocking, for use off the loop."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import display_path
from partner_desktop.base.spoken import LazySentence
from partner_desktop.base.text import shown
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.memory.chat_exports.export_files import ExportFiles, open_export
from partner_desktop.memory.chat_exports.exported_chat import ChatOrigin, ExportedChat, name_in_one_line
from partner_desktop.memory.chat_exports.json_elements import UnreadElement, list_elements
from partner_desktop.memory.chat_exports.line_chats import LineChats, jan_chats, read_lines
from partner_desktop.memory.chat_exports.vendor_chats import chatgpt_chat, claude_chat

#: Problems that belong to no chat; more are counted only.
_MOST_TOLD = 200
#: How far it is looked for something by which a file is known.
_MOST_LOOKED_AT = 100
_NO_CHAT = "What is no chat in the list was left out."


class ChatExport:
    """The chats that another program exported to `path`: a file, a zip, or the data folder of Jan."""

    def __init__(self, path: Path, *, encoding: str | None = None) -> None:
        """Look what it is; `encoding` is for text that is not UTF-8, nor UTF-16 with its mark.

        Raises:
            UsageError: It cannot be read, or is none that is known.
        """
        self._path = path
        self._encoding = encoding
        self._files: ExportFiles | None = None
        self._lines: LineChats | None = None
        try:
            " ".encode(encoding or "utf-8")
        except (LookupError, ValueError) as error:
            raise UsageError("memory.no_encoding", encoding=shown(str(encoding))) from error
        with open_export(path, encoding) as files:
            self.kind: ChatOrigin = self._kind(files)

    def chats(self, *, after: int = 0) -> Iterator[ExportedChat | str]:
        """The chats in the order of the export, without the first `after`; text is a problem of no chat.

        A chat may have no turns; it counts all the same. The export is open until the iterator ends or is
        closed, and has to be the same each time for `after` to mean the same.

        Raises:
            UsageError: It cannot be read any more.
        """
        told = 0
        with open_export(self._path, self._encoding) as files:
            self._files = files
            for item in self._items(files, after):
                told += isinstance(item, str)
                if told <= _MOST_TOLD or not isinstance(item, str):
                    yield item
        if told > _MOST_TOLD:
            yield f"Further problems, not listed: {told - _MOST_TOLD:,}."

    def progress(self) -> float:
        """How much of what is to be read was handed on, from 0 to 1. Any thread may ask."""
        files = self._files
        if files is None:
            return 0.0
        read = files.read_bytes - (self._lines.held_bytes if self._lines is not None else 0)
        return max(0.0, min(1.0, read / files.total_bytes)) if files.total_bytes else 1.0

    def _kind(self, files: ExportFiles) -> ChatOrigin:
        name, text = display_path(self._path), True
        for each in files.lists():
            kind = _kind_of_list(files, each) or (_kind_of_lines(files, each) if files.alone else None)
            if kind:
                return kind
            text = text and _is_text(files, each)
        if files.threads():
            return "jan"
        if not text:
            raise UsageError("memory.not_utf8", name=name)
        raise UsageError("memory.no_chats_known", name=name, forms=LazySentence("memory.known_forms"))

    def _items(self, files: ExportFiles, after: int) -> Iterator[ExportedChat | str]:
        if self.kind == "jan":
            yield from () if after else files.problems
            yield from jan_chats(files, after)
        elif self.kind == "jsonl":
            self._lines = LineChats(self._path.stem)
            with files.open(self._path.name) as stream:
                yield from self._lines.chats(stream, after)
        else:
            yield from _listed_chats(files, after)


def _kind_of_list(files: ExportFiles, name: str) -> ChatOrigin | None:
    with files.open(name) as stream:
        if stream.peek().lstrip().startswith(b"["):
            for element in islice(list_elements(stream, lambda: False), _MOST_LOOKED_AT):
                if found := _identity(element):
                    return found[0]
    return None


def _kind_of_lines(files: ExportFiles, name: str) -> ChatOrigin | None:
    with files.open(name) as stream:
        for line in islice(read_lines(stream), _MOST_LOOKED_AT):
            if not isinstance(line, str) and ("text" in line.value or "turns" in line.value):
                return "jsonl"
    return None


def _is_text(files: ExportFiles, name: str) -> bool:
    with files.open(name) as stream:
        head = stream.peek()
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return b"\0" not in head


def _listed_chats(files: ExportFiles, after: int) -> Iterator[ExportedChat | str]:
    count = 0
    keys: Counter[str] = Counter()
    names = files.lists()
    for name in names:
        where = f"{shown(name)}: " if len(names) > 1 else ""
        try:
            stream = files.open(name)
        except OSError as error:
            yield f"{shown(name)} cannot be read ({error.strerror or error}); it was left out."
            continue
        with stream:
            for element in list_elements(stream, lambda: count >= after):  # noqa: B023 - the present one is meant
                found = _identity(element)
                if found is None or not isinstance(element, dict):
                    if count >= after:
                        yield where + (element.problem if isinstance(element, UnreadElement) else _NO_CHAT)
                    continue
                kind, key = found
                count += 1
                keys[key] += 1
                if count > after:
                    # One id may stand twice, and what it stands for may differ.
                    key = key if keys[key] == 1 else f"{key}#{keys[key]}"
                    yield chatgpt_chat(element, key) if kind == "chatgpt" else claude_chat(element, key)


def _identity(element: Json | UnreadElement) -> tuple[ChatOrigin, str] | None:
    """Whose chat it is, and its key; an element without its inner values will do."""
    if not isinstance(element, dict):
        return None
    if "mapping" in element:
        return "chatgpt", _key(element, "conversation_id", "id", "create_time", "title")
    if "chat_messages" in element:
        return "claude", _key(element, "uuid", "created_at", "name")
    return None


def _key(element: JsonObject, *names: str) -> str:
    values = (element.get(name) for name in names)
    plain = (name_in_one_line(str(value)) for value in values if isinstance(value, str | int | float))
    return next(filter(None, plain), "chat")
