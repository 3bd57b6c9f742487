"""Parts of a message that are arguments and not words: quotations, addresses, paths, numbers, moments.

Found once, in order of how sure the form is; spans never overlap. Quotation marks are read in one pass.
Folders that everybody has are found as people name them: `my downloads folder` → `~/Downloads`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import islice

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.language.disk_names import folder_mentions, path_of, reference_table

#: Opening mark → the marks that close it.
CLOSING = {
    "`": "`",
    '"': '"',
    "'": "'",
    "“": "”",
    "„": "“”",
    "‘": "’",
    "«": "»",
    "「": "」",
    "『": "』",
    "《": "》",
}
#: What is quoted and longer is not an argument.
MAX_LENGTH = 1_000

_OPENING = re.compile(f"`+|[{''.join(mark for mark in CLOSING if mark != '`')}]")


def quotations(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and content of each quotation; they do not overlap, and only backticks span lines."""
    position = 0
    for match in _OPENING.finditer(text):
        mark, start = match.group(), match.start()
        if start < position or (mark in "'\"" and start > 0 and _in_word(text[start - 1])):
            continue
        end = _closing(text, mark, match.end())
        if end is not None and text[match.end() : end].strip():
            position = end + len(mark)
            yield start, position, text[match.end() : end].strip()


def _closing(text: str, mark: str, start: int) -> int | None:
    """Where the content ends; an apostrophe within a word closes nothing."""
    closers = [mark] if mark.startswith("`") else list(CLOSING[mark])
    limit = start + MAX_LENGTH
    if not mark.startswith("`"):
        line_end = text.find("\n", start, limit)
        limit = line_end if line_end >= 0 else limit
    ends = [end for closer in closers if (end := _find_closer(text, closer, start, limit)) is not None]
    return min(ends, default=None)


def _find_closer(text: str, closer: str, start: int, limit: int) -> int | None:
    end = text.find(closer, start, limit)
    while end >= 0 and closer in "'’" and _in_word(text[end + 1 : end + 2]):
        end = text.find(closer, end + 1, limit)
    return end if end >= 0 else None


def _in_word(character: str) -> bool:
    """Whether an apostrophe beside it is one of a word; Chinese has none and writes without spaces."""
    return character.isalnum() and not "\u3040" <= character <= "\u9fff"


def unquoted(text: str) -> str:
    """Without blanks around it, and without one pair of quotation marks that encloses all of it."""
    bare = text.strip()
    found = list(quotations(bare[: MAX_LENGTH + 2]))
    return found[0][2] if len(found) == 1 and found[0][:2] == (0, len(bare)) else bare


#: Longest text that is looked through; what is longer is a document, not a request.
SCAN_LIMIT = 4_000
#: No request has more arguments.
MAX_SPANS = 60


class SpanKind(StrEnum):
    """What a part of the text looks like."""

    QUOTE = "quote"
    URL = "url"
    EMAIL = "email"
    PATH = "path"
    MOMENT = "moment"
    """A date or a time in digits."""
    NUMBER = "number"


_ROOT = late(r"~?/\w|[A-Za-z]:[\\/]")
_EXTENSION = late(r"\w\.[A-Za-z][A-Za-z0-9]{0,4}$")


@dataclass(frozen=True)
class Span:
    """One argument-like part: `text[start:end]` of the message, and what it says."""

    kind: SpanKind
    start: int
    end: int
    value: str
    """The content: without quotes, separators and the like."""
    unit: str = ""
    """With NUMBER: the letters behind it, lower-cased (`mb`, `s`)."""
    folder: bool = False
    """With a path: a folder by its form (no extension, or one everybody has)."""

    @property
    def is_path(self) -> bool:
        """A path, in quotation marks or without."""
        return self.kind is SpanKind.PATH or (self.kind is SpanKind.QUOTE and bool(_ROOT.match(self.value)))

    @property
    def file(self) -> bool:
        """A file by its form: with an extension of letters, which folders hardly ever have."""
        return self.is_path and not self.folder and bool(_EXTENSION.search(self.value))


