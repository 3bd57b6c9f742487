"""The login shell's PATH is found whatever its files do; where it is not, the usual places are searched."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import psutil  # type: ignore[import-untyped] # has no types
import pytest

from partner_desktop.runner.mcp.configuration.program import ASKED_VARIABLE, LoginPath, SearchPath
from tests.runner.mcp_config.shells import ANSWER, make_shell
from tests.support import WAIT_S


async def asked(shell: str, *, limit_s: float = WAIT_S, **environ: str) -> SearchPath:
    known = {"HOME": os.environ["HOME"], "PATH": "/usr/bin:/bin", "SHELL": shell, **environ}
    return await asyncio.wait_for(LoginPath(known, limit_s=limit_s).get(), 2 * WAIT_S)


def places(found: SearchPath) -> list[str]:
    return found.value.split(":")


async def test_what_the_start_up_files_add_comes_first(tmp_path: Path) -> None:
    found = await asked(make_shell(tmp_path, "PATH=/opt/mine/bin:$PATH:relative/bin:", ANSWER))
    assert places(found) == ["/opt/mine/bin", "/usr/bin", "/bin"]
    assert not found.trouble


async def test_what_was_inherited_is_searched_last(tmp_path: Path) -> None:
    found = await asked(make_shell(tmp_path, "PATH=/opt/mine/bin", ANSWER), PATH="/venv/bin")
    assert places(found) == ["/opt/mine/bin", "/venv/bin"]


@pytest.mark.parametrize(
    "noise",
    [
        'echo "Welcome back"; echo "$PATH"',
        "printf '\\033[31mred\\033[0m no end of line'",
        "echo trouble >&2; read answer",
        "head -c 300000 /dev/zero | tr '\\0' x",
        "printf '<<partner-path>>'",
        "trap 'echo goodbye' EXIT",
    ],
)
async def test_a_noisy_shell_is_understood(tmp_path: Path, noise: str) -> None:
    found = await asked(make_shell(tmp_path, noise, "PATH=/opt/mine/bin:$PATH", ANSWER))
    assert not found.trouble
    assert places(found)[0] == "/opt/mine/bin"


async def test_a_shell_that_leaves_a_program_behind_is_not_waited_for(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    shell = make_shell(tmp_path, "sleep 1000 &", f"echo $! > '{pid}'", "PATH=/opt/mine/bin:$PATH", ANSWER)
    found = await asked(shell)
    assert places(found)[0] == "/opt/mine/bin"
    assert not psutil.pid_exists(int(pid.read_text()))


async def test_a_shell_that_hangs_is_given_up_with_all_it_started(tmp_path: Path, user_home: Path) -> None:
    pid = tmp_path / "pid"
    (user_home / ".local/bin").mkdir(parents=True)
    shell = make_shell(tmp_path, "sleep 1000 &", f"echo $! > '{pid}'", "wait", ANSWER)
    found = await asked(shell, limit_s=1.0)
    assert "did not answer within 1 s" in found.trouble
    assert places(found)[:2] == ["/usr/bin", "/bin"]
    assert str(user_home / ".local/bin") in places(found)
    assert not psutil.pid_exists(int(pid.read_text()))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('echo "This account is currently not available."; exit 1', "did not tell its PATH"),
        ("exit 0", "did not tell its PATH"),
        ("kill -9 $$", "did not tell its PATH"),
        (f"PATH=''; {ANSWER}", "did not tell its PATH"),
    ],
)
async def test_a_shell_that_tells_nothing_is_told_of(tmp_path: Path, line: str, words: str) -> None:
    found = await asked(make_shell(tmp_path, line))
    assert words in found.trouble
    assert "/usr/bin" in places(found)


async def test_a_shell_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    assert "could not be started" in (await asked(str(tmp_path / "no-such-shell"))).trouble


async def test_without_a_shell_the_newest_node_of_nvm_is_among_the_usual_places(user_home: Path) -> None:
    for version in ("v9.11.2", "v22.3.0", "system"):
        (user_home / ".nvm/versions/node" / version / "bin").mkdir(parents=True)
    found = await asked("/no/such/shell")
    assert [place for place in places(found) if ".nvm" in place] == [
        str(user_home / ".nvm/versions/node/v22.3.0/bin")
    ]


async def test_the_shell_is_asked_once_for_all_and_again_after_forgetting(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    shell = make_shell(tmp_path, f"echo call >> '{calls}'", ANSWER)
    path = LoginPath({"SHELL": shell, "PATH": "/bin:/usr/bin"})
    async with asyncio.timeout(2 * WAIT_S):
        found = await asyncio.gather(*(path.get() for _ in range(5)))
        assert len(set(found)) == 1
        assert calls.read_text() == "call\n"
        path.forget()
        await path.get()
    assert calls.read_text() == "call\ncall\n"


async def test_who_stops_waiting_leaves_the_answer_to_the_next(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    once = f"[ -p '{begun}' ] && {{ echo yes > '{begun}'; sleep 1000; }}"
    path = LoginPath({"SHELL": make_shell(tmp_path, once, ANSWER), "PATH": "/bin:/usr/bin"}, limit_s=1000)
    first = asyncio.create_task(path.get(), name="first")
    async with asyncio.timeout(2 * WAIT_S):
        assert await asyncio.to_thread(begun.read_text) == "yes\n"
        begun.unlink()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert not (await path.get()).trouble


async def test_the_shell_knows_that_it_is_only_asked_and_gets_nothing_of_partners(tmp_path: Path) -> None:
    env = tmp_path / "env"
    await asked(make_shell(tmp_path, f"env > '{env}'", ANSWER), PARTNER_HOME="/secret", LANG="C")
    lines = env.read_text().splitlines()
    assert f"{ASKED_VARIABLE}=1" in lines
    assert "LANG=C" in lines
    assert not any(line.startswith("PARTNER_HOME=") for line in lines)


@pytest.mark.parametrize(
    ("shell", "file", "text"),
    [
        ("bash", ".bash_profile", "echo hello; export PATH=/opt/mine/bin:$PATH\n"),
        ("bash", ".profile", "export PATH=/opt/mine/bin:$PATH\n"),
        ("zsh", ".zshrc", "echo hello; export PATH=/opt/mine/bin:$PATH\n"),
        ("fish", ".config/fish/config.fish", "echo hello; set -gx PATH /opt/mine/bin $PATH\n"),
        ("dash", ".profile", "export PATH=/opt/mine/bin:$PATH\n"),
    ],
)
async def test_real_shells_tell_what_their_files_set(
    user_home: Path, shell: str, file: str, text: str
) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    (user_home / file).parent.mkdir(parents=True, exist_ok=True)
    (user_home / file).write_text(text)
    found = await asked(program)
    assert not found.trouble
    assert "/opt/mine/bin" in places(found)
