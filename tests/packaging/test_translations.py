"""The catalogue of Chinese words is whole, compiled, and in step with the code."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "packaging"))
translate = importlib.import_module("translate")

DESKTOP = REPOSITORY / "partner_desktop" / "desktop"
_PLACEHOLDER = re.compile(r"\{[^}]*\}|%n")


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Every call of `tr`, with the context in which lupdate files it: the class of a `self.tr`, or none."""

    def walk(node: ast.AST, owner: str) -> Iterator[tuple[str, ast.Call]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call):
                called = child.func
                if isinstance(called, ast.Attribute) and called.attr in ("tr", "translate"):
                    yield owner, child
                elif isinstance(called, ast.Name) and called.id == "tr":
                    yield "", child
            yield from walk(child, child.name if isinstance(child, ast.ClassDef) else owner)

    yield from walk(ast.parse(path.read_text(encoding="utf-8")), "")


def in_code() -> set[tuple[str, str]]:
    """Context and source of every text, as Python reads them."""
    found = set()
    for path in DESKTOP.rglob("*.py"):
        if path.name == "wording.py":
            continue
        for owner, call in calls(path):
            context, first = owner, call.args[0]
            if len(call.args) > 1 and isinstance(first, ast.Constant):  # it names its context itself
                context, first = str(first.value), call.args[1]
            where = f"{path.relative_to(REPOSITORY)}:{call.lineno}"
            assert isinstance(first, ast.Constant), f"{where}: only a plain string can be translated"
            assert isinstance(first.value, str), where
            found.add((context, first.value))
    return found


@pytest.mark.integration
def test_every_text_of_the_code_is_in_the_catalogue_and_no_other() -> None:
    """A text inside an f-string, or behind a name that lupdate does not know, would be missing here."""
    known = {(text.context, text.source) for text in translate.texts()}
    assert in_code() - known == set(), "run packaging/translate.py"
    assert known - in_code() == set(), "run packaging/translate.py"


def test_every_text_is_translated() -> None:
    assert [text.source for text in translate.missing()] == [], "run packaging/translate.py --missing"


def test_a_translation_has_the_same_places_to_fill() -> None:
    wrong = [
        text
        for text in translate.texts()
        if sorted(_PLACEHOLDER.findall(text.source)) != sorted(_PLACEHOLDER.findall(text.translation))
    ]
    assert not wrong


def test_a_sentence_ends_as_a_sentence_in_both_languages() -> None:
    ends = {".": "。", "?": "？", "…": "…", ":": "："}
    wrong = [
        text
        for text in translate.texts()
        if text.source[-1] in ends and text.translation[-1] != ends[text.source[-1]]
    ]
    assert not wrong


def test_the_compiled_file_is_in_step(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.qm"
    translate.compile_catalogue(target=fresh)
    assert fresh.read_bytes() == translate.COMPILED.read_bytes(), "run packaging/translate.py"


def test_what_is_filled_in_is_found_again(tmp_path: Path) -> None:
    copy = tmp_path / "copy.ts"
    copy.write_bytes(translate.CATALOGUE.read_bytes())
    line = {"context": "Composer", "source": "Send", "translation": "寄出"}
    assert translate.fill([line], copy) == 1
    found = [text for text in translate.texts(copy) if (text.context, text.source) == ("Composer", "Send")]
    assert [text.translation for text in found] == ["寄出"]


@pytest.mark.integration
def test_taking_in_the_code_again_changes_nothing(tmp_path: Path) -> None:
    copy = tmp_path / "copy.ts"
    copy.write_bytes(translate.CATALOGUE.read_bytes())
    translate.update(copy)
    assert copy.read_bytes() == translate.CATALOGUE.read_bytes()
