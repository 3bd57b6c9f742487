"""The sandbox, from inside: what a script can see and do, with a real bwrap."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from partner_desktop.base.errors import AskHumanError, DescriptorError
from partner_desktop.base.syscall_filter import filter_program
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.run_facts import PathKind, PathUse
from partner_desktop.runner import guard, sandbox_probe
from partner_desktop.runner.launchers import find_launcher, in_system, interpreter
from partner_desktop.runner.mounts import HeldMounts, seen_of
from partner_desktop.runner.process_launch import LaunchSpec, ProcessOutcome
from partner_desktop.runner.sandbox import (
    Bubblewrap,
    Inherited,
    Limits,
    SandboxSpec,
    bwrap_command,
    make_missing,
)
from partner_desktop.runner.sandbox_probe import SandboxProbe, probe_sandbox
from partner_desktop.runner.script_process import run_process
from tests.support import REPOSITORY, WAIT_S, ready_in_time

# Real processes, a second here and half a second there: the whole gate's business.
pytestmark = pytest.mark.integration

MIB = 1024 * 1024

_PROBE = asyncio.run(probe_sandbox())
needs_sandbox = pytest.mark.skipif(not _PROBE.available, reason=_PROBE.reason)


class Ability:
    """One script with its workspace, run in the sandbox."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.script = self.folder / "abilities" / "script.py"
        self.workspace = self.folder / "runs" / "one" / "workspace"
        self.script.parent.mkdir()
        self.workspace.mkdir(parents=True)
        assert _PROBE.sandbox is not None
        self.box = SandboxSpec(sandbox=_PROBE.sandbox, script=self.script, workspace=self.workspace)

    def allow(
        self, read_paths: tuple[Path, ...] = (), write_paths: tuple[Path, ...] = (), **changes: object
    ) -> None:
        """Approve these paths, as they are now, and change the rest of the sandbox."""
        if read_paths or write_paths:
            uses = [(path, "read") for path in read_paths] + [(path, "write") for path in write_paths]
            changes["paths"] = tuple(
                PathUse("", str(path), access, seen=seen_of(str(path))) for path, access in uses
            )
        self.box = replace(self.box, **changes)  # type: ignore[arg-type] # forwarded

    def spec(self, *arguments: str | Path, timeout_s: float = 20.0) -> LaunchSpec:
        return LaunchSpec(
            argv=(*find_launcher(self.script), str(self.script), *map(str, arguments)),
            spill_dir=self.folder / "runs" / "one",
            sandbox=self.box,
            timeout_s=timeout_s,
        )

    async def run(self, code: str, *arguments: str | Path, timeout_s: float = 20.0) -> ProcessOutcome:
        self.script.write_text(code)
        return await run_process(self.spec(*arguments, timeout_s=timeout_s))

    async def seen(self, expression: str, *arguments: str | Path) -> Json:
        """The value of a Python expression inside."""
        code = f"import json, os, socket, sys\nfrom pathlib import Path\nprint(json.dumps({expression}))"
        outcome = await self.run(code, *arguments)
        assert outcome.exit_code == 0, outcome
        value: Json = json.loads(outcome.stdout)
        return value

    async def attempt(self, statement: str, *arguments: str | Path) -> str:
        """The name of the error with which a statement fails inside; `done` if it does not."""
        code = "import os, socket, sys\nfrom pathlib import Path\n"
        code += f"try:\n    {statement}\n    print('done')\n"
        code += "except OSError as error:\n    print(type(error).__name__, error.errno)"
        outcome = await self.run(code, *arguments)
        assert outcome.exit_code == 0, outcome
        return outcome.stdout.split()[0]


def names(folder: Path | str) -> list[str]:
    """What lies in a folder here, outside the sandbox."""
    return sorted(path.name for path in Path(folder).iterdir()) if Path(folder).is_dir() else []


def resolved(path: Path) -> Path:
    return path.resolve()


def in_tmp(place: Path | str) -> bool:
    return str(place).startswith("/tmp/")


def is_link(place: str) -> bool:
    return os.path.realpath(place) != place


@pytest.fixture
def ability(tmp_path: Path) -> Ability:
    if not _PROBE.available:
        pytest.skip(_PROBE.reason)
    return Ability(tmp_path)


@pytest.fixture
def user_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with something private in it."""
    home = tmp_path.resolve() / "ann"
    (home / "Documents").mkdir(parents=True)
    (home / "Documents" / "diary.txt").write_text("private")
    (home / "Documents" / "list.txt").write_text("bread")
    monkeypatch.setenv("HOME", str(home))
    return home


async def until(happened: Callable[[], bool]) -> None:
    """Wait for something outside the loop, bounded."""
    async with asyncio.timeout(WAIT_S):
        while not happened():  # noqa: ASYNC110 - what another process does sets no event here
            await asyncio.sleep(0.01)


@pytest.fixture
def begun() -> Callable[[], list[int]]:
    """The processes below this one that the test has begun."""
    known = {pid for pid, _ in guard.descendants(os.getpid())}
    return lambda: [pid for pid, _ in guard.descendants(os.getpid()) if pid not in known]


def alive(pid: int) -> bool:
    """Whether the process runs; one that waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.promise("actions.sandbox")
