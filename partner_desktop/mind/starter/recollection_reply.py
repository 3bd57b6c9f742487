"""What to say of what was said earlier: the passage as it was said, its day, and the place in the chat."""

from __future__ import annotations

import re

from partner_desktop.domain.evidence import Remembered
from partner_desktop.domain.message import place_address
from partner_desktop.domain.remembered import PARTNER, PERSON, RecalledPassage, RememberedTurn
from partner_desktop.mind.starter.phrases import Phrases
from partner_desktop.mind.starter.results import inline

_LONGEST_TURN = 700
#: What Partner answered beside the turn that was looked for is there to know the place by.
_LONGEST_ANSWER = 160
_LINK = re.compile(r"\[([^\]\n]*)\]\(partner:[^)\s]*\)")
#: Further passages are told while they fit nearly as well as the best.
_MORE = 2
_NEARLY = 0.8


def remembered(evidence: Remembered, phrases: Phrases) -> str:
    """The best passage whole, and where others are."""
    if not evidence.passages:
        return phrases.nothing_remembered
    best, *others = evidence.passages
    lead = phrases.remembered.format(day=phrases.day(best.hit.turn.at), title=inline(best.hit.turn.title))
    lines = [lead, "", *_quoted(best, phrases), "", _link(best.hit.turn, phrases.show_place)]
    near = [each for each in others if each.hit.score >= _NEARLY * best.hit.score and not _only_asks(each)]
    if near:
        lines += ["", phrases.remembered_too, ""]
        lines += [f"- {_short(each.hit.turn, phrases)}" for each in near[:_MORE]]
    return "\n".join(lines)


def said_of_today(turn: RememberedTurn, phrases: Phrases) -> str:
    """A remark on what the person said about this day."""
    day = _link(turn, phrases.day(turn.at))
    return phrases.said_of_today.format(day=day, text=inline(turn.text))


def _only_asks(passage: RecalledPassage) -> bool:
    return passage.hit.turn.speaker == PERSON and bool(passage.hit.signals.get("asks"))


def _quoted(passage: RecalledPassage, phrases: Phrases) -> list[str]:
    """A line each, as a quotation: who, and what."""
    lines: list[str] = []
    for turn in passage.turns:
        beside = turn.speaker == PARTNER and turn.message_id != passage.hit.turn.message_id
        limit = _LONGEST_ANSWER if beside else _LONGEST_TURN
        said = _unquoted(turn.text, only_first=beside) if turn.speaker == PARTNER else turn.text
        lines += [f"> **{_who(turn, phrases)}** {inline(said, limit=limit)}", ">"]
    return lines[:-1]


def _unquoted(text: str, *, only_first: bool) -> str:
    """What Partner said without marks, and without what it quoted itself, which nobody could read."""
    own = "\n".join(line for line in text.splitlines() if not line.startswith(">"))
    said = own.strip().partition("\n\n")[0] if only_first else own
    return _LINK.sub(r"\1", said).replace("**", "") or text


def _who(turn: RememberedTurn, phrases: Phrases) -> str:
    if turn.speaker == PERSON:
        return phrases.you_said
    return (
        phrases.i_said if turn.speaker == PARTNER else phrases.somebody_said.format(name=inline(turn.speaker))
    )


def _short(turn: RememberedTurn, phrases: Phrases) -> str:
    return f"{_link(turn, phrases.day(turn.at))} {inline(turn.text, limit=120)}"


def _link(turn: RememberedTurn, words: str) -> str:
    return f"[{words}]({place_address(turn.message_id, turn.conversation_id)})"
