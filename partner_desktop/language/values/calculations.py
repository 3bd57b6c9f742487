"""Sums and measures asked for in words: `what's 15% of 740`, `5 miles in km`, `12乘以7等于多少`. Pure.

The words around them, and those that stand for signs, are the tables `calculations.toml`. All of a text is a
sum, or it asks for something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain

from partner_desktop.base.patterns import late
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.language.rule_table import RuleTable, rule_tables, says
from partner_desktop.language.values.quantities import find_numerals, find_quantities, meanings

_LONGEST = 160
_SUM = late(r"[-+(]*\s*\d+(?:\.\d+)?%?[\s)]*(?:(?:\*\*|[-+*/])[-+(\s]*\d+(?:\.\d+)?%?[\s)]*)+")
#: Dates, telephone numbers, times of day and sizes, whatever is asked of them.
_NEVER = late(
    r"(?<![\d.,])(?:(?:19|20)\d\d([-/])\d{1,2}\1\d{1,2}|\d{1,2}([-/])\d{1,2}\2(?:19|20)\d\d"
    r"|\d{1,2}[:：]\d\d|\d{3,4}x\d{3,4})(?!\d)"
    r"|^(?:(?:\+?\d{1,3}[- ]?)?\(?\d{3}\)?[- ])?\d{3}-\d{4}$|^0\d{2,3}-\d{7,8}$|^\d{3}-\d{4}-\d{4}$"
)
#: What is one of these, or a span of numbers, but where it is asked what it comes to.
_NO_SUM = late(
    r"\d{1,4}([-/])\d{1,2}\1\d{1,4}|\d+(?:-\d+){2,}|\d{1,2}/\d{1,2}|\d+ ?[-−–] ?\d+|\d{3,4} ?[x×] ?\d{3,4}"
)
_UNMEASURED = frozenset({"money", "pixels", "share"})


def read_calculation(
    text: str, before: str = "", *, unit: str = "", only_asked: bool = False
) -> JsonObject | None:
    """The arguments of what calculates; `None`: the words ask for something else.

    `before`: what was worked out last, in `unit`, with which `plus 9` goes on. `only_asked`: no sum, unless
    it is asked what it comes to.
    """
    said = " ".join(text.replace("’", "'").casefold().split())
    numbered = any(map(str.isdigit, said)) or any(find_numerals(said))
    if not before and not numbered and not says("calculations", "counted", said):
        return None
    for table in rule_tables("calculations", said) if len(said) <= _LONGEST else ():
        lead = table["lead"].match(said)
        left = said[lead.end() if lead else 0 :]
        bare = table["tail"].sub("", left).strip()
        if _NEVER.search(bare) or _of_several_currencies(bare):
            return None
        around = f"{lead.group() if lead else ''} {left[len(bare) :]}"
        asked = table["asked"].search(around) is not None
        signs = _in_signs(bare, table)
        if before and table["goes_on"].fullmatch(signs):
            signs = signs if "@" in signs else f"@ {signs}"
            measure: JsonObject = {"unit": unit, "into": unit} if unit else {}
            found = {"expression": signs.replace("@", f"({before})"), **measure}
            return found if asked or not only_asked else None
        if _SUM.fullmatch(signs) and signs.count("(") == signs.count(")"):
            return {"expression": signs} if asked or not (only_asked or _NO_SUM.fullmatch(bare)) else None
        if measured := _converted(signs, before, unit, table):
            return measured
    return None


def _converted(signs: str, before: str, unit: str, table: RuleTable) -> JsonObject | None:
    """A measure in another unit: like the one before in its unit, or what came out in another one."""
    found = ((match["amount"], match["into"]) for match in _whole("conversion", signs, table))
    like = ((match["amount"], unit) for match in _whole("like_before", signs, table) if unit)
    other = ((f"{before} {unit}", match["into"]) for match in _whole("other_unit", signs, table) if unit)
    measures = (_measure(amount, into.strip()) for amount, into in chain(like, other, found))
    return next(filter(None, measures), None)


def _whole(rule: str, text: str, table: RuleTable) -> Iterator[re.Match[str]]:
    return (match for each in table.each(rule) if (match := each.fullmatch(text)) is not None)


def _of_several_currencies(text: str) -> bool:
    """`$20 + €30`: they come to nothing without a rate."""
    found = (one for said in find_quantities(text.replace("￥", "¥")) for one in meanings(said.unit))
    money = [one for one in found if one.dimension == "money"]
    kinds = {one.factor for one in money if one.name != "¥"}
    of_sign = {one.factor for name in ("元", "¥") for one in meanings(name)}  # yuan or yen
    return len(kinds) > 1 or (any(one.name == "¥" for one in money) and bool(kinds - of_sign))


def _measure(amount: str, into: str) -> JsonObject | None:
    said = find_quantities(amount)
    if len(said) != 1 or not said[0].unit or (said[0].start, said[0].end) != (0, len(amount)):
        return None
    wanted = {one.dimension for one in meanings(into)} - _UNMEASURED
    if wanted.isdisjoint(said[0].dimensions):
        return None
    return {"expression": str(said[0].value), "unit": amount[said[0].number_end :].strip(), "into": into}


def _in_signs(text: str, table: RuleTable) -> str:
    """Numbers in digits, and what is done with them in signs."""
    for numeral in reversed(tuple(find_numerals(text))):
        if not numeral.ordinal:
            text = f"{text[: numeral.start]}{numeral.value}{text[numeral.end :]}"
    for pattern, sign in _signs(table):
        text = pattern.sub(sign, text)
    return " ".join(text.split())


@cache
def _signs(table: RuleTable) -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = (row.partition(" => ") for row in table.texts("signs"))
    return tuple((late(pattern), sign) for pattern, _, sign in rows)
