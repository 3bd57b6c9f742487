"""How values are said, and what parameters are called that hold them: the tables `arguments.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import shipped
from partner_desktop.base.patterns import late
from partner_desktop.language.lexicon import word_set

#: Stands for each character of a path in a text that the patterns read.
PATH = "\ue000"


@dataclass(frozen=True)
class ParamRole:
    """What parameters of some names hold, and the prepositions that introduce it."""

    words: frozenset[str]
    prepositions: frozenset[str]
    named: bool = False
    """Its values are written like names."""


@dataclass(frozen=True)
class ArgumentWordings:
    """All languages together."""

    said: tuple[re.Pattern[str], ...]
    """Their groups are values."""
    rest: tuple[re.Pattern[str], ...]
    """The same of a text that takes all that is left of a request."""
    placeholder: re.Pattern[str]
    """`随便什么`: what is meant is not said yet."""
    vague: frozenset[str]
    """`something`, `a word`: words that say nothing yet."""
    kinds: Mapping[str, frozenset[str]]
    """Kind of value → what parameters are called that hold it."""
    sets: Mapping[str, frozenset[str]]
    patterns: Mapping[str, re.Pattern[str]]
    languages: Mapping[str, str]
    """What a language is called → its code."""
    roles: tuple[ParamRole, ...]


def _read() -> ArgumentWordings:
    files = sorted((shipped("resources") / "language").glob("*/arguments.toml"))
    tables = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]
    said = [say.replace("{path}", f"(?<!{PATH}){PATH}++") for table in tables for say in table["said"]]
    rest = [say for table in tables for say in table.get("rest", ())]
    return ArgumentWordings(
        tuple(late(say, re.IGNORECASE) for say in said),
        tuple(late(say, re.IGNORECASE) for say in rest),
        late("|".join(table["placeholder"] for table in tables if "placeholder" in table)),
        word_set(_joined(tables, "vague", " ")),
        {name: word_set(words) for name, words in _sections(tables, "kinds", " ").items()},
        {name: word_set(words) for name, words in _sections(tables, "sets", " ").items()},
        {name: late(text, re.IGNORECASE) for name, text in _sections(tables, "patterns", "|").items()},
        {name: code for code, names in _sections(tables, "languages", " ").items() for name in names.split()},
        tuple(
            ParamRole(word_set(role["words"]), word_set(role["prepositions"]), role.get("named", False))
            for table in tables
            for role in table.get("role", ())
        ),
    )


def _joined(tables: list[dict[str, Any]], name: str, joint: str) -> str:  # Any: what TOML says
    return joint.join(table[name] for table in tables if name in table)


def _sections(tables: list[dict[str, Any]], section: str, joint: str) -> dict[str, str]:
    """What all languages say under each name of a section."""
    parts = [table.get(section, {}) for table in tables]
    return {name: _joined(parts, name, joint) for part in parts for name in part}


#: Read with the module, which never happens on the loop.
WORDINGS = _read()
