"""Foreign text inside our Markdown: shown as it is, unable to become structure, links or HTML."""

from __future__ import annotations

import re

from partner_desktop.base.patterns import late

#: What a text cannot be shown with: control characters, direction overrides, halves of surrogate pairs.
_UNSHOWABLE = late(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_TERMINAL = late(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
#: Only what could become structure: a text for people stays readable in a terminal too.
_SPECIAL = late(r"[`*\[<]|\\(?=[!-/:-@\[-`{-~]|$)|~|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")
_LINE_START = late(r"^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=]+$|>|\d{1,9}[.)](?=\s|$))")

_HOME_PATH = late(r"(?<![^\s(“\"'])~/[^\s`]*[^\s`.,;:!?)”\"'…。，]")
_CJK_END = late(r"[\u3040-\u30ff\u3400-\u9fff]$")


def shown(text: str) -> str:
    """Without terminal codes; what cannot be shown becomes U+FFFD. Lines end with a line feed."""
    plain = _TERMINAL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _UNSHOWABLE.sub("\ufffd", plain)


def inline(text: str, *, limit: int = 300, paths: tuple[str, ...] = ()) -> str:
    """One line of prose that Markdown shows literally, cut at `limit` characters.

    A path below the home folder becomes a code span: two tildes in a line would strike out what is between.
    `paths`: such that may be in it, known as a whole; any other ends at a blank.
    """
    line = _cut(text, limit)
    parts: list[str] = []
    position = 0
    for match in _HOME_PATH.finditer(line):
        start = match.start()
        if start >= position:
            end = max([match.end(), *(_end_of(path, line, start) for path in paths)])
            parts += [_escaped(line[position:start]), code(line[start:end])]
            position = end
    return _LINE_START.sub(_escaped_start, "".join([*parts, _escaped(line[position:])]))


def _end_of(path: str, line: str, start: int) -> int:
    """Where a path ends that stands at `start`; 0: another stands there."""
    end = start + len(path)
    return end if line.startswith(path, start) and not re.match(r"[\w/]", line[end:]) else 0


def _cut(text: str, limit: int) -> str:
    line = " ".join(shown(text).split())
    return line if len(line) <= limit else line[:limit].rstrip() + "…"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: "\\" + match.group(), text)


def _escaped_start(match: re.Match[str]) -> str:
    mark = match.group(2)
    return match.group(1) + (mark[:-1] + "\\" + mark[-1] if mark[0].isdigit() else "\\" + mark)


def code(text: str, *, limit: int = 300) -> str:
    """A code span that holds any text of one line."""
    line = _cut(text, limit)
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") or not line else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fence(text: str) -> str:
    """A code block that no line of the text can close."""
    body = shown(text).strip("\n")
    ticks = "`" * max(3, _longest_run(body) + 1)
    return f"{ticks}\n{body}\n{ticks}"


def bold(text: str) -> str:
    """Strong text."""
    return f"**{inline(text)}**" if text.strip() else ""


def sentence(text: str, *, paths: tuple[str, ...] = ()) -> str:
    """A foreign sentence in one line, with its full stop; `paths`: see `inline`."""
    line = inline(text, limit=600, paths=paths)
    if not line or line[-1] in ".!?…。！？:：":
        return line
    return f"{line}。" if _CJK_END.search(line) else f"{line}."


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)
