"""The audit log: every decision and run has its row, nobody changes one, and a filter and an export agree."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import sqlite3
import stat
import subprocess
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import Home
from partner_desktop.cli import main
from partner_desktop.cli.parser import since, until
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.audit import AuditEntry, AuditQuery
from partner_desktop.domain.events import AbilitiesEvent, DoneEvent, ProposalEvent, RunEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import ApprovalMode
from tests.support import REPOSITORY, UPPER_SCRIPT, Watcher, run_cli_arguments

pytestmark = pytest.mark.integration

READER = """\
# /// partner
# description = "Read one file"
# [params.file]
# type = "string"
# format = "path"
# access = "read"
# description = "the file"
# ///
print("read")
"""
FAILS = '"""Break the vase."""\nimport sys\nsys.exit("the private vase broke")\n'
WAITS = '"""Wait for the bus."""\nimport time\nprint("waiting", flush=True)\ntime.sleep(60)\n'
#: What the person says and gives; none of it may be in the log.
WORDS = ("a private sentence", "diary of last summer", "the private vase broke", "A PRIVATE SENTENCE")


@pytest.fixture
async def doer(partner: Partner, watcher: Watcher, action_dir: Path) -> Doer:
    """Runs abilities on a Partner that has a few."""
    scripts = {"upper": UPPER_SCRIPT, "reader": READER, "fails": FAILS, "waits": WAITS}
    for name, text in scripts.items():
        (action_dir / "dynamic" / f"{name}.py").write_text(text, encoding="utf-8")
    keys = {f"local::{name}" for name in scripts}
    await watcher.until(
        lambda event: (
            isinstance(event, AbilitiesEvent) and keys <= {one.key for one in partner.abilities.list()}
        )
    )
    return Doer(partner, watcher)


class Doer:
    """A person who asks, and answers."""

    def __init__(self, partner: Partner, watcher: Watcher) -> None:
        self.partner = partner
        self.watcher = watcher

    async def run(
        self, key: str, params: JsonObject | None = None, *, standing: ApprovalMode = ApprovalMode.ASK
    ) -> str:
        """Ask for an ability; the exchange's id once it stands still."""
        exchange = new_id()
        await self.partner.abilities.run(
            f"local::{key}", params or {}, cwd="", standing=standing, exchange_id=exchange
        )
        await self.watcher.until(lambda event: isinstance(event, DoneEvent) and event.exchange_id == exchange)
        return exchange

    async def ask(self, key: str, params: JsonObject | None = None) -> ActionRecord:
        """Ask for an ability; the action that waits."""
        exchange = await self.run(key, params)
        return next(
            event.action
            for event in self.watcher.events
            if isinstance(event, ProposalEvent) and event.exchange_id == exchange
        )

    async def done(self, action: ActionRecord) -> None:
        """The run that a yes began has ended."""
        await self.watcher.until(
            lambda event: event.type == "result" and getattr(event, "action", action).id == action.id
        )

    async def rows(self, query: AuditQuery | None = None) -> Sequence[AuditEntry]:
        """Oldest first."""
        return (await self.partner.audit.page(query or AuditQuery(), limit=1_000))[::-1]


def told(rows: Sequence[AuditEntry]) -> list[tuple[str, ...]]:
    """What happened, without hashes and times."""
    return [tuple(part for part in (one.kind, one.outcome, one.by_whom, one.scope) if part) for one in rows]


@pytest.mark.promise("actions.audit")
async def test_every_decision_and_every_run_has_its_row_without_a_word_of_the_person(
    doer: Doer, home: Home
) -> None:
    partner = doer.partner
    text: JsonObject = {"text": WORDS[0]}

    async def since_then(count: int) -> list[tuple[str, ...]]:
        return told((await doer.rows())[count:])

    began, ended = ("run", "started"), ("result", "succeeded")
    action = await doer.ask("upper", text)
    await partner.actions.approve(action.id, scope="once")
    await doer.done(action)
    assert await since_then(0) == [("decision", "allow", "person", "once"), began, ended]

    action = await doer.ask("upper", text)
    await partner.actions.reject(action.id)
    assert await since_then(3) == [("decision", "deny", "person", "once")]

    action = await doer.ask("upper", text)
    await partner.actions.approve(action.id, scope="always")
    await doer.done(action)
    await doer.run("upper", text)
    assert await since_then(4) == [
        ("decision", "allow", "person", "always"), began, ended,
        ("decision", "allow", "grant", "always"), began, ended,
    ]  # fmt: skip

    await doer.run("fails", standing=ApprovalMode.ALL)
    await doer.run("fails", standing=ApprovalMode.NEVER)
    (home.root / WORDS[1]).write_text("dear diary")
    await doer.run("reader", {"file": str(home.root / WORDS[1])})
    assert await since_then(10) == [
        ("decision", "allow", "flag", "once"), began, ("result", "failed"),
        ("decision", "deny", "flag", "once"),
        ("decision", "deny", "policy", "once"),
    ]  # fmt: skip

    action = await doer.ask("waits")
    await partner.actions.approve(action.id, scope="once")
    await doer.watcher.until(lambda event: isinstance(event, RunEvent) and event.action.id == action.id)
    await partner.actions.cancel(action.id)
    await doer.done(action)
    assert (await since_then(15))[-2:] == [began, ("result", "cancelled")]

    rows = await doer.rows()
    assert {row.action_key for row in rows} == {
        f"local::{one}" for one in ("upper", "reader", "fails", "waits")
    }
    assert all(row.action_id and datetime.fromisoformat(row.at).utcoffset() == timedelta(0) for row in rows)
    with closing(sqlite3.connect(home.database)) as database:
        held = str(database.execute("SELECT * FROM audit").fetchall())
    assert [words for words in (*WORDS, str(home.root)) if words in held] == []