async def test_the_home_folder_is_hidden(ability: Ability, user_home: Path) -> None:
    diary = user_home / "Documents" / "diary.txt"
    assert await ability.attempt("open(sys.argv[1])", diary) == "FileNotFoundError"
    assert await ability.seen("Path(sys.argv[1]).exists()", user_home) is False
    assert await ability.seen("[os.environ['HOME'], str(Path.home()), os.listdir(Path.home())]") == [
        "/sandbox",
        "/sandbox",
        [],
    ]


@pytest.mark.promise("actions.sandbox")
@pytest.mark.skipif(in_system(interpreter()), reason="this interpreter lies in the system folders")
async def test_an_interpreter_outside_the_system_folders_works_and_shows_only_itself(
    ability: Ability,
) -> None:
    seen = await ability.seen("[sys.executable, sys.version, len(__import__('sqlite3').sqlite_version) > 0]")
    assert seen == [interpreter(), sys.version, True]
    prefix = Path(interpreter()).parent.parent
    shown = await ability.seen("sorted(os.listdir(sys.argv[1]))", prefix.parent)
    assert shown == [prefix.name]
    assert await ability.attempt("open(sys.executable, 'ab')") == "OSError"


@pytest.mark.promise("actions.sandbox")
async def test_the_network_cannot_be_reached(ability: Ability) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"socket.create_connection(('127.0.0.1', {port}), 2)"
        assert await ability.attempt(code) == "ConnectionRefusedError"
        assert await ability.attempt("socket.create_connection(('192.0.2.1', 80), 2)") == "OSError"
        assert await ability.seen("[name for _, name in socket.if_nameindex()]") == ["lo"]
        ability.allow(net=True)
        assert await ability.attempt(code) == "done"


async def test_an_abstract_socket_of_another_program_cannot_be_reached(ability: Ability) -> None:
    name = f"\0partner-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        code = f"socket.socket(socket.AF_UNIX).connect({name!r})"
        assert await ability.attempt(code) == "PermissionError"
        ability.allow(sockets=True)
        assert await ability.attempt(code) == "ConnectionRefusedError"


async def test_with_the_network_abstract_sockets_stay_closed(ability: Ability) -> None:
    ability.allow(net=True)
    name = f"\0partner-test-net-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        assert await ability.attempt(f"socket.socket(socket.AF_UNIX).connect({name!r})") == "PermissionError"
    assert await ability.attempt("a, b = socket.socketpair(); a.send(b'x')") == "done"
    for kind in ("SOCK_DGRAM", "SOCK_RAW", "SOCK_DGRAM | socket.SOCK_CLOEXEC"):
        pair = f"socket.socketpair(socket.AF_UNIX, socket.{kind})"
        assert await ability.attempt(pair) == "PermissionError", "each end could send to any place"
    own = "s = socket.socket(socket.AF_UNIX); s.bind('\\0mine'); s.listen(); "
    own += "socket.socket(socket.AF_UNIX).connect('\\0mine')"
    assert await ability.attempt(own) == "PermissionError"
    ability.allow(sockets=True)
    assert await ability.attempt(own) == "done"


@needs_sandbox
async def test_what_the_filter_refuses_does_not_keep_ordinary_programs_from_working(ability: Ability) -> None:
    code = "import multiprocessing, os, socket, subprocess, tempfile, threading\n"
    code += "def double(n): return 2 * n\n"
    code += "with multiprocessing.Pool(2) as pool: print(pool.map(double, [1, 2]))\n"
    code += "a, b = socket.socketpair(); a.send(b'3'); print([int(b.recv(1))])\n"
    code += "thread = threading.Thread(target=lambda: print('thread')); thread.start(); thread.join()\n"
    code += (
        "print(subprocess.run(['sh', '-c', 'echo shell'], capture_output=True, text=True).stdout.strip())\n"
    )
    code += "with tempfile.NamedTemporaryFile() as file: os.chmod(file.name, 0o755)\n"
    outcome = await ability.run(code)
    assert (outcome.stdout.split("\n"), outcome.exit_code) == (["[2, 4]", "[3]", "thread", "shell", ""], 0)


def test_the_filter_is_made_for_the_machines_whose_calls_are_known() -> None:
    for machine in ("x86_64", "aarch64"):
        program = filter_program(machine=machine)
        assert len(program) % 8 == 0
        assert 0 < len(program) < 4096 * 8  # as many instructions as the kernel takes
        assert len(filter_program(machine=machine, local_sockets=True)) < len(program)
    assert len(filter_program(machine="riscv64")) == 8  # one instruction: everything passes


