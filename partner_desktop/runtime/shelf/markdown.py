"""A conversation as Markdown: to read, to print, to send on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Step
from partner_desktop.domain.json_value import JsonObject
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
            yield _action(record, records)
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


def _action(record: ActionRecord, records: Mapping[str, ActionRecord]) -> str:
    status = record.status.value.replace("_", " ")
    head = f"{_one_line(record.title).translate(_MARKUP)} · {status} · {_time(record.created_at)}"
    if record.chain is not None:
        parts = [_step(number, step, records) for number, step in enumerate(record.chain.steps, 1)]
    else:
        parts = [_call(record.key, record.params)]
    body = "\n\n".join([*parts, *_outcome(record)])
    return f"\n<details>\n<summary>{head}</summary>\n\n{body}\n\n</details>\n"


def _step(number: int, step: Step, records: Mapping[str, ActionRecord]) -> str:
    """A step of a chain: as it ran, where it did; else as it was planned."""
    ran = records.get(step.id)
    head = f"{number}. {_one_line(step.title).translate(_MARKUP)} · {step.status.value}"
    call = _call(step.key, ran.params if ran is not None else step.params)
    told = _outcome(ran) if ran is not None else [step.error] if step.error else []
    return "\n\n".join([head, call, *told])


def _call(key: str, params: JsonObject) -> str:
    return f"`{key}`\n\n{_block(json.dumps(params, indent=2, ensure_ascii=False), 'json')}"


def _outcome(record: ActionRecord) -> list[str]:
    outputs = (("Output", record.stdout), ("Log", record.stderr))
    told = [f"{name}:\n\n{_block(text)}" for name, text in outputs if text.strip()]
    return [record.error, *told] if record.error else told


def _block(text: str, language: str = "") -> str:
    """A code block that nothing in the text can end."""
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _time(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")
