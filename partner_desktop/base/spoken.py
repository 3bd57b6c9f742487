"""The language that a person is spoken to in, and the sentences about actions in it.

Contract: `spoken_language` belongs to a task, and the tasks and threads that it starts inherit it. A turn
sets it from its conversation, a run from its record.

The sentences are `resources/messages/actions.LANGUAGE.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from partner_desktop.base.prompts import LANGUAGES, messages

#: One of `LANGUAGES`; empty: nobody has spoken yet, which is English.
spoken_language: ContextVar[str] = ContextVar("spoken_language", default="")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak `language` within the block."""
    token = spoken_language.set(language)
    try:
        yield
    finally:
        spoken_language.reset(token)


def sentence_of(message_id: str, /, **values: object) -> str:
    """One sentence by its id (`not_found`, `files.moved`), in the language of this task.

    Raises:
        KeyError: There is no such sentence, or a value of it is missing.
    """
    return str(_entry(message_id)).format(**values)


def counted_words(noun: str, count: int) -> str:
    """A number of things: `1 item`, `1,204 items`."""
    one, many = _entry(f"counted.{noun}")
    return str(one if count == 1 else many).format(count=f"{count:,}")


def nth_word(message_id: str, place: int) -> str:
    """One of several names by its place: the days of a week, for one."""
    return str(_entry(message_id)[place])


def _entry(message_id: str) -> Any:  # noqa: ANN401 - a sentence, or several
    found: Any = messages("actions", spoken_language.get() or LANGUAGES[0])
    for part in message_id.split("."):
        found = found[part]
    return found