def _unified() -> Path | None:
    """A cgroup of version 2 in which this process may make others, with or without limits."""
    own = sandbox_probe._own_cgroup(Path("/proc/self"))
    return own if own is not None and os.access(own, os.W_OK) else None


@pytest.mark.skipif(_unified() is None, reason="no cgroup may be made here")
async def test_a_run_lives_and_dies_in_a_cgroup_of_its_own(ability: Ability) -> None:
    folder = _unified()
    assert folder is not None
    assert isinstance(_PROBE.sandbox, Bubblewrap)
    ability.allow(sandbox=replace(_PROBE.sandbox, cgroup=str(folder)))
    ability.script.write_text(DAEMON + "time.sleep(60)")
    task = asyncio.get_running_loop().create_task(run_process(ability.spec()))
    await until((ability.workspace / "ready").exists)
    (made,) = folder.glob("partner-run-*")
    assert len((made / "cgroup.procs").read_text().split()) >= 4  # bwrap twice, script, daemon
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not made.exists()


def test_a_cgroup_is_used_only_where_it_can_limit_and_kill(tmp_path: Path) -> None:
    for name, text in (
        ("cgroup", "0::/session\n"),
        ("mountinfo", f"1 1 0:1 / {tmp_path} rw - cgroup2 c rw\n"),
    ):
        (tmp_path / name).write_text(text)
    (tmp_path / "session").mkdir()
    assert sandbox_probe.find_cgroup(tmp_path) == ""  # a folder like any other
    assert names(tmp_path / "session") == []
    assert sandbox_probe.find_cgroup(tmp_path / "nowhere") == ""


@pytest.mark.promise("actions.sandbox")
async def test_other_processes_are_invisible(ability: Ability) -> None:
    seen = await ability.seen(
        "[os.getpid(), os.getppid(), sorted(int(n) for n in os.listdir('/proc') if n.isdigit())]"
    )
    assert seen == [2, 1, [1, 2]]
    assert await ability.attempt("os.kill(int(sys.argv[1]), 0)", str(os.getpid())) == "ProcessLookupError"


@pytest.mark.promise("actions.sandbox")
async def test_nothing_can_be_written_outside_its_own_places(ability: Ability, user_home: Path) -> None:
    for place in ("/", "/usr", "/etc", "/dev", "/home", ability.script.parent, user_home):
        before = names(place)
        result = await ability.attempt("open(os.path.join(sys.argv[1], 'partner-test'), 'w')", place)
        # Below /tmp it writes into a tmpfs of its own, which goes with it.
        assert result in {"OSError", "FileNotFoundError", "PermissionError"} or in_tmp(place), place
        assert before == names(place), place
    assert await ability.attempt("os.remove(sys.argv[0])") in {"OSError", "PermissionError"}
    assert await ability.attempt("open(sys.argv[0], 'a')") in {"OSError", "PermissionError"}


async def test_the_kernels_settings_cannot_be_changed(ability: Ability) -> None:
    code = "path = Path('/proc/sys/kernel/core_pattern'); path.write_text(path.read_text())"
    assert await ability.attempt(code) in {"OSError", "PermissionError"}


async def test_tmp_and_home_are_private_and_sized(ability: Ability, tmp_path: Path) -> None:
    assert await ability.attempt("open('/tmp/note', 'w').write('x')") == "done"
    assert await ability.attempt("open(os.path.expanduser('~/note'), 'w').write('x')") == "done"
    assert "note" not in names("/tmp")
    code = "file = open(sys.argv[1] + '/large', 'wb'); [file.write(bytes(1 << 20)) for _ in range(65)]"
    for place in ("/tmp", "/sandbox", "/dev/shm"):
        assert await ability.attempt(code, place) == "OSError", place


async def test_the_workspace_is_where_it_starts_and_stays(ability: Ability) -> None:
    assert await ability.attempt("open('result.txt', 'w').write('kept')") == "done"
    assert (ability.workspace / "result.txt").read_text() == "kept"
    assert (
        await ability.seen("[os.getcwd(), os.environ['PARTNER_WORKSPACE']]") == [str(ability.workspace)] * 2
    )


async def test_a_single_file_does_not_see_its_neighbours_but_a_folder_sees_its_own(ability: Ability) -> None:
    (ability.script.parent / "other.py").write_text("WORD = 'theirs'")
    assert await ability.seen("os.listdir(os.path.dirname(sys.argv[0]))") == ["script.py"]
    ability.allow(script=ability.script.parent)
    assert await ability.seen("__import__('other').WORD") == "theirs"
    assert await ability.seen("sorted(os.listdir(os.path.dirname(sys.argv[0])))") == ["other.py", "script.py"]


