"""Sums and measures asked for in words: `what's 15% of 740`, `5 miles in km`, `12乘以7等于多少`. Pure.

The words around them, and those that stand for signs, are the tables `calculations.toml`. All of a text is a
sum, or it asks for something else.
"""

from __future__ import annotations

import re
from functools import cache

from partner_desktop.base.patterns import late
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.language.rule_table import RuleTable, rule_tables
from partner_desktop.language.values.quantities import find_numerals, find_quantities, meanings

_LONGEST = 160
_SUM = late(r"[-+(]*\s*\d+(?:\.\d+)?%?[\s)]*(?:(?:\*\*|[-+*/])[-+(\s]*\d+(?:\.\d+)?%?[\s)]*)+")
#: A date, or a telephone number.
_NO_SUM = late(r"\d{1,4}([-/])\d{1,2}\1\d{1,4}|\d+(?:-\d+){2,}|\d{1,2}/\d{1,2}|\d{4}-\d{1,4}|\d+ ?- ?\d+ ?")
_UNMEASURED = frozenset({"money", "pixels", "share"})


def read_calculation(text: str, before: str = "") -> JsonObject | None:
    """The arguments of what calculates; `None`: the words ask for something else.

    `before`: the sum that was worked out last, with which `plus 9` goes on.
    """
    said = " ".join(text.replace("’", "'").casefold().split())
    if not before and not any(map(str.isdigit, said)) and not any(find_numerals(said)):
        return None
    for table in rule_tables("calculations", said) if len(said) <= _LONGEST else ():
        lead = table["lead"].match(said)
        asked = lead is not None and bool(lead.group())
        bare = table["tail"].sub("", said[lead.end() if lead else 0 :]).strip()
        signs = _in_signs(bare, table)
        if before and table["goes_on"].fullmatch(signs):
            signs = signs if "@" in signs else f"@ {signs}"
            return {"expression": signs.replace("@", f"({before})")}
        if _SUM.fullmatch(signs) and signs.count("(") == signs.count(")"):
            return {"expression": signs} if asked or not _NO_SUM.fullmatch(signs) else None
        for found in (match for rule in table.each("conversion") if (match := rule.fullmatch(signs))):
            if measure := _measure(found["amount"], found["into"].strip()):
                return measure
    return None


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
