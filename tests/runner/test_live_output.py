"""What runs print, told while they run: in whole characters, at a pace, and without holding the loop."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.events import AbilitiesEvent, OutputEvent, ResultEvent, RunEvent
from partner_desktop.domain.json_value import Json
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runner.live_output import MOST_BYTES
from partner_desktop.runner.process_launch import LaunchSpec, OutputLimits
from partner_desktop.runner.script_process import run_process
from tests.runner.sessions.background import alive, script, until, written
from tests.support import Watcher, yes_to

pytestmark = pytest.mark.integration

MIB = 1024 * 1024

#: Prints, and goes on when a file is there: whoever reads has seen the first words by then.
WAITS = """
echo first
echo trouble >&2
while [ ! -e {go} ]; do sleep 0.02; done
echo last
"""

#: The same as an ability; its workspace is all that it may write, so it goes on by itself.
TALKS = """\
# /// partner
# description = "Talk for a while"
# ///
import sys
print("from the script", flush=True)
print("its log", file=sys.stderr, flush=True)
"""


async def begin(partner: Partner, key: str, **params: Json) -> str:
    """Begin a run; the exchange."""
    exchange_id = new_id()
    own = key.startswith("builtin::command")  # a command line takes no blanket yes
    standing = ApprovalMode.ASK if own else ApprovalMode.ALL
    await partner.abilities.run(key, params, cwd="", standing=standing, exchange_id=exchange_id)
    await yes_to(partner, exchange_id)
    return exchange_id


def told(watcher: Watcher, action_id: str, stream: Stream) -> str:
    return "".join(
        event.text
        for event in watcher.events
        if isinstance(event, OutputEvent) and (event.action_id, event.stream) == (action_id, stream)
    )


async def test_what_a_command_prints_is_told_while_it_runs_and_kept_for_a_late_look(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    go = tmp_path / "go"
    exchange_id = await begin(
        partner, "builtin::command::execute", argv=["sh", script(tmp_path, WAITS.format(go=go))]
    )
    await watcher.until(lambda event: isinstance(event, OutputEvent) and event.stream == "stdout")
    await watcher.until(lambda event: isinstance(event, OutputEvent) and event.stream == "stderr")
    begun = await watcher.until(lambda event: isinstance(event, RunEvent))
    assert isinstance(begun, RunEvent)
    assert partner.actions.output(begun.action.id) == {"stdout": "first\n", "stderr": "trouble\n"}
    go.touch()
    await watcher.done(exchange_id)
    assert told(watcher, begun.action.id, "stdout") == "first\nlast\n"
    assert partner.actions.output(begun.action.id) == {}
    types = watcher.types()
    assert types.index("result") > max(index for index, name in enumerate(types) if name == "output")


async def test_scripts_tell_what_they_print_by_every_route(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    for key, path in (("origin::talks.py", "tmp/talks.py"), ("local::talks", "dynamic/talks.py")):
        (action_dir / path).write_text(TALKS, encoding="utf-8")
        await watcher.until(
            lambda event, key=key: (  # type: ignore[misc] # mypy cannot infer a default's type here
                isinstance(event, AbilitiesEvent) and any(each.key == key for each in event.changed)
            )
        )
        await watcher.done(await begin(partner, key))
        (record, *_) = await partner.actions.list(limit=1)
        assert record.key == key
        if record.started_at is not None:  # without a sandbox it does not run on a blanket yes
            assert told(watcher, record.id, "stdout") == "from the script\n"
            assert told(watcher, record.id, "stderr") == "its log\n"


async def test_a_flood_is_told_in_bounded_pieces_and_counts_what_it_leaves_out(tmp_path: Path) -> None:
    pieces: list[str] = []
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.01)
            beats += 1

    code = f"import os\nfor _ in range(64): os.write(1, b'x' * {MIB})\nos.write(1, b'the end')"
    spec = LaunchSpec(
        argv=(sys.executable, "-c", code),
        spill_dir=tmp_path,
        output=OutputLimits(spill_bytes=0, flood_bytes=0),
    )
    beating = asyncio.get_running_loop().create_task(beat())
    outcome = await run_process(spec, on_output=lambda stream, text: pieces.append(text))
    beating.cancel()
    assert (outcome.exit_code, outcome.stdout_path) == (0, None)
    assert beats > 1  # the loop went on while all that was printed, however fast that was
    assert max(map(len, pieces)) <= MOST_BYTES
    assert sum(map(len, pieces)) < 4 * MIB
    assert "".join(pieces).endswith("the end")
    left_out = sum(int(piece.split()[1]) for piece in pieces if "bytes left out" in piece)
    plain = sum(len(piece) for piece in pieces if "bytes left out" not in piece)
    assert left_out + plain == 64 * MIB + len("the end")


@pytest.mark.promise("actions.command.limits")
async def test_a_long_stderr_lies_whole_on_the_disk_beside_stdout(tmp_path: Path) -> None:
    argv = ("sh", script(tmp_path, "seq 1 30000 >&2; seq 1 30000"))
    outcome = await run_process(LaunchSpec(argv=argv, spill_dir=tmp_path / "run"))
    numbers = "".join(f"{number}\n" for number in range(1, 30_001))
    for path in (outcome.stdout_path, outcome.stderr_path):
        assert path is not None
        assert path.read_text() == numbers
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.promise("actions.cancel")
async def test_a_cancelled_command_ends_with_the_children_that_it_started(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    child = tmp_path / "child"
    text = f"echo so far\necho log >&2\nsleep 60 &\necho $! > {child}.part; mv {child}.part {child}\nwait"
    exchange_id = await begin(partner, "builtin::command::execute", argv=["sh", script(tmp_path, text)])
    await until(lambda: written(child) > 0)
    begun = await watcher.until(lambda event: isinstance(event, RunEvent))
    assert isinstance(begun, RunEvent)
    await partner.actions.cancel(begun.action.id)
    assert not alive(written(child))
    ended = await watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(ended, ResultEvent)
    assert ended.action.status.value == "cancelled"
    (kept,) = await partner.actions.list(
        limit=1
    )  # from the disk: what it printed is there after a restart too
    assert (kept.stdout, kept.stderr) == ("so far\n", "log\n")
    await watcher.done(exchange_id)


async def test_what_a_run_printed_until_partner_closed_is_in_its_record(
    partner: Partner, watcher: Watcher, home: Home, action_dir: Path, tmp_path: Path
) -> None:
    text = "echo half done\nsleep 60"
    await begin(partner, "builtin::command::execute", argv=["sh", script(tmp_path, text)])
    await watcher.until(lambda event: isinstance(event, OutputEvent))
    await partner.close()
    again = Partner(home, action_dir, meaning=False)
    await again.launch()
    try:
        (kept,) = await again.actions.list(limit=1)
    finally:
        await again.close()
    assert (kept.status, kept.stdout) == (ActionStatus.INTERRUPTED, "half done\n")
