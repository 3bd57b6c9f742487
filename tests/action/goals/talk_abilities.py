"""Abilities whose types lead from a file to a summary, and two that lead elsewhere."""

from __future__ import annotations

from pathlib import Path

_ABILITY = """\
# /// partner
# description = "{description}"
# {facts}
# annotations = {{ readOnlyHint = true }}
# [params.{param}]
# type = "string"
# {place}description = "{told}"
# ///
import json, os, sys, time
given = json.load(sys.stdin)["{param}"]
{code}
"""
_FILE = 'format = "path"\n# access = "read"\n# '
_REST = "x-partner-rest = true\n# "


def write_talk_abilities(dynamic: Path) -> None:
    """Read → extract → summarise; a dearer way to the points; a mail, a translation, and a stray sum."""
    write(
        dynamic,
        "read_talk",
        "Read a talk from a file",
        'outputs = "Transcript"',
        "file",
        "print(open(given).read())",
    )
    write(
        dynamic,
        "extract_points",
        "Extract the main points of a transcript",
        'inputs = { transcript = "Transcript" }\n# outputs = "TalkingPoints"',
        "transcript",
        'print("\\n".join("- " + line for line in given.splitlines() if line))',
    )
    write(
        dynamic,
        "skim_talk",
        "Skim through a transcript",
        'inputs = { transcript = "Transcript" }\n# outputs = "TalkingPoints"\n# cost = 5',
        "transcript",
        'print("- skimmed " + given.split()[0])',
    )
    write(
        dynamic,
        "summarise_points",
        "Summarise talking points",
        'inputs = { points = "TalkingPoints" }\n# outputs = "Summary"',
        "points",
        'print("In short: " + " ".join(given.split("- ")).strip())',
    )
    write(
        dynamic,
        "translate_transcript",
        "Translate a transcript",
        'inputs = { transcript = "Transcript" }\n# outputs = "Translation"',
        "transcript",
        'print("bonjour")',
    )
    write(
        dynamic,
        "send_mail",
        "Send something by mail",
        'inputs = { body = "TalkingPoints" }\n# effects = ["mail is sent"]',
        "body",
        'print("sent")',
    )
    write(
        dynamic,
        "sum_of_numbers",
        "Add up the numbers of a table",
        'inputs = { table = "NumberTable" }\n# outputs = "Total"',
        "table",
        'print("7")',
    )


def write(dynamic: Path, name: str, description: str, facts: str, param: str, code: str) -> None:
    """One of them; `code` has its argument as `given`: a `file`, the `rest` of the words, or a text."""
    text = _ABILITY.format(
        description=description,
        facts=facts,
        param=param,
        place=_FILE if param == "file" else _REST if param == "rest" else "",
        told=f"the {param}",
        code=code,
    )
    (dynamic / f"{name}.py").write_text(text)
