"""Names of common languages and their ISO 639-1 codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NAMES = {
    "en": "english 英语 英文", "zh": "chinese mandarin 中文 汉语", "de": "german deutsch 德语",
    "fr": "french 法语",
    "es": "spanish 西班牙语", "it": "italian 意大利语", "pt": "portuguese 葡萄牙语", "ru": "russian 俄语",
    "ja": "japanese 日语", "ko": "korean 韩语", "ar": "arabic 阿拉伯语", "hi": "hindi",
    "nl": "dutch", "sv": "swedish",
    "da": "danish", "no": "norwegian", "fi": "finnish", "pl": "polish", "tr": "turkish", "cs": "czech",
    "el": "greek", "he": "hebrew", "th": "thai", "vi": "vietnamese", "id": "indonesian", "uk": "ukrainian",
    "hu": "hungarian", "ro": "romanian", "la": "latin",
}  # fmt: skip
_CODES = {name: code for code, names in _NAMES.items() for name in names.split()}
_SAID = re.compile(rf"\b(?:{'|'.join(name for name in _CODES if name.isascii())})\b", re.IGNORECASE)
_SAID_CHINESE = re.compile("|".join(name for name in _CODES if not name.isascii()))


def language_code(choice: str, text: str) -> tuple[int, int] | None:
    """Where a text names the language of a code like `da` or `pt-BR`."""
    code = choice.lower().partition("-")[0]
    for match in (*_SAID.finditer(text), *_SAID_CHINESE.finditer(text)):
        if _CODES[match.group().lower()] == code:
            return match.span()
    return None


def named_languages(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Start, end, name and code of each language that a text names."""
    for match in (*_SAID.finditer(text), *_SAID_CHINESE.finditer(text)):
        yield match.start(), match.end(), match.group(), _CODES[match.group().lower()]
