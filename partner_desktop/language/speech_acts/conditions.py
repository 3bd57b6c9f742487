"""What a request makes depend on something (`if there are any`), so that it is never dropped without a word.

Pure. The words for it are rules of `resources/language/{en,zh}/conditions.toml`.
"""

from __future__ import annotations

import re

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.language.clauses import bare, pieces_of, veiled
from partner_desktop.language.pasted_code import is_script, parted
from partner_desktop.language.rule_table import rule_tables

#: A longer text is a document.
_LONGEST = 2_000


@dataclass(frozen=True)
class Conditional:
    """A request that hangs on something."""

    before: str
    """What is asked for in any case."""
    clause: str
    """The condition alone."""
    stretch: str
    """The condition with all that hangs on it."""


def conditional(text: str) -> Conditional | None:
    """The first condition of a request; `None`: nothing of it depends on anything."""
    if len(text) > _LONGEST or is_script(text) or parted(text).code:
        return None
    plain = without_courtesy(veiled(text.replace("’", "'")))
    clauses = (table["clause"].search(plain) for table in rule_tables("conditions", text))
    clause = next((found for found in clauses if found is not None), None)
    if clause is None:
        return None
    first = next((piece for piece in pieces_of(text) if is_conditional(plain[piece.start : piece.end])), None)
    start = min(first.start, clause.start()) if first is not None else clause.start()
    return Conditional(bare(text[:start]), bare(text[clause.start() : clause.end()]), bare(text[start:]))


def is_conditional(words: str) -> bool:
    """Whether something of the words depends on what is not known yet."""
    plain = without_courtesy(words.replace("’", "'"))
    return any(table["sign"].search(plain) for table in rule_tables("conditions", words))


def without_courtesy(words: str) -> str:
    """With blanks for what looks like a condition and is none: every character stays where it was."""

    def blank(match: re.Match[str]) -> str:
        return " " * len(match.group())

    for table in rule_tables("conditions", words):
        words = table["courtesy"].sub(blank, words)
    return words