@pytest.mark.promise("actions.sandbox.pathparam")
async def test_a_path_to_read_appears_alone_and_cannot_be_written(ability: Ability, user_home: Path) -> None:
    shopping = user_home / "Documents" / "list.txt"
    ability.allow(read_paths=(shopping,))
    assert await ability.seen(
        "[open(sys.argv[1]).read(), os.listdir(Path(sys.argv[1]).parent)]", shopping
    ) == [
        "bread",
        ["list.txt"],
    ]
    assert await ability.attempt("open(sys.argv[1], 'a').write('milk')", shopping) == "OSError"
    assert await ability.attempt("os.remove(sys.argv[1])", shopping) == "OSError"
    assert shopping.read_text() == "bread"


@pytest.mark.promise("actions.sandbox.pathparam")
async def test_a_path_to_write_can_be_written_and_nothing_beside_it(
    ability: Ability, user_home: Path
) -> None:
    documents = user_home / "Documents"
    ability.allow(write_paths=(documents,))
    assert await ability.attempt("Path(sys.argv[1], 'new.txt').write_text('new')", documents) == "done"
    assert (documents / "new.txt").read_text() == "new"
    await ability.attempt("Path(sys.argv[1]).parent.joinpath('beside').write_text('x')", documents)
    assert names(user_home) == ["Documents"]
    ability.allow(write_paths=(documents / "list.txt",))
    assert await ability.attempt("Path(sys.argv[1]).write_text('milk')", documents / "list.txt") == "done"
    assert (documents / "list.txt").read_text() == "milk"
    assert await ability.seen("os.listdir(sys.argv[1])", documents) == ["list.txt"]


