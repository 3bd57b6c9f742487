"""`python -m tests.long.mcp_conformance [--suite stable|newest] [--scenario NAME] [--packages FOLDER]`

Runs the official conformance suite for clients (npm, pinned) against a whole Partner, scenario by scenario,
and prints one JSON object at the end: what passed, what did not, and why what is left out does not apply.
Each is run by the newest protocol that it is for. It takes 250 MB from the npm registry once, and some ten
seconds a scenario.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support import REPOSITORY

#: The stable one, and the one that knows the protocol of 2026.
SUITES = {"stable": "0.1.16", "newest": "0.2.0-alpha.12"}
PACKAGE = "@modelcontextprotocol/conformance"
#: The suite needs a newer one than many systems have.
NODE = "node@22.23.3"
_TIMEOUT_MS = 120_000

#: What does not apply to Partner, by the beginning of its name, and why not.
LEFT_OUT = {
    "auth/client-credentials": "a machine signs in for itself, with no person; Partner always acts for one",
    "auth/cross-app-access": "a company's own identity provider vouches for the person (an extension)",
    "auth/enterprise-managed": "a company's own identity provider vouches for the person (an extension)",
    "auth/wif-jwt-bearer": "a workload's identity, with no person (an extension)",
    "auth/dpop": "tokens bound to a key: an extension that the SDK does not know",
    "sep-2640": "skills of servers: an extension that Partner does not offer",
}


def main() -> int:
    """1 if a scenario that applies did not pass."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.mcp_conformance")
    parser.add_argument("--suite", choices=SUITES, action="append")
    parser.add_argument("--scenario", action="append", default=[], help="only those whose name holds this")
    parser.add_argument("--packages", type=Path, help="where the packages are kept for the next time")
    options = parser.parse_args()
    report: dict[str, object] = {}
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        folder = options.packages or Path(place)
        node = _install(folder / "node", NODE) / "node" / "bin" / "node"
        for suite in options.suite or SUITES:
            program = _install(folder / suite, f"{PACKAGE}@{SUITES[suite]}") / PACKAGE / "dist" / "index.js"
            passed, wrong, left = _run(node, program, options.scenario, newest=suite == "newest")
            report[f"{suite} {SUITES[suite]}"] = {"passed": passed, "failed": wrong, "left out": left}
            failed += len(wrong)
    print(json.dumps(report, indent=1))
    return 1 if failed else 0


def _install(folder: Path, package: str) -> Path:
    modules = folder / "node_modules"
    if not modules.exists():
        npm = shutil.which("npm") or "npm"
        quiet = ("--no-audit", "--no-fund", "--loglevel=error")
        subprocess.run([npm, "install", "--prefix", os.fspath(folder), *quiet, package], check=True)
    return modules


def _run(
    node: Path, program: Path, wanted: list[str], *, newest: bool
) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Scenario → how many checks passed; → what went wrong; → why it does not apply."""
    listed = subprocess.run([node, program, "list", "--client"], capture_output=True, text=True, check=True)
    found = re.findall(r"- (\S+) \[([^\]]*)\]", listed.stdout)
    passed: dict[str, str] = {}
    wrong: dict[str, str] = {}
    left: dict[str, str] = {}
    for name, versions in found:
        if wanted and not any(part in name for part in wanted):
            continue
        reason = next((why for begin, why in LEFT_OUT.items() if name.startswith(begin)), "")
        if reason:
            left[name] = reason
            continue
        dates = [each for each in versions.split(",") if each.startswith("20")]
        version = dates[-1] if newest and dates else ""
        shown = f"{name} {version}".strip()
        checks, told = _scenario(node, program, name, version)
        print(f"{shown}: {checks} {told}", file=sys.stderr, flush=True)
        (wrong if told else passed)[shown] = told or checks
    return passed, wrong, left


def _scenario(node: Path, program: Path, name: str, version: str) -> tuple[str, str]:
    """How many checks passed, and what went wrong: empty where nothing did."""
    client = f"{sys.executable} -m tests.long.mcp_conformance.client"
    spoken = ("--spec-version", version) if version else ()
    with tempfile.TemporaryDirectory() as place:
        command = [node, program, "client", "--command", client, "--scenario", name, *spoken]
        command += ["--timeout", str(_TIMEOUT_MS), "-o", place]
        ran = subprocess.run(
            command,
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONPATH": os.fspath(REPOSITORY)},
            capture_output=True,
            text=True,
            check=False,
        )
        checks = [each for path in Path(place).rglob("checks.json") for each in json.loads(path.read_text())]
    judged = [each for each in checks if each["status"] in ("SUCCESS", "FAILURE", "WARNING")]
    bad = [each for each in judged if each["status"] == "FAILURE"]
    count = f"{len(judged) - len(bad)}/{len(judged)}"
    if bad:
        return count, "; ".join(f"{each['id']}: {each.get('errorMessage') or ''}" for each in bad)[:2000]
    if not judged or ran.returncode:
        return count, f"exit code {ran.returncode}: {(ran.stdout + ran.stderr)[-1500:]}"
    return count, ""


if __name__ == "__main__":
    sys.exit(main())
