"""Text as the search index takes it, and the SQL function that the index's triggers call for it.

FTS5's `unicode61` tokenizer (https://sqlite.org/fts5.html#unicode61_tokenizer) takes a run of Chinese or
Japanese for one word, and its `trigram` tokenizer cannot find fewer than three characters, where most
Chinese words have two. So every character of a script that is written without spaces is made a word of its
own; looking for a phrase of them then finds any stretch, of one character or of many, and words of other
scripts are found by their beginnings, all in one index.
"""

from __future__ import annotations

import re
import sqlite3

from partner_desktop.base.patterns import late

#: Kana, Han, Hangul and their extensions. What is in the index was split by this: a change needs a migration.
UNSPACED = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_UNSPACED = late(f"[{UNSPACED}]+")
#: Characters treated in one go. The interpreter is held meanwhile, and with it the window, for a millisecond
#: or two; a whole megabyte of Chinese would hold it for more than a second.
_PORTION = 8_192


def spaced(text: str) -> str:
    """Each character of an unspaced script between spaces; everything else as it is."""
    if text.isascii():
        return text
    portions = (text[at : at + _PORTION] for at in range(0, len(text), _PORTION))
    return "".join([_UNSPACED.sub(_apart, portion) for portion in portions])


def _apart(run: re.Match[str]) -> str:
    return f" {'  '.join(run[0])} "


def install(connection: sqlite3.Connection) -> None:
    """Give the connection `cjk_spaced`; without it, its writes to messages and titles are refused."""
    connection.create_function("cjk_spaced", 1, spaced, deterministic=True)
