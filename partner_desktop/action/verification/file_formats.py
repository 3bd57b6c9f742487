"""Whether a file is what its ending says, and how many there are of what it holds. Blocking.

Contract: nothing is written, and how much of a file is read has an end.
"""

from __future__ import annotations

import csv
import gzip
import json
import zipfile
from collections.abc import Callable, Collection
from pathlib import Path

#: Bytes of a file that are read for its hash or to open it.
MOST_BYTES = 64 * 1024 * 1024
#: What is read as a whole, to be taken apart.
MOST_PARSED = 8 * 1024 * 1024
_PIECE = 1024 * 1024
TEXTS = frozenset({".txt", ".md", ".log", ".jsonl", ".ndjson"})
#: How a whole file of a kind begins and ends.
_MAGIC = {
    ".png": (b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"),
    ".jpg": (b"\xff\xd8\xff", b"\xff\xd9"),
    ".jpeg": (b"\xff\xd8\xff", b"\xff\xd9"),
    ".gif": (b"GIF8", b"\x3b"),
    ".pdf": (b"%PDF-", b"%%EOF"),
}
_SQLITE = frozenset({".db", ".sqlite", ".sqlite3"})
_ZIPS = frozenset({".zip", ".docx", ".xlsx", ".pptx", ".odt", ".jar", ".epub", ".whl"})
#: What stands behind the end of a whole file at the most.
_TAIL = 1024


def is_whole(path: str, size: int) -> bool:
    """Whether it opens as what its ending says; what is not known is taken for whole."""
    ending = Path(path).suffix.casefold()
    try:
        return next((opens(path, size) for endings, opens in _OPENERS if ending in endings), True)
    except (OSError, ValueError, RecursionError, EOFError, RuntimeError, zipfile.BadZipFile):
        return False


def _is_marked(path: str, size: int) -> bool:
    """Whether it begins and ends as a whole one does."""
    begins, ends = _MAGIC[Path(path).suffix.casefold()]
    with Path(path).open("rb") as file:
        head = file.read(len(begins))
        file.seek(max(0, size - _TAIL))
        return head == begins and ends in file.read()


def _is_database(path: str, size: int) -> bool:
    """Its head tells the size of a page; a whole one has only whole pages."""
    with Path(path).open("rb") as file:
        head = file.read(100)
    page = int.from_bytes(head[16:18], "big")
    page = 65_536 if page == 1 else page
    return size == 0 or (head.startswith(b"SQLite format 3\x00") and page > 0 and size % page == 0)


def _is_archive(path: str, _: int) -> bool:
    """Whether all that it holds can be unpacked; of a large one, whether it can be listed."""
    with zipfile.ZipFile(path) as archive:
        size = sum(each.file_size for each in archive.infolist())
        return size > MOST_BYTES or archive.testzip() is None


def _is_packed(path: str, _: int) -> bool:
    with gzip.open(path) as packed:
        packed.read(_PIECE)
    return True


def _is_json(path: str, size: int) -> bool:
    if size <= MOST_PARSED:
        json.loads(Path(path).read_bytes())
    return True


#: By its ending: whether a file of a size opens; it raises where it does not.
_OPENERS: tuple[tuple[Collection[str], Callable[[str, int], bool]], ...] = (
    (_MAGIC, _is_marked),
    (_SQLITE, _is_database),
    (_ZIPS, _is_archive),
    ((".gz", ".tgz"), _is_packed),
    ((".json",), _is_json),
)


def counted_in(path: str) -> tuple[int, ...]:
    """How many there are of what a file holds; several where its first line may be a head; none: unknown."""
    ending = Path(path).suffix.casefold()
    try:
        if ending == ".json":
            told = json.loads(Path(path).read_bytes())
            inner = (
                [each for each in told.values() if isinstance(each, list)] if isinstance(told, dict) else []
            )
            return (len(told),) if isinstance(told, list) else tuple(map(len, inner[:1]))
        if ending in (".csv", ".tsv"):
            text = Path(path).read_text("utf-8", "replace").splitlines(keepends=True)
            rows = csv.reader(text, csv.excel_tab if ending == ".tsv" else csv.excel)
            count = sum(any(each.strip() for each in row) for row in rows)
            lines = sum(bool(line.strip()) for line in text)
            return (max(0, count - 1), count, lines - 1, lines)
        if ending in TEXTS:
            text = Path(path).read_text("utf-8", "replace").splitlines()
            return (len(text), sum(bool(line.strip()) for line in text))
        if ending in _ZIPS:
            with zipfile.ZipFile(path) as archive:
                files = [each for each in archive.infolist() if not each.is_dir()]
                return (len(files), len(archive.infolist()))
    except (OSError, ValueError, RecursionError, csv.Error, zipfile.BadZipFile):
        return ()
    return ()
