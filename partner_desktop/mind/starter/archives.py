"""Archives: `the details of the archive` asks about a file, though `archive` is also what one does. Pure."""

from __future__ import annotations

import re

from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.terms import first_sentence, leading, terms

_ASKS = re.compile(
    r"(?:(?:please|then|and|also|just|(?:can|could|will|would) you)\b[\s,]*)*"
    r"(?:tell|show|give|what|how|which|list|check|see|look|open|print|告诉|显示|看|查看|打开|给我)",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"(?<=\s)(?:the|this|that|its) (?:new |resulting )?(?:archive|zip(?: file| archive)?"
    r"|backup)(?=$|[\s.,?!])"
    r"|压缩包|压缩文件|备份文件",
    re.IGNORECASE,
)


def archive_as_file(text: str) -> str:
    """Words that ask about an archive, with `the file` in its place; other words as they are."""
    if _ASKS.match(text) is None:
        return text
    return _NOUN.sub(lambda match: "the file" if match.group().isascii() else "文件", text)


def packs(info: MetaActionInfo) -> bool:
    """Whether an ability makes archives, by what its name or its description begins with."""
    firsts = (leading(terms(told)) for told in (info.title, first_sentence(info.description)[:200]))
    made = {concept for first in terms("zip") for concept in first.concepts}
    return any(first is not None and not made.isdisjoint(first.concepts) for first in firsts)
