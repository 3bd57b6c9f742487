"""Which program runs a script, and what of it a sandbox must show."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
from pathlib import Path

import pytest

from partner_desktop.base.errors import DescriptorError
from partner_desktop.runner.launchers import (
    find_launcher,
    find_program,
    in_system,
    interpreter,
    launcher_fault,
    launcher_hash,
)
from tests.runner.test_elf import made


def script(folder: Path, name: str, text: str = "") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def program(folder: Path, name: str, text: str = "#!/bin/sh\n") -> Path:
    """An executable file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = script(folder, name, text)
    path.chmod(0o755)
    return path


def opened(program: str) -> list[Path]:
    """What a sandbox is told to show for it."""
    return [Path(mount.source) for mount in find_program(program).mounts]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is searched first."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


def test_python_scripts_run_with_the_real_interpreter_under_partner(tmp_path: Path) -> None:
    found = find_launcher(script(tmp_path, "a.py"))
    assert found == (interpreter(), "-s", "-B")
    assert not Path(found[0]).is_symlink()
    told = subprocess.run(
        [found[0], "-c", "import sys; print(sys.version)"], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == sys.version


def test_a_python_script_imports_what_lies_beside_it(tmp_path: Path) -> None:
    script(tmp_path, "beside.py", "WORD = 'found'")
    main = script(tmp_path, "run.py", "import beside; print(beside.WORD)")
    done = subprocess.run(
        [*find_launcher(main), str(main)], capture_output=True, text=True, check=True, cwd="/"
    )
    assert done.stdout == "found\n"
    assert not (tmp_path / "__pycache__").exists()


def test_the_extension_chooses_the_program_whatever_its_case(tmp_path: Path, programs: Path) -> None:
    for name, extension in (
        ("bash", ".sh"),
        ("node", ".mjs"),
        ("ruby", ".rb"),
        ("Rscript", ".R"),
        ("perl", ".PL"),
    ):
        expected = program(programs, name)
        assert find_launcher(script(tmp_path, f"run{extension}")) == (str(expected),)


def test_a_declared_launcher_goes_first_with_its_arguments(tmp_path: Path, programs: Path) -> None:
    expected = program(programs, "special")
    path = script(tmp_path, "a.py", "#!/bin/sh\n")
    assert find_launcher(path, declared=("special", "--fast")) == (str(expected), "--fast")


def test_a_declared_path_is_relative_to_the_scripts_folder(tmp_path: Path) -> None:
    expected = program(tmp_path / "tools", "go")
    assert find_launcher(script(tmp_path, "a.xyz"), declared=("./tools/go",)) == (str(expected),)


def test_a_declared_python_that_is_not_installed_is_partners_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = find_launcher(script(tmp_path, "a.py"), declared=("python",))
    assert found in {(interpreter(),), ("/usr/bin/python",), ("/usr/local/bin/python",)}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("#!/bin/sh -eu\n", ("/bin/sh", "-eu")),
        ("#! /bin/sh\r\n", ("/bin/sh",)),
        ("\ufeff#!/bin/sh\n", ("/bin/sh",)),
        ("#!/usr/bin/env -S A=1 special --fast\n", ("special", "--fast")),
        ("#!/nowhere/bin/special\n", ("special",)),
    ],
)
def test_without_an_extension_the_first_line_names_the_program(
    tmp_path: Path, programs: Path, line: str, words: tuple[str, ...]
) -> None:
    special = program(programs, "special")
    found = find_launcher(script(tmp_path, "tool", line + "body"))
    assert found == tuple(str(special) if word == "special" else word for word in words)


def test_a_version_managers_shim_is_only_the_last_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shim, real = program(tmp_path / "shims", "ruby"), program(tmp_path / "real", "ruby")
    monkeypatch.setenv("PATH", f"{shim.parent}{os.pathsep}{real.parent}")
    assert find_launcher(script(tmp_path, "a.rb")) == (str(real),)
    real.unlink()
    if not any(
        Path(folder, "ruby").exists() for folder in ("/usr/local/bin", "/usr/bin", "/opt/homebrew/bin")
    ):
        assert find_launcher(script(tmp_path, "a.rb")) == (str(shim),)


def test_a_relative_entry_of_path_is_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "special")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".{os.pathsep}")
    with pytest.raises(DescriptorError):
        find_launcher(script(tmp_path, "a.xyz"), declared=("special",))


def test_an_unknown_extension_says_how_to_name_a_launcher(tmp_path: Path) -> None:
    with pytest.raises(
        DescriptorError, match=r'no launcher is known for "\.xyz" files; .*`launcher`.*`#!` line'
    ):
        find_launcher(script(tmp_path, "a.xyz", "hello"))
    with pytest.raises(DescriptorError, match="a file without an extension"):
        find_launcher(script(tmp_path, "tool", "hello"))


