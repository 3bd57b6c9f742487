"""An answer to the question for one parameter: what of the message is its value, and what else it says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.intervention import Confirmation
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.conversion import Need, UnfitError, path_text, to_value
from partner_desktop.language.arguments.cues import Cues, cues_of
from partner_desktop.language.arguments.offers.choices import choice_offers, flag_said, single_choice
from partner_desktop.language.arguments.offers.distribution import Offer, Reading
from partner_desktop.language.arguments.offers.formed_offers import is_sought, said_offers
from partner_desktop.language.arguments.offers.number_offers import moment_offers, number_offers, wants_moment
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.arguments.wordings import WORDINGS
from partner_desktop.language.lexicon import (
    CJK_FUNCTION_WORDS,
    CJK_TALK,
    FUNCTION_WORDS,
    TALK,
)
from partner_desktop.language.spans import Span, SpanKind, blank, find_spans, unquoted
from partner_desktop.language.speech_acts.assent import judge
from partner_desktop.language.terms import has_cjk, terms
from partner_desktop.language.values.moments import Moment

_SAID, _SETS = WORDINGS.patterns, WORDINGS.sets
#: A name may have blanks in it.
_GOES_ON = late(r"(?<!['\"]) +[A-Za-z0-9]")
_FAR_CLAUSE = late(r"[,.;:!?，。；：！？…]")
#: Without blanks, a longer answer is a sentence; a name has hardly more words.
_LONGEST_NAME_CJK, _MOST_WORDS = 6, 5
#: Longer than any file system takes.
_LONGEST_PATH = 4_096


@dataclass(frozen=True)
class AnsweredValue:
    """What an answer gives."""

    value: Json
    rest: str = ""
    """What else it says, where the value is a part of it."""
    sure: bool = True
    """Whether it can hardly be about something else."""


def read_answer(text: str, slot: Slot, info: MetaActionInfo, moments: Sequence[Moment] = ()) -> AnsweredValue:
    """The value that an answer gives.

    Raises:
        UnfitError: It gives none; its `need` says what would do.
    """
    if slot.is_path and not slot.is_list:
        return _path_answer(text, slot)
    reading, cues = Reading(text, info, tuple(moments)), cues_of(text, [slot])[0]
    best = _offered(reading, slot, cues)
    if best is not None:
        return AnsweredValue(best.value, _without(text, best.start, best.end))
    if slot.types == {"boolean"} and (said := flag_said(text, slot, frozenset())) is not None:
        return AnsweredValue(said)
    head, rest = (text, "") if slot.is_list else _head_and_rest(text)
    return AnsweredValue(to_value(_SAID["answer_end"].sub("", head) if slot.is_free else head, slot), rest)


def _offered(reading: Reading, slot: Slot, cues: Cues) -> Offer | None:
    """The part of the text that is clearly the value, by its type."""
    if wants_moment(slot):
        offers = moment_offers(reading, slot, cues)
    elif slot.is_list:
        return None
    elif slot.choices:
        offers = choice_offers(reading.said, slot, cues)
        meant = single_choice(offers)
        offers = [offer for offer in offers if offer.value == meant and meant is not None]
    elif slot.is_number:
        offers = number_offers(reading, slot, cues)
        offers = offers if len(offers) == 1 or len({offer.score for offer in offers}) > 1 else []
    else:
        offers = list(said_offers(reading, slot)) if is_sought(slot) else []
    return max(offers, key=lambda offer: offer.score, default=None)


def _without(text: str, start: int, end: int) -> str:
    rest = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return "" if _is_filler(rest) else rest.strip(" ,，")


def _head_and_rest(text: str) -> tuple[str, str]:
    """`yes, but only PDFs` → `yes` and `only PDFs`; `revenue in ~/Documents` → `revenue` and where."""
    paths = [span for span in find_spans(text) if span.is_path]
    place = _SAID["in_place"].search(text[: paths[0].start]) if len(paths) == 1 else None
    if place is not None and text[: place.start()].strip() and not text[paths[0].end :].strip(" .!"):
        return text[: place.start()].strip(" ,，"), text[place.start() :].strip()
    turn = _SAID["turn"].search(text)
    if turn is None or not text[: turn.start()].strip():
        return text, ""
    return text[: turn.start()].strip(" ,，"), text[turn.end() :].strip()


def _path_answer(text: str, slot: Slot) -> AnsweredValue:
    if len(text) > _LONGEST_PATH or "\n" in text.strip() or "\0" in text:
        raise UnfitError(Need.PATH)
    named = [span for span in find_spans(text) if span.kind in (SpanKind.PATH, SpanKind.QUOTE)]
    inside = {span.value for span in named if any(each.value.startswith(f"{span.value}/") for each in named)}
    meant = [span for span in named if span.value not in inside and not _is_turned(text, span)]
    goes_on = bool(named) and not named[0].start and _GOES_ON.match(text, named[0].end) is not None
    whole = goes_on and not PurePath(named[0].value).suffix
    if meant and not whole:
        rest = _without(text, meant[-1].start, meant[-1].end)
        value = path_text(meant[-1].value)
        folder = slot.file_kinds == {"file"} and not PurePath(value).suffix
        return AnsweredValue(value, rest, sure=not (rest or folder))
    name = bare_name(text)
    if not name or (named and not whole):
        raise UnfitError(Need.PATH)
    return AnsweredValue(path_text(name), sure=looks_like_path(text))


def _is_turned(text: str, span: Span) -> bool:
    """Whether a path is asked about, or said not to be meant: `is it in …`, `all but …`."""
    before = text[: span.start]
    clause = _FAR_CLAUSE.split(before)[-1].split()
    asks = bool(clause) and clause[0].casefold() in _SETS["asks"] and "about" not in clause
    return asks or _SAID["turned"].search(before) is not None


def bare_name(text: str) -> str:
    """A text that can be the name of something, without what leads to it; empty where it is a sentence."""
    if judge(text) is Confirmation.CONFIRM or text.rstrip().endswith(("?", "？")):
        return ""
    name = _SAID["answer_end"].sub("", _SAID["answer_lead"].sub("", unquoted(text))).strip()
    words = name.casefold().split()
    asks = bool(words) and (words[0] in _SETS["asks"] and len(words) > 1)
    return "" if asks or len(words) > _MOST_WORDS or re.search(r"[?？;；。]", name) else name


def looks_like_path(text: str) -> bool:
    """Whether an answer is a name of a file or folder by its form: one word, or a path with little around."""
    longest = _LONGEST_NAME_CJK if has_cjk(text) else len(text)
    if len(text.split()) < 2 and len(text) <= longest:
        return True
    named = [span for span in find_spans(text) if span.kind in (SpanKind.PATH, SpanKind.QUOTE)]
    return len(named) == 1 and _is_filler(blank(text, (named[0],)))


def asks_back(text: str, slot: Slot) -> bool:
    """Whether a text asks what is wanted, and speaks of the parameter alone: `which ones can it be?`."""
    if has_cjk(text):
        return _SAID["asks_back"].search(text) is not None and not re.search(
            r"\w", _SAID["asked"].sub("", _without_talk(_SAID["asks_back"].sub("", text)))
        )
    words = re.findall(r"[a-z']+", text.casefold().replace("’", "'"))
    asks = text.rstrip().endswith("?") or any(word in _SETS["asks"] for word in words[:2])
    known = _KNOWN | _SETS["asks"] | _SETS["asked"]
    own = slot.name_stems | slot.description_stems
    stems = {term.word: term.stem for term in terms(text)}
    return asks and all(word.replace("'", "") in known or stems.get(word) in own for word in words)


#: What may stand around a value and says nothing.
_KNOWN = FUNCTION_WORDS | TALK | _SETS["beside"]
_BESIDE_ZH = "文件夹 目录 文件 用 放 呃 那 进 个 要 选 上 中 内 应该 叫 叫做 名叫 找 搜 一张".split()  # noqa: SIM905
_TALK_ZH = late("|".join(sorted({*CJK_FUNCTION_WORDS, *CJK_TALK, *_BESIDE_ZH}, key=len, reverse=True)))


def _without_talk(text: str) -> str:
    return _TALK_ZH.sub("", text)


def _is_filler(around: str) -> bool:
    """Whether what stands around a value says nothing."""
    words = re.findall(r"[a-z]+", around.casefold())
    if _SAID["turned"].search(around):
        return False
    return all(word in _KNOWN for word in words) and not has_cjk(_without_talk(around))
