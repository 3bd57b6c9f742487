"""Whether words settle what is pending. Careful: one strange word, and they are about something else."""

from __future__ import annotations

import re
from enum import Enum, auto

from partner_desktop.base.patterns import late
from partner_desktop.domain.intervention import Confirmation

_ASSENT = """
yes|yeah|yep|yup|ya|y|ok|okay|k|kk|sure|sure thing|of course|certainly|absolutely|definitely|agreed
|approve|approved|approve it|approve that|approve this|i approve|i approve it|i approve this
|i approve that|confirm|confirmed|i confirm|accept|accepted|go ahead|go for it
|do it|do that|do so|please do|please do it|please do that|please do so|run it
|run that|start it|execute it|make it so|let's do it|let's do that|lets do it|by all means|allow|allow it
|好|好的|好啊|好呀|好吧|行|行啊|行吧|可以|可以的|可以啊|是|是的|同意|批准|确认|确定
|没问题|当然|执行|执行吧|运行吧|做吧
"""
#: As likely praise, or that something else is right: alone, or after a yes (`yeah right`), it is no yes.
_PRAISE = """
good|great|perfect|fine|fine by me|alright|all right|right|correct|that's right|that is right
|that is fine|that's fine|sounds good|looks good|对|对的|没错|不错|很好|太好了|好极了|真好
|棒|太棒了|完美|就这样|就这样吧
"""
#: As likely to whatever went on before: alone it is no yes, beside one it changes nothing.
_URGING = """
go|go on|proceed|continue|carry on|start|let's go|lets go|why not|👍|✅|嗯|嗯嗯|开始|开始吧|继续|来吧|去吧
"""
_REFUSAL = """
no|nope|nah|n|no way|not now|not yet|not that|not this|don't|do not|don't do it|don't do that
|do not do it|do not do that|don't run it|do not run it|stop|stop it|stop that|cancel|cancel it
|cancel that|cancel this|abort|abort it|never mind|nevermind|never|leave it|leave it be|let it be
|forget it|forget about it|forget that|drop it|drop that|skip it|skip that|skip|reject|reject it
|reject that|rejected|decline|deny|deny it|refuse|i refuse|better not|rather not|i'd rather not|quit
|no thanks|no thank you|👎|❌|不|不要|不用|不用了|不行|不可以|不是|不对|不好|不要了|不了|不做|不做了
|别|别做|别做了|别运行|取消|取消吧|算了|算了吧|停|停止|停下|拒绝|否|没必要|先不要|先不|暂时不要
"""
#: They look like one and mean the other, or nothing for sure.
_UNSURE = """
don't stop|do not stop|never stop|don't cancel|do not cancel|no problem|别停|不要停|别取消|不要取消
"""
_FILLERS = """
please|thanks|thank you|now|then|well|oh|so|partner|just|really|very much|吧|啊|呀|了|哦|嗯|请|谢谢
|那|那就|就|麻烦
"""


class _Says(Enum):
    """What a phrase says of what waits."""

    YES = auto()
    NO = auto()
    PRAISE = auto()
    URGING = auto()
    UNSURE = auto()
    NOTHING = auto()


_APOSTROPHES = late("[’‘`´]")
_MARKS = late(r"[\s,.!;:…~\-—，。！；：、～()（）\ufe0f\U0001f3fb-\U0001f3ff]+")


_SAYS: dict[str, _Says] = {
    phrase.strip(): says
    for phrases, says in (
        (_FILLERS, _Says.NOTHING),
        (_UNSURE, _Says.UNSURE),
        (_ASSENT, _Says.YES),
        (_REFUSAL, _Says.NO),
        (_PRAISE, _Says.PRAISE),
        (_URGING, _Says.URGING),
    )
    for phrase in phrases.split("|")
}


def _ending(phrase: str) -> str:
    return re.escape(phrase) + (r"(?!\w)" if phrase.isascii() else "")


