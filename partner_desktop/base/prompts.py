"""The shipped prompts and messages: read once, filled without being read again.

Prompts are `resources/prompts/NAME.LANGUAGE.md`, messages for a person
`resources/messages/NAME.LANGUAGE.toml`.

A placeholder is a name in braces, `{text}`. What is put in for it is never looked at: braces, JSON and
placeholders in a person's words stay what they are.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from partner_desktop.base.paths import shipped

#: The languages that every prompt is there in.
LANGUAGES = ("en", "zh")

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@cache
def prompt_text(name: str, language: str) -> str:
    """A shipped prompt; in English where `language` is none of `LANGUAGES`."""
    return _read(f"prompts/{name}.{{}}.md", language).strip()


@cache
def messages(name: str, language: str) -> dict[str, Any]:  # Any: what TOML says; its reader knows the shape
    """Shipped messages by their ids; in English where `language` is none of `LANGUAGES`."""
    import tomllib  # noqa: PLC0415 - start-up counts every import

    return tomllib.loads(_read(f"messages/{name}.{{}}.toml", language))


def _read(path: str, language: str) -> str:
    spoken = language if language in LANGUAGES else LANGUAGES[0]
    return (shipped("resources") / path.format(spoken)).read_text(encoding="utf-8")


def placeholders(template: str) -> frozenset[str]:
    """What a prompt wants to be filled with."""
    return frozenset(_PLACEHOLDER.findall(template))


def filled(template: str, /, **values: str) -> str:
    """The prompt with its placeholders replaced.

    Raises:
        KeyError: A placeholder has no value, or a value no placeholder.
    """
    parts = _PLACEHOLDER.split(template)
    if spare := values.keys() - set(parts[1::2]):
        raise KeyError(*sorted(spare))
    return "".join(values[part] if index % 2 else part for index, part in enumerate(parts))
