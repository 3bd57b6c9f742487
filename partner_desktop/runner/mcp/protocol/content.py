"""From what a server answers to a RunnerResponse: texts shortened, pictures and sounds in the run's folder.

Everything here may touch the disk: off the loop. What a server says of its bytes is not believed: a picture
is one if it begins like one. File names are ours.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import shutil
from functools import lru_cache
from itertools import count
from pathlib import Path

import mcp_types as types
from jsonschema import SchemaError
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from partner_desktop.base import private
from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.domain.action import ResultPart
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.domain.schema_check import MOST_STEPS, TooManyStepsError, first_error, foreign_class
from partner_desktop.runner.mcp.protocol.oversize import HEAD_BYTES, OversizedAnswer
from partner_desktop.runner.mcp.server_log import harmless_line, harmless_text

#: Up to this a text stays inline; of a longer one an excerpt does.
TEXT_BYTES = 256 * 1024
EXCERPT_BYTES = 64 * 1024
MEDIA_BYTES = 20 * 1024**2
_PARTS = 200
_ERROR_CHARACTERS = 4000
_NAME_CHARACTERS = 200
#: Pieces of a value that is checked at once, on the loop, and steps that this may take: some milliseconds.
_LITTLE = 256
LITTLE_STEPS = 2_000

#: What files begin with, what that is, and how such files are called.
_MAGIC: tuple[tuple[bytes, int, str, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", 0, "image/png", ".png"),
    (b"\xff\xd8\xff", 0, "image/jpeg", ".jpg"),
    (b"GIF8", 0, "image/gif", ".gif"),
    (b"WEBP", 8, "image/webp", ".webp"),
    (b"BM", 0, "image/bmp", ".bmp"),
    (b"WAVE", 8, "audio/wav", ".wav"),
    (b"ID3", 0, "audio/mpeg", ".mp3"),
    (b"\xff\xfb", 0, "audio/mpeg", ".mp3"),
    (b"OggS", 0, "audio/ogg", ".ogg"),
    (b"fLaC", 0, "audio/flac", ".flac"),
)


class ContentCollector:
    """Collects one answer; `folder` is the run's own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts: list[str] = []
        self._parts: list[ResultPart] = []
        self._numbers = count(1)
        self._path: Path | None = None
        self._truncated = False

    def add(self, block: types.ContentBlock) -> None:
        """One block of content."""
        match block:
            case types.TextContent():
                self._texts.append(block.text)
            case types.ImageContent():
                self._media(block.data, block.mime_type, "image")
            case types.AudioContent():
                self._media(block.data, block.mime_type, "audio")
            case types.ResourceLink():
                title = harmless_line(block.title or block.name, _NAME_CHARACTERS)
                self._part(
                    ResultPart(
                        "link",
                        title,
                        _mime(block.mime_type),
                        uri=harmless_line(block.uri),
                        size_bytes=block.size or 0,
                    )
                )
            case types.EmbeddedResource():
                self.resource(block.resource)

    def resource(self, found: types.TextResourceContents | types.BlobResourceContents) -> None:
        """The contents of a resource: its text is shown, its bytes are kept."""
        uri, mime = harmless_line(found.uri), _mime(found.mime_type)
        if isinstance(found, types.TextResourceContents):
            self._texts.append(found.text)
            size = len(found.text.encode("utf-8", "replace"))
            self._part(
                ResultPart("resource", harmless_line(uri, _NAME_CHARACTERS), mime, uri=uri, size_bytes=size)
            )
        else:
            self._media(found.blob, mime, "resource", uri=uri)

    def say(self, text: str) -> None:
        """A text of our own, or one from elsewhere."""
        self._texts.append(text)

    def response(
        self, *, ok: bool, data: Json = None, error: str = "", duration_ms: int = 0
    ) -> RunnerResponse:
        """What the record keeps."""
        text = self._shortened("\n".join(self._texts))
        if data is not None and len(raw := json.dumps(data, ensure_ascii=False)) > TEXT_BYTES:
            path = self._write("structured.json", raw.encode("utf-8", "replace"))
            self._part(
                ResultPart(
                    "file", path.name, "application/json", os.fspath(path), size_bytes=path.stat().st_size
                )
            )
            data, self._truncated = None, True
        return RunnerResponse(
            ok=ok,
            stdout=text,
            data=data,
            error=error
            if ok or error
            else harmless_text(text, _ERROR_CHARACTERS) or sentence_of("servers.call.failed_silently"),
            truncated=self._truncated,
            stdout_path=self._path,
            parts=tuple(self._parts),
            duration_ms=duration_ms,
        )

    def _shortened(self, text: str) -> str:
        raw = text.encode("utf-8", "replace")
        if len(raw) <= TEXT_BYTES:
            return text
        self._path, self._truncated = self._write("output.txt", raw), True
        return content_excerpt(raw[:EXCERPT_BYTES], len(raw), self._path)

    def _media(self, data: str, mime: str, kind: str, *, uri: str = "") -> None:
        what = {"image": "picture", "audio": "sound"}.get(kind, "resource")
        called = LazySentence(f"servers.call.{what}")
        if len(data) > MEDIA_BYTES * 4 // 3 + 4:
            size = MEDIA_BYTES >> 20
            self._texts.append(sentence_of("servers.call.large_media", what=called, size=size))
            return
        try:
            raw = base64.b64decode("".join(data.split()), validate=True)
        except (binascii.Error, ValueError):
            self._texts.append(sentence_of("servers.call.damaged_media", what=called))
            return
        real, suffix = _told(raw)
        shown = kind if kind == "resource" or real.startswith(kind + "/") else "file"
        path = self._write(f"{what}-{next(self._numbers)}{suffix}", raw)
        self._part(
            ResultPart(
                "image"
                if shown == "image"
                else "audio"
                if shown == "audio"
                else "resource"
                if uri
                else "file",
                harmless_line(uri, _NAME_CHARACTERS) or path.name,
                real or (_mime(mime) if kind == "resource" else "application/octet-stream"),
                os.fspath(path),
                uri,
                len(raw),
            )
        )

    def _part(self, part: ResultPart) -> None:
        if len(self._parts) < _PARTS:
            self._parts.append(part)

    def _write(self, name: str, raw: bytes) -> Path:
        private.make_folder(self._folder)
        path = self._folder / name
        with open(path, "wb", opener=private.opener) as file:
            file.write(raw)
        return path