def test_a_program_that_is_not_installed_is_named(tmp_path: Path) -> None:
    path = script(tmp_path, "a.py")
    with pytest.raises(DescriptorError, match="the launcher `no-such-program` is not installed"):
        find_launcher(path, declared=("no-such-program",))
    script(tmp_path, "not-executable")
    with pytest.raises(DescriptorError, match="is not installed"):
        find_launcher(path, declared=("./not-executable",))


def test_a_script_that_cannot_be_read_is_an_error_of_its_description(tmp_path: Path) -> None:
    with pytest.raises(DescriptorError, match="cannot be read"):
        find_launcher(tmp_path / "missing")


def test_a_system_program_needs_no_mounts() -> None:
    assert opened("/bin/sh") == []
    assert in_system("/usr/bin/env")
    assert not in_system("/usrlocal/bin/env")


def test_an_interpreter_outside_the_system_is_mounted_with_its_libraries_only(tmp_path: Path) -> None:
    python = program(tmp_path / "opt" / "python" / "bin", "python3.11")
    for name in ("lib", "include", "share", "secrets"):
        (tmp_path / "opt" / "python" / name).mkdir()
    link = tmp_path / "python3"
    link.symlink_to(python)
    mounts = find_program(str(link))
    assert mounts.path == str(python)
    assert {path.name for path in opened(str(link))} == {"bin", "lib", "share"}


def test_another_program_outside_the_system_is_mounted_alone(tmp_path: Path) -> None:
    tool = program(tmp_path / "project" / "bin", "tool")
    (tmp_path / "project" / "lib").mkdir()
    assert opened(str(tool)) == [tool]


def test_a_foreign_program_is_known_by_its_bytes_whatever_its_times_say(tmp_path: Path) -> None:
    tool = program(tmp_path / "tools", "tool", "#!/bin/sh\n" + "#" * 4096)
    with tool.open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[10] = ord("a")  # from here on the page is written to without a new time of change
        first, times = launcher_hash(str(tool)), tool.stat()
        mapped[10] = ord("b")
        assert (tool.stat().st_mtime_ns, tool.stat().st_ctime_ns) == (times.st_mtime_ns, times.st_ctime_ns)
        assert launcher_hash(str(tool)) != first
    assert launcher_hash("/bin/sh") == launcher_hash(interpreter()) == ""


def test_a_program_that_others_may_change_is_no_launcher(tmp_path: Path) -> None:
    tool = program(tmp_path / "tools", "tool")
    assert launcher_fault(str(tool), live=tmp_path / "action") == ""
    tool.chmod(0o777)
    assert "others may change" in launcher_fault(str(tool), live=tmp_path / "action")
    tool.chmod(0o755)
    tool.parent.chmod(0o777)
    assert "others may change" in launcher_fault(str(tool), live=tmp_path / "action")
    tool.parent.chmod(0o755)
    if os.getuid() == 0:
        os.chown(tool, 12345, 12345)
        assert "others may change" in launcher_fault(str(tool), live=tmp_path / "action")


def test_what_is_no_library_is_not_opened_for_a_program(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "id_rsa").write_text("SECRET")
    os.mkfifo(tmp_path / "keys" / "pipe")
    (tmp_path / "keys" / "libreal.so").write_bytes(made([], ""))
    tool = program(tmp_path / "tools", "tool")
    tool.write_bytes(made(["id_rsa", "pipe", "libreal.so", "../keys/id_rsa"], str(tmp_path / "keys")))
    assert opened(str(tool)) == [tool, tmp_path / "keys" / "libreal.so"]


def test_a_home_folder_is_never_mounted_as_a_prefix(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for number, prefix in enumerate((tmp_path / "ann", tmp_path / "ann" / ".local", tmp_path)):
        node = program(prefix / "bin", f"node{number}")
        (prefix / "lib").mkdir()
        monkeypatch.setenv("HOME", str(tmp_path / "ann"))
        assert opened(str(node)) == [node]


def test_a_virtual_environment_is_mounted_with_what_it_was_made_from(tmp_path: Path) -> None:
    base = program(tmp_path / "base" / "bin", "python3.11")
    (tmp_path / "base" / "lib").mkdir()
    environment = tmp_path / "env"
    (environment / "bin").mkdir(parents=True)
    (environment / "lib").mkdir()
    (environment / "bin" / "python").symlink_to(base)
    (environment / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    mounts = find_program(str(environment / "bin" / "python"))
    assert mounts.path == str(environment / "bin" / "python")
    expected = {base.parent, base.parent.parent / "lib", environment / "bin", environment / "lib"}
    assert set(opened(mounts.path)) == expected | {environment / "pyvenv.cfg"}


def test_a_virtual_environment_that_names_a_folder_without_python_opens_nothing_of_it(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    (folder / "private" / "lib").mkdir(parents=True)
    tool = program(folder / "env" / "bin", "python")
    script(folder / "env", "pyvenv.cfg", f"home = {folder / 'private' / 'bin'}\n")
    assert not any((folder / "private") in path.parents for path in opened(str(tool)))
