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
from partner_desktop.language.clauses import veiled
from partner_desktop.language.deed_frames import is_filler
from partner_desktop.language.rule_table import rule_tables
from partner_desktop.language.terms import has_cjk, stem, terms

#: In a clause whose arguments are veiled: something and where it goes, and a place that comes first.
_GOES = re.compile(r"(?!\s*from\b).*\S\s+(to|into|in|onto|on|as)\s+_+[^_]*$", re.IGNORECASE | re.DOTALL)
_INSIDE = re.compile(r"\s*(?:in|inside|within)\s+_", re.IGNORECASE)


def elided_verb(words: str, before: str) -> str:
    """The beginning of `before` up to its verb, where `words` say another thing and place and no verb."""
    own, first = _GOES.match(veiled(words)), _GOES.match(veiled(before))
    alike = own is not None and first is not None and own[1].lower() == first[1].lower()
    if has_cjk(words) or not (alike or _INSIDE.match(veiled(words))):
        return ""
    verb = next((term for term in terms(before) if term.word and not is_filler(stem(term.word))), None)
    return before[: verb.start + len(verb.word)] if verb is not None else ""


@dataclass(frozen=True)
class Left:
    """Where a step leaves things."""

    folder: str = ""
    """It worked in it, made it, or put something into it."""
    made: str = ""
    """The file that it made or wrote."""

    @classmethod
    def by(cls, info: MetaActionInfo, values: JsonObject, words: str) -> Left:
        """What a step with these arguments leaves, as far as its own words tell of it."""
        folder = made = ""
        for name, access in info.path_params().items():
            schema, value = info.properties()[name], values.get(name)
            kinds = nouns(words_of(name, schema))
            named = isinstance(value, str) and PurePath(value).name.casefold() in words.casefold()
            if (
                not isinstance(value, str)
                or not named
                or (len(kinds) > 1 and not is_destination(name, schema))
            ):
                continue
            source = values.get(str(schema.get("x-partner-into", "")))
            if kinds == {"file"} or PurePath(value).suffix:
                made = value if access == "write" else made
            else:
                folder = value
                made = f"{value.rstrip('/')}/{PurePath(source).name}" if isinstance(source, str) else made
        return cls(folder, made)

    def written_into(self, words: str) -> str:
        """The words with it written out where they mean it; as they are where they mean none."""
        folder, made = self.folder or self.made, self.made or self.folder
        for rule, path in (("onto", made), ("there", folder)):
            for table in rule_tables("clauses", words) if path else ():
                found = next(filter(None, (each.search(veiled(words)) for each in table.each(rule))), None)
                if found is not None:
                    said, inside = found.groupdict(), "里" if rule == "there" and has_cjk(words) else ""
                    lead = f"{said['verb']}到" if said.get("verb") else said["lead"]
                    lead = lead or ("" if has_cjk(words) else "in")
                    written = f"{lead} '{path}' {inside}{words[found.end() :].lstrip()}"
                    return f"{words[: found.start()]}{written}".strip()
        return words

    def among(self, surroundings: Surroundings) -> Surroundings:
        """The disk as it will be then."""
        coming = HomeEntry(self.folder.replace("~", surroundings.home, 1), is_folder=True)
        return replace(surroundings, entries=(*surroundings.entries, coming)) if self.folder else surroundings