@pytest.mark.promise("actions.audit")
async def test_the_database_refuses_to_change_or_take_out_a_row(doer: Doer, home: Home) -> None:
    action = await doer.ask("upper", {"text": "x"})
    await doer.partner.actions.reject(action.id)
    before = await doer.rows()
    with closing(sqlite3.connect(home.database)) as database:
        for change in ("UPDATE audit SET outcome = 'allow'", "DELETE FROM audit"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                database.execute(change)
    assert await doer.rows() == before


@pytest.fixture
async def filled(partner: Partner, home: Home) -> Partner:
    """A Partner whose log has 2,500 rows: one each minute, the newest last."""
    start = datetime(2030, 1, 1, tzinfo=UTC)
    rows = [
        (
            (start + timedelta(minutes=at)).isoformat(),
            "decision" if at % 2 else "result",
            f"a{at}",
            f"local::{'Tidy' if at % 5 else 'count'}_{at % 3}",
            "allow" if at % 2 else "failed",
            "=1+1" if at % 7 == 0 else "",
        )
        for at in range(2_500)
    ]
    with closing(sqlite3.connect(home.database)) as database:
        database.executemany(
            "INSERT INTO audit (at, kind, action_id, action_key, outcome, reason) VALUES (?,?,?,?,?,?)", rows
        )
        database.commit()
    return partner


START = datetime(2030, 1, 1, tzinfo=UTC)
QUERIES = (
    AuditQuery(),
    AuditQuery(action="TIDY"),
    AuditQuery(action="Count 1"),
    AuditQuery(kind="result", outcome="failed"),
    AuditQuery(since=START + timedelta(minutes=100), until=START + timedelta(minutes=1_900)),
    AuditQuery(action="count_1", kind="decision", since=START + timedelta(hours=7)),
    AuditQuery(kind="nothing of this kind"),
)


def fits(entry: AuditEntry, query: AuditQuery) -> bool:
    at = datetime.fromisoformat(entry.at)
    return (
        query.action.lower().replace("_", " ") in entry.action_key.lower().replace("_", " ")
        and query.kind in ("", entry.kind)
        and query.outcome in ("", entry.outcome)
        and (query.since is None or at >= query.since)
        and (query.until is None or at < query.until)
    )


async def paged(partner: Partner, query: AuditQuery, *, limit: int) -> Sequence[AuditEntry]:
    """All that fits, newest first, as the window reads it."""
    found: list[AuditEntry] = []
    while page := await partner.audit.page(query, before=found[-1].position if found else None, limit=limit):
        found += page
    return found


@pytest.mark.promise("actions.audit")
async def test_pages_filter_and_export_give_the_same_rows(filled: Partner, tmp_path: Path) -> None:
    everything = await paged(filled, AuditQuery(), limit=400)
    assert [one.position for one in everything] == list(range(2_500, 0, -1))
    for number, query in enumerate(QUERIES):
        wanted = [entry for entry in reversed(everything) if fits(entry, query)]
        assert (await paged(filled, query, limit=70))[::-1] == wanted
        paths = [tmp_path / f"log_{number}.{ending}" for ending in ("jsonl", "json", "csv")]
        for path in paths:
            assert await filled.audit.export(query, path) == len(wanted)
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        lines = [json.loads(line) for line in paths[0].read_text().splitlines()]
        assert [AuditEntry(**line) for line in lines] == wanted
        assert json.loads(paths[1].read_text()) == lines
        with paths[2].open(newline="") as file:
            table = list(csv.DictReader(file))
        assert [row["position"] for row in table] == [str(entry.position) for entry in wanted]
        assert not any(cell.startswith("=") for row in table for cell in row.values())
    newest = tmp_path / "newest.jsonl"
    assert await filled.audit.export(AuditQuery(kind="decision"), newest, limit=3) == 3
    assert [json.loads(line)["position"] for line in newest.read_text().splitlines()] == [2496, 2498, 2500]


async def test_an_export_replaces_nothing_unasked_and_leaves_nothing_behind(
    filled: Partner, tmp_path: Path
) -> None:
    there = tmp_path / "log.csv"
    there.write_text("mine")
    with pytest.raises(UsageError, match="--force replaces it"):
        await filled.audit.export(AuditQuery(), there)
    with pytest.raises(UsageError, match=r"ends in \.jsonl, \.json or \.csv"):
        await filled.audit.export(AuditQuery(), tmp_path / "log.txt")
    with pytest.raises(UsageError, match="in a folder that is there"):
        await filled.audit.export(AuditQuery(), tmp_path / "nowhere" / "log.csv")
    assert there.read_text() == "mine"
    assert await filled.audit.export(AuditQuery(), there, force=True) == 2_500
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["log.csv"]


async def test_an_export_is_not_written_through_a_link_that_waits_for_it(
    filled: Partner, tmp_path: Path
) -> None:
    others = tmp_path / "others"
    others.write_text("theirs")
    (tmp_path / f".log.csv.{os.getpid()}.tmp").symlink_to(others)
    assert await filled.audit.export(AuditQuery(), tmp_path / "log.csv", limit=3) == 3
    assert others.read_text() == "theirs"


class Cli:
    """The program on one home."""

    def __init__(self, place: Path) -> None:
        self.home, self.action_dir = place / "home", place / "action"

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*run_cli_arguments("audit", *arguments), "--home", self.home, "--action-dir", self.action_dir],
            env=os.environ | {"PYTHONPATH": str(REPOSITORY), "TZ": "UTC"},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
            cwd=self.home.parent,
        )


