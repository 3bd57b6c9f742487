"""Count words, lines and characters in a text file, and estimate the reading time.

Called as `run.py --file=PATH`; the same comes as a JSON object on stdin. One JSON object on stdout.
A sample to copy from: standard library only, any size of file, the usual encodings of text.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import stat
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

CHUNK_CHARACTERS = 1024 * 1024
SAMPLE_BYTES = 64 * 1024
#: Different words remembered; in a larger text their number would only cost memory.
MAX_UNIQUE = 1_000_000
#: What goes on longer than this without a blank is counted in pieces.
MAX_WORD = 64 * 1024
#: Words a minute; Chinese and Japanese characters a minute.
WORDS_A_MINUTE, CHARACTERS_A_MINUTE = 230, 400

CJK = "\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
#: Each Chinese or Japanese character by itself, or a run of anything else but blanks.
TOKEN = re.compile(rf"[{CJK}]|[^\s{CJK}]+")
CHARACTER = re.compile(rf"[{CJK}]")
LETTER = re.compile(r"[^\W_]")
LINE_END = re.compile(r"\r\n|\n|\r")
MARKS_AROUND = "\"'“”‘’.,;:!?()[]{}<>*_#`~«»…，。；：！？、（）「」《》"
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


CHINESE = os.environ.get("PARTNER_LANG", "").startswith("zh")


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if CHINESE else english


class CannotCountError(Exception):
    """Why the file cannot be counted, as a sentence."""


@dataclass
class Counts:
    """What was counted so far."""

    words: int = 0
    cjk: int = 0
    lines: int = 0
    characters: int = 0
    visible: int = 0
    """Characters that are not blanks."""
    unique: set[str] = field(default_factory=set)
    carry: str = ""
    """The end of the last chunk: its last word may go on."""
    last: str = ""

    def add(self, text: str) -> None:
        """Count a chunk."""
        if not text:
            return
        self.characters += len(text)
        self.visible += sum(map(len, text.split()))
        self.lines += len(LINE_END.findall(text)) - (self.last == "\r" and text[0] == "\n")
        self.last = text[-1]
        text = self.carry + text
        self.carry = "" if text[-1].isspace() else text.rsplit(None, 1)[-1]
        if len(self.carry) > MAX_WORD:
            self.carry = ""
        self._count_words(text[: len(text) - len(self.carry)])

    def close(self) -> None:
        """Count what is left: the last word, and a last line without an end."""
        self._count_words(self.carry)
        self.carry = ""
        self.lines += self.last not in ("", "\r", "\n")

    def _count_words(self, text: str) -> None:
        for token, times in Counter(TOKEN.findall(text)).items():
            if LETTER.search(token):
                self.words += times
                self.cjk += times * bool(CHARACTER.match(token))
                if len(self.unique) < MAX_UNIQUE:
                    self.unique.add(token.strip(MARKS_AROUND).casefold())

    @property
    def minutes(self) -> float:
        return (self.words - self.cjk) / WORDS_A_MINUTE + self.cjk / CHARACTERS_A_MINUTE


def arguments() -> dict[str, object]:
    """The arguments from `--key=value`, and from stdin where the command line has none."""
    given: dict[str, object] = {}
    for part in sys.argv[1:]:
        name, equals, value = part.removeprefix("--").partition("=")
        if part.startswith("--") and equals:
            given[name] = value
    if given or sys.stdin is None or sys.stdin.isatty():
        return given
    try:
        payload = json.loads(sys.stdin.buffer.read() or b"{}")
    except ValueError:
        return {}
    return payload if isinstance(payload, dict) else {}


def shown(path: Path) -> str:
    """A path for people: valid text in one line, the home folder short."""
    text = str(path)
    home = os.environ.get("HOME", "").rstrip(os.sep)
    if home and text.startswith(home + os.sep):
        text = "~" + text[len(home) :]
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def check(path: Path) -> None:
    """Only a regular file can be counted: a pipe would never end."""
    kind = path.stat().st_mode
    if stat.S_ISDIR(kind):
        raise CannotCountError(
            told(
                f"{shown(path)} is a folder; I count one text file at a time.",
                f"{shown(path)} 是文件夹；我一次统计一个文本文件。",
            )
        )
    if not stat.S_ISREG(kind):
        raise CannotCountError(told(f"{shown(path)} is not a regular file.", f"{shown(path)} 不是普通文件。"))


def encoding_of(path: Path) -> str:
    """How the file's text is encoded, by its beginning."""
    with path.open("rb") as file:
        sample = file.read(SAMPLE_BYTES)
    for mark, name in BYTE_ORDER_MARKS:
        if sample.startswith(mark):
            return name
    if b"\0" in sample:
        raise CannotCountError(
            told(f"{shown(path)} does not look like a text file.", f"{shown(path)} 看起来不是文本文件。")
        )
    for name in ("utf-8", "gb18030"):
        if decodes(sample, name) and (name == "utf-8" or paired(sample)):
            return name
    if len(re.findall(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]", sample)) > len(sample) / 50:
        raise CannotCountError(
            told(f"{shown(path)} does not look like a text file.", f"{shown(path)} 看起来不是文本文件。")
        )
    return "latin-1"


def decodes(sample: bytes, name: str) -> bool:
    """Whether a beginning is valid in an encoding; a character cut at its end does not matter."""
    try:
        codecs.getincrementaldecoder(name)("strict").decode(sample)
    except UnicodeDecodeError:
        return False
    return True


def paired(sample: bytes) -> bool:
    """Whether bytes beyond ASCII mostly come in twos, as in Chinese text and unlike in Western."""
    high = len(re.findall(rb"[\x80-\xff]", sample))
    return 2 * len(re.findall(rb"[\x81-\xfe][\xa1-\xfe]", sample)) > 0.9 * high


def count(path: Path) -> tuple[Counts, str]:
    """The counts of a file, read piece by piece, and its encoding."""
    check(path)
    encoding = encoding_of(path)
    counts = Counts()
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        while chunk := file.read(CHUNK_CHARACTERS):
            counts.add(chunk)
    counts.close()
    return counts, encoding


def plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def report(path: Path, counts: Counts, encoding: str) -> dict[str, object]:
    """What is printed: a sentence, then the numbers."""
    name = shown(Path(path.name or path))
    minutes = round(counts.minutes, 1)
    summary = told(
        f"{name} has {plural(counts.words, 'word')} in {plural(counts.lines, 'line')}",
        f"{name} 有 {counts.words:,} 个字词，{counts.lines:,} 行",
    )
    if counts.words and minutes >= 1:
        about = round(minutes)
        summary += told(f", about {plural(about, 'minute')} to read", f"，阅读约需 {about:,} 分钟")
    elif counts.words:
        summary += told(", less than a minute to read", "，阅读不到一分钟")
    found: dict[str, object] = {
        "summary": told(f"{summary}.", f"{summary}。")
        if counts.characters
        else told(f"{name} is empty.", f"{name} 是空的。"),
        "words": counts.words,
        "lines": counts.lines,
        "characters": counts.characters,
        "characters_without_blanks": counts.visible,
        "unique_words": len(counts.unique),
        "reading_time_minutes": minutes,
    }
    if encoding != "utf-8":
        found["encoding"] = encoding
    return found


def run(given: dict[str, object]) -> dict[str, object]:
    """Count as asked.

    Raises:
        CannotCountError: There is no such text file, or it cannot be read.
    """
    if not given.get("file"):
        raise CannotCountError(
            told("Which file? Give it as --file=PATH.", "哪个文件？请用 --file=PATH 给出。")
        )
    path = Path(str(given["file"])).expanduser()
    try:
        counts, encoding = count(path)
    except FileNotFoundError:
        raise CannotCountError(
            told(f"There is no file {shown(path)}.", f"没有文件 {shown(path)}。")
        ) from None
    except OSError as problem:
        raise CannotCountError(
            told(
                f"{shown(path)} cannot be read: {problem.strerror}.",
                f"无法读取 {shown(path)}：{problem.strerror}。",
            )
        ) from None
    return report(path, counts, encoding)


def main() -> int:
    try:
        print(json.dumps(run(arguments())))
    except (CannotCountError, ValueError, RuntimeError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
