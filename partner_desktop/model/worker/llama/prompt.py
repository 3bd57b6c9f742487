"""Messages → one text for the model → tokens.

The model's own template comes first. Many know no system message, or want the two sides to alternate: then
the messages are folded until the template takes them. A template that still raises, or drops what was said,
gives way to a plain format.

What tools there are stands in front of the last message, or at its beginning, in the template's words: never
before what later calls share.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Sequence
from functools import cached_property

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.model.worker.frames import CallableTool, PromptMessage, ToolOffer
from partner_desktop.model.worker.llama.chat_template import ChatTemplate, TemplateFaultError
from partner_desktop.model.worker.llama.projector import PictureChunk, ShownPicture
from partner_desktop.model.worker.llama.tool_format import (
    SIGN,
    CallForm,
    Definitions,
    ToolFormat,
    tool_object,
)
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
class Offering:
    """A prompt that offers tools, and how a call of one is written."""

    prompt: Prompt
    form: CallForm


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
        self._template: ChatTemplate | None = None
        self.note = ""
        self._formats = (*self._own(template), _plain(vocabulary))

    def _own(self, source: str | None) -> tuple[Format, ...]:
        """The ways in which the model's template can be used, the best first."""
        if not source or not source.strip():
            self.note = "The model has no chat template; a plain format takes its place."
            return ()
        why = ""
        try:
            template = self._template = ChatTemplate(
                source, bos=self._vocabulary.bos, eos=self._vocabulary.eos
            )
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
        marked = self._marked(messages)
        for way in self._formats[:-1]:
            try:
                return self._written(way, marked, trunk, thoughts, pictures)
            except TemplateFaultError:
                continue
        return self._written(self._formats[-1], marked, trunk, thoughts, pictures)

    def offering(self, messages: Messages, trunk: int, offer: ToolOffer) -> Offering | None:
        """As `prompt`, without thoughts, with tools that an answer may call; `None` where the template has no
        words for them, or none that leave what later calls share as it is.
        """
        if self._tools is None or trunk == len(messages):
            return None
        try:
            told = self._tools.definitions([self._tool_object(tool) for tool in offer.tools])
            if PICTURE in told.text:
                return None
            last = messages[-1].model_copy(update={"text": offer.text})
            *before, asked = self._marked([*messages[:-1], last])
            if not told.is_message:
                asked = asked.model_copy(update={"text": f"{told.text}\n\n{asked.text}"})
            prompt = self._written(self._formats[0], [*before, asked], trunk, False, told=told)
        except TemplateFaultError:
            return None
        return Offering(prompt, self._tools.form)

    @cached_property
    def _tools(self) -> ToolFormat | None:
        """The template's words for tools; looked for when they are first needed."""
        if self._template is None or len(self._formats) < 2:
            return None
        vocabulary = self._vocabulary
        try:
            return ToolFormat(self._template, vocabulary.frame_texts)
        except TemplateFaultError:
            return None

    def _tool_object(self, tool: CallableTool) -> JsonObject:
        """A tool, its words marked as all that anybody wrote."""
        shape = json.loads(tool.parameters, object_hook=self._marked_object)
        return tool_object(self._marked_text(tool.name), self._marked_text(tool.description), shape)

    def _marked_object(self, found: JsonObject) -> JsonObject:
        return {self._marked_text(key): self._marked_value(value) for key, value in found.items()}

    def _marked_value(self, value: Json) -> Json:
        """A text, or a list; objects in it are marked already."""
        if isinstance(value, list):
            return [self._marked_value(one) for one in value]
        return self._marked_text(value) if isinstance(value, str) else value

    def _marked_text(self, text: str) -> str:
        return self._vocabulary.marked(text.replace(SIGN, "\ufffd"))

    def _marked(self, messages: Messages) -> list[PromptMessage]:
        return [message.model_copy(update={"text": self._marked_words(message)}) for message in messages]

    def _marked_words(self, message: PromptMessage) -> str:
        words = self._vocabulary.marked(message.text, by_model=message.role == "assistant")
        return f"{PICTURE * len(message.pictures)}\n{words}" if message.pictures else words

    def _written(
        self,
        way: Format,
        messages: Messages,
        trunk: int,
        thoughts: bool,
        pictures: Sequence[ShownPicture] = (),
        told: Definitions | None = None,
    ) -> Prompt:
        text = way.render(messages, True, thoughts) + ("" if thoughts else way.closing)
        if text.count(PICTURE) != len(pictures) or text.endswith(PICTURE):
            raise TemplateFaultError("it drops a picture")
        begin = self._trunk(way, messages, trunk, thoughts) if 0 < trunk < len(messages) else ""
        if told is not None and told.is_message:
            if not begin or not text.startswith(begin):
                raise TemplateFaultError("there is no place between two messages")
            text = f"{begin}{told.text}{text[len(begin) :]}"
        filled = [picture.tokens for picture in pictures]
        tokens = self._vocabulary.tokens(text, filled)
        shared = common_length(tokens, self._vocabulary.tokens(begin, filled)) if begin else 0
        if trunk == len(messages):
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
