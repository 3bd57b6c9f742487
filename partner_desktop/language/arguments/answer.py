"""An answer to the question for one parameter: the whole message is its value, when it can be."""

from __future__ import annotations

import re

from partner_desktop.base.patterns import late
from partner_desktop.domain.intervention import Confirmation
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.conversion import Need, UnfitError, path_text, to_value
from partner_desktop.language.arguments.cues import cues_of
from partner_desktop.language.arguments.offers.choices import choice_offers, single_choice
from partner_desktop.language.arguments.offers.distribution import Reading
from partner_desktop.language.arguments.offers.number_offers import moment_offers, wants_moment
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.spans import SpanKind, blank, find_spans, unquoted
from partner_desktop.language.speech_acts.confirmation import judge
from partner_desktop.language.values.moments import Moment

_BEFORE = late(
    r"^(?:(?:please|ok(?:ay)?|sure|yes|well|maybe|i think|use|take|try"
    r"|let'?s (?:use|take)|it'?s|it is|that'?s|that is|in|at|from|inside|under|on"
    r"|the one (?:in|at|called|named)"
    r"|(?:the |a )?(?:file|folder|directory|path)(?: (?:is|called|named|at))?)\b(?![./\\])[,:]?\s{1,9}"
    r"|(?:请|用|就用|就|在|它在|是|文件是|文件夹是)(?:\s{1,9}|(?=[!-~])))+",
    re.IGNORECASE,
)
_AFTER = late(
    r"(?:[\s,]{1,9}(?:please|thanks|thank you|i think|for me|then))+[.!]*$|[,，]?\s{0,9}(?:谢谢|吧)[。！!]*$",
    re.IGNORECASE,
)
#: What may stand around a path without being part of it.
_AROUND = late(
    r"(?:please|use|take|try|it|its|it's|is|in|at|from|the|one|file|folder|directory|path|called|named|i|think|should"
    r"|be|would|maybe|under|inside|thanks|文件夹?|里|的|吧|请|用|在|是|目录|[\s,.!?，。！？:])*",
    re.IGNORECASE,
)

#: Where an answer turns to something else that it also wants.
_TURN = late(
    r"[,;]?\s{0,9}\b(?:but|and (?=only)|though|however)\b\s{0,9}|[,，;]\s{0,9}(?=only\b|without\b|just\b)"
    r"|[，,]?(?:但是?|不过|只要|只)",
    re.IGNORECASE,
)

#: Longer than any file system takes.
_LONGEST_PATH = 4_096


def read_answer(text: str, slot: Slot, info: MetaActionInfo, moments: tuple[Moment, ...] = ()) -> Json:
    """The value that an answer gives.

    Raises:
        UnfitError: It gives none; its `need` says what would do.
    """
    if slot.is_path and not slot.is_list:
        return _path_answer(text)
    if wants_moment(slot) and (
        offers := moment_offers(Reading(text, info, moments), slot, cues_of(text, [slot])[0])
    ):
        return max(offers, key=lambda offer: offer.score).value
    try:
        return to_value(text, slot)
    except UnfitError:
        meant = single_choice(choice_offers(text, slot, cues_of(text, [slot])[0])) if slot.choices else None
        if meant is None or slot.is_list:
            raise
        return meant


def head_and_rest(text: str) -> tuple[str, str]:
    """`yes, but only PDFs` → `yes` and `only PDFs`; an empty rest where there is no such turn."""
    turn = _TURN.search(text)
    if turn is None or not text[: turn.start()].strip():
        return text, ""
    return text[: turn.start()].strip(" ,，"), text[turn.end() :].strip()


def _path_answer(text: str) -> str:
    if len(text) > _LONGEST_PATH or "\n" in text.strip() or "\0" in text:
        raise UnfitError(Need.PATH)
    named = _named_path(text)
    if named is not None:
        return path_text(named)
    if judge(text) is Confirmation.CONFIRM or (text.rstrip().endswith(("?", "？")) and len(text.split()) > 1):
        raise UnfitError(Need.PATH)  # nobody means a file called `yes` or `is it safe?`, unless in quotes
    path = path_text(_AFTER.sub("", _BEFORE.sub("", unquoted(text))))
    if not path:
        raise UnfitError(Need.PATH)
    return path


def looks_like_path(text: str) -> bool:
    """Whether an answer is a name of a file or folder by its form: one word, or a path with little around."""
    return len(text.split()) < 2 or _named_path(text) is not None


def _named_path(text: str) -> str | None:
    """The one path or quotation that all of a text is about."""
    spans = find_spans(text)
    named = [span for span in spans if span.kind in (SpanKind.PATH, SpanKind.QUOTE)]
    alone = len(named) == 1 and _AROUND.fullmatch(blank(text, (named[0],)))
    return named[0].value if alone else None
