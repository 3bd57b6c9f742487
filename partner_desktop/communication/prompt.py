"""The prompt of a turn, part by part: what stays the same comes first, so that it need not be read again.

Trunk: persona, capabilities (in a stable order), retained dialog. Tail: `<context>` with what is known now,
`<input>` with what was said, when, and what stands beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from partner_desktop.base.paths import shipped
from partner_desktop.base.text import cut
from partner_desktop.context import markup
from partner_desktop.context.resolution import Resolution
from partner_desktop.context.tokens import TokenCounter
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.runtime.flow import FlowInput

#: Abilities that the digest names, and characters of each one's description.
_NAMED_ABILITIES = 60
_DESCRIPTION = 100


@lru_cache(maxsize=1)
def persona() -> str:
    """Who speaks: the shipped text."""
    return (shipped("resources") / "prompts" / "persona.md").read_text(encoding="utf-8").strip()


def build(
    *,
    abilities: Sequence[MetaActionInfo],
    dialog: Sequence[PromptPart],
    resolution: Resolution,
    inputs: Sequence[FlowInput],
    counter: TokenCounter,
) -> tuple[PromptPart, ...]:
    """The whole prompt of a reply."""

    def part(role: str, name: str, text: str) -> PromptPart:
        return PromptPart(role, name, text, counter.count(text))

    return (
        part("system", "persona", persona()),
        part("system", "capabilities", _digest(abilities)),
        *dialog,
        part("user", "context", resolution.context()),
        part("user", "input", _input(inputs, resolution)),
    )


def _digest(abilities: Sequence[MetaActionInfo]) -> str:
    """One line an ability, by key."""
    ordered = sorted(abilities, key=lambda info: info.key)
    lines = [f"- {info.key}: {_first_line(info.description)}" for info in ordered[:_NAMED_ABILITIES]]
    if len(ordered) > len(lines):
        lines.append(f"- and {len(ordered) - len(lines)} more")
    return "\n".join(["What can be done here:", *lines]) if lines else "Nothing can be done here yet."


def _first_line(text: str) -> str:
    line = next(iter(text.strip().splitlines()), "")
    return cut(line, _DESCRIPTION)


def _input(inputs: Sequence[FlowInput], resolution: Resolution) -> str:
    entries = [_entry(item, inputs[0].at) for item in inputs]
    return markup.branch("input", [*entries, *resolution.supply()])


def _entry(item: FlowInput, first_at: datetime) -> str:
    """One thing said, or what happened, with its moment."""
    attributes = markup.attribute("at", item.at.isoformat(timespec="seconds"))
    after_ms = round((item.at - first_at).total_seconds() * 1000)
    if after_ms > 0:
        attributes += markup.attribute("after_ms", str(after_ms))
    attributes += markup.attribute("source", item.source.gateway)
    text = item.text or "\n".join(words_of(fact).full for fact in item.evidence)
    return markup.leaf("entry" if item.text else "happened", text, attributes=attributes, depth=1)