@pytest.mark.promise("actions.sandbox.pathparam")
async def test_a_link_inside_an_approved_folder_leads_nowhere(
    ability: Ability, user_home: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("private")
    (user_home / "Documents" / "link").symlink_to(tmp_path / "secret")
    ability.allow(read_paths=(user_home / "Documents",))
    assert (
        await ability.attempt("open(sys.argv[1] + '/link')", user_home / "Documents") == "FileNotFoundError"
    )


@pytest.mark.promise("actions.sandbox.pathparam")
async def test_a_path_that_leads_through_a_link_is_refused(
    ability: Ability, user_home: Path, tmp_path: Path
) -> None:
    link = resolved(tmp_path) / "link"
    link.symlink_to(user_home)
    for path in (link, link / "Documents", user_home.joinpath("Documents", "..", "Documents")):
        for kind in ("read_paths", "write_paths"):
            ability.allow(**{kind: (path,)})
            with pytest.raises(AskHumanError, match="is a link, or lies behind one"):
                await ability.run("print(1)")


@pytest.mark.parametrize("place", ["/", "/proc", "/proc/1", "/dev", "/sys", "/dev/null"])
async def test_the_whole_disk_and_the_kernels_folders_are_never_opened(ability: Ability, place: str) -> None:
    if is_link(place):
        pytest.skip(f"{place} is a link here")
    ability.allow(read_paths=(Path(place),))
    with pytest.raises(AskHumanError, match="I do not open"):
        await ability.run("print(1)")


async def test_a_relative_path_is_refused(ability: Ability) -> None:
    ability.allow(write_paths=(Path("here"),))
    with pytest.raises(AskHumanError, match="not an absolute path"):
        await ability.run("print(1)")


async def test_a_missing_path_to_write_is_made_for_the_run(ability: Ability, user_home: Path) -> None:
    report, folder = user_home / "report.txt", user_home / "backup"
    ability.allow(write_paths=(report, folder), read_paths=(user_home / "missing",))
    assert (
        await ability.attempt(
            "Path(sys.argv[1]).write_text('done'); Path(sys.argv[2], 'a').touch()", report, folder
        )
        == "done"
    )
    assert report.read_text() == "done"
    assert names(folder) == ["a"]


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_runs_that_start_together_may_write_one_place_that_is_missing(
    ability: Ability, kind: PathKind
) -> None:
    together = threading.Barrier(2)

    def start(place: Path) -> None:
        box = replace(ability.box, paths=(PathUse("", str(place), "write", kind=kind),))
        together.wait(WAIT_S)
        make_missing(box)

    with ThreadPoolExecutor(2) as runs:
        for number in range(200):
            place = ability.folder / f"new-{number}"
            assert list(runs.map(start, [place, place])) == [None, None]


async def test_what_was_made_for_a_run_and_not_used_goes_away_again(
    ability: Ability, user_home: Path
) -> None:
    before = names(user_home)
    ability.allow(write_paths=(user_home / "report.txt", user_home / "backup"))
    await ability.run("print(1)")
    assert names(user_home) == before


async def test_inner_paths_keep_their_own_access_inside_outer_ones(ability: Ability, user_home: Path) -> None:
    documents = user_home / "Documents"
    ability.allow(read_paths=(user_home,), write_paths=(documents,))
    assert await ability.attempt("Path(sys.argv[1], 'x').touch()", documents) == "done"
    assert await ability.attempt("Path(sys.argv[1], 'x').touch()", user_home) == "OSError"
    ability.allow(read_paths=(documents,), write_paths=(user_home,))
    assert await ability.attempt("Path(sys.argv[1], 'y').touch()", user_home) == "done"
    assert await ability.attempt("Path(sys.argv[1], 'y').touch()", documents) == "OSError"
    ability.allow(read_paths=(documents,), write_paths=(documents,))
    assert await ability.attempt("Path(sys.argv[1], 'z').touch()", documents) == "done"


async def test_partners_own_folder_stays_hidden_inside_an_approved_one(ability: Ability) -> None:
    (ability.folder / "partner.db").write_text("everything")
    ability.allow(write_paths=(ability.folder.parent,), hidden_paths=(ability.folder,))
    assert await ability.seen("sorted(os.listdir(sys.argv[1]))", ability.folder) == ["abilities", "runs"]
    assert await ability.attempt("Path(sys.argv[1], 'x').touch()", ability.folder) == "OSError"
    assert await ability.attempt("Path(os.getcwd(), 'x').touch()") == "done"
    assert await ability.attempt("open(sys.argv[0], 'a')") == "OSError"


@pytest.mark.parametrize("access", ["read_paths", "write_paths"])
@pytest.mark.parametrize("place", ["", "logs", "logs/partner.log"])
async def test_what_is_partners_own_is_never_opened(ability: Ability, access: str, place: str) -> None:
    (ability.folder / "logs").mkdir()
    (ability.folder / "logs" / "partner.log").touch()
    ability.allow(**{access: (ability.folder / place,)}, hidden_paths=(ability.folder,))
    with pytest.raises(AskHumanError, match="holds Partner's own data"):
        await ability.run("print(1)")


async def test_a_folder_that_is_another_than_was_approved_is_not_opened(
    ability: Ability, user_home: Path
) -> None:
    documents = user_home / "Documents"
    ability.allow(read_paths=(documents,))
    documents.rename(user_home / "Old")
    documents.mkdir()
    with pytest.raises(AskHumanError, match="not what was shown any more"):
        await ability.run("print(1)")


UNCOVERED = """#!{python}
import os, sys
words = sys.argv[1:]
while {hidden!r} in words:
    at = words.index({hidden!r})
    begin = at - 5 if words[at - 1] == "--tmpfs" else at - 1
    del words[begin:at + 1]
os.execv({bwrap!r}, [{bwrap!r}, *words])
"""


async def test_a_sandbox_that_does_not_cover_what_is_hidden_is_not_let_go(
    ability: Ability, user_home: Path
) -> None:
    hidden = user_home / "Documents"
    bwrap = user_home / "bin" / "bwrap"
    bwrap.parent.mkdir()
    assert isinstance(_PROBE.sandbox, Bubblewrap)
    bwrap.write_text(
        UNCOVERED.format(python=interpreter(), hidden=str(hidden), bwrap=shutil.which(_PROBE.sandbox.program))
    )
    bwrap.chmod(0o755)
    ability.allow(read_paths=(user_home,), hidden_paths=(hidden,))
    assert await ability.seen("os.listdir(sys.argv[1])", hidden) == []
    ability.allow(sandbox=replace(_PROBE.sandbox, program=str(bwrap)))
    with pytest.raises(AskHumanError, match="Partner's own data"):
        await ability.run("print('STARTED')")


async def test_a_run_has_no_capabilities_and_cannot_get_any(ability: Ability) -> None:
    status = await ability.seen(
        "dict(line.split(':\t') for line in open('/proc/self/status').read().splitlines() if ':\t' in line)"
    )
    assert isinstance(status, dict)
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(str(status[name]), 16) == 0, name
    assert status["NoNewPrivs"] == "1"


async def test_a_run_makes_no_namespaces_of_its_own(ability: Ability) -> None:
    assert isinstance(_PROBE.sandbox, Bubblewrap)
    if not _PROBE.sandbox.disable_userns or shutil.which("unshare") is None:
        pytest.skip("needs bubblewrap 0.8 and the program unshare")
    outcome = await ability.run("import os; os.execvp('unshare', ['unshare', '--user', 'true'])")
    assert outcome.exit_code == 1


async def test_secrets_of_the_environment_are_not_inherited(
    ability: Ability, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVICE_API_KEY", "hush")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/hush")
    ability.allow(env={"PARTNER_RUN": "one"})
    seen = await ability.seen("dict(os.environ)")
    assert isinstance(seen, dict)
    assert "hush" not in json.dumps(seen)
    assert seen["PARTNER_RUN"] == "one"
    assert set(seen) == {
        "HOME", "LANG", "LOGNAME", "PARTNER_RUN", "PARTNER_WORKSPACE", "PATH", "PWD",
        "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "TMPDIR", "USER",
    }  # fmt: skip


async def test_a_run_does_not_learn_who_the_person_is(ability: Ability) -> None:
    code = "[os.getuid(), __import__('getpass').getuser(), os.uname().nodename]"
    assert await ability.seen(code) == [1000, "partner", "sandbox"]
    users = await ability.seen("[line.split(':')[0] for line in open('/etc/passwd')]")
    assert users == ["partner", "nobody"]
    assert await ability.attempt("open('/etc/shadow')") == "FileNotFoundError"
    assert await ability.attempt("open('/etc/machine-id')") == "FileNotFoundError"


async def test_no_descriptor_of_partner_leaks_into_a_run(ability: Ability) -> None:
    assert await ability.seen("sorted(os.listdir('/proc/self/fd'))") == [
        "0",
        "1",
        "2",
        "3",
    ]  # 3 is the listing


async def test_what_was_held_for_the_mounts_is_let_go_when_it_runs(ability: Ability, tmp_path: Path) -> None:
    places = [resolved(tmp_path) / "many" / str(number) for number in range(100)]
    for place in places:
        place.mkdir(parents=True)
    ability.allow(read_paths=tuple(places))
    ability.script.write_text("import time\nopen('ready', 'w').close()\ntime.sleep(60)")
    before = len(list(Path("/proc/self/fd").iterdir()))
    task = asyncio.get_running_loop().create_task(run_process(ability.spec()))
    await until((ability.workspace / "ready").exists)
    assert len(list(Path("/proc/self/fd").iterdir())) < before + len(places)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_standard_input_exit_code_and_signals_pass_through(ability: Ability) -> None:
    ability.script.write_text("import sys; print(sys.stdin.read()); sys.exit(3)")
    outcome = await run_process(replace(ability.spec(), stdin=b"hello"))
    assert (outcome.exit_code, outcome.stdout) == (3, "hello\n")
    outcome = await ability.run("import os; os.abort()")
    assert (outcome.exit_code, outcome.error) == (None, "It was ended by the signal SIGABRT.")


async def test_a_fork_bomb_is_contained(ability: Ability, begun: Callable[[], list[int]]) -> None:
    # Where it is not stopped it ends by itself, so that a failure does not take the machine along.
    code = "import os, time\nend = time.monotonic() + 3\nwhile time.monotonic() < end:\n    try:\n"
    code += "        os.fork()\n    except OSError:\n        pass"
    outcome = await ability.run(code)
    assert outcome.stopped_by == "forks"
    assert outcome.error == "It started more than 256 processes, so I stopped it."
    await until(lambda: not begun())


async def test_memory_is_limited_one_process_at_once_and_all_together(ability: Ability) -> None:
    ability.allow(limits=Limits(memory_bytes=256 * MIB, data_bytes=512 * MIB))
    code = "try:\n    bytearray(600 << 20)\nexcept MemoryError:\n    print('refused')"
    assert (await ability.run(code)).stdout == "refused\n"
    code = "import os, time\nfor _ in range(3): os.fork()\nkept = b'x' * (50 << 20)\ntime.sleep(60)"
    outcome = await ability.run(code)
    assert outcome.stopped_by == "memory"
    assert outcome.error == "It used more than 256 MiB of memory, so I stopped it."


async def test_disk_files_and_processor_time_are_limited(ability: Ability) -> None:
    ability.allow(limits=Limits(file_bytes=MIB, workspace_bytes=8 * MIB, open_files=32))
    assert await ability.attempt("open('large', 'wb').write(bytes(2 << 20))") == "OSError"
    assert await ability.attempt("kept = [open('/dev/null') for _ in range(40)]") == "OSError"
    code = "import os, time\nfor n in range(20): os.symlink('/nowhere', f'l{n}')\n"
    code += "for n in range(20): open(f'f{n}', 'wb').write(os.urandom(1 << 20))\ntime.sleep(60)"
    outcome = await ability.run(code)
    assert outcome.stopped_by == "disk", "links that lead nowhere are counted over"
    assert outcome.error == "It put more than 8 MiB into its workspace, so I stopped it."


async def test_what_a_link_leads_to_does_not_count(ability: Ability) -> None:
    ability.allow(limits=Limits(workspace_bytes=8 * MIB))
    code = "import os, time\nopen('f', 'wb').write(os.urandom(3 << 20))\n"
    code += "for n in range(10): os.symlink('f', f'l{n}')\ntime.sleep(2.5)"  # over two looks of the guard
    assert (await ability.run(code)).stopped_by is None


def test_a_deleted_file_counts_only_on_the_disk_of_the_folder(tmp_path: Path) -> None:
    elsewhere = Path("/dev/shm")
    if not elsewhere.is_dir() or elsewhere.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is one disk alone here")
    with TemporaryFile(dir=tmp_path) as here, TemporaryFile(dir=elsewhere) as there:
        for file, size_bytes in ((here, MIB), (there, 4 * MIB)):
            os.posix_fallocate(file.fileno(), 0, size_bytes)
        assert MIB <= guard.deleted_bytes([os.getpid()], str(tmp_path)) < 2 * MIB


async def test_processor_time_is_limited_to_the_time_limit(ability: Ability) -> None:
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_CPU)[0])"
    outcome = await ability.run(code, timeout_s=7.5)
    assert outcome.stdout == "8\n"
    outcome = await ability.run(
        "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 5))\nwhile True: pass"
    )
    assert outcome.error == "It used more than 20 s of processor time, so it was stopped."


