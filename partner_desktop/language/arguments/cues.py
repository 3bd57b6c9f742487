"""Cues: how much the words around a part of a message speak for one parameter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.arguments.wordings import WORDINGS, ParamRole
from partner_desktop.language.lexicon import CONCEPTS, word_set
from partner_desktop.language.noun_phrases import Token, tokens
from partner_desktop.language.terms import FUNCTION_WEIGHT, GENERIC_WEIGHT, stem, terms

#: What a word of the parameter's name, one of its description, and one that means the same weigh.
_NAME, _DESCRIPTION, _MEANING = 1.0, 0.45, 0.5
#: What each further word between a cue and a value leaves of it.
_FADE = 0.82
#: Tokens; farther away a cue says nothing.
_FAR = 10
#: A clause ends: as if so many words were between.
_BREAKS = {",": 1.5, ";": 3, ".": 4, "?": 4, "!": 4, "and": 2.0, "or": 2.0, "，": 1.5, "。": 4, "和": 2}
_BEHIND = 0.8
_SHORTEST_PREFIX = 4


#: The first two say from where and to where, the last how it is to be.
ROLES = WORDINGS.roles
#: Prepositions that say from where or to where, and never both.
_DIRECTED = WORDINGS.sets["directed"]


@dataclass(frozen=True)
class Cues:
    """Where the words of one parameter stand in a message: token index → weight."""

    slot: Slot
    places: dict[int, float]
    roles: tuple[ParamRole, ...]
    told: bool = False
    """The roles come from the description alone."""

    def near(self, text: str, start: int, end: int) -> float:
        """How strongly the words beside `text[start:end]` speak for the parameter, about 0 to 1.5."""
        if not self.places:
            return 0.0
        every = tokens(text)
        first, last = _range(every, start, end)
        best = sorted((_strength(every, index, weight, first, last) for index, weight in self.places.items()))
        return best[-1] + (0.4 * best[-2] if len(best) > 1 else 0.0)

    def introduced(self, preposition: str) -> float:
        """Whether a preposition is one that introduces such a value."""
        directions = [role for role in self.roles if role in ROLES[:2]]
        if preposition in _DIRECTED and len(directions) == 1:
            return 1.0 if preposition in directions[0].prepositions else -1.0
        return 1.0 if any(preposition in role.prepositions for role in self.roles) else 0.0

    def names(self, preposition: str) -> bool:
        """Whether the name itself, not only the description, says that the preposition introduces it."""
        said = {term.word for term in terms(self.slot.name)}
        return any(preposition in role.prepositions and said & role.words for role in self.roles)

    @property
    def named(self) -> float:
        """How sure it is that values are written like names, 0 to 1."""
        return (0.4 if self.told else 1.0) * any(role.named for role in self.roles)


def cues_of(text: str, slots: Sequence[Slot]) -> list[Cues]:
    """The cues of each parameter; a word that several share says less for each."""
    weights = [_weights(slot.name, slot.description) for slot in slots]
    shared: dict[str, int] = {}
    for mine in weights:
        for word in mine:
            shared[word] = shared.get(word, 0) + 1
    every = tokens(text)
    return [
        Cues(slot, _places(every, mine, shared), *_roles(slot.name, slot.description))
        for slot, mine in zip(slots, weights, strict=True)
    ]


#: Words for those who are counted: `for two people` is a number of adults, guests, passengers.
_PEOPLE = frozenset(
    stem(word)
    for word in word_set(
        "people person persons adult adults guest guests passenger passengers traveler travellers players"
    )
)


@lru_cache(maxsize=1024)
def _weights(name: str, description: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for term in terms(description[:300]):
        if term.weight >= GENERIC_WEIGHT and term.word:
            found[term.stem] = _DESCRIPTION * (1 if term.weight > GENERIC_WEIGHT else 0.5)
    for term in terms(name):
        if term.word and len(term.word) > 1 and term.word not in {"num", "str"}:
            for concept in term.concepts:
                found.setdefault(f"={concept}", _MEANING)
            found[term.stem] = _NAME if term.weight > FUNCTION_WEIGHT else 0.3
    if _PEOPLE & found.keys():
        found |= {word: _MEANING for word in _PEOPLE if word not in found}
    if len(name) == 1:
        found[name.lower()] = _NAME
    return found


def _places(every: Sequence[Token], weights: dict[str, float], shared: dict[str, int]) -> dict[int, float]:
    cut: dict[str, list[str]] = {}
    for word in weights:
        cut.setdefault(word[:_SHORTEST_PREFIX], []).append(word)
    said: dict[str, float] = {}
    for token in every:
        if token.is_word and token.lower not in said:
            said[token.lower] = _weight(token, weights, shared, cut)
    return {index: said[token.lower] for index, token in enumerate(every) if said.get(token.lower)}


def _weight(
    token: Token, weights: dict[str, float], shared: dict[str, int], cut: dict[str, list[str]]
) -> float:
    """What one word says for a parameter; `cut`: its words by how they begin."""
    found = [
        weights[word] / shared[word]
        for word in (token.stem, *(f"={concept}" for concept in CONCEPTS.get(token.lower, ())))
        if word in weights
    ]
    found += [
        0.8 * weights[word] / shared[word]
        for word in cut.get(token.stem[:_SHORTEST_PREFIX], ())
        if related(word, token.stem)
    ]
    return max(found, default=0.0)


def related(mine: str, other: str) -> bool:
    """Whether one stem begins the other (`direct`, `director`)."""
    short, long = sorted((mine, other), key=len)
    return (
        len(short) >= _SHORTEST_PREFIX
        and long.startswith(short)
        and len(long) - len(short) <= _SHORTEST_PREFIX
    )


def _range(every: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    inside = [index for index, token in enumerate(every) if token.start < end and start < token.end]
    return (inside[0], inside[-1]) if inside else (0, 0)


def _strength(every: Sequence[Token], index: int, weight: float, first: int, last: int) -> float:
    if first <= index <= last:
        return 0.0
    between = every[index + 1 : first] if index < first else every[last + 1 : index]
    if len(between) > _FAR:
        return 0.0
    gap = sum(_BREAKS.get(token.lower, 1) for token in between)
    gap += sum(2 for token in between if token.text[0].isdigit())
    return float(weight * _FADE**gap * (1 if index < first else _BEHIND))


@lru_cache(maxsize=1024)
def _roles(name: str, description: str) -> tuple[tuple[ParamRole, ...], bool]:
    """The roles of a parameter, and whether only its description tells them."""
    said = {term.word for term in terms(name) if term.word} | {name.lower()}
    by_name = tuple(role for role in ROLES if said & role.words)
    if by_name and by_name[0] not in ROLES[:2] + ROLES[-1:]:
        return by_name, False
    opening = description.partition(".")[0].partition(",")[0]
    told = {term.word for term in terms(opening) if term.word}
    directed = set(by_name) & set(ROLES[:2])
    by_description = tuple(
        role for role in ROLES if told & role.words and not (directed and role in ROLES[:2])
    )
    return (
        (by_name + by_description, not any(role.named for role in by_name))
        if by_name
        else (by_description, True)
    )
