"""PySide's import hook is out again before the window is imported: it would read and keep every source."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.support import REPOSITORY

_PROBE = """
import json, linecache

from partner_desktop.desktop.launch import import_qt

import_qt()
import partner_desktop.desktop.window

print(json.dumps(sorted(linecache.cache)))
"""


@pytest.mark.integration
def test_importing_the_window_reads_no_source() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROBE], capture_output=True, text=True, check=True, cwd=REPOSITORY, timeout=60
    )
    assert [name for name in json.loads(done.stdout) if "partner_desktop" in name] == []