async def test_an_endless_run_is_stopped_politely_first(
    ability: Ability, begun: Callable[[], list[int]]
) -> None:
    code = "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(print('cleaned')))\n"
    code += "open('ready', 'w').close()\nsignal.pause()"
    outcome, _ = await ready_in_time(
        lambda limit_s: ability.run(code, timeout_s=limit_s), (ability.workspace / "ready").exists
    )
    assert (outcome.stopped_by, outcome.stdout) == ("timeout", "cleaned\n")
    assert not begun()


DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    open("ready", "w").close()
    time.sleep(60)
"""


async def test_a_detached_grandchild_dies_with_its_run(
    ability: Ability, begun: Callable[[], list[int]]
) -> None:
    outcome = await ability.run(DAEMON + "while not os.path.exists('ready'): time.sleep(0.01)")
    assert outcome.exit_code == 0
    assert not begun()


async def test_cancel_ends_everything_before_it_returns(
    ability: Ability, begun: Callable[[], list[int]]
) -> None:
    ability.script.write_text(DAEMON + "time.sleep(60)")
    task = asyncio.get_running_loop().create_task(run_process(ability.spec()))
    await until((ability.workspace / "ready").exists)
    pids = begun()
    assert len(pids) >= 5  # guard, bwrap twice, script, daemon
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not any(alive(pid) for pid in pids)


APP = """
import asyncio, sys
from pathlib import Path
from partner_desktop.runner.process_launch import LaunchSpec
from partner_desktop.runner.script_process import run_process
from partner_desktop.runner.sandbox import SandboxSpec
from partner_desktop.runner.sandbox_probe import probe_sandbox
async def main():
    script, workspace, *argv = sys.argv[1:]
    probe = await probe_sandbox()
    box = SandboxSpec(sandbox=probe.sandbox, script=Path(script), workspace=Path(workspace))
    await run_process(LaunchSpec(argv=tuple(argv), spill_dir=Path(workspace), sandbox=box))
