"""The names on a disk, to be found by what people call them: whole, by some of their words, with a slip; and
folders as people name them: those that everybody has, and those right in the home.

Their names, and what stands around one, are in the tables `references.toml`: `my downloads folder`, `on the
desktop`, `and Pictures?`, `整理下载`.

What kinds of files are called stands in the tables `file_kinds.toml`, with how their names end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import PurePath
from types import MappingProxyType

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.surroundings import HomeEntry
from partner_desktop.language.lexicon import CJK_CONCEPTS, CONCEPTS, FUNCTION_WORDS, GENERIC_WORDS, TALK
from partner_desktop.language.rule_table import Language, RuleTable, rule_table
from partner_desktop.language.terms import has_cjk, stem
from partner_desktop.language.typos import edits

_PIECE = late(r"[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W_])+")
#: How a system marks a copy of a file that is there.
_COPY = late(r"(?:\s*\(\d{1,3}\)|[\s_-]+copy(?:[\s_-]\d{1,3})?|\s*[-_]?\s*副本\d*)$", re.IGNORECASE)
_ENDING = late(r"(?<=\w|\))\.[A-Za-z][A-Za-z0-9]{0,9}$")
#: The shortest words in which one letter, and two, may be wrong.
_SLIP, _TWO_SLIPS = 5, 10
_IN_WORD, _GOES_ON = late(r"[A-Za-z0-9_]"), late(r"[A-Za-z0-9_]|[/.][\w]")
_LATIN = late(r"[A-Za-z0-9\u00c0-\u024f]+")
#: Characters of Chinese that may be one name, and characters between the words of one.
_LONGEST_CJK, _FAR = 12, 60
#: More things than this share no name: what they share is a word of many.
_MOST_ALIKE = 200
_CHINESE = late(r"[\u3040-\u30ff\u3400-\u9fff]{2,}")
#: Stands for each character of a folder that was found.
PLACE = "\ue000"
HOME, HERE = "~", "."
#: What is longer is a document, not a request.
_LONGEST = 2_000
#: The shortest name of a folder that everybody has in which a letter may be wrong.
_JOINED = 2
_FOLDER_SLIP = 6
_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_NONE: Mapping[str, str] = MappingProxyType({})


def name_pieces(text: str) -> list[re.Match[str]]:
    """Words, and each character of a script without blanks."""
    return list(_PIECE.finditer(text))


@dataclass(frozen=True)
class NameMention:
    """Words of a text that are those of a name."""

    entries: tuple[HomeEntry, ...]
    pieces: tuple[tuple[int, int], ...]
    """Where the words stand, in order."""
    whole: bool
    """All that tell the name from others are there."""
    mistyped: bool = False

    @property
    def start(self) -> int:
        return self.pieces[0][0]

    @property
    def end(self) -> int:
        return self.pieces[-1][1]

    @property
    def size(self) -> int:
        return sum(end - start for start, end in self.pieces)


class DiskNames:
    """Some entries by their names. Building it takes some microseconds an entry."""

    def __init__(self, entries: Sequence[HomeEntry]) -> None:
        self.paths: dict[str, str] = {}
        """Path in lower case → path, of all folders and files."""
        self._full: dict[str, list[HomeEntry]] = {}
        self._words: dict[str, dict[str, HomeEntry]] = {}
        self._tails: dict[str, list[tuple[str, HomeEntry]]] = {}
        self._spelt: set[str] = set()
        self._joined: dict[str, str] = {}
        """Path → its name as one word: `to do` and `todo`."""
        self._hollow: set[str] = set()
        for entry in entries:
            name = entry.path[entry.path.rfind("/") + 1 :]
            self.paths[entry.path.casefold()] = entry.path
            self._full.setdefault(name.casefold(), []).append(entry)
            for word in (*_latin_words(_bare(entry)), *_chinese_pieces(_bare(entry))):
                self._words.setdefault(word, {})[entry.path] = entry
            self._spelt.update(_LATIN.findall(_bare(entry).casefold()))
            if (joined := _joined_words(_bare(entry))) and joined not in self._words:
                self._joined[entry.path] = joined
            self._hollow |= telling_words(entry) & FUNCTION_WORDS
            path = entry.path.casefold()
            for each in dict.fromkeys((path, path.removesuffix(name.casefold()) + _bare(entry).casefold())):
                self._tails.setdefault("/".join(each.split("/")[-2:]), []).append((each, entry))
        for path, joined in self._joined.items():
            self._words.setdefault(joined, {})[path] = self._full[path.rpartition("/")[2].casefold()][0]
        self._longest = max(map(len, self._full), default=0)

    def called(self, name: str) -> list[HomeEntry]:
        """What has just this name, ending included."""
        return self._full.get(name.casefold(), [])

    def with_word(self, word: str) -> list[HomeEntry]:
        """What has a word in its name, one or several of it said."""
        return [*self._words.get(stem(word.casefold()), {}).values()]

    def mentions(self, text: str) -> Iterator[NameMention]:
        """What a text has all telling words of in any order, or some; those of the same words are one."""
        places: dict[str, list[tuple[int, int]]] = {}
        for word, span in self._said(text):
            places.setdefault(word, []).append(span)
        known: dict[str, tuple[HomeEntry, set[str]]] = {}
        for word in places:
            for path, entry in self._words.get(word, {}).items():
                known.setdefault(path, (entry, set()))[1].add(word)
        groups: dict[tuple[tuple[int, int], ...], list[tuple[HomeEntry, bool, int]]] = {}
        for entry, words in known.values():
            chinese = max((word for word in words if has_cjk(word)), key=len, default="")
            latin = {word for word in words if not has_cjk(word)}
            pieces = _closest([places[word] for word in sorted({*latin, chinese} - {""})])
            whole = telling_words(entry) <= words or self._joined.get(entry.path) in words
            unsaid = len(_latin_words(_bare(entry)) - words)
            if pieces[-1][1] - pieces[0][0] <= _FAR and (whole or not words <= self._hollow):
                groups.setdefault(pieces, []).append((entry, whole, unsaid))
        for pieces, found in groups.items():
            least = min((unsaid for _, whole, unsaid in found if whole), default=-1)
            wholly = tuple(entry for entry, whole, unsaid in found if whole and unsaid == least)
            if len(found) <= _MOST_ALIKE:
                mistyped = any(stem(text[slice(*piece)].casefold()) not in self._words for piece in pieces)
                named = wholly or tuple(each[0] for each in found)
                yield NameMention(named, pieces, bool(wholly), mistyped)

    def _said(self, text: str) -> Iterator[tuple[str, tuple[int, int]]]:
        """Words of names, a letter or two wrong or not, and where they stand."""
        for match in name_pieces(text):
            word = match.group().casefold()
            if has_cjk(word):
                run = _CHINESE.match(text, match.start())
                for size in range(2, min(len(run.group()) if run else 0, _LONGEST_CJK) + 1):
                    piece = text[match.start() : match.start() + size]
                    for each in self._known_as(piece) or (piece,):
                        yield each, (match.start(), match.start() + size)
            elif word not in FUNCTION_WORDS or word in self._hollow:
                known = stem(word) if stem(word) in self._words or word in TALK else self._word_like(word)
                yield from ((each, match.span()) for each in self._known_as(known or stem(word)))

    def _known_as(self, word: str) -> list[str]:
        """A word as names have it; where none does, what it is called in the other language."""
        others = _other_language().get(word, ()) if word not in self._words else (word,)
        return [each for each in others if each in self._words]

    def _word_like(self, word: str) -> str:
        """The one word of a name that a mistyped word is; empty: none, or several."""
        slips = (len(word) >= _SLIP) + (len(word) >= _TWO_SLIPS)
        near = (each for each in self._spelt if slips and each[:1] == word[:1])
        found = {stem(each) for each in near if edits(word, each, slips) <= slips}
        return found.pop() if len(found) == 1 else ""

    def tails(self, text: str) -> Iterator[tuple[int, int, list[HomeEntry]]]:
        """Start and end of each end of a path that stands in a text: a folder and what is in it."""
        said, found = text.casefold(), []
        for tail, entries in self._tails.items() if "/" in said else ():
            start = said.find(tail)
            if start >= 0 and not _GOES_ON.match(said, start + len(tail)):
                longest = max(_shared(said[: start + len(tail)], path) for path, _ in entries)
                found.append((longest, start + len(tail), entries))
        end = len(said)
        for longest, stop, entries in sorted(found, key=lambda each: (-each[1], -each[0])):
            start = stop - longest
            if stop <= end and not _IN_WORD.fullmatch(said[start - 1 : start]):
                end = start
                yield start, stop, [entry for path, entry in entries if path.endswith(said[start:stop])]

    def endings(self, text: str) -> Iterator[tuple[int, int, list[HomeEntry]]]:
        """Start and end of each name that stands in a text with its ending, blanks in it or not."""
        for match in re.finditer(r"\.[A-Za-z][A-Za-z0-9]{0,9}(?![A-Za-z0-9_])", text):
            for start in range(max(0, match.end() - self._longest), match.start()):
                before = text[start - 1 : start]
                if (before.isascii() and (before.isalnum() or before in {"_", "-", "/", "."})) and before:
                    continue
                found = self.called(text[start : match.end()])
                if found:
                    yield start, match.end(), found
                    break


def _bare(entry: HomeEntry) -> str:
    name = entry.path[entry.path.rfind("/") + 1 :]
    return name if entry.is_folder else _ENDING.sub("", name)


def _joined_words(name: str) -> str:
    """A name of two short words as one; empty: it is none."""
    words = name.casefold().split()
    plain = len(words) == _JOINED and name.isascii() and all(map(str.isalpha, words))
    return stem("".join(words)) if plain else ""


def telling_words(entry: HomeEntry) -> frozenset[str]:
    """The words that tell a name from others, without its ending, the mark of a copy and words of grammar."""
    bare = _COPY.sub("", _bare(entry))
    words = _latin_words(bare)
    return frozenset({*(words - FUNCTION_WORDS), *_CHINESE.findall(bare)} or words)


def _latin_words(name: str) -> set[str]:
    return {stem(each) for each in _LATIN.findall(name.casefold()) if len(each) > 1}


def _chinese_pieces(name: str) -> Iterator[str]:
    """The beginnings and the ends of what is Chinese in a name."""
    for run in _CHINESE.findall(name):
        yield from (run[:size] for size in range(2, len(run) + 1))
        yield from (run[-size:] for size in range(2, len(run)))


def _closest(places: Sequence[Sequence[tuple[int, int]]]) -> tuple[tuple[int, int], ...]:
    """One place of each word, those that stand together."""

    def beside(first: tuple[int, int]) -> tuple[tuple[int, int], ...]:
        return tuple(sorted(min(each, key=lambda span: abs(span[0] - first[0])) for each in places))

    return min(map(beside, places[0]), key=lambda spans: spans[-1][1] - spans[0][0])


def _shared(said: str, path: str) -> int:
    """How many characters at the end of both are the same, in whole names."""
    parts = path.strip("/").split("/")
    tails = ["/".join(parts[at:]) for at in range(len(parts))]
    return max(len(tail) for tail in tails if said.endswith(tail))


@cache
def _other_language() -> Mapping[str, frozenset[str]]:
    """Chinese words of things → stems in English, and the other way round: `发票` and `invoice`."""
    # What English has several words for are deeds, and kinds of files.
    said = {concept for word, concepts in CONCEPTS.items() for concept in concepts if concept != word}
    said |= GENERIC_WORDS | FUNCTION_WORDS | TALK
    found: dict[str, frozenset[str]] = {}
    for word, concepts in CJK_CONCEPTS.items():
        for name in {stem(concept) for concept in concepts if concept not in said and concept.isalpha()}:
            found[word] = found.get(word, frozenset()) | {name}
            found[name] = found.get(name, frozenset()) | {word}
    return found


class _Same:
    """Entries told from others by being the same object, which costs nothing."""

    def __init__(self, entries: tuple[HomeEntry, ...]) -> None:
        self.entries = entries

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.entries is other.entries

    def __hash__(self) -> int:
        return id(self.entries)


@lru_cache(maxsize=4)
def _known(same: _Same) -> DiskNames:
    return DiskNames(same.entries)


def disk_names(entries: tuple[HomeEntry, ...]) -> DiskNames:
    """The names of entries; made once for as long as they are the same object."""
    return _known(_Same(entries))


def reference_table(text: str) -> RuleTable:
    """The table of the language that a text is written in."""
    return rule_table("references", "zh" if has_cjk(text) else "en")


def folder_mentions(
    text: str, own: Mapping[str, str] = _NONE, *, asked: bool = False
) -> Iterator[tuple[int, int, str]]:
    """Start, end and folder of each that the text names: its English name, or what `own` says of its name,
    `HOME` or `HERE`.

    `own`: of a name in lower case, its words with one blank between them. `asked`: it answers a question for
    a folder, so that a bare name will do.
    """
    if own:
        return _mentions(text[:_LONGEST], own, asked=asked)
    return iter(_everybodys_mentions(text[:_LONGEST], asked))


@lru_cache(maxsize=64)
def _everybodys_mentions(text: str, asked: bool) -> tuple[tuple[int, int, str], ...]:
    """One message is read again and again."""
    return tuple(_mentions(text, _NONE, asked=asked))


def _mentions(text: str, own: Mapping[str, str], *, asked: bool) -> Iterator[tuple[int, int, str]]:
    table = reference_table(text)
    for pattern in table.each("here"):
        for match in pattern.finditer(text):
            yield *match.span(), HERE
    known = {**everybodys_folders(), **own}
    loose = table.words("loose")
    sure = [name for name in known if name not in loose]
    slips = dict(_misspelt(text, known, sure))
    said = text.casefold()
    if not any(name.partition(" ")[0] in said for name in (*known, *slips)):
        return
    slots = {
        "any": _one_of([*known, *slips]),
        "sure": _one_of([*sure, *slips]),
        "capital": _one_of(name.title() for name in known if name.isascii()),
    }
    known |= slips
    for pattern in table.each("places", **slots) + (table.each("asked_places", **slots) if asked else ()):
        for match in list(pattern.finditer(text)):
            start, end = match.span("words")
            folder = known.get(spaced_name(match["name"]))
            if folder is not None and PLACE not in text[start:end] and table["place_end"].match(text, end):
                text = f"{text[:start]}{PLACE * (end - start)}{text[end:]}"
                yield start, end, folder


def _misspelt(text: str, known: Mapping[str, str], sure: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Words that would be the name of a folder but for one letter."""
    long = [name for name in sure if len(name) >= _FOLDER_SLIP]
    for word in {piece.group().casefold() for piece in name_pieces(text)} - known.keys():
        near = [name for name in long if name[0] == word[0] and edits(name, word, 1) == 1]
        if len(near) == 1:
            yield word, known[near[0]]


