"""Words that mean something on the disk: `my downloads`, `the shopping list`, `the song from downloads`.

Pure. What folders are called, and what stands around the name of a thing that is meant, is in the tables
`references.toml`. A wrong reading is worse than none: a word that is the name of a file, or a part of one,
means the file only where the sentence puts a file there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import PurePath

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.surroundings import HomeEntry, Surroundings
from partner_desktop.language.disk_names import (
    FILE,
    FOLDER,
    HERE,
    HOME,
    PLACE,
    WRITING,
    DiskNames,
    NameMention,
    disk_names,
    everybodys_folders,
    folder_mentions,
    is_of_kind,
    kind_at,
    kinds_in,
    name_pattern,
    name_pieces,
    reference_table,
    spaced_name,
)
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.result_references import (
    attached_folder,
    has_antecedent,
    is_kind_alone,
    placed_things,
    result_references,
    superlatives,
)
from partner_desktop.language.spans import SpanKind, find_spans, masked_text, unquoted
from partner_desktop.language.spoken_words import Reference, ResolvedText, resolved_text
from partner_desktop.language.terms import has_cjk, stem

#: Longer messages are documents.
_LONGEST = 2_000
#: In a text with what is known of it blanked, besides `PLACE`: what is not read, and where a thing is.
_CLOSED, _THING = "\ue001", "\ue002"
_MARKS = (_CLOSED, _THING, PLACE)
#: Characters around a name that tell what it is, things that may be offered to choose from, and that are done
#: in one go.
_AROUND, _MOST_OFFERED, _MOST_TOGETHER, _BOTH = 160, 9, 12, 2
_ANY = "any"
#: A name of so many words, or characters without blanks, is hardly said by chance.
_TELLING, _TELLING_CJK = 2, 3
_NO_TEXT = ("image", "audio", "video", "archive")
#: What may stand between two words of one name.
_GAP = late(r"[\s_\-(&+'’]{0,3}")
#: A path from the root or the home, in quotes or not, and one that begins with a dot, but no ending alone.
_WRITTEN_OUT = late(r"[~/\\'\"“‘]|(?<![\w)])\.")


@dataclass(frozen=True)
class WantedPath:
    """What a required parameter takes that has no value yet."""

    kinds: frozenset[str] = frozenset({FILE, FOLDER})
    made: bool = False
    """It is to be made: a name, and a place for it."""
    taken_away: bool = False
    """A folder that everybody has only says where that lies."""
    own_words: frozenset[str] = frozenset()
    """Stems of what the ability is said with: they name nothing."""
    asked: bool = False
    """The words answer a question for it."""
    known: tuple[str, ...] = ()
    """Other arguments, as they stand in the text."""


def resolve_references(
    text: str, surroundings: Surroundings, *, asked: bool = False, wanted: WantedPath | None = None
) -> ResolvedText:
    """Write into a text what its words mean.

    One thing that fits is taken, several are told as doubtful, and where none does the words stay. What is
    free text is not read: quotations, what to note, what to search for. With `wanted`, or where it answers a
    question for a file or a folder (`asked`), every word may be of a name: `essay. the draft. in documents`.
    """
    if not surroundings.home or len(text) > _LONGEST:
        return ResolvedText(text, text, plain=text)
    home = surroundings.home
    reading = _Reading(text, surroundings, WantedPath(asked=True) if asked else wanted)
    found = list(reading.found())
    vague = [each for each in found if is_kind_alone(each.words) and not reading.makes(each)]
    vague = [] if asked or wanted is not None else vague
    sure = [each for each in found if each not in vague]
    sure = [*attached_folder(text, surroundings.referents), *sure]
    sure = [*placed_things(text, surroundings.referents, reading.closed), *sure]
    known = [*map(_span, sure), *reading.closed]
    left = result_references(text, surroundings.referents, known)
    vague = [each for each in vague if not has_antecedent(text, each.start, known)]
    resolved = resolved_text(text, _told_apart([*sure, *left, *vague], text), home=home)
    every = [*resolved.references, *resolved.doubtful, *_renamed(resolved)]
    unsaid = masked_text(text, reading.free, " ")
    return replace(
        resolved_text(text, every, home=home),
        surroundings=surroundings,
        plain=resolved_text(unsaid, every, home=home).text,
    )


def folders_of_most(text: str, surroundings: Surroundings) -> frozenset[str]:
    """The folders that are named beside `the biggest file`: of what lies there, sizes and times tell."""
    if not surroundings.home or len(text) > _LONGEST or not any(superlatives(text)):
        return frozenset()
    found = resolve_references(text, surroundings).references
    return frozenset(each.paths[0] for each in found)


def _told_apart(found: Sequence[Reference], text: str) -> Iterator[Reference]:
    """Of things with one name the one whose folder is said to hold it; that folder is not meant itself."""
    held = {
        each: [path for path in each.paths if _is_said_to_hold(text, path)] for each in found if each.doubtful
    }
    places = {str(PurePath(paths[0]).parent) for paths in held.values() if len(paths) == 1}
    for each in found:
        if len(paths := held.get(each, [])) == 1:
            yield replace(each, paths=tuple(paths), doubtful=False)
        elif each.new or each.paths[0] not in places:
            yield each


def _is_said_to_hold(text: str, path: str) -> bool:
    patterns = reference_table(text).each("holds", name=re.escape(PurePath(path).parent.name))
    return any(pattern.search(text) for pattern in patterns)


def _renamed(resolved: ResolvedText) -> Iterator[Reference]:
    """The new name of one thing, as the path that it shall have: `rename ~/Trips to Journeys`."""
    text, home = resolved.text, resolved.home.rstrip("/")
    quoted = [(span.start, span.end) for span in find_spans(text) if span.kind is SpanKind.QUOTE]
    for span in find_spans(text):
        plain = masked_text(masked_text(text, quoted, _CLOSED), [(span.start, span.end)], _THING)
        matches = (pattern.search(plain) for pattern in reference_table(text).each("renamed"))
        for match in filter(None, matches) if span.is_path else ():
            said = match.start("name") - len(text) + len(resolved.said)
            if resolved.said[said:] != text[match.start("name") :]:
                continue  # behind it stands something else that was written out
            new = text[slice(*match.span("name"))]
            old, name = PurePath(span.value), unquoted(new.strip())
            if old.name.strip("~") and "/" not in name:
                path = old.with_name(name if "." in name else f"{name}{old.suffix}")
                yield Reference(new, (str(path).replace("~", home, 1),), said, new=True)


class _Reading:
    """One text, read once. `closed`, after `found` was asked: the parts that are not read; `free`: those of
    them that are free text."""

    def __init__(self, text: str, surroundings: Surroundings, wanted: WantedPath | None) -> None:
        self._text = text
        self._home = surroundings.home.rstrip("/")
        self._cwd = surroundings.cwd
        self._wanted = wanted
        self._pointed = bool(surroundings.referents)
        self._entries = surroundings.entries
        self._measured = surroundings.measured
        self._lasting = surroundings.lasting
        self._names = disk_names(surroundings.entries)
        self._folders = {entry.path for entry in surroundings.entries if entry.is_folder} | {self._home}
        self._table = reference_table(text)
        spans = find_spans(text)
        self.closed = [
            (span.start, span.end)
            for span in spans
            if span.kind in (SpanKind.QUOTE, SpanKind.URL, SpanKind.EMAIL)
            or (span.kind is SpanKind.PATH and _WRITTEN_OUT.match(text, span.start))
        ]
        self.free = [(span.start, span.end) for span in spans if span.kind is SpanKind.QUOTE]
        written = {
            (span.start, span.end): span.value.replace("~", self._home, 1).rstrip("/")
            for span in spans
            if span.is_path and _WRITTEN_OUT.match(text, span.start)
        }
        #: Where folders are named; what is written out stays as it is.
        self._places = {span: path for span, path in written.items() if path in self._folders}
        self._files = [
            Reference(text[slice(*span)], (path,), span[0])
            for span, path in written.items()
            if wanted is not None and path not in self._folders and path.casefold() in self._names.paths
        ]
        self._plain = text
        #: What the message itself says is to be made.
        self._made = DiskNames(())

    def found(self) -> Iterator[Reference]:
        """What is meant, the surest first where two overlap."""
        wanted, spelt = self._wanted, list(self._spelt_out())
        self._mask(self.closed, _CLOSED)
        self._places |= {_span(each): each.paths[0] for each in spelt if each.paths[0] in self._folders}
        self._mask(map(_span, spelt), _THING)
        self._mask(self._places, PLACE)
        free = [] if wanted is None else self._unmeant(wanted)
        self._mask(free, _CLOSED)
        self._find_places()
        free += self._free("free") if wanted is None else []
        self._places = {span: path for span, path in self._places.items() if not _overlaps(span, free)}
        self._mask(free, _CLOSED)
        called = [*self._existing(), *self._new()]
        self._made = DiskNames([HomeEntry(each.paths[0], is_folder=True) for each in called if each.new])
        yield from called
        if wanted is not None and wanted.made:
            return
        if wanted is None:
            named = (span for span in self._free("names") if not _overlaps(span, map(_span, called)))
            free += list(named)
        self.closed += free
        self.free += free
        several = list(self._several()) if wanted is None else []
        self._mask(map(_span, several), _THING)
        yield from several
        self._mask([*free, *map(_span, called)], _CLOSED)
        things = [
            each for each in (*self._files, *spelt, *self._things()) if not _overlaps(_span(each), free)
        ]
        places = [
            Reference(self._text[slice(*span)], (path,), span[0]) for span, path in self._places.items()
        ]
        yield from (*things, *places) if wanted is None else self._narrowed([*things, *places], wanted)

    def makes(self, found: Reference) -> bool:
        """Whether the message itself says that this is to be made."""
        return not found.doubtful and found.paths[0].casefold() in self._made.paths

    def _mask(self, spans: Iterable[tuple[int, int]], mark: str) -> None:
        self._plain = masked_text(self._plain, spans, mark)

    def _free(self, rule: str) -> list[tuple[int, int]]:
        return [
            match.span("free")
            for pattern in self._table.each(rule)
            for match in pattern.finditer(self._plain)
        ]

    def _said(self, match: re.Match[str], group: str) -> str:
        return self._text[match.start(group) : match.end(group)]

    # Folders.

    def _spelt_out(self) -> Iterator[Reference]:
        """Ends of paths, and what goes on behind a blank, that lead to something: `Notes/to do.txt`."""
        for start, end, entries in self._names.tails(self._text):
            root = next(
                (each for each in ("~/", f"{self._home}/", "/") if self._text[:start].endswith(each)), ""
            )
            sealed = any(
                first <= start < last and self._text[first] not in "~/." for first, last in self.closed
            )
            if len(entries) == 1 and not sealed:
                yield Reference(self._text[start - len(root) : end], (entries[0].path,), start - len(root))

    def _find_places(self) -> None:
        """Where folders are named that everybody has, or that lie right in the home."""
        own, wanted = dict(self._own_folders()), self._wanted
        names = [each for each in self._names.mentions(self._plain) if each.whole and len(each.pieces) == 1]
        for start, end, folder in folder_mentions(
            self._plain, own, asked=wanted is not None and wanted.asked
        ):
            inside = any(
                each.start <= start and end <= each.end and each.size > end - start for each in names
            )
            if (
                folder != HERE and not inside and (wanted is None or self._folder(folder) in self._folders)
            ):  # `读书笔记` is no folder of notes
                self._places[start, end] = self._folder(folder)
        self._mask(self._places, PLACE)
        known = {**everybodys_folders(), **own} if wanted is not None else {}
        for name in sorted(known, key=len, reverse=True):
            bounds = "" if has_cjk(name) else r"\b"
            for match in re.finditer(rf"{bounds}{re.escape(name)}{bounds}", self._plain, re.IGNORECASE):
                there = self._folder(known[name]) in self._folders
                if there and self._is_all_one_has(name, match.start()):
                    self._places[match.span()] = self._folder(known[name])
                    self._mask([match.span()], PLACE)

    def _is_all_one_has(self, name: str, start: int) -> bool:
        """Whether a word is said of a folder, and not of things of a kind that it means too."""
        if self._wanted is None or name not in self._table.words("loose"):
            return True
        plural = name.endswith("s") or has_cjk(name)
        own = not self._wanted.asked and stem(name) in self._wanted.own_words
        counted = self._before("counted", start) is not None
        return not counted and (self._wanted.asked or (plural and not own))

    def _unmeant(self, wanted: WantedPath) -> list[tuple[int, int]]:
        """Of every word that may be of a name, those that are turned down, asked, or of other arguments."""
        rules = ("not_meant", "asking") if wanted.asked else ("not_meant",)
        patterns = [pattern for rule in rules for pattern in self._table.each(rule)]
        patterns += [re.compile(re.escape(value)) for value in filter(str.strip, wanted.known)]
        return [match.span() for pattern in patterns for match in pattern.finditer(self._text)]

    def _own_folders(self) -> Iterator[tuple[str, str]]:
        depth = self._home.count("/") + 1
        for entry in self._entries:
            if entry.is_folder and entry.path.count("/") == depth and entry.path.startswith(f"{self._home}/"):
                name = PurePath(entry.path).name
                yield spaced_name(name), entry.path
                for word in self._table.section("own_folders").get(name, "").split():
                    yield word, entry.path

    def _folder(self, known: str) -> str:
        """The path of a folder: one in the home by that name, or by what it is called in any language."""
        if known.startswith("/"):
            return known
        if known == HOME:
            return self._home
        names = [known, *(word for word, folder in everybodys_folders().items() if folder == known)]
        paths = (f"{self._home}/{name}".casefold() for name in names)
        return next(
            (self._names.paths[path] for path in paths if path in self._names.paths), f"{self._home}/{known}"
        )

    def _place_at(self, match: re.Match[str]) -> str:
        """The folder that a group `place` stands for; empty where it took no part."""
        if not match.groupdict().get("place"):
            return ""
        return next(path for span, path in self._places.items() if _overlaps(span, [match.span("place")]))

    # What is said to be called so.

    def _existing(self) -> Iterator[Reference]:
        for pattern in self._table.each("existing"):
            for match in pattern.finditer(self._plain):
                folder, name = self._place_at(match), unquoted(self._said(match, "name"))
                named = [each for each in self._names.mentions(name) if each.whole and each.end == len(name)]
                entries = self._names.called(name) or [entry for each in named for entry in each.entries]
                found = [entry for entry in entries if _is_below(entry.path, folder)]
                if len(found) == 1:
                    yield Reference(self._said(match, "words"), (found[0].path,), match.start("words"))

    def _new(self) -> Iterator[Reference]:
        made = self._wanted is not None and self._wanted.made
        for pattern in (*self._table.each("new"), *(self._table.each("made_name") if made else ())):
            for match in pattern.finditer(self._plain):
                folder, name = self._place_at(match), unquoted(self._said(match, "name")).strip(" .,!?")
                if made and not folder:
                    folder = next(reversed(self._places.values()), self._home)
                known = f"{folder}/{name}".casefold() in self._names.paths
                if not name or "/" in name or (not known and self._before("said_to_be", match.start())):
                    continue
                path = self._names.paths.get(f"{folder}/{name}".casefold(), f"{folder}/{name}")
                words = "words" if "words" in match.groupdict() else "name"
                yield Reference(self._said(match, words), (path,), match.start(words), new=True)
                if match.groupdict().get("absorbed"):
                    place = self._said(match, "absorbed")
                    yield Reference(place, (folder,), match.start("absorbed"), absorbed=True)
                if made:
                    return
        for start, end in self.free if made else ():
            folder = next(reversed(self._places.values()), self._home)
            words = self._text[start:end]
            yield Reference(words, (f"{folder}/{unquoted(words)}",), start, new=True)

    # What is named in passing.

    def _things(self) -> Iterator[Reference]:
        for start, end, meant in superlatives(self._plain) if self._measured else ():
            place = self._attached(start, end)
            inside = [item for item in self._measured if place and _is_below(item.path, place[2])]
            if place is None or not (paths := meant(inside)):
                continue
            first, last = min(start, place[0]), max(end, place[1])
            if self._wanted is not None or re.search(r"\w", self._text[:first] + self._text[last:]):
                yield from self._noted(self._meaning(paths, first, last))
        for match in name_pieces(self._plain) if self._wanted is None else ():
            yield from self._noted(self._all_of_kind(match.start()))
        for start, end, entries in list(self._names.endings(self._plain)):
            yield from self._noted(self._settled(entries, start, end))
        mentions = [*self._names.mentions(self._plain), *self._made.mentions(self._plain)]
        for mention in sorted(mentions, key=self._order):
            if not any(mark in self._plain[slice(*piece)] for piece in mention.pieces for mark in _MARKS):
                yield from self._noted(self._meant(self._side_by_side(mention)))
        for match in name_pieces(self._plain):
            yield from self._noted(self._kind_at(match.start()))

    def _several(self) -> Iterator[Reference]:
        """`Both invoices`, `all the receipts in documents`: each file of one folder that is called so."""
        found = (each.finditer(self._plain) for each in self._table.each("several"))
        for match in chain.from_iterable(found):
            start, end, noun = match.start("words"), match.end(), match["noun"]
            kind = kind_at(self._plain, match.start("noun"))
            if (kind is not None and kind[0] != WRITING) or self._is_of_any(noun):
                continue
            place = self._attached(start, end)
            first, last = (start, end) if place is None else (min(start, place[0]), max(end, place[1]))
            named = [
                each
                for each in self._names.with_word(noun)
                if place is None or _is_below(each.path, place[2])
            ]
            files = sorted(each.path for each in named if not each.is_folder)
            together = len({str(PurePath(path).parent) for path in files}) == 1 and len(files) == len(named)
            fits = together and len(files) <= _MOST_TOGETHER and (not match["both"] or len(files) == _BOTH)
            if fits and self._says_no_more(first, last):
                yield Reference(self._text[first:last], tuple(files), first)

    def _says_no_more(self, first: int, last: int) -> bool:
        """Whether around several things nothing stands but an order, where they go, and another order.

        Whatever else is said may tell that some of them are not meant, in more ways than a list could hold.
        """
        before = self._table["before_several"].fullmatch(self._plain, 0, first)
        behind = self._table["behind_several"].fullmatch(self._plain, last)
        return before is not None and behind is not None and not self._lasting

    def _is_of_any(self, noun: str) -> bool:
        """Whether a word is in many a name and tells none: `copies`."""
        nothing = self._table.words("empty") | self._table.words("loose")
        return stem(noun.casefold()) in {stem(word) for word in nothing}

    def _order(self, mention: NameMention) -> tuple[bool, bool, int]:
        """The surest first, and what a kind stands behind before the name that the kind may be."""
        return not mention.whole, self._kind_behind(mention.end) is None, -mention.size

    def _noted(self, found: Reference | None) -> Iterator[Reference]:
        if found is not None:
            self._mask([_span(found)], _THING)
            yield found

    def _meant(self, mention: NameMention) -> Reference | None:
        """What of the entries is meant, if the sentence means a thing here at all."""
        start, end, entries = mention.start, mention.end, mention.entries
        end += self._plain.startswith(")", end) and "(" in self._plain[start:end]
        definite, kind = self._before("definite", start), self._kind_behind(end)
        begin = start if definite is None else definite.start("words")
        if kind is not None:
            fitting = tuple(entry for entry in entries if _fits(entry, kind[0]))
            if fitting or self._wanted is None:
                entries, end = fitting, kind[1]
        if self._wanted is not None:
            one = self._before("of_one", start) is not None
            sure = mention.whole or one or kind is not None or self._wanted.asked
            told = self._is_told(mention, self._wanted)
            return self._settled(self._fitting_entries(entries), begin, end) if sure and told else None
        if not entries or self._before("indefinite", start) is not None:
            return None
        place = self._attached(begin, end)
        near = place is not None and any(_is_below(entry.path, place[2]) for entry in entries)
        surely = near and place is not None and place[3]
        alone = len(entries) == 1 and self._is_kind(start, mention.end)  # the only list that there is
        if not (mention.whole or alone or definite is not None or kind is not None or surely) or (
            self._after("complete", end) is None
        ):
            return None
        if (
            not mention.whole
            and self._is_kind(start, mention.end)
            and (self._pointed or self._before("pointing", start) is not None)
        ):
            return None
        said = [word.group().casefold() for word in name_pieces(self._plain[start : mention.end])]
        written = mention.whole and _is_capital(self._text[start : mention.end], entries, self._text[:start])
        if not written and self._says_nothing(said) and (kind is None or definite is None):
            return None
        first = min(begin, place[0]) if place is not None else begin
        score = (
            (definite is not None)
            + (kind is not None)
            + (near or written)
            + (near and mention.whole)
            + 2 * (self._before("handled", first) is not None)
            + (self._before("contained", begin) is not None)
            + (self._after("within", end) is not None)
            + (self._before("inside", begin) is not None and all(entry.is_folder for entry in entries))
        )
        enough = 1 if mention.whole and self._is_telling(said) else 2
        return self._settled(entries, begin, end) if score >= enough else None

    def _side_by_side(self, mention: NameMention) -> NameMention:
        """With the longest of its words alone where they do not stand as in a name, or are mistyped."""
        if mention.mistyped and self._wanted is None:
            return self._side_by_side(replace(mention, whole=False, mistyped=False))
        between = zip(mention.pieces, mention.pieces[1:], strict=False)
        names = " ".join(entry.path for entry in mention.entries).casefold()
        if all(
            _GAP.fullmatch(gap) is not None or gap.strip().casefold() in names
            for gap in (self._plain[one[1] : other[0]] for one, other in between)
        ):
            return mention
        longest = max(mention.pieces, key=lambda piece: piece[1] - piece[0])
        return replace(mention, pieces=(longest,), whole=mention.whole and self._wanted is not None)

    def _is_told(self, mention: NameMention, wanted: WantedPath) -> bool:
        """Whether the words say more than what the ability is, and any name."""
        said = [word.casefold() for start, end in mention.pieces for word in [self._plain[start:end]]]
        if mention.whole and len(said) > 1:
            return True
        if mention.entries[0].is_folder and not self._is_all_one_has(said[0], mention.start):
            return False
        if not mention.whole and self._is_kind(mention.start, mention.end):
            before = re.search(r"(\w[\w'-]*)\s+$", self._plain[: mention.start])
            word = before[1].casefold() if before is not None else ""
            known = FUNCTION_WORDS | self._table.words("empty") | self._table.words("loose")
            if word and word not in known and stem(word) not in wanted.own_words:
                return False  # `my love letter` is no other letter
        own = () if wanted.asked or mention.whole else wanted.own_words
        return not all(word in self._table.words("empty") or stem(word) in own for word in said)

    def _kind_at(self, start: int) -> Reference | None:
        """`The song from downloads`: the one thing of a kind in a folder."""
        definite, kind = self._before("definite", start), kind_at(self._plain, start)
        if definite is None or kind is None or self._after("many", start) == kind[1]:
            return None
        begin = definite.start("words")
        place = self._attached(begin, kind[1])
        if place is None or kind[0] == FILE:
            return None
        inside = [
            entry for entry in self._entries if _is_below(entry.path, place[2]) and _fits(entry, kind[0])
        ]
        right = [entry for entry in inside if str(PurePath(entry.path).parent) == place[2]]
        return self._settled(right or inside, begin, kind[1])

    def _all_of_kind(self, start: int) -> Reference | None:
        """`All the pdfs in downloads`, where something is done to each: what lies right in there, without
        what is said to be left out.
        """
        before, kind = self._before("done_to_each", start), kind_at(self._plain, start)
        everything = self._after("everything", start)
        kind = (_ANY, everything) if everything is not None else kind
        if before is None or kind is None:
            return None
        begin, left_out = before.start("words"), self._match("left_out", kind[1])
        place = self._attached(begin, left_out.end() if left_out is not None else kind[1])
        many = before["every"] or everything or self._after("many", start) == kind[1]
        by_ending = kind[0] in (_ANY, FILE) or name_pattern(self._plain[start : kind[1]])
        if place is None or not by_ending or not (many or self._after("all_behind", kind[1])):
            return None
        first, last = min(begin, place[0]), max(kind[1], place[1])
        beside = [entry for entry in self._entries if str(PurePath(entry.path).parent) == place[2]]
        right = [entry for entry in beside if _fits(entry, kind[0])]
        left_out = left_out or self._match("left_out", last)
        if left_out is not None:
            right, last = self._without(self._said(left_out, "kept"), right), max(last, left_out.end())
        of_two = (before["every"] or "").casefold() == "both"
        # The folder itself says all that is in it; what a folder in it holds is not looked at.
        whole = kind[0] == _ANY and (left_out is None or any(entry.is_folder for entry in beside))
        if whole or not 0 < len(right) <= _MOST_TOGETHER or (of_two and len(right) != _BOTH):
            return None
        paths = tuple(entry.path for entry in right)
        return Reference(self._text[first:last], paths, first) if self._says_no_more(first, last) else None

    def _without(self, kept: str, entries: Sequence[HomeEntry]) -> list[HomeEntry]:
        """The entries but for all that some words may mean; none where a word of them means nothing here."""
        out: set[str] = set()
        for piece in self._table["and_also"].split(kept):
            words = self._table["of_kept"].sub("", piece.strip())
            kind = kind_at(words, 0)
            if kind is not None and kind[1] == len(words):
                meant = {entry.path for entry in entries if _fits(entry, kind[0])}
            else:
                mentions = self._names.mentions(words)
                said = {spot for mention in mentions for spot in mention.pieces}
                unsaid = masked_text(words, said, _THING)
                meant = {entry.path for mention in self._names.mentions(words) for entry in mention.entries}
                meant &= {entry.path for entry in entries}
                if self._table["unsaid"].fullmatch(unsaid) is None:
                    return []
            if not meant:
                return []
            out |= meant
        return [entry for entry in entries if entry.path not in out]

    def _settled(self, entries: Sequence[HomeEntry], start: int, end: int) -> Reference | None:
        """The one that is meant, or those that may be; with the folder it is in, where that is said too."""
        place = self._attached(start, end)
        if place is not None:
            inside = [entry for entry in entries if _is_below(entry.path, place[2])]
            if inside:
                entries, start, end = inside, min(start, place[0]), max(end, place[1])
            elif place[3] or self._before("transfer", start) is None:
                return None
        if len(entries) > 1 and self._cwd:
            here = [entry for entry in entries if str(PurePath(entry.path).parent) == self._cwd]
            entries = here if len(here) == 1 else entries
        if not any(entry.is_folder for entry in entries):
            end = self._after("behind_place", end) or end
        return self._meaning([entry.path for entry in entries], start, end)

    def _meaning(self, paths: Sequence[str], start: int, end: int) -> Reference | None:
        if not 0 < len(paths) <= _MOST_OFFERED:
            return None
        return Reference(self._text[start:end], tuple(paths), start, doubtful=len(paths) > 1)

    # Where every word may be of a name.

    def _fitting_entries(self, entries: Sequence[HomeEntry]) -> Sequence[HomeEntry]:
        """Those of the kinds that are named, if any are."""
        named = kinds_in(self._text) if len(entries) > 1 else frozenset()
        told = [
            entry
            for entry in entries
            if any(is_of_kind(entry.path, kind, is_folder=entry.is_folder) for kind in named)
        ]
        return told or entries

    def _narrowed(self, found: Sequence[Reference], wanted: WantedPath) -> Iterator[Reference]:
        """What lies in a place that is named anywhere, without it; and what is of a kind that fits."""
        places = {
            each: each.paths[0]
            for each in found
            if not each.doubtful and each.paths[0] in self._folders and not self._before("goal", each.start)
        }
        meant = {each: each.paths for each in found}
        for place in places.values():
            below = {
                each: [path for path in paths if _is_below(path, place)] for each, paths in meant.items()
            }
            meant = {each: tuple(below[each]) or paths for each, paths in meant.items()}
        said = {path for paths in meant.values() for path in paths}
        everybodys = {self._home, *(f"{self._home}/{each}" for each in everybodys_folders().values())}
        for each, paths in meant.items():
            if each in places and any(_is_below(path, each.paths[0]) for path in said):
                continue
            kinds = {path: FOLDER if path in self._folders else FILE for path in paths}
            fitting = [path for path, kind in kinds.items() if kind in wanted.kinds]
            fitting = [path for path in fitting if not (wanted.taken_away and path in everybodys)]
            if (narrowed := self._meaning(fitting, each.start, each.end)) is not None:
                yield narrowed

    # What stands around a name.

    def _attached(self, start: int, end: int) -> tuple[int, int, str, bool] | None:
        """A folder said together with a thing, as where it lies: `on my desktop`; and whether surely so."""
        for match in (self._before("attached_before", start), self._match("attached", end)):
            if match is not None:
                sure = match.groupdict().get("target") is None
                if sure or self._before("placing", start) is None:
                    return match.start(), match.end(), self._place_at(match), sure
        return None

    def _kind_behind(self, end: int) -> tuple[str, int] | None:
        """The kind that a word behind a name says: `the garden note`, and where that ends."""
        start = self._after("behind", end)
        for kind, rule in ((FOLDER, "album"), ("paper", "paper"), ("any", "any")):
            stop = self._after(rule, start) if start is not None else None
            if stop is not None and self._after("complete", stop) is not None:
                return kind, stop
        found = kind_at(self._plain, start) if start is not None else None
        return found if found is not None and self._after("complete", found[1]) is not None else None

    def _before(self, rule: str, end: int) -> re.Match[str] | None:
        found = (each.search(self._plain, max(0, end - _AROUND), end) for each in self._table.each(rule))
        return next((match for match in found if match is not None), None)

    def _match(self, rule: str, start: int) -> re.Match[str] | None:
        found = (each.match(self._plain, start) for each in self._table.each(rule))
        return next((match for match in found if match is not None), None)

    def _after(self, rule: str, start: int) -> int | None:
        """Where what follows by a rule ends."""
        match = self._match(rule, start)
        return match.end() if match is not None else None

    def _is_kind(self, start: int, end: int) -> bool:
        """Whether words say only what kind of thing is meant: `that list` is the one of before."""
        kind = kind_at(self._plain, start)
        return (kind is not None and kind[1] == end) or self._after("paper", start) == end

    def _is_telling(self, said: Sequence[str]) -> bool:
        """Whether nobody says these words by chance."""
        content = [word for word in said if word not in FUNCTION_WORDS | self._table.words("empty")]
        cjk = [word for word in content if has_cjk(word)]
        return len(content) >= (_TELLING_CJK if len(cjk) == len(content) else _TELLING)

    def _says_nothing(self, said: Sequence[str]) -> bool:
        """Whether words are such that anybody says at any time."""
        nothing = FUNCTION_WORDS | self._table.words("empty")
        content = [word for word in said if word not in nothing]
        return not content or (len(content) == 1 and " ".join(said) in self._table.words("loose"))


def _span(found: Reference) -> tuple[int, int]:
    return found.start, found.end


def _overlaps(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder.rstrip('/')}/")


def _fits(entry: HomeEntry, kind: str) -> bool:
    if kind != "paper":
        return kind == "any" or is_of_kind(entry.path, kind, is_folder=entry.is_folder)
    return not entry.is_folder and not any(is_of_kind(entry.path, each, is_folder=False) for each in _NO_TEXT)


def _is_capital(said: str, entries: Iterable[HomeEntry], before: str) -> bool:
    """Whether words are written as a name is on the disk, in capitals that no sentence asks for."""
    capitals = sum(letter.isupper() for letter in said)
    if capitals < (1 if re.search(r"[\w,;]\s+$", before) else 2):
        return False
    return any(PurePath(entry.path).name.startswith(said) for entry in entries)
