"""Which ability a few words mean, and whether somebody wants a new one: of code that is there, or written.

Of several on offer one is meant by number, place or name; else one by its name. Pure.

A new one is wished for by plain phrases only. Only words outside of code count, and only a line that is a
request as a whole: `make this an ability called resize`, `把这个变成一个能力`. What merely mentions an
ability is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.pasted_code import guessed, is_script, parted
from partner_desktop.language.terms import FUNCTION_WEIGHT, terms

_PLACES = (
    ("first", "1st", "one", "former", "一"),
    ("second", "2nd", "two", "二", "两"),
    ("third", "3rd", "three", "三"),
    ("fourth", "4th", "four", "四"),
    ("fifth", "5th", "five", "五"),
)
_LAST = frozenset({"last", "latter", "bottom", "最后"})
_CHOICE_LEAD = (
    r"(?:(?:please|i (?:mean|meant|want)|take|use|let'?s (?:take|use)|try|go with|it'?s|the|number|no\.?"
    r"|option|#|请|我要|要|用|就|选|是|第)\s{0,9})*"
)
_CHOICE_TAIL = r"(?:\s{0,9}(?:one|option|please|then|thanks|thank you|个|号|项|吧|谢谢|那个))*"
_PLACE = late(
    rf"^\W{{0,9}}{_CHOICE_LEAD}(?P<place>[a-z0-9]+|最后|[一二三四五两])\W{{0,9}}{_CHOICE_TAIL}\W{{0,9}}$",
    re.IGNORECASE,
)


def pick(text: str, options: Sequence[MetaActionInfo]) -> MetaActionInfo | None:
    """The option that the text chooses; `None` when it chooses none, or not just one."""
    index = pick_named(text, [(f"{info.title} {info.location}", *info.aliases) for info in options])
    return options[index] if index is not None else None


def pick_named(text: str, names: Sequence[Sequence[str]]) -> int | None:
    """Which of several things the text chooses, by its place or by one of its names, counted from 0."""
    index = _place(text, len(names))
    return index if index is not None else _named(text, names)


def is_called(info: MetaActionInfo, text: str) -> bool:
    """Whether the text is exactly the name or an alias of an ability."""
    said = [term.stem for term in terms(text)]
    return any(said == [term.stem for term in terms(name)] for name in (info.title, *info.aliases))


def _place(text: str, count: int) -> int | None:
    match = _PLACE.match(text[:80])
    if match is None:
        return None
    said = match["place"].lower()
    if said in _LAST:
        return count - 1
    if said.isdigit():
        index = int(said) - 1
    else:
        index = next((place for place, words in enumerate(_PLACES) if said in words), count)
    return index if 0 <= index < count else None


def _named(text: str, names: Sequence[Sequence[str]]) -> int | None:
    """That of whose names most was said, when no other comes as near."""
    said = {term.stem for term in terms(text) if term.weight > FUNCTION_WEIGHT}
    if not said:
        return None
    shares = sorted(((_share(said, own), -place) for place, own in enumerate(names)), reverse=True)
    best, second = shares[0], shares[1] if len(shares) > 1 else (0.0, 0)
    return -best[1] if best[0] > second[0] and best[0] >= 0.5 else None


def _share(said: set[str], names: Sequence[str]) -> float:
    """How much of the answer one of the names covers: an answer says little else."""
    return max(len(said & {term.stem for term in terms(name)}) / len(said) for name in names)


#: A request is said in so many characters; a longer line is text.
_LONGEST = 400
#: A message longer than this holds no request, only material.
_MOST = 2 * 1024 * 1024
#: Lines at each end of a message in which it is looked for.
_ENDS = 3

_LEAD = (
    r"(?:(?:hey|hi|ok|okay|so|now|then|and|but|great|nice|good|cool|please|pls|kindly|partner)\b[\s,.!:]{0,3})*"
    r"(?:(?:can|could|would|will) you |i(?:'d| would)? (?:want|like)(?: you)? to |let'?s )?(?:please )?"
)
_THING = r"(?:ability|skill|tool|action)"
_THIS = (
    r"(?:this|that|it|these|the (?:above|following|code|script|snippet|function|program|last one))"
    r"(?: (?:\w+ ){0,2}?(?:code|script|snippet|function|program|above|here|below))?"
)
_PASTE = late(
    rf"{_LEAD}(?:"
    rf"(?:make|turn|convert|save|keep|add|register|use|wrap|store|transform)(?: me)? {_THIS}"
    rf"(?: up)?(?: in)?(?:to| as| be(?:come)?)? (?:an?|one|my|new)(?: new| own)? {_THING}"
    rf"|(?:make|create|build|get)(?: me)? an?(?: new)? {_THING} (?:out of|from|of|with|for) {_THIS}"
    rf")\b(?P<rest>.*)",
    re.IGNORECASE,
)
_WRITE = late(
    rf"{_LEAD}(?:(?:write|make|create|build|generate|invent|code|program)(?: me)?|i need|i want|give me)"
    r" an?(?: (?:new|small|little|simple|tiny))* (?:ability|skill|tool)"
    r"(?P<rest>(?: (?:that|which|to|for|who|called|named)\b|[:：]).*)",
    re.IGNORECASE,
)
_THIS_ZH = r"(?:这个|这段|这些|这|它|上面的?|以上的?|刚才的?|下面的?)(?:代码|脚本|程序|函数|片段)?"
_THING_ZH = r"(?:能力|技能|工具)"
_CALLED_ZH = (
    r"(?:名叫|名为|叫做|叫作|起名|命名为|叫)\s?(?:[\"“'`「《](?P<quoted>[^\"”'`」》]{1,60})[\"”'`」》]"
    rf"|(?P<bare>[\w.-]{{1,60}}?)(?=的{_THING_ZH}|[^\w.-]|$))"
)
_LEAD_ZH = r"(?:请你?|麻烦你?|帮我|帮忙|你?能不能|可以|那就?|好[,，]?)*"
_PASTE_ZH = late(
    rf"{_LEAD_ZH}(?:[把将]{_THIS_ZH}|{_THIS_ZH})?(?:变成|做成|改成|转成|转换成|保存为|保存成|存为|存成|当作|加为|写成|变为)"
    rf"(?:一?[个项种])?(?:新的?)?(?P<called>{_CALLED_ZH}的)?{_THING_ZH}(?P<rest>.*)"
)
_WRITE_ZH = late(
    rf"{_LEAD_ZH}(?:给我)?(?:写|做|创建|生成|新建|编|造)(?:一?[个项种])(?:新的?)?(?P<rest>(?:.*的)?{_THING_ZH}.*)"
)
_NAME = late(
    r"\b(?:called|named|with the name|by the name of)\s{1,3}(?:[\"“'`「](?P<quoted>[^\"”'`」]{1,60})[\"”'`」]"
    r"|(?P<bare>[\w.-]{1,60}(?: [\w.-]{1,60}){0,3}?)"
    r"(?=\s*$|[,.:;!?…]|\s+(?:that|which|who|for|to|please|from|with|and|now|using|so|if|it)\b|\s*[\"“'`]))",
    re.IGNORECASE,
)
_NAME_ZH = late(_CALLED_ZH)
_PURPOSE = late(r"^[\s,]{0,3}(?:that|which|to|for)\s{1,3}(?P<told>.{4,300}?)[.!?\s]{0,3}$", re.IGNORECASE)


@dataclass(frozen=True)
class CreationRequest:
    """What was asked for."""

    kind: Literal["paste", "write"]
    """Of code that is there, or to be written."""
    line: int
    """The line that says so."""
    name: str = ""
    """What it shall be called; empty where nothing was said."""
    purpose: str = ""
    """What it shall do, in the person's words."""


