"""Reads chats of other programs: lists as ChatGPT and Claude export them, and chats of a turn a line.

A turn a line have Partner's own JSON lines and the threads of Jan. No form of the others is documented, and
no field of it is sure to be there. ChatGPT and Claude keep every version of a question and of an answer:
taken is the line that is shown, from its last message back to the first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import BinaryIO, NamedTuple

from partner_desktop.base.errors import UsageError
from partner_desktop.base.patterns import late
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import Role
from partner_desktop.domain.remembered import PARTNER, PERSON
from partner_desktop.memory.chat_exports.exported_chat import (
    SPEAKING_ROLES,
    ChatDraft,
    ExportedChat,
    ExportFiles,
    joined_texts,
    name_in_one_line,
)
from partner_desktop.runtime.dialog import storable

#: A footnote in ChatGPT's answers, between signs of private use.
_FOOTNOTE = late("\ue200(?:file)?cite\ue202[^\ue201]*\ue201")
#: What the first message of Claude's has for its parent.
_CLAUDE_ROOT = "00000000-0000-4000-8000-000000000000"


def chatgpt_chat(value: JsonObject, key: str) -> ExportedChat:
    """A conversation of ChatGPT: a tree of messages, `mapping`, with the end of its line, `current_node`."""
    draft = ChatDraft("chatgpt", key, value.get("title"))
    nodes = {name: _object(node) for name, node in _object(value.get("mapping")).items()}
    parents = {name: node.get("parent") for name, node in nodes.items()}
    leaf = value.get("current_node")
    if not nodes:
        draft.note("It holds no messages.")
    elif not isinstance(leaf, str) or leaf not in nodes:
        inner = {parent for parent in parents.values() if isinstance(parent, str)}
        leaf = next((name for name in reversed(nodes) if name not in inner), "")
        draft.note("It does not say which version of it is shown; the last one was taken.")
    said = {
        name: message for name, node in nodes.items() if _is_said(message := _object(node.get("message")))
    }
    line = [said[name] for name in _line_to(leaf, parents) if name in said]
    for number, message in enumerate(line, 1):
        parts = _list(_object(message.get("content")).get("parts"))
        words = [part if isinstance(part, str) else _object(part).get("text") for part in parts]
        pictures = any("image" in str(_object(part).get("content_type")) for part in parts)
        _add(
            draft,
            number,
            _object(message.get("author")).get("role"),
            _FOOTNOTE.sub("", joined_texts(words)),
            message.get("create_time"),
            left_out=pictures or bool(_object(message.get("metadata")).get("attachments")),
        )
    _note_versions(draft, len(said) - len(line))
    return draft.chat()


def claude_chat(value: JsonObject, key: str) -> ExportedChat:
    """A conversation of Claude: `chat_messages`, in newer exports each with its `parent_message_uuid`."""
    draft = ChatDraft("claude", key, value.get("name"))
    given = _list(value.get("chat_messages"))
    messages = [message for message in given if isinstance(message, dict)]
    if len(messages) < len(given) or not isinstance(value.get("chat_messages"), list):
        draft.note("What is no message in it was left out.")
    line = _claude_line(messages, value.get("current_leaf_message_uuid"))
    for number, message in enumerate(line, 1):
        blocks = [_object(block) for block in _list(message.get("content"))]
        words = joined_texts(block.get("text") for block in blocks if block.get("type") == "text")
        # Beside blocks, `text` says that the tools among them cannot be shown.
        text = message.get("text")
        _add(
            draft,
            number,
            message.get("sender"),
            words or (text if isinstance(text, str) and not blocks else ""),
            message.get("created_at"),
            left_out=bool(message.get("attachments") or message.get("files")),
            message_id=message.get("uuid"),
        )
    _note_versions(draft, len(messages) - len(line))
    return draft.chat()


def _claude_line(messages: list[JsonObject], leaf: Json) -> list[JsonObject]:
    """The line that is shown; all messages, where they do not hang together as versions do."""
    by_id = {message["uuid"]: message for message in messages if isinstance(message.get("uuid"), str)}
    parents = {str(name): message.get("parent_message_uuid") for name, message in by_id.items()}
    if not messages or len(by_id) < len(messages):
        return messages
    line = _line_to(leaf if leaf in list(by_id) else messages[-1]["uuid"], parents)
    return [by_id[name] for name in line] if parents[line[0]] == _CLAUDE_ROOT else messages


def _line_to(leaf: Json, parents: Mapping[str, Json]) -> list[str]:
    """From the first message to `leaf`; where parents go round in a circle, from any of them."""
    line: dict[str, None] = {}
    while isinstance(leaf, str) and leaf in parents and leaf not in line:
        line[leaf] = None
        leaf = parents[leaf]
    return list(reversed(line))


def _is_said(message: JsonObject) -> bool:
    """Whether it is of the person or the assistant, and for the other to read."""
    return (
        _object(message.get("author")).get("role") in ("user", "assistant")
        and _object(message.get("content")).get("content_type") in ("text", "multimodal_text")
        and message.get("recipient") in (None, "all")
        and message.get("channel") != "analysis"
        and not _object(message.get("metadata")).get("is_visually_hidden_from_conversation")
    )


def _add(
    draft: ChatDraft,
    number: int,
    sender: Json,
    text: str,
    at: Json,
    *,
    left_out: bool,
    message_id: Json = None,
) -> None:
    where = f"Message {number}"
    if left_out:
        draft.note(f"{where} has pictures or files; they were left out.")
    role = SPEAKING_ROLES.get(sender) if isinstance(sender, str) else None
    if role is None:
        draft.note(f"{where} is neither the person's nor the assistant's; it was left out.")
    else:
        draft.add(where, role, text, at, message_id=message_id)


def _note_versions(draft: ChatDraft, count: int) -> None:
    if count:
        draft.note(f"Versions that are not shown were left out; messages in them: {count:,}.")


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


_LONGEST_LINE = 4 * 2**20
_MOST_LINES, _MOST_BYTES = 20_000, 32 * 2**20
_LONGEST_KEY = 200
#: Conversations in parts of which it is kept who their user is.
_MOST_USERS = 50_000
#: What a model thought, as Jan keeps it before the words.
_THOUGHT = late(r"(?s)\A\s*<think>.*?</think>")


class RecordLine(NamedTuple):
    """A line that holds an object: its number from 1, how many bytes it has, and the object."""

    number: int
    size: int
    value: JsonObject


class LineChats:
    """The conversations of JSON lines; the package says how their lines are put together."""

    def __init__(self, name: str) -> None:
        self._name = name_in_one_line(name)
        self._held: dict[str, list[RecordLine]] = {}
        """By conversation; the one that got a line last stands last."""
        self._lines = self._bytes = 0
        self._users: dict[str, str] = {}

    @property
    def held_bytes(self) -> int:
        """Of what was read, what is not handed on yet."""
        return self._bytes

    def chats(self, stream: BinaryIO, after: int) -> Iterator[ExportedChat | str]:
        """The parts in order, without the first `after`; text is a problem of a line that is in none."""
        parts = 0
        for line in read_lines(stream):
            problems = [line] if isinstance(line, str) else [self._hold(each) for each in _turn_lines(line)]
            if parts >= after:
                yield from filter(None, problems[:1])
            while self._lines > _MOST_LINES or self._bytes > _MOST_BYTES:
                parts += 1
                yield from self._handed_on(whole=parts > after)
        while self._held:
            parts += 1
            yield from self._handed_on(whole=parts > after)

    def _hold(self, line: RecordLine) -> str:
        """Put the line to its conversation, or say why not."""
        given = line.value.get("conversation")
        if (
            isinstance(given, bool)
            or not isinstance(given, str | int | None)
            or len(str(given)) > _LONGEST_KEY
        ):
            return f"Line {line.number} has a `conversation` that is no name or number; it was left out."
        key = name_in_one_line("" if given is None else str(given)) or self._name
        self._held[key] = lines = self._held.pop(key, [])
        lines.append(line)
        self._lines += 1
        self._bytes += line.size
        return ""

    def _handed_on(self, *, whole: bool) -> Iterator[ExportedChat]:
        """The conversation that no line belonged to for longest; none, but counted, if not `whole`."""
        key = next(iter(self._held))
        lines = self._held.pop(key)
        self._lines -= len(lines)
        self._bytes -= sum(line.size for line in lines)
        titles = (name_in_one_line(line.value.get("title")) for line in lines)
        draft = ChatDraft("jsonl", key, next(filter(None, titles), key))
        user = self._users.pop(key, "")
        for line in lines:
            speaker = name_in_one_line(line.value.get("speaker"))
            role = _role_of(line.value.get("role"), speaker, user)
            user = user or (speaker if role is Role.USER else "")
            if whole:
                _add_turn(draft, line, role, speaker)
        self._users[key] = user
        if len(self._users) > _MOST_USERS:
            del self._users[next(iter(self._users))]
        if whole:
            yield draft.chat()


def _turn_lines(line: RecordLine) -> list[RecordLine]:
    """Itself; where it is a slice of memory, as Partner exports them, a line for each of its turns."""
    turns = line.value.get("turns")
    if not isinstance(turns, list) or "text" in line.value or not turns:
        return [line]
    size = line.size // len(turns)
    beside: JsonObject = {name: line.value[name] for name in ("conversation", "title") if name in line.value}
    found = []
    for turn in turns:
        value = dict(turn) if isinstance(turn, dict) else {}
        if value.get("speaker") in (PERSON, PARTNER):
            value["role"] = value.pop("speaker")
        found.append(RecordLine(line.number, size, value | beside))
    return found


def _role_of(given: Json, speaker: str, user: str) -> Role | None:
    if given is not None:
        return SPEAKING_ROLES.get(given) if isinstance(given, str) else None
    if not speaker:
        return None
    return Role.USER if user in ("", speaker) else Role.PARTNER


def _add_turn(draft: ChatDraft, line: RecordLine, role: Role | None, speaker: str) -> None:
    where, text = f"Line {line.number}", line.value.get("text")
    if role is None:
        draft.note(f"{where} has no `role` of user or assistant, and no `speaker`; it was left out.")
    elif not isinstance(text, str) or not text.strip():
        draft.note(f"{where} has no `text`; it was left out.")
    else:
        draft.add(where, role, text, line.value.get("at"), speaker=speaker, message_id=line.value.get("id"))


def jan_chats(files: ExportFiles, after: int) -> Iterator[ExportedChat]:
    """Jan's threads, a long one in parts, without the first `after` of these."""
    parts = 0
    for key, names in files.threads().items():
        for lines in _parts(_thread_lines(files, names.get("messages.jsonl"))):
            parts += 1
            if parts > after:
                draft = ChatDraft("jan", storable(key), _thread_title(files, names.get("thread.json")))
                for line in lines:
                    _add_message(draft, line)
                yield draft.chat()


