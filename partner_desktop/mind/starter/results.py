"""What to say of an action that reached its end, and what its run left behind, as Markdown for a person.

All of it is in the action's record. Foreign text inside our Markdown is shown as it is, unable to become
structure, links or HTML.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from partner_desktop.base.paths import display_text
from partner_desktop.base.patterns import late
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import CommandSession
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.language.lexicon import number, said_in
from partner_desktop.mind.starter.phrases import Phrases

#: What a text cannot be shown with: control characters, direction overrides, halves of surrogate pairs.
_UNSHOWABLE = late(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_TERMINAL = late(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
#: Only what could become structure: a text for people stays readable in a terminal too.
_SPECIAL = late(r"[`*\[<]|\\(?=[!-/:-@\[-`{-~]|$)|~|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")
_LINE_START = late(r"^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=]+$|>|\d{1,9}[.)](?=\s|$))")

_HOME_PATH = late(r"(?<![^\s(“\"'])~/[^\s`：，。；！？]*[^\s`.,;:!?)”\"'…。，：；！？]")
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
    """Where a path ends that stands at `start`, with what of it goes on below; 0: another stands there."""
    end = start + len(path)
    if not line.startswith(path, start) or re.match(r"\w", line[end:]):
        return 0
    below = _HOME_PATH.match(f"~{line[end:]}")
    return end if below is None else end + below.end() - 1


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


#: Parts of a list or an object that are shown within one line.
_IN_LINE = 4
_PATH_LIKE = re.compile(
    r"^(?:~|\.{0,2}/|[A-Za-z]:\\)\S|^[^\s/<>]+(?:/[^\s/<>]+)+$|^[\w.\-]+\.[A-Za-z]\w{0,5}$"
)
#: A number or a size as a script writes it: `1,234`, `1.2 MB`, `-3.5 %`.
_QUANTITY = re.compile(r"[-+−]?\d[\d.,\u202f]*(?:\s?(?:[kKMGTP]i?B|B|bytes?|字节|%|ms|s|min|h|px))?")


def one_line(value: Json, phrases: Phrases, *, begins: bool = False, literal: bool = False) -> str:
    """Any value within a line, safe in Markdown.

    `begins`: the line begins here, so that the first name is a head. `literal`: a text is a name of a file,
    even where it does not look like one.
    """
    if value is None or value in ([], {}, ""):
        return phrases.nothing
    if isinstance(value, bool):
        return phrases.yes if value else phrases.no
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return text_in_line(value, literal=literal)
    if isinstance(value, list):
        return _joined([one_line(item, phrases) for item in value[: _IN_LINE + 1]], len(value), phrases)
    parts = [
        f"{bold((phrases.head if begins and not place else phrases.name)(name))} {one_line(item, phrases)}"
        for place, (name, item) in enumerate(list(value.items())[: _IN_LINE + 1])
    ]
    return _joined(parts, len(value), phrases)


def text_in_line(text: str, *, literal: bool = False) -> str:
    """A text, paths at home short, as code where it is the name of a file."""
    shown = display_text(text)
    return code(shown) if literal or _PATH_LIKE.match(shown) else inline(shown)


def _joined(parts: Sequence[str], count: int, phrases: Phrases) -> str:
    if count <= _IN_LINE + 1:
        return phrases.list_separator.join(parts)
    shown = phrases.list_separator.join(parts[:_IN_LINE])
    return phrases.and_more.format(items=shown, count=count - _IN_LINE)


def table(rows: Sequence[JsonObject], phrases: Phrases) -> str:
    """Objects of plain values as a table; the columns in the order in which they first come."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = [_column(name, rows, phrases) for name in names]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True))


def _column(name: str, rows: Sequence[JsonObject], phrases: Phrases) -> list[str]:
    """Head, alignment and cells: numbers stand to the right, names of files have one look."""
    values = [row[name] for row in rows if name in row]
    paths = any(isinstance(value, str) and _PATH_LIKE.match(value) for value in values)
    known = [value for value in values if value is not None and value != ""]
    right = bool(known) and all(_is_quantity(value) for value in known)
    cells = [one_line(row[name], phrases, literal=paths) if name in row else "" for row in rows]
    return [_cell(inline(phrases.head(name))), "---:" if right else "---", *map(_cell, cells)]


def _is_quantity(value: Json) -> bool:
    if isinstance(value, str):
        return bool(_QUANTITY.fullmatch(value.strip()))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


