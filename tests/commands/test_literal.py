"""Replies on a plain terminal: Markdown as it is, without the backslashes that only guard a sign."""

from __future__ import annotations

from partner_desktop.commands.plain import Literal
from tests.tables import all_rows


def in_pieces(text: str, size: int) -> str:
    literal = Literal()
    pieces = [literal.feed(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join([*pieces, literal.feed("", done=True)])


@all_rows("size", [1, 2, 3, 1000])
@all_rows(
    "text, shown",
    [
        (r"A rule denies local::\*.", "A rule denies local::*."),
        (r"1\. \_a\_ \\\\ \`b\*", r"1. _a_ \\ `b*"),
        (r"`a\*b` and c\*", r"`a\*b` and c*"),
        (r"`ends in \` and c\*", r"`ends in \` and c*"),
        ("```\na\\*`\n\n\\_\n```\nc\\*", "```\na\\*`\n\n\\_\n```\nc*"),
        ("one ` alone\n\nc\\*", "one ` alone\n\nc*"),
        ("C:\\new\\", "C:\\new\\"),
    ],
)
def test_only_the_escapes_of_prose_are_left_out_however_it_comes(text: str, shown: str, size: int) -> None:
    assert in_pieces(text, size) == shown
