"""The catalogue of what Partner says: whole in both languages, and what every error is raised with."""

from __future__ import annotations

import ast
import copy
import errno
import os
import pickle
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from typing import Any  # what TOML says

import pytest

from partner_desktop.base.errors import (
    ContextOverflowError,
    DescriptorError,
    DiskFullError,
    PartnerError,
    TooLargeError,
    UsageError,
    coded_error,
)
from partner_desktop.base.messages import (
    LazySentence,
    reader_language,
    sentence_of,
    set_process_language,
    speaking,
    system_reason,
)
from partner_desktop.base.paths import shipped
from partner_desktop.base.prompts import messages as sentences_of
from tests.tables import all_rows
from tests.test_structure import sources

FOLDER = shipped("resources") / "messages"
#: Tables that readers of their own take apart: answers of the minds, parts of prompts, settings.
OTHER_TABLES = {
    "context_usage",
    "dialog_history",
    "digest",
    "entities",
    "model_answers",
    "settings",
    "starter",
}
#: Made of a value alone.
WORDLESS = {"common.told"}
#: What is called with an id and its values.
SAYERS = {"sentence_of", "LazySentence", "coded_error"}
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@cache
def catalogue(language: str) -> dict[str, str]:
    """Every sentence by its id."""
    found: dict[str, str] = {}
    for path in sorted(FOLDER.glob(f"*.{language}.toml")):
        topic = path.name.partition(".")[0]
        if topic not in OTHER_TABLES:
            told = tomllib.loads(path.read_text(encoding="utf-8"))
            found |= _sentences(told, "" if topic == "actions" else f"{topic}.")
    return found


