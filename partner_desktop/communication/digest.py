"""The capability digest: a line an ability, the person's own first; and what is different since it was made.

A digest stands in the trunk of a conversation's prompts and is frozen there. What changes afterwards is told
beside the person's words until the digest is made anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from partner_desktop.base.text import cut
from partner_desktop.context.tokens import TokenCounter
from partner_desktop.domain.meta_action import MetaActionInfo, Route

#: Abilities that a digest names at most.
_MOST_NAMED = 60
#: Differences that are told one by one.
_MOST_TOLD = 20
#: Characters of a description, by how much room there is.
_LENGTHS = (100, 60, 30, 0)

_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "head": "What can be done here:",
        "none": "Nothing can be done here yet.",
        "more": "- and {number} more",
        "since": "Since the list of what can be done here was made:",
        "new": "now also",
        "changed": "changed",
        "gone": "gone, cannot be done any more",
    },
    "zh": {
        "head": "这里能做的事：",
        "none": "这里还没有能做的事。",
        "more": "- 另有 {number} 项",
        "since": "上面的能力列表写好之后有变化：",
        "new": "新增",
        "changed": "已改变",
        "gone": "已移除，不能再做",
    },
}


@dataclass(frozen=True)
class Digest:
    """The text, and what it was made from."""

    text: str
    named: Mapping[str, str]
    """Key → description, of those that the text names."""
    unnamed: frozenset[str]
    """Keys for which there was no room."""
    language: str

    def differences(self, abilities: Sequence[MetaActionInfo]) -> str:
        """What came, changed or went since, as lines; empty: nothing."""
        words = _WORDS[self.language]
        lines = []
        for info in sorted(abilities, key=lambda one: one.key):
            told = _first_line(info.description, _LENGTHS[0])
            if info.key not in self.named and info.key not in self.unnamed:
                lines.append(f"- {words['new']}: {info.key}: {told}")
            elif info.key in self.named and self.named[info.key] != told:
                lines.append(f"- {words['changed']}: {info.key}: {told}")
        there = {info.key for info in abilities}
        gone = [f"- {words['gone']}: {key}" for key in self.named if key not in there]
        # What is gone comes first: to claim it would be worse than to miss something new.
        return "\n".join([words["since"], *_short([*gone, *lines], words)]) if gone or lines else ""


def make_digest(
    abilities: Iterable[MetaActionInfo], *, language: str, most_tokens: int, counter: TokenCounter
) -> Digest:
    """A digest that holds `most_tokens` at most: descriptions grow shorter first, then fewer are named."""
    spoken = language if language in _WORDS else "en"
    ordered = sorted(abilities, key=_place)
    named = ordered[:_MOST_NAMED]
    text = _text(ordered, len(named), _LENGTHS[0], spoken)
    for characters in _LENGTHS[1:]:
        if counter.count(text) <= most_tokens:
            break
        text = _text(ordered, len(named), characters, spoken)
    while named and counter.count(text) > most_tokens:
        named = named[: len(named) * 3 // 4]
        text = _text(ordered, len(named), _LENGTHS[-1], spoken)
    return Digest(
        text,
        {info.key: _first_line(info.description, _LENGTHS[0]) for info in named},
        frozenset(info.key for info in ordered[len(named) :]),
        spoken,
    )


def _place(info: MetaActionInfo) -> tuple[bool, str]:
    """By key; where room is short, what is built in gives way to what the person put there."""
    return info.route is Route.BUILTIN, info.key


def _text(ordered: Sequence[MetaActionInfo], named: int, characters: int, language: str) -> str:
    words = _WORDS[language]
    if not ordered:
        return words["none"]
    lines = [_line(info, characters) for info in ordered[:named]]
    if len(ordered) > named:
        lines.append(words["more"].format(number=len(ordered) - named))
    return "\n".join([words["head"], *lines])


def _line(info: MetaActionInfo, characters: int) -> str:
    told = _first_line(info.description, characters)
    return f"- {info.key}: {told}" if told else f"- {info.key}"


def _first_line(text: str, characters: int) -> str:
    line = next(iter(text.strip().splitlines()), "")
    return cut(line, characters) if characters else ""


def _short(lines: list[str], words: Mapping[str, str]) -> list[str]:
    if len(lines) <= _MOST_TOLD:
        return lines
    return [*lines[:_MOST_TOLD], words["more"].format(number=len(lines) - _MOST_TOLD)]
