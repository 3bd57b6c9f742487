"""Words that want what was proposed otherwise: `yes, but only the PDFs`, `in ~/Music instead`. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from partner_desktop.base.patterns import late

_FIRM = r"only|just|with|without|in|into|to|from|at|use|using|set|make it|make the|change|rather|instead"
_FIRM_ZH = r"只要?|改成|换成|改为|改用|换到|用|把|在|放到|不要"
#: `宽度改成 300`: what is changed stands first.
_CHANGED_ZH = r"[^，,。；\s]{1,8}(?:改成|换成|改为|设为)"
_TURN = late(
    rf"[,;:.]?\s+(?:but|however|though|except)\b\s*|[,;:.]?\s+(?=(?:{_FIRM})\b)"
    rf"|[，,；。]?\s*(?:但是?|不过|可是)[，,]?|[，,；。]?\s*(?={_FIRM_ZH})"
    rf"|[，,；。]\s*(?={_CHANGED_ZH})",
    re.IGNORECASE,
)
_OWN_LEAD = late(rf"(?:{_FIRM})\b|{_FIRM_ZH}", re.IGNORECASE)
#: Without a yes or a no before it only these are about what waits.
_ALONE = late(
    r"but\s+.+|(?:only|just)\s+(?:the|those|that|this|in|with|to|for)\b.+|with(?:out)?\s+.+"
    r"|(?:use|change|set|make)\s+(?:it|that|the)\b.+|.+\binstead\b\W*"
    r"|(?:但是?|不过).+|只要?.+|(?:改成|换成|改为|改用|换到).+|把.+(?:改成|换成|改为|设为).+"
    rf"|{_CHANGED_ZH}.+"
    r"|(?:(?:in|for|with)\s+)?(?:the\s+)?(?:step\s+\d{1,2}|(?:first|second|third|last)\s+step)\W*"
    r"(?:should|must|has\s+to|needs\s+to|use|takes?|with|to|in|on|at|is|be)\b.+"
    r"|第.{1,2}步(?:要|应该|请)?(?:用|改用|处理|压缩).+",
    re.IGNORECASE,
)
#: `no, ~/Music`; `no, zip ~/Documents instead`.
_REPLACED = re.compile(
    r"(?:no|nope|not that(?: one)?|不|不是|不对)\s*[,，.。:：;\s]\s*(?:i mean[t]?\s+)?"
    r"(?P<rest>(?:(?:use|take|in|with|用|是)\s*)?[\"“「]?[~/][^\s,，]*[\"”」]?|.+\binstead)\W*",
    re.IGNORECASE,
)
#: `不是 ~/Pictures，是 ~/Music`; `not ~/Pictures but ~/Music`.
_EXCHANGED = late(
    r"(?:不对?[，,。\s]*)?(?:不是|不要)\s*(?P<old_zh>[^，,。；\s]{1,80})\s*[，,。；\s]\s*(?:而是|是|要)\s*"
    r"(?P<new_zh>[^，,。；\s]{1,80})\W*"
    r"|(?:no[\s,]+)?not\s+(?P<old>\S{1,80}?),?\s+but\s+(?:rather\s+)?(?P<new>\S{1,80}?)[\s.!]*",
    re.IGNORECASE,
)
_BUT = late(r"(?:but|however|但是?|不过|可是)[\s,，]*", re.IGNORECASE)


@dataclass(frozen=True)
class Amendment:
    """What is wanted otherwise."""

    head: str
    """The yes or no before it; empty where there is none."""
    rest: str
    firm: bool = True
    """It names a change; after a mere `but` anything may come."""


def amendments(text: str) -> list[Amendment]:
    """Every way to read the text as one, the likeliest first; the caller knows what the heads mean."""
    replaced = _REPLACED.fullmatch(text.strip())
    if replaced is not None:
        return [Amendment("", replaced["rest"])]
    exchanged = _EXCHANGED.fullmatch(text.strip())
    if exchanged is not None:
        return [Amendment("", _exchange(exchanged))]
    turns = [turn for turn in _TURN.finditer(text) if text[: turn.start()].strip()]
    found = [(text[: turn.start()].strip(), text[turn.end() :].strip()) for turn in turns]
    read = [Amendment(head, rest, firm=bool(_OWN_LEAD.match(rest))) for head, rest in found if rest]
    if _ALONE.fullmatch(text.strip()):
        read.append(Amendment("", _BUT.sub("", text.strip(), count=1)))
    return read


def is_replaced(text: str) -> bool:
    """Whether the text is a no to a value, with another in its place."""
    return any(form.fullmatch(text.strip()) for form in (_REPLACED, _EXCHANGED))


def _exchange(said: re.Match[str]) -> str:
    """In the words in which one value in the place of another is understood."""
    if said["new_zh"]:
        return f"把 {said['old_zh']} 换成 {said['new_zh']}"
    return f"{said['new']} instead of {said['old']}"