def _sentences(told: Mapping[str, Any], before: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, said in told.items():
        if isinstance(said, Mapping):
            found |= _sentences(said, f"{before}{name}.")
        else:
            found[f"{before}{name}"] = said if isinstance(said, str) else "\n".join(map(str, said))
    return found


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@dataclass(frozen=True)
class Site:
    """Where something is said: the ids that it may be, and what they are filled with."""

    file: str
    line: int
    ids: frozenset[str]
    """As regular expressions; none where the first argument is no id."""
    given: frozenset[str] | None
    """`None`: what is given is not written there."""
    is_error: bool

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass
class Sources:
    """What the sources say, of one walk through all of them."""

    sites: list[Site] = field(default_factory=list)
    strings: set[str] = field(default_factory=set)
    patterns: set[str] = field(default_factory=set)
    """What ids are put together of, as regular expressions."""


@cache
def read_sources() -> Sources:
    found = Sources()
    calls: list[tuple[str, ast.Call]] = []
    classes: list[ast.ClassDef] = []
    for file, text in sources().items():
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Call(args=[_, *_]):
                    calls.append((file, node))
                case ast.ClassDef():
                    classes.append(node)
                case ast.Constant(value=str(said)):
                    found.strings.add(said)
                case ast.JoinedStr():
                    found.patterns.update(_ids(node))
    errors = _errors(classes)
    found.sites.extend(site for file, call in calls for site in _sites(file, call, errors))
    return found


def sites() -> list[Site]:
    return read_sources().sites


def _errors(classes: list[ast.ClassDef]) -> dict[str, set[str]]:
    """The classes of errors that take an id, and what each takes beside its values."""
    known: dict[str, set[str] | None] = {"PartnerError": set()}
    while found := [
        (each, name)
        for each in classes
        for name in map(_name, each.bases)
        if each.name not in known and name in known
    ]:
        for each, base in found:
            known[each.name] = _own_parameters(each, known[base])
    return {name: taken for name, taken in known.items() if taken is not None}


def _own_parameters(error: ast.ClassDef, of_base: set[str] | None) -> set[str] | None:
    for node in error.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            if "message_id" not in {each.arg for each in node.args.posonlyargs}:
                return None
            return {each.arg for each in node.args.kwonlyargs}
    return of_base


def _sites(file: str, call: ast.Call, errors: Mapping[str, set[str]]) -> Iterator[Site]:
    name = _name(call.func)
    if name in errors or name in SAYERS:
        first = call.args[1 if name == "coded_error" else 0]
        names = {each.arg for each in call.keywords}
        given = frozenset(filter(None, names)) - errors.get(name, set())
        ids = frozenset(_ids(first))
        yield Site(file, call.lineno, ids, None if None in names else given, name in errors)


def _ids(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(said)) if re.fullmatch(r"[a-z_0-9]+(\.[a-z_0-9]+)*", said):
            yield re.escape(said)
        case ast.IfExp(body=body, orelse=other):
            yield from (*_ids(body), *_ids(other))
        case ast.JoinedStr(values=parts):
            said = "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts)
            if re.fullmatch(r"[a-z_0-9]+\.[a-z_0-9.*]*", said):
                yield re.escape(said).replace(r"\*", r"\w*")


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


@cache
def meant(pattern: str) -> list[str]:
    if r"\w*" not in pattern:
        whole = pattern.replace("\\", "")
        return [whole] if whole in catalogue("en") else []
    return [each for each in catalogue("en") if re.fullmatch(pattern, each)]


# The catalogue.


def test_every_sentence_stands_in_both_languages_with_the_same_values() -> None:
    english, chinese = catalogue("en"), catalogue("zh")
    assert english.keys() == chinese.keys()
    unlike = [name for name in english if fields(english[name]) != fields(chinese[name])]
    assert not unlike


def test_each_language_is_spoken_in_its_own_signs() -> None:
    assert not [name for name, said in catalogue("en").items() if _CHINESE.search(said)]
    words = {
        name: re.sub(r"\{[^}]*\}|`[^`]*`|--[a-z]+( [A-Za-z0-9]+)?", "", said)
        for name, said in catalogue("zh").items()
        if name not in WORDLESS
    }
    assert not [name for name, said in words.items() if re.search(r"[a-z]{3} [a-z]{2}", said)]


def test_no_topic_has_the_name_of_a_part_of_the_actions() -> None:
    parts = tomllib.loads((FOLDER / "actions.en.toml").read_text(encoding="utf-8")).keys()
    assert not parts & {path.name.partition(".")[0] for path in FOLDER.iterdir()}


def test_whatever_is_said_stands_in_the_catalogue() -> None:
    assert sites()
    lost = [f"{site}: {each}" for site in sites() for each in site.ids if not meant(each)]
    assert not lost


def test_every_sentence_is_given_its_values_where_it_is_said() -> None:
    wrong = [
        f"{site}: {message_id}"
        for site in sites()
        if site.given is not None
        for pattern in site.ids
        if r"\w*" not in pattern
        for message_id in meant(pattern)
        if not fields(catalogue("en")[message_id]) <= site.given
    ]
    assert not wrong
    idle = [
        str(site)
        for site in sites()
        if site.given and site.ids
        if not site.given
        <= {
            name
            for each in site.ids
            for message_id in meant(each)
            for name in fields(catalogue("en")[message_id])
        }
    ]
    assert not idle, "given what its sentence does not say"


def test_every_sentence_of_the_catalogue_is_said() -> None:
    said = read_sources()
    unsaid = catalogue("en").keys() - said.strings
    assert not unsaid - {each for pattern in said.patterns for each in meant(pattern)}


def test_errors_are_raised_by_id() -> None:
    assert [str(site) for site in sites() if site.is_error and not site.ids] == []


# How they are said.


def test_an_error_is_told_in_the_language_of_whoever_reads_it() -> None:
    error = UsageError("not_found", value="notes")
    assert str(error) == "I can't find “notes”."
    with speaking("zh"):
        assert str(error) == "我找不到“notes”。"
    assert str(error) == "I can't find “notes”."


def test_the_process_speaks_where_nobody_has_and_a_reader_goes_before_it() -> None:
    error = UsageError("not_found", value="notes")
    set_process_language("zh")
    assert str(error).startswith("我")
    token = reader_language.set("en")
    assert str(error).startswith("I ")
    with speaking("zh"):
        assert str(error).startswith("我")
    reader_language.reset(token)
    set_process_language("fr")
    assert str(error).startswith("I ")


def test_what_an_error_is_about_is_said_in_the_same_language() -> None:
    inner = LazySentence("no_path", value="{0}")
    error = TooLargeError("trying_again", error=UsageError("trying_again", error=inner))
    with speaking("zh"):
        assert str(error) == "“{0}”不是这里能用的路径。正在重试。正在重试。"
    assert str(error) == "“{0}” is not a path that can be used here. Trying again. Trying again."


def test_why_the_system_refused_is_said_in_words_of_that_language() -> None:
    refused = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    assert str(system_reason(refused)) == "Permission denied"
    with speaking("zh"):
        assert str(system_reason(refused)) == "没有权限"
    assert str(system_reason(OSError(errno.EXFULL, "Exchange full"))) == "Exchange full"
    assert str(system_reason(OSError("no number"))) == "no number"


@all_rows("name", sentences_of("system", "en"))
def test_the_systems_reasons_are_in_english_as_the_system_gives_them(name: str) -> None:
    assert sentence_of(f"system.{name}") == os.strerror(getattr(errno, name))


def test_what_another_process_told_stays_as_it_was_told() -> None:
    error = coded_error("too_large", "common.told", text="Too much: {x}, 100 %.")
    assert type(error) is TooLargeError
    assert str(error) == "Too much: {x}, 100 %."


def test_an_error_without_its_sentence_shows_what_it_knows() -> None:
    assert str(UsageError("no.such_sentence", count=3)) == "no.such_sentence count=3"
    assert str(UsageError("not_found", path="~/a")) == "not_found path=~/a"
    with pytest.raises(KeyError):
        sentence_of("no.such_sentence")


def test_errors_keep_what_they_carry_beside_their_sentence() -> None:
    assert DescriptorError("not_found", line=3, value="x").line == 3
    overflow = ContextOverflowError("not_found", prompt_tokens=5, context_tokens=4, value="x")
    assert (overflow.prompt_tokens, overflow.context_tokens, str(overflow)) == (5, 4, "I can't find “x”.")


@pytest.mark.parametrize("again", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_a_copy_of_an_error_says_the_same(again: object) -> None:
    assert callable(again)
    error: PartnerError = again(DiskFullError("not_found", value="x"))
    assert (type(error), str(error)) == (DiskFullError, "I can't find “x”.")


def test_a_value_is_told_with_every_sign_visible_and_on_its_own_lines() -> None:
    assert str(UsageError("not_found", value="a\tb\x1b")) == "I can't find “a⟨⇥⟩b⟨U+001B⟩”."
    assert str(UsageError("not_found", value="a\n\tb")) == "I can't find “a\n\tb”."
