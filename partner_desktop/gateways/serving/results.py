"""Outcome: what a program is told of a call, from the record that the call left."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.text import cut
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.serving.offers import OfferedTool

#: What went wrong is mostly said at the end of stderr.
_STDERR_TAIL = 2_000
#: Larger pictures are named, not sent.
MOST_IMAGE_BYTES = 1024 * 1024
_MOST_IMAGES = 8


@dataclass(frozen=True)
class Image:
    """A picture, ready to be sent."""

    data: str
    """In Base64."""
    mime: str


@dataclass(frozen=True)
class CallOutcome:
    """The answer to a call."""

    text: str
    is_error: bool = False
    data: JsonObject | None = None
    images: tuple[Image, ...] = ()


def failed(sentence: str) -> CallOutcome:
    """A call that came to nothing."""
    return CallOutcome(sentence, is_error=True)


def call_outcome(
    offer: OfferedTool, record: JsonObject, denial: JsonObject | None, *, program: str, conversation: str
) -> CallOutcome:
    """Blocking: it reads pictures, and may import `jsonschema`.

    `denial` is the decision that turned the call down; `conversation` names where its card lies.
    """
    title, status = f"“{record.get('title') or offer.title}”", record.get("status")
    if status == "succeeded":
        return _success(offer, record)
    if denial is not None and denial.get("by") != "rule":
        return failed(_not_allowed(title, program, conversation))
    if status == "rejected":
        return failed(f"{title} was not run. {_sentence(record.get('error'))}")
    if status in ("cancelled", "interrupted"):
        return failed(f"{title} was {status}.")
    return failed(_told(_sentence(record.get("error")) or f"{title} failed.", record, tail=True))


def _not_allowed(title: str, program: str, conversation: str) -> str:
    """One sentence, whatever is the matter: a program learns nothing of what lies where, nor of its kind."""
    return (
        f"{title} was not run: a person has not allowed “{program}” to do this, or what it names is not "
        f"there. They can run it, or allow “{program}” to run it from then on, with “Run again” on its card "
        f"in the conversation “{conversation}” in Partner."
    )


def _success(offer: OfferedTool, record: JsonObject) -> CallOutcome:
    data = record.get("data")
    if offer.result:
        problem = _misfit(data, offer.result)
        if problem:
            sentence = f"“{offer.title}” ran, but its result is not what it promises: {problem}."
            return failed(_told(sentence, record))
    data = _plain_object(data)
    text = _told("", record) or (json.dumps(data, ensure_ascii=False) if data else "Done; it said nothing.")
    return CallOutcome(text, data=data, images=_images(record))


def _told(sentence: str, record: JsonObject, *, tail: bool = False) -> str:
    """A sentence and what the run printed."""
    stderr = str(record.get("stderr") or "").strip() if tail else ""
    lines = [sentence, str(record.get("stdout") or "").rstrip("\n"), stderr[-_STDERR_TAIL:]]
    if record.get("truncated") and record.get("stdout_path"):
        lines.append(f"(This is an excerpt; the whole output lies at {record['stdout_path']}.)")
    sent = _sent(record)
    lines += [_line(part) for part in _parts(record) if part not in sent]
    return "\n".join(line for line in lines if line)


def _sentence(text: Json) -> str:
    text = str(text or "").strip()
    if not text:
        return ""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _misfit(data: Json, schema: JsonObject) -> str:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - 0.1 s that only a schema is worth
    from jsonschema.exceptions import SchemaError, best_match  # noqa: PLC0415

    try:
        Draft202012Validator.check_schema(schema)
        problem = best_match(Draft202012Validator(schema).iter_errors(data))
    except SchemaError as error:
        return f"its schema is wrong ({cut(error.message, 200)})"
    return cut(problem.message, 200) if problem is not None else ""


def _plain_object(data: Json) -> JsonObject | None:
    """The data, if it is an object that every JSON reader takes."""
    if not isinstance(data, dict):
        return None
    try:
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:  # NaN, or half a character
        return None
    return data


def _parts(record: JsonObject) -> list[JsonObject]:
    parts = record.get("parts")
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _sent(record: JsonObject) -> list[JsonObject]:
    """The pictures that go along."""
    return [part for part in _parts(record) if _is_small_picture(part)][:_MOST_IMAGES]


def _is_small_picture(part: JsonObject) -> bool:
    size = part.get("size_bytes")
    small = isinstance(size, int) and size <= MOST_IMAGE_BYTES
    return part.get("kind") == "image" and bool(part.get("path")) and small


def _line(part: JsonObject) -> str:
    """A piece that is named only."""
    place = str(part.get("uri") or part.get("path") or "")
    title = str(part.get("title") or part.get("kind") or "")
    return f"{title}: {place}" if place else ""


def _images(record: JsonObject) -> tuple[Image, ...]:
    found = []
    for part in _sent(record):
        try:
            with Path(str(part["path"])).open("rb") as file:
                content = file.read(MOST_IMAGE_BYTES)
        except OSError:
            continue  # erased meanwhile; the text is there
        found.append(Image(base64.b64encode(content).decode("ascii"), str(part.get("mime") or "image/png")))
    return tuple(found)
