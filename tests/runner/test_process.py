"""Running a command to its end, whatever it does."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from partner_desktop.base.errors import AskHumanError, TellMindError
from partner_desktop.runner import guard
from partner_desktop.runner.process_launch import LaunchSpec, OutputLimits, ProcessOutcome
from partner_desktop.runner.script_process import run_process
from tests.support import REPOSITORY, WAIT_S, ready_in_time

# Real processes, a second here and half a second there: the whole gate's business.
pytestmark = pytest.mark.integration

KIB, MIB = 1024, 1024 * 1024

on_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere only the process group is found"
)


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def shell(code: str) -> tuple[str, ...]:
    return ("sh", "-c", code)


async def until(happened: Callable[[], bool]) -> None:
    """Wait for something outside the loop, bounded."""
    async with asyncio.timeout(WAIT_S):
        while not happened():  # noqa: ASYNC110 - what another process does sets no event here
            await asyncio.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether the process runs; one that waits to be collected does not."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat")
        return not status.parent.is_dir() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def written(path: Path) -> int:
    """The pid that a script wrote, once it is there whole; 0 before."""
    text = path.read_text() if path.exists() else ""
    return int(text) if text.endswith("\n") else 0


async def run(tmp_path: Path, argv: tuple[str, ...], **options: object) -> ProcessOutcome:
    return await run_process(LaunchSpec(argv=argv, spill_dir=tmp_path / "run", **options))  # type: ignore[arg-type] # forwarded


@contextlib.asynccontextmanager
async def in_background(spec: LaunchSpec) -> AsyncIterator[asyncio.Task[ProcessOutcome]]:
    """A run that is cancelled at the end of the test."""
    task = asyncio.get_running_loop().create_task(run_process(spec), name="run")
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait([task])


async def test_a_run_ends_with_its_exit_code_and_both_outputs(tmp_path: Path) -> None:
    outcome = await run(tmp_path, shell("echo out; echo the reason >&2; exit 3"))
    assert (outcome.exit_code, outcome.signal, outcome.stopped_by) == (3, None, None)
    assert (outcome.stdout, outcome.stderr) == ("out\n", "the reason\n")
    assert outcome.error == "It ended with exit code 3: the reason"


async def test_success_has_no_error_and_leaves_no_file(tmp_path: Path) -> None:
    outcome = await run(tmp_path, shell("echo fine"))
    assert (outcome.exit_code, outcome.error, outcome.truncated) == (0, "", False)
    assert outcome.stdout_path is None
    assert not (tmp_path / "run").exists()


async def test_a_deadly_signal_is_told_by_its_name(tmp_path: Path) -> None:
    outcome = await run(tmp_path, shell("kill -SEGV $$"))
    assert (outcome.exit_code, outcome.signal) == (None, signal.SIGSEGV)
    assert outcome.error == "It was ended by the signal SIGSEGV."


async def test_the_outermost_process_is_announced_while_it_runs(tmp_path: Path) -> None:
    announced: list[int] = []
    ready = tmp_path / "ready"
    spec = LaunchSpec(argv=shell(f"touch {ready}; exec sleep 60"), spill_dir=tmp_path)
    task = asyncio.get_running_loop().create_task(run_process(spec, on_start=announced.append))
    await until(ready.exists)
    assert len(announced) == 1
    assert alive(announced[0])
    task.cancel()
    await asyncio.wait([task])
    assert not alive(announced[0])


async def test_it_starts_in_the_folder_and_environment_that_were_given(tmp_path: Path) -> None:
    outcome = await run(tmp_path, shell("pwd; env"), cwd=tmp_path, env={"PATH": os.defpath, "ONLY": "this"})
    assert outcome.stdout.startswith(f"{tmp_path}\n")
    assert "ONLY=this" in outcome.stdout
    assert "HOME=" not in outcome.stdout


async def test_variables_that_carry_secrets_are_not_inherited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVICE_API_KEY", "hush")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/hush")
    monkeypatch.setenv("LC_TIME", "C")
    outcome = await run(tmp_path, shell("env"))
    assert "hush" not in outcome.stdout
    assert "LC_TIME=C" in outcome.stdout


async def test_nothing_but_the_three_streams_is_inherited(tmp_path: Path) -> None:
    with (tmp_path / "private").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        outcome = await run(tmp_path, python("import os; print(os.listdir('/dev/fd'))"))
    assert outcome.stdout == "['0', '1', '2', '3']\n"  # 3 is the listing itself


@pytest.mark.parametrize(
    ("code", "number"),
    [
        ("yes | head -n 1; echo ${PIPESTATUS[0]}", signal.SIGPIPE),
        ("(ulimit -f 1; head -c 100000 /dev/zero > large); code=$?; echo y; echo $code", signal.SIGXFSZ),
    ],
)
async def test_usual_signals_work_as_in_a_terminal(tmp_path: Path, code: str, number: signal.Signals) -> None:
    outcome = await run(tmp_path, ("bash", "-c", code), cwd=tmp_path)
    assert outcome.stdout == f"y\n{128 + number}\n"


async def test_a_large_stdin_arrives_whole(tmp_path: Path) -> None:
    outcome = await run(tmp_path, shell("wc -c"), stdin=b"x" * (3 * MIB))
    assert outcome.stdout.split() == [str(3 * MIB)]


async def test_a_run_that_does_not_read_its_stdin_is_fine(tmp_path: Path) -> None:
    outcome = await run(tmp_path, shell("exec 0<&-; echo done"), stdin=b"x" * (3 * MIB))
    assert (outcome.exit_code, outcome.stdout) == (0, "done\n")


async def test_output_that_is_not_utf8_is_replaced_and_reported(tmp_path: Path) -> None:
    outcome = await run(tmp_path, python(r"import sys; sys.stdout.buffer.write(b'caf\xe9 \xc3\xa9\n')"))
    assert (outcome.stdout, outcome.undecodable) == ("caf\ufffd é\n", True)


async def test_colours_and_control_characters_are_taken_out(tmp_path: Path) -> None:
    code = r"print('\x1b[1;31mred\x1b[0m\x1b]0;title\x07 a\tb\x00\x08\x9b! 10%\r20%\r\nend')"
    outcome = await run(tmp_path, python(code))
    assert (outcome.stdout, outcome.undecodable) == ("red a\tb! 10%\n20%\nend\n", False)


async def test_long_output_keeps_head_and_tail_and_lies_whole_on_disk(tmp_path: Path) -> None:
    outcome = await run(tmp_path, python("for n in range(20_000): print(f'line {n:06}')"))
    whole = "".join(f"line {number:06}\n" for number in range(20_000))
    left_out = len(whole) - 64 * KIB
    assert outcome.truncated
    assert outcome.stdout == f"{whole[: 48 * KIB]}\n… {left_out} bytes left out …\n{whole[-16 * KIB :]}"
    assert outcome.stdout_path == tmp_path / "run" / "stdout.txt"
    assert outcome.stdout_path.read_text() == whole
    assert outcome.stdout_path.stat().st_mode & 0o777 == 0o600


async def test_output_as_long_as_the_limit_is_kept_inline(tmp_path: Path) -> None:
    outcome = await run(tmp_path, python(f"print('x' * {64 * KIB}, end='')"))
    assert (outcome.stdout, outcome.truncated) == ("x" * (64 * KIB), False)
    assert outcome.stdout_path is None


async def test_characters_at_the_cut_are_left_whole(tmp_path: Path) -> None:
    for shift in range(3):
        outcome = await run(tmp_path, python(f"print('a' * {shift} + '€' * 40_000 + 'b' * {shift})"))
        assert outcome.truncated
        assert not outcome.undecodable
        assert "\ufffd" not in outcome.stdout


async def test_a_long_stderr_keeps_mostly_its_end(tmp_path: Path) -> None:
    outcome = await run(tmp_path, shell("seq 1 20000 >&2; exit 1"))
    assert outcome.stderr.startswith("1\n2\n")
    assert outcome.stderr.endswith("\n20000\n")
    assert "bytes left out" in outcome.stderr
    assert len(outcome.stderr) < 17 * KIB
    assert outcome.error == "It ended with exit code 1: 20000"


@pytest.mark.promise("actions.command.limits")
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
async def test_endless_output_is_stopped_and_spilled_up_to_its_limit(tmp_path: Path, stream: str) -> None:
    limits = OutputLimits(spill_bytes=MIB, flood_bytes=4 * MIB)
    argv = ("yes", "again") if stream == "stdout" else shell("exec yes again >&2")
    outcome = await run(tmp_path, argv, output=limits, timeout_s=WAIT_S)
    assert outcome.stopped_by == "flood"
    assert outcome.error == "It printed more than 4 MiB, so I stopped it."
    assert getattr(outcome, stream).startswith("again\nagain\n")
    assert getattr(outcome, f"{stream}_path").stat().st_size == MIB


async def test_a_spill_folder_that_cannot_be_written_costs_only_the_file(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file is in the way")
    outcome = await run(tmp_path, shell("head -c 200000 /dev/zero | tr '\\0' x"))
    assert (outcome.exit_code, outcome.truncated, outcome.stdout_path) == (0, True, None)
    assert outcome.stdout.startswith("xxx")


@pytest.mark.promise("actions.command.limits")
async def test_an_endless_run_is_stopped_with_everything_it_started(tmp_path: Path) -> None:
    child = tmp_path / "child"
    code = f"echo partial; sleep 60 & echo $! > {child}; wait"
    outcome, timeout_s = await ready_in_time(
        lambda limit_s: run(tmp_path, shell(code), timeout_s=limit_s), lambda: written(child) > 0
    )
    assert outcome.stopped_by == "timeout"
    assert outcome.error == f"It ran longer than {timeout_s:g} s, so I stopped it."
    assert outcome.stdout == "partial\n"
    assert not alive(written(child))


async def test_at_the_end_of_its_time_a_run_may_clean_up(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    code = f"trap 'echo cleaned; exit 0' TERM; touch {ready}; while :; do sleep 0.05; done"
    outcome, _ = await ready_in_time(
        lambda limit_s: run(tmp_path, shell(code), timeout_s=limit_s), ready.exists
    )
    assert outcome.stopped_by == "timeout"
    assert outcome.stdout.endswith("cleaned\n")


async def test_a_run_that_ignores_the_polite_signal_is_killed(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    code += f"open({str(ready)!r}, 'w').close()\nsignal.pause()"
    outcome, _ = await ready_in_time(
        lambda limit_s: run(tmp_path, python(code), timeout_s=limit_s), ready.exists
    )
    assert (outcome.stopped_by, outcome.signal) == ("timeout", signal.SIGKILL)


async def test_a_child_that_keeps_the_output_open_does_not_hang_the_run(tmp_path: Path) -> None:
    child = tmp_path / "child"
    async with asyncio.timeout(WAIT_S):
        outcome = await run(tmp_path, shell(f"sleep 60 & echo $! > {child}; echo done"))
    assert (outcome.exit_code, outcome.stdout) == (0, "done\n")
    assert not alive(written(child))


async def test_a_childs_last_words_are_waited_for(tmp_path: Path) -> None:
    outcome = await run(tmp_path, shell("(sleep 0.1; echo late) & echo early"))
    assert outcome.stdout == "early\nlate\n"


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in (0, 1, 2):
            os.close(fd)
        with open(sys.argv[1] + ".part", "w") as file:
            print(os.getpid(), file=file)
        os.rename(sys.argv[1] + ".part", sys.argv[1])
        time.sleep(60)
    os._exit(0)
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
"""


