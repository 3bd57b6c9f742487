"""Without llama.cpp everything works by words and says so; when it comes, it is taken without a restart."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path

import pytest

from tests.model.engine import PythonWithoutEngine, needs_engine
from tests.support import WAIT_S

pytestmark = pytest.mark.integration

_SESSION = """
import asyncio, json, sys
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import ModelError
from partner_desktop.model.llama_embedder import LlamaEmbedder
def tell(embedder, outcome):
    status = embedder.status()
    print(json.dumps([status.state, status.available, status.reason, outcome]), flush=True)
async def main():
    embedder = LlamaEmbedder(clock=SystemClock())
    for _ in range(2):
        try:
            rows = await embedder.embed(["hello"])
            outcome = str(rows.shape)
        except ModelError as error:
            outcome = str(error)
        tell(embedder, outcome)
        sys.stdin.readline()
    await embedder.shutdown()
asyncio.run(main())
"""


@pytest.fixture
def python(tmp_path: Path) -> PythonWithoutEngine:
    return PythonWithoutEngine(tmp_path / "packages")


def test_doctor_says_that_abilities_are_found_by_words(python: PythonWithoutEngine, tmp_path: Path) -> None:
    done = subprocess.run(
        python.command("-m", "partner_desktop", "doctor", "--json", "--home", str(tmp_path / "home")),
        env=python.environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    findings = {line["name"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert findings["engine"]["state"] == "missing"
    assert findings["meaning"]["state"] == "note"
    detail = findings["meaning"]["detail"]
    assert detail.startswith("finding abilities by meaning: off; by words instead.")
    assert "llama-cpp-python is not installed" in detail


def test_a_message_is_answered_by_words(python: PythonWithoutEngine, tmp_path: Path) -> None:
    places = ("--home", str(tmp_path / "home"), "--action-dir", str(tmp_path / "action"))
    done = subprocess.run(
        python.command("-m", "partner_desktop", "chat", "--once", "what time is it?", *places),
        env=python.environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@needs_engine
async def test_an_engine_that_comes_later_is_used_without_a_restart(python: PythonWithoutEngine) -> None:
    session = subprocess.Popen(  # noqa: ASYNC220 - nothing else runs on this loop
        python.command("-c", _SESSION),
        env=python.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert session.stdin is not None
    assert session.stdout is not None
    with session:
        before = json.loads(await asyncio.to_thread(session.stdout.readline))
        python.add_engine()
        session.stdin.write("go on\n")
        session.stdin.flush()
        after = json.loads(await asyncio.to_thread(session.stdout.readline))
        session.stdin.close()
        session.wait(WAIT_S)
    missing = (
        "llama-cpp-python is not installed, so models cannot run here; "
        "it comes with: `pip install 'partner-desktop[engine]'`"
    )
    assert before == ["absent", False, missing, missing]
    assert after == ["ready", True, "", "(1, 384)"]


@needs_engine
def test_doctor_tries_the_model_and_says_what_it_is_for(tmp_path: Path) -> None:
    python = PythonWithoutEngine(tmp_path / "packages")
    python.add_engine()
    done = subprocess.run(
        python.command("-m", "partner_desktop", "doctor", "--json", "--home", str(tmp_path / "home")),
        env=python.environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    findings = {line["name"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert findings["meaning"]["state"] == "ok"
    assert "all-MiniLM-L6-v2, English" in findings["meaning"]["detail"]
    assert "Chinese and other CJK text is matched by characters and aliases" in findings["meaning"]["detail"]
    assert not (tmp_path / "home").exists()