def wish_in(text: str) -> CreationRequest | None:
    """The wish for a new ability that a message says."""
    return creation_request(parted(text).lines) if len(text) <= _MOST else None


def spoken_in(text: str) -> str:
    """What of a message is said, not pasted: all of it without code, nothing where it is code alone."""
    if len(text) > _MOST:
        return text
    message = parted(text)
    if message.code:
        return "\n".join(message.lines).strip()
    return "" if is_script(text) else text


def holds_script(text: str) -> bool:
    """Whether a message holds code that an ability could be made of."""
    if len(text) > _MOST:
        return False
    code = parted(text).code
    return is_script(text) if not code else any(guessed(one) is not None for one in code)


def creation_request(lines: list[str]) -> CreationRequest | None:
    """The wish that one of the first or last lines says; the last of them where several do."""
    spoken = [number for number, line in enumerate(lines) if line.strip()]
    for number in sorted({*spoken[:_ENDS], *spoken[-_ENDS:]}, reverse=True):
        wish = _in_line(lines[number], number)
        if wish is not None:
            return wish
    return None


def _in_line(line: str, number: int) -> CreationRequest | None:
    said = " ".join(line.replace("’", "'").split())
    if not said or len(said) > _LONGEST:
        return None
    for kind, pattern in (("paste", _PASTE), ("paste", _PASTE_ZH), ("write", _WRITE), ("write", _WRITE_ZH)):
        match = pattern.match(said)
        if match is not None:
            called = match.groupdict().get("called") or ""  # stands before or behind what it becomes
            rest = f"{called.removesuffix('的')} {match['rest']}" if called else match["rest"]
            made: Literal["paste", "write"] = "paste" if kind == "paste" else "write"
            return CreationRequest(made, number, _name(rest), _purpose(rest))
    return None


def _name(rest: str) -> str:
    match = _NAME.search(rest) or _NAME_ZH.search(rest)
    if match is None:
        return ""
    return (match["quoted"] or match["bare"]).strip().rstrip(".,:;，。")


def _purpose(rest: str) -> str:
    named = _NAME.search(rest)
    if named is not None:
        rest = rest[: named.start()] + rest[named.end() :]
    match = _PURPOSE.match(rest)
    return match["told"].strip().rstrip(":：") if match is not None else ""
