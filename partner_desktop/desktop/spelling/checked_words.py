"""Which words of a text are looked up: those of prose. No code, paths, links, names of files, abbreviations,
numbers, and nothing of a script that is not written in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: What is passed over as a whole.
_NO_PROSE = re.compile(
    r"`[^`\n]*`?"  # code
    r"|\b[\w+.-]+://\S+|\bwww\.\S+"  # links
    r"|\S+@\S+|@\S+"  # addresses, names behind an at sign
    r"|\S*[/\\]\S*"  # paths, commands
    r"|[\w-]+(?:\.[\w-]+)+"  # files, hosts, versions
    r"|(?<!\S)--?\w[\w=-]*"  # options
    r"|[#$%]\w+|\S*[=<>{}|_]\S*"  # tags, variables, code
)
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_PLAIN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
#: Ideographs, kana, hangul, Thai and its neighbours: no spaces between words, or no dictionary of this kind.
_OTHER_SCRIPT = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
_LONGEST = 40
FENCE = "```"


def checked_words(line: str) -> Iterator[tuple[int, str]]:
    """Where each stands in a line, and the word."""
    prose = _NO_PROSE.sub(lambda found: " " * len(found[0]), line)
    for found in _WORD.finditer(prose):
        word = found[0]
        if (
            1 < len(word) <= _LONGEST
            and _PLAIN.fullmatch(word)
            and not any(letter.isupper() for letter in word[1:])  # `SQL`, `iPhone`
            and not _OTHER_SCRIPT.search(word)
        ):
            yield found.start(), word
