"""Which ability is meant, asked of a model: talk or act first, then which of the nearest. And which things
are asked for: the parts of a request by stages, in the person's words.

Cheap gates come first. What the starter mind takes for small talk, for declined, or for a call by name
stands without a call, and so does a message that no ability is near to. Messages in Chinese and its like
are compared by characters alone, so being far means little there: the model is asked. What the starter
mind splits by itself stands too, and so does what cannot be compound. A part that nobody asked for is no
part, and nothing that was asked for may be lost: either ends in the starter's answer.

Grounding: whether words that a model wrote were said before. What nobody said is not asked for. Small
rewording is let through: another form of a word, a word of the same meaning, `the folder` for `it`. A
path, an address, a number or a quotation must stand there to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.clauses import bare, pieces_of
from partner_desktop.language.lexicon import CJK_FUNCTION_WORDS, word_set
from partner_desktop.language.spans import blank, find_spans
from partner_desktop.language.speech_acts.ability_requests import is_called
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.language.speech_acts.speech_act import speech_act
from partner_desktop.language.terms import GENERIC_WEIGHT, Term, has_cjk, stem, terms
from partner_desktop.mind.prompted.abilities import MOST_SHOWN, NamedAbilities
from partner_desktop.mind.prompted.answers import Answer, list_of, one_of, or_null, text_of_at_most
from partner_desktop.mind.prompted.asker import Asker, Offered
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted
from partner_desktop.mind.question import (
    EvaluateIntent,
    ExtractIntents,
    IntentEvaluation,
    Intents,
    Mind,
    PickAbility,
)

#: Words that may stand for what was called otherwise, or tie one thing to another.
_FREE = frozenset(
    stem(word)
    for word in word_set(
        "file folder directory result item thing again instead without skip retry once before after"
    )
)
_FREE_CJK = frozenset("文件夹目录结果它们这那再次一下个里的后先")
_CJK_LETTER = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_CJK_FUNCTION = re.compile("|".join(sorted(CJK_FUNCTION_WORDS, key=len, reverse=True)))


class Grounds:
    """What was said, in a few texts; `names` are what is meant may be called by: no value in them counts."""

    def __init__(self, *texts: str, names: Sequence[str] = ()) -> None:
        self._said = " ".join(_plain(text) for text in texts)
        self._values = {span.value for text in texts for span in find_spans(text)}
        heard = [term for text in (*texts, *names) for term in terms(text)]
        self._letters = set(_CJK_LETTER.findall("".join((*texts, *names))))
        self._terms = {term.stem for term in heard}
        self._concepts = {concept for term in heard for concept in term.concepts}

    def hold(self, words: str) -> bool:
        """Whether all that these words mean was said."""
        rest = blank(words, find_spans(words))
        return (
            self._hold_values(words)
            and self._hold_letters(rest)
            and all(term.stem in _FREE or not term.word or self._has(term) for term in _telling(rest))
        )

    def share_of(self, words: str) -> float:
        """How much of what these words mean was said, 0 to 1; 0 where a value among them was not."""
        if not self._hold_values(words):
            return 0.0
        told = [
            term
            for term in terms(words)
            if term.weight > GENERIC_WEIGHT and (term.word or term.concepts)  # no pieces of Chinese words
        ]
        return sum(self._has(term) for term in told) / len(told) if told else 1.0

    def touch(self, words: str) -> bool:
        """Whether any of these words is about the same."""
        return any(self._has(term) for term in _telling(words) if term.stem not in _FREE)

    def _hold_values(self, words: str) -> bool:
        """What must stand there to the letter."""
        there = r"(?<![a-z0-9_/~.\-]){}(?![a-z0-9_/]|[.\-][a-z0-9_])"
        return all(
            span.value in self._values
            or re.search(there.format(re.escape(_plain(words[span.start : span.end]))), self._said)
            for span in find_spans(words)
        )

    def _has(self, term: Term) -> bool:
        return term.stem in self._terms or bool(self._concepts & set(term.concepts))

    def _hold_letters(self, words: str) -> bool:
        """Chinese (and its like) is written without spaces: its characters are compared."""
        for term in terms(words):
            if not term.word and self._concepts & set(term.concepts):
                words = words.replace(term.stem, " ")
        letters = set(_CJK_LETTER.findall(_CJK_FUNCTION.sub("", words))) - _FREE_CJK
        return letters <= self._letters


def _telling(words: str) -> Iterator[Term]:
    return (term for term in terms(words) if term.weight >= GENERIC_WEIGHT)


def wanted(text: str) -> str:
    """A text without the parts that say what not to do."""
    return " , ".join(part for part in _clauses(text) if not speech_act(part).declines)


def _clauses(text: str) -> tuple[str, ...]:
    return tuple(bare(text[piece.start : piece.end]) for piece in pieces_of(text))


def _says_several(text: str) -> bool:
    """Whether at least two clauses say something."""
    said = [clause for clause in _clauses(text) if small_talk(clause) is None]
    telling = (find_spans(one) or (has_cjk(one) and len(one) > 1) or any(_telling(one)) for one in said)
    return sum(map(bool, telling)) > 1


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


#: From this score of the best on the model is asked. An ability worth naming scores more: of twenty sentences
#: of mere talk eighteen stay below this, of twelve requests in uncommon words one does.
OPEN_SCORE = 0.12
#: What scores this share of the best is shown: the words may mean what does not look likeliest.
_SHARE = 0.2
#: The choice is a few dozen tokens; models of bytes need more.
_MOST_TOKENS = 160


async def evaluate(asker: Asker, starter: Mind, request: EvaluateIntent) -> IntentEvaluation:
    """The model's choice among what is near; the starter's where the model is not needed or gives none."""
    known = await starter.ask(request)
    named = NamedAbilities(near(request.text, known))
    if not named.names:
        return known

    def check(answer: Answer) -> IntentEvaluation:
        if answer["do"] == "act" and answer["ability"] is None:
            raise FlawError(Flaw.CHOICE)
        chosen = named.named(answer["ability"]) if answer["do"] == "act" else None
        return replace(known, chosen=chosen, ties=())

    found = await asker.ask(
        request,
        check,
        {"abilities": named.lines(), "said": quoted(request.text)},
        {"do": one_of("reply", "act"), "ability": or_null(one_of(*named.names))},
        max_tokens=_MOST_TOKENS,
        offered=offered(
            named, lambda name: {"do": "act", "ability": name}, otherwise={"do": "reply", "ability": None}
        ),
    )
    return known if found is None else found


def near(text: str, known: IntentEvaluation) -> tuple[MetaActionInfo, ...]:
    """What the model is to choose among; empty where it is not asked."""
    if small_talk(text) is not None or speech_act(text).declines:
        return ()
    if known.chosen is not None and is_called(known.chosen, text):
        return ()
    if has_cjk(text):
        return tuple(item.info for item in known.ranked[:MOST_SHOWN])
    best = max((item.score for item in known.ranked), default=0.0)
    shown = [item.info for item in known.ranked if best >= OPEN_SCORE and item.score >= _SHARE * best]
    return tuple(shown[:MOST_SHOWN])


def offered(named: NamedAbilities, answer: Callable[[str], JsonObject], *, otherwise: JsonObject) -> Offered:
    """A choice among abilities, as tools: a call's name is all that is wanted of it."""
    shown = {"abilities": named.listed()}
    return Offered(named.tools(answer), "call_one", shown, otherwise, arguments=False)


