"""Words that want something forgotten: all about something, a day's talk, or what came just now. Pure.

The whole message says so, or it is about something else: `forget it` only drops a subject, and `I forgot …`
tells something.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from partner_desktop.base.patterns import late

#: A longer text says more than that.
_LONGEST = 200
_LEAD = (
    r"(?:(?:please|partner|and|so|ok(?:ay)?|now|can you|could you|would you|will you|i want you to"
    r"|i'd like you to|you (?:can|should|must)|请|麻烦|帮我|给我|你|把|可以|能不能|能)[\s,，]*)*"
)
_VERB = r"(?:forget|erase|delete|wipe|remove)"
_ALL = (
    r"(?:everything|all|anything|whatever|what)"
    r"(?: (?:that )?(?:you(?:'ve| have)? (?:know|knew|remember|heard|kept)"
    r"|i(?:'ve| have)? (?:ever )?(?:said|told you|mentioned|wrote)|we(?:'ve| have)? (?:ever )?(?:said|talked)"
    r"|was said|there is|it is))?"
)
_ABOUT = r"(?:about|on|of|regarding|concerning|to do with|that has to do with|related to)"
_JUST_NOW = (
    r"(?:that|this|the last (?:thing|message|part)(?: (?:i|we) said)?|my last message|that again"
    r"|what (?:i|we) just (?:said|told you|talked about|wrote)"
    r"|what you(?:'ve| have)? just (?:said|told me|shown me|showed me))"
)
_END = r"(?:,? (?:please|again|now|for good|forever|completely|from (?:your |the )?memory))*[\s.!。！吧了]*"
_ZH_VERB = r"(?:忘掉|忘记|忘了|删掉|删除|清除)"
_PATTERNS = (
    ("last", late(rf"{_LEAD}forget {_JUST_NOW}{_END}", re.IGNORECASE)),
    (
        "day",
        late(
            rf"{_LEAD}{_VERB} {_ALL} (?:from |about )?(?P<day>(?:on |last )?[\w ]{{3,30}}?){_END}",
            re.IGNORECASE,
        ),
    ),
    ("words", late(rf"{_LEAD}forget {_ALL} {_ABOUT} (?P<words>.+?){_END}", re.IGNORECASE)),
    # Other verbs are said of files, too: “remove all on my desktop” is no wish to forget.
    (
        "words",
        late(rf"{_LEAD}{_VERB} {_ALL} (?:about|regarding|concerning) (?P<words>.+?){_END}", re.IGNORECASE),
    ),
    (
        "words",
        late(
            rf"{_LEAD}(?:erase|delete|wipe|remove) (?P<words>.+?) from (?:your |the )?memory{_END}",
            re.IGNORECASE,
        ),
    ),
    (
        "words",
        late(
            rf"{_LEAD}forget (?:that |who |what )?"
            r"(?!(?:it|about|to|the (?:rest|question|whole thing)|me|you|what|how|this|that|everything|all)"
            r"\b)"
            rf"(?P<words>\S+(?: \S+){{0,5}}?){_END}",
            re.IGNORECASE,
        ),
    ),
    (
        "last",
        late(
            rf"{_LEAD}(?:忘掉|忘记|忘了)(?:这个|那个|这件事|那件事|这句话?|这些|那些|它"
            rf"|(?:我|我们)?刚才(?:说|聊|讲)的?(?:话|事|内容|东西|那些)?){_END}"
        ),
    ),
    (
        "day",
        late(
            rf"{_LEAD}(?:忘掉|忘记|忘了)(?:我|我们)?(?:在)?(?P<day>.{{1,12}}?)(?:我|我们)?(?:说|聊|讲)(?:过)?的"
            rf"(?:话|事情?|内容|一切|东西)?{_END}"
        ),
    ),
    (
        "words",
        late(
            rf"{_LEAD}{_ZH_VERB}(?:一切|所有|全部)(?:关于|有关|与|跟|和)(?P<words>.{{1,40}}?)"
            rf"(?:有关|相关)?(?:的.{{1,4}})?{_END}"
        ),
    ),
    (
        "words",
        late(
            rf"{_LEAD}{_ZH_VERB}(?:关于|有关|与|跟|和)?(?P<words>.{{1,40}}?)(?:有关|相关)?的"
            rf"(?:一切|所有(?:的)?(?:内容|事情?|东西|记忆|信息)?|全部(?:内容)?|事情?|内容|记忆){_END}"
        ),
    ),
    ("words", late(rf"{_LEAD}忘掉(?:关于|有关)?(?P<words>.{{1,20}}?){_END}")),
)
#: “My sister Ann” is Ann, whatever she was called where she was spoken of.
_NAMED = late(r"(?:my|our|his|her|their) (?:\w+ ){1,2}(?P<name>[A-Z]\w*(?: [A-Z]\w*)*)")
_NOTHING = frozenset({"it", "that", "this", "them", "everything", "all", "him", "her", "它", "这", "那"})
_QUOTES = " \t\"'“”‘’「」《》.!。！"


@dataclass(frozen=True)
class ForgetOrder:
    """What is to be forgotten: what some words are about, or a day's talk; neither: what came just before."""

    words: str = ""
    day: date | None = None


def forget_order(text: str, now: datetime) -> ForgetOrder | None:
    """What a message wants forgotten; `None`: it wants nothing of the kind."""
    said = " ".join(text.split())
    if not 0 < len(said) <= _LONGEST or said.endswith(("?", "？")):
        return None
    for kind, pattern in _PATTERNS:
        found = pattern.fullmatch(said)
        if found is None:
            continue
        if kind == "last":
            return ForgetOrder()
        if kind == "day":
            day = _only_day(found["day"], now)
            if day is not None:
                return ForgetOrder(day=day)
            continue
        words = found["words"].strip(_QUOTES)
        named = _NAMED.fullmatch(words)
        words = named["name"] if named is not None else words
        day = _only_day(words, now)
        if words and words.casefold() not in _NOTHING:
            return ForgetOrder(day=day) if day is not None else ForgetOrder(words)
    return None


def _only_day(words: str, now: datetime) -> date | None:
    """The day that words name, where they name one and nothing else."""
    from partner_desktop.language.values.past_times import past_times  # noqa: PLC0415 - with the first order

    bare = re.sub(r"^(?:on|from|about)\s+", "", words.strip())
    times = past_times(bare, now)
    if len(times) != 1 or times[0].end - times[0].start < len(bare) or times[0].vague:
        return None
    return times[0].since if times[0].until - times[0].since == timedelta(days=1) else None
