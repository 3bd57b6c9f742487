"""What an agent asks of a mind: an object of a class, or a text.

A mind that cannot write says so with `None`, as the starter mind does; the step then says honestly what was
not written. Both requests are shaped as the questions of `mind.question` are: frozen, and their type says
that of the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")


@dataclass(frozen=True)
class Persona:
    """Who is to write."""

    name: str
    persona: str
    voice: str = ""
    objective: str = ""


@dataclass(frozen=True)
class WritingOptions:
    """How it is to be written; what is `None` or empty is left to the mind."""

    model: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    timeout_s: float = 60.0


DEFAULT_WRITING = WritingOptions()


@dataclass(frozen=True)
class ModelUse:
    """One call of a model, and what it took."""

    model: str
    prompt_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    """0 where no price is set."""
    duration_ms: float = 0.0


@dataclass(frozen=True)
class WrittenAnswer(Generic[T]):
    """What was written, and the calls that it took, failed ones too."""

    value: T
    calls: tuple[ModelUse, ...] = ()


@dataclass(frozen=True)
class CreateObject(Generic[T]):
    """Make an object of `kind`, a dataclass or a pydantic model, of what the prompt says."""

    kind: type[T]
    prompt: str
    persona: Persona | None = None
    options: WritingOptions = DEFAULT_WRITING

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the object. Any: as JSON has it."""
        return TypeAdapter(self.kind).json_schema()


@dataclass(frozen=True)
class GenerateText:
    """Write what the prompt asks for."""

    prompt: str
    persona: Persona | None = None
    options: WritingOptions = DEFAULT_WRITING


class WritingMind(Protocol):
    """Whoever writes for agents. What either raises fails the step, and may be tried again."""

    async def create_object(self, request: CreateObject[T], /) -> WrittenAnswer[T] | None:
        """The object; `None`: this mind cannot make one."""
        ...

    async def generate_text(self, request: GenerateText, /) -> WrittenAnswer[str] | None:
        """The text; `None`: this mind cannot write it."""
        ...


class StarterWriting:
    """The `WritingMind` of the starter mind: it has no words of its own, and says so."""

    async def create_object(self, request: CreateObject[T], /) -> WrittenAnswer[T] | None:
        del request
        return None

    async def generate_text(self, request: GenerateText, /) -> WrittenAnswer[str] | None:
        del request
        return None
