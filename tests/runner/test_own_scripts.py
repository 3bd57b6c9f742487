"""Abilities of `dynamic/` called by Partner itself: the short way to the script, and all that it says."""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.meta_action import ResultStatus
from tests.runner.running import Runs
from tests.support import REPOSITORY, WAIT_S, Watcher

pytestmark = pytest.mark.integration

FAILS = """\
# /// partner
# description = "Say much and fail"
# ///
import sys
print("x" * 100_000)
print("it went wrong", file=sys.stderr)
sys.exit(3)
"""

TALKS = """\
# /// partner
# description = "Echo a text"
# aliases = ["say it again"]
# annotations = { readOnlyHint = true, idempotentHint = true }
# [params.text]
# type = "string"
# description = "what to say"
# [responseSchema]
# type = "object"
# required = ["said"]
# ///
import json, sys
print(json.dumps({"said": json.load(sys.stdin)["text"]}))
"""

WAITS = """\
# /// partner
# description = "Wait for ever, with a child"
# [params.folder]
# type = "string"
# format = "path"
# access = "write"
# ///
import json, subprocess, sys, time
from pathlib import Path
folder = Path(json.load(sys.stdin)["folder"])
beat = "import sys, time\\nwhile True:\\n    open(sys.argv[1], 'a').write('.')\\n    time.sleep(0.01)\\n"
subprocess.Popen([sys.executable, "-c", beat, str(folder / "beats")])
time.sleep(600)
"""

#: A Partner of its own process, which calls an ability of the folder.
_PROBE = """
import asyncio, json, sys
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import AbilitiesEvent
from tests.runner.running import Runs


async def main():
    partner = Partner(Home(Path(sys.argv[1])), Path(sys.argv[2]), meaning=False)
    listed = asyncio.Event()
    partner.subscribe(lambda event: listed.set() if isinstance(event, AbilitiesEvent) else None)
    await partner.launch()
    while not any(each.key == "local::talks" for each in partner.abilities.list()):
        await asyncio.wait_for(listed.wait(), 30)
        listed.clear()
    response = await Runs(partner).result("local::talks", text="hello")
    await partner.close()
    loaded = sorted(name for name in sys.modules if name.split(".")[0] in ("mcp", "mcp_types"))
    print(json.dumps({"said": response.data["said"], "loaded": loaded}))


asyncio.run(main())
"""


async def saved(watcher: Watcher, path: Path, text: str) -> None:
    """Save a script, new or changed, and wait until that is listed."""
    watcher.events.clear()
    path.write_text(text, encoding="utf-8")
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))


async def test_the_whole_response_of_a_run_comes_through(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await saved(watcher, action_dir / "dynamic" / "fails.py", FAILS)
    await saved(watcher, action_dir / "dynamic" / "talks.py", TALKS)
    runs = Runs(partner)
    failed = await runs.result("local::fails")
    assert (failed.ok, failed.exit_code, failed.stderr) == (False, 3, "it went wrong\n")
    assert failed.truncated
    assert failed.stdout_path is not None
    assert failed.stdout_path.read_text() == "x" * 100_000 + "\n"
    talked = await runs.result("local::talks", text="hello")
    assert (talked.ok, talked.data) == (True, {"said": "hello"})


async def test_values_that_no_script_can_take_are_refused_with_their_reason(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await saved(watcher, action_dir / "dynamic" / "talks.py", TALKS)
    runs = Runs(partner)
    half = await runs.result("local::talks", text="half a \ud83d")
    assert half.error == "`text` holds half a character (a lone surrogate); write it again."
    nan = await runs.result("local::talks", text=math.nan)
    assert nan.error == "`text` holds a number that JSON does not know (NaN or infinity)."


async def test_a_run_that_is_cancelled_ends_with_its_processes(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    await saved(watcher, action_dir / "dynamic" / "waits.py", WAITS)
    runs = Runs(partner)
    call, paths = await runs.prepare("local::waits", folder=str(user_home))
    decision = await runs.approve(call)
    under_way = asyncio.get_running_loop().create_task(runs.runner.submit(call, decision, paths=paths))
    beats = user_home / "beats"
    async with asyncio.timeout(WAIT_S):
        while not beats.exists():  # noqa: ASYNC110 - what another process does sets no event here
            await asyncio.sleep(0.01)
        under_way.cancel()
        with pytest.raises(asyncio.CancelledError):
            await under_way
    assert call.status is ResultStatus.FAILED
    written = beats.read_bytes()
    # Longer than the child's next beat would take.
    await asyncio.to_thread(subprocess.run, [sys.executable, "-c", "pass"], check=True, timeout=WAIT_S)
    assert beats.read_bytes() == written


async def test_a_call_loads_nothing_of_the_protocol(action_dir: Path, tmp_path: Path) -> None:
    (action_dir / "dynamic" / "talks.py").write_text(TALKS, encoding="utf-8")
    probe = [sys.executable, "-c", _PROBE, str(tmp_path / "light"), str(action_dir)]
    told = await asyncio.to_thread(
        subprocess.run, probe, cwd=REPOSITORY, capture_output=True, text=True, check=True, timeout=WAIT_S
    )
    assert json.loads(told.stdout) == {"said": "hello", "loaded": []}
