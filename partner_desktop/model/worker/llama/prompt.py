"""Messages → one text for the model → tokens.

The model's own template comes first. Many know no system message, or want the two sides to alternate: then
the messages are folded until the template takes them. A template that still raises, or drops what was said,
gives way to a plain format.

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
import re
import signal
import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.model.worker.frames import PromptMessage
from partner_desktop.model.worker.llama.projector import PictureChunk, ShownPicture
from partner_desktop.model.worker.llama.vocabulary import MARK, PICTURE, Vocabulary

Messages = Sequence[PromptMessage]

_PROBE = (
    PromptMessage(role="system", text="probe-one"),
    PromptMessage(role="user", text="probe-two"),
    PromptMessage(role="assistant", text="probe-three"),
    PromptMessage(role="user", text="probe-four"),
)
#: What would look like another's turn.
_NAME = re.compile(r"^(?:User|System|Assistant):", re.MULTILINE)
#: A thought that the template begins for the model, as those of models do that always think.
_OPENED = re.compile(r"<(think|thinking|thought|reasoning)>\s*\Z", re.IGNORECASE)
_UNEVEN = (*_PROBE, PromptMessage(role="user", text="probe-five"))


@dataclass(frozen=True)
class Prompt:
    """What is evaluated; `trunk_tokens` of it belong to the messages that later calls share."""

    tokens: array[int]
    trunk_tokens: int
    stop: tuple[str, ...]
    opening: str = ""
    """What the answer begins with although the model does not write it: a thought that the prompt opened."""
    pictures: tuple[ShownPicture, ...] = ()
    """Whoever has the prompt closes them."""

    @cached_property
    def chunks(self) -> dict[int, PictureChunk]:
        """What the negative numbers among the tokens stand for."""
        return {chunk.number: chunk for picture in self.pictures for chunk in picture.chunks}


@dataclass(frozen=True)
class Format:
    """One way to write messages down. `render(messages, answer, thoughts)`; answers end at `stop` too."""

    render: Callable[[Messages, bool, bool], str]
    stop: tuple[str, ...] = ()

    @cached_property
    def opening(self) -> str:
        """The thought's tag that its prompts end with, and what stands behind it; empty mostly."""
        return self._opened(thoughts=True)

    @cached_property
    def closing(self) -> str:
        """What closes a thought that its prompts open although none is wanted; empty mostly."""
        tag = self._opened(thoughts=False).strip()
        return f"\n{tag.replace('<', '</')}\n\n" if tag else ""

    def _opened(self, *, thoughts: bool) -> str:
        try:
            tag = _OPENED.search(self.render(_PROBE, True, thoughts))
        except TemplateFaultError:
            return ""
        return tag[0] if tag else ""


class Prompter:
    """Chooses the format when the model is loaded, and says in `note` what a person should know of it."""

    def __init__(self, vocabulary: Vocabulary, template: str | None) -> None:
        self._vocabulary = vocabulary
        self.note = ""
        self._formats = (*self._own(template), _plain(vocabulary))

    def _own(self, source: str | None) -> tuple[Format, ...]:
        """The ways in which the model's template can be used, the best first."""
        if not source or not source.strip():
            self.note = "The model has no chat template; a plain format takes its place."
            return ()
        why = ""
        try:
            template = ChatTemplate(source, bos=self._vocabulary.bos, eos=self._vocabulary.eos)
        except TemplateFaultError as fault:
            why = str(fault)
        else:
            straight, joined, folded = (
                _by(template, turned) for turned in (list, joined_sides, folded_system)
            )
            why = _fault_of(straight, _PROBE)
            if not why and not _fault_of(straight, _UNEVEN):
                return straight, folded
            if not why and not _fault_of(joined, _UNEVEN):
                self.note = (
                    "Its chat template wants both sides to alternate, so neighbouring messages are joined."
                )
                return joined, folded
            if not _fault_of(folded, _UNEVEN):
                self.note = (
                    "Its chat template knows no system message, so instructions go into the first message."
                )
                return (folded,)
        self.note = f"Its chat template cannot be used ({why}); a plain format takes its place."
        return ()

    def prompt(
        self, messages: Messages, trunk: int, *, thoughts: bool = True, pictures: Sequence[ShownPicture] = ()
    ) -> Prompt:
        """Write them down; what anybody wrote in them stays plain text.

        Without `thoughts` (the answer has a fixed form) the template is told so, by the switch that most
        have, and a thought that it opens all the same is closed again. `pictures`: those of all messages, in
        order; each stands before its message's words, as models have learnt it.
        """
        marked = [message.model_copy(update={"text": self._marked(message)}) for message in messages]
        for way in self._formats[:-1]:
            try:
                return self._written(way, marked, trunk, thoughts, pictures)
            except TemplateFaultError:
                continue
        return self._written(self._formats[-1], marked, trunk, thoughts, pictures)

    def _marked(self, message: PromptMessage) -> str:
        words = self._vocabulary.marked(message.text, by_model=message.role == "assistant")
        return f"{PICTURE * len(message.pictures)}\n{words}" if message.pictures else words

    def _written(
        self, way: Format, messages: Messages, trunk: int, thoughts: bool, pictures: Sequence[ShownPicture]
    ) -> Prompt:
        closing = "" if thoughts else way.closing
        text = way.render(messages, True, thoughts) + closing
        if text.count(PICTURE) != len(pictures) or text.endswith(PICTURE):
            raise TemplateFaultError("it drops a picture")
        filled = [picture.tokens for picture in pictures]
        tokens = self._vocabulary.tokens(text, filled)
        shared = 0
        if 0 < trunk < len(messages):
            begin = self._vocabulary.tokens(self._trunk(way, messages, trunk, thoughts), filled)
            shared = common_length(tokens, begin)
        elif trunk:
            shared = len(tokens)
        return Prompt(tokens, shared, way.stop, way.opening if thoughts else "", tuple(pictures))

    @staticmethod
    def _trunk(way: Format, messages: Messages, trunk: int, thoughts: bool) -> str:
        try:
            return way.render(messages[:trunk], False, thoughts)
        except TemplateFaultError:  # it wants a user's message; the first that comes after will differ soon
            return way.render([*messages[:trunk], PromptMessage(role="user", text=MARK)], False, thoughts)


