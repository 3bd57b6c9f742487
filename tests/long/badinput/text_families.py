"""Kinds of input that are texts: descriptions, configurations, plans, times, Markdown."""

from __future__ import annotations

import json
import random
import tomllib
from datetime import UTC, datetime, time
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from partner_desktop.abilities.ability_file import draft_of_description, read_ability, written_description
from partner_desktop.abilities.plan_file import read_plan
from partner_desktop.base.errors import DescriptorError
from partner_desktop.desktop.markup.parts import plain_text
from partner_desktop.desktop.markup.reader import MarkdownReader
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.schedule import Cycle, Terms, days_of_rule, is_cron, occurrences
from partner_desktop.domain.schedule_text import when_in_words
from partner_desktop.language.values.moments import find_moments, moments_now
from partner_desktop.language.values.past_times import event_times, past_times
from partner_desktop.language.values.several_times import read_timings
from partner_desktop.language.values.triggers import read_trigger
from partner_desktop.runner.mcp.configuration.descriptions import read_override
from partner_desktop.runner.mcp.configuration.server_file import ServerFile, read_servers
from tests.long.badinput.damage import damaged_json, damaged_text, json_text
from tests.long.badinput.family import Family, check_sentence
from tests.runner.mcp_config import samples
from tests.support import REPOSITORY

_SHIPPED = REPOSITORY / "action"
_LIVE = _SHIPPED / "dynamic"


