"""What the person is told of the model's answers, in the language of the prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

#: Question, and a sentence for the person: why something else than the model's answer stands.
Tell: TypeAlias = Callable[[str, str], None]

_ENGLISH = {
    "unusable": "The model's answer could not be used ({question}); the starter mind answered instead.",
    "failed": "The model did not answer ({question}): {reason} The starter mind answered instead.",
    "silent": "The model did not answer in time ({question}); the starter mind answered instead.",
    "undialogued": "The conversation is too long for the model; it was asked without what was said before "
    "({question}).",
    "empty_reply": "The model's reply was empty; the starter mind answered instead.",
    "reply_failed": "The model did not answer: {reason} Here is what can be said without it.",
    "evaluate_intent": "which ability is meant",
    "pick_ability": "which of the abilities is chosen",
    "extract_params": "the values for an ability",
    "judge_confirmation": "a yes or a no",
    "generate_action": "a new ability",
    "extract_intents": "the parts of a request",
    "read_intervention": "what is to be otherwise",
    "correct_chain": "how to go on",
    "judge_chain": "whether it is done",
    "reply": "the reply",
}
_CHINESE = {
    "unusable": "模型的回答无法使用（{question}），改由入门模式回答。",
    "failed": "模型没有回答（{question}）：{reason} 改由入门模式回答。",
    "silent": "模型没有及时回答（{question}），改由入门模式回答。",
    "undialogued": "对话对模型来说太长了，提问时没有带上之前说过的话（{question}）。",
    "empty_reply": "模型的回复是空的，改由入门模式回答。",
    "reply_failed": "模型没有回答：{reason} 以下是不用模型也能说的话。",
    "evaluate_intent": "指的是哪项能力",
    "pick_ability": "选的是哪项能力",
    "extract_params": "能力所需的值",
    "judge_confirmation": "同意还是不同意",
    "generate_action": "一项新能力",
    "extract_intents": "要求里有哪几件事",
    "read_intervention": "想改动什么",
    "correct_chain": "接下来怎么做",
    "judge_chain": "是否已经做完",
    "reply": "回复",
}
SENTENCES: Mapping[str, Mapping[str, str]] = {"en": _ENGLISH, "zh": _CHINESE}


def sentence(name: str, language: str, *, question: str = "", reason: str = "") -> str:
    """A sentence for the person; `reason` is one itself."""
    words = SENTENCES.get(language, _ENGLISH)
    return words[name].replace("{question}", words.get(question, question)).replace("{reason}", reason)
