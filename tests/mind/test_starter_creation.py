"""Without a model: which words wish for an ability, what is code, and what code says of itself."""

from __future__ import annotations

import pytest

from partner_desktop.language.pasted_code import described, parameters
from partner_desktop.language.speech_acts.ability_requests import spoken_in, wish_in
from partner_desktop.mind.question import GenerateAction
from partner_desktop.mind.starter.mind import StarterMind, of_paste
from tests.tables import all_rows

FENCED = "```python\nprint(1)\n```"


@all_rows(
    "text, kind, name",
    [
        ("make this an ability", "paste", ""),
        ("Please turn this into an ability called resize.", "paste", "resize"),
        ("can you make an ability out of this code?", "paste", ""),
        ("save that as a new skill named Big Words", "paste", "Big Words"),
        (f"{FENCED}\nturn it into a tool called `up`", "paste", "up"),
        ("把这个变成一个能力", "paste", ""),
        ("请把这段代码做成一个技能，叫缩放", "paste", "缩放"),
        ("把这段代码变成一个叫“数数”的能力", "paste", "数数"),
        ("把这段代码变成一个叫数数的能力：", "paste", "数数"),
        ("write an ability that counts words", "write", ""),
        ("I need a tool to rename my photos", "write", ""),
        ("写一个统计字数的能力", "write", ""),
    ],
)
def test_a_plain_wish_is_understood(text: str, kind: str, name: str) -> None:
    wish = wish_in(text)
    assert wish is not None
    assert (wish.kind, wish.name) == (kind, name)


@pytest.mark.parametrize(
    "text",
    [
        "write me a poem about the sea",
        "make this a good day",
        "save this as a file called ability",
        "what is an ability?",
        "which abilities do you have",
        "turn this into a list",
        "you have the ability to write code",
        "```\nmake this an ability\n```",
        "把这个文件变成图片",
        "你有什么能力？",
        "x" * 300_000,
    ],
)
def test_what_only_sounds_like_it_is_none(text: str) -> None:
    assert wish_in(text) is None


@pytest.mark.parametrize(
    ("text", "code", "language"),
    [
        (f"make this an ability\n{FENCED}", "print(1)\n", "python"),
        ("make this an ability:\nimport os\nprint(os.name)", "import os\nprint(os.name)\n", "python"),
        ("make this an ability: `echo hi`", "echo hi\n", "shell"),
        ("```\n#!/usr/bin/env node\n1\n```\nmake this an ability", "#!/usr/bin/env node\n1\n", "javascript"),
        (
            "make this an ability\nconst x = 1;\nconsole.log(x)",
            "const x = 1;\nconsole.log(x)\n",
            "javascript",
        ),
        ("make this shell script an ability\nfoo --bar", "foo --bar\n", "shell"),
        ("make this an ability\n```\nsome words\n```", "some words\n", ""),
        ("make this an ability\n~~~rb\nputs 1\n~~~\nthanks", "puts 1\n", "ruby"),
        ("make this an ability\n```sh\necho 1", "echo 1\n", "shell"),
    ],
)
def test_code_is_found_and_its_language_told_or_left_open(text: str, code: str, language: str) -> None:
    made = of_paste(GenerateAction(text))
    assert made is not None
    assert (made.code, made.language) == (code, language)


async def test_this_is_the_last_code_that_the_person_pasted_and_nothing_is_written_without_a_model() -> None:
    mind = StarterMind()
    earlier = ("how are you?", "like so:\n```sh\necho new\n```", "```sh\necho old\n```")
    made = await mind.ask(GenerateAction("make this an ability", earlier=earlier))
    assert made is not None
    assert made.code == "echo new\n"
    assert await mind.ask(GenerateAction("write an ability that waves", earlier=earlier)) is None
    assert await mind.ask(GenerateAction("make this an ability", earlier=earlier[:1])) is None


def test_only_what_is_said_is_searched_for_a_wish() -> None:
    assert spoken_in(f"count these\n{FENCED}") == "count these"
    assert spoken_in("import os\nprint(os.name)") == ""
    assert spoken_in("run ls -la in my home") == "run ls -la in my home"
    assert spoken_in("date") == "date"


PARSER = "import argparse\np = argparse.ArgumentParser()\n{}\nprint(p.parse_args())\n"


@pytest.mark.parametrize(
    ("code", "properties", "required"),
    [
        ("print(1)", {}, []),
        (
            PARSER.format(
                "p.add_argument('-w', '--max-width', type=int, default=3, help='how wide (%(default)s)')"
            ),
            {"max-width": {"type": "integer", "default": 3, "description": "how wide"}},
            [],
        ),
        (
            PARSER.format("p.add_argument('--kind', choices=('a', 'b'), required=True)"),
            {"kind": {"type": "string", "enum": ["a", "b"]}},
            ["kind"],
        ),
        (  # Words that only look like another parser, and a name of one's own.
            PARSER.format(
                "def main(argv=None, opts=p.add_argument('--input', help='fire; a click')): opts.input"
            ),
            {"input": {"type": "string", "description": "fire; a click"}},
            [],
        ),
        (
            PARSER.format("M = 'x'; p.add_argument('--a', metavar=M, required=True); p.add_argument('--a')"),
            {"a": {"type": "string"}},
            [],
        ),
        (
            "from pathlib import Path\n"
            + PARSER.format("p.add_argument('--file', type=Path, required=True)"),
            {"file": {"type": "string", "format": "path", "access": "read"}},
            ["file"],
        ),
    ],
)
def test_plain_options_become_parameters(
    code: str, properties: dict[str, object], required: list[str]
) -> None:
    assert parameters(code, "python") == {"type": "object", "properties": properties, "required": required}


@all_rows(
    "code, code_type",
    [
        ("import sys\nprint(sys.argv[1])", "python"),
        ("name = input('who? ')", "python"),
        ("import click", "python"),
        (PARSER.format("p.add_argument('folder')"), "python"),
        (PARSER.format("p.add_argument('--loud', action='store_true')"), "python"),
        (PARSER.format("p.add_argument('--n', type=len)"), "python"),
        (PARSER.format("p.add_argument('--n', type=lambda n: n.int)"), "python"),
        (PARSER.format("p.add_argument('--n', choices={'a', 'b'})"), "python"),
        (PARSER.format("p.parse_known_args(); p.add_argument('--n')"), "python"),
        ("from sys import argv\nprint(argv)", "python"),
        (PARSER.format("p.add_argument('--' + name)"), "python"),
        (PARSER.format("p.add_subparsers()"), "python"),
        ("def broken(:", "python"),
        ("echo $1", "shell"),
        ('for f in "$@"; do echo $f; done', "shell"),
        ("console.log(process.argv)", "javascript"),
        ("puts ARGV", "ruby"),
    ],
)
def test_anything_else_is_taken_as_it_is_typed_rather_than_guessed(code: str, code_type: str) -> None:
    assert parameters(code, code_type) is None


@pytest.mark.parametrize(
    ("code", "code_type", "told"),
    [
        ('"""Shrink it.\n\nMore."""', "python", "Shrink it."),
        ('def f():\n    """Say hello."""', "python", "Say hello."),
        ("#!/bin/sh\n# Tidy up.\n# Twice.\necho", "shell", "Tidy up. Twice."),
        ("/* Make a sum. */\n1", "javascript", "Make a sum."),
        ("print(1)", "python", ""),
        ("# shellcheck disable=all\necho", "shell", ""),
    ],
)
def test_what_code_says_of_itself_is_its_description(code: str, code_type: str, told: str) -> None:
    assert described(code, code_type) == told