asyncio.run(main())
"""


async def test_when_partner_is_killed_its_run_dies_too(ability: Ability) -> None:
    ability.script.write_text(DAEMON + "time.sleep(60)")
    command = [sys.executable, "-c", APP, str(ability.script), str(ability.workspace), *ability.spec().argv]
    app = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": str(REPOSITORY)})  # noqa: ASYNC220 - to be killed
    try:
        await until((ability.workspace / "ready").exists)
        pids = [pid for pid, _ in guard.descendants(app.pid)]
        assert len(pids) >= 5
    finally:
        app.kill()
        app.wait(WAIT_S)
    await until(lambda: not any(alive(pid) for pid in pids))


async def test_a_run_cannot_be_told_from_its_sandbox_failing_to_start(ability: Ability) -> None:
    assert isinstance(_PROBE.sandbox, Bubblewrap)
    ability.allow(sandbox=replace(_PROBE.sandbox, program=shutil.which("false") or ""))
    with pytest.raises(AskHumanError, match="The sandbox could not start the script"):
        await ability.run("print(1)")


async def test_a_missing_program_or_script_is_one_sentence(ability: Ability) -> None:
    ability.script.write_text("")
    with pytest.raises(AskHumanError, match="no-such-program is not there"):
        await run_process(replace(ability.spec(), argv=("/usr/bin/no-such-program",)))
    ability.script.unlink()
    with pytest.raises(AskHumanError, match=r"script\.py is no longer there"):
        await run_process(ability.spec())


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a.sh", 'echo "$1"; [ ! -e "$2" ]'),
        (
            "a.js",
            "console.log(process.argv[2]); process.exit(require('fs').existsSync(process.argv[3]) ? 1 : 0)",
        ),
        ("a.pl", 'print "$ARGV[0]\\n"; exit(-e $ARGV[1] ? 1 : 0);'),
    ],
)
async def test_other_languages_run_in_it_too(ability: Ability, user_home: Path, name: str, code: str) -> None:
    ability.script = ability.script.with_name(name)
    ability.allow(script=ability.script)
    try:
        find_launcher(ability.script)
    except DescriptorError as error:
        pytest.skip(str(error))
    outcome = await ability.run(code, "größer", user_home)
    assert (outcome.exit_code, outcome.stdout) == (0, "größer\n")


async def test_a_virtual_environments_python_sees_its_packages(ability: Ability, tmp_path: Path) -> None:
    environment = resolved(tmp_path) / "env"
    made = [interpreter(), "-m", "venv", "--without-pip", str(environment)]
    subprocess.run(made, check=True)  # noqa: ASYNC221 - setting up
    packages = next(environment.glob("lib/python*/site-packages"))
    (packages / "package.py").write_text("WORD = 'installed'")
    ability.script.write_text("import package; print(package.WORD)")
    launcher = find_launcher(ability.script, declared=(str(environment / "bin" / "python"),))
    outcome = await run_process(replace(ability.spec(), argv=(*launcher, str(ability.script))))
    assert outcome.stdout == "installed\n", outcome


@needs_sandbox
async def test_the_probe_says_what_holds_the_runs() -> None:
    probe = await probe_sandbox()
    assert probe.available
    assert probe.reason == f"Scripts run sandboxed by bubblewrap {probe.version}."
    assert Path(probe.program).name == "bwrap"


def fake_bwrap(folder: Path, body: str) -> str:
    """A folder with a `bwrap` that behaves as told."""
    folder.mkdir()
    path = folder / "bwrap"
    path.write_text(f"#!/bin/sh\n[ \"$1\" = --version ] && echo 'bubblewrap 9.8.7' && exit\n{body}\n")
    path.chmod(0o755)
    return str(folder)


def settings(folder: Path, **values: str) -> Path:
    """A stand-in for /proc/sys."""
    for name, value in values.items():
        path = folder / "sysctl" / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value + "\n")
    return folder / "sysctl"


async def test_without_bubblewrap_the_probe_says_what_to_install(tmp_path: Path) -> None:
    probe = await probe_sandbox(search_path=str(tmp_path))
    assert not probe.available
    assert probe.sandbox is None
    assert "install the package `bubblewrap`" in probe.reason


@pytest.mark.parametrize(
    ("setting", "value", "advice"),
    [
        ("kernel__unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
        ("user__max_user_namespaces", "0", "user.max_user_namespaces=15000"),
        ("kernel__apparmor_restrict_unprivileged_userns", "1", "AppArmor profile"),
    ],
)
async def test_forbidden_namespaces_are_told_with_what_to_do(
    tmp_path: Path, setting: str, value: str, advice: str
) -> None:
    folder = fake_bwrap(tmp_path / "bin", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
    probe = await probe_sandbox(search_path=folder, sysctl=settings(tmp_path, **{setting: value}))
    assert not probe.available
    assert advice in probe.reason


async def test_a_bubblewrap_that_fails_otherwise_is_quoted(tmp_path: Path) -> None:
    folder = fake_bwrap(tmp_path / "bin", 'echo "bwrap: Can\'t mount proc" >&2; exit 1')
    probe = await probe_sandbox(search_path=folder, sysctl=tmp_path)
    assert not probe.available
    assert probe.reason.startswith(
        "bubblewrap 9.8.7 is installed but does not work here (bwrap: Can't mount proc);"
    )


async def test_an_old_bubblewrap_without_disable_userns_still_serves(tmp_path: Path) -> None:
    body = 'for word in "$@"; do [ "$word" = --disable-userns ] && exit 1; done; exit 0'
    probe = await probe_sandbox(search_path=fake_bwrap(tmp_path / "bin", body), sysctl=tmp_path)
    assert probe.available
    assert isinstance(probe.sandbox, Bubblewrap)
    assert not probe.sandbox.disable_userns


def test_the_command_line_can_be_read_before_it_runs(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    script, workspace = folder / "a.sh", folder / "workspace"
    script.touch()
    workspace.mkdir()
    spec = SandboxSpec(sandbox=Bubblewrap("bwrap"), script=script, workspace=workspace)
    none, given = HeldMounts(), Inherited()
    argv = ("/bin/sh", str(script), "x")
    command = bwrap_command(Bubblewrap("bwrap"), argv, spec, mounts=none, inherited=given)
    assert command[0] == "bwrap"
    assert command[-3:] == ["/bin/sh", str(script), "x"]
    assert {"--unshare-net", "--unshare-pid", "--die-with-parent", "--new-session", "--clearenv"} <= set(
        command
    )
    spec = replace(spec, net=True)
    allowed = bwrap_command(Bubblewrap("bwrap"), argv, spec, mounts=none, inherited=given)
    assert "--unshare-net" not in allowed
    assert "/etc/resolv.conf" in allowed
    assert "/etc/resolv.conf" not in command


def test_nothing_is_available_before_the_probe() -> None:
    assert not SandboxProbe("Not looked at yet.").available
