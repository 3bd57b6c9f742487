"""The gate's linters run with the suite, so that CI needs only the suite."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_format_lint_types_and_import_contracts_hold() -> None:
    gate = subprocess.run(
        [sys.executable, str(REPOSITORY / "packaging" / "check"), "--lint"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert gate.returncode == 0, gate.stdout + gate.stderr