def call_response(
    result: types.CallToolResult,
    schema: JsonObject | None,
    folder: Path,
    *,
    duration_ms: int,
    most_steps: int = MOST_STEPS,
) -> RunnerResponse:
    """What a tool answered, checked against the schema that the tool itself gave, as far as `most_steps`."""
    outcome = ContentCollector(folder)
    for block in result.content:
        outcome.add(block)
    data: Json = result.structured_content
    problem = "" if result.is_error or schema is None else structure_problem(data, schema, most_steps)
    return outcome.response(
        ok=not result.is_error and not problem, data=data, error=problem, duration_ms=duration_ms
    )


def resource_response(result: types.ReadResourceResult, folder: Path, *, duration_ms: int) -> RunnerResponse:
    """What a resource holds."""
    outcome = ContentCollector(folder)
    for each in result.contents:
        outcome.resource(each)
    return outcome.response(ok=True, duration_ms=duration_ms)


def prompt_response(result: types.GetPromptResult, folder: Path, *, duration_ms: int) -> RunnerResponse:
    """The messages of a prompt; `data` holds them with their roles."""
    outcome = ContentCollector(folder)
    messages: list[Json] = []
    for message in result.messages:
        outcome.add(message.content)
        if isinstance(message.content, types.TextContent):
            messages.append({"role": message.role, "text": message.content.text})
    return outcome.response(ok=True, data={"messages": messages}, duration_ms=duration_ms)


def oversized_response(found: OversizedAnswer, folder: Path, *, duration_ms: int) -> RunnerResponse:
    """An answer that was too long to be parsed: its beginning, and where the whole lies."""
    line = found.line
    size = _size(line.size)
    if line.path is None:
        error = sentence_of("servers.call.not_kept", size=size, why=line.problem)
        return RunnerResponse(ok=False, error=error, truncated=True, duration_ms=duration_ms)
    path = line.path
    if path.parent != folder:
        private.make_folder(folder)
        path = Path(shutil.move(path, folder / path.name))
    text = content_excerpt(line.head[found.start :][:HEAD_BYTES], line.size, path)
    error = "" if found.ok else sentence_of("servers.call.refused_long", size=size, path=display_path(path))
    return RunnerResponse(
        ok=found.ok, stdout=text, error=error, truncated=True, stdout_path=path, duration_ms=duration_ms
    )


def content_excerpt(head: bytes, size: int, path: Path) -> str:
    """The beginning of a long text, and a sentence about the rest."""
    shown = head.decode("utf-8", "ignore")
    more = sentence_of("servers.call.beginning", size=_size(size), path=display_path(path))
    return f"{shown}\n{more}"


def structure_problem(data: Json, schema: JsonObject, most_steps: int) -> str:
    """Why structured content does not fit the schema that its tool promised: a sentence; empty if it does."""
    if data is None:
        return sentence_of("servers.call.no_structure")
    try:
        error = first_error(_validator(json.dumps(schema, sort_keys=True)), data, most=most_steps)
    except (SchemaError, Unresolvable, RecursionError, TooManyStepsError):
        return ""  # a schema that says nothing, or too much, forbids nothing
    if error is None:
        return ""
    place = "/".join(str(part) for part in error.absolute_path)
    told = "servers.call.unlike_promise_at" if place else "servers.call.unlike_promise"
    return sentence_of(told, place=place, reason=harmless_line(error.message, 300))


@lru_cache(maxsize=256)
def _validator(schema_text: str) -> Validator:
    """Made once a schema: that takes many times as long as a call's answer needs to be checked."""
    schema = json.loads(schema_text)
    draft = validator_for(schema)
    draft.check_schema(schema)
    return foreign_class(draft)(schema, registry=Registry())


def is_small(result: types.CallToolResult, schema: JsonObject | None) -> bool:
    """Whether an answer is a short text and little structure: a thread would cost more than the work."""
    texts = len(result.content) <= 4 and all(
        isinstance(block, types.TextContent) and len(block.text) <= 16 * 1024 for block in result.content
    )
    return texts and _is_little([result.structured_content, schema])


def _is_little(value: Json) -> bool:
    """Whether a value has few pieces, and those are short; looks no further than that needs."""
    left, open_values = _LITTLE, [value]
    while open_values and left > 0:
        each = open_values.pop()
        if isinstance(each, dict):
            open_values.extend(each.values())
            left -= len(each)
        elif isinstance(each, list):
            open_values.extend(each)
            left -= len(each)
        elif isinstance(each, str):
            left -= len(each) // 64
    return left > 0


def _told(raw: bytes) -> tuple[str, str]:
    for magic, at, mime, suffix in _MAGIC:
        if raw[at : at + len(magic)] == magic:
            return mime, suffix
    return "", ".bin"


def _mime(said: str | None) -> str:
    return harmless_line(said or "", 100)


def _size(count_bytes: int) -> str:
    if count_bytes >= 1024**2:
        return f"{count_bytes / 1024**2:.1f} MB"
    return f"{count_bytes / 1024:.0f} KB"