def path_of(folder: str) -> str:
    """How people write the path of a folder that everybody has."""
    return folder if folder in (HOME, HERE) else f"{HOME}/{folder}"


def known_folder(text: str) -> str | None:
    """The path when the whole text names such a folder (`downloads`, `the Desktop`), else `None`."""
    bare = text.strip()
    if bare.casefold() in reference_table(bare).words("bare_here"):
        return HERE
    mentions = list(folder_mentions(bare, asked=True))
    return path_of(mentions[0][2]) if [each[:2] for each in mentions] == [(0, len(bare))] else None


@cache
def everybodys_folders() -> Mapping[str, str]:
    """What the folders that everybody has are called in any language → their English names."""
    tables = [rule_table("references", language).section("folders") for language in _LANGUAGES]
    return {
        word.replace("_", " "): folder
        for table in tables
        for folder, words in table.items()
        for word in words.split()
    }


@lru_cache(maxsize=5_000)
def spaced_name(name: str) -> str:
    """A name in lower case, its words with one blank between them."""
    return " ".join(re.split(r"[\s_\-]+", name.casefold()))


def _one_of(names: Iterable[str]) -> str:
    """A pattern for any of the names, with whatever stands between their words."""
    many = [r"[\s_\-]{1,2}".join(map(re.escape, name.split())) for name in names]
    return f"(?:{'|'.join(sorted(many, key=len, reverse=True)) or '(?!)'})"


