"""The folder that brings its own Python, on a Debian without one: window, chat, a dropped script, a model."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import Client, StdioServerParameters

from partner_desktop.desktop.theme.colors import LIGHT
from tests.long.packages.clean_root import USER, CleanRoot, clean_root, needed_tools
from tests.long.packages.first_session import DROPPED, WAIT_S, Installed, events_of, first_session
from tests.long.packages.person_at_screen import PersonAtScreen, person_at_screen
from tests.model.tiny import make_tiny_model
from tests.packaging.built import REPOSITORY, build_packages

pytestmark = pytest.mark.long

Found = TypeVar("Found")
LOOK_S = 0.2
#: A folder that was built already.
_BUILT = "PARTNER_FROZEN_FOLDER"

#: What a Debian with a desktop has, and this bare one has not; and the sandbox.
_OF_A_DESKTOP = (
    "bubblewrap", "libegl1", "libgl1", "libfontconfig1", "libfreetype6", "libdbus-1-3", "libxkbcommon0",
    "libx11-xcb1", "libxcb1", "libglib2.0-0",
)  # fmt: skip
_FOLDER = "/opt/partner-desktop"
_BACKWARDS = '''\
from mcp.server import MCPServer

server = MCPServer("backwards")


@server.tool()
def turn_round(text: str) -> str:
    """Write a text backwards"""
    return text[::-1]


server.run()
'''
#: Runs for as long as it is let.
_LASTING = """\
# /// partner
# description = "Stay where you are"
# ///
import time
print("here", flush=True)
time.sleep(3600)
"""


#: As on every desktop: whoever mounts has a name, and may open the device.
_MAY_MOUNT = """
useradd --uid 1000 --home-dir /home/person --no-create-home person
test -e /etc/mtab || ln -s ../proc/self/mounts /etc/mtab
mknod -m 666 /run/fuse c 10 229
mount --bind /run/fuse /dev/fuse
"""


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, as it is built here, or lies where the environment says."""
    if _BUILT in os.environ:
        return Path(os.environ[_BUILT])
    needed_tools("patchelf", "strip")
    folder = tmp_path_factory.mktemp("frozen")
    (wheel,) = build_packages(REPOSITORY, folder / "built", "wheel")
    script = REPOSITORY / "packaging" / "frozen_folder.py"
    subprocess.run([sys.executable, script, folder / "partner-desktop", "--wheel", wheel], check=True)
    return folder / "partner-desktop"


@pytest.fixture(scope="module")
def system(frozen: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CleanRoot]:
    """A Debian with what a desktop has, with the folder, and without Python."""
    with clean_root(tmp_path_factory.mktemp("system")) as made:
        made.as_root("apt-get", "install", "-qq", "--no-install-recommends", *_OF_A_DESKTOP)
        shutil.copytree(frozen, made.folder / _FOLDER[1:], symlinks=True)
        assert not list(made.folder.glob("usr/bin/python*"))
        yield made


def _installed(system: CleanRoot, name: str, **variables: str) -> Installed:
    """With a home of its own."""
    home = Path("/home/person") / name
    return Installed(
        [f"{_FOLDER}/partner-desktop"],
        home,
        root=system.folder,
        prefix=system.entering(),
        variables=variables,
    )


@pytest.mark.promise("packaging.frozen")
def test_in_its_window_somebody_chats_drops_a_script_approves_its_card_and_sees_the_result(
    system: CleanRoot, tmp_path: Path
) -> None:
    needed_tools("Xvfb")
    with person_at_screen() as person:
        installed = _installed(system, "window", DISPLAY=person.name, QT_QPA_PLATFORM="xcb")
        with installed.window():
            person.window("Partner")
            person.type("hello\n")
            _until("an answer", lambda: _said(installed, "I am answering without a language model"))

            _drop(installed, "greet_somebody", DROPPED)
            person.type('greet "Ada"\n')
            _until("a card", lambda: _runs(installed, "waiting"))
            # The card's button stands above the one that sends; it takes no click before it was seen.
            _until("its button", lambda: len(person.filled(LIGHT.accent)) > 1)
            person.picture(tmp_path / "waiting.png")
            assert not _runs(installed, "succeeded")

            def pressed() -> object:
                person.click(person.filled(LIGHT.accent)[0])
                return _runs(installed, "succeeded")

            _until("the run", pressed)
            _until("the result", lambda: _said(installed, "Hello, Ada!"))
            person.picture(tmp_path / "result.png")
        (run,) = _runs(installed, "succeeded")
        assert run["data"]["python"].startswith(f"{_FOLDER}/python/bin/python3")
        assert run["data"]["network"] == "closed"


def test_in_the_terminal_it_chats_and_runs_a_script_held_by_the_sandbox(system: CleanRoot) -> None:
    installed = _installed(system, "terminal")
    found = installed.findings()
    names = ("sandbox", "engine", "models held", "meaning")
    assert {name: found[name]["state"] for name in names} == dict.fromkeys(names, "ok")
    assert first_session(installed)["python"].startswith(f"{_FOLDER}/python/bin/python3")


def test_a_model_answers_from_its_worker(system: CleanRoot) -> None:
    installed = _installed(system, "model")
    make_tiny_model(system.folder / "home" / "person" / "tiny.gguf")
    installed.run("models", "use", "/home/person/tiny.gguf")
    with installed.window():
        said = events_of(installed.run("chat", "--once", "hello", "--json"))
        assert [event for event in said if event["type"] == "reply" and event["text"]]
        (model,) = (one for one in events_of(installed.run("models", "list", "--json")) if one["in_use"])
        assert (model["name"], model["state"]) == ("tiny", "ready")
        assert _processes("partner_desktop.model", "tiny.gguf")


