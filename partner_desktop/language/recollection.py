"""What was said, as memory finds it again: the terms of a turn, what marks it, and what a question looks for.

Terms are stems of words and pairs of characters of scripts that are written without spaces; words of grammar
are none. A question loses what only asks (`do you remember what I told you about …`), and a speaker whom it
names is spoken for in the first person, as that one spoke: vectors of the two are then alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from enum import IntFlag
from functools import cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.base.prompts import LANGUAGES, messages
from partner_desktop.domain.message import PLACE_SCHEME
from partner_desktop.domain.remembered import PARTNER, PERSON
from partner_desktop.language.lexicon import CJK_FUNCTION_WORDS
from partner_desktop.language.rule_table import Language, rule_table, rule_tables
from partner_desktop.language.terms import mainly_cjk, stem

#: Characters that are read of a turn: for its words, and for what else it tells.
_READ_FOR_WORDS = 200_000
_READ = 20_000
_READ_OF_QUESTION = 2_000
_MOST_TERMS = 20_000
_CJK = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
)
_RUN = late(rf"([{_CJK}]+)|((?:(?![{_CJK}])[^\W_])+)")
_PLAIN_WORD = late("[a-z0-9]+")
_OWNER = late(r"['’]s\b")
#: Characters that one pattern goes over at a time: the interpreter is held meanwhile, and with it the window.
_PORTION = 8_192


def _portions(text: str) -> Iterator[str]:
    """A long text in pieces that end at a blank, where one is near."""
    at = 0
    while at < len(text):
        end = at + _PORTION
        if end < len(text):
            end = max(text.rfind(" ", at, end), text.rfind("\n", at, end)) + 1 or end
        yield text[at:end]
        at = end


def remembered_terms(text: str) -> list[str]:
    """What a turn is found by, in order, repetitions included."""
    return _terms(text[:_READ_FOR_WORDS])


def _terms(text: str) -> list[str]:
    if text.isascii():
        bare = _OWNER.sub("", text) if "'" in text else text
        words = [word for word in _PLAIN_WORD.findall(bare.lower()) if word not in _words("grammar")]
        return [_term(word) for word in words[:_MOST_TERMS]]
    found: list[str] = []
    for portion in _portions(text):
        found += _mixed_terms(unicodedata.normalize("NFKC", portion))
        if len(found) >= _MOST_TERMS:
            break
    return found[:_MOST_TERMS]


def _mixed_terms(text: str) -> Iterator[str]:
    for unspaced, word in _RUN.findall(_OWNER.sub("", text)):
        if unspaced:
            yield from unspaced
            yield from (unspaced[at : at + 2] for at in range(len(unspaced) - 1))
        elif (lower := word.lower()) not in _words("grammar"):
            yield _term(lower)


def _term(word: str) -> str:
    return stem(word)[:40]


class Marks(IntFlag):
    """What marks a turn, of what questions ask for."""

    ASKS = 1
    """It ends in a question."""
    ASKED = 2
    """There is a question in it."""
    TIME = 4
    NUMBER = 8
    NAME = 16
    RECALLS = 32
    """It asks about earlier talk, or repeats it: no answer to anything."""


NO_MARKS = Marks(0)


@cache
def _words(rule: str, language: Language = "en") -> frozenset[str]:
    """A list of words: a pattern of them would be tried at every letter of every turn."""
    return rule_table("recollection", language).words(rule)


def _found(rule: str, text: str) -> bool:
    return any(table[rule].search(text) for table in rule_tables("recollection", text))


_WORD = late(r"\w+")
_DIGIT = late(r"\d")
_CLOCK = late(r"\b(?:[12]\d{3}|\d{1,2}(?::\d\d|\s?[ap]m))\b")
_NAMES = late(r"(?<=[a-z,;:]) [A-Z][a-z]")


def marks_of(text: str) -> Marks:
    """The marks of a turn."""
    text = text[:_READ]
    low, plain = text.lower(), text.isascii()
    words = set(_WORD.findall(low))
    digit = _DIGIT.search(low) is not None
    found = 0
    if text.rstrip().endswith(("?", "？")):
        found |= Marks.ASKS.value
    if "?" in text or "？" in text:
        found |= Marks.ASKED.value
    chinese = rule_table("recollection", "zh")
    if (
        not _words("time_words").isdisjoint(words)
        or (digit and _CLOCK.search(low))
        or (not plain and chinese["times"].search(text))
    ):
        found |= Marks.TIME.value
    if f"]({PLACE_SCHEME}message/" in text or says_nothing(text) or _only_asks_what_was_said(text):
        found |= Marks.RECALLS.value
    in_words = not _words("number_words").isdisjoint(words) or (not plain and chinese["numbers"].search(text))
    if digit or in_words:
        found |= Marks.NUMBER.value
    if _NAMES.search(text):
        found |= Marks.NAME.value
    return Marks(found)


#: Characters at the end of a question in which what only asks is looked for.
_TAIL_READ = 80
_LONGEST_QUESTION = 300


#: Messages (`resources/messages`) that have nothing to say or only say again what was said, and those of the
#: starter mind that may follow on small talk.
_SAYS_NOTHING = {
    "starter": ("nothing_remembered", "cannot", "cannot_converse", "nearest", "told"),
    "entities": ("learnt", "corrected"),
}
_SAYS_AFTER = ("can_do", "can_do_briefly", "can_do_more", "teach", "model_note")


@cache
def _designed_talk() -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """What replies begin with that have nothing to say; small talk; and what may stand behind it."""
    said = [messages("starter", language) for language in LANGUAGES]
    talk = [text for one in said for texts in one["talk"].values() for text in texts]
    begins = [
        re.split(r"[{：]", messages(group, language)[name])[0]
        for group, names in _SAYS_NOTHING.items()
        for language in LANGUAGES
        for name in names
    ]
    after = [one[name].partition("{")[0] for one in said for name in _SAYS_AFTER]
    return tuple(begins), tuple(talk), tuple(after)


def says_nothing(text: str) -> bool:
    """Whether it is a reply of Partner's own making that tells nothing anybody would want to know."""
    begins, talk, after = _designed_talk()
    if text.startswith(begins):
        return True
    said = next((each for each in talk if text.startswith(each)), "")
    rest = text[len(said) :].strip()
    return bool(said) and (not rest or rest.startswith(after))