@pytest.mark.promise("actions.audit")
async def test_the_command_asks_the_open_partner_and_means_what_it_says(
    filled: Partner, tmp_path: Path
) -> None:
    cli = Cli(tmp_path)

    async def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return await asyncio.to_thread(cli.run, *arguments)

    span = ("--since", "2030-01-01T10:00", "--until", "2030-01-01T12:00")
    done = await run("--json", "--kind", "decision", *span)
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [entry["at"][11:16] for entry in entries] == [
        f"{hour}:{minute:02}" for hour in (10, 11) for minute in range(1, 60, 2)
    ]
    assert {entry["kind"] for entry in entries} == {"decision"}
    done = await run("--until", "2030-01-01")
    lines = done.stdout.splitlines()
    assert len(lines) == 200, "so many unless told otherwise"
    assert lines[-1].startswith("2030-01-01 23:59:00  decision"), "a day counts to its end"
    done = await run("--outcome", "failed", "--limit", "1")
    assert done.stdout.splitlines() == ["2030-01-02 17:38:00  result   failed      local::Tidy_2"]
    done = await run("--action", "count", "--export", "log.jsonl")
    assert (done.returncode, done.stdout) == (0, f"Wrote 500 entries to {tmp_path / 'log.jsonl'}.\n")
    again = await run("--export", "log.jsonl")
    assert again.returncode == 2
    assert "--force replaces it" in again.stderr
    assert (await run("--export", "log.jsonl", "--force")).returncode == 0
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 2_500
    unknown = await run("--kind", "tea")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "knows no kind “tea”; use one of decision, run" in unknown.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--since", "noon"), "is no time; use a day such as"),
        (("--since", "2030-02-30"), "is no time"),
        (("--until", "999999w"), "is no time"),
        (("--since", "1h", "--until", "2h"), "--since must come before --until"),
        (("--limit", "0"), "use a number"),
        (("--force",), "--force is for --export"),
    ],
)
def test_what_cannot_be_meant_is_misuse_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    try:
        code = main(["--home", str(tmp_path / "home"), "audit", *arguments])
    except SystemExit as ended:
        code = int(ended.code or 0)
    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    assert sentence in said.err


def test_moments_are_meant_in_the_persons_own_zone() -> None:
    now = datetime.now().astimezone()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    assert since("today").replace(tzinfo=None) == midnight.replace(tzinfo=None)
    assert until("today").replace(tzinfo=None) == (midnight + timedelta(days=1)).replace(tzinfo=None)
    assert abs(now - timedelta(hours=2) - since("2h")) < timedelta(minutes=1)
    assert since("2030-05-14T09:30+02:00") == datetime(2030, 5, 14, 7, 30, tzinfo=UTC)
    assert until("2030-05-14").replace(tzinfo=None) == datetime(2030, 5, 15)  # noqa: DTZ001 - the zone's own
