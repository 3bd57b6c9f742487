"""Servers of others, as they are installed: from the Python registry with the tests, from npm once a session.

`npm_servers` installs into pytest's own cache folder, and skips where Node or the registry cannot be reached.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from partner_desktop.runner.mcp.port import ResolvedServer
from tests.runner.mcp.support import START_S

EVERYTHING = "@modelcontextprotocol/server-everything"
FILESYSTEM = "@modelcontextprotocol/server-filesystem"
_INSTALL_TIMEOUT_S = 180.0


def python_server(module: str, *arguments: str) -> ResolvedServer:
    """A server from the Python registry; the test is skipped where it is not installed."""
    pytest.importorskip(module, reason=f"{module} is in the `test` extra")
    return _server(module, Path(sys.executable), "-m", module, *arguments)


def npm_server(prefix: Path, package: str, *arguments: str) -> ResolvedServer:
    """A server from npm, installed under `prefix`."""
    node = shutil.which("node")
    assert node is not None, "`npm_servers` has looked"
    script = prefix / "node_modules" / package / "dist" / "index.js"
    return _server(package.rpartition("/")[2], Path(node), os.fspath(script), *arguments)


def installed_from_npm(cache: Path, *packages: str) -> Path:
    """The prefix that holds the packages; installed once, whoever asks first."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("Node is not installed")
    cache.mkdir(parents=True, exist_ok=True)
    with FileLock(cache / "lock"):
        if not all((cache / "node_modules" / package / "dist").is_dir() for package in packages):
            command = [
                npm,
                "install",
                "--silent",
                "--no-audit",
                "--no-fund",
                "--prefix",
                os.fspath(cache),
                *packages,
            ]
            try:
                done = subprocess.run(command, timeout=_INSTALL_TIMEOUT_S, capture_output=True, check=False)
            except subprocess.TimeoutExpired:
                pytest.skip("the npm registry does not answer")
            if done.returncode != 0:
                pytest.skip(f"npm could not install: {done.stderr.decode(errors='replace')[-200:]}")
    return cache


def _server(name: str, program: Path, *arguments: str) -> ResolvedServer:
    return ResolvedServer(
        id=name,
        transport="stdio",
        shown=name,
        program=program,
        args=arguments,
        env={"PATH": os.environ.get("PATH", os.defpath)},
        timeout_s=60.0,
        start_timeout_s=START_S,
    )
