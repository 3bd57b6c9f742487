"""What a clause leaves to the one before it: its verb (`and B to ~/Music`), and the place or the thing that
it goes on with (`put it in there`, `放进去`). Pure; the words are rules of `clauses.toml`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.surroundings import HomeEntry, Surroundings
from partner_desktop.language.anaphora import is_destination, nouns, words_of
from partner_desktop.language.clauses import clause_rule, veiled
from partner_desktop.language.deed_frames import is_filler
from partner_desktop.language.rule_table import rule_tables
from partner_desktop.language.spans import find_spans
from partner_desktop.language.terms import has_cjk, stem, terms

#: In a clause whose arguments are veiled: something and where it goes, and a place that comes first.
_GOES = re.compile(r"(?!\s*from\b).*\S\s+(to|into|in|onto|on|as)\s+_+[^_]*$", re.IGNORECASE | re.DOTALL)
_INSIDE = re.compile(r"\s*((?:in|inside|within)\s+_+)\s+(?=(?:an?|one)\b)", re.IGNORECASE)


def completed(words: str, before: str) -> str:
    """A clause with what it leaves to the one before it: it says another thing and place and no verb, or only
    another thing; empty: it leaves nothing.
    """
    veiled_words, things = veiled(words), find_spans(words)
    if things and clause_rule("too").fullmatch(veiled_words) is not None:
        first = next((span for span in find_spans(before) if span.is_path), None)
        thing = words[things[0].start : things[0].end]
        return f"{before[: first.start]}{thing}{before[first.end :]}" if first is not None else ""
    own, first_goes = _GOES.match(veiled_words), _GOES.match(veiled(before))
    alike = own is not None and first_goes is not None and own[1].lower() == first_goes[1].lower()
    inside = _INSIDE.match(veiled_words)
    if has_cjk(words) or not (alike or inside):
        return ""
    words = f"{words[inside.end() :]} {words[inside.start(1) : inside.end(1)]}" if inside else words
    verb = next((term for term in terms(before) if term.word and not is_filler(stem(term.word))), None)
    return f"{before[: verb.start + len(verb.word)]} {words}" if verb is not None else ""


@dataclass(frozen=True)
class Left:
    """Where a step leaves things."""

    folder: str = ""
    """It worked in it, made it, or put something into it."""
    made: str = ""
    """The file that it made or wrote."""
    source: str = ""
    """What it was given."""

    @classmethod
    def by(cls, info: MetaActionInfo, values: JsonObject, words: str) -> Left:
        """What a step with these arguments leaves, as far as its own words tell of it."""
        folder = made = source = ""
        for name, access in info.path_params().items():
            schema, value = info.properties()[name], values.get(name)
            kinds = nouns(words_of(name, schema))
            if not isinstance(value, str) or PurePath(value).name.casefold() not in words.casefold():
                continue
            if len(kinds) > 1 and not is_destination(name, schema):
                source = value
            elif kinds == {"file"} or PurePath(value).suffix:
                made = value if access == "write" else made
            else:
                folder = value
                made = f"{value.rstrip('/')}/{PurePath(source).name}" if source else made
        return cls(folder, made, source)

    def written_into(self, words: str) -> str:
        """The words with it written out where they mean it; as they are where they mean none."""
        folder, made = self.folder or self.made, self.made or self.folder
        for rule, path in (("original", self.source), ("onto", made), ("there", folder)):
            for table in rule_tables("clauses", words) if path else ():
                found = next(filter(None, (each.search(veiled(words)) for each in table.each(rule))), None)
                if found is not None:
                    said, unspaced = found.groupdict(), has_cjk(words)
                    lead = said.get("lead") or ("" if unspaced or rule == "original" else "in")
                    lead = f"{said['verb']}到" if said.get("verb") else lead
                    inside = "里" if rule == "there" and unspaced else ""
                    if re.match(rf"的?\s*['\"]?{re.escape(path)}/", words[found.end() :]):
                        return f"{words[: found.start()]}{lead}{words[found.end() :].lstrip('的')}"
                    written = f"{lead} '{path}' {inside}{words[found.end() :].lstrip()}"
                    return f"{words[: found.start()].rstrip(' ')} {written.strip()}".strip()
        return words

    def among(self, surroundings: Surroundings) -> Surroundings:
        """The disk as it will be then."""
        coming = HomeEntry(self.folder.replace("~", surroundings.home, 1), is_folder=True)
        return replace(surroundings, entries=(*surroundings.entries, coming)) if self.folder else surroundings


NOTHING = Left()


def points(words: str) -> bool:
    """Whether words may mean what a step before leaves."""
    return Left("~", "~", "~").written_into(words) != words
