"""Whether words want what runs to stop: the whole message says so, or they are about something else. Pure.

A plain no is none of them: it answers a question, and what runs asks nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from partner_desktop.base.patterns import late
from partner_desktop.domain.action import ActionRecord
from partner_desktop.language.references.card_references import pointed_at

#: A longer text says more than that.
_LONGEST = 120
_VERB = r"(?:stop|cancel|abort|halt|kill|terminate|quit|end)"
_POLITE = (
    r"(?:(?:please|ok(?:ay)?|no|oh|hey|wait|now|partner|(?:can|could|will|would) you|just|请|快|麻烦|那就?)"
    r"[\s,，]*)*"
)
_END = r"(?:[\s,，]*(?:please|now|right now|at once|immediately|thanks?|thank you|吧|了|啊|谢谢))*[\s.!。！]*"
_NO_NAME = r"(?:to|using|at|now|right now|please)\b"
_IT = r"(?:it|that|this|the (?:run|action|chain|task|job|work)|it all)"
_ENGLISH = late(
    rf"{_POLITE}(?:{_VERB}(?:\s+(?:{_IT}|running|working|(?P<which>(?!{_NO_NAME}).+?)))?"
    rf"|(?:that'?s )?enough|leave it|never ?mind|forget it){_END}",
    re.IGNORECASE,
)
_VERB_ZH = r"(?:停掉|停止?|取消|终止|中止)"
_CHINESE = late(
    rf"{_POLITE}(?:(?P<every>全部|全都|都){_VERB_ZH}"
    rf"|{_VERB_ZH}(?:一下|下来?|它|这个|运行|执行|(?P<which>.+?))?"
    r"|停下来?|(?:别|不要)再?(?:做|运行|跑|执行)了?|够了|算了)"
    rf"(?:吧|了|啊)*{_END}"
)
_REQUEST = late(r"(?:please )?(?:can|could|will|would) you\b|(?:你)?(?:能|可以).*吗", re.IGNORECASE)
_ALL = late(r"(?:all|everything|both|them all|all of (?:it|them))", re.IGNORECASE)


@dataclass(frozen=True)
class Stop:
    """What is to stop: `ids`; nothing in it: it cannot be told which."""

    ids: tuple[str, ...] = ()


def stop_in(text: str, running: Sequence[ActionRecord], *, by_name: bool = True) -> Stop | None:
    """What the words want to stop of what runs, oldest first; `None` where they are about something else.

    Without `by_name`, names say nothing: the name of a chain is made of those of its steps.
    """
    said = " ".join(re.sub("[’‘`´]", "'", text).split())
    asks = said.endswith(("?", "？")) and not _REQUEST.match(said)
    if len(said) > _LONGEST or asks or not running:
        return None
    said = said.rstrip("?？ ")
    match = _ENGLISH.fullmatch(said) or _CHINESE.fullmatch(said)
    if match is None:
        return None
    which = "all" if match.groupdict().get("every") else (match["which"] or "").strip(" ，,.")
    if not which:
        return Stop((running[0].id,)) if len(running) == 1 else Stop()
    return _named(which.casefold(), running, by_name=by_name)


def _named(which: str, running: Sequence[ActionRecord], *, by_name: bool) -> Stop | None:
    """`the second`, `all`, or a name."""
    if _ALL.fullmatch(which):
        return Stop(tuple(record.id for record in running))
    counted = [replace(record, number=number) for number, record in enumerate(running, 1)]
    pointed = pointed_at(which, counted, by_name=by_name)
    if pointed is None or pointed.rest:
        return None
    return Stop() if pointed.unclear else Stop(pointed.ids)
