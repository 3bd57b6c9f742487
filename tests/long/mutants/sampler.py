"""Puts sampled faults into a copy of the tree, one by one, and asks the tests that run the function."""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.long.mutants.mutation import Mutant, mutants_of
from tests.support import REPOSITORY

PACKAGES = ("permission", "action", "runner", "runtime", "storage", "memory", "planning")
#: What is copied: nothing of the tests' own data that is measured and never read.
_COPIED = ("partner_desktop", "tests", "resources", "action", "packaging", "pyproject.toml", "README.md")
#: Tests that one mutant is shown to, and how long they take of the processor, undisturbed.
_MOST_TESTS, _MOST_S = 40, 20.0
#: After which it is one that never ends, which is seen, too.
_PATIENCE_S = 900.0


class Sampler:
    """Mutants of some packages in an order that the seed gives."""

    def __init__(self, folder: Path, packages: tuple[str, ...], *, seed: int) -> None:
        self._copy, self._map = folder / "tree", folder / "touched"
        self._map.mkdir(parents=True, exist_ok=True)
        self._make_copy()
        self._tests: dict[str, list[str]] = defaultdict(list)
        self._seconds: dict[str, float] = {}
        mutants = [each for name in packages for each in self._mutants(name)]
        random.Random(seed).shuffle(mutants)
        self.mutants = mutants

    def _make_copy(self) -> None:
        shutil.rmtree(self._copy, ignore_errors=True)
        self._copy.mkdir()
        for name in _COPIED:
            source, target = REPOSITORY / name, self._copy / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "kept_aside"))
            else:
                shutil.copy2(source, target)

    def _mutants(self, package: str) -> list[Mutant]:
        files = sorted((self._copy / "partner_desktop" / package).rglob("*.py"))
        return [
            mutant
            for path in files
            if path.name != "__init__.py"
            for mutant in mutants_of(path.relative_to(self._copy).as_posix(), path.read_bytes())
        ]

    def learn(self, tests: list[str]) -> None:
        """See which tests run which functions, a folder or file of tests at a time; what is known is kept."""
        for name in tests:
            known = self._map / f"{name.replace('/', '-')}.json"
            if not known.exists():
                more = {"TOUCHED_FILE": str(known), "TOUCHED_ROOT": str(self._copy)}
                self._pytest(["-p", "tests.long.mutants.touched", "-m", "not slow and not long", name], more)
            self.take_map(json.loads(known.read_text()))

    def take_map(self, told: dict[str, dict[str, list[str]]]) -> None:
        """Add what a run with `touched` has seen."""
        for function, tests in told["functions"].items():
            self._tests[function] += tests
        self._seconds |= told["seconds"]  # type: ignore[arg-type]  # the other half of the file

    def asked(self, mutant: Mutant) -> list[str]:
        """The tests that run the faulty function, the quickest first."""
        places = [f"{mutant.file}:{mutant.function}"]
        if not mutant.function:
            places = [place for place in self._tests if place.startswith(f"{mutant.file}:")]
        tests = sorted(
            {test for place in places for test in self._tests.get(place, ())},
            key=lambda test: self._seconds.get(test, 9),
        )
        spent_s, chosen = 0.0, []
        for test in tests[:_MOST_TESTS]:
            spent_s += self._seconds.get(test, 9)
            if chosen and spent_s > _MOST_S:
                break
            chosen.append(test)
        return chosen

    def outcome(self, mutant: Mutant) -> str:
        """`killed`, `survived`, `no test`, `no program` or `red before`."""
        tests = self.asked(mutant)
        if not tests:
            return "no test"
        path = self._copy / mutant.file
        source = path.read_bytes()
        faulty = mutant.applied(source)
        try:
            ast.parse(faulty)
        except SyntaxError:
            return "no program"
        path.write_bytes(faulty)
        try:
            failed = self._failed(tests)
        finally:
            path.write_bytes(source)
        if not failed:
            return "survived"
        return "killed" if failed == ["it did not end"] or not self._failed(failed[:1]) else "red before"

    def _failed(self, tests: list[str]) -> list[str]:
        """The first test that fails; empty where none does."""
        try:
            done = self._pytest(["-x", "--no-header", "-rf", "--tb=no", *tests], {})
        except subprocess.TimeoutExpired:
            return ["it did not end"]
        if done.returncode == 0:
            return []
        named = [
            line.split(" ")[1] for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))
        ]
        return [name for name in named if name in tests][:1] or tests[:1]

    def _pytest(self, arguments: list[str], more: dict[str, str]) -> subprocess.CompletedProcess[str]:
        environment = os.environ | more
        environment |= {
            "PYTHONPATH": str(self._copy),
            "PYTHONPYCACHEPREFIX": str(self._copy.parent / "compiled"),
            "QT_QPA_PLATFORM": "offscreen",
        }
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
            cwd=self._copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
        )
