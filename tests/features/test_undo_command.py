"""The real program: what a run did is taken back from a terminal, and what it made is kept."""

from __future__ import annotations

import pytest

from .test_command_line import Cli, cli

pytestmark = pytest.mark.integration

__all__ = ["cli"]

MAKER = '"""Make a picture of the tide."""\nopen("tide.svg", "w").write("<svg/>")\n'


def test_a_run_is_undone_and_its_files_are_kept_from_a_terminal(cli: Cli) -> None:
    file = cli.cwd / "a.txt"
    write = ("actions", "run", "builtin::files::write", f"file={file}", "text=hello", "--approve", "all")
    assert cli.run(*write).returncode == 0
    assert file.read_text() == "hello"
    undone = cli.run("actions", "undo", "last")
    assert undone.stdout == "Taken back: 1 file is as before Make a text file ran.\n"
    assert not file.exists()
    again = cli.run("actions", "undo", "last")
    assert (again.returncode, again.stdout) == (2, "")
    assert "Nothing was done to files here that can be undone." in again.stderr

    (cli.action_dir / "dynamic" / "maker.py").write_text(MAKER)
    cli.host()
    assert cli.run("actions", "run", "local::maker", "--approve", "all").returncode == 0
    kept = cli.run("actions", "keep", "last", ".")
    assert kept.stdout.startswith("Copied 1 file to ")
    assert (cli.cwd / "tide.svg").read_text() == "<svg/>"
    code, (told,) = cli.events("actions", "keep", "last", ".")
    assert (code, told["result"].startswith("Copied 1 file to ")) == (0, True)
    assert (cli.cwd / "tide(1).svg").exists()
    doctor = cli.run("doctor").stdout
    assert "0.0 MB to undo what they changed" in doctor
