"""Formulas in a message: `y = x^3`, `f(x) = 3x^2 + 2`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from partner_desktop.base.patterns import late

_FUNCTIONS = "sin|cos|tan|exp|log|ln|sqrt"
_ATOM = (
    rf"(?:\d+(?:\.\d+)?\s{{0,9}}\*?\s{{0,9}})?(?:(?:{_FUNCTIONS})\s{{0,9}}\([^()]{{1,40}}\)|[a-z](?![a-z])|\([^()]{{1,40}}\))"
    r"(?:\s{0,9}(?:\^|\*\*)\s{0,9}[\d.a-z()]{1,6}|[²³])?"
)
_OPERAND = rf"(?:{_ATOM}|\d+(?:\.\d+)?(?:\s{{0,9}}(?:\^|\*\*)\s{{0,9}}\d+)?)"
_FORMULA = late(
    rf"(?:[a-z](?:\([a-z]\))?\s{{0,9}}=\s{{0,9}})?(?<![\w.])"
    rf"(?P<body>[-]?\s?{_OPERAND}(?:\s{{0,9}}[-+*/]\s{{0,9}}{_OPERAND}){{0,12}})(?![\w^])",
)
_WORTH = late(r"\^|\*|[²³]|(?:sin|cos|tan|exp|log|ln|sqrt)\s*\(|[a-z)]\s*[-+/]\s*\d|\d[a-z]\b")


def find_formulas(text: str, example: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and text of each formula, with powers as `**` unless the example shows `^`."""
    for match in _FORMULA.finditer(text):
        body = match["body"].strip()
        if _WORTH.search(body) and re.search(r"[a-z]", body):
            written = body if "^" in example else re.sub(r"\s{0,9}\^\s{0,9}", "**", body)
            yield match.start("body"), match.end("body"), written.replace("²", "**2").replace("³", "**3")
