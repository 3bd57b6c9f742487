"""The prompts of the questions, by name, and what each is filled with; the parts of a prompt as the
messages of a call; and what the person is told of the model's answers, in the language of the prompts.

Messages are made the same way for every question, so that they begin alike. Templates differ in what they
take: most know one system message at the front, and some only users and assistants by turns. So the
leading system parts are one message, and what one side said in a row is one. What the person said last
without an answer goes before the tail, in one message with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.prompts import filled, messages, placeholders, prompt_text
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import PictureData
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.model.chat import ChatMessage

#: Characters of the person's words that a question shows; of a longer text the beginning and the end.
_SAID = 8_000
#: What may pass for a control token or the frame of another turn: `<|im_start|>`, `</s>`, `[INST]`.
_CONTROL = re.compile(r"<(?=[|｜/!<a-zA-Z])|\[(?=/?[A-Z_]{3,}\])")


class Flaw(StrEnum):
    """What was wrong with an answer: all that the model is told of it, since the answer is never replayed."""

    NOT_JSON = "not_json"
    KEYS = "keys"
    TYPES = "types"
    CHOICE = "choice"
    VALUES = "values"
    TOO_LONG = "too_long"
    EMPTY = "empty"
    NOT_CODE = "not_code"
    UNSAID = "unsaid"
    UNDONE = "undone"
    STAGE = "stage"


class FlawError(ValueError):
    """An answer that cannot be used; `nearest` are the names on offer that come near to a wrong one."""

    def __init__(self, flaw: Flaw, nearest: Sequence[str] = ()) -> None:
        super().__init__(flaw.value)
        self.flaw = flaw
        self.nearest = tuple(nearest)


def tail_of(name: str, language: str, /, **values: str) -> str:
    """A question's own part of the prompt."""
    return filled(prompt_text(name, language), **values)


def calling_tail(name: str, closing: str, language: str, /, **values: str) -> str:
    """The same where a call of a tool is the answer: the last paragraph, on the answer's form, is another."""
    words, _, _ = prompt_text(name, language).rpartition(_BREAK)
    template = f"{words}{_BREAK}{prompt_text(closing, language)}"
    return filled(template, **{key: values[key] for key in placeholders(template)})


def correction(flaw: Flaw, language: str, nearest: Sequence[str] = ()) -> str:
    """What goes behind the tail when it is asked once more; `nearest` names what is on offer."""
    told = flaws(language)[flaw]
    if nearest:
        names = ", ".join(written(name) for name in nearest)
        told = f"{told} {tail_of('nearest', language, names=names)}"
    return tail_of("correction", language, flaw=told)


def flaws(language: str) -> dict[str, str]:
    """Flaw → what the model is told of it."""
    lines = prompt_text("flaws", language).splitlines()
    return {name: words.strip() for name, _, words in (line.partition(":") for line in lines)}


def quoted(text: str, limit: int = _SAID) -> str:
    """A text as material: one JSON string, in which nothing can end the quotation or open another turn."""
    return _safe(json.dumps(_whole(_shortened(text, limit)), ensure_ascii=False))


def unframed(text: str, limit: int) -> str:
    """A text as it is, for a place that quotes it, short and without what could pass for a control token."""
    return _CONTROL.sub("", " ".join(_whole(_shortened(text, limit)).split()))


def written(value: Json) -> str:
    """Any value as material, as JSON."""
    return _safe(_whole(json.dumps(value, ensure_ascii=False)))


def _safe(literal: str) -> str:
    """The same JSON, without anything that a tokenizer reads as more than text."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match.group()):04x}", literal)


def _whole(text: str) -> str:
    """Half characters replaced: no pipe takes them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    end = limit // 4
    return f"{text[: limit - end - 3]} … {text[-end:]}"


#: Question, and a sentence for the person: why something else than the model's answer stands.
Tell: TypeAlias = Callable[[str, str], None]


def sentence(name: str, language: str, *, question: str = "", reason: str = "") -> str:
    """A sentence for the person; `reason` is one itself."""
    words: Mapping[str, str] = messages("model_answers", language)
    return words[name].replace("{question}", words.get(question, question)).replace("{reason}", reason)


_BREAK = "\n\n"


@dataclass(frozen=True)
class Arranged:
    """What is sent. The first `trunk` messages are shared by the calls of a conversation."""

    messages: tuple[ChatMessage, ...]
    trunk: int

    @property
    def undialogued(self) -> Arranged:
        """The same without what was said before."""
        kept = tuple(message for message in self.messages[: self.trunk] if message.role == "system")
        return Arranged((*kept, *self.messages[self.trunk :]), len(kept))

    def showing(self, pictures: tuple[PictureData, ...]) -> Arranged:
        """The same with pictures beside what is asked."""
        if not pictures or len(self.messages) == self.trunk:
            return self
        return replace(self, messages=(*self.messages[:-1], replace(self.messages[-1], pictures=pictures)))


def arranged(parts: Sequence[PromptPart], *tail: str) -> Arranged:
    """Trunk parts (system, what was said), then all other parts and `tail` as one message of the user."""
    system: list[str] = []
    dialog: list[ChatMessage] = []
    rest: list[str] = []
    for part in parts:
        if part.name in ("dialog", "dialog_history"):
            _append(dialog, part)
        elif part.role == "system" and not dialog and not rest:
            system.append(part.text)
        else:
            rest.append(part.text)
    rest += tail
    if dialog and dialog[-1].role == "user":
        rest.insert(0, dialog.pop().text)
    trunk = [*([ChatMessage("system", _joined(system))] if _joined(system) else []), *dialog]
    last = [ChatMessage("user", _joined(rest))] if _joined(rest) else []
    return Arranged((*trunk, *last), len(trunk))


def _append(dialog: list[ChatMessage], part: PromptPart) -> None:
    role = "assistant" if part.role == "assistant" else "user"
    if dialog and dialog[-1].role == role:
        dialog[-1] = replace(dialog[-1], text=_joined([dialog[-1].text, part.text]))
    else:
        dialog.append(ChatMessage("assistant" if part.role == "assistant" else "user", part.text))


def _joined(texts: Sequence[str]) -> str:
    return _BREAK.join(text for text in texts if text)
