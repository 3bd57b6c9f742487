# /// partner
# title = { en = "Search in files", zh = "搜索文件内容" }
# description.en = "Search the text inside files: find words in text files, office documents, PDFs"
# description.zh = "搜索文件里的文字：在文本文件、办公文档和 PDF 里找词"
# aliases = { en = [
#   "which files mention a word",
#   "where did I write about something",
#   "look for a phrase in my documents",
#   "full text search",
#   "in which document does it say",
#   "look for the document that contains",
#   "search for words in PDFs",
#   "search my notes for a word",
#   "find a word in my files",
# ], zh = ["搜索文件内容", "全文搜索", "哪些文件里提到", "在文件里搜索", "查找包含某个词的文件", "搜索PDF",
#   "在文件夹里搜", "文件夹里搜一下", "在笔记里搜索"] }
# tags = ["contents", "full text"]
# annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false }
# timeoutSeconds = 900
# [params.text]
# type = "string"
# minLength = 1
# title.zh = "文字"
# description.en = "the word or phrase to find"
# description.zh = "要找的词或短语"
# [params.folder]
# type = "string"
# format = "path"
# access = "read"
# title.zh = "文件夹"
# description.en = "the folder to search, with all folders in it; a single file will do"
# description.zh = "要搜索的文件夹，连同里面所有的文件夹；单个文件也行"
# [params.whole_words]
# type = "boolean"
# default = false
# title.zh = "全词匹配"
# description.en = "find only whole words, not parts of longer ones"
# description.zh = "只找完整的词，不找较长词的一部分"
# [params.match_case]
# type = "boolean"
# default = false
# title.zh = "区分大小写"
# description.en = "tell capital and small letters apart"
# description.zh = "要不要区分大小写"
# [params.include_hidden]
# type = "boolean"
# default = false
# title.zh = "包括隐藏文件"
# description.en = "whether to look into hidden files and folders too"
# description.zh = "要不要也看隐藏的文件和文件夹"
# ///
"""Find words in the files below a folder: plain text in the usual encodings, office documents, and PDFs.

Called as `search_text.py --text=WORDS --folder=PATH …`; the same comes as a JSON object on stdin. One JSON
object on stdout. Links are not followed, hidden files are left out; files are read line by line, however
large. PDFs are read by the program `pdftotext`; where it is missing, it is said how many were left out.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SAMPLE_BYTES = 64 * 1024
#: Places that are listed, in all and of one file; the counts hold all.
MAX_PLACES, MAX_PLACES_OF_FILE, MAX_LISTED = 30, 5, 20
#: Characters of a line that are compared at once, and shown on each side of what was found.
MAX_LINE, AROUND = 64 * 1024, 50
#: Text that one part of an office document may come to; more is no document but a trap.
MAX_PART_BYTES = 64 * 1024 * 1024
PDF_TIMEOUT_S = 60
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Ending → the parts of the archive that hold the text, and what ends a line there.
OFFICE = {
    ".docx": (r"word/(document|footnotes|endnotes)\.xml", r"</w:p>|<w:br/>"),
    ".xlsx": (r"xl/sharedStrings\.xml", r"</si>"),
    ".pptx": (r"ppt/(slides|notesSlides)/\w+\.xml", r"</a:p>"),
    ".odt": (r"content\.xml", r"</text:(p|h)>"),
    ".ods": (r"content\.xml", r"</text:(p|h)>"),
    ".odp": (r"content\.xml", r"</text:(p|h)>"),
    ".epub": (r".*\.x?html?", r"</(p|h\d|li|div)>"),
}
ALONE = re.compile(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])")
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


CHINESE = os.environ.get("PARTNER_LANG", "").startswith("zh")


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if CHINESE else english


class CannotSearchError(Exception):
    """Why nothing can be searched, as a sentence."""


@dataclass
class Search:
    """What is looked for, and what was found."""

    wanted: re.Pattern[str]
    include_hidden: bool
    pdftotext: str | None
    files: int = 0
    places: list[dict[str, object]] = field(default_factory=list)
    matches: int = 0
    matching: list[tuple[str, int]] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    pdfs_left_out: int = 0

    def through(self, top: str) -> None:
        """Search everything below the folder, or the one file."""
        if not os.path.isdir(top):
            self._search(top, os.path.basename(top))
            return
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            try:
                with os.scandir(folder) as entries:
                    listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
            except OSError:
                self.unreadable.append(folder)
                continue
            for entry in listed:
                if entry.name.startswith(".") and not self.include_hidden:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    self._search(entry.path, os.path.relpath(entry.path, top))

    def _search(self, path: str, name: str) -> None:
        found = 0
        try:
            for where, line in self._lines(path):
                for match in self.wanted.finditer(line):
                    found += 1
                    if found <= MAX_PLACES_OF_FILE and len(self.places) < MAX_PLACES:
                        excerpt = around(line, match)
                        self.places.append({"file": short(name), "where": where, "text": excerpt})
        except (OSError, ValueError, subprocess.SubprocessError):
            self.unreadable.append(path)
        if found:
            self.matches += found
            self.matching.append((name, found))

    def _lines(self, path: str) -> Iterator[tuple[str, str]]:
        """Where, and the line there; nothing of files without text."""
        ending = os.path.splitext(path)[1].lower()
        if ending == ".pdf":
            if self.pdftotext is None:
                self.pdfs_left_out += 1
                return
            self.files += 1
            yield from pdf_lines(path, self.pdftotext)
        elif ending in OFFICE:
            self.files += 1
            yield from office_lines(path, *OFFICE[ending])
        else:
            with open_plainly(path) as stream:
                encoding = encoding_of(stream.read(SAMPLE_BYTES))
                if encoding is None:
                    return
                self.files += 1
                stream.seek(0)
                yield from text_lines(stream, encoding)


def open_plainly(path: str) -> io.BufferedReader:
    """Open a regular file, never through a link.

    Raises:
        OSError: It is none, or cannot be read.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(f"{path} is not a regular file")
    return os.fdopen(handle, "rb")


