"""Colours of code: by the name of the language, and the same however the code came."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from partner_desktop.desktop.markup.highlight import Highlighter, Span
from tests.support import WAIT_S

CODE = '''\
def greet(name: str) -> None:
    """Say it.

    Twice.
    """
    print(f"hi {name}")  # now


x = 1
'''


def run(work: Iterator[int | None]) -> None:
    """Go on until done; a lexer is made on a thread meanwhile."""
    for line in work:
        if line is None:
            for thread in threading.enumerate():
                if thread.name.startswith("lexer"):
                    thread.join(WAIT_S)


def spans(language: str, code: str) -> list[list[Span]]:
    highlighter = Highlighter(language)
    run(highlighter.read(code, whole=True))
    return highlighter.lines


def kinds(language: str, code: str) -> set[tuple[str, str]]:
    lines = code.split("\n")
    found = spans(language, code)
    return {
        (lines[number][start : start + length], kind)
        for number, line in enumerate(found)
        for start, length, kind in line
    }


def test_python_has_its_colours() -> None:
    assert {("def", "keyword"), ("greet", "name"), ("# now", "comment"), ("1", "number")} <= kinds(
        "python", CODE
    )


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("bash", 'echo "hi" # said\n', ("# said", "comment")),
        ("json", '{"a": true}\n', ("true", "keyword")),
        ("diff", "-old\n+new\n", ("+new", "added")),
        ("C++", "int x;\n", ("int", "type")),
    ],
)
def test_other_languages_too(language: str, code: str, expected: tuple[str, str]) -> None:
    assert expected in kinds(language, code)


@pytest.mark.parametrize(
    "language", ["", "text", "no-such-language", "../../etc/passwd", "x" * 500, "python\0"]
)
def test_an_unknown_language_is_plain(language: str) -> None:
    assert not any(spans(language, CODE))


def test_code_that_grew_line_by_line_ends_with_the_colours_of_the_whole() -> None:
    growing = Highlighter("python")
    lines = CODE.splitlines(keepends=True)
    for count in range(1, len(lines)):
        run(growing.read("".join(lines[:count]), whole=False))
    run(growing.read(CODE, whole=True))
    assert growing.lines == spans("python", CODE)


def test_lines_before_the_last_safe_one_are_not_read_again_while_code_grows() -> None:
    growing = Highlighter("python")
    first = "x = 1\n" * 50
    run(growing.read(first, whole=False))
    kept = growing.lines[10]
    work = growing.read(first + "y = 2\n", whole=False)
    numbers = [number for number in work if number is not None]
    assert min(numbers) >= 49
    assert growing.lines[10] is kept
