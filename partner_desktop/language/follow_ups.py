"""Questions about what was shown last: `when was that?`, `what else did I say?`, `and the flight?`.

Whether words such as `that` point back is for `anaphora.py` to say; here is told what is asked about it.
"""

from __future__ import annotations

from re import IGNORECASE

from partner_desktop.base.patterns import late
from partner_desktop.domain.remembered import FollowUp
from partner_desktop.language.anaphora import points_back
from partner_desktop.language.lexicon import word_set
from partner_desktop.language.recollection import read_cue
from partner_desktop.language.terms import stem

_LONGEST = 120
_LEAD = r"^\W*(?:(?:and|so|but|ok(?:ay)?|oh|then|well|wait|那么?|还有|好的?|哦|嗯)[,，]?\s*)*"
#: What somebody asks of a thing that was said, or of the saying.
_ASKS_OF = late(
    rf"{_LEAD}(?:(?:in |on |at |from )?(?:when|who|whom|where|which"
    r"|what (?:day|date|time|year|month|colou?r|kind|sort|size|price|name)"
    r"|how (?:much|many|long|old|often|far|big)|what(?:'s| is| was| were) (?:its|their|the)))\b"
    r"|什么时候|啥时候|哪[天年月家里儿个位]|几[点号月个]|谁|多少|多[大久长远]|叫什么",
    IGNORECASE,
)
#: The saying itself, without a word that points at it.
_OF_THE_SAYING = late(
    rf"{_LEAD}(?:who|when|where) (?:said|did (?:i|you|we) say) so\W*"
    rf"|{_LEAD}[这那]?是?[我你他她]?是?在?(?:谁|什么时候|啥时候|哪[天儿里年]|哪个(?:聊天|对话)里?)"
    r"[说讲提][到起]?过?的[呢啊]?\W*",
    IGNORECASE,
)
_SAY = r"(?:say|said|tell|told|mention|mentioned|write|written|know)"
_PEOPLE = "(?:i|we|you|he|she|they)"
_MORE = late(
    rf"{_LEAD}(?:(?:what|(?:(?:is|was) there )?anything) (?:else|more)"
    rf"(?: (?:did|have|had|do) {_PEOPLE})?(?: ever)?(?: {_SAY})?(?: (?:to )?(?:you|me|us))?"
    rf"|(?:did|have|had) {_PEOPLE} {_SAY}(?: (?:to )?(?:you|me|us))?"
    r" (?:(?:any|some)thing |any ?)?(?:else|more)"
    r"|(?:tell me|show me|is there|give me)? ?(?:some |any )?more)"
    r"(?: (?:about|of|on|there)?\s*(?:it|that|this|them|those|these|there))?\W*"
    r"|^\W*那?(?:关于[这那它]个?)?(?:我们?|你|咱们)?还[有说讲提聊][过到了起]?(?:些?什么|啥|别的|其他的?)?(?:吗|呢|没有)?\W*"
    r"|^\W*(?:还有)?(?:别的|其他的?)[呢吗]\W*",
    IGNORECASE,
)
#: Nothing of a sentence of its own: `and the next step is to copy it` asks for something else.
_SENTENCE = r"(?:is|was|are|were|to|can|should|would)"
_OTHER = late(
    rf"^\W*and\s+(?P<after>(?:the|my|our|his|her|their)\s+(?:(?!\b{_SENTENCE}\b)[^?？]){{2,40}})\W*$"
    rf"|{_LEAD}what about (?P<about>[^?？]{{2,40}})\W*$"
    r"|^\W*(?:那么?|还有|那还有)?[，,]?(?P<zh>[^?？，,\s]{1,12}?)呢\W*$",
    IGNORECASE,
)
#: Words that are said of any talk, and tell nothing of what it was about.
_OF_TALK = frozenset(
    stem(word)
    for word in word_set(
        """
        say said tell told mention mentioned talk talked speak spoke happen happened exactly day date time
        chat conversation year month again precisely 说 讲 提 聊 时候 那 是 天 在 我 你
        """
    )
)


def follow_up(text: str) -> FollowUp | None:
    """What is asked about what was shown last; `None`: the words are about something else."""
    if len(text) > _LONGEST:
        return None
    if _MORE.fullmatch(text):
        return FollowUp("more")
    if _OF_THE_SAYING.fullmatch(text):
        return FollowUp("place")
    if points_back(text) and _ASKS_OF.search(text):
        return FollowUp("detail" if _names_anything(text) else "place")
    other = _OTHER.match(text)
    wanted = (other["after"] or other["about"] or other["zh"]).strip() if other is not None else ""
    return FollowUp("other", wanted) if wanted and _names_anything(wanted) else None


def _names_anything(text: str) -> bool:
    return any(term not in _OF_TALK for term in read_cue(text).terms)
