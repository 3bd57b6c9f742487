"""Wondering: words that ask what waits or runs, and want nothing done. By plain phrases only. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from partner_desktop.language.references.card_references import number_said

#: A longer text asks for more.
_LONGEST = 120
_LEAD = (
    r"(?:(?:and|so|but|hey|wait|ok(?:ay)?|sorry|partner|please|hm+|well)[\s,]+|(?:那|那么"
    r"|等等|请问)[，,]?)*"
)
_IT = (
    r"(?:it|that|this|they|these|those|you|partner|(?:the|this|that) (?:plan|chain|card|thing)"
    r"|(?:the )?(?:step (?:number )?\d{1,2}|\w+ step|step \w+))"
)
_NOW = r"(?:[\s,]+(?:now|right now|just now|at the moment|here|exactly|then|next))*"
_THING = (
    r"(?:it|that|this|they|these|those|(?:the|this|that) (?:plan|chain|card|thing)"
    r"|step \d{1,2}|the \w+ step)"
)
#: What may be asked also where nothing is open.
_STATUS = (
    rf"what(?:'s| is| are)? (?:are |is )?(?:you|partner) (?:doing|up to|working on"
    rf"|waiting for|busy with){_NOW}"
    rf"|what(?:'s| is) (?:running|waiting|pending|going on|happening|open|left(?: to do)?"
    rf"|next|the (?:status"
    rf"|plan|progress|state)){_NOW}|(?:what's the )?(?:status|progress)"
    rf"|(?:are you|is it|is that) (?:done|finished|ready|still (?:running|working|at it))(?: yet| now)?"
    rf"|how (?:far|long)(?: (?:are you|is it|along|will it take|does it take))+{_NOW}"
    r"|(?:你)?(?:现在|正在|目前)?(?:在)?(?:做|干|忙|弄)(?:些)?(?:什么|啥)(?:呢|呀)?"
    r"|(?:现在)?(?:有)?什么(?:在|正在)(?:运行|等待|等)|进度(?:怎么样|如何)?(?:了)?|(?:做"
    r"|进行)到哪(?:儿|里|一步)?了"
    r"|(?:你)?(?:做)?(?:完成|好|完)了(?:吗|没有?)|还有什么没做"
)
_PLAN = (
    rf"what (?:will|would|does|do|is|are|exactly (?:will|would|does)) {_IT} (?:going to "
    rf"|gonna )?(?:do|doing|change"
    rf"|touch|delete|mean|be|use|for){_NOW}|what(?:'s| is| are) {_IT}(?: (?:about|for|again))?{_NOW}"
    r"|what(?:'s| is| are) in (?:it|the plan)|(?:show|tell"
    r"|explain)(?: me)? (?:the )?(?:plan|steps|details)(?: again)?"
    r"|(?:which|what)(?: \w+)? (?:folders?|files?|steps?|paths?|arguments?)"
    rf"(?: (?:is|are|will|does|do|would) {_IT}\b.{{0,20}})?"
    r"|where (?:will|does|do|would) (?:it|that|the \w+) (?:go|be|put|save|end|land|lie)\b.{0,20}"
    rf"|(?:is|are) {_THING} (?:safe|dangerous|ok(?:ay)?|harmless|risky)"
    rf"|(?:will|would|does|do|can|could) {_THING} (?:really |also )?(?:delete|remove|change"
    rf"|move|overwrite|touch|modify"
    r"|rename|harm|break|destroy|lose)\b.{0,40}"
    r"|(?:第[一二三四五六七八九十\d]{1,2}步|最后一步|这一?步?|它|这个计划|计划)(?:会"
    r"|要)?(?:是)?(?:做|干)?(?:些)?"
    r"(?:什么|啥)(?:的|用的|意思)?|哪个(?:文件夹?|步骤|目录)|哪些(?:文件夹?|步骤)"
    r"|(?:这|它|这样)?(?:安全|危险|有风险|没问题)吗"
    r"|(?:它|这|这样)?会(?:不会)?(?:删除?|改动?|移动|覆盖|弄坏)(?:掉)?.{0,20}"
)
#: Said of doing rather than asked.
_ASKS = re.compile(
    r"\?|？|吗|什么|哪|啥|^(?:what|which|where|is|are|will|would|does|how|show|tell|explain"
    r"|status|progress)|进度|没有?$"
)


@dataclass(frozen=True)
class Wondered:
    """A question about what is open."""

    step: int = 0
    """Which step it is about; 0: none in particular."""
    status: bool = False
    """It may be asked also where nothing is open."""


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(_LEAD + rf"(?:{_STATUS})"), re.compile(_LEAD + rf"(?:{_PLAN})")


def wondered(text: str) -> Wondered | None:
    """What the words ask of what is open; `None` where they are about something else."""
    said = " ".join(re.sub("[’‘`´]", "'", text).casefold().split())
    if not said or len(said) > _LONGEST or _ASKS.search(said) is None:
        return None
    said = said.rstrip(" ?？.!。！")
    status, plan = _patterns()
    if status.fullmatch(said) is not None:
        return Wondered(status=True)
    return Wondered(step=number_said(said)) if plan.fullmatch(said) is not None else None