def _thread_title(files: ExportFiles, name: str | None) -> Json:
    try:
        with files.open(name or "") as stream:
            title: Json = json.loads(stream.read(_LONGEST_LINE))["title"]
    except (OSError, UsageError, ValueError, RecursionError, LookupError, TypeError):
        return None  # whoever stores the chat has a title for one that has none
    return title


def _thread_lines(files: ExportFiles, name: str | None) -> Iterator[RecordLine | str]:
    try:
        if name is not None:
            with files.open(name) as stream:
                yield from read_lines(stream)
    except (OSError, UsageError) as error:
        yield f"Its messages cannot be read ({error})."


def _parts(lines: Iterator[RecordLine | str]) -> Iterator[list[RecordLine | str]]:
    """At least one part, which may be empty."""
    part: list[RecordLine | str] = []
    size = 0
    for line in lines:
        if len(part) >= _MOST_LINES or size > _MOST_BYTES:
            yield part
            part, size = [], 0
        part.append(line)
        size += 0 if isinstance(line, str) else line.size
    yield part


def _add_message(draft: ChatDraft, line: RecordLine | str) -> None:
    if isinstance(line, str):
        draft.note(line)
        return
    where, value = f"Line {line.number}", line.value
    role, content = value.get("role"), value.get("content")
    if role not in ("user", "assistant") or not isinstance(content, list):
        if role not in ("system", "tool"):
            draft.note(f"{where} is no message; it was left out.")
        return
    blocks = [block for block in content if isinstance(block, dict)]
    if any(block.get("type") == "image_url" for block in blocks):
        draft.note(f"{where} has pictures; they were left out.")
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    words = joined_texts(text.get("value") if isinstance(text, dict) else text for text in texts)
    if role == "assistant":
        words = _THOUGHT.sub("", words)
    draft.add(where, SPEAKING_ROLES[str(role)], words, value.get("created_at"), message_id=value.get("id"))


def read_lines(stream: BinaryIO) -> Iterator[RecordLine | str]:
    """The objects that stand a line each; text says what is wrong with a line."""
    number = 0
    try:
        while line := stream.readline(_LONGEST_LINE):
            number += 1
            if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
                while (rest := stream.readline(_LONGEST_LINE)) and not rest.endswith(b"\n"):
                    pass
                yield f"Line {number} is longer than {_LONGEST_LINE // 2**20} MB; it was left out."
            elif not line.isspace():
                yield _read_line(number, line)
    except OSError as error:
        yield f"What follows line {number} cannot be read ({error.strerror or error}); it was left out."


def _read_line(number: int, line: bytes) -> RecordLine | str:
    try:
        value = json.loads(line.decode())
    except UnicodeDecodeError:
        return f"Line {number} is no UTF-8 text; it was left out."
    except (ValueError, RecursionError):
        return f"Line {number} is no JSON; it was left out."
    if not isinstance(value, dict):
        return f"Line {number} is no JSON object; it was left out."
    return RecordLine(number, len(line), value)
