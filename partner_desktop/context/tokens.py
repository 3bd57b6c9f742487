"""TokenCounter: how long a text is for a model. An estimate until a model's own tokenizer takes its place."""

from __future__ import annotations

from typing import Protocol

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \n\t"
_ASCII = bytes(range(128))

#: Characters of English words and spaces in one token: vocabularies of 32,000 to 150,000 entries have 3.8
#: to 4.7.
_LETTERS_PER_TOKEN = 4.0
#: Digits and signs in one token: numbers go in groups of up to three, most signs alone.
_SIGNS_PER_TOKEN = 1.6
#: UTF-8 bytes outside ASCII in one token: a Chinese character has three and is about one token.
_BYTES_PER_TOKEN = 2.7


class TokenCounter(Protocol):
    """Must be pure and safe on any thread; `name` tells it apart from others (caches are kept by it)."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int:
        """Tokens of `text`, 0 for none."""
        ...


class EstimatedTokens:
    """Counts bytes by their kind: fast, and rather too many tokens than too few."""

    name = "estimate"

    def count(self, text: str) -> int:
        raw = text.encode("utf-8", "replace")
        rest = raw.translate(None, _LETTERS)
        wide = len(rest.translate(None, _ASCII)) if not text.isascii() else 0
        signs = len(rest) - wide
        letters = len(raw) - len(rest)
        return -int(-(letters / _LETTERS_PER_TOKEN + signs / _SIGNS_PER_TOKEN + wide / _BYTES_PER_TOKEN) // 1)