async def pick(asker: Asker, starter: Mind, request: PickAbility) -> MetaActionInfo | None:
    """A number, a place or a name chooses by itself; other words are put to the model."""
    picked = await starter.ask(request)
    if picked is not None or not request.options:
        return picked
    if speech_act(request.text).declines or small_talk(request.text) is not None:
        return None
    named = NamedAbilities(request.options[:MOST_SHOWN])
    return await asker.ask(
        request,
        lambda answer: named.named(answer["ability"]) if answer["ability"] is not None else None,
        {"abilities": named.lines(), "said": quoted(request.text)},
        {"ability": or_null(one_of(*named.names))},
        max_tokens=_MOST_TOKENS,
        offered=offered(named, lambda name: {"ability": name}, otherwise={"ability": None}),
    )


#: A longer text is a document, not a request.
_LONGEST = 1_200
_MOST_PARTS, _PART = 12, 240
#: The parts say at least this share of what the person said.
_SAID = 0.5
_MOST_TOKENS_OF_STAGES = 512

_STAGES = list_of(list_of(text_of_at_most(_PART), least=1, most=_MOST_PARTS), least=1, most=_MOST_PARTS)


async def extract_stages(asker: Asker, starter: Mind, request: ExtractIntents) -> Intents:
    """The starter's stages where it sees some; else the model's."""
    known = await starter.ask(request)
    split = known.stages != ((request.text,),)  # also where it left out what is only refused
    if split or len(request.text) > _LONGEST or not _says_several(request.text):
        return known
    evaluated = await starter.ask(EvaluateIntent(request.text, request.abilities, request.turn))
    close = near(request.text, evaluated)
    if not close:
        return known

    found = await asker.ask(
        request,
        lambda answer: _checked(answer["stages"], request.text),
        {"abilities": NamedAbilities(close).lines(), "said": quoted(request.text)},
        {"stages": _STAGES},
        max_tokens=_MOST_TOKENS_OF_STAGES,
    )
    return known if found is None else found


def _checked(said_stages: list[list[str]], text: str) -> Intents:
    """The stages of an answer that says what the text says.

    Raises:
        FlawError: It says more, or less.
    """
    stages = tuple(tuple(" ".join(part.split()) for part in stage) for stage in said_stages)
    parts = [part for stage in stages for part in stage]
    if not all(parts) or not len(parts) == len(set(parts)) <= _MOST_PARTS:
        raise FlawError(Flaw.VALUES)
    if len(parts) == 1:
        return Intents(((text,),))
    asked = wanted(text)
    said = Grounds(asked)
    if any(speech_act(part).declines or not said.hold(part) for part in parts):
        raise FlawError(Flaw.UNSAID)
    if Grounds(*parts).share_of(asked) < _SAID:
        raise FlawError(Flaw.UNDONE)
    return Intents(stages)
