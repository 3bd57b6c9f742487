"""What words decide of the cards that wait: which yes, which no; and what of that which runs is to stop.

Careful: what is not read to its last word approves nothing. A hesitant yes, one with a condition and one
that could mean several cards are unclear, and the person is asked.

A reply to a card names a deed: the card's own, or another's. `Go on, delete it` says yes to a card that
trashes; `yes, move it` does not, though `move to the trash` begins so: a verb belongs to the abilities that
are mostly called by it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.intervention import Confirmation, Settled, Verdict
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.phrase_table import phrase_table
from partner_desktop.language.references import (
    NO_MORE_NAMES,
    AlsoCalled,
    Pointed,
    is_ours,
    is_place,
    pointed_at,
    says_something,
)
from partner_desktop.language.rule_table import groups_of, rule_tables
from partner_desktop.language.spans import SpanKind, blank, find_spans
from partner_desktop.language.speech_acts.assent import (
    deed_of,
    is_firm,
    judge,
    lead,
    left_of,
    said_pieces,
    sense,
    tail,
    without_words,
)
from partner_desktop.language.speech_acts.imperatives import is_question
from partner_desktop.language.terms import FUNCTION_WEIGHT, Term, has_cjk, leading, terms

#: A longer text says more than yes and no.
_LONGEST = 200
_CLAUSES = late(r"[,，;；。.!！、\n:：]+(?!\d)|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_JOINTS = late(r"\s+(?:and|but|while)\s+|但是?|而")
_ENDS = " .!。！"
_UNCLEAR = Verdict(Confirmation.UNCLEAR)
_OTHER = Verdict(Confirmation.OTHER)


def _whole(said: str, rule: str) -> re.Match[str] | None:
    matches = (table[rule].fullmatch(said) for table in rule_tables("assent", said))
    return next((match for match in matches if match is not None), None)


def _behind(words: str, rule: str) -> str | None:
    """What follows a rule that words begin with; `None`: they do not."""
    matches = (table[rule].match(words) for table in rule_tables("assent", words))
    return next((words[match.end() :] for match in matches if match is not None), None)


def read(text: str, pending: Sequence[ActionRecord], also_called: AlsoCalled = NO_MORE_NAMES) -> Verdict:
    """The verdict on what is pending; on a question in words only whether it is plainly refused.

    `also_called`: key of an ability → other ways to ask for it, by which a card may be named.
    """
    plain = judge(text)
    cards = [card for card in pending if card.status is ActionStatus.WAITING]
    if not cards or len(cards) != len(pending) or len(text) > _LONGEST:
        return Verdict(plain) if plain in (Confirmation.CONFIRM, Confirmation.REJECT) else _OTHER
    if plain is Confirmation.UNCLEAR and len(cards) == 1 and _keeps(_plain(text), cards[0]):
        return Verdict(Confirmation.CONFIRM, (Settled(cards[0].id, Confirmation.CONFIRM, named=True),))
    if plain is not Confirmation.OTHER:
        sure = plain is not Confirmation.UNCLEAR and len(cards) == 1
        return Verdict(plain, (Settled(cards[0].id, plain),)) if sure else _UNCLEAR
    said = text.strip()
    asking = said.endswith(("?", "？"))
    verdict = _by_title(_plain(said), cards, also_called)
    # A path names no card that was asked for with it: `no, ~/Music` wants the only one with that.
    paths = any(span.kind is SpanKind.PATH for span in find_spans(said))
    if verdict is None and not (len(cards) == 1 and paths):
        verdict = _decided(_plain(said), cards, also_called)
    if verdict is not None:
        return _UNCLEAR if asking else verdict
    if is_place(_plain(said)) and any(card.chain is not None for card in cards):
        return _UNCLEAR  # `the first one`, of a chain: nobody can tell whether that is a yes
    kind, rest = lead(_plain(said))
    perhaps_it = kind is Confirmation.UNCLEAR and _clause(rest, cards, also_called) is not None
    return _UNCLEAR if perhaps_it or _conditional(said) else _OTHER


def _keeps(said: str, card: ActionRecord) -> bool:
    """`Yes, keep it`, to what keeps it: the verb, else a refusal, is that of the card's title."""
    verb = next(iter(terms(card.title)), None)
    first, _, rest = said.partition(",")
    own = next(iter(terms(rest)), None)
    same = verb is not None and own is not None and verb.stem == own.stem
    return same and judge(first) is Confirmation.CONFIRM


