"""Reads conversations of ChatGPT and Claude from the lists that they export.

Neither form is documented, and no field of it is sure to be there. Both keep every version of a question and
of an answer: taken is the line that is shown, from its last message back to the first.
"""

from __future__ import annotations

from collections.abc import Mapping

from partner_desktop.base.patterns import late
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.memory.chat_exports.exported_chat import (
    SPEAKING_ROLES,
    ChatDraft,
    ExportedChat,
    joined_texts,
)

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
