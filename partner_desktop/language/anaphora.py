"""Referring: words that mean what was said or made before, and what a parameter wants. Pure.

`it`, `the folder`, `that list`, `它`, `这个文件夹`, `结果`: such a word is never a value itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from partner_desktop.base.patterns import late
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.language.rule_table import rule_table, rule_tables, says, whole

Kind = Literal["path", "paths", "text", "query", "number", "list", ""]
"""What a parameter wants; empty: nothing that a step could bring."""

#: How the keys begin of what runs a command line.
COMMANDS = "builtin::command::"

#: Where no more characters are allowed, a name is wanted, and no content.
_NO_CONTENT = 100
#: Characters of a word or two that point back.
_LONGEST = 60
_TABLE = "anaphora"
#: What is called so is a path.
_PATHS = re.compile(r"path|file|folder|archive", re.IGNORECASE)
#: A start brings in no word lists, so `has_cjk` is not there for it.
_CHINESE = late(r"[\u3400-\u9fff]")


def points_back(text: str) -> bool:
    """Whether anything in the words means what came before."""
    return says(_TABLE, "points", text)


def points_into(text: str) -> bool:
    """Whether the words mean a place that was named before: `in it`, `in that folder`."""
    return says(_TABLE, "in_it", text)


def speaks_of_result(text: str) -> bool:
    """Whether the words mean what a step before brings, rather than what was said for it."""
    return says(_TABLE, "of_result", text)


def is_reference(value: object, text: str) -> bool:
    """Whether a value is no value but a word that points back; what stands in quotes is meant as it is."""
    if not isinstance(value, str) or not (bare := value.strip().strip("，。.,")) or len(value) > _LONGEST:
        return False
    tables = rule_tables(_TABLE, text)
    before = [pattern for table in tables for pattern in table.each("named_before", value=re.escape(bare))]
    named = (
        any(pattern.search(text) for pattern in before) and whole(_TABLE, "all", f"the {bare}") is not None
    )
    return (named or whole(_TABLE, "all", bare) is not None) and not _is_quoted(value, text)


def _is_quoted(value: str, text: str) -> bool:
    return re.search(rf"[\"'“‘「`]{re.escape(value)}[\"'”’」`]", text) is not None


def only_points(value: object, text: str, info: MetaActionInfo) -> bool:
    """Whether a text is a word that points back with the rest of the sentence behind it: of `copy it to the
    clipboard` what is left is said of the ability anyway, and of `note it down` nothing.
    """
    said = value.strip() if isinstance(value, str) and len(value) <= _LONGEST else ""
    leading = (table["leading"].match(said) for table in rule_tables(_TABLE, said))
    lead = next(filter(None, leading), None)
    if not said or lead is None or _is_quoted(str(value), text):
        return False
    rest, own = said[lead.end() :].casefold(), _own_words(info)
    if _CHINESE.search(rest):
        return re.sub(r"[到进入里中去在的下来一，。\s]", "", rest) in own
    known = {*own.split(), *rule_table(_TABLE, "en").words("particles")}
    return known.issuperset(re.findall(r"\w+", rest))


def _own_words(info: MetaActionInfo) -> str:
    return re.sub(r"[^\w\s]", " ", " ".join((info.title, info.description, *info.aliases)).casefold())


def nouns(words: str) -> frozenset[str]:
    """Of files and folders, which the words name."""
    return frozenset(noun for noun in ("folder", "file") if says(_TABLE, noun, words))


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both can be the same thing; who names nothing may mean either."""
    return not one or not other or bool(one & other)


def wanted_kind(name: str, schema: JsonObject) -> Kind:
    """What a parameter wants; nothing that a step could bring where it is a choice."""
    if "enum" in schema or "const" in schema:
        return ""
    if schema.get("format") == "path" or schema.get("x-partner-target"):
        return "path"
    kind = schema.get("type", "string")
    if kind in ("number", "integer"):
        return "number"
    if kind == "array":
        items = schema.get("items")
        of_paths = isinstance(items, dict) and items.get("format") == "path"
        return "paths" if of_paths or nouns(words_of(name, schema)) else "list"
    if kind != "string":
        return ""
    most = schema.get("maxLength")
    short = (
        bool(schema.get("format")) or "pattern" in schema or (isinstance(most, int) and most <= _NO_CONTENT)
    )
    return "query" if short or says(_TABLE, "query", words_of(name, schema)) else "text"


def is_destination(name: str, schema: JsonObject) -> bool:
    """Whether a path is where something goes, and not what is worked on."""
    if schema.get("access") != "write" or schema.get("x-partner-there"):
        return False
    return says(_TABLE, "destination", words_of(name, schema))


def words_of(name: str, schema: JsonObject) -> str:
    """The words that describe a parameter."""
    return f"{name.replace('_', ' ')} {schema.get('title') or ''} {schema.get('description') or ''}"


def takes_command(info: MetaActionInfo) -> bool:
    """Whether it runs what it is given as a command line: that comes from the person alone."""
    return info.free_args or info.key.startswith(COMMANDS)


def acts(info: MetaActionInfo) -> bool:
    """Whether it changes things, rather than telling of them: what it says then is no content."""
    return not info.annotations.read_only and (_takes_written(info) or info.route is Route.BUILTIN)


def _takes_written(info: MetaActionInfo) -> bool:
    return "write" in info.path_params().values()


def brings(info: MetaActionInfo) -> frozenset[Kind]:
    """What may come of an ability, by its result's schema and its own words. All print something."""
    words = f"{info.title} {info.description}"
    found: set[Kind] = {"text"}
    for name, schema in _results(info):
        text = schema.get("type", "string") == "string"
        found |= {wanted_kind(name, schema), "path" if text and _PATHS.search(name) else ""}
    of_ours = info.route is Route.BUILTIN
    writes = not info.annotations.read_only and (_takes_written(info) or not of_ours)
    if (writes and (says(_TABLE, "makes", words) or nouns(words) == {"file"})) or (
        not of_ours and says(_TABLE, "makes_thing", words)
    ):
        found.add("path")  # of a script, into its workspace: nothing of the person's is changed by that
    if says(_TABLE, "number_words", words):
        found.add("number")
    if says(_TABLE, "lists", words):
        found.add("list")
    return frozenset(found - {""})


def _results(info: MetaActionInfo) -> Iterator[tuple[str, JsonObject]]:
    schema = info.response_schema
    if schema and schema.get("type") != "object":
        yield "result", schema
    properties = schema.get("properties")
    for name, each in properties.items() if isinstance(properties, dict) else ():
        if isinstance(each, dict):
            yield name, each