_URL = late(r"\b[a-zA-Z][a-zA-Z0-9+.\-]{1,15}://[^\s<>\"'`，。；！？、（）「」]+|\bmailto:[^\s<>\"'`]+")
_EMAIL = late(r"(?<![\w.+\-])[\w.+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+")
_DOMAINS = "com|org|net|edu|gov|io|dev|app|ai|cn|de|uk|fr|eu|info|co|jp|ch|at|nl|us"
_HOST = late(
    rf"(?<![\w@./\-])(?:[a-z0-9\-]+\.)+(?:{_DOMAINS})\b(?![.\-]\w)(?:[/?#][^\s<>\"'`，。]*)?", re.IGNORECASE
)

_STOP = r"\s\"'`<>|?*,;:()（）「」《》，。、；：？！"
_ROOTED = late(rf"(?<![\w/.~\\])(?:[A-Za-z]:[\\/]|(?:~[\w.\-]*|\.\.?)?/)(?:\\ |[^{_STOP}])*")
#: In quotation marks a path from the root, or from the home, may have blanks in it.
_WHOLE_PATH = late(r"(?:~|/[^/\n]+)?/[^\n]+")
_LONE = late(r"(?<![^\s(])(?:~|\.\.)(?![^\s?!,.;)])")
_DOTTED = late(r"(?<![\w./\\])\.[A-Za-z][\w\-]*(?:\.[\w\-]+)*")
_NESTED = late(r"(?<![\w/.\\\-])[\w.\-]+(?:/[\w.\-]+)*/(?:[\w.\-]+)?")
_NAMED = late(r"(?<![\w/\\@.])\w[\w\-+.]{0,200}\.[A-Za-z][A-Za-z0-9]{0,6}(?![A-Za-z0-9_]|[.\-/]\w|\()")
_MOMENT = late(
    r"(?<![\w.\-])\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?![\w\-])|(?<![\w:])\d{1,2}:\d{2}(?![\w:])"
)
_NUMBER = late(
    r"(?<![A-Za-z0-9_.,:/\-])(?P<number>-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?![\d:/]|[-.,]\d)"
    r"(?:(?P<near>[A-Za-z]{1,5})(?![A-Za-z0-9_])|\s(?P<far>(?:[kmgt]i?)?b|bytes?)\b)?",
    re.IGNORECASE,
)
_CJK = late(r"[\u3040-\u30ff\u3400-\u9fff]")
#: Chinese words that may stand directly before a file name, without a space.
_CJK_LEAD = late(
    r"^(?:.*[的把在]|请|帮我|帮忙|麻烦|打开|统计|计算|查看|看看|看一下|数一下|数数|数|看|给我|一下|这个|那个"
    r"|文件|读取|运行|执行|列出|显示|删除)+"
)
#: Chinese words that may stand directly behind a path, without a space.
_CJK_TAIL = late(r"(?:里面|里边|里|中的|中有|内|的|有|吗|下面|(?<![早晚])上).*$")
_NOT_FILES = late(r"^(?:e\.g|i\.e|a\.m|p\.m|u\.s|u\.k|etc|vs|ph\.d|\w\.\w)$", re.IGNORECASE)
_ORDINALS = frozenset({"st", "nd", "rd", "th"})


def find_spans(text: str) -> tuple[Span, ...]:
    """The argument-like parts, at most `MAX_SPANS`, in the order of the text."""
    return _find(text[:SCAN_LIMIT])


@lru_cache(maxsize=64)
def _find(text: str) -> tuple[Span, ...]:
    taken: list[Span] = []
    for finder in _FINDERS:
        for span in islice(finder(text), MAX_SPANS - len(taken)):
            if all(span.end <= other.start or span.start >= other.end for other in taken):
                taken.append(span)
    return tuple(sorted(taken, key=lambda span: span.start))


def masked_text(text: str, places: Iterable[tuple[int, int]], mark: str) -> str:
    """The text with a mark for each character of these places, every other character where it was."""
    for start, end in places:
        text = f"{text[:start]}{mark * (end - start)}{text[end:]}"
    return text


