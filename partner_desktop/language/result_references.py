"""Words that mean what earlier turns left: `the second one`, `it`, `there`, `those duplicates`. Pure.

The heads are in the tables `result_references.toml`, the kinds behind them in `file_kinds.toml`. Only what is
on the disk is meant. Within one request `it` is what the request itself named: that is left to its plan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.referent import ATTACHED, Referent, ResultItem
from partner_desktop.language.clauses import ClausePiece, pieces_of
from partner_desktop.language.disk_names import (
    FILE,
    FOLDER,
    HERE,
    WRITING,
    folder_mentions,
    is_of_kind,
    kind_at,
    name_pattern,
)
from partner_desktop.language.lexicon import number_of
from partner_desktop.language.rule_table import RuleTable, group_of, groups_of, rule_tables
from partner_desktop.language.spans import SpanKind, find_spans, quotations
from partner_desktop.language.speech_acts.small_talk import may_order
from partner_desktop.language.spoken_words import Reference, ResolvedText
from partner_desktop.language.terms import has_cjk

_SORTS: dict[str, Callable[[ResultItem], float | None]] = {
    "biggest": lambda item: None if item.size_bytes is None else -item.size_bytes,
    "smallest": lambda item: item.size_bytes,
    "newest": lambda item: None if item.modified_s is None else -item.modified_s,
    "oldest": lambda item: item.modified_s,
}
_TABLE = "result_references"
#: By it the tables of all languages are read: names are of any.
_ANY = "名"
#: More than is done in one go, nobody means by a word.
_MOST_MEANT = 10
#: So many results are set against each other.
_COMPARED = 4
#: What says more names what it is about.
_SHORT = 48


@dataclass(frozen=True)
class _Head:
    """Words found in a text."""

    start: int
    end: int
    words: str
    kind: str
    """Of thing, as they say; empty: any."""
    whole: bool
    """They end as a reference does."""
    one: bool
    """They say `one`, which nothing but a reference does."""
    several: bool
    groups: dict[str, str]

    @property
    def is_sure(self) -> bool:
        """Whether they are a reference by their form."""
        return self.whole or self.one or bool(self.kind)


def result_references(
    text: str, referents: Sequence[Referent], known: Sequence[tuple[int, int]] = ()
) -> tuple[Reference, ...]:
    """What the words of a message mean of what was left, the newest first.

    `known`: where words stand that are free text, or that mean something else already.
    """
    left = [referent for referent in referents if any(not item.gone for item in referent.items)]
    return tuple(_Reading(text, left, known).found()) if left else ()


def look_at_result(text: str, referents: Sequence[Referent]) -> JsonObject:
    """The arguments of a look that answers a question about earlier results: the `path` of the one thing that
    is asked about (`which is the biggest?`), or the `pattern` of a kind and the `folder` (`哪些是图片？`).

    Empty: it asks nothing of the kind.
    """
    every = [referent for referent in referents if any(not item.gone for item in referent.items)]
    left = [referent for referent in every if not referent.proposed]
    said = text.strip(" \n?？.!。！,，")
    for table in rule_tables(_TABLE, said) if every and len(said) <= _SHORT else ():
        if table["size_of_it"].fullmatch(said) is not None and (look := _looked_at(_spoken_of(every[0]))):
            return look
        if not left:
            continue
        if (most := table["which_most"].fullmatch(said)) is not None:
            return _looked_at(_which_most(groups_of(most), left))
        by_kind = any(str(value).startswith("*.") for value in left[0].params.values())
        found = table["which_kind"].fullmatch(said) or (by_kind and table["and_kind"].fullmatch(said)) or None
        pattern = name_pattern(group_of(found, "kind")) if found is not None else ""
        if pattern and left[0].place and (by_kind or not left[0].searched):
            return {"pattern": pattern, "folder": left[0].place}
    return {}


def asks_what_came(text: str) -> bool:
    """Whether words that came with a file ask only what that is, or what is said in it: `summarise this`."""
    said = text.strip(" \n?？.!。！,，")
    return len(said) <= _SHORT and any(
        table["what_came"].fullmatch(said) is not None for table in rule_tables(_TABLE, said)
    )


def attached_folder(text: str, referents: Sequence[Referent]) -> Iterator[Reference]:
    """Where `this folder`, which is else the one that the person works in, means the one that came last."""
    newest = next((referent for referent in referents if not referent.proposed), None)
    if newest is not None and newest.key == ATTACHED and newest.place:
        for start, end, folder in folder_mentions(text):
            if folder == HERE:
                yield Reference(text[start:end], (newest.place,), start)


def superlatives(text: str) -> Iterator[tuple[int, int, Callable[[Sequence[ResultItem]], list[str]]]]:
    """Where a message says `the biggest picture` and does not look for it, and the paths that it means of
    some things: several, where they are alike."""
    reading = _Reading(text, (), ())
    for table in rule_tables(_TABLE, text):
        for match in table["most"].finditer(text):
            head = reading.head(match, table)
            asks = table["looking"].search(reading.clause(head.start)) or table["asked"].match(text, head.end)
            of_two = table["comparing"].search(head.words) is not None
            if head.is_sure and asks is None and not of_two:
                yield head.start, head.end, partial(_meant_most, head)


def _meant_most(head: _Head, items: Sequence[ResultItem]) -> list[str]:
    files = [item for item in items if is_of_kind(item.path, head.kind or FILE, is_folder=item.is_folder)]
    rank, ordered = _sort(head.groups), _ranked(files, head.groups)
    at = max(number_of(head.groups.get("rank", "")) - 1, 0)
    several = len(ordered) <= at or head.several or number_of(head.groups.get("count", "")) > 1
    return [] if several else [item.path for item in ordered if rank(item) == rank(ordered[at])]


def _looked_at(item: ResultItem | None) -> JsonObject:
    return {"path": item.path} if item is not None else {}


def _spoken_of(referent: Referent) -> ResultItem | None:
    """The one file that a result is about: what was made, given, or the only one found."""
    ranked = (_fitting(referent, FILE, rank) for rank in ("made", "given", "listed"))
    found = next(filter(None, ranked), [])
    return found[0] if len(found) == 1 else None


def _which_most(groups: dict[str, str], referents: Sequence[Referent]) -> ResultItem | None:
    """Of what was listed last, or of what several turns were about one by one."""
    kind = kind_at(groups["kind"], 0) if "kind" in groups else ("", 0)
    listed = _fitting(referents[0], kind[0], "made", "listed") if kind is not None else []
    given = [item for referent in referents[:_COMPARED] for item in _fitting(referent, "", "given")]
    given = list({item.path: item for item in given}.values())
    measured = len(given) > 1 and all(item.is_folder and item.size_bytes for item in given[:2])
    for items in ((given, listed) if measured else (listed, given)) if kind is not None else ():
        ranked = _ranked(items, groups)
        at = max(number_of(groups.get("rank", "")) - 1, 0)
        if len(ranked) > max(at, 1):
            return ranked[at]
    return None


def _sort(groups: dict[str, str]) -> Callable[[ResultItem], float | None]:
    return next(sort for name, sort in _SORTS.items() if name in groups)


def _ranked(items: Sequence[ResultItem], groups: dict[str, str]) -> list[ResultItem]:
    """By size or time, as the groups say; files, where there are some."""
    key = _sort(groups)
    files = [item for item in items if not item.is_folder] or items
    known = [(rank, item) for item in files if (rank := key(item)) is not None]
    return [item for _, item in sorted(known, key=lambda pair: pair[0])]


class _Reading:
    """One text, read once."""

    def __init__(self, text: str, referents: Sequence[Referent], known: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._referents = [referent for referent in referents if not referent.proposed]
        self._all = referents
        self._clauses = pieces_of(text)
        paths = ((span.start, span.end) for span in find_spans(text) if span.kind is SpanKind.PATH)
        self._named = [*known, *paths]
        self._taken = [*self._named, *((start, end) for start, end, _ in quotations(text))]

    def found(self) -> Iterator[Reference]:
        readers: dict[str, Callable[[_Head, RuleTable], Reference | None]] = {
            "made": self._made,
            "next": self._next,
            "nth": self._nth,
            "most": self._most,
            "extras": self._extras,
            "other": self._other,
            "part": self._part,
            "there": self._place,
            "several": self._several,
            "of_all": self._of_all,
            "it": self._it,
            "this": self._it,
            "the": self._the,
        }
        for table in rule_tables(_TABLE, self._text):
            self._taken += [match.span() for match in table["never"].finditer(self._text)]
            for rule, read in readers.items():
                for match in table[rule].finditer(self._text):
                    head = self.head(match, table, named=rule != "there")
                    if any(start < head.end and head.start < end for start, end in self._taken):
                        continue
                    if (meant := read(head, table)) is not None:
                        self._taken.append((head.start, head.end))
                        self._named.append((head.start, head.end))
                        yield meant

    def head(self, match: re.Match[str], table: RuleTable, *, named: bool = True) -> _Head:
        end, groups = match.end(), groups_of(match)
        kind = kind_at(self._text, _past_blanks(self._text, end)) if named else None
        one = table["one"].match(self._text, end) if kind is None else None
        end = kind[1] if kind is not None else one.end() if one is not None else end
        several = end > match.end() and table["many_word"].search(self._text[match.end() : end]) is not None
        for rule in ("of_those", "made_by"):
            if (behind := table[rule].match(self._text, end)) is not None:
                end, groups[rule] = behind.end(), behind.group()
        return _Head(
            match.start(),
            end,
            self._text[match.start() : end],
            kind[0] if kind is not None else "",
            table["closing"].match(self._text, end) is not None,
            one is not None,
            several,
            groups,
        )

    # What a head means.

    def _made(self, head: _Head, table: RuleTable) -> Reference | None:
        """What was made last; of originals, what it was made of."""
        of_it = "originals" in head.groups
        for referent in self._referents:
            found = _fitting(referent, "" if of_it else head.kind, "made")
            if found and of_it:  # of what was made before, nobody means the originals
                into = {str(PurePath(item.path).parent) for item in found}
                given = [
                    item
                    for item in _fitting(referent, head.kind or FILE, "given")
                    if item.path not in into  # where it went is no original of it
                ]
                sources = _fitting(referent, head.kind, "source") or given
                alone = head.kind != "" and not head.several and not has_cjk(head.words)
                return self._meant(head, sources, several=not alone)
            if found:
                return self._meant(head, found, several=head.several)
        return None

    def _next(self, head: _Head, table: RuleTable) -> Reference | None:
        """What stands in a list behind, or before, the one that was spoken of last."""
        spoken = _spoken_of(self._all[0])
        for referent in self._referents if spoken is not None else ():
            listed = _fitting(referent, head.kind, "made", "listed")
            at = next((at for at, item in enumerate(listed) if spoken and item.path == spoken.path), -1)
            if at >= 0 and len(listed) > 1:
                place = at + (-1 if "back" in head.groups else 1)
                return self._meant(head, listed[place : place + 1]) if place >= 0 else None
        return None

    def _nth(self, head: _Head, table: RuleTable) -> Reference | None:
        if not head.is_sure:
            return None
        listed, groups = self._listed(head, at_least=1), head.groups
        count, at = number_of(groups.get("count", "")), number_of(groups["place"])
        if count > 1 or (head.several and count):
            return self._meant(head, listed[-count:] if at < 0 else listed[:count], several=True)
        if any(item.group for item in listed) and len({item.group for item in listed}) > 1:
            return None  # of files that lie in groups none is the second
        place = len(listed) + at if at < 0 else at - 1
        return self._meant(head, listed[place : place + 1]) if 0 <= place < len(listed) else None

    def _most(self, head: _Head, table: RuleTable) -> Reference | None:
        if not head.is_sure or self._asks_for_more(head, table):
            return None
        if table["comparing"].search(head.words) is not None:
            return self._more(head)
        kind = head.kind or ("" if any(item.is_folder for item in self._listed(head)) else FILE)
        ordered = _ranked(self._listed(head, kind=kind) or self._listed(head), head.groups)
        count = number_of(head.groups.get("count", "")) or 1
        first = max(number_of(head.groups.get("rank", "")) - 1, 0)
        return self._meant(head, ordered[first : first + count], several=count > 1)

    def _more(self, head: _Head) -> Reference | None:
        """`the bigger one`: of the two that the last turns were about, or that are listed; else in doubt."""
        if head.several or "count" in head.groups:
            return None
        turns = [_fitting(each, head.kind or FILE, "given") for each in self._referents[:2]]
        one_each = [found[0] for found in turns if len(found) == 1]
        spoken = turns[0] if turns and len(turns[0]) > 1 else one_each
        spoken = list({item.path: item for item in spoken}.values())
        two = spoken if len(spoken) > 1 else self._listed(head) or spoken
        ordered = _ranked(two, head.groups)
        if not two:
            return None
        return self._meant(head, ordered[:1]) if len(two) == len(ordered) == 2 else _in_doubt(head, two)

    def _extras(self, head: _Head, table: RuleTable) -> Reference | None:
        for referent in () if self._asks_for_more(head, table) else self._referents:
            fitting = _fitting(referent, head.kind)
            extras = _extras_of(fitting) or [item for item in fitting if _is_called_copy(item)]
            if extras:
                alone = not head.several and re.search(r"\bcopy$", head.words, re.IGNORECASE)
                return self._meant(head, extras, several=not alone)
        return None

    def _place(self, head: _Head, table: RuleTable) -> Reference | None:
        groups = head.groups
        start = head.end - len(next(iter(groups.values()))) if groups else head.start
        place = next((referent.place for referent in self._referents if referent.place), "")
        if not place or not (groups or head.whole) or self._has_antecedent(start):
            return None
        words, lead = self._text[start : head.end], ""
        if has_cjk(words):
            lead = "到" if "goes_in" in groups and self._text[start - 1] not in "到在进" else ""
        elif not groups:
            lead = "to " if table["moving"].search(self.clause(start)) else "in "
        return Reference(words, (place,), start, lead=lead)

    def _several(self, head: _Head, table: RuleTable) -> Reference | None:
        for referent in self._referents if head.is_sure and not self._has_antecedent(head.start) else ():
            for rank in ("made", "listed", "given"):
                found = _fitting(referent, head.kind, rank)
                if len(found) > 1 or (found and not head.kind):
                    return self._meant(head, _extras_of(found) or found, several=True)
        return None

    def _of_all(self, head: _Head, table: RuleTable) -> Reference | None:
        """`the pictures`, `all of the pdfs`, `the two zips`."""
        if not head.kind or not head.several or self._asks_for_more(head, table):
            return None
        found = [] if self._has_antecedent(head.start) else self._listed(head, at_least=1)
        return self._meant(head, _extras_of(found) or found, several=True)

    def _it(self, head: _Head, table: RuleTable) -> Reference | None:
        if head.kind or head.one:
            return self._the(head, table)
        this = table["this"].match(self._text, head.start) and not head.whole
        return None if this or self._has_antecedent(head.start) else self._one(head, table)

    def _the(self, head: _Head, table: RuleTable) -> Reference | None:
        """`that file`, `the archive`, `this one`, `the zip you made`."""
        if "made_by" in head.groups:
            return self._made(head, table)
        if head.several or not (head.kind or head.one) or self._has_antecedent(head.start):
            return None
        seeks = table["seeking"].search(self.clause(head.start)) is not None and not head.one
        return None if seeks or self._goes_on(head, table) else self._one(head, table)

    def _one(self, head: _Head, table: RuleTable) -> Reference | None:
        """What was made; the one that the result's own sentence names; what was found or given.

        A folder that was looked into comes before what is in it, but not where something is taken away.
        """
        pieces = (piece for piece in self._clauses if piece.start <= head.start <= piece.end)
        clause = next((self._text[piece.start : piece.end] for piece in pieces), self._text)
        noun = table["articles"].sub("", head.words.casefold()).strip()
        for referent in self._all:
            given, listed = _fitting(referent, head.kind, "given"), _fitting(referent, head.kind, "listed")
            chief = [item for item in listed if item.path == referent.chief]
            into = not referent.searched and not head.one and any(item.is_folder for item in given)
            if into and table["taking_away"].search(clause) and head.kind != FOLDER:
                if referent.proposed and referent.place:  # what is meant lies in it, and nobody looked yet
                    return _in_doubt(head, given)
                listed = _extras_of(listed) or ([*listed, *given] if listed else [])
            elif into and not (chief and table["of_files"].search(clause)):
                chief = given
            called = [item for item in listed if len(noun) > 1 and noun in _stem(item)]
            for found in (called, _fitting(referent, head.kind, "made"), chief, listed, given):
                if found:
                    return self._meant(head, found)
        return None

    def _other(self, head: _Head, table: RuleTable) -> Reference | None:
        """What is left of what was listed, without what is named here or was spoken of since."""
        low, spoken = self._text.casefold(), set[str]()
        for referent in self._all:
            listed = _fitting(referent, head.kind, "made", "listed")
            named = [
                item for item in listed if item.path in spoken or PurePath(item.path).name.casefold() in low
            ]
            groups = {item.group for item in named}
            left = [item for item in listed if item not in named and item.group in groups]
            left = left if named else _extras_of(listed)
            if left:
                return self._meant(head, left, several=table["rest"].search(head.words) is not None)
            spoken |= {item.path for item in referent.items}
        return None

    def _part(self, head: _Head, table: RuleTable) -> Reference | None:
        """`旅行那个`, `the lecture one`: by a part of its name, of what was listed last."""
        said = table["around_part"].sub("", head.groups["part"].casefold())
        found = (
            [item for item in _fitting(each, head.kind) if said in _stem(item)] for each in self._referents
        )
        return self._meant(head, next(filter(None, found), []) if said else [])

    # What it is read by.

    def _meant(self, head: _Head, items: Sequence[ResultItem], *, several: bool = False) -> Reference | None:
        if not items:
            return None
        paths = tuple(dict.fromkeys(item.path for item in items))
        doubtful = (len(paths) > 1 and not several) or len(paths) > _MOST_MEANT
        return Reference(head.words, paths, head.start, doubtful=doubtful)

    def _listed(self, head: _Head, *, at_least: int = 2, kind: str = "") -> list[ResultItem]:
        """Of the newest result that has so many, as they were shown; what was made stands for no list."""
        found = (_fitting(each, kind or head.kind, "made", "listed") for each in self._referents)
        return next((items for items in found if len(items) >= at_least), [])

    def clause(self, position: int) -> str:
        """Its words up to a place."""
        start = next((piece.start for piece in self._clauses if piece.start <= position <= piece.end), 0)
        return self._text[start:position]

    def _has_antecedent(self, position: int) -> bool:
        return _is_named_before(self._text, position, self._clauses, self._named)

    def _goes_on(self, head: _Head, table: RuleTable) -> bool:
        """Whether a place of its own follows: then it is no result."""
        moves = table["moving"].search(self.clause(head.start) + head.words) is not None
        return not moves and table["elsewhere"].match(self._text, head.end) is not None

    def _asks_for_more(self, head: _Head, table: RuleTable) -> bool:
        """Whether the clause looks for such things rather than meaning those that were found."""
        looks = table["looking"].search(self.clause(head.start)) is not None and not head.one
        return looks or self._goes_on(head, table)


def _in_doubt(head: _Head, items: Sequence[ResultItem]) -> Reference:
    return Reference(head.words, tuple(item.path for item in items), head.start, doubtful=True)


def placed_things(
    text: str, referents: Sequence[Referent], known: Sequence[tuple[int, int]]
) -> Iterator[Reference]:
    """Of what a result showed, the one that lies in a folder: `the one in holiday`."""
    matches = [match for table in rule_tables(_TABLE, text) for match in table["placed_one"].finditer(text)]
    for match in matches:
        place = group_of(match, "place").casefold()
        free = all(match.end() <= start or end <= match.start() for start, end in known)
        for listed in (_fitting(referent, "", "made", "listed") for referent in referents if free):
            inside = [item for item in listed if PurePath(item.path).parent.name.casefold() == place]
            if len(listed) > 1 and len(inside) == 1:
                yield Reference(match.group(), (inside[0].path,), match.start())
                break


def meant_last(text: str, said: ResolvedText, kinds: Collection[str], *, looks: bool = True) -> ResolvedText:
    """What words mean that name nothing, right after a result: `how big did it come out`, `内容给我看看`.

    It is the newest result alone, and one thing of it that is of the kinds that are wanted. `looks`: nothing
    is done to it; else a folder that was only looked into is not meant.
    """
    left = ResolvedText(text, text, home=said.home)
    vague = said.doubtful or any(table["indefinite"].search(text) for table in rule_tables(_TABLE, text))
    for referent in () if vague or len(text) > _SHORT else said.surroundings.referents[:1]:
        fitting = [item for kind in kinds for item in _fitting(referent, kind)]
        fitting = [item for item in fitting if looks or not (item.given and item.is_folder)]
        fitting = [item for item in fitting if item.path != said.home]  # nobody means all that is theirs
        chief = [item for item in fitting if item.path == referent.chief]
        ranks = ([item for item in fitting if _rank(item) == rank] for rank in ("made", "given", "listed"))
        found = next(filter(None, (chief, *ranks)), [])
        if len(found) == 1:
            return replace(left, references=(Reference(text, (found[0].path,), 0),))
    return left


def without_kept(resolved: ResolvedText) -> str:
    """What a text says without the one that shall stay, where what it is about is `the other`."""
    said, text = resolved.said, resolved.text
    for table in rule_tables(_TABLE, said):
        if any(table["other"].fullmatch(reference.words) for reference in resolved.references):
            return table["kept"].sub("", text)
    return text


def has_antecedent(text: str, position: int, known: Sequence[tuple[int, int]]) -> bool:
    """Whether an earlier clause of the request names what can be meant; `known`: where it surely does."""
    return _is_named_before(text, position, pieces_of(text), known)


def is_kind_alone(words: str) -> bool:
    """Whether words say no more than what kind of thing is meant: `the archive`, `那个文件`."""
    tables = list(rule_tables(_TABLE, words))
    heads = [0, *(found.end() for table in tables if (found := table["the"].match(words)))]
    heads += [_past_blanks(words, found.end()) for table in tables if (found := table["this"].match(words))]
    kinds = [kind for start in heads if (kind := kind_at(words, start)) is not None and kind[1] == len(words)]
    # A list or a letter is mostly called so; what is pointed at need not be.
    pointed = any(table["pointing"].match(words) for table in tables)
    return any(pointed or kind != WRITING for kind, _ in kinds)


def _is_named_before(
    text: str, position: int, clauses: Sequence[ClausePiece], named: Sequence[tuple[int, int]]
) -> bool:
    at = next((at for at, piece in enumerate(clauses) if piece.start <= position <= piece.end), 0)
    while at and not has_cjk(text) and not may_order(text[clauses[at].start : clauses[at].end]):
        at -= 1  # "add milk | and eggs to it": no order of its own, it goes on
    start = clauses[at].start if clauses else 0
    return any(begin < start for begin, _ in named) or any(
        may_order(text[piece.start : piece.end]) for piece in clauses if piece.end <= start
    )


def _past_blanks(text: str, position: int) -> int:
    return position + len(text[position:]) - len(text[position:].lstrip(" "))


def _fitting(referent: Referent, kind: str, *ranks: str) -> list[ResultItem]:
    """Its items of a kind, and of these ranks where some are named."""
    return [
        item
        for item in referent.items
        if not item.gone
        and (_rank(item) in ranks if ranks else not item.source)
        and (not kind or is_of_kind(item.path, kind, is_folder=item.is_folder))
    ]


def _rank(item: ResultItem) -> str:
    kinds = (("made", item.made), ("given", item.given), ("source", item.source))
    return next((name for name, holds in kinds if holds), "listed")


def _extras_of(items: Sequence[ResultItem]) -> list[ResultItem]:
    """All but the one of each group that looks least like a copy, then the oldest."""

    def rank(item: ResultItem) -> tuple[bool, float, int, str]:
        return _is_called_copy(item), item.modified_s or 0.0, len(PurePath(item.path).stem), item.path

    groups = {
        item.group: [each for each in items if each.group == item.group] for item in items if item.group
    }
    kept = {min(group, key=rank).path for group in groups.values()}
    return [item for item in items if item.group and item.path not in kept]


def _is_called_copy(item: ResultItem) -> bool:
    return any(each["copy_name"].search(_stem(item)) for each in rule_tables(_TABLE, _ANY))


def _stem(item: ResultItem) -> str:
    return PurePath(item.path).stem.casefold()