FOLDER, FILE, WRITING = "folder", "file", "writing"
_ENDINGS = {
    "image": "png jpg jpeg gif webp svg bmp heic tif tiff",
    "table": "csv tsv xlsx xls ods",
    "archive": "zip tar gz tgz xz bz2 7z rar",
    "text": "txt md",
    "document": "pdf docx doc odt md txt rtf",
    "video": "mp4 mkv mov webm avi",
    "audio": "mp3 wav ogg flac m4a opus",
    "script": "py sh js rb pl",
    "slides": "pptx ppt odp",
    WRITING: "txt md pdf docx doc odt rtf",
}
_ALONE = "html css json xml toml yaml log exe deb iso epub"


@cache
def _pattern() -> re.Pattern[str]:
    """A kind, with its name as the group: `pictures`, `pdf files`, `.csv`."""
    own = {ending for endings in (*_ENDINGS.values(), _ALONE) for ending in endings.split()}
    english, chinese = (
        "|".join(
            f"(?P<{kind}_{language}>{rule_table('file_kinds', language)[kind].pattern})"
            for kind in (FOLDER, FILE, *_ENDINGS)
        )
        for language in _LANGUAGES
    )
    ending = rf"(?<![a-z0-9])\.?(?P<ending>{'|'.join(sorted(own, key=len, reverse=True))})s?(?![a-z0-9])"
    behind = r"(?:\s*(?:files?\b|文件(?!夹)))?"
    return re.compile(rf"(?:{ending}|\b(?:{english})\b|{chinese}){behind}", re.IGNORECASE)


