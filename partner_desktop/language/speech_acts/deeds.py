"""Which deed a reply to a card names: the card's own, or another's. Pure.

`Go on, delete it` says yes to a card that trashes; `yes, move it` does not, though `move to the trash` begins
so: a verb belongs to the abilities that are mostly called by it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from partner_desktop.base.patterns import late
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.rule_table import rule_tables
from partner_desktop.language.spans import blank, find_spans
from partner_desktop.language.speech_acts.assent import deed_of, left_of, said_pieces, sense, without_words
from partner_desktop.language.speech_acts.imperatives import is_question
from partner_desktop.language.terms import FUNCTION_WEIGHT, Term, has_cjk, leading, terms

_CLAUSES = late(r"[,，;；。!！、\n]+(?!\d)\s*|\.+(?:\s+|$)|\s+(?:and|but|then)\s+")
#: How many of the names of an ability begin with a verb that is its own.
_LEAST = 0.1
#: How much of the share of the ability that is called so most another needs.
_MUCH = 0.4
#: Characters of a Chinese verb.
_BRIEF = 2


class Deeds:
    """What a reply says is to be done. `own` is what the card does, `others` is what else may be meant."""

    def __init__(
        self,
        text: str,
        own: Sequence[MetaActionInfo],
        others: Sequence[MetaActionInfo],
        *,
        requested: str,
        things: Sequence[str] = (),
    ) -> None:
        """`requested`: what led to the card; `things`: words of the text that name files and folders."""
        self._own, self._others, self._requested, self._things = own, others, requested, things
        self.says = sense([piece.says for piece in said_pieces(text)])
        """What the words around the deed say."""
        said = "" if is_question(text) else deed_of(text)
        self.alone = bool(said)
        """Nothing but a deed is said beside a yes or no."""
        puts = any(map(_puts, own)) and any(t["puts"].fullmatch(said) for t in rule_tables("assent", said))
        self.names_own = puts or (bool(said) and self._is_own(said) and self._is_rest_known(said))
        """Nothing is said beside but what the card does."""
        clauses = _CLAUSES.split(text)
        self.other_clause = next(
            (
                each
                for each in clauses
                if self._is_of_another(words := left_of(each))
                and not without_words(words, "as_deed").startswith(tuple(things))
            ),
            "",
        )
        """The words that say that something else is to be done."""
        self.names_another = bool(self.other_clause)

    @property
    def other(self) -> MetaActionInfo | None:
        """The other ability that is called so most."""
        words = without_words(left_of(self.other_clause), "as_deed")
        return max(self._others, key=lambda info: _share(words, info), default=None) if words else None

    def are_own(self, words: str) -> bool:
        """Whether words name what the card does: `rather than copy it`."""
        said = {term.stem for term in terms(words)}
        verbs = {verb.stem for info in self._own for each in _names(info) if (verb := leading(terms(each)))}
        return not said.isdisjoint(verbs)

    def _is_own(self, words: str) -> bool:
        mine, best = self._shares(words)
        return mine >= _LEAST and mine >= best * _MUCH

    def _is_of_another(self, words: str) -> bool:
        plain = without_words(words, "as_deed")
        if not words or any(table["light"].match(plain) for table in rule_tables("assent", words)):
            return False
        mine, best = self._shares(blank(plain, find_spans(plain)))
        placed = any(thing in words for thing in self._things) and any(map(_puts, self._others))
        if placed and mine < 1 and not any(map(_puts, self._own)):
            mine = 0.0  # what only takes away goes nowhere that could be said
        return best >= 2 * _LEAST and mine < best * _MUCH

    def _shares(self, words: str) -> tuple[float, float]:
        """How much the words are what the card is called, and the other ability that is called so most."""
        mine = max((_share(words, info) for info in self._own), default=0.0)
        best = max((_share(words, info) for info in self._others), default=0.0)
        asked = has_cjk(words) and len(words) <= _BRIEF and words in self._requested
        whole = any(_is_in(name, words) for info in self._own for name in _names(info))
        return (1.0 if asked or whole else mine), best

    def _is_rest_known(self, words: str) -> bool:
        """Whether what follows the verb speaks of what the card does, too."""
        if has_cjk(words):
            return True
        names = [info.title for info in self._own]
        known = {term.stem for name in (*names, self._requested) for term in terms(name)}
        numbers = set(re.findall(r"\d+", words)) - set(re.findall(r"\d+", self._requested))
        return not numbers and all(term.stem in known for term in terms(words)[1:] if term.word)


def _puts(info: MetaActionInfo) -> bool:
    """Whether what it does is to put or write something somewhere, and not to take it away."""
    slots = slots_of(info)
    return any(slot.is_destination or (slot.required and (slot.is_free or slot.is_made)) for slot in slots)


def _share(words: str, info: MetaActionInfo) -> float:
    """How many of the names of an ability begin with the verb of the words; of Chinese: have it."""
    chinese = has_cjk(words)
    names = [name for name in _names(info) if has_cjk(name) is chinese]
    if not names:
        return 0.0
    if chinese:
        return sum(_has(words, name) for name in names) / len(names)
    verb = leading(terms(words))
    if verb is None or terms(words)[0].start != verb.start or verb.word.endswith("ed"):
        return 0.0
    return sum(_alike(verb, leading(terms(name))) for name in names) / len(names)


def _names(info: MetaActionInfo) -> tuple[str, ...]:
    return tuple(dict.fromkeys((info.title, info.spoken("zh").title, *info.aliases)))


def _is_in(name: str, words: str) -> bool:
    """Whether all that a name of several words says is said: `move it to the trash`."""
    telling = {term.stem for term in terms(name) if term.weight > FUNCTION_WEIGHT}
    return len(telling) > 1 and telling <= {term.stem for term in terms(words)}


def _has(words: str, name: str) -> bool:
    """Whether a Chinese name is of the deed that is said: `打` of `打包`, `移到桌面` of `移到回收站`."""
    said, own = next(iter(terms(words)), None), next(iter(terms(name)), None)
    if said is None or own is None:
        return False
    verb = own.stem if own.concepts else name[:_BRIEF]
    written = name.startswith(words[:_BRIEF]) or (len(words) <= _BRIEF and words in name)
    spoken = verb in words if len(verb) > 1 else words.startswith(verb)
    return written or spoken or bool(said.concepts.keys() & own.concepts.keys())


def _alike(one: Term, other: Term | None) -> bool:
    return other is not None and (one.stem == other.stem or bool(one.concepts.keys() & other.concepts.keys()))
