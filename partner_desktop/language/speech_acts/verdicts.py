"""What words decide of the cards that wait: which yes, which no, and what is wanted otherwise: `yes, but
only the PDFs`, `in ~/Music instead`.

Careful: what is not read to its last word approves nothing. A hesitant yes, one with a condition and one
that could mean several cards are unclear, and the person is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from partner_desktop.base.patterns import late
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.intervention import Confirmation, Settled, Verdict
from partner_desktop.language.references import (
    NO_MORE_NAMES,
    AlsoCalled,
    Pointed,
    is_ours,
    is_place,
    pointed_at,
    says_something,
)
from partner_desktop.language.speech_acts.confirmation import is_firm, judge, lead, tail

_FIRM = r"only|just|with|without|in|into|to|from|at|use|using|set|make it|make the|change|rather|instead"
_FIRM_ZH = r"只要?|改成|换成|改为|改用|换到|用|把|在|放到|不要"
#: `宽度改成 300`: what is changed stands first.
_CHANGED_ZH = r"[^，,。；\s]{1,8}(?:改成|换成|改为|设为)"
_TURN = late(
    rf"[,;:.]?\s+(?:but|however|though|except)\b\s*|[,;:.]?\s+(?=(?:{_FIRM})\b)"
    rf"|[，,；。]?\s*(?:但是?|不过|可是)[，,]?|[，,；。]?\s*(?={_FIRM_ZH})"
    rf"|[，,；。]\s*(?={_CHANGED_ZH})",
    re.IGNORECASE,
)
_OWN_LEAD = late(rf"(?:{_FIRM})\b|{_FIRM_ZH}", re.IGNORECASE)
#: Without a yes or a no before it only these are about what waits.
_ALONE = late(
    r"but\s+.+|(?:only|just)\s+(?:the|those|that|this|in|with|to|for)\b.+|with(?:out)?\s+.+"
    r"|(?:use|change|set|make)\s+(?:it|that|the)\b.+|.+\binstead\b\W*"
    r"|(?:但是?|不过).+|只要?.+|(?:改成|换成|改为|改用|换到).+|把.+(?:改成|换成|改为|设为).+"
    rf"|{_CHANGED_ZH}.+"
    r"|(?:(?:in|for|with)\s+)?(?:the\s+)?(?:step\s+\d{1,2}|(?:first|second|third|last)\s+step)\W*"
    r"(?:should|must|has\s+to|needs\s+to|use|takes?|with|to|in|on|at|is|be)\b.+"
    r"|第.{1,2}步(?:要|应该|请)?(?:用|改用|处理|压缩).+",
    re.IGNORECASE,
)
#: `no, ~/Music`; `no, zip ~/Documents instead`.
_REPLACED = re.compile(
    r"(?:no|nope|not that(?: one)?|不|不是|不对)\s*[,，.。:：;\s]\s*(?:i mean[t]?\s+)?"
    r"(?P<rest>(?:(?:use|take|in|with|用|是)\s*)?[\"“「]?[~/][^\s,，]*[\"”」]?|.+\binstead)\W*",
    re.IGNORECASE,
)
#: `不是 ~/Pictures，是 ~/Music`; `not ~/Pictures but ~/Music`.
_EXCHANGED = late(
    r"(?:不对?[，,。\s]*)?(?:不是|不要)\s*(?P<old_zh>[^，,。；\s]{1,80})\s*[，,。；\s]\s*(?:而是|是|要)\s*"
    r"(?P<new_zh>[^，,。；\s]{1,80})\W*"
    r"|(?:no[\s,]+)?not\s+(?P<old>\S{1,80}?),?\s+but\s+(?:rather\s+)?(?P<new>\S{1,80}?)[\s.!]*",
    re.IGNORECASE,
)
_BUT = late(r"(?:but|however|但是?|不过|可是)[\s,，]*", re.IGNORECASE)


@dataclass(frozen=True)
class Amendment:
    """What is wanted otherwise."""

    head: str
    """The yes or no before it; empty where there is none."""
    rest: str
    firm: bool = True
    """It names a change; after a mere `but` anything may come."""


def amendments(text: str) -> list[Amendment]:
    """Every way to read the text as one, the likeliest first; the caller knows what the heads mean."""
    replaced = _REPLACED.fullmatch(text.strip())
    if replaced is not None:
        return [Amendment("", replaced["rest"])]
    exchanged = _EXCHANGED.fullmatch(text.strip())
    if exchanged is not None:
        return [Amendment("", _exchange(exchanged))]
    turns = [turn for turn in _TURN.finditer(text) if text[: turn.start()].strip()]
    found = [(text[: turn.start()].strip(), text[turn.end() :].strip()) for turn in turns]
    read = [Amendment(head, rest, firm=bool(_OWN_LEAD.match(rest))) for head, rest in found if rest]
    if _ALONE.fullmatch(text.strip()):
        read.append(Amendment("", _BUT.sub("", text.strip(), count=1)))
    return read


def is_replaced(text: str) -> bool:
    """Whether the text is a no to a value, with another in its place."""
    return any(form.fullmatch(text.strip()) for form in (_REPLACED, _EXCHANGED))


def _exchange(said: re.Match[str]) -> str:
    """In the words in which one value in the place of another is understood."""
    if said["new_zh"]:
        return f"把 {said['old_zh']} 换成 {said['new_zh']}"
    return f"{said['new']} instead of {said['old']}"


#: A longer text says more than yes and no.
_LONGEST = 200
_CLAUSES = late(r"[,，;；。.!！、\n:：]+(?!\d)|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_JOINTS = late(r"\s+(?:and|but|while)\s+|但是?|而")
_DO = late(r"\b(?:do|run|start|take|approve|allow|execute)\s+|(?:运行|执行|做|批准|同意)")
_DO_NOT = late(r"(?:not|drop|reject|decline|deny|skip|cancel|forget|stop|leave out)\s+|拒绝|放弃")
#: After a yes: what others named is approved by that name as a whole only.
_RUN_TITLE = late(r"[\s,:，：]*(?:run\s+|运行\s*)(?P<title>.+)")
_CONDITION = late(
    r"\b(?:if|unless|provided|providing|as long as|assuming|in case|only when|once|after|until)\b"
    r"|如果|要是|除非|假如|的话|只要.*就|等.*再"
)
_ENDS = " .!。！"
_HESITANT = late(
    r"(?:(?:maybe|perhaps|possibly|probably|hm+|um+|well|(?:i'?m )?not sure|i (?:think|guess|suppose)(?: so)?"
    r"|let me (?:think|see)|wait|hold on|one moment|just a (?:moment|second)|i don'?t know|later"
    r"|yes|ok|no)\W*)+"
    r"|(?:也许|可能|或许|大概|应该可以|不确定|不知道|我?(?:再)?想想|让我想想|等等|等一下|稍等|再说|待会儿?再说)\W*",
    re.IGNORECASE,
)
_MAYBE = late(r"(?:maybe|perhaps|possibly|probably)\b\W*|(?:也许|可能|或许|大概)\W*", re.IGNORECASE)
#: `go to the folder` is one thing, `go, to the folder` are two.
_PARTED = late(r"\s*(?:[,;:.，；。]|but\b|however\b|但|不过|可是)", re.IGNORECASE)
_UNCLEAR = Verdict(Confirmation.UNCLEAR)
_OTHER = Verdict(Confirmation.OTHER)


def read(text: str, pending: Sequence[ActionRecord], also_called: AlsoCalled = NO_MORE_NAMES) -> Verdict:
    """The verdict on what is pending; on a question in words only whether it is plainly refused.

    `also_called`: key of an ability → other ways to ask for it, by which a card may be named.
    """
    plain = judge(text)
    cards = [card for card in pending if card.status is ActionStatus.WAITING]
    if not cards or len(cards) != len(pending) or len(text) > _LONGEST:
        return Verdict(plain)
    if plain is not Confirmation.OTHER:
        sure = plain is not Confirmation.UNCLEAR and len(cards) == 1
        return Verdict(plain, (Settled(cards[0].id, plain),)) if sure else _UNCLEAR
    said = text.strip()
    asking = said.endswith(("?", "？"))
    verdict = _by_title(_plain(said), cards, also_called)
    # A path names no card that was asked for with it: `no, ~/Music` wants the only one with that.
    if verdict is None and not (len(cards) == 1 and is_replaced(said)):
        verdict = _decided(_plain(said), cards, also_called)
    if verdict is not None:
        return _UNCLEAR if asking else verdict
    if is_place(_plain(said)) and any(card.chain is not None for card in cards):
        return _UNCLEAR  # `the first one`, of a chain: nobody can tell whether that is a yes
    maybe = _MAYBE.match(said)
    perhaps_it = maybe is not None and _clause(_plain(said[maybe.end() :]), cards, also_called) is not None
    if perhaps_it or _HESITANT.fullmatch(said) or _conditional(said):
        return _UNCLEAR
    changes = [] if asking else amendments(said)
    found = [
        verdict for change in changes if (verdict := _amended(change, said, cards, also_called)) is not None
    ]
    return next((one for one in found if one.settled), found[0] if found else _OTHER)


def _plain(text: str) -> str:
    return " ".join(re.sub("[’‘`´]", "'", text).casefold().rstrip("?？ ").split())


def _conditional(text: str) -> bool:
    """A yes with a condition; `if` without a yes is about something else."""
    plain = _plain(text)
    condition = _CONDITION.search(plain)
    if condition is None:
        return False
    kinds = (lead(plain)[0], judge(plain[: condition.start()]))
    return Confirmation.CONFIRM in kinds or Confirmation.UNCLEAR in kinds


def _amended(
    change: Amendment, said: str, cards: Sequence[ActionRecord], also_called: AlsoCalled
) -> Verdict | None:
    doubtful = judge(change.head) is Confirmation.UNCLEAR
    if (not change.head and len(cards) > 1) or (doubtful and not _PARTED.match(said, len(change.head))):
        return None
    if not change.head:
        return Verdict(
            Confirmation.AMEND, (Settled(cards[0].id, Confirmation.AMEND),), change.rest, bare=True
        )
    head = read(change.head, cards, also_called)
    if doubtful and len(cards) == 1:  # `great, but only the PDFs`
        head = Verdict(Confirmation.CONFIRM, (Settled(cards[0].id, Confirmation.CONFIRM),))
    if head.kind in (Confirmation.OTHER, Confirmation.AMEND):
        return None
    if (
        len(head.settled) != 1
        or _HESITANT.fullmatch(change.rest)
        or judge(change.rest) is Confirmation.REJECT
    ):
        return _UNCLEAR
    if head.kind is Confirmation.REJECT and not change.firm:
        return _UNCLEAR
    return Verdict(Confirmation.AMEND, (Settled(head.settled[0].action_id, Confirmation.AMEND),), change.rest)


# Yes and no, card by card.


def _by_title(plain: str, cards: Sequence[ActionRecord], also_called: AlsoCalled) -> Verdict | None:
    """`yes, run Zip a folder`: the whole title of a script or of a server's tool, and nothing beside it.

    A title that others wrote could be any sentence, so that words of one are no name.
    """
    kind, left = lead(plain)
    said = _RUN_TITLE.fullmatch(left)
    if kind is not Confirmation.CONFIRM or said is None:
        return None
    title = said["title"].rstrip(_ENDS)
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
    if judge(words) is Confirmation.UNCLEAR:
        return _DOUBTFUL
    done = _DO.search(words) is not None
    for kind, left in (lead(words), tail(words)):
        if kind is None:
            continue
        doing = _DO.match(left)
        rest = left[doing.end() :] if doing is not None else left
        if not rest:
            return _Clause(kind, None)
        pointed = pointed_at(rest, cards, also_called=also_called, done=done)
        if pointed is not None and (kind is not Confirmation.CONFIRM or is_firm(words, left)):
            return _Clause(kind, pointed)
    for verb, meant in ((_DO_NOT, Confirmation.REJECT), (_DO, Confirmation.CONFIRM)):
        if (match := verb.match(words)) is not None:
            left = words[match.end() :]
            pointed = pointed_at(left, cards, by_name=meant is Confirmation.REJECT, also_called=also_called)
            if pointed is not None:
                return _Clause(meant, pointed)
            pointed = pointed_at(left, cards, also_called=also_called, done=done)
            return _Clause(None, pointed, asks=True) if pointed is not None else None
    pointed = pointed_at(words, cards, also_called=also_called)
    return _Clause(None, pointed) if pointed is not None else None


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
