"""The README's example of planning without Partner runs, and prints what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_example_of_the_readme_prints_what_it_says() -> None:
    (example,) = re.findall(
        r"```python\n(from partner_desktop\.planning .*?)```", README.read_text("utf-8"), re.DOTALL
    )
    promised = re.findall(r"^#: (.*)$", example, re.MULTILINE)
    printed = subprocess.run(
        [sys.executable, "-c", example], check=True, capture_output=True, text=True
    ).stdout
    assert printed.splitlines() == promised
    assert len(promised) == 7
