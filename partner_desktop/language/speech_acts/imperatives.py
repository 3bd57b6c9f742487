"""Whether a few words ask for something on their own: led by a verb of command, or by a question.

What a request makes depend on something (`if there are any`) is never dropped without a word. The words for
it are rules of `resources/language/{en,zh}/conditions.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.clauses import bare, clause_rule, pieces_of, veiled
from partner_desktop.language.pasted_code import is_script, parted
from partner_desktop.language.rule_table import rule_table, rule_tables
from partner_desktop.language.spans import blank, find_spans
from partner_desktop.language.terms import Term, first_sentence, has_cjk, leading, stem, terms


@cache
def _verbs() -> frozenset[str]:
    return rule_table("clauses", "en").words("order_verbs")


@cache
def _verb_stems() -> frozenset[str]:
    return frozenset(map(stem, _verbs()))


def is_question(said: str) -> bool:
    """`can you skip step 2?` is none."""
    asked = said.endswith(("?", "？", "吗", "呢"))
    return asked and re.match(r"(?:please )?(?:can|could|would|will) you ", said, re.IGNORECASE) is None


def asks(words: str, meant: Sequence[MetaActionInfo], *, doing: bool = False) -> bool:
    """Whether words that mean an ability ask for it, and do not merely name what it is about.

    With `doing` they may be led by a form like `zipping`. Chinese has no forms and asks where no state
    is told.
    """
    if has_cjk(words):
        return clause_rule("state").fullmatch(words.strip()) is None
    plain = blank(words, find_spans(words)).replace("’", "'")
    polite = clause_rule("polite").match(plain)
    rest = plain[polite.end() :] if polite is not None else plain
    if clause_rule("question").match(rest):
        return True
    first = next(iter(terms(rest[:200])), None)
    if first is None:
        return False
    if first.word in _verbs():
        return True
    own = [verb for info in meant for verb in _own_verbs(info)]
    known = {verb.stem for verb in own} | (_verb_stems() if doing else set())
    alike = any(not first.concepts.keys().isdisjoint(verb.concepts) for verb in own)
    return (first.stem in known or alike) and (doing or not first.word.endswith(("ed", "ing", "s")))


def is_doing(words: str) -> bool:
    """Whether the words begin with a form like `zipping`."""
    return re.match(r"\s*\w{2,20}ing\b", words) is not None


def _own_verbs(info: MetaActionInfo) -> Iterator[Term]:
    """What its description begins with, and what else it is called: mostly what it does."""
    for phrase in (first_sentence(info.description)[:200], info.title, *info.aliases):
        first = leading(terms(phrase))
        if first is not None:
            yield first


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