#: Items of a list, rows of facts, and lines of a text that are shown.
MAX_ITEMS, MAX_FACTS, MAX_LINES = 20, 12, 30
#: So few more are shown rather than counted.
_SLACK = 4
#: Longest text that is shown as a sentence and not as a block.
MAX_SENTENCE = 160
_MAX_COLUMNS = 5
_SUMMARY_KEYS = ("summary", "message")
#: What programs call a thing by; beside a sentence about it, a person has no use for it.
_HANDLES = ("key", "executionId", "sha256", "sha1", "md5", "checksum")


def result(action: ActionRecord, phrases: Phrases) -> str:
    """The result of a run that succeeded."""
    data = _unwrapped(action.data)
    if data in ({}, [], "") and action.stdout.strip():
        return phrases.finished_nothing
    if isinstance(data, dict):
        body = _object(data, action, phrases)
    elif isinstance(data, list):
        body = _list(data, phrases)
    elif data is None or isinstance(data, str):
        body = _text(data or action.stdout, action, phrases)
    else:
        body = one_line(data, phrases)
    return body or phrases.finished_empty


def _unwrapped(data: Json) -> Json:
    """Without the object that MCP servers put around a bare value."""
    if isinstance(data, dict) and set(data) == {"result"}:
        return data["result"]
    return data


def _object(data: JsonObject, action: ActionRecord, phrases: Phrases) -> str:
    key = next(
        (key for key in _SUMMARY_KEYS if isinstance(data.get(key), str) and str(data[key]).strip()), ""
    )
    summary = str(data[key]) if key else ""
    told = _told(summary, action, *(value for name, value in data.items() if name != key))
    facts = {name: value for name, value in data.items() if name != key and not name.startswith("_")}
    if summary:
        facts = {name: value for name, value in facts.items() if name not in _HANDLES}
    new = {name: value for name, value in facts.items() if not said_in(summary, value)}
    (only,) = new.values() if len(new) == 1 else (None,)
    if summary and isinstance(only, list) and only:  # what the list is, the summary says
        return f"{told}\n\n{_list(only, phrases)}"
    blocks = [told, _scalars(new, phrases), *_sections(new, phrases)]
    return "\n\n".join(block for block in blocks if block)


def _told(text: str, action: ActionRecord, *beside: Json) -> str:
    """What a run says in a sentence: the paths that it was given, or told `beside`, are known as a whole."""
    return sentence(display_text(text), paths=_paths((*action.params.values(), *beside)))


def _paths(values: Iterable[Json]) -> tuple[str, ...]:
    """What may be a path among plain values and lists of such, as a person writes it."""
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    return tuple(display_text(one) for one in flat[:MAX_ITEMS] if isinstance(one, str) and one)


def _scalars(facts: JsonObject, phrases: Phrases) -> str:
    plain = [(name, value) for name, value in facts.items() if not _nested(value)]
    lines = [f"- {bold(phrases.head(name))} {one_line(value, phrases)}" for name, value in plain[:MAX_FACTS]]
    return "\n".join([*lines, *_more(len(plain) - MAX_FACTS, phrases)])


def _sections(facts: JsonObject, phrases: Phrases) -> Iterator[str]:
    nested = [(name, value) for name, value in facts.items() if _nested(value)]
    for name, value in nested[:MAX_FACTS]:
        if isinstance(value, list):
            yield f"{bold(phrases.head(name))}\n\n{_list(value, phrases)}"
        elif isinstance(value, dict):
            yield f"- {bold(phrases.head(name))} {one_line(value, phrases)}"


def _nested(value: Json) -> bool:
    return isinstance(value, (dict, list)) and bool(value)


def _list(items: Sequence[Json], phrases: Phrases) -> str:
    rows = [item for item in items if isinstance(item, dict)]
    if len(rows) == len(items) and _tabular(rows):
        body = table(rows[:MAX_FACTS], phrases)
        return "\n\n".join([body, *_more(len(rows) - MAX_FACTS, phrases)])
    limit = len(items) if len(items) <= MAX_ITEMS + _SLACK else MAX_ITEMS
    lines = [f"- {one_line(item, phrases, begins=True)}" for item in items[:limit]]
    more = [f"- {line}" for line in _more(len(items) - limit, phrases)]
    return "\n".join([*lines, *more])