def _plain(text: str) -> str:
    return " ".join(re.sub("[’‘`´]", "'", text).casefold().rstrip("?？ ").split())


def _conditional(text: str) -> bool:
    """A yes with a condition; `if` without a yes is about something else."""
    plain = _plain(text)
    for table in rule_tables("assent", plain):
        if (condition := table["condition"].search(plain)) is not None:
            kinds = {lead(plain)[0], judge(plain[: condition.start()])}
            return not kinds.isdisjoint((Confirmation.CONFIRM, Confirmation.UNCLEAR))
    return False


# Yes and no, card by card.


def _by_title(plain: str, cards: Sequence[ActionRecord], also_called: AlsoCalled) -> Verdict | None:
    """`yes, run Zip a folder`: the whole title of a script or of a server's tool, and nothing beside it.

    A title that others wrote could be any sentence, so that words of one are no name.
    """
    kind, left = lead(plain)
    said = _whole(left, "titled")
    if kind is not Confirmation.CONFIRM or said is None:
        return None
    title = groups_of(said).get("title", "").rstrip(_ENDS)
    meant = [card for card in cards if _whole_title(card) == title]
    if not meant or not says_something(title) or pointed_at(title, cards, by_name=False) is not None:
        return None
    others = _decided(plain, [card for card in cards if card not in meant], also_called)
    if len(meant) > 1 or (others is not None and others.settled):
        return _UNCLEAR
    return Verdict(Confirmation.CONFIRM, (Settled(meant[0].id, Confirmation.CONFIRM, named=True),))


def _whole_title(card: ActionRecord) -> str:
    return "" if card.chain is not None or is_ours(card) else _plain(card.title).rstrip(_ENDS)


@dataclass(frozen=True)
class _Clause:
    kind: Confirmation | None
    pointed: Pointed | None
    asks: bool = False
    """Alone it may as well be a new request: `run resize`."""


#: Praise and the like: `great`.
_DOUBTFUL = _Clause(Confirmation.UNCLEAR, None)


def _decided(plain: str, cards: Sequence[ActionRecord], also_called: AlsoCalled) -> Verdict | None:
    """The verdict where every word belongs to one; `None` where they are about something else."""
    clauses: list[_Clause] = []
    for chunk in filter(None, (part.strip() for part in _CLAUSES.split(plain))):
        found = _clause(chunk, cards, also_called)
        parts = [chunk] if found is not None else _JOINTS.split(chunk)
        several = [found] if found is not None else [_clause(part, cards, also_called) for part in parts]
        if any(one is None for one in several):
            return None
        clauses += [one for one in several if one is not None]
    if len(clauses) > 1 and clauses[0] is _DOUBTFUL and clauses[1].kind is Confirmation.CONFIRM:
        del clauses[0]  # `great, yes to both`
    if not clauses or all(one.kind is None and one.pointed is None for one in clauses):
        return None
    return _merged(clauses, cards)


def _clause(words: str, cards: Sequence[ActionRecord], also_called: AlsoCalled) -> _Clause | None:
    """`yes`, `the second`, `yes the second`, `the second no`, `not the second`."""
    words = words.strip()
    whole = judge(words)
    if whole is Confirmation.UNCLEAR or (whole is Confirmation.CONFIRM and not is_firm(words)):
        return _DOUBTFUL
    doing = _behind(words, "doing")
    for kind, left in (lead(words), tail(words)):
        done = _behind(left, "doing")
        rest = done or left
        if kind is None or not rest:
            if kind is not None:
                return _Clause(kind, None)
            continue
        pointed = pointed_at(rest, cards, also_called=also_called, done=doing is not None or done is not None)
        if pointed is not None:
            return _DOUBTFUL if kind is Confirmation.UNCLEAR else _Clause(kind, pointed)
    refusing = _behind(words, "refusing")
    if refusing is not None:
        pointed = pointed_at(refusing, cards, also_called=also_called)
        return _Clause(Confirmation.REJECT, pointed) if pointed is not None else None
    if doing is not None and (pointed := pointed_at(doing, cards, by_name=False)) is not None:
        return _Clause(Confirmation.CONFIRM, pointed)
    pointed = pointed_at(doing or words, cards, also_called=also_called, done=doing is not None)
    return _Clause(None, pointed, asks=doing is not None) if pointed is not None else None


