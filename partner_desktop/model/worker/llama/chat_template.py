"""ChatTemplate: a chat template out of a file, rendered.

A template is Jinja out of a file from anywhere, so it runs in a sandbox and within bounds. Bounds of time:
an alarm in the main thread, where there is one; what it cannot interrupt, such as one endless native call,
is ended by a watchdog together with the process. Memory: a limit on the address space while the code runs,
where the system has one.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.model.worker.frames import PromptMessage

_SECONDS, _MEGABYTES = 2.0, 256
_MOST_TEMPLATE_CHARACTERS = 1 << 20
_MOST_PRODUCT = 1 << 24
_FACTOR_BITS = 4096


class TemplateFaultError(Exception):
    """A template cannot be used; the message is a clause that says why."""


class ChatTemplate:
    """One compiled template."""

    def __init__(self, source: str, *, bos: str, eos: str) -> None:
        """Compile it.

        Raises:
            TemplateFaultError: It is not Jinja, or takes too long.
        """
        if len(source) > _MOST_TEMPLATE_CHARACTERS:
            raise TemplateFaultError("it is larger than a template ever is")
        self._bos, self._eos = bos, eos
        try:
            with bounded(seconds=_SECONDS, megabytes=_MEGABYTES):
                self._template = _environment().from_string(source)
        except (TemplateError, BoundsError, RecursionError) as error:
            raise TemplateFaultError(_reason(error)) from error

    def render(self, messages: Sequence[PromptMessage], *, answer: bool = True, thoughts: bool = True) -> str:
        """The prompt's text; with `answer`, up to where the answer begins.

        Raises:
            TemplateFaultError: As `written`.
        """
        said: list[JsonObject] = [{"role": message.role, "content": message.text} for message in messages]
        return self.written(said, answer=answer, thoughts=thoughts)

    def written(
        self,
        messages: Sequence[JsonObject],
        *,
        answer: bool,
        thoughts: bool,
        tools: Sequence[JsonObject] | None = None,
    ) -> str:
        """The text of messages and tools as templates know them, from OpenAI's interface.

        Without `thoughts` a template that knows the switch (`enable_thinking`, as Qwen's) leaves them out;
        otherwise each goes by its own default.

        Raises:
            TemplateFaultError: It raises, or leaves its bounds.
        """
        try:
            with bounded(seconds=_SECONDS, megabytes=_MEGABYTES):
                return self._template.render(
                    messages=list(messages),
                    add_generation_prompt=answer,
                    bos_token=self._bos,
                    eos_token=self._eos,
                    tools=None if tools is None else list(tools),
                    documents=None,
                    raise_exception=_raise,
                    strftime_now=_strftime_now,
                    **({} if thoughts else {"enable_thinking": False}),
                )
        except Exception as error:  # a template can raise whatever Python raises
            raise TemplateFaultError(_reason(error)) from error


class _Environment(ImmutableSandboxedEnvironment):
    """Products and powers are bounded: they could fill memory, or compute for ever, in a single step."""

    intercepted_binops = frozenset({"*", "**"})

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:  # noqa: ANN401 - Jinja's
        if operator == "**":
            raise TemplateFaultError("it computes powers")
        if operator == "*" and not (_modest(left, right) and _modest(right, left)):
            raise TemplateFaultError("it multiplies what is too large")
        return super().call_binop(context, operator, left, right)


def _modest(factor: object, other: object) -> bool:
    if isinstance(factor, int):
        return factor.bit_length() <= _FACTOR_BITS
    if isinstance(factor, str | bytes | list | tuple) and isinstance(other, int):
        return len(factor) * max(0, other) <= _MOST_PRODUCT
    return True


def _environment() -> _Environment:
    environment = _Environment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"])
    environment.filters["tojson"] = _tojson
    return environment


def _tojson(value: object, indent: int | None = None, **_: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _raise(message: str) -> NoReturn:
    raise TemplateFaultError(f"it says: {message}")


def _strftime_now(pattern: str) -> str:
    return datetime.now().astimezone().strftime(pattern)


def _reason(error: BaseException) -> str:
    said = " ".join(str(error).split())[:200].rstrip(".")
    if isinstance(error, TemplateFaultError | BoundsError):
        return said
    return f"it fails with {type(error).__name__}" + (f" ({said})" if said else "")


_MARGIN_S = 3.0


class BoundsError(Exception):
    """It took too long or too much."""


@contextlib.contextmanager
def bounded(*, seconds: float, megabytes: int) -> Iterator[None]:
    """Run the body within these bounds, in the main thread.

    Raises:
        BoundsError: It left them.
    """
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - the watchdog needs its descriptor
        faulthandler.dump_traceback_later(seconds + _MARGIN_S, exit=True, file=nowhere)
        try:
            with _memory(megabytes), _alarm(seconds):
                yield
        except MemoryError:
            raise BoundsError(f"it took more than {megabytes} MB") from None
        finally:
            faulthandler.cancel_dump_traceback_later()


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    armed = True

    def rang(_signal: int, _frame: FrameType | None) -> None:
        if armed:
            raise BoundsError(f"it took longer than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, rang)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _memory(megabytes: int) -> Iterator[None]:
    try:
        import resource  # noqa: PLC0415 - not on every system

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = pages * resource.getpagesize() + megabytes * 2**20
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ImportError, OSError, ValueError):
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
