"""Names and numbers of a result as a person says them, and whether a sentence says a value already."""

from __future__ import annotations

import math
import re

from partner_desktop.domain.json_value import Json
from partner_desktop.language.lexicon import word_set

#: Units that a name ends with, put in brackets.
_UNITS = word_set("bytes kb mb gb seconds minutes hours days ms percent px")


def fact_name(key: str) -> str:
    """`reading_time_minutes` → `reading time (minutes)`."""
    words = re.sub(r"[_\-\s]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", key)).strip().lower().split()
    if len(words) > 1 and words[-1] in _UNITS:
        return f"{' '.join(words[:-1])} ({words[-1]})"
    return " ".join(words) or key


def head(key: str) -> str:
    """A name where a line or a column begins: `reading_time_minutes` → `Reading time (minutes)`."""
    name = fact_name(key)
    return name[:1].upper() + name[1:]


def number(value: float) -> str:
    """With thousands marked and without needless decimals."""
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"


def said_in(summary: str, value: Json) -> bool:
    """Whether a sentence already gives a value, so that repeating it adds nothing."""
    if isinstance(value, (bool, dict, list)) or value is None:
        return False
    forms = {str(value), number(value)} if isinstance(value, (int, float)) else {value}
    return any(form and re.search(rf"(?<![\w.,]){re.escape(form)}(?![\w]|[.,]\d)", summary) for form in forms)