def _merged(clauses: list[_Clause], cards: Sequence[ActionRecord]) -> Verdict | None:
    """One yes or no goes with what it stands beside: `yes, the second`, `the second, yes`."""
    if all(one.kind is None for one in clauses):
        if len(cards) == 1 and all(one.pointed is not None and one.pointed.whole for one in clauses):
            return Verdict(Confirmation.CONFIRM, (Settled(cards[0].id, Confirmation.CONFIRM),))
        if any(one.asks or (one.pointed is not None and one.pointed.part) for one in clauses):
            return None  # the name of a step may as well be a request
        named = any(one.pointed is not None and (not one.pointed.ids or one.pointed.plan) for one in clauses)
        return _UNCLEAR if named or len(cards) > 1 else None
    bare = {one.kind for one in clauses if one.pointed is None and one.kind is not None}
    full = [one for one in clauses if one.pointed is not None and one.kind is not None]
    open_ = [one for one in clauses if one.pointed is not None and one.kind is None]
    if len(bare) > 1 or Confirmation.UNCLEAR in {one.kind for one in clauses} or (full and open_):
        return _UNCLEAR
    if any(one.kind not in bare for one in full) and bare:
        return _UNCLEAR
    kind = next(iter(bare), None)
    told = full or [_Clause(kind, one.pointed) for one in open_]
    return _settled(told, cards)


def _settled(told: Sequence[_Clause], cards: Sequence[ActionRecord]) -> Verdict:
    found: dict[str, Settled] = {}
    named = {name for one in told if one.pointed is not None for name in one.pointed.ids}
    rest = tuple(card.id for card in cards if card.id not in named)
    for one in told:
        pointed = one.pointed
        if pointed is None or one.kind is None or pointed.unclear:
            return _UNCLEAR
        ids = rest if pointed.rest else pointed.ids
        if not ids or (pointed.rest and (not named or (pointed.single and len(rest) != 1))):
            return _UNCLEAR
        for name in ids:
            settled = Settled(name, one.kind, named=pointed.named and one.kind is Confirmation.CONFIRM)
            before = found.get(name, settled)
            if before.kind is not one.kind:
                return _UNCLEAR
            found[name] = replace(settled, named=settled.named and before.named)
    kinds = {one.kind for one in found.values()}
    if not kinds:
        return _UNCLEAR
    kind = Confirmation.CONFIRM if Confirmation.CONFIRM in kinds else Confirmation.REJECT
    return Verdict(kind, tuple(found.values()))


# What runs.


@dataclass(frozen=True)
class StopRequest:
    """What is to stop: `ids`; nothing in it: it cannot be told which."""

    ids: tuple[str, ...] = ()


def stop_in(text: str, running: Sequence[ActionRecord], *, by_name: bool = True) -> StopRequest | None:
    """What the words want to stop of what runs, oldest first; `None` where they are about something else.

    A plain no is no wish to stop: what runs asks nothing. Without `by_name`, names say nothing: the name of a
    chain is made of those of its steps.
    """
    phrase = phrase_table("stops").read(text)
    asks = text.rstrip().endswith(("?", "？")) and (phrase is None or phrase.kind != "polite")
    if phrase is None or asks or not running:
        return None
    which = phrase.groups.get("which", "").casefold()
    if phrase.kind == "every":
        return StopRequest(tuple(record.id for record in running))
    if not which:
        return StopRequest((running[0].id,)) if len(running) == 1 else StopRequest()
    counted = [replace(record, number=number) for number, record in enumerate(running, 1)]
    pointed = pointed_at(which, counted, by_name=by_name)
    if pointed is None or pointed.rest:
        return None
    return StopRequest() if pointed.unclear else StopRequest(pointed.ids)


_DEED_CLAUSES = late(r"[,，;；。!！、\n]+(?!\d)\s*|\.+(?:\s+|$)|\s+(?:and|but|then)\s+")
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
        clauses = _DEED_CLAUSES.split(text)
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
