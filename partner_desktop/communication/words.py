"""What is told of a prompt's length, in the language of the prompts."""

from __future__ import annotations

from collections.abc import Mapping

_ENGLISH = {
    "nearly_title": "The conversation is getting long",
    "nearly": (
        "It takes {prompt} of the {room} tokens that {model} can read at once. When there is no more room, "
        "the oldest messages are left out; they stay in the chat."
    ),
    "left_title": "The oldest messages no longer fit",
    "left_one": (
        "The oldest message no longer fits into the model's memory of {context} tokens; it stays in the chat."
    ),
    "left": (
        "The oldest {number} messages no longer fit into the model's memory of {context} tokens; they stay "
        "in the chat."
    ),
    "left_by_number": (
        "The oldest {number} messages are no longer sent to the model, which gets the newest of a long "
        "conversation; they stay in the chat."
    ),
    "cut_title": "This message is very long",
    "cut": (
        "It does not fit into the memory of {model} ({context} tokens), so only its beginning and its end "
        "were sent. It stays in the chat as it is; in smaller parts all of it is read."
    ),
    "too_long": (
        "I cannot answer this: even without everything older it takes {prompt} tokens, and the model "
        "holds {context} together with its answer. Say it in smaller parts, or choose a model with a larger "
        "context."
    ),
    "the_model": "the model",
}
_CHINESE = {
    "nearly_title": "对话变长了",
    "nearly": (
        "它占了 {model} 一次能读的 {room} 个词元中的 {prompt} 个。"
        "放不下时，最早的消息不再发送给模型，但仍留在聊天记录里。"
    ),
    "left_title": "最早的消息放不下了",
    "left_one": "最早的一条消息放不进模型 {context} 个词元的记忆了；它仍留在聊天记录里。",
    "left": "最早的 {number} 条消息放不进模型 {context} 个词元的记忆了；它们仍留在聊天记录里。",
    "left_by_number": (
        "最早的 {number} 条消息不再发送给模型：长对话只发送最近的消息；它们仍留在聊天记录里。"
    ),
    "cut_title": "这条消息很长",
    "cut": (
        "它放不进 {model} 的记忆（{context} 个词元），所以只发送了开头和结尾。"
        "原文仍留在聊天记录里；分成小段就能全部读到。"
    ),
    "too_long": (
        "我无法回答：即使去掉所有较早的内容，它仍需要 {prompt} 个词元，"
        "而模型连同回答一共只能容纳 {context} 个。请分成小段来说，或选用上下文更大的模型。"
    ),
    "the_model": "模型",
}
WORDS: Mapping[str, Mapping[str, str]] = {"en": _ENGLISH, "zh": _CHINESE}


def words(name: str, language: str, *, model: str = "", **numbers: int) -> str:
    """A sentence for the person; numbers with their thousands set apart."""
    known = WORDS.get(language, _ENGLISH)
    spoken = {key: f"{value:,}" for key, value in numbers.items()}
    return known[name].format(model=model or known["the_model"], **spoken)