def _data(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(given: bytes) -> str:
    return given.decode("utf-8", "surrogatepass")


#: Every key of a description, each with a value that does.
_DESCRIPTION: dict[str, Any] = {  # Any: JSON
    "title": "Count",
    "description": "Counts words",
    "aliases": {"zh": ["数字数"], "en": ["count"]},
    "owner": "counter",
    "params": {
        "type": "object",
        "properties": {
            "folder": {"type": "string", "format": "path", "access": "read", "description": "where"},
            "most": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
            "kinds": {"type": "array", "items": {"enum": ["a", "b"]}},
        },
        "required": ["folder"],
    },
    "responseSchema": {"type": "object", "properties": {"n": {"type": "number"}}},
    "tags": ["text"],
    "launcher": "python3 -u",
    "timeoutSeconds": 30,
    "preActions": ["a"],
    "postActions": ["local::b"],
    "strictDependencies": True,
    "inputs": {"folder": "path"},
    "outputs": {"n": "number"},
    "preconditions": {"there": True},
    "effects": {"counted": True},
    "cost": 0.2,
    "value": 0.5,
    "rerunnable": True,
    "annotations": {"readOnlyHint": True, "destructiveHint": False},
    "permissions": {"net": False, "read": ["~/x"], "write": ["/tmp/y"]},
}


class Descriptors(Family):
    """A script with its block, or a folder with its `desc.json`."""

    name = "descriptors"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._scripts = [path.read_text() for path in sorted(_LIVE.glob("*.*"))]
        self._described = [json.loads(path.read_text()) for path in sorted(_LIVE.glob("*/desc.json"))]
        self._described.append(_DESCRIPTION)
        self._place = folder / "dynamic" / "some"
        self._place.mkdir(parents=True)
        (self._place / "run.py").write_text("print(1)\n")

    def make(self, dice: random.Random) -> bytes:
        if dice.random() < 0.4:
            head, end, rest = dice.choice(self._scripts).partition("# ///\n")
            return b"#" + _data(damaged_text(head + end, dice) + rest)
        return b"{" + _data(json_text(damaged_json(dice.choice(self._described), dice), dice))

    def take(self, given: bytes) -> str:
        if given[:1] == b"#":
            path = self.folder / "dynamic" / "script.py"
            path.write_bytes(given[1:])
        else:
            path = self._place
            (path / "desc.json").write_bytes(given[1:])
        found = read_ability(path, location="local", route=Route.ORIGIN if path.suffix else Route.BUILTIN)
        for hint in found.hints:
            check_sentence(hint)
        draft_of_description(found.info, name=path.stem)
        written_description(found)
        json.dumps(found.info.params)
        return "read with hints" if found.hints else "read"


class Plans(Family):
    """A `plan.json`."""

    name = "plans"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        files = sorted((_SHIPPED / "samples").rglob("plan.json"))
        self._plans = [json.loads(path.read_text()) for path in files]

    def make(self, dice: random.Random) -> bytes:
        return _data(json_text(damaged_json(dice.choice(self._plans), dice), dice))

    def take(self, given: bytes) -> str:
        found = read_plan(given)
        assert found.plan.stages
        for hint in found.hints:
            check_sentence(hint)
        return "read"


_SERVERS = Path("/action/mcp/servers.json")


class McpConfigurations(Family):
    """A file of servers, or a description in place of a tool's own."""

    name = "mcp_configurations"

    def make(self, dice: random.Random) -> bytes:
        if dice.random() < 0.15:
            return b"d" + _data(json_text(damaged_json(_DESCRIPTION, dice), dice))
        return b"s" + _data(damaged_text(dice.choice(samples.ALL), dice))

    def take(self, given: bytes) -> str:
        if given[:1] == b"d":
            assert read_override(Path("/action/mcp/desc/a::b.desc.json"), given[1:]).key == "a::b"
            return "read"
        return "read with faults" if check_servers(_text(given[1:])).faults else "read"


def check_servers(text: str) -> ServerFile:
    """Read a configuration; every fault can be shown, every server too.

    Raises:
        DescriptorError: It was refused as a whole.
    """
    lines = text.count("\n") + 1
    try:
        reading = read_servers(text, path=_SERVERS, name="servers")
    except DescriptorError as error:
        _check_fault(str(error), error.line, lines)
        raise
    for fault in reading.faults:
        _check_fault(fault.message, fault.line, lines)
    ids = [each.config.id for each in reading.servers]
    assert len(ids) == len(set(ids))
    for each in reading.servers:
        config = each.config
        assert config.id.isprintable()
        assert bool(config.command) == (config.transport == "stdio")
        assert bool(config.url) != (config.transport == "stdio")
        assert 0 < config.timeout_s <= 86_400
        assert each.line is not None
        assert 1 <= each.line <= lines
        assert all(hint and "\n" not in hint for hint in each.hints)
        repr(each).encode()
    return reading


def _check_fault(message: str, line: int | None, lines: int) -> None:
    assert message.isprintable(), message
    check_sentence(message)
    assert line is not None
    assert 1 <= line <= lines


class Times(Family):
    """Lines of cron, rules of days, and what people say of when something is to be or was."""

    name = "times"
    _NOW: ClassVar[datetime] = datetime(2026, 5, 13, 8, tzinfo=UTC)
    _WALL: ClassVar[datetime] = datetime(2026, 5, 13)  # noqa: DTZ001 - on the wall
    _CRON = (
        *("*/5 * * * *", "0 9 * * 1-5", "0 0 29 2 *", "15 10 L * ?", "0 0 1 1 0"),
        *("1,2 3-4/2 * JAN SUN#3", "0 0 9 * * *"),
    )
    _RULES = (
        *("FREQ=WEEKLY;BYDAY=MO,WE", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=YEARLY;BYEASTER=1"),
        "FREQ=DAILY;INTERVAL=3;COUNT=9",
    )
    _WORDS = (
        *("in 0.5 hours", "99999999999 days ago", "every 0 minutes", "the 31st of June", "25:61"),
        *("next next next Friday", "1e9 weeks from now", "二零二六年十三月", "每隔零分钟", "上上上个星期天"),
    )

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        table = tomllib.loads((REPOSITORY / "tests/language/schedule_phrases.toml").read_text())
        rows = [row[0] for name, rows in table.items() if not name.endswith("_kept") for row in rows]
        self._phrases = [*rows, *self._WORDS]

    def make(self, dice: random.Random) -> bytes:
        kind, known = dice.choice(
            ((b"c", self._CRON), (b"r", self._RULES), (b"w", self._phrases), (b"w", self._phrases))
        )
        text = dice.choice(known)
        if kind == b"w" and dice.random() < 0.5:
            words = text.split(" ") + dice.choice(self._phrases).split(" ")
            text = " ".join(dice.choice(words) for _ in range(dice.randint(1, 14)))
        return kind + _data(damaged_text(text, dice) if dice.random() < 0.8 else text)

    def take(self, given: bytes) -> str:
        kind, text = given[:1], _text(given[1:])
        if kind == b"w":
            return self._words(text)
        cycle = (
            Cycle(self._WALL, cron=text) if kind == b"c" else Cycle(self._WALL, rule=text, times=(time(8),))
        )
        if kind == b"c" and not is_cron(text):
            return "refused"
        try:
            if kind == b"r":
                list(islice(days_of_rule(text, self._WALL.date()), 3))
            times = list(islice(occurrences(cycle, ZoneInfo("Europe/Berlin"), after=self._NOW), 3))
        except ValueError:  # the one that its callers know; whoever asked hears their sentence
            return "refused"
        assert times == sorted(set(times))
        check_sentence(when_in_words(Terms(cycle=cycle, message="x"), now=self._NOW))
        return "read" if times else "never"

    def _words(self, text: str) -> str:
        timings = read_timings(text, self._NOW)
        for said in timings:
            if said.timing is not None:
                list(islice(occurrences(said.timing, UTC, after=self._NOW), 2))
        read_trigger(text)
        past_times(text, self._NOW)
        event_times(text)
        find_moments(text)
        moments_now(text, self._NOW)
        return "read" if timings else "none"


class Markdown(Family):
    """A reply of a model, as it comes bit by bit."""

    name = "markdown"
    _PIECES = (
        *("- a", "* b", "1. c", "2) d", "\n", "\n\n", "  ", "    ", "\t", "```", "```py\n", "~~~", "> "),
        *("**", "*", "`", "_", "| a | b |\n", "|---|---|\n", "text", "[x]", "[x]: /u\n", "# h\n", "---\n"),
        *('[y]: http://q "t"\n', "===", "\\", "![i](u)", "<b>", "<!--", "<?", "\r\n", "\r", "中文", "|", "("),
        *("https://a.b/c", "- [ ] ", "-\n", "&amp;", "&#0;", "[" * 60, "*" * 200, "> " * 80, "`" * 50, "$$"),
        *("[a](" * 40, "<" * 300, "a_" * 100, "- " * 50, "\\[" * 50, "!["),
    )

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._pages = [
            (REPOSITORY / "README.md").read_text()[:6_000],
            (REPOSITORY / "README.md").read_text()[-4_000:],
        ]

    def make(self, dice: random.Random) -> bytes:
        if dice.random() < 0.3:
            begin = dice.randrange(3_000)
            return _data(damaged_text(dice.choice(self._pages)[begin : begin + 1_500], dice))
        pieces = [dice.choice(self._PIECES) for _ in range(dice.randint(1, 40))]
        if dice.random() < 0.3:
            pieces = pieces[:3] * dice.randint(2, 200)
        return _data(
            "".join(pieces)[:12_000]
        )  # a step takes little, however much comes; a long text has many

    def take(self, given: bytes) -> str:
        text = _text(given)
        reader = MarkdownReader()
        step = max(1, len(text) // 7)
        for begin in range(0, len(text), step):
            reader.feed(text[begin : begin + step])
            while reader.busy:
                reader.step()
            reader.tail()
        reader.finish()
        while reader.busy:
            reader.step()
        for part in reader.parts:
            plain_text(part)
        return "read"


TEXT_FAMILIES: tuple[type[Family], ...] = (Descriptors, McpConfigurations, Plans, Times, Markdown)