def blank(text: str, spans: Iterable[Span]) -> str:
    """The text with the spans as blanks."""
    return masked_text(text, ((span.start, span.end) for span in spans), " ")


def _quotes(text: str) -> Iterator[Span]:
    for start, end, value in quotations(text):
        if _WHOLE_PATH.fullmatch(value):
            folder = "." not in value.rpartition("/")[2].lstrip(".")
            yield Span(SpanKind.PATH, start, end, value, folder=folder)
        else:
            yield Span(SpanKind.QUOTE, start, end, value)


def _joined_names(text: str) -> Iterator[Span]:
    """What one thing is to be called, with an `and` in it: as if it stood in quotation marks."""
    for pattern in reference_table(text).each("joined_names"):
        for match in pattern.finditer(text):
            yield Span(SpanKind.QUOTE, *match.span("name"), match["name"])


def _urls(text: str) -> Iterator[Span]:
    for match in _URL.finditer(text):
        yield _trimmed(SpanKind.URL, match, match.group())
    for match in _EMAIL.finditer(text):
        yield _trimmed(SpanKind.EMAIL, match, match.group())
    for match in _HOST.finditer(text):
        span = _trimmed(SpanKind.URL, match, match.group())
        yield Span(span.kind, span.start, span.end, f"https://{span.value}")


def _trimmed(kind: SpanKind, match: re.Match[str], value: str) -> Span:
    """Without the punctuation of the sentence around it."""
    kept = value.rstrip(".,;:!?)]}\"'")
    return Span(kind, match.start(), match.start() + len(kept), kept)


def _paths(text: str) -> Iterator[Span]:
    for match in (
        *_ROOTED.finditer(text),
        *_LONE.finditer(text),
        *_DOTTED.finditer(text),
        *_NESTED.finditer(text),
    ):
        span = _path(match.start(), match.group())
        if span is not None:
            yield span
    for match in _NAMED.finditer(text):
        name = match.group()
        lead = _CJK_LEAD.match(name) if _CJK.search(name) else None
        skip = lead.end() if lead and not name[lead.end() :].startswith(".") else 0
        if not _NOT_FILES.match(name):
            yield Span(SpanKind.PATH, match.start() + skip, match.end(), name[skip:])


def _path(start: int, raw: str) -> Span | None:
    tail = _CJK_TAIL.search(raw) if _CJK.search(raw) else None
    kept = raw[: tail.start()] if tail else raw
    kept = kept if kept in {"..", "."} or kept.endswith("/..") else kept.rstrip(".!")
    parts = [part for part in kept.split("/") if part]
    rooted = kept.startswith(("/", "~", ".")) or "\\" in kept or kept[1:2] == ":"
    nested = len(parts) > 2 or kept.endswith("/") or (len(parts) == 2 and "." in parts[-1])
    digits = not rooted and all(part.isdigit() for part in parts)  # a date, a fraction
    if not kept or kept == "/" or digits or not (rooted or nested):
        return None
    value = kept.replace("\\ ", " ")
    folder = (
        value in {"~", ".", ".."} or value.endswith("/") or "." not in value.rpartition("/")[2].lstrip(".")
    )
    return Span(SpanKind.PATH, start, start + len(kept), value, folder=folder)


def _known_folders(text: str) -> Iterator[Span]:
    for start, end, folder in folder_mentions(text):
        yield Span(SpanKind.PATH, start, end, path_of(folder), folder=True)


def _moments(text: str) -> Iterator[Span]:
    for match in _MOMENT.finditer(text):
        yield Span(SpanKind.MOMENT, match.start(), match.end(), match.group())


def _numbers(text: str) -> Iterator[Span]:
    for match in _NUMBER.finditer(text):
        unit = (match["near"] or match["far"] or "").lower()
        if unit not in _ORDINALS:
            yield Span(SpanKind.NUMBER, match.start(), match.end(), match["number"].replace(",", ""), unit)


_FINDERS: tuple[Callable[[str], Iterator[Span]], ...] = (
    _quotes, _joined_names, _urls, _paths, _known_folders, _moments, _numbers,
)  # fmt: skip
