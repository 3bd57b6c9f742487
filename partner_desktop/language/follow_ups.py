"""Questions about what was shown last: `when was that?`, `what else did I say?`, `and the flight?`.

Whether words such as `that` point back is for `anaphora.py` to say; here is told what is asked about it.
"""

from __future__ import annotations

from partner_desktop.base.prompts import LANGUAGES
from partner_desktop.domain.remembered import FollowUp
from partner_desktop.language.anaphora import points_back
from partner_desktop.language.recollection import read_cue
from partner_desktop.language.rule_table import groups_of, rule_table, rule_tables
from partner_desktop.language.terms import stem

_LONGEST = 120


def follow_up(text: str) -> FollowUp | None:
    """What is asked about what was shown last; `None`: the words are about something else."""
    if len(text) > _LONGEST:
        return None
    for table in rule_tables("follow_ups", text):
        if table["more"].fullmatch(text):
            return FollowUp("more")
        if table["of_the_saying"].fullmatch(text):
            return FollowUp("place")
        if points_back(text) and table["asks_of"].search(text):
            return FollowUp("detail" if _names_anything(text) else "place")
        other = table["other"].match(text)
        wanted = groups_of(other).get("other", "") if other is not None else ""
        if wanted and _names_anything(wanted):
            return FollowUp("other", wanted)
    return None


def _names_anything(text: str) -> bool:
    tables = (rule_table("follow_ups", language) for language in LANGUAGES)
    of_talk = {stem(word) for table in tables for word in table.words("of_talk")}
    return any(term not in of_talk for term in read_cue(text).terms)