def kind_at(text: str, position: int) -> tuple[str, int] | None:
    """The kind that the words at a place name, an ending with its dot, and where they end."""
    found = _pattern().match(text, position)
    return (_kind(found), found.end()) if found is not None else None


def kinds_in(words: str) -> frozenset[str]:
    """All kinds that are named."""
    return frozenset(_kind(found) for found in _pattern().finditer(words))


def kind_places(text: str) -> Iterator[tuple[int, int]]:
    """Where kinds are named that have endings of their own."""
    return (found.span() for found in _pattern().finditer(text) if name_pattern(found.group()))


def name_pattern(words: str) -> str:
    """What all files of the kind fit that the words name, and nothing else: `*.pdf`, `*.{mp4,mkv}`; empty
    where they name none."""
    found = _pattern().fullmatch(words.strip())
    kind = _kind(found) if found is not None else ""
    endings = (
        _ENDINGS.get(kind, kind.removeprefix(".")).split() if kind not in (FOLDER, FILE, WRITING) else []
    )
    return f"*.{{{','.join(endings)}}}" if len(endings) > 1 else "".join(f"*.{ending}" for ending in endings)


def _kind(found: re.Match[str]) -> str:
    if found["ending"]:
        return f".{found['ending'].lower()}"
    return next(name for name, said in found.groupdict().items() if said).rpartition("_")[0]


def is_of_kind(path: str, kind: str, *, is_folder: bool) -> bool:
    """Whether something is what a kind names."""
    if kind in (FOLDER, FILE):
        return is_folder is (kind == FOLDER)
    ending = PurePath(path).suffix.removeprefix(".").lower()
    return not is_folder and ending in (_ENDINGS.get(kind) or kind.removeprefix(".")).split()
