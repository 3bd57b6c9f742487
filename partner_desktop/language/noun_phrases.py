"""A message as tokens, and the wordings in it that can be names or things: what is left when grammar is gone.

`the fastest route from San Francisco to Los Angeles` → `fastest route`, `San Francisco`, `Los Angeles`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.rule_table import rule_table
from partner_desktop.language.terms import stem

#: Longer messages are documents; their beginning holds the request.
_MOST_TOKENS = 500
_TOKEN = re.compile(
    r"\d[\w.:/\-]*\w|(?:[A-Za-z]\.){2,}|[^\W\d_][\w]*(?:[.\-&_/](?=\w)[\w]+|&\w+)*|\d|_\w+|[^\w\s]",
    re.UNICODE,
)
_POSSESSIVE = re.compile(r"['’]s\b|['’](?=\s)")


@cache
def _words(rule: str) -> frozenset[str]:
    return rule_table("noun_phrases", "en").words(rule)


def prepositions() -> frozenset[str]:
    """Words before a value that tell what it is for."""
    return _words("prepositions")


@cache
def _grammar() -> frozenset[str]:
    return FUNCTION_WORDS | prepositions() | _words("grammar")


@dataclass(frozen=True)
class Token:
    """One word or mark: `text[start:end]`."""

    text: str
    start: int
    end: int
    first: bool
    """It opens a sentence."""

    @cached_property
    def lower(self) -> str:
        return self.text.lower()

    @cached_property
    def is_word(self) -> bool:
        return self.text[0].isalnum() or self.text[0] == "_"

    @cached_property
    def stem(self) -> str:
        return stem(self.lower)


@dataclass(frozen=True)
class Wording:
    """One wording that may be a value."""

    start: int
    end: int
    text: str
    before: str = ""
    """The preposition before it, where there is one."""
    name: bool = False
    """Written like a name."""
    code: bool = False
    """An identifier: letters with digits, underscores, all capitals."""
    group: int = -1
    """Wordings joined by `and` and commas share it."""


@lru_cache(maxsize=64)
def tokens(text: str) -> tuple[Token, ...]:
    """The words and marks of a text."""
    found: list[Token] = []
    first = True
    for match in _TOKEN.finditer(text):
        if len(found) >= _MOST_TOKENS:
            break
        found.append(Token(match.group(), match.start(), match.end(), first))
        first = match.group() in ".!?\n" or (first and not match.group()[0].isalnum())
    return tuple(found)


def wordings(text: str, closed: Sequence[tuple[int, int]]) -> tuple[Wording, ...]:
    """The wordings outside of the `closed` parts of a text, in order."""
    return _wordings(text, tuple(closed))


@lru_cache(maxsize=64)
def _wordings(text: str, closed: tuple[tuple[int, int], ...]) -> tuple[Wording, ...]:
    runs = list(_runs(text, closed))
    found: list[Wording] = []
    group = 0
    for index, run in enumerate(runs):
        if index and not _coordinated(text[runs[index - 1][-1].end : run[0].start]):
            group += 1
        before = preposition_before(text, run[0].start)
        found += _of_run(text, run, before, group)
    return tuple(found)


def _runs(text: str, closed: Sequence[tuple[int, int]]) -> Iterator[list[Token]]:
    """Tokens in a row that are neither grammar nor marks; a name keeps its `of` and `the`."""
    run: list[Token] = []
    every = tokens(text)
    for index, token in enumerate(every):
        following = every[index + 1] if index + 1 < len(every) else None
        if _belongs(token, run, following, closed, text):
            run.append(token)
            continue
        if run:
            yield run
        run = [token] if _begins_anew(token, run, closed) else []
    if run:
        yield run


def _begins_anew(token: Token, run: list[Token], closed: Sequence[tuple[int, int]]) -> bool:
    """A word like `avoiding` that ended a name and begins the next wording."""
    doing = token.lower.endswith("ing") and token.lower not in _grammar() | _words("requests")
    return bool(run) and doing and not any(start < token.end and token.start < end for start, end in closed)


def _belongs(
    token: Token, run: list[Token], following: Token | None, closed: Sequence[tuple[int, int]], text: str
) -> bool:
    if not token.is_word or any(start < token.end and token.start < end for start, end in closed):
        return False
    gap = text[run[-1].end : token.start] if run else ""
    doing = run and _is_name(run[-1]) and token.lower.endswith("ing") and not _is_name(token)
    if doing or gap.strip(" .-&+") or (run and gap.strip() == "." and not _abbreviated(run[-1])):
        return False
    lower = token.lower
    behind_name = bool(run) and _is_name(run[-1])
    if (lower in _words("joiners") and behind_name) or (
        token.text == "The" and not token.first
    ):  # `The Beatles`
        return following is not None and _is_name(following) and following.lower not in _grammar()
    if (len(token.text) == 1 and token.text.islower()) or token.text.isdigit():
        return behind_name and token.text.isdigit()
    if lower in _grammar():
        return (
            token.text != "I"
            and _is_name(token)
            and not token.first
            and behind_name
            and lower not in prepositions()
        )
    return not (lower in _words("requests") and (token.first or not _is_name(token)))


def _abbreviated(token: Token) -> bool:
    return token.lower in _words("stands_before") or len(token.text) <= 2


def _is_name(token: Token) -> bool:
    return (
        token.text[0].isupper()
        or (token.text[0].isdigit() and len(token.text) > 1)
        or token.text != token.lower
    )


def _is_code(word: str) -> bool:
    letters, digits = re.search(r"[A-Za-z]", word), re.search(r"\d", word)
    inner = re.search(r"[a-z][A-Z]|\w_\w", word)
    return bool((letters and digits and len(word) > 2) or inner or (word.isupper() and len(word) > 2))


def _is_serial(word: str) -> bool:
    """Letters and digits in one: an identifier, and no part of a longer name."""
    return bool(re.search(r"[A-Za-z]{2}", word) and re.search(r"\d{2}", word)) or bool(
        re.fullmatch(r"\d{3,}[A-Z]+", word)
    )


def _coordinated(between: str) -> bool:
    return bool(
        re.fullmatch(
            r"(?:['’]s)?\s*(?:,|and|&|or|,\s*and|,\s*or|、|和)\s*(?:the\s+|an?\s+)?", between, re.IGNORECASE
        )
    )


def preposition_before(text: str, position: int) -> str:
    """The word that introduces what stands at a place; articles and the like between do not count."""
    match = re.search(
        r"(?:^|(?<=\W))(?P<word>[a-z]+)\W{1,3}(?:(?:the|a|an|my|our|your|this|that|some|any|all)\s+)?$",
        text[max(0, position - 40) : position].lower(),
    )
    return match["word"] if match and match["word"] in prepositions() else ""


def _of_run(text: str, run: list[Token], before: str, group: int) -> Iterator[Wording]:
    """The whole run, and each name in it; `Ada's letters` ends the name at the possessive."""
    whole = Wording(run[0].start, run[-1].end, text[run[0].start : run[-1].end], before, group=group)
    names = list(_names(text, run, before, group))
    if not any((name.start, name.end) == (whole.start, whole.end) for name in names):
        yield whole
    yield from names


def _names(text: str, run: list[Token], before: str, group: int) -> Iterator[Wording]:
    part: list[Token] = []
    for index, token in enumerate(run):
        fits = _fits_name(run, index, part)
        ends = part and (not fits or _is_serial(token.text) or _POSSESSIVE.match(text, part[-1].end))
        if ends:
            place = not fits and token.lower in _words("place_heads") and token.start - part[-1].end == 1
            whole = [*part, token] if place else part
            yield _name(text, whole, before if part[0] is run[0] else "", group)
            part = []
        part = [*part, token] if fits else part
    if part:
        yield _name(text, part, before if part[0] is run[0] else "", group)


def _fits_name(run: list[Token], index: int, part: list[Token]) -> bool:
    """Whether a token begins a name or goes on with it."""
    token = run[index]
    if _is_name(token):
        return bool(part) or not token.first or _sure_name(run, index)
    joins = token.lower in _words("joiners") and index + 1 < len(run) and _is_name(run[index + 1])
    return bool(part) and (joins or token.text.isdigit())


def _sure_name(run: list[Token], index: int) -> bool:
    """A capital at the start of a sentence is a name only before another, or with more than one in itself."""
    word = run[index].text
    return _is_code(word) or (index + 1 < len(run) and _is_name(run[index + 1]))


def _name(text: str, part: list[Token], before: str, group: int) -> Wording:
    start, end = part[0].start, part[-1].end
    if text[end : end + 1] == "." and (
        re.search(r"\b[A-Z]\.[A-Z]$|\b(?:Bros|Inc|Ltd|Jr|Sr|Co|Corp|No)$", text[start:end])
    ):
        end += 1
    return Wording(
        start,
        end,
        text[start:end],
        before,
        name=True,
        code=len(part) == 1 and _is_code(part[0].text),
        group=group,
    )