#: The longest phrase first; one of letters ends where its word ends.
_PHRASE = late(rf"\s{{0,9}}({'|'.join(map(_ending, sorted(_SAYS, key=len, reverse=True)))})")
_BY_LENGTH = sorted(_SAYS, key=len, reverse=True)
_FILLED_END = late(r"(?:\s+(?:please|thanks|thank you|now)|吧|啊|谢谢)+$")
_KINDS = {
    _Says.YES: Confirmation.CONFIRM,
    _Says.NO: Confirmation.REJECT,
    _Says.UNSURE: Confirmation.UNCLEAR,
}
#: No assent and no refusal is longer.
_LIMIT = 80


#: After a refusal they are what is refused: `don't approve the second`.
_DOING = frozenset(
    """
    approve|approve it|approve that|confirm|accept|start|start it|go|go on|continue|proceed|run it|run that
    |do it|do that|execute it|allow|allow it|执行|批准|开始|继续|同意|确认
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)


#: What says yes to something that is named in the same breath. `good photos`, `all good` and `都行` are none.
_FIRM = frozenset(
    """
    yes|yeah|yep|yup|y|ok|okay|sure|of course|certainly|absolutely|definitely|agreed|approve|approved
    |i approve|confirm|confirmed|i confirm|accept|accepted|go ahead|do it|please do|run it|allow
    |可以|可以的|是的|好的|同意|批准|确认|确定|执行|没问题
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)


def is_firm(plain: str, rest: str) -> bool:
    """Whether what `lead` or `tail` took of the words says a plain yes, or a no."""
    taken = plain.removesuffix(rest) if plain.endswith(rest) and plain != rest else plain.removeprefix(rest)
    words = taken.strip()
    firm = any(words == yes or words.startswith(f"{yes} " if yes.isascii() else yes) for yes in _FIRM)
    return firm or judge(words) is Confirmation.REJECT


def lead(plain: str) -> tuple[Confirmation | None, str]:
    """The yes or no that lower-case words begin with, and what is left of them.

    `None` where they begin with neither, UNCLEAR where they begin with both.
    """
    kind: Confirmation | None = None
    position = 0
    while (phrase := _PHRASE.match(plain, position)) is not None:
        says = _SAYS[phrase.group(1)]
        refused = kind is Confirmation.REJECT and phrase.group(1) in _DOING
        if says in (_Says.PRAISE, _Says.URGING) and not refused:
            break
        if says is _Says.UNSURE or (kind is Confirmation.CONFIRM and says is _Says.NO):
            return Confirmation.UNCLEAR, plain[phrase.end() :].strip()
        if kind is Confirmation.REJECT and says is _Says.YES and not refused:
            return Confirmation.UNCLEAR, plain[phrase.end() :].strip()
        kind = kind or _KINDS.get(says)
        position = phrase.end()
    return kind, plain[position:].strip()


def tail(plain: str) -> tuple[Confirmation | None, str]:
    """The yes or no that lower-case words end with, and what stands before it."""
    words = _FILLED_END.sub("", plain)
    for phrase in _BY_LENGTH:
        kind = _KINDS.get(_SAYS[phrase])
        before = words[: -len(phrase)]
        if kind is None or not words.endswith(phrase) or (phrase.isascii() and before[-1:].isalnum()):
            continue
        return kind, before.strip()
    return None, plain


def judge(text: str) -> Confirmation:
    """CONFIRM or REJECT only when the whole message is an assent or a refusal.

    UNCLEAR where all of it may as well be praise. What stands in quotes is nobody's yes.
    """
    if len(text) > _LIMIT:
        return Confirmation.OTHER
    plain = _MARKS.sub(" ", _APOSTROPHES.sub("'", text).casefold()).strip()
    said: list[_Says] = []
    position = 0
    while position < len(plain):
        phrase = _PHRASE.match(plain, position)
        if phrase is None:
            return Confirmation.OTHER
        says = _SAYS[phrase.group(1)]
        said += [says] if says is not _Says.NOTHING else []
        position = phrase.end()
    kinds = set(said)
    if not said or _Says.UNSURE in kinds or (_Says.NO in kinds and len(kinds) > 1):
        return Confirmation.OTHER
    if _Says.NO in kinds:
        return Confirmation.REJECT
    # `great, do it` is a yes; `yeah right` and `ok, great` may be anything.
    firm = [says for says in said if says is not _Says.URGING]
    return Confirmation.CONFIRM if firm and firm[-1] is _Says.YES else Confirmation.UNCLEAR
