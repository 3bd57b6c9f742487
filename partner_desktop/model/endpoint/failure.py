"""What goes wrong with a server, each in one sentence that names the endpoint and says what to do.

OpenAI and most: `{"error": {"message", "type", "param", "code"}}`; vLLM: the same without `error`;
LM Studio and Ollama: `{"error": "…"}`; FastAPI: `{"detail": "…" | [{"loc", "msg"}]}`.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator
from dataclasses import field
from typing import Literal, TypeAlias

from partner_desktop.base.errors import ContextOverflowError, ModelError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence
from partner_desktop.base.text import cut
from partner_desktop.domain.json_value import Json
from partner_desktop.model.endpoint.address import has_version, shown_address

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


_NO_CREDIT = "insufficient_quota"
_SEE_LOG = LazySentence("model.see_log")

Kind = Literal["unreached", "silent", "refused", "empty", "foreign", "broken"]


@dataclass(frozen=True)
class Refusal:
    """An answer with an error status."""

    status: int
    words: ServerWords = field(default_factory=ServerWords)
    location: str = ""
    """Where a redirect leads."""
    wait_s: float = 0.0
    """How long the server asks to be left alone."""


class EndpointError(ModelError):
    """A call that failed.

    `kind`: no connection, no word in time, an answer with an error status, one without a byte, something
    else than an answer, or one that broke off. `again`: whether the same call may work soon. `refusal`: what
    came with an error status.
    """

    def __init__(
        self,
        message_id: str,
        /,
        *,
        kind: Kind,
        again: bool = False,
        refusal: Refusal | None = None,
        **values: object,
    ) -> None:
        super().__init__(message_id, **values)
        self.kind, self.again = kind, again
        self.refusal = refusal or Refusal(0)


@dataclass(frozen=True)
class EndpointName:
    """Which endpoint sentences are about."""

    name: str
    address: str
    model: str
    keyed: bool
    """Whether a key was sent."""

    def __str__(self) -> str:
        return f"“{self.name}” ({shown_address(self.address)})"


def unreached(place: EndpointName, error: BaseException, *, connect_s: float) -> EndpointError:
    """No connection came about."""
    causes = list(_causes(error))
    again = True
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        said, advice = LazySentence("model.tls"), LazySentence("model.tls_advice")
        again = False
    elif any(isinstance(cause, socket.gaierror) for cause in causes):
        said, advice = LazySentence("model.no_host"), LazySentence("model.no_host_advice")
    elif any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        said, advice = LazySentence("model.nothing_listens"), LazySentence("model.nothing_listens_advice")
    elif any(isinstance(cause, TimeoutError) for cause in causes):
        said = LazySentence("model.not_within", seconds=connect_s)
        advice = LazySentence("model.not_within_advice")
    else:
        said, advice = LazySentence("model.connection_broke"), LazySentence("model.connection_broke_advice")
    return EndpointError(
        "model.endpoint", place=place, said=said, advice=advice, kind="unreached", again=again
    )


def went_silent(place: EndpointName, *, answer_s: float, begun: bool) -> EndpointError:
    """No word came in time."""
    said = LazySentence("model.fell_silent" if begun else "model.said_nothing", seconds=answer_s)
    advice = LazySentence("model.silent_advice")
    return EndpointError("model.endpoint", place=place, said=said, advice=advice, kind="silent")


def broke_off(place: EndpointName, said: LazySentence, advice: LazySentence = _SEE_LOG) -> EndpointError:
    """An answer that broke off or went wrong on its way."""
    return EndpointError("model.endpoint", place=place, said=said, advice=advice, kind="broken")


def empty(place: EndpointName) -> EndpointError:
    """An answer without a byte, as llama-cpp-python gives where a stream fails before its first word."""
    return EndpointError("model.sent_nothing", place=place, advice=_SEE_LOG, kind="empty")


def foreign(place: EndpointName, said: LazySentence) -> EndpointError:
    """Something else than an OpenAI-compatible answer."""
    versioned = has_version(place.address)
    advice = LazySentence("model.foreign_advice" if versioned else "model.foreign_advice_v1")
    return EndpointError("model.endpoint", place=place, said=said, advice=advice, kind="foreign")


def was_refused(place: EndpointName, refusal: Refusal) -> ModelError:
    """An answer with an error status."""
    words, status = refusal.words, refusal.status
    if words.overflow:
        return overflow(place, words)
    if status < 400:
        said, advice = _redirect(refusal)
    elif status < 500:
        said, advice = _not_allowed(place, refusal) or _not_found(place, refusal) or _not_taken(refusal)
    else:
        said = LazySentence("model.failed_with", status=status, quoted=quoted_words(words))
        advice = _SEE_LOG
    again = (status in (408, 409, 425, 429) or (status >= 500 and status != 501)) and words.code != _NO_CREDIT
    return EndpointError(
        "model.endpoint", place=place, said=said, advice=advice, kind="refused", again=again, refusal=refusal
    )


def overflow(place: EndpointName, words: ServerWords) -> ContextOverflowError:
    """The prompt is too long. Numbers that the server did not tell are 0."""
    numbers: LazySentence | str = ""
    if words.prompt_tokens and words.context_tokens:
        numbers = LazySentence(
            "model.overflow_numbers", prompt=words.prompt_tokens, context=words.context_tokens
        )
    elif words.context_tokens:
        numbers = LazySentence("model.overflow_context", context=words.context_tokens)
    return ContextOverflowError(
        "model.overflow",
        place=place,
        numbers=numbers,
        prompt_tokens=words.prompt_tokens,
        context_tokens=words.context_tokens,
    )


#: What happened, and what to do.
_Told: TypeAlias = tuple[LazySentence, LazySentence]


def _redirect(refusal: Refusal) -> _Told:
    # Nothing follows on its own: the key must not go to where a server points.
    address = shown_address(cut(refusal.location, 200)) or LazySentence("model.elsewhere")
    said = LazySentence("model.sends_to", address=address, status=refusal.status)
    return said, LazySentence("model.sends_to_advice")


def _not_allowed(place: EndpointName, refusal: Refusal) -> _Told | None:
    quoted = quoted_words(refusal.words)
    if refusal.status == 401 and not place.keyed:
        return LazySentence("model.wants_key"), LazySentence("model.wants_key_advice")
    if refusal.status == 401:
        return LazySentence("model.refuses_key", quoted=quoted), LazySentence("model.refuses_key_advice")
    if refusal.status == 403:
        return LazySentence("model.not_allowed", quoted=quoted), LazySentence("model.not_allowed_advice")
    if refusal.words.code == _NO_CREDIT:
        return LazySentence("model.no_credit", quoted=quoted), LazySentence("model.no_credit_advice")
    return None


def _not_found(place: EndpointName, refusal: Refusal) -> _Told | None:
    status = refusal.status
    versioned = has_version(place.address)
    if refusal.words.unknown_model or (status == 404 and place.model and versioned):
        said = LazySentence("model.unknown_model", model=place.model, quoted=quoted_words(refusal.words))
        return said, LazySentence("model.unknown_model_advice")
    if status in (404, 405):
        advice = LazySentence("model.correct_address" if versioned else "model.ends_in_v1")
        return LazySentence("model.no_api", status=status), advice
    return None


def _not_taken(refusal: Refusal) -> _Told:
    quoted = quoted_words(refusal.words)
    if refusal.status == 429:
        wait = LazySentence("model.wait_for", seconds=refusal.wait_s)
        said = LazySentence("model.too_often", quoted=quoted)
        return said, wait if refusal.wait_s else LazySentence("model.wait")
    return LazySentence("model.refused_request", status=refusal.status, quoted=quoted), _SEE_LOG


def quoted_words(words: ServerWords) -> LazySentence | str:
    """What the server said itself, to be put behind what is said of it."""
    return LazySentence("model.quoted", words=cut(words.message, 200)) if words.message else ""


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and everything it came from; groups included, bounded."""
    waiting, seen = [error], 0
    while waiting and seen < 50:
        one = waiting.pop()
        seen += 1
        yield one
        waiting.extend(cause for cause in (one.__cause__, one.__context__) if cause is not None)
        if isinstance(one, BaseExceptionGroup):
            waiting.extend(one.exceptions)
