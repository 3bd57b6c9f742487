"""Tables of phrases that are read: `resources/language/LANGUAGE/NAME.toml`, asked by the name of a rule.

Languages that are written with blanks are read as one, English first, and so are those without: what any of
them says of a rule counts. A language is files only: every folder is read.

A rule is a list of regular expressions, in small or large letters alike. A name in braces is a slot: one of
`[slots]`, which may use those before it, or one of `[words]`, a list of words in which `_` is a blank. Of
`[verbs]` there are three slots each: `{deed}`, `{deed_past}` and `{deed_ing}`; `[irregular]` has the past
forms that do not end in `ed`.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, Literal

from partner_desktop.base.paths import shipped
from partner_desktop.base.patterns import late

Language = Literal["en", "zh"]
"""`en`: whatever is written with blanks, `zh`: without."""
UNSPACED = frozenset({"zh", "ja"})
_SLOT = re.compile(r"\{([a-z_]+)\}")
#: `zip` doubles its last letter before an ending; `open` and `clean` do not.
_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgmnprt]")

#: So many patterns with something filled in are kept.
_MOST_KEPT = 60


class RuleTable:
    """One language's table of one name; its patterns are made when they are first asked for."""

    def __init__(self, table: Mapping[str, object], *, spaced: bool) -> None:
        self._rules = {name: rules for name, rules in table.items() if isinstance(rules, list)}
        self._table = table
        self._patterns: dict[str, re.Pattern[str]] = {}
        self._each: dict[tuple[str, ...], tuple[re.Pattern[str], ...]] = {}
        self._slots: dict[str, str] = {}
        self.verb_forms: dict[str, str] = {}
        """Every form of a verb that is none of its own kind → the verb: `deleted` → `delete`."""
        irregular = _section(table, "irregular")
        for name, words in _section(table, "verbs").items():
            self._add_verbs(name, words.split(), irregular, spaced=spaced)
        for name, words in _section(table, "words").items():
            self._slots[name] = _alternatives(words.split(), spaced=spaced)
        for name, text in _section(table, "slots").items():
            self._slots[name] = f"(?:{self._filled(text)})"

    @property
    def names(self) -> Iterable[str]:
        """The names of the rules, in their order."""
        return self._rules.keys()

    def __getitem__(self, rule: str) -> re.Pattern[str]:
        """The pattern of a rule: any of its expressions."""
        if rule not in self._patterns:
            said = "|".join(f"(?:{self._filled(str(text))})" for text in self._rules[rule])
            self._patterns[rule] = late(numbered(said), re.IGNORECASE)
        return self._patterns[rule]

    def each(self, rule: str, **slots: str) -> tuple[re.Pattern[str], ...]:
        """The patterns of a rule one by one, for those with groups; `slots` go beside those of the table."""
        key = (rule, *(text for pair in sorted(slots.items()) for text in pair))
        if key not in self._each:
            if len(self._each) > _MOST_KEPT:
                self._each.clear()
            self._each[key] = tuple(
                late(self._filled(str(text), slots), re.IGNORECASE) for text in self._rules[rule]
            )
        return self._each[key]

    @cached_property
    def verb_form(self) -> re.Pattern[str]:
        """Any of `verb_forms`, the longest first."""
        return late(_alternatives(list(self.verb_forms), spaced=True), re.IGNORECASE)

    def words(self, rule: str) -> frozenset[str]:
        """A rule that is a list of words."""
        return frozenset(word for words in self._rules[rule] for word in str(words).split())

    def texts(self, rule: str) -> tuple[str, ...]:
        """A rule that is a list of plain sentences."""
        return tuple(map(str, self._rules[rule]))

    def section(self, name: str) -> Mapping[str, str]:
        """What a section of the table says."""
        return _section(self._table, name)

    def _filled(self, text: str, slots: Mapping[str, str] = MappingProxyType({})) -> str:
        return _SLOT.sub(lambda match: slots[match[1]] if match[1] in slots else self._slots[match[1]], text)

    def _add_verbs(self, name: str, verbs: list[str], irregular: Mapping[str, str], *, spaced: bool) -> None:
        past = {
            form: verb for verb in verbs for form in irregular.get(verb, _with_ending(verb, "ed")).split()
        }
        doing = {_with_ending(verb, "ing"): verb for verb in verbs} if spaced else {}
        self.verb_forms |= past | doing
        self._slots[name] = _alternatives(verbs, spaced=spaced)
        if spaced:
            self._slots[f"{name}_past"] = _alternatives(list(past), spaced=True)
            self._slots[f"{name}_ing"] = _alternatives(list(doing), spaced=True)


