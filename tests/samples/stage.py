"""Runs the shipped samples: as the app does, sandboxed where it can, or straight to see what they refuse."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from partner_desktop.abilities.folders import LiveFolders
from partner_desktop.action.plans.facts import validation_problem
from partner_desktop.action.plans.path_arguments import resolve_paths
from partner_desktop.base.ids import new_id
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.runner.call import RunScope
from partner_desktop.runner.script_route import ScriptRoute
from tests.support import REPOSITORY, WAIT_S

SAMPLES = REPOSITORY / "action" / "dynamic"
NAMES = (
    "count_words", "daily_note", "disk_usage", "find_duplicates", "recent_files", "rename_files",
    "resize_images", "search_text", "tidy_folder", "zip_folder",
)  # fmt: skip


def read_samples(snapshots: Path) -> dict[str, MetaActionInfo]:
    """Name → description of every shipped sample, runnable from a snapshot."""
    listed = LiveFolders(SAMPLES.parent, snapshots=snapshots).scan(now_s=0)
    infos = {ability.info.name: ability.info for ability in listed if ability.info is not None}
    return {name: infos[name] for name in NAMES}


class SampleRunner:
    """The app's route for scripts, with the samples."""

    def __init__(self, samples: Mapping[str, MetaActionInfo], scripts: ScriptRoute, runs: Path) -> None:
        self._samples = samples
        self._scripts = scripts
        self._runs = runs

    @property
    def sandboxed(self) -> bool:
        return self._scripts.sandbox.available

    async def response(self, name: str, **params: Json) -> RunnerResponse:
        """One run, its paths resolved and its arguments checked like before an approval."""
        info = self._samples[name]
        found = await asyncio.to_thread(resolve_paths, info, params, cwd="")
        assert not found.problems
        assert await asyncio.to_thread(validation_problem, info, found.params) == ("", "")
        action_id = new_id()
        scope = RunScope(action_id, "", self._runs / action_id, paths=found.uses)
        response = await self._scripts.run(MetaAction(action_id, info, found.params), scope=scope)
        assert response.sandboxed == self.sandboxed
        return response

    async def result(self, name: str, **params: Json) -> dict[str, Any]:
        """The result of a run that succeeded: an object that begins with a summary."""
        response = await self.response(name, **params)
        assert (response.ok, response.error, response.truncated) == (True, "", False)
        assert isinstance(response.data, dict)
        assert next(iter(response.data)) == "summary"
        summary = response.data["summary"]
        assert isinstance(summary, str)
        assert summary.isprintable()
        json.dumps(response.data, ensure_ascii=False).encode()  # no half characters in it
        return dict(response.data)

    async def refused(self, name: str, **params: Json) -> str:
        """The sentence of a run that failed."""
        response = await self.response(name, **params)
        assert (response.ok, response.exit_code, response.stdout) == (False, 1, "")
        return one_sentence(response.stderr)


def straight(name: str, *arguments: str, env: Mapping[str, str] | None = None, stdin: bytes = b"") -> str:
    """The sentence of a run without the app that failed."""
    script = script_of(name)
    outcome = subprocess.run(
        ["/bin/bash" if script.suffix == ".sh" else sys.executable, script, *arguments],
        input=stdin,
        capture_output=True,
        timeout=WAIT_S * 2,
        check=False,
        env={"PATH": os.defpath, "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1", **(env or {})},
    )
    assert (outcome.returncode, outcome.stdout) == (1, b"")
    return one_sentence(outcome.stderr.decode())


def script_of(name: str) -> Path:
    """The file that is run."""
    found = [*SAMPLES.glob(f"{name}.*"), *SAMPLES.glob(f"{name}/run.*")]
    assert len(found) == 1
    return found[0]


def one_sentence(text: str) -> str:
    """What was said, if it is one sentence in one line: no traceback."""
    text = text.rstrip("\n")
    assert text.endswith(".")
    assert "\n" not in text
    assert "Errno" not in text
    return text


def listing(folder: Path) -> list[str]:
    """The names in a folder, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())


def tree(folder: Path) -> dict[str, bytes]:
    """Everything below a folder but hidden files: relative path → contents (of a link, where it leads)."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.name.startswith("."):
            continue
        if path.is_symlink():
            found[name] = b"-> " + os.fsencode(path.readlink())
        elif path.is_file():
            found[name] = path.read_bytes()
    return found