def test_servers_are_used_and_it_is_one_itself(system: CleanRoot) -> None:
    installed = _installed(system, "servers")
    server = system.folder / "home" / "person" / "backwards.py"
    server.write_text(_BACKWARDS, encoding="utf-8")
    command = {"command": f"{_FOLDER}/app/bin/python", "args": ["/home/person/backwards.py"]}
    with installed.window():
        _put(installed, "mcp/backwards.json", json.dumps({"mcpServers": {"backwards": command}}))
        (question,) = _until("the server", lambda: _questions(installed))
        installed.run("servers", "allow", "backwards", "--shown", question["shown_hash"])
        _until("its tool", lambda: "backwards::turn_round" in installed.run("actions", "list"))
        done = installed.run(
            "actions", "run", "backwards::turn_round", "text=abc", "--approve", "all", "--json"
        )
        assert "cba" in done
        _drop(installed, "greet_somebody", DROPPED)
        assert "greet_somebody" in asyncio.run(_tools(installed))


async def _tools(installed: Installed) -> list[str]:
    """What a client of another program finds in `mcp-server`."""
    command, *arguments = [*installed.prefix, *installed.command, "mcp-server"]
    server = StdioServerParameters(command=command, args=arguments, env=installed.environment, cwd="/")
    async with Client(server) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


def test_what_runs_dies_with_it_even_when_it_is_killed(system: CleanRoot) -> None:
    installed = _installed(system, "killed")
    with installed.window() as process:
        _drop(installed, "stay_put", _LASTING)
        arguments = [*installed.command, "actions", "run", "local::stay_put", "--approve", "all"]
        with subprocess.Popen([*installed.prefix, *arguments], env=installed.environment) as asking:
            try:
                _until("the run", lambda: _processes("stay_put.py"))
                assert _processes("guard.py", "stay_put.py")
                process.kill()
                process.wait()
                _until("its end", lambda: not _processes("stay_put.py"))
            finally:
                asking.kill()


def test_as_one_file_it_is_mounted_or_unpacked_and_starts_chats_and_runs_a_script(
    frozen: Path, system: CleanRoot
) -> None:
    needed_tools("mksquashfs")
    system.as_root("apt-get", "install", "-qq", "--no-install-recommends", "fuse3")
    system.as_root("sh", "-ec", _MAY_MOUNT)
    target = system.folder / "home" / "person" / "Partner.AppImage"
    subprocess.run([sys.executable, REPOSITORY / "packaging" / "appimage.py", frozen, target], check=True)
    home = Path("/home/person/image")
    installed = Installed(
        ["/home/person/Partner.AppImage"], home, root=system.folder, prefix=system.entering()
    )
    assert first_session(installed)["python"].startswith("/tmp/.mount_")
    started = json.loads(installed.run("mcp-server", "--print-config"))["mcpServers"]["partner-desktop"]
    assert started["command"] == "/home/person/Partner.AppImage"
    _until("the end of the mounts", lambda: not list(system.folder.glob("tmp/.mount_*")))

    installed.environment["APPIMAGE_EXTRACT_AND_RUN"] = "1"
    assert "Partner" in installed.run("doctor", codes=(0, 1))
    assert not list(system.folder.glob("tmp/.appimage_*"))


def _approved(person: PersonAtScreen, installed: Installed) -> bool:
    """Press the upper button, while it is there; whether the script ran."""
    buttons = person.filled(LIGHT.accent)
    if len(buttons) > 1:
        person.click(buttons[0])
    return bool(_runs(installed, "succeeded"))


def _put(installed: Installed, name: str, text: str) -> None:
    """As the person saves a file below `action/`."""
    file = installed.outside(installed.home) / "action" / name
    _until("the folder", file.parent.parent.is_dir)
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    for path in (file.parent, file):
        os.chown(path, USER, USER)


def _drop(installed: Installed, name: str, text: str) -> None:
    """Save a script in the folder, and wait until it is listed."""
    _put(installed, f"dynamic/{name}.py", text)
    _until(name, lambda: f"local::{name}" in installed.run("actions", "list"))


def _runs(installed: Installed, status: str) -> list[dict[str, Any]]:
    runs = events_of(installed.run("actions", "runs", "--json"))
    return [run for run in runs if run["status"] == status]


def _questions(installed: Installed) -> list[dict[str, Any]]:
    """What servers wait for a yes."""
    servers = events_of(installed.run("servers", "list", "--json"))
    return [one["question"] for one in servers if one["question"]]


def _said(installed: Installed, words: str) -> bool:
    """Whether an answer in any conversation holds them."""
    talks = events_of(installed.run("conversations", "list", "--json"))
    return any(words in installed.run("messages", "list", talk["id"], "--json") for talk in talks)


def _processes(*words: str) -> list[list[str]]:
    """The command lines of this machine in which all of these stand."""
    lines: list[list[str]] = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it went while it was looked at
            lines.append(place.read_bytes().decode(errors="replace").split("\0"))
    return [line for line in lines if all(any(word in part for part in line) for word in words)]


def _until(what: str, find: Callable[[], Found]) -> Found:
    """Look again and again; what is found.

    Raises:
        AssertionError: It does not come.
    """
    begun = time.monotonic()
    while not (found := find()):
        assert time.monotonic() - begun < WAIT_S, f"{what} does not come"
        time.sleep(LOOK_S)
    return found
