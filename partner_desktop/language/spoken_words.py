"""Spoken words in plain ones: `瞅瞅下栽那块都搁了些啥呀` says `看看下载那块都放了些什么`, and
`the lecture wants binning` says `delete the lecture`.

Pure. The tables are `resources/language/LANGUAGE/spoken.toml`. A list of patterns in one is a construction:
its name is what is read in its place, with what its groups hold for the names in braces. The Chinese table
has besides how words are said otherwise, fillers, vocatives, laughter, particles, and words that are often
typed by their sound with the wrong character. Everything that reads what was said may read the plain words;
what is kept as free text gets back what the person said.

A resolved text is a message with what its words mean written into it: `zip the shopping list` becomes `zip
'~/Notes/shopping list.txt'`, for what is literal is understood.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import shipped
from partner_desktop.domain.surroundings import NOWHERE, Surroundings
from partner_desktop.language.rule_table import Language, rule_table
from partner_desktop.language.spans import SpanKind, find_spans
from partner_desktop.language.terms import TEXT_LIMIT, has_cjk
from partner_desktop.language.typed_words import Meant, read_in_place, typed_forms

#: What is an argument and no speech; and what a name of the disk becomes while the words around it are read.
_ARGUMENTS = frozenset({SpanKind.QUOTE, SpanKind.URL})
_HIDDEN, _QUOTED = "\ue010", "\ue011"
_FILE_NAME = re.compile(
    r"[~\w.-]*/[^\s，。；：！？”」]*|(?:[A-Za-z0-9_-]+|(?:(?![A-Za-z把将叫成为个给])\w){1,8})\.[A-Za-z][A-Za-z0-9]{0,4}(?![A-Za-z0-9])"
)
_MARKS = r"[，,。！!？?…～~；;、：:\s]"
#: A longer text is a document.
_LONGEST = 400
#: Words of grammar are no slips for anything that sounds like them.
_GRAMMAR = frozenset(
    "在再的得地了是有和这那他她它不个一以可到说要也出会过后里上下天没对好看来去自起就都把被给从"
)


@dataclass(frozen=True)
class PlainWords:
    """What was said, and the same in plain words."""

    said: str
    plain: str
    begins: tuple[int, ...]
    """Where each character of `plain` begins in `said`."""
    ends: tuple[int, ...]

    def own(self, value: str) -> str:
        """A piece of `plain` as the person said it; anything else as it is."""
        start = self.plain.find(value) if value and value not in self.said else -1
        if start < 0:
            return value
        return self.said[self.begins[start] : self.ends[start + len(value) - 1]]

    def replaced(self, pattern: re.Pattern[str], meant: Meant) -> PlainWords:
        """With something else in place of whatever fits the pattern."""
        text, begins, ends, position = [], [], [], 0
        for found in pattern.finditer(self.plain):
            if not found.group() or (new := [*meant(found)]) == [*found.group()]:
                continue
            for piece in ((position, found.start()), *new):
                if isinstance(piece, str):
                    text.append(piece)
                    begins += [self.begins[found.start()]] * len(piece)
                    ends += [self.ends[found.end() - 1]] * len(piece)
                else:
                    text.append(self.plain[slice(*piece)])
                    begins += self.begins[slice(*piece)]
                    ends += self.ends[slice(*piece)]
            position = found.end()
        if not text:
            return self
        return PlainWords(
            self.said,
            "".join([*text, self.plain[position:]]),
            (*begins, *self.begins[position:]),
            (*ends, *self.ends[position:]),
        )


def in_plain_words(said: str, names: Iterable[str] = ()) -> PlainWords:
    """What was said in plain words; quotations, paths and the `names` of things stay as they are.

    In English, a word of such a name is no word with a letter wrong.
    """
    found = PlainWords(said, said, tuple(range(len(said))), tuple(range(1, len(said) + 1)))
    if len(said) > TEXT_LIMIT:
        return found
    quoted = [said[span.start : span.end] for span in find_spans(said) if span.kind in _ARGUMENTS]
    names, chinese = tuple(names), has_cjk(said)
    named = sorted((name for name in names if has_cjk(name) and name in said), key=len, reverse=True)
    read = replace(found, plain=_hidden(said, quoted, named))
    for pattern, meant in _spoken() if chinese else typed_forms(_words_of(names)):
        read = read.replaced(pattern, meant)
    for pattern, meant in _constructions("zh" if chinese else "en") if len(said) <= _LONGEST else ():
        read = read.replaced(pattern, meant)
    shown = zip(read.plain, read.begins, strict=True)
    plain = "".join(said[begin] if letter in _HIDDEN + _QUOTED else letter for letter, begin in shown)
    return replace(read, plain=plain) if re.search(r"\w", plain) else found


def _words_of(names: Iterable[str]) -> frozenset[str]:
    return frozenset(word for name in names for word in re.findall(r"[a-z]+", name.casefold()))


def _hidden(said: str, quoted: Iterable[str], names: Iterable[str]) -> str:
    """With quotations, names and what looks like the name of a file out of sight."""
    text = said
    for words in quoted:
        text = text.replace(words, _QUOTED * len(words))
    for name in names:
        text = text.replace(name, _HIDDEN * len(name))
    return _FILE_NAME.sub(lambda found: _HIDDEN * len(found.group()), text)


@cache
def _constructions(language: Language) -> tuple[tuple[re.Pattern[str], Meant], ...]:
    """The constructions in their order, each with what is read in its place."""
    table = rule_table("spoken", language)
    return tuple((table[plain], read_in_place(plain)) for plain in table.names)


@cache
def _spoken() -> tuple[tuple[re.Pattern[str], Meant], ...]:
    """The patterns in the order in which they are read, each with what its words mean."""
    table = _table("spoken")
    fillers, vocatives = (_any_of(table[name].split()) for name in ("fillers", "vocatives"))
    particles = {word: plain for plain, words in table["particles"].items() for word in words.split()}
    once = [f"{word[0]}(?={word})|{word}(?={word})" for word in table["doubled"].split()]
    parted = [f"{word[0]}(?:(?:了?一?[个次下把]|了)新?(?={word[1]}))" for word in table["parted"].split()]
    rows: list[tuple[str, Meant]] = [
        (table["laughter"], _nothing),
        (_slips(table["typed"].split()), _meant(table)),
        ("|".join(once), _nothing),
        ("|".join(parted), lambda found: found.group()[0]),
        (rf"([{table['reduplicated']}])(?:[一了]|了一)?\1(下?)(?!一下)", _once),
        (_plain(table), lambda found: _plainly(found, table)),
        (rf"(?:^|(?<={_MARKS}))(?:{fillers}(?:{_MARKS}+|$))+", _nothing),
        (
            rf"{_any_of(particles)}+(?=\s*(?:{_MARKS}|$))",
            lambda found: next((particles[word] for word in particles if found.group().endswith(word)), ""),
        ),
        (rf"^{vocatives}{_MARKS}+|亲(?=[帮给能请])|(?<=[，,！!])\s*{vocatives}{_MARKS}*$", _nothing),
    ]
    return tuple((re.compile(pattern), meant) for pattern, meant in rows)


def _nothing(found: re.Match[str]) -> str:
    return ""


def _once(found: re.Match[str]) -> str:
    """A verb that is said twice, in passing."""
    return f"{found[1]}{found[2] or '一下'}"


def _any_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})"


def _plain(table: Mapping[str, Any]) -> str:  # Any: what TOML says
    """What stays, or the words of each plain word as a group of their own."""
    groups = (f"(?P<w{at}>{words})" for at, words in enumerate(table["plain"].values()))
    return f"{_any_of(table['kept'].split())}|{'|'.join(groups)}"


def _plainly(found: re.Match[str], table: Mapping[str, Any]) -> str:  # Any: what TOML says
    return str(found[0]) if found.lastgroup is None else str([*table["plain"]][int(found.lastgroup[1:])])


def _slips(words: Iterable[str]) -> str:
    """A word with one character that sounds like its own."""
    alike = {
        one: "".join(same for same in sounds if same not in _GRAMMAR)
        for sounds in _table("pinyin").values()
        for one in sounds
    }
    slips = (
        f"{word[:at]}[{alike[letter]}]{word[at + 1 :]}"
        for word in words
        for at, letter in enumerate(word)
        if alike.get(letter)
    )
    return "|".join(slips)


def _meant(table: Mapping[str, Any]) -> Callable[[re.Match[str]], str]:  # Any: what TOML says
    """What a slip is for; a word of its own is none."""
    known, own = table["typed"].split(), frozenset(table["words_of_their_own"].split())

    def meant(found: re.Match[str]) -> str:
        said = found.group()
        if said in own or said in known:
            return said
        return next(
            str(word) for word in known if len(word) == len(said) and sum(map(str.__ne__, word, said)) == 1
        )

    return meant


def _table(name: str) -> dict[str, Any]:  # Any: what TOML says
    path = shipped("resources") / "language" / "zh" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Reference:
    """Words that mean something known: `words` stand at `start` of what was said."""

    words: str
    paths: tuple[str, ...]
    """Absolute, at least one."""
    start: int
    new: bool = False
    """It need not be there yet: the name and the place of a thing to make."""
    absorbed: bool = False
    """A place that another reference says already, with what is in it: nothing is written for it."""
    lead: str = ""
    """What is written before it: `to ` for `there`."""
    doubtful: bool = False
    """It may be any one of the paths, the likeliest first: the words stay as they are."""

    @property
    def end(self) -> int:
        return self.start + len(self.words)

    def shown(self, home: str) -> str:
        """Its first path, as people write it."""
        return _short(self.paths[0], home)


@dataclass(frozen=True)
class ResolvedText:
    """What was said, and what it says with its references written out."""

    said: str
    text: str
    references: tuple[Reference, ...] = ()
    doubtful: tuple[Reference, ...] = ()
    home: str = ""
    plain: str = ""
    """`text` without what is free in it: quotations, what to note, what to search for."""
    plainly: tuple[PlainWords, ...] = ()
    """How `said`, or what it is a part of, was said by the person."""
    surroundings: Surroundings = NOWHERE
    """What it was read with."""

    def is_there(self, path: object) -> bool:
        """Whether a path stands here for something that is there already."""
        made = {each.paths for each in self.references if each.new}
        there = [each for each in self.references if not (each.absorbed or each.paths in made)]
        return any(as_written(each, self.home, self.said).strip(" '\"") == path for each in there)

    def restored(self, value: str) -> str:
        """A piece of `text` as the person said it."""
        for reference in self.references:
            written = as_written(reference, self.home, self.said)
            for form in (f"{reference.lead}{written}", written, written.strip(), written.strip(" '\"")):
                if form and form not in self.said:
                    value = value.replace(form, reference.words)
        for words in self.plainly:
            value = words.own(value)
        return value


def resolved_text(said: str, found: Iterable[Reference], *, home: str) -> ResolvedText:
    """Write into a text what was found in it; of two that overlap the first given holds."""
    kept: list[Reference] = []
    for each in found:
        if all(each.end <= other.start or other.end <= each.start for other in kept):
            kept.append(each)
    references = sorted((each for each in kept if not each.doubtful), key=lambda each: each.start)
    doubtful = tuple(each for each in kept if each.doubtful)
    text, position = "", 0
    for reference in references:
        text += f"{said[position : reference.start]}{reference.lead}{as_written(reference, home, said)}"
        position = reference.end
    return ResolvedText(said, text + said[position:], tuple(references), doubtful, home)


def as_written(reference: Reference, home: str, said: str) -> str:
    """How a reference stands in a text: each path as people write them, in quotes where it would break."""
    if reference.absorbed:
        return ""
    shown = [_shown(path, home) for path in reference.paths]
    before, behind = said[: reference.start][-1:], said[reference.end :][:1]
    written = "、".join(shown) if has_cjk(said) else " and ".join(shown)
    return f"{' ' * before.isalnum()}{written}{' ' * behind.isalnum()}"


def _short(path: str, home: str) -> str:
    inside = home and (path == home or path.startswith(home.rstrip("/") + "/"))
    return "~" + path[len(home.rstrip("/")) :] if inside else path


def _shown(path: str, home: str) -> str:
    short = _short(path, home)
    whole = [(span.start, span.end) for span in find_spans(short)] == [(0, len(short))]
    mark = '"' if "'" in short else "'"
    return short if whole and not has_cjk(short) else f"{mark}{short}{mark}"
