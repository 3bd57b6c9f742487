"""Small talk: what kind a message is, when all of it is small talk."""

from __future__ import annotations

import re
from enum import StrEnum

from partner_desktop.base.patterns import late


class SmallTalk(StrEnum):
    """Kinds of small talk that have a designed answer; the most telling first."""

    JOKE = "joke"
    HOW_ARE_YOU = "how_are_you"
    WHO_ARE_YOU = "who_are_you"
    WHAT_CAN_YOU_DO = "what_can_you_do"
    LOVE = "love"
    MOOD = "mood"
    PRAISE = "praise"
    SORRY = "sorry"
    BYE = "bye"
    THANKS = "thanks"
    HELLO = "hello"

    @property
    def brief(self) -> bool:
        """Whether a long answer would be too much: the person is done rather than at a beginning."""
        return self in (SmallTalk.PRAISE, SmallTalk.SORRY, SmallTalk.BYE, SmallTalk.THANKS)


_YOU_ARE = r"(?:(?:you|u)(?:'re| are)? )?(?:so |very |really |the |a )*"
_I_AM = r"i(?:'m| am| feel) (?:so |very |a bit |really |feeling )*"
_ASKING = (
    r"(?:(?:can|could|would|will|you|please|tell|know|do|give|say|me|us|another|an?|one|some|more|good) )*"
)
_SO_MUCH = r"(?: (?:so|very) much| a lot| again| partner| for (?:your help|that|this|everything|it))*"
_FRIEND = r"(?: (?:there|you|partner|everyone|all|again|friend|buddy|world))*"
_JOB = r"(?: (?:job|work|one|bot))?"

#: Each pattern describes a whole clause, lower-cased and without punctuation.
_CLAUSES: dict[SmallTalk, tuple[str, ...]] = {
    SmallTalk.JOKE: (
        _ASKING + r"(?:(?:funny )?jokes?|something funny|make (?:me|us) (?:laugh|smile))(?: please)?",
        r"(?:请|你|给我|再|能)*(?:讲|说|来)?(?:一?个|点)?(?:笑话|段子)(?:吧|吗|听听?)?",
    ),
    SmallTalk.HOW_ARE_YOU: (
        r"how (?:are|r) (?:you|u|things)(?: (?:doing|today|feeling|going|now))*",
        r"how(?:'s| is) (?:it going|life)|how do you (?:do|feel)(?: today)?|what'?s up|sup",
        r"are you (?:ok|okay|well|fine|there|awake|alive)",
        r"(?:你|您)(?:好吗|怎么样|最近好吗|还好吗|在吗)|最近怎么样|在吗",
    ),
    SmallTalk.WHO_ARE_YOU: (
        r"who (?:are|r) (?:you|u)|what are you|what(?:'s| is) your name|what should i call you",
        r"(?:please )?(?:introduce yourself|tell me about yourself)|how old are you",
        r"are you (?:an? )?(?:human|robot|bot|ai|real|machine)|where (?:do|are) you (?:live|from)",
        r"(?:你|您)(?:是谁|叫什么(?:名字)?|几岁了?|多大了?)|(?:请)?(?:你)?介绍一下(?:你)?自己",
    ),
    SmallTalk.WHAT_CAN_YOU_DO: (
        r"what (?:can|could|do) you do(?: for me| here| now)*",
        r"what (?:else )?can i (?:ask|do|say)(?: you| here)*",
        r"(?:please )?help(?: me)?|can you help(?: me)?|i need (?:some )?help",
        r"how (?:do|does) (?:you|this) work|how do i use (?:you|this)",
        r"what are your (?:abilities|skills|features|commands)",
        r"(?:你|您)?(?:都)?(?:会|能|可以)(?:做|干)?(?:些)?什么|帮助|(?:你|您)?能帮我(?:做)?什么|怎么用",
    ),
    SmallTalk.LOVE: (
        r"i (?:really )?(?:love|like|adore|miss|hate) (?:you|u)(?: so much| too)?",
        r"do you (?:love|like|hate|miss) me|what is love|(?:will you )?marry me|are you (?:single|married)",
        r"我(?:喜欢|爱|想|讨厌)你|你(?:喜欢|爱)我吗|什么是爱|爱是什么",
    ),
    SmallTalk.MOOD: (
        _I_AM + r"(?:sad|bored|tired|lonely|happy|angry|hungry|down|sick|excited|stressed|fine|good|ok|well)"
        r"(?: today| now| tonight)?",
        r"我?(?:今天)?(?:心情)?(?:好|很|有点|太)?(?:不好|难过|无聊|累|饿|开心|高兴|孤独)了?",
    ),
    SmallTalk.PRAISE: (
        _YOU_ARE + r"(?:great|awesome|smart|nice|cool|good|amazing|wonderful|best|funny|cute)" + _JOB,
        r"well done|(?:i )?like it|(?:你)?(?:真|很|太)?(?:棒|厉害|聪明|不错|可爱)了?",
    ),
    SmallTalk.SORRY: (
        r"(?:i(?:'m| am) )?(?:so |very )?sorry|my bad|never ?mind(?: that)?",
        _YOU_ARE + r"(?:stupid|dumb|useless|bad|wrong)" + _JOB,
        r"对不起|抱歉|没事",
    ),
    SmallTalk.BYE: (
        r"(?:good)?bye(?: bye)?|good ?night|cu|ciao|farewell|take care",
        r"see (?:you|ya|u)(?: (?:later|soon|tomorrow|around))?",
        r"have a (?:nice|good|great) (?:day|evening|weekend|night)|再见|拜拜|晚安|回头见",
    ),
    SmallTalk.THANKS: (
        r"(?:ok |many |a lot of )*(?:thanks?|thx|ty|cheers)(?: (?:you|u))?" + _SO_MUCH,
        r"that(?:'s| was) (?:very )?(?:helpful|kind)",
        r"(?:多|太)?谢(?:谢|了|啦)?(?:你|您)?(?:了)?|感谢(?:你|您)?|辛苦了",
    ),
    SmallTalk.HELLO: (
        r"(?:hi+|hello+|hey+|hiya|howdy|yo|hallo|moin|servus|greetings|welcome|test|testing|ping)" + _FRIEND,
        r"good (?:morning|afternoon|evening|day)(?: partner| to you)?",
        r"(?:你|您|大家)好(?:啊|呀)?|嗨|哈喽|喂|早(?:上好|安)?|下午好|晚上好|中午好|测试",
    ),
}
_PATTERNS = {kind: late("|".join(patterns)) for kind, patterns in _CLAUSES.items()}
_ADDRESS = late(r"^(?:ok|okay|so|well|oh|and|dear)\s{1,9}|\s{1,9}(?:partner|please|today|then|dear)$")
_MARKS = late(r"[,.;:!?，。；：！？、~\n]+")
#: Nothing longer is small talk.
_LIMIT = 200

