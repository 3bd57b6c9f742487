"""Questions about files as people ask them: where one is, what is in it, and what one says of something:
`wheres that invoice`, `whats in old things`, `does it say anything about pets`, `里面押金多少`. Pure.

The tables are `file_questions.toml`. What is meant is found by its name, or is what was spoken of last; of
several nothing is read. A question that names nothing that is there is no question about files.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePath

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.surroundings import Surroundings
from partner_desktop.language.disk_names import WRITING, is_of_kind
from partner_desktop.language.entity_questions import read_entity_question
from partner_desktop.language.home_references import resolve_references
from partner_desktop.language.recollection import marks_of, read_cue
from partner_desktop.language.rule_table import RuleTable, groups_of, rule_tables
from partner_desktop.language.spoken_words import Reference, ResolvedText
from partner_desktop.language.terms import FUNCTION_WEIGHT, Term, has_cjk, terms

LIST, FIND, READ = "builtin::list_folder", "builtin::files::find", "builtin::files::read"
LOOK_UP = "builtin::files::look_up"
#: A longer text says more than a question; and so many things are told of one name.
_LONGEST, _MOST = 120, 9
_TABLE = "file_questions"
#: Names in which one of these stands cannot be asked for beside others.
_SIGNS = re.compile(r"[{},*?\[\]]")


@dataclass(frozen=True)
class FileInquiry:
    """What answers a question about files."""

    key: str
    params: JsonObject


def said_in_file(text: str, surroundings: Surroundings) -> FileInquiry | None:
    """The look at what is in something, and at what one file says of something; at the names of several, of
    which one is meant."""
    for table, said in _asked(text, surroundings):
        for rule in ("inside", "says_of", "has", "value_in", "value"):
            matches = (pattern.fullmatch(said) for pattern in table.each(rule))
            found = (_answered(rule, groups_of(match), table, surroundings) for match in matches if match)
            if (look := next(filter(None, found), None)) is not None:
                return None if read_entity_question(said) is not None else look
    return None


def _answered(
    rule: str, groups: dict[str, str], table: RuleTable, surroundings: Surroundings
) -> FileInquiry | None:
    if rule == "inside":
        return _inside(groups["thing"], surroundings)
    if rule == "value":
        return _named_beside(groups["words"], table, surroundings)
    return _said_of(groups, table, surroundings)


def said_in_last(text: str, surroundings: Surroundings) -> FileInquiry | None:
    """The same of the file that was looked at last, where the words name none and ask for nothing else."""
    for table, said in _asked(text, surroundings):
        match = table["of_last"].fullmatch(said)
        file = last_writing(surroundings) if match is not None else None
        if match is not None and file is not None:
            return _look_up(file, groups_of(match).get("about") or said)
    return None


def looked_for(text: str, surroundings: Surroundings) -> FileInquiry | None:
    """The look at where something is."""
    for table, said in _asked(text, surroundings):
        match = table["where"].fullmatch(said)
        if match is not None:
            return _found(meant_paths(groups_of(match)["thing"], surroundings), surroundings)
        if table["bare"].fullmatch(said) is not None:  # nothing but a part of a name: `合同`
            return _found(
                [each.path for each in surroundings.entries if said in PurePath(each.path).name], surroundings
            )
    return None


def _asked(text: str, surroundings: Surroundings) -> Iterator[tuple[RuleTable, str]]:
    """The tables by which a short text is read, where anything is known of the disk."""
    said = " ".join(text.replace("’", "'").split()).strip(" ?？.!。！,，")
    if surroundings.home and len(said) <= _LONGEST:
        yield from ((table, said) for table in rule_tables(_TABLE, said))


def meant_paths(words: str, surroundings: Surroundings) -> tuple[str, ...]:
    """The paths that all of some words may mean."""
    found = resolve_references(words, surroundings, asked=True)
    paths = dict.fromkeys(path for each in _every(found) for path in each.paths)
    if len(_every(found)) != 1 or not _says_no_more(words, found):
        return ()
    return tuple(paths)[: _MOST + 1]


def _every(found: ResolvedText) -> tuple[Reference, ...]:
    return (*found.references, *found.doubtful)


def _rest(words: str, found: ResolvedText) -> str:
    """What of the words names nothing."""
    left = words
    for each in sorted(_every(found), key=lambda each: -each.start):
        left = f"{left[: each.start]} {left[each.end :]}"
    return " ".join(left.split())


def _telling(words: str, table: RuleTable | None = None) -> str:
    """The words that say something: none of grammar, and none that only ask or say `thing`."""
    tables = (table,) if table is not None else tuple(rule_tables(_TABLE, words))
    for each in tables:
        words = each["around"].sub(" ", words)
    kept = (term for term in terms(words) if term.weight > FUNCTION_WEIGHT and not term.stem.startswith("="))
    return " ".join(words.split()) if any(kept) else ""


def _says_no_more(words: str, found: ResolvedText) -> bool:
    return not _telling(_rest(words, found))


def _inside(thing: str, surroundings: Surroundings) -> FileInquiry | None:
    """What is in a folder, or a text; of several that may be meant, where they are."""
    paths = meant_paths(thing, surroundings)
    folders = {entry.path for entry in surroundings.entries if entry.is_folder} | {surroundings.home}
    if len(paths) != 1:
        return _found(paths, surroundings)
    if paths[0] in folders:
        return FileInquiry(LIST, {"folder": paths[0]})
    return FileInquiry(READ, {"file": paths[0]}) if _is_writing(paths[0]) else None


def _found(paths: Collection[str], surroundings: Surroundings) -> FileInquiry | None:
    """A look for things by their names."""
    names = list(dict.fromkeys(PurePath(path).name for path in paths))
    if not 0 < len(paths) <= _MOST or any(map(_SIGNS.search, names)):
        return None
    pattern = names[0] if len(names) == 1 else f"{{{','.join(names)}}}"
    return FileInquiry(FIND, {"pattern": pattern, "folder": surroundings.home})


def _said_of(groups: dict[str, str], table: RuleTable, surroundings: Surroundings) -> FileInquiry | None:
    """What is said of `about` in `thing`, or in what was spoken of last."""
    said, thing = groups.get("about", ""), groups.get("thing", "")
    about = _telling(said, table) or (said if read_cue(said).wants else "")
    if not about or table["of_file"].fullmatch(about) is not None:
        return None
    if not thing or table["it"].fullmatch(thing):
        file = last_writing(surroundings)
        return _look_up(file, about) if file is not None else None
    place = groups.get("place", "")
    inside = meant_paths(place, surroundings) if place else ()
    paths = writings_of(meant_paths(thing, surroundings), surroundings)
    if len(inside) == 1:
        paths = [path for path in paths if path == inside[0] or path.startswith(f"{inside[0]}/")]
    return _look_up(paths[0], about) if len(paths) == 1 else _found(paths, surroundings)


def _named_beside(words: str, table: RuleTable, surroundings: Surroundings) -> FileInquiry | None:
    """`the wifi password`: one word is the name of a text, the others are looked for in it."""
    found = resolve_references(words, surroundings, asked=True)
    about = _telling(_rest(words, found), table)
    paths = writings_of([path for each in _every(found) for path in each.paths], surroundings)
    sure = len(paths) == 1 and about and table["of_file"].fullmatch(about) is None
    return _look_up(paths[0], about) if sure else None


def _look_up(path: str, about: str) -> FileInquiry:
    return FileInquiry(LOOK_UP, {"file": path, "about": about})


def last_writing(surroundings: Surroundings) -> str | None:
    """The one text that was spoken of last."""
    for referent in surroundings.referents[:1]:
        paths = dict.fromkeys(
            item.path
            for item in referent.items
            if not (item.gone or item.is_folder) and _is_writing(item.path)
        )
        given = [item.path for item in referent.items if item.given and item.path in paths]
        one = given if len(given) == 1 else [*paths]
        return one[0] if len(one) == 1 else None
    return None


def writings_of(paths: Sequence[str], surroundings: Surroundings) -> list[str]:
    """Those in which words may be read; where there is none, the only one in a folder of that name."""
    files = [entry.path for entry in surroundings.entries if not entry.is_folder and _is_writing(entry.path)]
    own = [path for path in files if path in paths]
    inside = [path for path in files if str(PurePath(path).parent) in paths]
    return own or (inside if len(inside) == 1 else [])


def _is_writing(path: str) -> bool:
    """Whether it is a text, a table, or a file without an ending."""
    ending = PurePath(path).suffix
    return not ending or any(is_of_kind(path, kind, is_folder=False) for kind in (WRITING, "table", "text"))


def relevant_lines(text: str, about: str) -> list[str]:
    """The sentences and lines of a text that hold what is looked for, or what means the same.

    A question without a word of its own (`who was there?`) is answered by what has names, times or numbers
    in it, as it asks.
    """
    lines = [part.strip() for line in text.splitlines() for part in _SENTENCE.split(line) if part.strip()]
    telling = _telling(about)
    wanted = [term for term in terms(telling) if term.weight > FUNCTION_WEIGHT and term.word not in _ASKING]
    if wanted:
        letters = "".join(telling.split()).casefold() if has_cjk(telling) else ""
        return [line for line in lines if (letters and letters in line.casefold()) or _shares(wanted, line)]
    wants = read_cue(about).wants
    return [line for line in lines if marks_of(line) & wants]


def _shares(wanted: Collection[Term], line: str) -> bool:
    there = terms(line)
    stems = {term.stem for term in there}
    meant = {concept for term in there for concept in (*term.concepts, term.stem)}
    return any(
        each.stem in stems or not meant.isdisjoint(each.concepts) or each.stem in meant for each in wanted
    )


_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\d“\"'])|(?<=[。！？；])\s*")
_ASKING = frozenset({"who", "when", "where", "what", "how"})
