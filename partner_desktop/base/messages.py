"""The language that a person is spoken to in, and the catalogue of what Partner says in it.

Contract: `spoken_language` belongs to a task, and the tasks and threads that it starts inherit it. A turn
sets it from its conversation, a run from its record. Where nobody has spoken, the language is that of the
reader that the task works for, a connection's `reader_language`, and else the process's own: the window's, or
the terminal's.

A sentence has an id, `storage.full`: the first part names its file,
`resources/messages/storage.LANGUAGE.toml`, and the rest its place there. Where there is no such file, the id
is one of `actions.LANGUAGE.toml`. Sentences are filled by `str.format`. A file is read when a sentence of it
is first shown.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, Literal

from partner_desktop.base.paths import shipped
from partner_desktop.base.prompts import LANGUAGES, messages
from partner_desktop.base.text import shown

#: One of `LANGUAGES`; empty: nobody has spoken yet.
spoken_language: ContextVar[str] = ContextVar("spoken_language", default="")
#: The same of who reads the answer to a request from another process; empty: whoever reads this process.
reader_language: ContextVar[str] = ContextVar("reader_language", default="")

#: What is said where nobody has spoken, and where the messages are that belong to no topic of their own.
_USUAL, _NO_TOPIC = LANGUAGES[0], "actions"
_process = {"language": _USUAL}


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak `language` within the block."""
    token = spoken_language.set(language)
    try:
        yield
    finally:
        spoken_language.reset(token)


def set_process_language(language: str) -> None:
    """What this process speaks to its own person; English where it is none of `LANGUAGES`."""
    _process["language"] = language if language in LANGUAGES else _USUAL


def current_language() -> str:
    """What is spoken here and now: one of `LANGUAGES`."""
    return spoken_language.get() or reader_language.get() or _process["language"]


def system_language() -> Literal["en", "zh"]:
    """The language of the system, as far as it is one of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        said = os.environ.get(name, "")
        if said:
            return "zh" if said.lower().startswith("zh") else "en"
    return "en"


def sentence_of(message_id: str, /, **values: object) -> str:
    """One sentence by its id (`not_found`, `storage.full`), in the language of this task.

    Values that are errors or a `LazySentence` are said in that language, too.

    Raises:
        KeyError: There is no such sentence, or a value of it is missing.
    """
    return str(_entry(message_id)).format(**values)


class LazySentence:
    """A sentence that is made when it is shown, in the language of whoever sees it then."""

    def __init__(self, message_id: str, /, **values: object) -> None:
        self.message_id = message_id
        self.values = values

    def __str__(self) -> str:
        return shown_sentence(self.message_id, self.values)


def shown_sentence(message_id: str, values: Mapping[str, object]) -> str:
    """The same as `sentence_of`, on the way of an error to the person, where nothing may fail any more.

    What has no sentence shows its id and its values. Values are told with every sign visible, on as many lines
    as they have: names, keys and ids in them came from outside.
    """
    values = {
        name: shown(value, lines="\n" in value) if isinstance(value, str) else value
        for name, value in values.items()
    }
    try:
        return sentence_of(message_id, **values)
    except (KeyError, ValueError):
        return " ".join([message_id, *(f"{name}={value}" for name, value in values.items())])


def system_reason(error: OSError) -> object:
    """Why the system refused, to be put into a sentence."""
    name = errno.errorcode.get(error.errno or 0, "")
    # What we ourselves give as a reason says more than the number beside it.
    known = name in messages("system", _USUAL) and error.strerror == os.strerror(error.errno or 0)
    return LazySentence(f"system.{name}") if known else error.strerror or error


def sentences_joined(sentences: Iterable[object]) -> str:
    """Sentences behind each other, as the language of this task writes them."""
    return sentence_of("common.gap").join(map(str, sentences))


def with_full_stop(text: str) -> str:
    """A foreign sentence with its end, where it has none."""
    text = text.rstrip()
    return text if not text or text[-1] in ".!?…。！？:：" else text + sentence_of("common.full_stop")


def counted_words(noun: str, count: int) -> str:
    """A number of things: `1 item`, `1,204 items`."""
    one, many = _entry(f"counted.{noun}")
    return str(one if count == 1 else many).format(count=f"{count:,}")


def nth_word(message_id: str, place: int) -> str:
    """One of several names by its place: the days of a week, for one."""
    return str(_entry(message_id)[place])


@cache
def _topics() -> frozenset[str]:
    return frozenset(path.name.partition(".")[0] for path in (shipped("resources") / "messages").iterdir())


def _entry(message_id: str) -> Any:  # noqa: ANN401 - a sentence, or several
    topic, _, place = message_id.partition(".")
    if topic not in _topics():
        topic, place = _NO_TOPIC, message_id
    found: Any = messages(topic, current_language())
    for part in place.split("."):
        if not isinstance(found, dict):
            raise KeyError(message_id)
        found = found[part]
    return found


def size_text(size_bytes: int) -> str:
    """`312 bytes`, `4.2 MB`."""
    size = float(size_bytes)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return sentence_of("size.bytes", count=f"{size:.0f}") if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError("unreachable")