_GROUP = re.compile(r"\(\?P<(\w+)>")


def numbered(pattern: str) -> str:
    """A pattern in which a name may stand for several groups: each has a number behind it then."""
    names = _GROUP.findall(pattern)
    if len(names) == len(set(names)):
        return pattern
    taken: Counter[str] = Counter()

    def group(match: re.Match[str]) -> str:
        taken[match[1]] += 1
        return f"(?P<{match[1]}_{taken[match[1]]}>"

    return _GROUP.sub(group, pattern)


def groups_of(match: re.Match[str]) -> dict[str, str]:
    """What the groups of a pattern hold that hold anything, by their names without numbers."""
    found = match.groupdict().items()
    return {name.rstrip("_0123456789"): value.strip() for name, value in found if value}


def group_of(match: re.Match[str], name: str) -> str:
    """What the groups of one name hold; empty: nothing."""
    return groups_of(match).get(name, "")


def _section(table: Mapping[str, object], name: str) -> Mapping[str, str]:
    found = table.get(name, {})
    assert isinstance(found, dict)
    return found


def _alternatives(words: list[str], *, spaced: bool) -> str:
    longest = sorted((re.escape(word.replace("_", " ")) for word in words), key=len, reverse=True)
    said = f"(?:{'|'.join(longest)})"
    return rf"\b{said}\b" if spaced else said


def _with_ending(verb: str, ending: Literal["ed", "ing"]) -> str:
    """`tidied`, `zipped`, `moving`, `got rid of`."""
    word, blank, rest = verb.partition("_")
    if word.endswith("e"):
        word = word.removesuffix("e")
    elif ending == "ed" and word.endswith("y") and word[-2:-1] not in "aeiou":
        word = f"{word[:-1]}i"
    elif _DOUBLED.fullmatch(word):
        word += word[-1]
    return f"{word}{ending}{blank}{rest}"


@cache
def rule_table(name: str, language: Language) -> RuleTable:
    """The table `NAME.toml` of a language and those that are written like it."""
    files = (shipped("resources") / "language").glob(f"*/{name}.toml")
    like = [path for path in files if (path.parent.name in UNSPACED) == (language in UNSPACED)]
    like.sort(key=lambda path: (path.parent.name != language, path))
    tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in like]
    return RuleTable(_joined(tables), spaced=language not in UNSPACED)


def language_data(name: str) -> Mapping[str, Any]:  # Any: what TOML says
    """What `resources/language/NAME.toml` says, read with the module, which never happens on the loop."""
    return tomllib.loads((shipped("resources") / "language" / f"{name}.toml").read_text(encoding="utf-8"))


def _joined(tables: Sequence[Mapping[str, object]]) -> Mapping[str, object]:
    """What any of the tables says: rules beside each other, words and slots in one."""
    first, *others = tables
    for table in others:
        both = {**table, **first}
        for name in first.keys() & table.keys():
            one, other = first[name], table[name]
            if isinstance(one, list) and isinstance(other, list):
                both[name] = [*one, *other]
            elif isinstance(one, dict) and isinstance(other, dict):
                between = "|" if name == "slots" else " "
                words = {word: f"{one[word]}{between}{other[word]}" for word in one.keys() & other.keys()}
                both[name] = {**one, **other, **words}
        first = both
    return first


def rule_tables(name: str, text: str) -> Iterator[RuleTable]:
    """The tables that a text may be read by, that of its own language first."""
    from partner_desktop.language.terms import has_cjk  # noqa: PLC0415 - with the first words

    if has_cjk(text):
        yield rule_table(name, "zh")
    yield rule_table(name, "en")


def whole(name: str, rule: str, text: str) -> re.Match[str] | None:
    """A text as a rule of a table, all of it."""
    return next(filter(None, (table[rule].fullmatch(text) for table in rule_tables(name, text))), None)


def first_match(name: str, rule: str, text: str) -> re.Match[str] | None:
    """What a rule of a table finds in a text."""
    return next(filter(None, (table[rule].search(text) for table in rule_tables(name, text))), None)


def says(name: str, rule: str, text: str) -> bool:
    """Whether a rule of a table finds something in a text."""
    return first_match(name, rule, text) is not None
