"""How a server wants to be asked, and what to try next when it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass

#: From the strictest: JSON Schema; JSON mode that takes one too (llama.cpp, Fireworks); JSON mode; words.
Rung = Literal["schema", "json_schema", "json", "prompt"]
RUNGS: tuple[Rung, ...] = ("schema", "json_schema", "json", "prompt")


@dataclass(frozen=True)
class Dialect:
    """What a request may hold. The default is what most servers take."""

    rung: Rung = "schema"
    usage: bool = True
    """Whether it may ask for the usage of a stream."""
    modern: bool = False
    """Whether the limit is called `max_completion_tokens`, as OpenAI's reasoning models want it."""
    sampling: bool = True
    """Whether it may set temperature and the like."""
    stream: bool = True
    """Whether the answer comes piece by piece; never remembered as anything else."""


def lower(dialect: Dialect) -> Dialect | None:
    """One rung down the ladder; `None` at its foot."""
    at = RUNGS.index(dialect.rung)
    return replace(dialect, rung=RUNGS[at + 1]) if at + 1 < len(RUNGS) else None


def hinted(dialect: Dialect, param: str, *, structured: bool) -> Dialect | None:
    """Without what the server names as the reason of its refusal; `None` where that helps nothing."""
    if param.startswith("response_format") and structured:
        return lower(dialect)
    if param.startswith("stream_options") and dialect.usage:
        return replace(dialect, usage=False)
    if param == "max_tokens" and not dialect.modern:
        return replace(dialect, modern=True)
    if param in ("temperature", "top_p", "seed", "stop") and dialect.sampling:
        return replace(dialect, sampling=False)
    return None


def guesses(dialect: Dialect, *, structured: bool) -> Iterator[Dialect]:
    """For a server that does not name it: what can be left out, the likeliest first."""
    bare = replace(dialect, usage=False)
    if structured:
        rung = lower(dialect)
        while rung is not None:
            yield rung
            rung = lower(rung)
        bare = replace(bare, rung="prompt")
    yield bare
    yield replace(bare, modern=True)
    yield replace(bare, modern=True, sampling=False)