_SENTENCE_END = late(r"[?？.!。！]\s*(?=\S)")


def _only_asks_what_was_said(text: str) -> bool:
    """Whether that is all of it: what follows a question may be what somebody wants to know one day."""
    return len(text) <= _LONGEST_QUESTION and not _SENTENCE_END.search(text) and asks_what_was_said(text)


def asks_what_was_said(text: str) -> bool:
    """Whether words ask about earlier talk: `what did I tell you about the hotel?`."""
    if len(text) > _LONGEST_QUESTION:
        return False
    if rule_table("recollection", "en")["about_talk"].match(text):
        return True
    chinese = rule_table("recollection", "zh")
    if text.isascii() or chinese["command"].match(text) or not chinese["asks"].search(text):
        return False
    return bool(chinese["about_talk"].search(text))


def asks_for_a_fact(text: str) -> bool:
    """Whether words ask for a fact at all."""
    tables = rule_tables("recollection", text) if len(text) <= _LONGEST_QUESTION else ()
    return any(table["question"].match(text) for table in tables)


def asks_of_own_life(text: str) -> bool:
    """Whether words ask for a fact that only who asks could have told: `who repaired our roof?`."""
    return asks_for_a_fact(text) and _found("own_life", text) and not _found("asks_for_help", text)


@dataclass(frozen=True)
class Cue:
    """What a question looks for."""

    text: str
    """Without what only asks; for vectors."""
    terms: tuple[str, ...]
    speaker: str = ""
    """Whose words: `PERSON`, `PARTNER`, a name; empty: anybody's."""
    wants: Marks = NO_MARKS
    """TIME, NUMBER and NAME only."""


def read_cue(
    question: str, speakers: Collection[str] = (), *, without: Collection[tuple[int, int]] = ()
) -> Cue:
    """What a question looks for; `without` are stretches that say when, and are looked for by date."""
    question = question[:_READ_OF_QUESTION]
    wants = Marks(0)
    for mark in (Marks.TIME, Marks.NUMBER, Marks.NAME):
        wants |= mark if _found(f"wants_{(mark.name or '').lower()}", question) else Marks(0)
    speaker, named = _speaker(question, speakers)
    text = question
    for start, end in sorted(without, reverse=True):
        text = text[:start] + " " + text[end:]
    text = _bare(text) if text.strip(" ?？。.!！,，") else ""
    terms = _terms(_without_grammar(named.sub(" ", text) if named else text))
    if not terms and without:
        return Cue("", (), speaker, wants)
    if named is not None:
        text = named.sub(lambda match: "my" if match[1] else "I", text)
    return Cue(" ".join(text.split()) or question, tuple(dict.fromkeys(terms)), speaker, wants)


