"""What a server says about an error, in the forms that servers have.

OpenAI and most: `{"error": {"message", "type", "param", "code"}}`; vLLM: the same without `error`;
LM Studio and Ollama: `{"error": "…"}`; FastAPI: `{"detail": "…" | [{"loc", "msg"}]}`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from partner_desktop.base.text import cut
from partner_desktop.domain.json_value import Json

_OVERFLOW_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_UNKNOWN_MODEL_CODES = frozenset({"model_not_found", "model_not_exist"})

# vLLM and LM Studio tell an overflow in words alone, so here words decide; no other server is asked for them.
_HOLDS = re.compile(
    r"(?:maximum|max(?:imum)? model) (?:context )?(?:length|len)\D{0,20}(\d{1,9})"
    r"|context (?:length|size|window)\D{0,30}(\d{1,9})",
    re.IGNORECASE,
)
_IN_MESSAGES = re.compile(r"(\d{1,9}) (?:in the messages|in your prompt|input tokens|tokens in the input)")
_REQUESTED = re.compile(
    r"(?:requested|has|contains|tokens to keep[^\d]{0,20})\s*(?:about )?(\d{1,9})", re.IGNORECASE
)


@dataclass(frozen=True)
class ServerWords:
    """An error as the server tells it; empty and 0 where it does not."""

    message: str = ""
    code: str = ""
    param: str = ""
    overflow: bool = False
    prompt_tokens: int = 0
    context_tokens: int = 0

    @property
    def unknown_model(self) -> bool:
        """Whether it says that there is no such model."""
        return self.code in _UNKNOWN_MODEL_CODES or self.param == "model"


def server_words(body: object, *, secret: str = "") -> ServerWords:
    """Take an error apart. `secret`: is blotted out, should the server repeat it."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return _with_overflow(ServerWords(message=_line(error, secret)), {})
    detail = error.get("detail")
    message = _line(error.get("message") or detail, secret)
    code = str(error.get("code") or error.get("type") or "")[:80]
    kind = str(error.get("type") or "")[:80]
    if kind in _OVERFLOW_CODES:
        code = kind
    param = str(error.get("param") or _place(detail) or "")[:80]
    return _with_overflow(ServerWords(message=message, code=code, param=param), error)


def _with_overflow(words: ServerWords, error: dict[str, Json]) -> ServerWords:
    holds = _HOLDS.search(words.message)
    if words.code not in _OVERFLOW_CODES and not holds:
        return words
    said = _number(error.get("n_prompt_tokens")) or _found(_IN_MESSAGES, words.message)
    return ServerWords(
        message=words.message,
        code=words.code,
        param=words.param,
        overflow=True,
        prompt_tokens=said or _found(_REQUESTED, words.message),
        context_tokens=_number(error.get("n_ctx")) or _found(_HOLDS, words.message),
    )


def _found(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.search(text)
    return int(next(filter(None, match.groups()), "0")) if match else 0


def _number(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 1 << 40 else 0


def _line(value: object, secret: str) -> str:
    """One line of the server's text."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        value = value[0].get("msg")
    text = value if isinstance(value, str) else ""
    if text.lstrip().startswith("<"):
        return ""
    if secret:
        text = text.replace(secret, "…")
    return cut(" ".join("".join(char if char.isprintable() else " " for char in text[:2000]).split()), 300)


def _place(detail: object) -> str:
    """FastAPI names the field as a path: `["body", "response_format", "type"]`."""
    first = detail[0] if isinstance(detail, list) and detail else None
    path = first.get("loc") if isinstance(first, dict) else None
    return str(path[1]) if isinstance(path, list) and len(path) > 1 else ""
