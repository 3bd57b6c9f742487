"""Changes of a text that is about to be written down: `oh and bread`, `not milk`, `make it jam`. Pure.

The phrases are `resources/language/{en,zh}/text_changes.toml`. Each thing of a list has a line of its own.
"""

from __future__ import annotations

import re

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.language.phrase_table import phrase_table
from partner_desktop.language.spans import unquoted

#: What the things of a list stand between.
_BETWEEN = re.compile(
    r"\s*\n\s*|\s*,\s+(?:and\s+)?|\s*[，、]\s*|\s+and\s+|(?<=[\u4e00-\u9fff])[和跟](?=[\u4e00-\u9fff])"
)
#: More words, or Chinese characters, are a sentence, and no thing of a list.
_LONGEST, _LONGEST_ZH = 4, 8


@dataclass(frozen=True)
class TextChange:
    """What words want of a text, and of what."""

    kind: str
    """`more`, `less` or `whole`."""
    value: str

    def of(self, text: str) -> str | None:
        """The text as it is wanted; `None`: nothing of it changes, or nothing is left."""
        things = _things(text)
        if self.kind == "whole":
            return self._in_place(text, things)
        named = {thing.casefold() for thing in _things(self.value)}
        old = [thing.casefold() for thing in things]
        if self.kind == "more":
            new = [thing for thing in _things(self.value) if thing.casefold() not in old]
            return "\n".join([text.rstrip("\n"), *new]) if new else None
        left = [thing for thing in things if thing.casefold() not in named]
        return "\n".join(left) if left and named <= {*old} else None

    def _in_place(self, text: str, things: list[str]) -> str | None:
        """In place of all of a text; of several things, of the one that has a word in common."""
        said = set(re.findall(r"\w{3,}|[\u4e00-\u9fff]", self.value.casefold()))
        alike = [
            thing for thing in things if said & {*re.findall(r"\w{3,}|[\u4e00-\u9fff]", thing.casefold())}
        ]
        if len(things) > 1 and len(alike) != 1:
            return None
        found = "\n".join(self.value if thing in alike or len(things) == 1 else thing for thing in things)
        return found if found != text else None


def text_change(words: str) -> TextChange | None:
    """What words want of a text; `None`: they speak of none."""
    phrase = phrase_table("text_changes").read(words)
    value = unquoted(phrase.groups["value"].strip(" ,，.。!！")) if phrase is not None else ""
    return TextChange(phrase.kind, value) if phrase is not None and value else None


def _things(text: str) -> list[str]:
    """The things of a list, where all are short; else the text, line by line."""
    things = [thing for thing in _BETWEEN.split(text.strip()) if thing]
    short = all(
        len(thing.split()) <= _LONGEST and (thing.isascii() or len(thing) <= _LONGEST_ZH) for thing in things
    )
    return things if short else [line for line in text.split("\n") if line.strip()]