_OPEN_QUESTION = late(
    r"^(?:please |can you |could you )*(?:what(?:'s| is| are| was| does| do)|why|who|whom|whose"
    r"|when (?:did|was|is|will)|how (?:do|does|did|is|are|can|far|old|tall|come)|explain|describe"
    r"|tell me (?:about|something|a story|a)|write|sing|recommend|do you|are you|should i|which|is it"
    r"|translate)\b"
    r"|什么是|为什么|是什么|怎么|谁是|写一|讲|推荐|翻译|几岁|喜欢什么",
    re.IGNORECASE,
)


def small_talk(text: str) -> SmallTalk | None:
    """The kind when every clause is small talk, that of the most telling clause; else `None`."""
    if len(text) > _LIMIT:
        return None
    plain = _MARKS.sub("\n", text.replace("’", "'").casefold())
    clauses = [" ".join(re.sub(r"[^\w\s']", " ", part).split()) for part in plain.split("\n")]
    kinds = [_kind(clause) for clause in clauses if clause]
    if not kinds or any(kind is None for kind in kinds):
        return None
    return min((kind for kind in kinds if kind is not None), key=list(SmallTalk).index)


def _kind(clause: str) -> SmallTalk | None:
    for said in (clause, _ADDRESS.sub("", clause)):
        kind = next((kind for kind, pattern in _PATTERNS.items() if pattern.fullmatch(said)), None)
        if kind is not None:
            return kind
    return None


def wants_conversation(text: str) -> bool:
    """Whether an unanswerable message asks for talk or knowledge rather than for a deed."""
    return bool(_OPEN_QUESTION.search(text.strip()[:_LIMIT]))
