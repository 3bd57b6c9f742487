"""The tail of a turn's prompt: what changes from turn to turn, after the prefix that stays.

`<context>` with what is known now, the abilities that came or went since the prefix named them, `<input>`
with what was said, when, and what stands beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from partner_desktop.communication.prompt_budget import carried
from partner_desktop.context import markup
from partner_desktop.context.resolution import Resolution
from partner_desktop.context.tokens import TokenCounter
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.runtime.flow import FlowInput


def prompt_tail(
    *,
    resolution: Resolution,
    fresh: str,
    inputs: Sequence[FlowInput],
    most_characters: int | None,
    counter: TokenCounter,
) -> tuple[PromptPart, ...]:
    """What follows the prefix. `most_characters` limits each input; `None`: all of it is carried."""

    def part(name: str, text: str) -> PromptPart:
        return PromptPart("user", name, text, counter.count(text))

    said = input_text(inputs, resolution.supply(), most_characters=most_characters)
    changed = (part("abilities", fresh),) if fresh else ()
    return (part("context", resolution.context()), *changed, part("input", said))


def input_text(
    inputs: Sequence[FlowInput], supply: Sequence[str] = (), *, most_characters: int | None = None
) -> str:
    """The `<input>` of a prompt; of a longer text its beginning and its end, with a mark between."""
    entries = [_entry(item, inputs[0].at, most_characters) for item in inputs]
    return markup.branch("input", [*entries, *supply])


def text_of(item: FlowInput) -> str:
    """What was said, or what happened."""
    return item.text or "\n".join(words_of(fact).full for fact in item.evidence)


def _entry(item: FlowInput, first_at: datetime, most_characters: int | None) -> str:
    """One thing said, or what happened, with its moment."""
    attributes = markup.attribute("at", item.at.isoformat(timespec="seconds"))
    after_ms = round((item.at - first_at).total_seconds() * 1000)
    if after_ms > 0:
        attributes += markup.attribute("after_ms", str(after_ms))
    attributes += markup.attribute("source", item.source.gateway)
    text = text_of(item)
    if most_characters is not None:
        text = carried(text, most_characters)
    return markup.leaf("entry" if item.text else "happened", text, attributes=attributes, depth=1)