def _by(template: ChatTemplate, turned: Callable[[Messages], Messages]) -> Format:
    """A template's format, of messages as it takes them."""
    return Format(
        lambda messages, answer, thoughts: template.render(turned(messages), answer=answer, thoughts=thoughts)
    )


def _fault_of(way: Format, messages: Messages) -> str:
    """Why a format is unfit: it raises, or does not hold every text, in order. Empty if it is fit."""
    try:
        text = way.render(messages, True, True)
    except TemplateFaultError as fault:
        return str(fault)
    at = 0
    for message in messages:
        at = text.find(message.text, at)
        if at < 0:
            return "it drops what was said"
    return ""


def joined_sides(messages: Messages) -> list[PromptMessage]:
    """Neighbouring messages of one role as one."""
    joined: list[PromptMessage] = []
    for message in messages:
        if joined and joined[-1].role == message.role:
            text = f"{joined[-1].text}\n\n{message.text}"
            joined[-1] = PromptMessage(role=message.role, text=text)
        else:
            joined.append(message)
    return joined


def folded_system(messages: Messages) -> list[PromptMessage]:
    """System messages as the user's, then `joined_sides`; a conversation begins with the user."""
    turned = [
        PromptMessage(role="user", text=message.text) if message.role == "system" else message
        for message in messages
    ]
    if turned and turned[0].role == "assistant":
        turned.insert(0, PromptMessage(role="user", text="…"))
    return joined_sides(turned)


def _plain(vocabulary: Vocabulary) -> Format:
    """ChatML where the vocabulary has its tokens; else names with colons, and an answer ends at a name."""
    if {"<|im_start|>", "<|im_end|>"} <= vocabulary.controls.keys():
        return Format(_chatml)
    return Format(_named, stop=("\nUser:", "\nSystem:", "\nAssistant:"))


def _chatml(messages: Messages, answer: bool, _thoughts: bool) -> str:
    said = "".join(f"<|im_start|>{message.role}\n{message.text}<|im_end|>\n" for message in messages)
    return said + ("<|im_start|>assistant\n" if answer else "")


def _named(messages: Messages, answer: bool, _thoughts: bool) -> str:
    said = "".join(f"{message.role.title()}: {_NAME.sub(_aside, message.text)}\n\n" for message in messages)
    return said + ("Assistant:" if answer else "")


def _aside(name: re.Match[str]) -> str:
    return f" {name[0]}"


def common_length(one: array[int], other: array[int]) -> int:
    """How many tokens two prompts share from the first."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


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

        Without `thoughts` a template that knows the switch (`enable_thinking`, as Qwen's) leaves them out;
        otherwise each goes by its own default.

        Raises:
            TemplateFaultError: It raises, or leaves its bounds.
        """
        try:
            with bounded(seconds=_SECONDS, megabytes=_MEGABYTES):
                return self._template.render(
                    messages=[{"role": message.role, "content": message.text} for message in messages],
                    add_generation_prompt=answer,
                    bos_token=self._bos,
                    eos_token=self._eos,
                    tools=None,
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
