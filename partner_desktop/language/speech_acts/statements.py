"""Words that tell something and ask for nothing: a habit, what was done, what somebody wanted. Pure.

A wish may look like a statement (`my disk is full`), so nothing here says that a message wants nothing
unless it holds no path, no question and no word of a wish.
"""

from __future__ import annotations

import re

from partner_desktop.base.patterns import late
from partner_desktop.language.spans import SpanKind, find_spans

#: A longer text says more than one thing.
_LONGEST = 200
_WISHES = late(
    r"[?？]|\b(?:please|pls|help|can you|could you|would you|will you|find|undo|restore|recover|bring back"
    r"|where|what|which|how|instead|wrong|accident\w*|mistake\w*)\b|[帮请吗呢哪怎找]|什么|多少|几个|撤销|恢复|误",
    re.IGNORECASE,
)
_LEAD = r"(?:(?:and|but|so|well|oh|yes|by the way|remember(?: that)?),? )*"
_SOMEBODY = (
    r"(?:i|we|he|she|they|(?:my|our|his|her|their) (?:sister|brother|mother|father|mum|mom|dad|wife|husband"
    r"|son|daughter|boss|friend|colleague|partner|teacher|neighbou?r|cat|dog))"
)
#: `Run` in `Run backups every night` is written like a name: one alone is none but before a few verbs.
_NAME = r"(?-i:[A-Z][\w'-]+)"
_DID = r"(?:\w{3,}ed|sent|wrote|made|ran|put|took|got|bought|found|had|lost)\b[^,.;]*"
_WHEN = r"(?:yesterday|(?:last|this) (?:\w+day|night|week|month|year|morning|evening)|\w+ \w+ ago)"
_REPORTS = late(
    rf"{_LEAD}(?:"
    rf"(?:{_SOMEBODY}|{_NAME})(?:'ve| have| has| had)?(?: just| already)?"
    r" (?:told|asked|wants?|wanted|ordered|begged) (?:me|us) to\b.*"
    rf"|{_SOMEBODY} (?:always|usually|often|never|sometimes|rarely|normally|generally) [^,.;]+"
    rf"|{_SOMEBODY} {_DID} {_WHEN}|{_WHEN},? {_SOMEBODY} {_DID}"
    r"|(?:(?:i|we|they) \w+|(?:he|she|it|(?:my|our|his|her|their) [\w'-]+) \w+s)\b"
    r"[^,.;]* every (?:day|night|morning|evening|week|month|year|hour|\w+day)"
    r")\W*"
    r"|(?:我们?|[他她]们?|我的?\w{1,4}?)(?:昨天|前天|刚才|上周|上个月|去年|今天早上|总是|经常|每天|从来|一直)"
    r"[^，。；的]*\W*"
    r"|(?:我\w{1,4}?|[他她])(?:想|要)?(?:让|叫)我.*",
    re.IGNORECASE,
)
_WANTS = late(
    r"(?:i|we)\b.*\b(?:want|need|wish|would|like to|must|have to|should|can'?t|cannot|could)\b"
    r"|i'd\b|.*我们?(?:想|要|得)",
    re.IGNORECASE,
)
_TELLS = late(
    rf"{_LEAD}(?:"
    r"(?:i|we|he|she|they|my|our|his|her|their|the|there)\b(?:'m|'s|'re|'ve)?(?: [\w'.-]+){0,8}?"
    r" ?(?:'m|'s|'re|'ve|\b(?:am|is|are|was|were|has|have|had|said|told|took|takes?|made|went|got|bought|lost"
    r"|hangs?|likes?|loves?|hates?|works?|lives?|needs?|sleeps?|\w{3,}ed))"
    rf"|{_NAME}(?: {_NAME})?(?:'s (?:\w+ ){{1,2}}is"
    r"| (?:is|was|has|had|said|told|likes?|loves?|hates?|works?|lives?))"
    r")\b.+"
    r"|(?:我们?|[他她它]们?|我的\w{1,6}).*(?:是|有|在|了|叫|喜欢|讨厌).*",
    re.IGNORECASE | re.DOTALL,
)
_KEEP_PRIVATE = late(
    r"(?:(?:please|and|so|ok(?:ay)?|now|partner)[\s,]*)*"
    r"(?:do not|don't|never) (?:remember|store|keep|save) (?:anything (?:about|of|from|in) )?"
    r"(?:this|our|the) (?:conversation|chat|talk|dialog)\b.*"
    r"|(?:请)?(?:不要|别)(?:记住|记下?|保存)(?:这个|这次|这段|我们的)?(?:对话|聊天|谈话).*",
    re.IGNORECASE,
)
_WORDS_OF_A_SENTENCE = 4


def reports_only(text: str) -> bool:
    """Whether a message only reports: what is done by habit, was done some time ago, or somebody wanted."""
    said = _plain(text)
    return bool(said) and _WANTS.match(said) is None and _REPORTS.fullmatch(said) is not None


def tells(text: str) -> bool:
    """Whether a message is a sentence that states something and wishes for nothing."""
    said = _plain(text)
    if not said or (said.isascii() and len(said.split()) < _WORDS_OF_A_SENTENCE):
        return False
    return _WANTS.match(said) is None and _TELLS.fullmatch(said) is not None


def wants_private(text: str) -> bool:
    """Whether the conversation is not to be remembered."""
    return _KEEP_PRIVATE.fullmatch(" ".join(text.replace("’", "'").split())[: _LONGEST + 1]) is not None


def _plain(text: str) -> str:
    """In one line; empty where it is too long, asks, or names a file."""
    said = " ".join(text.replace("’", "'").split())
    if len(said) > _LONGEST or _WISHES.search(said):
        return ""
    return "" if any(span.kind is SpanKind.PATH for span in find_spans(text)) else said
