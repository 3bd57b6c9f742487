"""Words about what waits, runs or ran, by plain phrases only: they ask and want nothing done, want it to
stop, or want it once more, as it was or with something else. Pure.

The whole message says so, or it is about something else. A plain no is no wish to stop: it answers a
question, and what runs asks nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from partner_desktop.base.patterns import late
from partner_desktop.domain.action import ActionRecord
from partner_desktop.language.references import number_said, pointed_at

#: A longer text asks for more, or says more than that.
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
class StatusQuestion:
    """A question about what is open."""

    step: int = 0
    """Which step it is about; 0: none in particular."""
    status: bool = False
    """It may be asked also where nothing is open."""


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(_LEAD + rf"(?:{_STATUS})"), re.compile(_LEAD + rf"(?:{_PLAN})")


def status_question(text: str) -> StatusQuestion | None:
    """What the words ask of what is open; `None` where they are about something else."""
    said = " ".join(re.sub("[’‘`´]", "'", text).casefold().split())
    if not said or len(said) > _LONGEST or _ASKS.search(said) is None:
        return None
    said = said.rstrip(" ?？.!。！")
    status, plan = _patterns()
    if status.fullmatch(said) is not None:
        return StatusQuestion(status=True)
    return StatusQuestion(step=number_said(said)) if plan.fullmatch(said) is not None else None


_VERB = r"(?:stop|cancel|abort|halt|kill|terminate|quit|end)"
_STOP_POLITE = (
    r"(?:(?:please|ok(?:ay)?|no|oh|hey|wait|now|partner|(?:can|could|will|would) you|just|请|快|麻烦|那就?)"
    r"[\s,，]*)*"
)
_STOP_END = (
    r"(?:[\s,，]*(?:please|now|right now|at once|immediately|thanks?|thank you|吧|了|啊|谢谢))*[\s.!。！]*"
)
_NO_NAME = r"(?:to|using|at|now|right now|please)\b"
_STOP_IT = r"(?:it|that|this|the (?:run|action|chain|task|job|work)|it all)"
_STOP_ENGLISH = late(
    rf"{_STOP_POLITE}(?:{_VERB}(?:\s+(?:{_STOP_IT}|running|working|(?P<which>(?!{_NO_NAME}).+?)))?"
    rf"|(?:that'?s )?enough|leave it|never ?mind|forget it){_STOP_END}",
    re.IGNORECASE,
)
_VERB_ZH = r"(?:停掉|停止?|取消|终止|中止)"
_STOP_CHINESE = late(
    rf"{_STOP_POLITE}(?:(?P<every>全部|全都|都){_VERB_ZH}"
    rf"|{_VERB_ZH}(?:一下|下来?|它|这个|运行|执行|(?P<which>.+?))?"
    r"|停下来?|(?:别|不要)再?(?:做|运行|跑|执行)了?|够了|算了)"
    rf"(?:吧|了|啊)*{_STOP_END}"
)
_REQUEST = late(r"(?:please )?(?:can|could|will|would) you\b|(?:你)?(?:能|可以).*吗", re.IGNORECASE)
_ALL = late(r"(?:all|everything|both|them all|all of (?:it|them))", re.IGNORECASE)


@dataclass(frozen=True)
class StopRequest:
    """What is to stop: `ids`; nothing in it: it cannot be told which."""

    ids: tuple[str, ...] = ()


def stop_in(text: str, running: Sequence[ActionRecord], *, by_name: bool = True) -> StopRequest | None:
    """What the words want to stop of what runs, oldest first; `None` where they are about something else.

    Without `by_name`, names say nothing: the name of a chain is made of those of its steps.
    """
    said = " ".join(re.sub("[’‘`´]", "'", text).split())
    asks = said.endswith(("?", "？")) and not _REQUEST.match(said)
    if len(said) > _LONGEST or asks or not running:
        return None
    said = said.rstrip("?？ ")
    match = _STOP_ENGLISH.fullmatch(said) or _STOP_CHINESE.fullmatch(said)
    if match is None:
        return None
    which = "all" if match.groupdict().get("every") else (match["which"] or "").strip(" ，,.")
    if not which:
        return StopRequest((running[0].id,)) if len(running) == 1 else StopRequest()
    return _named(which.casefold(), running, by_name=by_name)


def _named(which: str, running: Sequence[ActionRecord], *, by_name: bool) -> StopRequest | None:
    """`the second`, `all`, or a name."""
    if _ALL.fullmatch(which):
        return StopRequest(tuple(record.id for record in running))
    counted = [replace(record, number=number) for number, record in enumerate(running, 1)]
    pointed = pointed_at(which, counted, by_name=by_name)
    if pointed is None or pointed.rest:
        return None
    return StopRequest() if pointed.unclear else StopRequest(pointed.ids)


_REPEAT_POLITE = (
    r"(?:(?:please|pls|ok(?:ay)?|now|and|so|then|great|good|nice|cool|thanks?|partner"
    r"|(?:can|could|will|would) you|let's)"
    r"[\s,.!]+|(?:请|那|好|好的|麻烦|现在|然后|再)[，,。\s]*)*"
)
_REPEAT_END = r"(?:[\s,]*(?:please|now|thanks|thank you|for me|too|as well|also)|吧|谢谢|[\s.!。！])*"
_REPEAT_IT = (
    r"(?:it|that|this|them|the same(?: thing)?|the (?:last|whole|same) (?:thing|one|plan|chain"
    r"|action|command)|everything|all)"
)
_FOR = r"(?:\s+(?:but\s+)?(?:for|with|on|in|to|using)\s+(?P<{name}>\S.{{0,60}}?))?"
_AGAIN = (
    rf"(?:(?:run|do|repeat|start|try|execute|redo) {_REPEAT_IT}(?: all)? (?:again|once more"
    rf"|one more time|over|anew))"
)
_REPEAT_ENGLISH = (
    rf"{_REPEAT_POLITE}(?:{_AGAIN}{_FOR.format(name='again')}|(?:repeat"
    rf"|redo)(?: {_REPEAT_IT})?{_FOR.format(name='redo')}|(?:once more|one more time|again"
    rf"|rerun(?: {_REPEAT_IT})?"
    r"|(?:start|begin|do|try|run) (?:over|again|anew))"
    rf"|(?:do |run )?(?:exactly )?(?:the )?same(?: thing| again| steps)?\s+(?:for|with|on|in"
    rf"|to|using)\s+(?P<other>\S.{{0,60}}?)"
    rf"|(?:and )?now (?:for|with) (?P<now>[~/]\S*)){_REPEAT_END}"
)
_REPEAT_CHINESE = (
    rf"{_REPEAT_POLITE}(?:(?:再|重新|重)(?:做|来|运行|跑|执行|弄|试)(?:一?[次遍下])?|重来|重做"
    rf"|重复(?:一?[次遍下])?"
    r"|(?:同样|也)?(?:对|把|给|用|在)\s*(?P<for>\S.{0,60}?)\s*(?:也)?(?:再)?(?:这样|同样"
    r"|一样|照样)(?:地)?(?:做|处理|来|操作)?"
    r"(?:一?[次遍下])?(?:的(?:事|操作|处理))?"
    rf"|(?P<other>[~/]\S{{0,60}}?)\s*也(?:要)?(?:这样|一样|同样)(?:做|处理|来)?){_REPEAT_END}"
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
    match = _pattern(_REPEAT_ENGLISH).fullmatch(said) or _pattern(_REPEAT_CHINESE).fullmatch(said)
    if match is None:
        return None
    return Repeat(next((value.strip() for value in match.groupdict().values() if value), ""))
