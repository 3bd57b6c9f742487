"""An answer's bytes as deltas: server-sent events, or one JSON body from servers that do not stream.

Contract: whatever comes, what leaves is deltas and one of our errors; memory and time are bounded. A line of
`data:` is one event, as every such server writes it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterable, Iterator
from dataclasses import field, replace

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.model.endpoint.failure import (
    EndpointName,
    broke_off,
    empty,
    foreign,
    overflow,
    quoted_words,
    server_words,
)

_MOST_LINE_BYTES = 1024 * 1024
_MOST_BODY_BYTES = 4 * 1024 * 1024
#: An event with its wrapping takes a few hundred bytes a token; reasoning comes on top of the answer.
_BYTES_A_TOKEN = 8 * 1024
_SPARE_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class Cost:
    """What the server says that a call took."""

    prompt_tokens: int = 0
    reused_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True)
class Delta:
    """One event. `finish`: why the answer ends, where the event says so; `last`: nothing comes after it."""

    text: str = ""
    reasoning: str = ""
    finish: str = ""
    cost: Cost | None = None
    last: bool = False


@dataclass
class AnswerReader:
    """Reads one answer."""

    place: EndpointName
    max_tokens: int
    secret: str = field(default="", repr=False)
    """Never repeated, should the server do so."""
    _line: bytearray = field(default_factory=bytearray)
    _spoke: bool = False

    async def deltas(self, chunks: AsyncIterable[bytes]) -> AsyncGenerator[Delta, None]:
        """What comes, until the server has ended or broken off; whoever reads judges whether that was all.

        Raises:
            ModelError: It is no answer, or the server tells of an error.
        """
        whole: bytearray | None = None
        begun = False
        read = 0
        async for chunk in chunks:
            read += len(chunk)
            self._must_fit(read, _SPARE_BYTES + _BYTES_A_TOKEN * self.max_tokens)
            part = chunk if begun else chunk.removeprefix(b"\xef\xbb\xbf").lstrip()
            if part and not begun:
                begun, whole = True, self._first(part)
            if whole is not None:
                whole += part
                self._must_fit(len(whole), _MOST_BODY_BYTES)
            else:
                for line in self._lines(part):
                    for delta in self._event(line):
                        yield delta
        for delta in self._rest(whole, begun=begun):
            yield delta

    def _must_fit(self, size_bytes: int, limit_bytes: int) -> None:
        if size_bytes > limit_bytes:
            raise broke_off(self.place, LazySentence("model.sent_more"), LazySentence("model.take_another"))

    def _rest(self, whole: bytearray | None, *, begun: bool) -> Iterator[Delta]:
        """What is known when nothing more comes."""
        if not begun:
            raise empty(self.place)
        if whole is not None:
            yield self._body(bytes(whole))
            return
        yield from self._event(bytes(self._line))
        if not self._spoke:
            raise foreign(self.place, LazySentence("model.no_stream"))

    def _first(self, chunk: bytes) -> bytearray | None:
        """By its first sign: a page, one JSON value, or a stream."""
        if chunk.startswith(b"<"):
            raise foreign(self.place, LazySentence("model.web_page"))
        return bytearray() if chunk[:1] in b'{["' else None

    def _lines(self, chunk: bytes) -> Iterator[bytes]:
        *ended, rest = chunk.split(b"\n")
        for line in ended:
            yield bytes(self._line) + line
            self._line.clear()
        self._line += rest
        self._must_fit(len(self._line), _MOST_LINE_BYTES)

    def _event(self, line: bytes) -> Iterator[Delta]:
        line = line.strip()
        name, colon, data = line.partition(b":")
        if name == b"error":  # llama.cpp until 2025
            line = b'{"error":%b}' % data
        if line.startswith(b"{"):  # Ollama writes errors between its events as they are
            name, data = b"data", line
        if name != b"data" or not colon:
            return
        self._spoke = True
        data = data.strip()
        if data == b"[DONE]":
            yield Delta(last=True)
        elif data:
            yield self._delta(self._parse(data), "delta")

    def _body(self, body: bytes) -> Delta:
        return replace(self._delta(self._parse(body), "message"), last=True)

    def _parse(self, data: bytes) -> JsonObject:
        try:
            found = json.loads(data.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            raise foreign(self.place, LazySentence("model.not_json")) from None
        if not isinstance(found, dict):
            raise foreign(self.place, LazySentence("model.no_answer"))
        return found

    def _delta(self, event: JsonObject, part: str) -> Delta:
        if event.get("error") or event.get("object") == "error":
            words = server_words(event, secret=self.secret)
            if words.overflow:
                raise overflow(self.place, words)
            raise broke_off(self.place, LazySentence("model.reports", quoted=quoted_words(words)))
        choices = event.get("choices")
        cost = _cost(event.get("usage"))
        choice = choices[0] if isinstance(choices, list) and choices else None
        if part == "message" and not isinstance(choice, dict):
            raise foreign(self.place, LazySentence("model.no_answer"))
        if not isinstance(choice, dict):
            return Delta(cost=cost)
        said = choice.get(part)
        said = said if isinstance(said, dict) else {}
        finish = choice.get("finish_reason")
        return Delta(
            text=_text(said.get("content")) or _text(said.get("refusal")),
            reasoning=_text(said.get("reasoning_content")) or _text(said.get("reasoning")),
            finish=("refusal" if said.get("refusal") else str(finish))[:40] if finish else "",
            cost=cost,
        )


def _text(content: Json) -> str:
    """A text, or a list of parts with texts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _cost(usage: Json) -> Cost | None:
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else 0
    prompt = _count(usage.get("prompt_tokens"))
    return Cost(prompt, min(_count(cached), prompt), _count(usage.get("completion_tokens")))


def _count(value: Json) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40 else 0