def _tabular(rows: Sequence[JsonObject]) -> bool:
    columns = {name for row in rows for name in row}
    return 2 <= len(columns) <= _MAX_COLUMNS and not any(
        _nested(value) for row in rows for value in row.values()
    )


def _more(count: int, phrases: Phrases) -> Iterable[str]:
    return [phrases.more_items.format(count=count)] if count > 0 else []


def _text(text: str, action: ActionRecord, phrases: Phrases) -> str:
    lines = shown(text).strip("\n").split("\n")
    if not any(line.strip() for line in lines):
        return ""
    where = _whole(action, phrases)
    if len(lines) == 1 and len(lines[0]) <= MAX_SENTENCE:
        return "\n\n".join([inline(display_text(lines[0]), paths=_paths(action.params.values())), *where])
    left = len(lines) - MAX_LINES
    block = [line[:500] for line in lines[:MAX_LINES]]
    hidden = [phrases.more_lines.format(count=left)] if left > 0 else []
    return "\n\n".join([fence("\n".join(block)), *hidden, *where])


def _whole(action: ActionRecord, phrases: Phrases) -> list[str]:
    if not action.truncated:
        return []
    if action.stdout_path:
        return [phrases.whole_output.format(path=code(display_text(action.stdout_path)))]
    return [phrases.cut_output]


#: Lines of a failed run's log that are shown: its last.
LAST_LINES = 8


def outcome(action: ActionRecord, phrases: Phrases) -> str:  # noqa: PLR0911 - one line per outcome
    """The answer for one action, whatever its outcome."""
    title = bold(action.title)
    match action.status:
        case ActionStatus.SUCCEEDED:
            return result(action, phrases)
        case ActionStatus.FAILED:
            return _failed(action, phrases)
        case ActionStatus.CANCELLED:
            return phrases.cancelled.format(title=title)
        case ActionStatus.INTERRUPTED:
            said = phrases.stopped_for_good if action.error else phrases.interrupted
            return said.format(title=title, error=_told(action.error, action))
        case ActionStatus.REJECTED:
            return phrases.rejected
        case ActionStatus.EXPIRED:
            said = phrases.expired if action.waits_until is None else phrases.card_expired
            return said.format(title=title)
        case ActionStatus.ASKING | ActionStatus.WAITING | ActionStatus.RUNNING:
            return phrases.not_ended.format(title=title)
        case _:
            assert_never(action.status)


def command_ended(session: CommandSession, output: str, phrases: Phrases) -> str:
    """The answer for a command in the background that ended by itself."""
    command, error = code(shlex.join(session.argv)), sentence(display_text(session.error))
    template = phrases.command_failed if error else phrases.command_ended
    lead = template.format(command=command, error=error)
    shown_lines = shown(output).strip()
    return f"{lead}\n\n{phrases.last_words}\n\n{fence(shown_lines)}" if shown_lines else lead


def _failed(action: ActionRecord, phrases: Phrases) -> str:
    title, error = bold(action.title), _told(action.error, action)
    lead = did_not_work(title, error, phrases)
    return "\n\n".join(
        filter(None, (phrases.gap.join([lead, *_exit(action, phrases)]), _tail(action, phrases)))
    )


def did_not_work(title: str, error: str, phrases: Phrases) -> str:
    """That something did not work, and why, where that is known."""
    return (phrases.failed_because if error else phrases.failed).format(title=title, error=error)


def _exit(action: ActionRecord, phrases: Phrases) -> list[str]:
    """The exit code in words, where it says more than the error did."""
    code = action.exit_code
    if not code or str(code) in action.error:
        return []
    meaning = phrases.exit_meanings.get(str(code % 256 if code > 0 else 128 - code))
    told = f"{code} ({meaning})" if meaning else str(code)
    return [phrases.exit_code.format(code=told)]


def _tail(action: ActionRecord, phrases: Phrases) -> str:
    """The last lines of the log, or of the output where there is no log."""
    log = action.stderr if action.stderr.strip() else action.stdout
    lines = [line[:500] for line in shown(log).strip().split("\n") if line.strip()]
    if not lines or (len(lines) == 1 and lines[0].strip() in action.error):
        return ""
    lead = phrases.last_words
    if len(lines) > LAST_LINES:
        lead = phrases.last_words_of.format(shown=LAST_LINES, count=len(lines))
    return f"{lead}\n\n{fence(chr(10).join(lines[-LAST_LINES:]))}"
