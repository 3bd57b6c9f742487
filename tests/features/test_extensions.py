"""Installed packages add modules, gateways and agents to the real program; broken ones are left out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.installed import allow, install
from tests.support import REPOSITORY, run_cli_arguments

pytestmark = pytest.mark.integration

TIMEOUT_S = 60.0

GOOD = """
from partner_desktop.runtime.module import RunningModule
class Good(RunningModule):
    order = 4
    async def execute(self, flow):
        pass
class NeedsTheMoon(RunningModule):
    order = 4
    def __init__(self, moon: "Good") -> None:
        pass
    async def execute(self, flow):
        pass
class Stumbles(RunningModule):
    order = 4
    async def launch(self):
        raise OSError("no shoes")
    async def execute(self, flow):
        pass
class Shut:
    def __init__(self, host, params):
        raise ValueError("no key")
number = 3
"""


class StatusController:
    """One home, and a folder of installed packages."""

    def __init__(self, tmp_path: Path) -> None:
        self.home, self.action_dir, self.site = tmp_path / "home", tmp_path / "action", tmp_path / "site"
        self.notebook = tmp_path / "notebook.jsonl"
        (self.action_dir / "dynamic").mkdir(parents=True)

    @property
    def environment(self) -> dict[str, str]:
        paths = os.pathsep.join((str(REPOSITORY), str(self.site)))
        return os.environ | {"PYTHONPATH": paths, "PARTNER_NOTEBOOK": str(self.notebook)}

    def arguments(self, *arguments: str) -> list[str]:
        where = ["--home", str(self.home), "--action-dir", str(self.action_dir)]
        return run_cli_arguments(*arguments, *where)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.arguments(*arguments),
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )

    def written(self) -> str:
        return self.notebook.read_text(encoding="utf-8") if self.notebook.exists() else ""

    def log(self) -> str:
        return (self.home / "logs" / "partner.log").read_text(encoding="utf-8")


@pytest.fixture
def house(tmp_path: Path) -> StatusController:
    return StatusController(tmp_path)


def wait_until(holds: Callable[[], object], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not holds():
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < deadline, "it never came"
        os.sched_yield()


@pytest.mark.promise("framework.entrypoints")
@pytest.mark.real_start
@pytest.mark.slow
def test_an_installed_package_adds_a_module_a_gateway_and_an_agent(house: StatusController) -> None:
    install_example = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    install_example += ["--no-build-isolation", "--disable-pip-version-check", "--target", str(house.site)]
    subprocess.run(
        [*install_example, str(REPOSITORY / "tests" / "extension_example")], check=True, timeout=TIMEOUT_S
    )
    allow(house.home, house.site, "partner-extension-example")
    settings = f'[[gateway]]\nname = "notebook"\nparams = {{ file = "{house.notebook}" }}\n'
    (house.home / "config" / "gateways.toml").write_text(settings, encoding="utf-8")
    with subprocess.Popen(
        house.arguments("chat", "--json"),
        env=house.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        wait_until(
            lambda: house.notebook.exists() and '"type": "done"' in house.notebook.read_text(), process
        )
        shown, _ = process.communicate("hello\n", timeout=TIMEOUT_S)
        assert process.returncode == 0
    written = [json.loads(line) for line in house.written().splitlines()]
    assert next(event["message"]["text"] for event in written if event["type"] == "message") == "hello"
    assert any(event["type"] == "reply" and event["done"] and event["text"] for event in written)
    notices = [json.loads(line) for line in shown.splitlines() if '"notice"' in line]
    assert [event["text"] for event in notices] == ["This is turn 2 since the start."]
    doctor = house.run("doctor").stdout
    for line in ("module turn_counter", "gateway notebook", "agent gardener"):
        assert f"{line} (partner-extension-example 1.2.0)" in doctor


@pytest.mark.real_start
@pytest.mark.parametrize("where", ["the folder it is started in", "a folder of everybody's"])
def test_what_lies_where_anybody_puts_things_is_not_imported(
    house: StatusController, tmp_path: Path, where: str
) -> None:
    imported = tmp_path / "imported"
    code = f"open({str(imported)!r}, 'w').close()\nclass Evil:\n    pass\n"
    install(house.site, "ext-evil", code, {"agents": {"evil": "Evil"}})
    allow(house.home, house.site, "ext-evil")  # what lies there may say that name, too
    here = where == "the folder it is started in"
    house.site.chmod(0o755 if here else 0o777)
    done = subprocess.run(
        house.arguments("chat", "--once", "hello"),
        env=house.environment | ({"PYTHONPATH": str(REPOSITORY)} if here else {}),
        cwd=house.site if here else tmp_path,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not imported.exists()


@pytest.mark.parametrize("said", ["nothing", "of another place", "of another name", "that it stays off"])
@pytest.mark.slow
def test_a_package_that_was_not_allowed_where_it_lies_is_told_of_and_not_imported(
    house: StatusController, tmp_path: Path, said: str
) -> None:
    imported = tmp_path / "imported"
    code = f"open({str(imported)!r}, 'w').close()\nclass Twice:\n    pass\n"
    install(house.site, "ext-new", code, {"agents": {"new": "Twice"}, "gateways": {"newer": "Twice"}})
    if said != "nothing":
        place = house.site.parent if said == "of another place" else house.site
        allow(house.home, place, "ext-other" if said == "of another name" else "ext-new")
    if said == "that it stays off":
        with (house.home / "config" / "extensions.toml").open("a", encoding="utf-8") as settings:
            settings.write("enabled = false\n")
    talked = house.run("chat", "--once", "hello")
    assert talked.returncode == 0, talked.stderr
    looked = house.run("doctor", "--json").stdout
    found = [one["detail"] for one in map(json.loads, looked.splitlines()) if one["name"] == "extension"]
    assert not imported.exists()
    assert len(found) == (said != "that it stays off")
    assert talked.stderr == "".join(text + "\n" for text in found)
    if found:  # and the lines that it names are those that allow it
        assert "ext-new 1.0" in found[0]
        assert "gateway newer, agent new" in found[0]
        lines = found[0].partition("\n")[2]
        (house.home / "config" / "extensions.toml").write_text(lines, encoding="utf-8")
        assert "agent new (ext-new 1.0)" in house.run("doctor").stdout
        assert imported.exists()


@pytest.mark.promise("framework.entrypoints")
def test_broken_extensions_are_named_with_their_reason_and_the_rest_works(house: StatusController) -> None:
    modules = {"good": "Good", "moonstruck": "NeedsTheMoon", "barefoot": "Stumbles", "three": "number"}
    install(
        house.site, "ext-one", GOOD, {"modules": modules | {"twice": "Good"}, "gateways": {"shut": "Shut"}}
    )
    install(house.site, "ext-two", GOOD, {"modules": {"twice": "Good"}})
    install(house.site, "ext-bad", "raise SystemExit('not today')\n", {"agents": {"rude": "Rude"}})
    allow(house.home, house.site, "ext-one", "ext-two", "ext-bad")
    (house.home / "config" / "gateways.toml").write_text('[[gateway]]\nname = "shut"\n', encoding="utf-8")
    said = house.run("chat", "--once", "hello")
    assert said.returncode == 0
    log = house.log()
    for reason in (
        "moonstruck of ext-one 1.0 is left out: NeedsTheMoon needs moon: Good, which nothing provides.",
        "barefoot of ext-one 1.0 is left out: Stumbles could not start: no shoes",
        "three of ext-one 1.0 is left out: ext_one:number is not a class.",
        "twice of ext-one 1.0 is left out: ext-two 1.0 gives the same name.",
        "twice of ext-two 1.0 is left out: ext-one 1.0 gives the same name.",
        "rude of ext-bad 1.0 is left out: SystemExit: not today",
        "no key",
    ):
        assert reason in log, f"{reason}\n\n{log}"
    doctor = house.run("doctor")
    assert "module good (ext-one 1.0)" in doctor.stdout
    assert "rude of ext-bad 1.0 is left out" in doctor.stdout
    assert doctor.returncode == 1
