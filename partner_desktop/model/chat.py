"""The ChatModel port: messages in, a stream of pieces out, and at the end what it cost.

Contract: `chat` may be left at any piece (`aclose`); the model then stops within a second. Calls of a model
wait for each other, the more urgent first. A schema constrains the text as well as the model can be made to;
whoever asked checks it all the same.

`ContextWindow` says how long a prompt may be, and counts how long it is.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import field, fields, replace
from enum import IntEnum
from typing import Literal, Protocol, TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import PictureData
from partner_desktop.domain.model_call import CallEnd
from partner_desktop.domain.model_status import ModelStatus

#: What a model reads in place of pictures that it cannot see.
_UNSEEN = "(A picture is attached that you cannot see; the person is told so. Answer the words.)"


class Priority(IntEnum):
    """Who goes first; lower is sooner."""

    REPLY = 0
    """The person waits for it."""
    QUESTION = 1
    """A reply waits for it."""
    BACKGROUND = 2


@dataclass(frozen=True)
class ChatMessage:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str
    pictures: tuple[PictureData, ...] = ()
    """What is shown with it; a model that cannot see gets the words alone."""


@dataclass(frozen=True)
class Sampling:
    """How the next token is chosen. Temperature 0 takes the likeliest."""

    temperature: float = 0.7
    top_p: float = 0.95
    top_k: int = 40
    min_p: float = 0.05
    repeat_penalty: float = 1.0
    """How much a token that was there a moment ago loses; 1: nothing."""
    max_tokens: int = 1024
    """Of the answer."""
    seed: int | None = None
    unsaid: frozenset[str] = frozenset()
    """Of the above, those that nobody chose: the model's own recommendation comes before ours."""

    def advised(self, recommended: Mapping[str, float]) -> Sampling:
        """With what a model recommends, where nobody chose otherwise."""
        known = {field.name for field in fields(self)} & self.unsaid & recommended.keys()
        return replace(self, **{name: type(getattr(self, name))(recommended[name]) for name in known})


@dataclass(frozen=True)
class ToolDefinition:
    """Something that a model may call; a call of it stands for an answer."""

    name: str
    description: str
    parameters: JsonObject
    """JSON Schema of a call's arguments."""
    answer: JsonObject
    """What a call stands for; its arguments come over that."""


@dataclass(frozen=True)
class ToolChoice:
    """A question put as an offer of tools: models are trained to call one in words of their own."""

    tools: tuple[ToolDefinition, ...]
    asked: str
    """What the request's last message says then."""
    otherwise: JsonObject | None = None
    """The answer where none is called; `None`: one must be."""
    arguments: bool = True
    """Whether they are wanted: without, the name is the answer."""


@dataclass(frozen=True)
class ChatRequest:
    """One call."""

    messages: tuple[ChatMessage, ...]
    trunk: int = 0
    """How many of the messages, from the first, all calls of the conversation share."""
    sampling: Sampling = Sampling()
    schema: JsonObject | None = None
    """JSON Schema that the answer must follow; the answer's text is then one JSON value."""
    call: ToolChoice | None = None
    """With a schema: the same question for a model whose chat template has words for tools. The answer's
    text is what the call stands for, so that the schema holds of it, too. Whoever can offer none passes over
    it."""
    priority: Priority = Priority.QUESTION
    stop: tuple[str, ...] = ()
    """The answer ends before any of these."""

    @property
    def has_pictures(self) -> bool:
        """Whether something is shown with it."""
        return any(message.pictures for message in self.messages)

    def in_words(self) -> ChatRequest:
        """The same for a model that cannot see; it is told that there is something to see."""
        told = [
            replace(one, text=f"{one.text}\n\n{_UNSEEN}", pictures=()) if one.pictures else one
            for one in self.messages
        ]
        return replace(self, messages=tuple(told))


@dataclass(frozen=True)
class ChatPiece:
    """The next words."""

    text: str
    reasoning: bool = False
    """Thought, not said: endpoints tell the two apart; of a local model everything is text."""
    tokens: int = 1
    unseen: bool = False
    """No words: it comes first, where the pictures of the request were left out."""
    why: str = ""
    """Of an unseen one: what kept a model that can see from it, in a sentence."""
    known: ChatUsage | None = field(default=None, compare=False)
    """With the first piece, where the model tells it then: what stays known of a call that is given up."""


@dataclass(frozen=True)
class ChatUsage:
    """The last event of a call; 0 where the model does not tell."""

    prompt_tokens: int = 0
    reused_tokens: int = 0
    output_tokens: int = 0
    trunk_tokens: int = 0
    context_tokens: int = 0
    end: CallEnd = "stop"
    constrained: Literal["", "tools", "grammar", "schema", "json", "prompt"] = ""
    """With a schema: by what the answer was held to it; `tools`: to a call in the template's words."""


#: Said first by a model that cannot see what is shown.
UNSEEN = ChatPiece("", tokens=0, unseen=True)

ChatEvent: TypeAlias = ChatPiece | ChatUsage


class ChatModel(Protocol):
    """A model that talks."""

    @property
    def name(self) -> str: ...

    def status(self) -> ModelStatus:
        """How it is now; `in_use` is for whoever owns the settings to fill in."""
        ...

    async def load(self) -> None:
        """Get ready: read the file, or see that the endpoint answers. Cancelling gives the load up.

        Raises:
            ModelError: It cannot be used; the message says why.
        """
        ...

    async def unload(self) -> None:
        """Give its memory back, a load under way included. It loads again with its next use."""
        ...

    def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        """Pieces as they come, then one `ChatUsage`; `UNSEEN` first where pictures cannot be seen.

        Raises:
            ContextOverflowError: The prompt and the answer do not fit; nothing was computed.
            SchemaError: The schema cannot be turned into a constraint; nothing was computed.
            ModelError: It failed, also in the midst of an answer; what came before stands.
        """
        ...

    async def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text.

        Raises:
            ModelError: The model cannot count.
        """
        ...

    async def shutdown(self) -> None:
        """End it, bounded in time; idempotent."""
        ...


class CountsTokens(Protocol):
    """As `context/tokens.py` has it: pure, safe on any thread, and told apart by its name."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int:
        """Tokens of `text`, 0 for none."""
        ...


@dataclass(frozen=True)
class ContextWindow:
    """How long a prompt may be."""

    model: str
    context_tokens: int
    """What the model holds at once, prompt and answer together."""
    answer_tokens: int
    """Of them, kept free for the answer."""
    counter: CountsTokens


def answer_share(context_tokens: int, max_tokens: int) -> int:
    """How long an answer may be: never more than half of what the model holds, where that is known."""
    return min(max_tokens, max(1, context_tokens // 2)) if context_tokens else max_tokens
