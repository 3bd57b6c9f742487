"""Repeats: words that want what was done last done once more, as it was or with something else. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

#: A longer text says more than that.
_LONGEST = 120
_POLITE = (
    r"(?:(?:please|pls|ok(?:ay)?|now|and|so|then|great|good|nice|cool|thanks?|partner"
    r"|(?:can|could|will|would) you|let's)"
    r"[\s,.!]+|(?:请|那|好|好的|麻烦|现在|然后|再)[，,。\s]*)*"
)
_END = r"(?:[\s,]*(?:please|now|thanks|thank you|for me|too|as well|also)|吧|谢谢|[\s.!。！])*"
_IT = (
    r"(?:it|that|this|them|the same(?: thing)?|the (?:last|whole|same) (?:thing|one|plan|chain"
    r"|action|command)|everything|all)"
)
_FOR = r"(?:\s+(?:but\s+)?(?:for|with|on|in|to|using)\s+(?P<{name}>\S.{{0,60}}?))?"
_AGAIN = (
    rf"(?:(?:run|do|repeat|start|try|execute|redo) {_IT}(?: all)? (?:again|once more"
    rf"|one more time|over|anew))"
)
_ENGLISH = (
    rf"{_POLITE}(?:{_AGAIN}{_FOR.format(name='again')}|(?:repeat"
    rf"|redo)(?: {_IT})?{_FOR.format(name='redo')}|(?:once more|one more time|again|rerun(?: {_IT})?"
    r"|(?:start|begin|do|try|run) (?:over|again|anew))"
    rf"|(?:do |run )?(?:exactly )?(?:the )?same(?: thing| again| steps)?\s+(?:for|with|on|in"
    rf"|to|using)\s+(?P<other>\S.{{0,60}}?)"
    rf"|(?:and )?now (?:for|with) (?P<now>[~/]\S*)){_END}"
)
_CHINESE = (
    rf"{_POLITE}(?:(?:再|重新|重)(?:做|来|运行|跑|执行|弄|试)(?:一?[次遍下])?|重来|重做"
    rf"|重复(?:一?[次遍下])?"
    r"|(?:同样|也)?(?:对|把|给|用|在)\s*(?P<for>\S.{0,60}?)\s*(?:也)?(?:再)?(?:这样|同样"
    r"|一样|照样)(?:地)?(?:做|处理|来|操作)?"
    r"(?:一?[次遍下])?(?:的(?:事|操作|处理))?"
    rf"|(?P<other>[~/]\S{{0,60}}?)\s*也(?:要)?(?:这样|一样|同样)(?:做|处理|来)?){_END}"
)


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


@dataclass(frozen=True)
class Repeat:
    """What is wanted again."""

    other: str = ""
    """With what instead; empty: as it was."""


def repeated(text: str) -> Repeat | None:
    """What the words want again; `None` where they are about something else."""
    said = " ".join(re.sub("[’‘`´]", "'", text).split()).rstrip("?？ ")
    if not said or len(said) > _LONGEST:
        return None
    match = _pattern(_ENGLISH).fullmatch(said) or _pattern(_CHINESE).fullmatch(said)
    if match is None:
        return None
    return Repeat(next((value.strip() for value in match.groupdict().values() if value), ""))
