"""Sentences: where one ends, and a long text shortened to whole ones.

Contract: what `compressed` makes of a text is the same for good: stored prompts are read back by it.
"""

from __future__ import annotations

from partner_desktop.base.patterns import late

#: Characters from which on a text is long, and about how many of it are left then.
LONG, _LEFT = 1_200, 900
#: Of what is left: the part that the beginning has.
_HEAD = 2 / 3
_END = late(r"[.!?]+[\"'”’)\]]*(?=\s)\s*|[。！？]+[”’」』）]*\s*|\s*\n\s*")
#: A full stop that ends no sentence.
_ABBREVIATED = late(r"(?:^|[\s(])(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|No|vs|etc|e\.g|i\.e|[ap]\.m)\.\s*$")


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, with the blanks after them: joined they are the text."""
    found: list[str] = []
    begin = 0
    for end in _END.finditer(text):
        if "\n" not in end[0] and _ABBREVIATED.search(text, max(begin, end.start() - 8), end.end()):
            continue
        if end.end() > begin:
            found.append(text[begin : end.end()])
            begin = end.end()
    return [*found, text[begin:]] if begin < len(text) else found


def compressed(text: str) -> str:
    """A long text by its beginning and end, cut where sentences end, with a mark between; others whole."""
    if len(text) <= LONG:
        return text
    parts = sentences(text)
    head = _first(parts, round(_LEFT * _HEAD))
    tail = _first([part[::-1] for part in reversed(parts)], _LEFT - len(head))[::-1]
    head, tail = head.rstrip(), tail.strip()
    return f"{head}\n[… {len(text) - len(head) - len(tail):,} characters left out …]\n{tail}"


def _first(parts: list[str], room: int) -> str:
    """As many whole parts as there is room for; of a first one that is too long, whole words."""
    taken = 0
    size = 0
    while taken < len(parts) and size + len(parts[taken]) <= room:
        size += len(parts[taken])
        taken += 1
    if taken:
        return "".join(parts[:taken])
    words, blank, _ = parts[0][: max(0, room)].rpartition(" ")
    return words if blank and len(words) > room // 2 else parts[0][: max(0, room)]
