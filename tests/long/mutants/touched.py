"""A plugin of pytest that writes down which test runs which functions of the product, and for how long.

`python -m pytest -p tests.long.mutants.touched …` with `TOUCHED_FILE` and `TOUCHED_ROOT` in the environment.
It sees calls alone, in this process alone: cheaper than lines, and enough to know whom to ask.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

_ROOT = str(Path(os.environ.get("TOUCHED_ROOT", Path.cwd())) / "partner_desktop")
_called: set[CodeType] = set()
_tests: dict[str, set[str]] = defaultdict(set)
_seconds: dict[str, float] = {}


def _look(frame: FrameType, event: str, _argument: Any) -> None:  # Any: as `sys.setprofile` has it
    if event == "call":
        _called.add(frame.f_code)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, None, None]:
    """Look at one test, with its fixtures."""
    _called.clear()
    begun_s = time.process_time()
    threading.setprofile(_look)
    sys.setprofile(_look)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    _seconds[item.nodeid] = round(time.process_time() - begun_s, 3)
    for code in _called.copy():  # threads of the test before may go on
        if code.co_filename.startswith(_ROOT):
            name = Path(code.co_filename).relative_to(Path(_ROOT).parent).as_posix()
            _tests[f"{name}:{code.co_firstlineno}"].add(item.nodeid)


def pytest_sessionfinish() -> None:
    """Keep it."""
    told = {"functions": {name: sorted(tests) for name, tests in sorted(_tests.items())}, "seconds": _seconds}
    Path(os.environ["TOUCHED_FILE"]).write_text(json.dumps(told))
