"""The MCP inspector's command line uses our MCP server: `python -m tests.long.inspector`.

It takes 147 MB and half a minute from the npm registry, so it is no part of the suite; the suite's
independent client is the TypeScript SDK (`tests/features/test_mcp_server_command.py`).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support import REPOSITORY, UPPER_SCRIPT

INSPECTOR = "@modelcontextprotocol/inspector@0.15.0"
ASKED = (
    ("tools/list",),
    ("tools/call", "--tool-name", "upper", "--tool-arg", "text=hello"),
    ("resources/list",),
)


def main() -> int:
    """Install it for this once, and print what it is answered."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        npm = shutil.which("npm") or "npm"
        subprocess.run([npm, "install", "--prefix", place, "--no-audit", "--no-fund", INSPECTOR], check=True)
        config = folder / "config.json"
        config.write_text(json.dumps(configuration(folder)), encoding="utf-8")
        program = folder / "node_modules" / ".bin" / "mcp-inspector"
        codes = [
            subprocess.run(
                [program, "--cli", "--config", config, "--server", "partner", "--method", *asked], check=False
            ).returncode
            for asked in ASKED
        ]
    return max(codes)


def configuration(folder: Path) -> dict[str, object]:
    """A home of its own with one script in it."""
    dynamic = folder / "action" / "dynamic"
    dynamic.mkdir(parents=True)
    (dynamic / "upper.py").write_text(UPPER_SCRIPT, encoding="utf-8")
    where = ["--home", str(folder / "home"), "--action-dir", str(folder / "action")]
    arguments = ["-m", "partner_desktop", "mcp-server", *where]
    environment = {"PYTHONPATH": str(REPOSITORY), "HOME": os.path.expanduser("~")}  # noqa: PTH111 - as it is
    return {"mcpServers": {"partner": {"command": sys.executable, "args": arguments, "env": environment}}}


if __name__ == "__main__":
    sys.exit(main())
