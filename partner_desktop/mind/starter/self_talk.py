"""SelfTalk: what people ask Partner of itself, and say to it: by the nearest of many examples.

In English their meaning is compared; until the vectors are there, and in Chinese, their words.
"""

from __future__ import annotations

from partner_desktop.language.speech_acts.talk_examples import self_talk_examples
from partner_desktop.language.terms import has_cjk
from partner_desktop.mind.question import ReadSelfTalk, SelfTalk
from partner_desktop.mind.starter.meaning import MeaningIndex

#: From here on an example says the same, and from here on about the same: by meaning, and by words.
_SURE, _LIKELY = 0.66, 0.55
_SURE_WORDS, _LIKELY_WORDS = 0.6, 0.4
#: No example is meant that is called so: such things need a model.
_NONE = "knowledge"
_LONGEST = 160


async def read_self_talk(asked: ReadSelfTalk, meaning: MeaningIndex | None) -> SelfTalk | None:
    """What the words say to Partner, or ask of it; `None`: they are about something else."""
    if len(asked.text) > _LONGEST:
        return None
    examples = self_talk_examples("zh" if has_cjk(asked.text) else "en")
    likely, sure = _LIKELY, _SURE
    near = None
    if meaning is not None and not has_cjk(asked.text):
        near = await meaning.likeness(asked.text, examples.texts)
    if near is None:
        near, likely, sure = examples.by_words(asked.text), _LIKELY_WORDS, _SURE_WORDS
    best = max(range(len(near)), key=near.__getitem__)
    if near[best] < likely or examples.kinds[best] == _NONE:
        return None
    return SelfTalk(examples.kinds[best], sure=near[best] >= sure)