def encoding_of(sample: bytes) -> str | None:
    """How a text is written; `None` when it is none."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if sample.startswith(mark):
            return encoding
    if b"\0" in sample:
        return None
    for encoding in ("utf-8", "gb18030"):
        try:
            codecs.getincrementaldecoder(encoding)().decode(sample)
        except UnicodeDecodeError:
            continue
        # Western text may happen to be valid there, but its odd letters stand alone.
        if encoding == "utf-8" or len(re.findall(rb"[\x80-\xff]{2}", sample)) > 4 * len(
            ALONE.findall(sample)
        ):
            return encoding
    return "latin-1"


def text_lines(stream: io.BufferedReader, encoding: str) -> Iterator[tuple[str, str]]:
    text = io.TextIOWrapper(stream, encoding=encoding, errors="replace")
    number = 1
    while line := text.readline(MAX_LINE):
        yield told(f"line {number:,}", f"第 {number:,} 行"), unicodedata.normalize("NFC", line)
        number += line.endswith("\n")


def pdf_lines(path: str, pdftotext: str) -> Iterator[tuple[str, str]]:
    """The lines of a PDF by page.

    Raises:
        ValueError: It cannot be read: it is damaged, or locked with a password.
    """
    with open_plainly(path) as stream:
        done = subprocess.run(
            [pdftotext, "-q", "-enc", "UTF-8", "-", "-"],
            stdin=stream,
            capture_output=True,
            timeout=PDF_TIMEOUT_S,
            check=False,
        )
    if done.returncode:
        raise ValueError(path)
    for page, text in enumerate(done.stdout.decode("utf-8", "replace").split("\f"), 1):
        for line in text.splitlines():
            yield told(f"page {page:,}", f"第 {page:,} 页"), unicodedata.normalize("NFC", line)


def office_lines(path: str, parts: str, line_end: str) -> Iterator[tuple[str, str]]:
    """The lines of an office document, which is an archive of XML.

    Raises:
        ValueError: It is damaged, or locked with a password.
    """
    number = 0
    try:
        with open_plainly(path) as stream, zipfile.ZipFile(stream) as archive:
            for name in archive.namelist():
                if not re.fullmatch(parts, name):
                    continue
                with archive.open(name) as part:
                    xml = part.read(MAX_PART_BYTES).decode("utf-8", "replace")
                for piece in re.sub(line_end, "\n", " ".join(xml.split())).split("\n"):
                    number += 1
                    yield (
                        told(f"paragraph {number:,}", f"第 {number:,} 段"),
                        unicodedata.normalize("NFC", plain(piece)),
                    )
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as problem:
        raise ValueError(path) from problem


def plain(xml: str) -> str:
    """The text between the marks."""
    text = re.sub(r"<[^>]*>", "", re.sub(r"<(?:w:tab|text:tab|text:s|text:line-break)\b[^>]*>", " ", xml))
    return re.sub("|".join(ENTITIES), lambda mark: ENTITIES[mark.group()], text)


def around(line: str, match: re.Match[str]) -> str:
    """What was found with a little of what stands beside it, in one line."""
    start, end = max(0, match.start() - AROUND), min(len(line), match.end() + AROUND)
    text = " ".join(line[start:end].split())[: 3 * AROUND]
    return f"{'…' if start else ''}{shown(text)}{'…' if end < len(line.rstrip()) else ''}"


def report(top: str, text: str, search: Search) -> dict[str, object]:
    """What is printed: a sentence, the files, and the first places."""
    place, quoted = shown(top), shown(text if len(text) <= 60 else text[:59] + "…")
    looked = plural(search.files, "file", "files")
    if search.matching:
        times = plural(search.matches, "time", "times")
        files = plural(len(search.matching), "file", "files")
        summary = told(
            f"“{quoted}” stands {times} in {files} of {place} ({looked} searched).",
            f"{place} 里有 {len(search.matching):,} 个文件提到“{quoted}”，共 {search.matches:,} 处"
            f"（搜索了 {search.files:,} 个文件）。",
        )
    else:
        summary = told(
            f"“{quoted}” is nowhere in {place} ({looked} searched).",
            f"{place} 里没有找到“{quoted}”（搜索了 {search.files:,} 个文件）。",
        )
    if search.pdfs_left_out:
        count = plural(search.pdfs_left_out, "PDF was", "PDFs were")
        summary += told(
            f" {count} left out: install poppler-utils (it brings pdftotext) to search them.",
            f"有 {search.pdfs_left_out:,} 个 PDF 没有搜索：请安装 poppler-utils（其中有 pdftotext）。",
        )
    if search.unreadable:
        count = len(search.unreadable)
        summary += told(
            f" {plural(count, 'place', 'places')} could not be read.", f"有 {count:,} 处无法读取。"
        )
    found: dict[str, object] = {"summary": summary}
    if search.matching:
        ranked = sorted(search.matching, key=lambda item: (-item[1], item[0]))
        found["files"] = [{"file": short(name), "times": count} for name, count in ranked[:MAX_LISTED]]
        found["places"] = search.places
    if len(search.matching) > MAX_LISTED:
        found["files_not_listed"] = len(search.matching) - MAX_LISTED
    if search.unreadable:
        found["unreadable"] = [short(path) for path in search.unreadable[:MAX_LISTED]]
    return found


def shown(path: str) -> str:
    """A path for people: valid text in one line, the home folder short."""
    home = os.environ.get("HOME", "").rstrip(os.sep)
    text = "~" + path[len(home) :] if home and path.startswith(home + os.sep) else path
    return "".join(sign if sign.isprintable() or sign == "\u200d" else "\ufffd" for sign in text)


def short(path: str) -> str:
    """A path for a list: what is very long is cut in the middle."""
    return shown(path) if len(path) <= 200 else f"{shown(path[:120])}…{shown(path[-79:])}"


def plural(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


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


def yes_or_no(given: dict[str, object], name: str) -> bool:
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": False}
    value = given.get(name)
    found = known.get("" if value is None else str(value).strip().lower())
    if found is None:
        raise CannotSearchError(
            told(
                f"{name} must be true or false, not {value!r}.",
                f"{name} 必须是 true 或 false，不能是 {value!r}。",
            )
        )
    return found


def pattern_of(text: str, *, whole_words: bool, match_case: bool) -> re.Pattern[str]:
    """The words as they may stand: any blanks between them, and with `whole_words` nothing around them."""
    words = r"\s+".join(re.escape(word) for word in unicodedata.normalize("NFC", text).split())
    if whole_words:
        words = rf"(?<!\w){words}(?!\w)"
    return re.compile(words, re.NOFLAG if match_case else re.IGNORECASE)


def run(given: dict[str, object]) -> dict[str, object]:
    """Search as asked.

    Raises:
        CannotSearchError: The arguments do not say what to search, or where.
    """
    value = given.get("text")
    text = "" if value is None else str(value).strip()
    if not text:
        raise CannotSearchError(
            told("Which words? Give them as --text=WORDS.", "找什么词？请用 --text=WORDS 给出。")
        )
    if not given.get("folder"):
        raise CannotSearchError(
            told("Which folder? Give it as --folder=PATH.", "哪个文件夹？请用 --folder=PATH 给出。")
        )
    top = str(Path(str(given["folder"])).expanduser())
    wanted = pattern_of(
        text, whole_words=yes_or_no(given, "whole_words"), match_case=yes_or_no(given, "match_case")
    )
    search = Search(wanted, yes_or_no(given, "include_hidden"), shutil.which("pdftotext"))
    if not os.path.lexists(top):
        raise CannotSearchError(told(f"There is no folder {shown(top)}.", f"没有文件夹 {shown(top)}。"))
    if not os.path.isdir(top) and not os.path.isfile(top):
        raise CannotSearchError(
            told(f"{shown(top)} is neither a folder nor a file.", f"{shown(top)} 既不是文件夹也不是文件。")
        )
    search.through(os.path.realpath(top))
    if os.path.realpath(top) in search.unreadable:
        raise CannotSearchError(told(f"{shown(top)} cannot be read.", f"无法读取 {shown(top)}。"))
    return report(top, text, search)


def say(found: dict[str, object]) -> None:
    """Print the result: as UTF-8, whatever the surroundings prefer."""
    sys.stdout.buffer.write(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def main() -> int:
    try:
        say(run(arguments()))
    except (CannotSearchError, ValueError, OSError, RuntimeError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
