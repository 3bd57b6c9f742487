"""What a worker can reach: its model's file, and nothing of the person's."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.model.chatting import answer, asked, chat_model
from tests.model.engine import needs_engine
from tests.model.worker.talk import Talk
from tests.support import REPOSITORY, run_cli_arguments

pytestmark = [
    needs_engine,
    pytest.mark.integration,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells of its processes so"),
]

needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

_NOT_HELD = """
import asyncio
from pathlib import Path
from partner_desktop.base.clock import SystemClock
from partner_desktop.model.llama_embedder import LlamaEmbedder
async def main():
    embedder = LlamaEmbedder(clock=SystemClock())
    await embedder.embed(["hello"])
    print(Path(f"/proc/{embedder.pid}/environ").read_text().replace("\\0", "\\n"))
    print(Path(f"/proc/{embedder.pid}/status").read_text())
    await embedder.shutdown()
asyncio.run(main())
"""


def status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


@pytest.fixture
def secrets(user_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key in the person's home; another one in the environment."""
    key = user_home / ".ssh" / "id_rsa"
    key.parent.mkdir()
    key.write_text("a secret key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret word")
    return key


@needs_bubblewrap
async def test_a_model_sees_its_file_and_nothing_of_the_persons(tiny: Path, secrets: Path) -> None:
    model = secrets.parent.parent / "models" / "large-00001-of-00002.gguf"
    others = {"large-00002-of-00002.gguf": True, "large-00001-of-00003.gguf": False, "notes.gguf": False}
    model.parent.mkdir()
    for name in (model.name, *others):
        shutil.copy(tiny, model.parent / name)
    async with chat_model(model, context_tokens=512) as one:
        assert (await answer(one, asked(tokens=4)))[0]
        assert one.pid is not None
        proc = Path(f"/proc/{one.pid}")
        inside = proc / "root"

        def seen(path: Path) -> bool:
            return (inside / path.relative_to("/")).exists()

        assert "model.worker" in (proc / "cmdline").read_text(), "this is the worker, not what holds it"
        assert {name: seen(model.parent / name) for name in (model.name, *others)} == {
            model.name: True,
            **others,
        }
        assert not seen(secrets)
        assert not seen(REPOSITORY / "tests")
        assert not seen(Path("/run/user"))
        assert b"secret" not in (proc / "environ").read_bytes()
        mounts = [line.split() for line in (proc / "mountinfo").read_text().splitlines()]
        assert {fields[5].split(",")[0] for fields in mounts if fields[4].startswith(("/proc", "/usr"))} == {
            "ro"
        }
        assert int((proc / "oom_score_adj").read_text()) > 0, "it goes first when memory ends"
        said = status(one.pid)
        assert (int(said["CapEff"], 16), said["NoNewPrivs"], said["Seccomp"]) == (0, "1", "2")
        assert len(said["NSpid"].split()) == 2, "it sees no other process"
        assert [
            line.split(":")[0].strip() for line in (proc / "net" / "dev").read_text().splitlines()[2:]
        ] == ["lo"]


def without_bubblewrap(folder: Path) -> dict[str, str]:
    folder.mkdir()
    return {**os.environ, "PATH": str(folder), "PYTHONPATH": str(REPOSITORY)}


def test_without_bubblewrap_the_worker_gives_up_rights_by_itself(tmp_path: Path, secrets: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _NOT_HELD],
        env=without_bubblewrap(tmp_path / "tools"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "NoNewPrivs:\t1" in done.stdout, done.stderr
    assert "Seccomp:\t2" in done.stdout
    assert "secret" not in done.stdout


def test_a_worker_that_holds_itself_still_answers(talk: Talk, tiny: Path) -> None:
    talk.hear()
    talk.load(tiny)
    assert status(talk.process.pid)["Seccomp"] == "2"


@pytest.mark.parametrize(
    ("held", "state", "told"),
    [
        pytest.param(True, "ok", "sandboxed by bubblewrap", marks=needs_bubblewrap),
        (False, "note", "bubblewrap is missing"),
    ],
)
def test_doctor_says_whether_models_are_held(tmp_path: Path, *, held: bool, state: str, told: str) -> None:
    surroundings = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        run_cli_arguments("doctor", "--json", "--home", str(tmp_path / "home")),
        env=surroundings if held else without_bubblewrap(tmp_path / "tools"),
        capture_output=True,
        text=True,
        check=False,
    )
    findings = {line["name"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert findings["models held"]["state"] == state
    assert told in findings["models held"]["detail"]
