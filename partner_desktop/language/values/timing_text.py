"""TimingText: a text out of which the parts of a timing are taken one by one, in whatever order they stand.

What was taken is blanked out, so that nothing is read twice; what is left says what is to be done. Words of
time that are typed wrong are mended before: `tommorow`, `wendesday`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from partner_desktop.language.rule_table import RuleTable
from partner_desktop.language.values.moments import zones_in
from partner_desktop.language.values.named_times import find_festivals
from partner_desktop.language.values.schedule_words import Got

#: A shorter word is mended by one letter, one that is as long by two.
_LONG_WORD = 7
_WORD = re.compile(r"[a-z]{5,11}", re.IGNORECASE)


class TimingText:
    """One text by one table."""

    def __init__(self, table: RuleTable, text: str) -> None:
        self._table = table
        self.left = text
        """What is not read yet, with blanks where something was."""

    @property
    def words_left(self) -> str:
        """The same, as words."""
        return " ".join(self.left.split())

    def take(self, rule: str) -> Got | None:
        """The first that a rule of the table finds; `None`: nothing."""
        match = self._table[rule].search(self.left)
        return None if match is None else self.taken(match)

    def taken(self, match: re.Match[str]) -> Got:
        """What a pattern found is read."""
        self.left = f"{self.left[: match.start()]}{' ' * len(match.group())}{self.left[match.end() :]}"
        return {
            name.rstrip("_0123456789"): value.strip().casefold()
            for name, value in match.groupdict().items()
            if value is not None
        }

    def take_offset(self) -> Got | None:
        """So long before or after a time; that time opens with what it may be read by, then."""
        match = self._table["offset"].search(self.left)
        if match is None:
            return None
        got = self.taken(match)
        (opening,) = self._table.texts("offset_opening")
        behind = self.left[match.end() :]
        names_day = self._table["day"].match(behind) is not None
        if opening and not names_day and not behind.startswith(f"{opening} "):
            begin = match.end() - len(opening) - 1
            self.left = f"{self.left[:begin]}{opening} {self.left[match.end() :]}"
        return got

    def take_festival(self) -> str:
        """The name of a day of the year; empty: none is named."""
        match = next(find_festivals(self.left), None)
        if match is None:
            return ""
        self.taken(match)
        return match.group()

    def take_part(self) -> str:
        """A part of the day; empty: none is named."""
        got = self.take("part")
        return re.sub(r"\s+", " ", got["part"]) if got is not None else ""

    def take_zone(self) -> str:
        """The time zone that the times are said in; empty: none."""
        for start, end, zone in zones_in(self.left):
            after = self._table["zone_after"].match(self.left[end:])
            before = self._table["zone_before"].search(self.left[:start])
            if after is not None and before is not None:
                begin, stop = before.start(), end + after.end()
                self.left = f"{self.left[:begin]}{' ' * (stop - begin)}{self.left[stop:]}"
                return zone
        got = self.take("zone_short")
        return self._table.section("zones")[got["zone"]] if got is not None else ""

    def clocks(self) -> Iterator[re.Match[str]]:
        """Where times of day stand: what follows one in a list needs no word before it."""
        match = self._table["clock"].search(self.left)
        while match is not None:
            yield match
            more = self._table["more_clocks"].match(self.left, match.end())
            match = more or self._table["clock"].search(self.left, match.end())


def with_times_mended(table: RuleTable, text: str) -> str:
    """The text with its words of time as they are spelled, where no other word is as near."""
    known = frozenset(table.words("often_mistyped"))
    right = known | table.words("right_as_well")

    def mend(match: re.Match[str]) -> str:
        said = match.group().casefold()
        if said in right:
            return match.group()
        return _nearest(said, known) or match.group()

    typed, words = _typed(table)
    text = typed.sub(lambda match: words[(match.lastindex or 1) - 1], text)
    return _WORD.sub(mend, text) if known else text


@cache
def _typed(table: RuleTable) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """What is often typed, each in a group, and the words that are meant by the groups."""
    typed = table.section("typed")
    groups = "|".join(rf"\b({wrong})\b" if word.isascii() else f"({wrong})" for wrong, word in typed.items())
    return re.compile(groups, re.IGNORECASE), tuple(typed.values())


@cache
def _nearest(said: str, known: frozenset[str]) -> str:
    """The one word that is near enough; empty: none or several."""
    near = {word: _slips(said, word) for word in known if word[0] == said[0]}
    most = 2 if len(said) >= _LONG_WORD else 1
    least = min(near.values(), default=most + 1)
    found = [word for word, slips in near.items() if slips == least]
    return found[0] if least <= most and len(found) == 1 else ""


def _slips(said: str, word: str) -> int:
    """How many letters are wrong, too many, left out, or in the wrong order (Damerau, 1964)."""
    before: list[int] = []
    row: list[int] = [*range(len(word) + 1)]
    for at, letter in enumerate(said, 1):
        older, before = before, row
        row = [at]
        for to, other in enumerate(word, 1):
            least = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (letter != other))
            if at > 1 and to > 1 and said[at - 2 : at] == word[to - 2 : to][::-1]:
                least = min(least, older[to - 2] + 1)
            row.append(least)
    return row[-1]
