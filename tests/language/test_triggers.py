"""What something is to wait for, in words: a table of phrases and what is read of each."""

from __future__ import annotations

import tomllib
from pathlib import Path

from partner_desktop.domain.schedule import ActionEnds, FileLands, Threshold
from partner_desktop.language.values.triggers import read_trigger
from tests.tables import all_rows

TABLE = tomllib.loads(Path(__file__).with_name("trigger_phrases.toml").read_text(encoding="utf-8"))


def told(text: str) -> tuple[str, str, str]:
    """What is read of a phrase, as the table writes it."""
    found = read_trigger(text)
    if found is None:
        return "none", "", ""
    match found.happening:
        case FileLands(folder, pattern):
            said = f"lands {folder} {pattern}"
        case Threshold(of, limit, over, path):
            said = f"{of} {'over' if over else 'under'} {limit:g} {path}".strip()
        case ActionEnds(title=title, how=how, again=again):
            said = f"ends {title} {how}{' again' if again else ''}"
    return said, found.rest, found.message


@all_rows("text, what, rest, message", TABLE["en"] + TABLE["zh"])
def test_a_trigger_is_read(text: str, what: str, rest: str, message: str) -> None:
    assert told(text) == (what, rest, message)
