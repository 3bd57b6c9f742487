"""ChatExport: an export of another program, opened on its path; blocking, for use off the loop.

Elements of a list in a JSON file are read one by one, however long the list is. The parser is fed piece by
piece: one call of `json.loads` would hold the interpreter, and with it the window, for as long as a long
chat takes. What one element may cost is bounded; one that costs more is passed over.
"""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import shown
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.memory.chat_exports.exported_chat import (
    ChatOrigin,
    ExportedChat,
    ExportFiles,
    name_in_one_line,
    open_export,
)
from partner_desktop.memory.chat_exports.vendor_chats import (
    LineChats,
    chatgpt_chat,
    claude_chat,
    jan_chats,
    read_lines,
)

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


_PIECE_BYTES = 64 * 1024
_LARGEST = 32 * 2**20
#: Of a text that is not complete the parser reads everything again with each piece.
_LONGEST_TEXT = 8 * 2**20
_DEEPEST = 200
#: What a value costs beside its characters, about.
_VALUE_BYTES = 64


@dataclass(frozen=True)
class UnreadElement:
    """Stands where an element cannot be had, or where nothing more can."""

    problem: str


def list_elements(stream: BinaryIO, whole: Callable[[], bool]) -> Iterator[Json | UnreadElement]:
    """Yield the elements in order; where `whole` says no, with their own plain values only."""
    import ijson  # noqa: PLC0415 - few processes ever read an export

    events = ijson.sendable_list()
    # `items` would keep for a value what grows with the square of its depth, and without `use_float` the
    # parser in C crashes on a whole number of thousands of digits.
    parser = ijson.basic_parse_coro(events, use_float=True)
    builder = _ElementBuilder(whole)
    silent, end = 0, ""  # how the sentence goes on that says why nothing more can be had
    while not end:
        piece = b""
        try:
            piece = stream.read(_PIECE_BYTES)
            if piece:
                parser.send(piece)
            else:
                end = "end"
                parser.close()
        except OSError as error:
            end = f"cannot be read ({error.strerror or error})"
        except (ijson.JSONError, UnicodeDecodeError):  # the latter: of a text in a string
            end = "is no JSON; it was left out" if piece else "is missing: the file breaks off there"
        silent = 0 if events else silent + len(piece)
        if silent > _LONGEST_TEXT:
            end = f"begins with a text of more than {_LONGEST_TEXT // 2**20} MB; it was left out"
        for event, value in events:
            if builder.take(event, value):
                yield builder.element
        del events[:]
    if end != "end":
        yield UnreadElement(f"What follows chat {builder.number} {end}.")


class _ElementBuilder:
    """Puts the elements together from the events of the parser."""

    element: Json | UnreadElement = None
    number = 0
    """How many elements are complete."""

    def __init__(self, whole: Callable[[], bool]) -> None:
        self._asks_whole = whole
        self._whole = True
        self._filled: list[Json] = []
        """The containers that are being filled, the list first; fewer than `_depth` where nothing is kept."""
        self._depth = 0
        self._key = ""
        self._size = 0
        self._unfit = ""

    def take(self, event: str, value: Json) -> bool:
        """Take an event in; true where it completes an element."""
        self._size += _VALUE_BYTES + (len(value) if isinstance(value, str) else 0)
        if event == "map_key":
            self._key = str(value)
        elif event in ("start_map", "start_array"):
            self._begin({} if event == "start_map" else [])
        elif event in ("end_map", "end_array"):
            self._depth -= 1
            del self._filled[self._depth :]
            return self._depth == 1 and self._complete()
        elif self._depth > 1:
            self._keep(value)
        else:
            self.element = value
            return self._complete()
        return False

    def _begin(self, container: Json) -> None:
        if self._depth == 1:
            self.element, self._whole = container, self._asks_whole()
        elif self._depth > 1:
            self._keep(container)
        if len(self._filled) == self._depth and (self._whole or self._depth < 2):
            self._filled.append(container)
        self._depth += 1
        if self._depth > _DEEPEST:
            self._give_up("is nested too deeply")

    def _keep(self, value: Json) -> None:
        if self._size > _LARGEST:
            self._give_up(f"is larger than {_LARGEST // 2**20} MB")
        if len(self._filled) < self._depth:
            return
        container = self._filled[-1]
        if isinstance(container, dict):
            container[self._key] = value
        elif isinstance(container, list):
            container.append(value)

    def _give_up(self, why: str) -> None:
        self._unfit, self.element = why, None
        del self._filled[1:]

    def _complete(self) -> bool:
        self.number += 1
        if self._unfit:
            self.element = UnreadElement(f"Chat {self.number} {self._unfit}; it was left out.")
        self._unfit, self._size = "", 0
        return True
