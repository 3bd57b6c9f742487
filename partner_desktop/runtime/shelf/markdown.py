"""A conversation as Markdown: to read, to print, to send on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.message import Conversation, Message, MessageState, Role

_FENCE = re.compile(r"`{3,}")
_MARKUP = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;"})


def markdown(
    conversation: Conversation, messages: Sequence[Message], actions: Sequence[ActionRecord]
) -> Iterator[str]:
    """The file's text, piece by piece. Times are the machine's own."""
    records = {action.id: action for action in actions}
    yield f"# {_one_line(conversation.title) or 'Conversation'}\n\n{_time(conversation.created_at)}\n"
    for message in messages:
        record = records.get(message.action_id)
        if message.role is Role.ACTION and record is not None:
            yield _action(record)
        elif message.text:
            yield _said(message)


def _said(message: Message) -> str:
    who = "You" if message.role is Role.USER else "Partner"
    broken = {
        MessageState.STOPPED: "\n\n*(stopped)*",
        MessageState.BROKEN_OFF: "\n\n*(broken off)*",
        MessageState.CUT: "\n\n*(cut off at its longest length)*",
    }.get(message.state, "")
    return f"\n## {who} · {_time(message.created_at)}\n\n{message.text}{broken}\n"


def _action(record: ActionRecord) -> str:
    status = record.status.value.replace("_", " ")
    head = f"{_one_line(record.title).translate(_MARKUP)} · {status} · {_time(record.created_at)}"
    parts = [f"`{record.key}`", _block(json.dumps(record.params, indent=2, ensure_ascii=False), "json")]
    if record.error:
        parts.append(record.error)
    for name, text in (("Output", record.stdout), ("Log", record.stderr)):
        if text.strip():
            parts.append(f"{name}:\n\n{_block(text)}")
    body = "\n\n".join(parts)
    return f"\n<details>\n<summary>{head}</summary>\n\n{body}\n\n</details>\n"


def _block(text: str, language: str = "") -> str:
    """A code block that nothing in the text can end."""
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _time(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")