@on_linux
async def test_a_detached_grandchild_dies_with_its_run(tmp_path: Path) -> None:
    child = tmp_path / "child"
    outcome = await run(tmp_path, (*python(DAEMON), str(child)))
    assert outcome.exit_code == 0
    assert not alive(written(child))


@on_linux
@pytest.mark.promise("actions.cancel")
async def test_cancel_ends_everything_before_it_returns(tmp_path: Path) -> None:
    child = tmp_path / "child"
    code = DAEMON + "time.sleep(60)"
    async with in_background(LaunchSpec(argv=(*python(code), str(child)), spill_dir=tmp_path)) as task:
        await until(lambda: written(child) > 0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not alive(written(child))


async def test_a_second_cancel_does_not_cut_the_first_ones_clean_up_short(tmp_path: Path) -> None:
    child = tmp_path / "child"
    code = f"echo $$ > {child}; exec sleep 60"
    async with in_background(LaunchSpec(argv=shell(code), spill_dir=tmp_path)) as task:
        await until(lambda: written(child) > 0)
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not alive(written(child))


async def test_a_run_cancelled_before_it_began_never_begins(tmp_path: Path) -> None:
    for _ in range(5):
        task = asyncio.get_running_loop().create_task(run(tmp_path, shell(f"touch {tmp_path}/begun")))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert not (tmp_path / "begun").exists()


APP = """
import asyncio, sys
from pathlib import Path
from partner_desktop.runner.process_launch import LaunchSpec
from partner_desktop.runner.script_process import run_process
folder, *argv = sys.argv[1:]
asyncio.run(run_process(LaunchSpec(argv=tuple(argv), spill_dir=Path(folder))))
"""


@on_linux
async def test_when_partner_is_killed_its_run_dies_too(tmp_path: Path) -> None:
    child = tmp_path / "child"
    command = [*python(APP), str(tmp_path), *python(DAEMON + "time.sleep(60)"), str(child)]
    app = subprocess.Popen(  # noqa: ASYNC220 - to be killed, not awaited
        command, env=os.environ | {"PYTHONPATH": str(REPOSITORY)}
    )
    try:
        await until(lambda: written(child) > 0)
        run_pids = [pid for pid, _ in guard.descendants(app.pid)]
        assert written(child) in run_pids
    finally:
        app.kill()
        app.wait(WAIT_S)
    await until(lambda: not any(alive(pid) for pid in run_pids))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs the parent-death signal of Linux")
async def test_a_run_that_kills_its_guard_dies_with_it(tmp_path: Path) -> None:
    me = tmp_path / "me"
    outcome = await run(tmp_path, shell(f"echo $$ > {me}; kill -9 $PPID; exec sleep 60"))
    assert outcome.exit_code is None
    assert outcome.error == "It was ended from outside before it was done."
    await until(lambda: not alive(written(me)))


async def test_what_cannot_be_started_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(AskHumanError, match=r"no-such-program is not there"):
        await run(tmp_path, ("no-such-program",))
    plain = tmp_path / "plain"
    plain.write_text("not a program")
    with pytest.raises(AskHumanError, match="make it executable"):
        await run(tmp_path, (str(plain),))
    plain.chmod(0o755)
    with pytest.raises(AskHumanError, match="not a program that this system can run"):
        await run(tmp_path, (str(plain),))
    with pytest.raises(AskHumanError, match=r"The working folder .*gone is not there"):
        await run(tmp_path, ("true",), cwd=tmp_path / "gone")
    with pytest.raises(TellMindError, match="too long"):
        await run(tmp_path, ("true", "x" * 200_000))


async def test_what_is_handed_over_lives_on(tmp_path: Path) -> None:
    child = tmp_path / "child"
    outcome = await run(tmp_path, shell(f"sleep 60 & echo $! > {child}"), hand_over=True)
    try:
        assert (outcome.exit_code, outcome.error) == (0, "")
        assert alive(written(child))
    finally:
        os.kill(written(child), signal.SIGKILL)


async def test_handing_over_is_done_when_the_program_just_stays(tmp_path: Path) -> None:
    child = tmp_path / "child"
    outcome = await run(tmp_path, shell(f"echo $$ > {child}; exec sleep 60"), hand_over=True, timeout_s=0.3)
    await until(lambda: written(child) > 0)
    try:
        assert (outcome.exit_code, outcome.stopped_by, outcome.error) == (0, None, "")
        assert alive(written(child))
    finally:
        os.kill(written(child), signal.SIGKILL)


async def test_a_hand_over_that_fails_says_so(tmp_path: Path) -> None:
    outcome = await run(tmp_path, shell("exit 4"), hand_over=True)
    assert (outcome.exit_code, outcome.error) == (4, "It ended with exit code 4.")


async def test_many_runs_at_once_do_not_mix(tmp_path: Path) -> None:
    outcomes = await asyncio.gather(
        *(run(tmp_path / str(number), shell(f"seq {number} 30000; exit {number}")) for number in range(12))
    )
    for number, outcome in enumerate(outcomes):
        assert outcome.exit_code == number
        assert outcome.stdout.startswith(f"{number}\n{number + 1}\n")
        assert outcome.stdout_path is not None
        assert outcome.stdout_path.read_text().split() == [str(value) for value in range(number, 30001)]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_both_ways_to_look_for_children_find_the_same() -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        try:
            by_scan = guard._scan()(os.getpid())
            assert child.pid in by_scan
            assert sorted(by_scan) == sorted(
                pid for pid, depth in guard.descendants(os.getpid()) if depth == 0
            )
        finally:
            child.kill()


def test_the_guard_alone_passes_the_exit_code_through(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        done = subprocess.run(
            [sys.executable, "-I", "-S", guard.__file__, f"--life={theirs.fileno()}", "--", *shell("exit 7")],
            pass_fds=[theirs.fileno()],
            check=False,
            timeout=WAIT_S,
        )
        theirs.close()
        told = ours.makefile().read().split("\n")
    assert done.returncode == 7
    assert told[0].startswith("pid ")
    assert told[1:] == ["exit 7", ""]


@on_linux
async def test_a_guard_whose_words_nobody_read_still_ends_its_run(tmp_path: Path) -> None:
    # A socket that is closed with something unread in it is reset, not merely closed.
    child = tmp_path / "child"
    ours, theirs = socket.socketpair()
    with theirs:
        command = (guard.__file__, f"--life={theirs.fileno()}", "--", *python(DAEMON + "time.sleep(60)"))
        process = subprocess.Popen(  # noqa: ASYNC220 - the guard alone
            [sys.executable, "-I", "-S", *command, str(child)], pass_fds=[theirs.fileno()]
        )
    await until(lambda: written(child) > 0)
    ours.close()
    await asyncio.to_thread(process.wait, WAIT_S)
    assert not alive(written(child))


async def test_a_json_answer_arrives_unharmed(tmp_path: Path) -> None:
    outcome = await run(tmp_path, python(r"import json; print(json.dumps({'text': 'tab\t \x1b[0m é'}))"))
    assert json.loads(outcome.stdout) == {"text": "tab\t \x1b[0m é"}