def _speaker(question: str, speakers: Collection[str]) -> tuple[str, re.Pattern[str] | None]:
    if _found("of_partner", question):
        return PARTNER, None
    if _found("of_person", question):
        return PERSON, None  # whoever else is named is what it is about
    low = question.lower()
    # A pattern for each of a thousand names would take a second.
    named = [name for name in speakers if name.lower() in low and _is_said(name, question)]
    if named:
        names = "|".join(map(re.escape, sorted(named, key=len, reverse=True)))
        plain = all(name.isascii() for name in named)
        pattern = re.compile(
            rf"(?i:(?<!\w)(?:{names})(['’]s)?(?!\w))" if plain else rf"(?i:(?:{names})(的)?)"
        )
        return (named[0] if len(named) == 1 else ""), pattern
    return "", None


def _is_said(name: str, question: str) -> bool:
    """As a word of its own; after it may stand a script without spaces."""
    # The range of those scripts in the pattern would take five milliseconds to compile.
    after = re.findall(rf"(?<!\w)(?i:{re.escape(name)})(?=(\w?))", question)
    return any(not letter or letter >= "\u2e80" for letter in after)


def _bare(text: str) -> str:
    """Without what only asks."""
    left, tables = text.strip(), list(rule_tables("recollection", text))
    for _ in range(3):
        before = left
        for frame in (each for table in tables for each in table.each("frames")):
            left = frame.sub("", left, count=1)
        if left == before:
            break
    for table in tables:
        left = (left[:-_TAIL_READ] + table["tail"].sub("", left[-_TAIL_READ:])).strip(" ?？。.!！,，")
    return left if len(left) > 1 else ""


@cache
def _cjk_grammar() -> re.Pattern[str]:
    """Chinese words of grammar, and as the group words that have one of them in them."""
    words = sorted(CJK_FUNCTION_WORDS | _words("asking", "zh"), key=len, reverse=True)
    counted = "[哪几多]一?[个只座颗支年天月位家本条件款种辆次间台部张块层路]"
    return re.compile(f"(?P<whole>{'|'.join(_words('whole', 'zh'))})|{counted}|{'|'.join(words)}")


def _without_grammar(text: str) -> str:
    """Chinese words of grammar as spaces, so that no pair reaches over them."""
    return text if text.isascii() else _cjk_grammar().sub(lambda found: found["whole"] or " ", text)


_TWO_WORDS = 4


def shared_letters(cue: Cue, text: str) -> int | None:
    """How many letters of a question without spaces stand side by side in a text too; `None`: it has spaces.

    A word of another script counts as two; all that a question names is never less than two words.
    """
    if not mainly_cjk(cue.text):
        return None
    there = set(remembered_terms(text))
    shared = [term for term in cue.terms if term in there and len(term) > 1]
    pairs = [term for term in shared if _CJK_LETTER.search(term)]
    letters = set().union(*pairs)
    found = len(letters) + 2 * (len(shared) - len(pairs))
    whole = bool(shared) and all(term in letters or term in there for term in cue.terms)
    return max(found, _TWO_WORDS) if whole else found


_TOPIC_WORD = late(r"[^\W\d_]{4,30}")


def topic_words(text: str) -> list[str]:
    """What a turn may be about: words as they are written, in small letters, and pairs of characters."""
    text = text[:_READ]
    grammar = _words("grammar")
    words = [word.lower() for word in _TOPIC_WORD.findall(text) if not _CJK_LETTER.search(word)]
    found = [word for word in words if word not in grammar and word not in _words("vague")]
    if not text.isascii():
        for unspaced, _ in _RUN.findall(_without_grammar(text)):
            found += [unspaced[at : at + 2] for at in range(len(unspaced) - 1)]
    return found


_CJK_LETTER = late(f"[{_CJK}]")


def topic_term(word: str) -> str:
    """What a topic is looked for by."""
    return next(iter(_terms(word)), word.lower())
