"""What was said, as memory finds it again: the terms of a turn, what marks it, and what a question looks for.

Terms are stems of words and pairs of characters of scripts that are written without spaces; words of grammar
are none. A question loses what only asks (`do you remember what I told you about …`), and a speaker whom it
names is spoken for in the first person, as that one spoke: vectors of the two are then alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import IntFlag
from functools import cache

from partner_desktop.base.patterns import late
from partner_desktop.base.prompts import LANGUAGES, messages
from partner_desktop.domain.message import PLACE_SCHEME
from partner_desktop.domain.remembered import PARTNER, PERSON
from partner_desktop.language.lexicon import CJK_FUNCTION_WORDS, word_set
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
#: Words of grammar that the lexicon of requests does not have, because there they say something.
_GRAMMAR = word_set(
    """
    about after again all also any am at been before being both but by can could did do does doing down
    each few for from had has have having he her here hers him his how i if in into is it its just ll m me
    might more most must my no nor not of off on once only or other our out over own re s same shall she
    should so some such t than that the their them then there these they this those through to too under
    until up us ve very was we were what when where which while who whom why will with would you your d
    don be are as a an and
    """
)


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
        words = [word for word in _PLAIN_WORD.findall(bare.lower()) if word not in _GRAMMAR]
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
        elif (lower := word.lower()) not in _GRAMMAR:
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

#: A pattern of these words would be tried at every letter of every turn.
_TIME_WORDS = word_set(
    """
    yesterday today tonight tomorrow last next ago week weeks weekend weekends month months year years
    day days hour hours morning mornings evening evenings night nights monday tuesday wednesday
    thursday friday saturday sunday january february march april june july august september october
    november december summer winter spring autumn recently soon since
    """
)
_NUMBER_WORDS = word_set(
    """
    one two three four five six seven eight nine ten twelve dozen hundred thousand couple few several
    once twice
    """
)
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
    if f"]({PLACE_SCHEME}message/" in text or _says_nothing(text) or _only_asks_what_was_said(text):
        found |= Marks.RECALLS.value
    if digit or not _NUMBER_WORDS.isdisjoint(words) or (not plain and _NUMBERS_CJK.search(text)):
        found |= Marks.NUMBER.value
    if _NAMES.search(text):
        found |= Marks.NAME.value
    return Marks(found)


_WANTS_TIME = late(
    r"\b(?:when|how long|(?:what|which) (?:day|date|time|month|year|week))\b"
    r"|什么时候|哪天|哪一天|几号|几点|几月|多久|哪年",
    re.IGNORECASE,
)
_WANTS_NUMBER = late(
    r"\bhow (?:many|much|long|old|often|far)\b|\b(?:what|which) (?:number|price|amount)\b|多少"
    r"|几[个只次本岁点号]|多[大长久远]",
    re.IGNORECASE,
)
_WANTS_NAME = late(
    r"^\W*(?:and |so )?(?:who|where|which)\b|\bwhat(?:'s| is| was)\b.*\bname\b|\bcalled\b"
    r"|谁|哪里|哪儿|哪家|叫什么|名字",
    re.IGNORECASE,
)

#: What somebody did who spoke, in the past.
_SAID = "(?:said|told (?:you|me|us)|mentioned|talked|spoke|discussed|decided|agreed|suggested|recommended)"
#: Characters at the end of a question in which what only asks is looked for.
_TAIL_READ = 80
#: What only asks. Each pattern is taken off the front once, and the others are tried again.
_FRAMES = (
    r"(?:hey|hi|ok(?:ay)?|so|and|but|please|partner|sorry)[,:!]?\s+",
    (
        r"(?:can|could|do|did|would|will) you (?:please )?(?:still )?(?:remember|recall|know|tell me"
        r"|remind me|find)\s*(?:again )?(?:what|where i said|that|if|of|about)?\s+(?=\w)"
    ),
    r"(?:remind|tell) me (?:again )?(?:of |about )?",
    (
        r"(?:what|which|anything|everything|where)(?: things?| else)? (?:did|have|had) (?:i|we) "
        r"(?:ever |just |already )*(?:tell|told|say|said|mention(?:ed)?|write|written|wrote|talk"
        r"(?:ed)?|discuss(?:ed)?|speak|spoken|spoke|decided?)(?: (?:to |with )?(?:you|each other))?"
        r"(?: (?:about|of|on|regarding|for|that))?\s*"
    ),
    (
        r"(?:what|which)(?: things?| else)? (?:did|have|had) you (?:ever |just |already )*(?:tell"
        r"|told|say|said|mention(?:ed)?|answer(?:ed)?|suggest(?:ed)?|recommend(?:ed)?)(?: (?:to )?me"
        r"| us)?(?: (?:about|of|on|regarding|for|that))?\s*"
    ),
    (
        r"(?:did|have|had)(?:n['’]t)? (?:i|we|you) (?:ever |already )*(?:tell|told|say|said|mention"
        r"(?:ed)?|talk(?:ed)?|discuss(?:ed)?|speak|spoken|write|written)(?: (?:to |with )?(?:you|me"
        r"|us|each other))?(?: (?:about|of|on|that|anything about|something about))?\s*"
    ),
    (
        r"when did (?:i|we) (?:last |first |ever )*(?:talk|speak|chat|discuss|mention|tell you|say)"
        r"(?: (?:something|anything))?(?: (?:to|with) (?:you|me|each other))?(?: (?:about|of|on"
        r"|that))?\s*"
    ),
    r"what do you (?:still )?(?:remember|recall|know)(?: about| of)?\s+",
    (
        r"(?:who|where|when|how|what time|how (?:much|many|long|old|often|far)) (?:did|have|had) (?:i"
        r"|we|you) (?:ever )?(?:say|said)(?: that)?\s+"
    ),
    (
        r"(?:(?:what|when|where|who|which|how|anything|everything|something) )?(?:(?:was|were|is) )?"
        r"(?:it )?(?:that )?"
        rf"(?:i|we|you) (?:ever |last )?(?:{_SAID}|wrote)(?: (?:to|with) (?:you|me|us|each other))?"
        rf"(?: (?:about|of|on|that|to))?\s+"
    ),
    r"(?:你)?(?:还)?(?:记得|记不记得|知道)(?:吗)?[，, ]?",
    r"(?:我们|咱们|我)?\s*(?:之前|以前|上次|曾经)?(?:跟你|和你|对你|同你|向你)?(?:说过?|讲过?|提过?|聊过?|告诉过?你|谈过?)(?:的|了|关于)?",
    r"(?:关于|有关)",
)
_FRAME = tuple(late(rf"^\W*{frame}", re.IGNORECASE) for frame in _FRAMES)
_TAIL = late(
    r"(?:,?\s*(?:again|please|do you (?:remember|know|recall)|remember|didn't i|did i (?:say"
    r"|tell you|mention)|i (?:told|said to) you))+\s*[?？.!]*$"
    r"|(?:是什么来着|来着|是什么|有没有|过?吗|的?(?:事|事情)|呢|吧)*[?？。！]*$",
    re.IGNORECASE,
)
_OF_PARTNER = late(
    r"\b(?:did|have|had|what was it that|what) you (?:ever |just |already )*(?:tell|told|say|said"
    r"|mention|answer|suggest|recommend)"
    r"|(?<![跟和对同向给])你(?:之前|上次|刚才|昨天)?(?:跟我|对我)?(?:说|讲|提|告诉|建议|推荐)(?:过|的|了)",
    re.IGNORECASE,
)
_OF_PERSON = late(
    r"\bi (?:ever |just |already )*(?:tell|told|say|said|mention(?:ed)?|wrote|write|written)\b"
    r"|我.{0,12}?(?:说|讲|提|告诉)(?:过|的|了|你)",
    re.IGNORECASE,
)
_ASKS_WHICH = "(?:what|when|where|who|which|how|why)"
#: Who speaks, and how: of Partner's deeds only those count that are words.
_WE_SAID = (
    rf"(?:(?:i|we) (?:ever |last )?(?:{_SAID}|(?:gave|sent|asked) you)"
    r"|you (?:ever |last )?(?:said|told (?:me|us)|mentioned|suggested|recommended))\b"
)
_SAY = (
    "(?:tell|told|say|said|mention(?:ed)?|talk(?:ed)?|discuss(?:ed)?|speak|spoken?|chat(?:ted)?"
    "|suggest(?:ed)?"
    "|recommend(?:ed)?)"
)
_WE_SAY = (
    rf"(?:i|we)\b.{{0,20}}?\b(?:{_SAY}|decided?|agreed?|ask(?:ed)?|(?:give|gave|given|sen[dt]) you"
    r"|(?:write|wrote|written) (?:to you |you )?about)"
)
_YOU_SAY = rf"you\b.{{0,20}}?\b(?:{_SAY}|answer(?:ed)?|(?:give|gave|given) (?:me|us))"
_YOU_SAY_TO_US = (
    r"you (?:ever |already |just )*(?:(?:tell|told|talk to|give) (?:me|us)|(?:say|said)(?! "
    r"(?:hello|hi|good))|mention(?:ed)?"
    r"|suggest(?:ed)?|recommend(?:ed)?)"
)
_ABOUT_TALK = late(
    r"^\W*(?:(?:hey|hi|ok(?:ay)?|so|and|but|please|partner|sorry|any idea|do you (?:happen to )?know"
    r"|(?:can|could|would|will) you(?: please)?(?= (?:(?:tell|remind|show) me|find|quote)))[,:!]?\s+)*(?:"
    rf"(?:{_ASKS_WHICH}|anything|everything)\b.{{0,40}}?\b(?:did|have|had)(?:n['’]t)? (?:{_WE_SAY}"
    rf"|{_YOU_SAY})\b"
    rf"|(?:did|have|had)(?:n['’]t)? (?:{_WE_SAY}|{_YOU_SAY_TO_US})\b.*\w"
    rf"|{_ASKS_WHICH} (?:was|were) (?:i|we|you) (?:last )?(?:talking|speaking|discussing|saying"
    rf"|chatting|telling)\b"
    rf"|{_ASKS_WHICH}(?! (?:do|can|could|should|would|will|shall) (?:i|we|you)\b)\b.{{2,80}}\b{_WE_SAID}"
    r"|(?:do|did) you (?:please )?(?:still )?(?:remember|recall)\b(?! to\b)"
    r"|(?:can|could|would|will) you (?:please )?(?:still )?(?:remember|recall) (?!to\b|that\b"
    r"|this\b|these\b|those\b|me\b)"
    r"|what do you (?:(?:still )?(?:remember|recall)\b|know (?:about|of) (?:me|my|us|our)\b)"
    r"|remind me (?:again )?(?:of )?(?:what|where|who|which|how)\b(?! to\b)"
    rf"|(?:(?:remind|tell|show) me|find|quote|i (?:forgot|(?:do not|don['’]t|can['’]t|cannot) "
    rf"(?:remember|recall))) "
    rf"(?:again )?(?:of )?{_ASKS_WHICH}\b.{{0,60}}?\b{_WE_SAID}"
    rf"|remember {_ASKS_WHICH}\b.{{0,60}}?\b{_WE_SAID}.*[?？]\s*$"
    rf"|you (?:said|told (?:me|us)|mentioned|suggested|recommended)\b.*\b{_ASKS_WHICH} (?:was|were"
    rf"|is)\b.*[?？]\s*$"
    rf"|(?:what (?:was|were) (?:it )?(?:that )?|anything (?:that )?|{_ASKS_WHICH} ){_WE_SAID}"
    rf"|{_ASKS_WHICH}\b.{{2,200}}[,;?，] ?(?:do|did|can|could) you (?:still |even )?(?:remember|recall)\W*$"
    r")",
    re.IGNORECASE,
)
#: What is said to be done with what was said.
_COMMAND_CJK = late(r"^\W*(?:请|帮|替|把|将|删|忘|别|不要|写|存|保存|打开|翻译|总结|记住|记下)")
_ASKS_CJK = late(r"[?？]|吗|什么|哪|几[点号个月]|多少|谁|怎么|有没有|没有")
_ABOUT_TALK_CJK = late(
    r"(?:我|咱|你|谁|大家).{0,14}?(?:说|讲|提|聊|谈|讨论|告诉|建议|推荐|问)(?:到|起|及)?(?:过|了)"
    r"|(?:我|咱|你).{0,14}?(?<![想要会能])(?:说|讲|提到|聊|谈|讨论|建议|推荐|告诉你|告诉我)的(?!是)"
    r"|(?:之前|以前|上次|刚才|昨天|那天|曾经).{0,8}?(?:(?:说|讲|提到|聊|谈|讨论)的|(?:说|聊|讲|谈)到哪)"
    r"|你.{0,8}给过?我的(?:建议|推荐|答案|回答)|来着\W*$"
    r"|(?:什么时候|哪天|几号|怎么).{0,6}(?:聊|说|谈|提|讨论).{0,14}(?:过|到|起|的)\W*$"
    r"|(?:[你您]|还|记不)记得(?!.*(?:好吗|行吗|可以吗|好不好))|^\W*记得(?!.*(?:好吗|行吗|可以吗|好不好)).*(?:吗|么|[?？])\W*$"
)
_QUESTION = late(
    r"^\W*(?:and |so |but )?(?:what|when|where|who|whom|whose|which|why|how|did|was|were|is|are"
    r"|do|does|has|have|had)\b.*"
    r"|.*[?？]\s*$|.*(?:吗|呢|什么时候|哪里|哪儿|几点|几号|多少|是谁|叫什么)[?？。]?\s*$",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_QUESTION = 300


#: Messages (`resources/messages`) that have nothing to say or only say again what was said, and those of the
#: starter mind that may follow on small talk.
_SAYS_NOTHING = {
    "starter": ("nothing_remembered", "cannot", "cannot_converse", "nearest"),
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


def _says_nothing(text: str) -> bool:
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
    if _ABOUT_TALK.match(text):
        return True
    if text.isascii() or _COMMAND_CJK.match(text) or not _ASKS_CJK.search(text):
        return False
    return bool(_ABOUT_TALK_CJK.search(text))


def asks_for_a_fact(text: str) -> bool:
    """Whether words ask for a fact at all."""
    return len(text) <= _LONGEST_QUESTION and bool(_QUESTION.match(text))


_OF_OWN_LIFE = late(r"\b(?:i|me|my|mine|we|our|ours|us)\b|[我咱]", re.IGNORECASE)
#: What asks for advice or help, and not for what was.
_ASKS_FOR_HELP = late(
    r"\b(?:should|shall|can|could|may|might|must|would|will) (?:i|we)\b"
    r"|\bdo (?:i|we) (?:need|have to|get|do)\b"
    r"|^\W*(?:and |so |but )?how (?:do|to|can)\b|怎么(?!了|样的)|如何|该|能不能|可以|可不可以|要不要|能否",
    re.IGNORECASE,
)


def asks_of_own_life(text: str) -> bool:
    """Whether words ask for a fact that only who asks could have told: `who repaired our roof?`."""
    return asks_for_a_fact(text) and bool(_OF_OWN_LIFE.search(text)) and not _ASKS_FOR_HELP.search(text)


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
    if _OF_PARTNER.search(question):
        return PARTNER, None
    if _OF_PERSON.search(question):
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
    left = text.strip()
    for _ in range(3):
        before = left
        for frame in _FRAME:
            left = frame.sub("", left, count=1)
        if left == before:
            break
    left = (left[:-_TAIL_READ] + _TAIL.sub("", left[-_TAIL_READ:])).strip(" ?？。.!！,，")
    return left if len(left) > 1 else ""


_CJK_ASKING = word_set(
    """
    什么时候 什么 几点 几号 哪天 哪里 哪儿 哪个 哪家 谁 多少 怎么 为什么 说过 说的 聊过 谈过 讲过 提过
    告诉过 讨论过 记得 记不记得 之前 上次 跟你 关于 叫什么 哪本 哪位 时候 是不是 有没有 的 了 吗 呢 是
    我 你 他 她 我们 那个 这个 叫什么名字 什么名字 怎么样 怎样 跟你说 跟你讲 对你说 告诉你
    """
)
#: Words that have one of grammar in them.
_CJK_WHOLE = "吉他|其他|其它|目的|的士|了解|了结|你好|我国|是非|吧台|酒吧|网吧"
_CJK_GRAMMAR = late(
    rf"(?P<whole>{_CJK_WHOLE})|[哪几多]一?[个只座颗支年天月位家本条件款种辆次间台部张块层路]"
    rf"|{'|'.join(sorted(CJK_FUNCTION_WORDS | _CJK_ASKING, key=len, reverse=True))}"
)


def _without_grammar(text: str) -> str:
    """Chinese words of grammar as spaces, so that no pair reaches over them."""
    return text if text.isascii() else _CJK_GRAMMAR.sub(lambda found: found["whole"] or " ", text)


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
#: What is said of everything.
_VAGUE = word_set(
    """
    really thing things something anything everything lots like know think good great nice time today
    yesterday tomorrow week year month going want need much thanks thank sure well been make made take
    took back look looking feel feels said told tell years day days people right still even always
    never kind hear hope love awesome amazing glad definitely cool wow yeah okay fine little pretty
    keep getting doing having
    """
)


def topic_words(text: str) -> list[str]:
    """What a turn may be about: words as they are written, in small letters, and pairs of characters."""
    text = text[:_READ]
    words = [word.lower() for word in _TOPIC_WORD.findall(text) if not _CJK_LETTER.search(word)]
    found = [word for word in words if word not in _GRAMMAR and word not in _VAGUE]
    if not text.isascii():
        for unspaced, _ in _RUN.findall(_without_grammar(text)):
            found += [unspaced[at : at + 2] for at in range(len(unspaced) - 1)]
    return found


_CJK_LETTER = late(f"[{_CJK}]")


def topic_term(word: str) -> str:
    """What a topic is looked for by."""
    return next(iter(_terms(word)), word.lower())
