"""Orders about lists that are kept in text files: `take eggs off my shopping list`, `bread and jam on the
list`, `把鸡蛋从购物清单里划掉`. Pure.

The table is `list_orders.toml`. Several things that are said of a list are a line each. Where it cannot be
told which list is meant, the order names none, and it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.surroundings import Surroundings
from partner_desktop.language.file_questions import FileInquiry, last_writing, meant_paths, writings_of
from partner_desktop.language.rule_table import RuleTable, groups_of, rule_table, rule_tables
from partner_desktop.language.spans import quotations
from partner_desktop.language.terms import has_cjk

APPEND, REMOVE = "builtin::files::append", "builtin::files::remove_line"
_TABLE, _LONGEST = "list_orders", 160
#: So many words with a capital letter are a name: `Smith, John and Sons`.
_NAMES = 2


def read_list_order(text: str, surroundings: Surroundings) -> FileInquiry | None:
    """What a text wants of a list; `None`: it wants something else, or there is no list."""
    said = " ".join(text.replace("’", "'").split()).strip(" .!。！,，")
    if not surroundings.home or len(said) > _LONGEST:
        return None
    for table in rule_tables(_TABLE, said):
        for rule, key, name in (("take_off", REMOVE, "lines"), ("put_on", APPEND, "text")):
            for match in (match for each in table.each(rule) if (match := each.fullmatch(said))):
                groups = groups_of(match)
                lists = _lists(groups.get("list", ""), table, surroundings)
                if lists and (items := one_a_line(groups["items"], bare=key == REMOVE)):
                    file: JsonObject = {"file": lists[0]} if len(lists) == 1 else {}
                    return FileInquiry(key, {**file, name: items})
    return None


def one_a_line(items: str, *, bare: bool = False) -> str:
    """Things that are said together, each on a line of its own: `milk, eggs and jam`.

    What stands in quotes is one. `bare`: without articles, which no line of a list has.
    """
    table = rule_table(_TABLE, "zh" if has_cjk(items) else "en")
    whole = [(start, end) for start, end, _ in quotations(items)]
    parts, position = [], 0
    for match in table["between"].finditer(items):
        if not any(start < match.end() and match.start() < end for start, end in whole):
            parts.append(items[position : match.start()])
            position = match.end()
    parts = [part.strip(" \"'“”") for part in (*parts, items[position:])]
    parts = [table["article"].sub("", part) if bare else part for part in parts]
    return "\n".join(filter(None, parts))


def is_list(path: object) -> bool:
    """Whether a file is called as one that has a thing on each line."""
    name = PurePath(str(path)).stem
    return any(table["list_name"].search(name) is not None for table in rule_tables(_TABLE, name))


def with_lines(values: JsonObject, said: str = "") -> JsonObject:
    """The arguments of what adds to a file, with several things for a list on a line each.

    What stood in quotes in what was `said` is one thing.
    """
    text: Json = values.get("text")
    if not isinstance(text, str) or "\n" in text or not is_list(values.get("file", "")):
        return values
    quoted = any(value == text for _, _, value in quotations(said))
    return {**values, "text": one_a_line(text)} if not quoted and _is_enumeration(text) else values


def _is_enumeration(text: str) -> bool:
    """Whether words are things of which each is said in a word or three, and no sentence or name."""
    table = rule_table(_TABLE, "zh" if has_cjk(text) else "en")
    if table["enumeration"].fullmatch(text.strip()) is None or table["one_thing"].fullmatch(text.strip()):
        return False
    return sum(part[:1].isupper() for part in one_a_line(text).split("\n")) < _NAMES


def _lists(said: str, table: RuleTable, surroundings: Surroundings) -> Sequence[str]:
    """The lists that may be meant; where none is named, the one spoken of last, or all that there are."""
    last = last_writing(surroundings)
    if not said or table["the_list"].fullmatch(said) is not None:
        if last is not None and is_list(last):
            return (last,)
        (noun,) = table.texts("noun")
        every = [entry.path for entry in surroundings.entries if not entry.is_folder and is_list(entry.path)]
        called = [path for path in every if noun in PurePath(path).stem.casefold()]
        return called if len(called) == 1 else every
    return [path for path in writings_of(meant_paths(said, surroundings), surroundings) if is_list(path)]


_BULLET = re.compile(r"^\s*(?:[-*+•·]|\d{1,3}[.)、])?\s*(?:\[[ xX]?\])?\s*")


def fitting_lines(lines: Sequence[str], wanted: str) -> list[int]:
    """Which of the lines of a list say just what is wanted, behind a bullet, as one or as several of it."""
    bare, wanted = _bare(lines), " ".join(wanted.casefold().split())
    exact = [at for at, line in enumerate(bare) if line == wanted]
    return exact or [
        at for at, line in enumerate(bare) if _is_several_of(wanted, line) or _is_several_of(line, wanted)
    ]


def lines_with(lines: Sequence[str], wanted: str) -> list[int]:
    """Which of them have what is wanted among other words."""
    wanted = " ".join(wanted.casefold().split())
    return [at for at, line in enumerate(_bare(lines)) if wanted in line]


def _bare(lines: Sequence[str]) -> list[str]:
    return [" ".join(_BULLET.sub("", line).casefold().split()) for line in lines]


def _is_several_of(many: str, one: str) -> bool:
    return len(one) > 1 and many in (f"{one}s", f"{one}es")
