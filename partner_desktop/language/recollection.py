"""What was said, as memory finds it again: the terms of a turn, what marks it, and what a question looks for.

Terms are stems of words and pairs of characters of scripts that are written without spaces; words of grammar
are none. A question loses what only asks (`do you remember what I told you about …`), and a speaker whom it
names is spoken for in the first person, as that one spoke: vectors of the two are then alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from enum import IntFlag

from partner_desktop.base.patterns import late
from partner_desktop.domain.message import PLACE
from partner_desktop.language.lexicon import CJK_FUNCTION_WORDS
from partner_desktop.language.terms import stem

#: Characters of a turn that are read; what comes after is found by the words before it.
_READ = 20_000
_MOST_TERMS = 2_000
_CJK = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
)
_RUN = late(rf"([{_CJK}]+)|((?:(?![{_CJK}])[^\W_])+)")
_PLAIN_WORD = late("[a-z0-9]+")
_OWNER = late(r"['’]s\b")
#: Words of grammar that the lexicon of requests does not have, because there they say something.
_GRAMMAR = frozenset(
    [
        "about",
        "after",
        "again",
        "all",
        "also",
        "any",
        "am",
        "at",
        "been",
        "before",
        "being",
        "both",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "doing",
        "down",
        "each",
        "few",
        "for",
        "from",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "hers",
        "him",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "just",
        "ll",
        "m",
        "me",
        "might",
        "more",
        "most",
        "must",
        "my",
        "no",
        "nor",
        "not",
        "of",
        "off",
        "on",
        "once",
        "only",
        "or",
        "other",
        "our",
        "out",
        "over",
        "own",
        "re",
        "s",
        "same",
        "shall",
        "she",
        "should",
        "so",
        "some",
        "such",
        "t",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "through",
        "to",
        "too",
        "under",
        "until",
        "up",
        "us",
        "ve",
        "very",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "d",
        "don",
        "be",
        "are",
        "as",
        "a",
        "an",
        "and",
    ]
)


def remembered_terms(text: str) -> list[str]:
    """What a turn is found by, in order, repetitions included."""
    return _terms(text[:_READ])


def _terms(text: str) -> list[str]:
    if text.isascii():
        bare = _OWNER.sub("", text) if "'" in text else text
        words = [word for word in _PLAIN_WORD.findall(bare.lower()) if word not in _GRAMMAR]
        return [_term(word) for word in words[:_MOST_TERMS]]
    found: list[str] = []
    for unspaced, word in _RUN.findall(_OWNER.sub("", unicodedata.normalize("NFKC", text))):
        if len(found) >= _MOST_TERMS:
            break
        if unspaced:
            found += unspaced
            found += [unspaced[at : at + 2] for at in range(len(unspaced) - 1)]
        elif (lower := word.lower()) not in _GRAMMAR:
            found.append(_term(lower))
    return found


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

#: A pattern of these words would be tried at every letter of every turn.
_TIME_WORDS = frozenset((
    "yesterday", "today", "tonight", "tomorrow", "last", "next", "ago", "week", "weeks", "weekend",
    "weekends", "month", "months", "year", "years", "day", "days", "hour", "hours", "morning", "mornings",
    "evening", "evenings", "night", "nights", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "january", "february", "march", "april", "june", "july", "august", "september",
    "october", "november", "december", "summer", "winter", "spring", "autumn", "recently", "soon", "since",
))  # fmt: skip
_NUMBER_WORDS = frozenset((
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "dozen",
    "hundred", "thousand", "couple", "few", "several", "once", "twice",
))  # fmt: skip
_WORD = late(r"\w+")
_DIGIT = late(r"\d")
_CLOCK = late(r"\b(?:[12]\d{3}|\d{1,2}(?::\d\d|\s?[ap]m))\b")
_TIMES_CJK = late(
    r"[昨今明前后]天|[上下这]个?[周月]|星期|周[一二三四五六日末]|\d月|[一二三四五六七八九十]月|[去今明]年|点半?|早上|下午|晚上"
)
_NUMBERS_CJK = late(r"[一二两三四五六七八九十百千万]")
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
    if (
        not _TIME_WORDS.isdisjoint(words)
        or (digit and _CLOCK.search(low))
        or (not plain and _TIMES_CJK.search(text))
    ):
        found |= Marks.TIME.value
    if asks_what_was_said(text) or PLACE in text:
        found |= Marks.RECALLS.value
    if digit or not _NUMBER_WORDS.isdisjoint(words) or (not plain and _NUMBERS_CJK.search(text)):
        found |= Marks.NUMBER.value
    if _NAMES.search(text):
        found |= Marks.NAME.value
    return Marks(found)


_WANTS_TIME = late(
    r"\b(?:when|how long|(?:what|which) (?:day|date|time|month|year|week))\b|什么时候|哪天|哪一天|几号|几点|几月|多久|哪年",
    re.IGNORECASE,
)
_WANTS_NUMBER = late(
    r"\bhow (?:many|much|long|old|often|far)\b|\b(?:what|which) (?:number|price|amount)\b|多少|几[个只次本岁点号]|多[大长久远]",
    re.IGNORECASE,
)
_WANTS_NAME = late(
    r"^\W*(?:and |so )?(?:who|where|which)\b|\bwhat(?:'s| is| was)\b.*\bname\b|\bcalled\b|谁|哪里|哪儿|哪家|叫什么|名字",
    re.IGNORECASE,
)

#: What only asks. Each pattern is taken off the front once, and the others are tried again.
_FRAMES = (
    r"(?:hey|hi|ok(?:ay)?|so|and|but|please|partner|sorry)[,:!]?\s+",
    r"(?:can|could|do|did|would|will) you (?:please )?(?:still )?(?:remember|recall|know|tell me|remind me|find)\s*(?:again )?(?:what|where i said|that|if|of|about)?\s+(?=\w)",
    r"(?:remind|tell) me (?:again )?(?:of |about )?",
    r"(?:what|which|anything|everything|where)(?: things?| else)? (?:did|have|had) (?:i|we) (?:ever |just |already )*(?:tell|told|say|said|mention(?:ed)?|write|written|wrote|talk(?:ed)?|discuss(?:ed)?|speak|spoken|spoke|decided?)(?: (?:to |with )?(?:you|each other))?(?: (?:about|of|on|regarding|for|that))?\s*",
    r"(?:what|which)(?: things?| else)? (?:did|have|had) you (?:ever |just |already )*(?:tell|told|say|said|mention(?:ed)?|answer(?:ed)?|suggest(?:ed)?|recommend(?:ed)?)(?: (?:to )?me| us)?(?: (?:about|of|on|regarding|for|that))?\s*",
    r"(?:did|have|had) (?:i|we|you) (?:ever |already )*(?:tell|told|say|said|mention(?:ed)?|talk(?:ed)?|discuss(?:ed)?|speak|spoken|write|written)(?: (?:to |with )?(?:you|me|us|each other))?(?: (?:about|of|on|that|anything about|something about))?\s*",
    r"when did (?:i|we) (?:last |first |ever )*(?:talk|speak|chat|discuss|mention|tell you|say)(?: (?:something|anything))?(?: (?:to|with) (?:you|me|each other))?(?: (?:about|of|on|that))?\s*",
    r"what was (?:it )?(?:that )?(?:i|we|you) (?:said|told (?:you|me)|mentioned|wrote|decided|discussed)(?: (?:about|of|on))?\s*",
    r"(?:你)?(?:还)?(?:记得|记不记得|知道)(?:吗)?[，, ]?",
    r"(?:我们|咱们|我)?\s*(?:之前|以前|上次|曾经)?(?:跟你|和你|对你|同你|向你)?(?:说过?|讲过?|提过?|聊过?|告诉过?你|谈过?)(?:的|了|关于)?",
    r"(?:关于|有关)",
)
_FRAME = tuple(late(rf"^\W*{frame}", re.IGNORECASE) for frame in _FRAMES)
_TAIL = late(
    r"(?:,?\s*(?:again|please|do you (?:remember|know|recall)|remember|didn't i|did i (?:say|tell you|mention)|i (?:told|said to) you))+\s*[?？.!]*$"
    r"|(?:是什么来着|来着|是什么|有没有|过?吗|的?(?:事|事情)|呢|吧)*[?？。！]*$",
    re.IGNORECASE,
)
_OF_PARTNER = late(
    r"\b(?:did|have|had|what was it that|what) you (?:ever |just |already )*(?:tell|told|say|said|mention|answer|suggest|recommend)"
    r"|你(?:之前|上次|刚才|昨天)?(?:跟我|对我)?(?:说|讲|提|告诉|建议|推荐)(?:过|的|了)",
    re.IGNORECASE,
)
_OF_PERSON = late(
    r"\bi (?:ever |just |already )*(?:tell|told|say|said|mention(?:ed)?|wrote|write|written)\b"
    r"|我.{0,12}?(?:说|讲|提|告诉)(?:过|的|了|你)",
    re.IGNORECASE,
)
_ABOUT_TALK = late(
    r"^\W*(?:(?:hey|hi|ok(?:ay)?|so|and|but|please|partner|sorry)[,:!]?\s+)*(?:"
    r"(?:what|which|where|when|how|who|anything|everything)\b.{0,40}?\b(?:did|have|had|has) (?:i|we|you)\b.{0,20}?\b(?:tell|told|say|said|mention(?:ed)?|talk(?:ed)?|discuss(?:ed)?|sp[eo]ak(?:en)?|spoke|chat(?:ted)?|wr(?:ite|ote|itten)|decided?|suggest(?:ed)?|recommend(?:ed)?)\b"
    r"|(?:did|have|had) (?:i|we|you)\b.{0,16}\b(?:tell|told|say|said|mention(?:ed)?|talk(?:ed)?|discuss(?:ed)?|speak|spoken) "
    r"|(?:what|when|where|who|which|how)\b.{2,80}\b(?:i|we|you) (?:said|told (?:you|me)|mentioned|talked about|discussed|wrote|spoke of)\b"
    r"|(?:can|could|do|did|would|will) you (?:please )?(?:still )?(?:remember|recall)\b"
    r"|remind me (?:again )?(?:what|when|where|who|which|how|of what)\b"
    r"|what (?:was|were) (?:it )?(?:that )?(?:i|we|you) (?:said|told|mentioned|discussed)"
    r"|what do you (?:remember|recall)\b"
    r")",
    re.IGNORECASE,
)
_ABOUT_TALK_CJK = late(
    r"(?:我|我们|咱们|你).{0,14}(?:说过?|讲过?|提过?|提到过?|聊过?|谈过?|告诉过?|写过?).{0,40}(?:[?？]|吗|什么|哪|几|多少|谁|怎么|时候|有没有|没有)"
    r"|(?:还)?记(?:不记)?得.{0,40}(?:[?？]|吗|什么|哪|几|多少|谁|怎么)"
    r"|(?:什么时候|哪天|几号).{0,6}(?:聊|说|谈|提)(?:过|到|起|的)"
)
_QUESTION = late(
    r"^\W*(?:and |so |but )?(?:what|when|where|who|whom|whose|which|why|how|did|was|were|is|are|do|does|has|have|had)\b.*"
    r"|.*[?？]\s*$|.*(?:吗|呢|什么时候|哪里|哪儿|几点|几号|多少|是谁|叫什么)[?？。]?\s*$",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_QUESTION = 300


def asks_what_was_said(text: str) -> bool:
    """Whether words ask about earlier talk: `what did I tell you about the hotel?`."""
    if len(text) > _LONGEST_QUESTION:
        return False
    return bool(_ABOUT_TALK.search(text) or _ABOUT_TALK_CJK.search(text))


def asks_for_a_fact(text: str) -> bool:
    """Whether words ask for a fact at all."""
    return len(text) <= _LONGEST_QUESTION and bool(_QUESTION.match(text))


#: Whose words are looked for, where it is no name of an import.
PERSON, PARTNER = "user", "partner"


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
    question = question[:_READ]
    wants = Marks(0)
    for mark, pattern in (
        (Marks.TIME, _WANTS_TIME),
        (Marks.NUMBER, _WANTS_NUMBER),
        (Marks.NAME, _WANTS_NAME),
    ):
        wants |= mark if pattern.search(question) else Marks(0)
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
    if _OF_PARTNER.search(question):
        return PARTNER, None
    return (PERSON if _OF_PERSON.search(question) else ""), None


def _is_said(name: str, question: str) -> bool:
    """As a word of its own; after it may stand a script without spaces."""
    # The range of those scripts in the pattern would take five milliseconds to compile.
    after = re.findall(rf"(?<!\w)(?i:{re.escape(name)})(?=(\w?))", question)
    return any(not letter or letter >= "\u2e80" for letter in after)


def _bare(text: str) -> str:
    """Without what only asks."""
    left = text.strip()
    for _ in range(3):
        before = left
        for frame in _FRAME:
            left = frame.sub("", left, count=1)
        if left == before:
            break
    left = _TAIL.sub("", left).strip(" ?？。.!！,，")
    return left if len(left) > 1 else ""


_CJK_GRAMMAR = late(
    "|".join(
        sorted(
            {*CJK_FUNCTION_WORDS, "什么时候", "什么", "几点", "几号", "哪天", "哪里", "哪儿", "哪个", "哪家", "谁", "多少", "怎么",
             "为什么", "说过", "说的", "是不是", "有没有", "的", "了", "吗", "呢", "是", "我", "你", "他", "她", "我们", "那个", "这个"},
            key=len,
            reverse=True,
        )
    )
)  # fmt: skip


def _without_grammar(text: str) -> str:
    """Chinese words of grammar as spaces, so that no pair reaches over them."""
    return text if text.isascii() else _CJK_GRAMMAR.sub(" ", text)


_TOPIC_WORD = late(r"[^\W\d_]{4,30}")
#: What is said of everything.
_VAGUE = frozenset(
    [
        "really",
        "thing",
        "things",
        "something",
        "anything",
        "everything",
        "lots",
        "like",
        "know",
        "think",
        "good",
        "great",
        "nice",
        "time",
        "today",
        "yesterday",
        "tomorrow",
        "week",
        "year",
        "month",
        "going",
        "want",
        "need",
        "much",
        "thanks",
        "thank",
        "sure",
        "well",
        "been",
        "make",
        "made",
        "take",
        "took",
        "back",
        "look",
        "looking",
        "feel",
        "feels",
        "said",
        "told",
        "tell",
        "year",
        "years",
        "day",
        "days",
        "people",
        "right",
        "still",
        "even",
        "always",
        "never",
        "kind",
        "hear",
        "hope",
        "love",
        "awesome",
        "amazing",
        "glad",
        "definitely",
        "great",
        "cool",
        "wow",
        "yeah",
        "okay",
        "fine",
        "little",
        "pretty",
        "keep",
        "getting",
        "doing",
        "having",
    ]
)


def topic_words(text: str) -> list[str]:
    """What a turn may be about: words as they are written, in small letters, and pairs of characters."""
    text = text[:_READ]
    words = [word.lower() for word in _TOPIC_WORD.findall(text) if not _CJK_LETTER.search(word)]
    found = [word for word in words if word not in _GRAMMAR and word not in _VAGUE]
    if not text.isascii():
        for unspaced, _ in _RUN.findall(_CJK_GRAMMAR.sub(" ", text)):
            found += [unspaced[at : at + 2] for at in range(len(unspaced) - 1)]
    return found


_CJK_LETTER = late(f"[{_CJK}]")


def topic_term(word: str) -> str:
    """What a topic is looked for by."""
    return next(iter(_terms(word)), word.lower())
