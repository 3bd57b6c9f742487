"""The bootstrap as a user meets it: a subprocess in a small checkout, with a real venv and a real pip."""

import ast
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.small_checkout import (
    PACKAGING,
    PATIENCE_S,
    ROOT,
    Prepare,
    SmallCheckout,
    assert_one_sentence,
    listening,
    make_checkout,
    read_until,
)


def load_bootstrap() -> ModuleType:
    """Import packaging/bootstrap.py, which imports nothing of ours before it knows the Python."""
    spec = importlib.util.spec_from_file_location("bootstrap", PACKAGING / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def old_pythons_here() -> list[str]:
    """Return the commands of Pythons that are too old and really start."""
    return [command for command in (f"python3.{minor}" for minor in range(6, 11)) if starts(command)]


def starts(command: str) -> bool:
    """Tell whether a Python is there; a version manager's shim may stand for one that is not."""
    path = shutil.which(command)
    return (
        path is not None
        and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0
    )


# The Python that runs it


def test_an_old_python_gets_one_sentence_with_both_versions() -> None:
    complaint = load_bootstrap().complaint_about_python((3, 6, 15), "")
    assert "3.6.15" in complaint
    assert "3.11 or newer" in complaint
    assert "python3.11 to python3.14 was found on PATH" in complaint
    assert "\n" not in complaint


def test_an_old_python_is_told_the_command_with_a_newer_one() -> None:
    complaint = load_bootstrap().complaint_about_python((3, 10, 0), "python3.12")
    assert complaint.endswith("run: python3.12 packaging/bootstrap.py run")


def test_a_python_that_is_new_enough_gets_no_complaint() -> None:
    assert load_bootstrap().complaint_about_python((3, 11, 0), "") == ""


def test_the_oldest_python_is_the_one_that_pyproject_requires() -> None:
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert required == ">=" + ".".join(map(str, load_bootstrap().OLDEST_PYTHON))


def test_bootstrap_parses_on_the_oldest_python_that_gets_the_sentence() -> None:
    source = (PACKAGING / "bootstrap.py").read_text()
    tree = ast.parse(source, feature_version=(3, 6))
    futures = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    assert futures == [], "Python 3.6 does not know `from __future__ import annotations`"


def test_a_real_old_python_prints_the_sentence_and_exits_with_1() -> None:
    found = old_pythons_here()
    for command in found:
        result = subprocess.run(
            [command, str(PACKAGING / "bootstrap.py"), "run"],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        sentence = assert_one_sentence(result, 1)
        assert f"this is Python {command.removeprefix('python')}." in sentence
    if not found:
        pytest.skip("no Python that is too old is installed")


# Misuse and trouble


@pytest.mark.parametrize(("arguments", "problem"), [((), "A command is missing"), (("fly",), "'fly'")])
def test_misuse_is_answered_with_the_usage_and_exit_code_2(
    tmp_path: Path, arguments: tuple[str, ...], problem: str
) -> None:
    sentence = assert_one_sentence(make_checkout(tmp_path).run(*arguments), 2)
    assert problem in sentence
    assert "run [app arguments] | test [pytest arguments]" in sentence


def test_a_broken_pyproject_is_named(tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path)
    (checkout.root / "pyproject.toml").write_text("[project\n")
    assert "pyproject.toml is not valid TOML" in assert_one_sentence(checkout.run("run"), 1)


def test_a_checkout_that_cannot_hold_the_environment_is_named(tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path)
    checkout.venv.write_text("in the way")
    assert str(checkout.venv) in assert_one_sentence(checkout.run("run"), 1)


@pytest.mark.slow
def test_an_unreachable_registry_is_said_without_naming_its_host(prepare: Prepare) -> None:
    checkout = prepare("no-such-package")
    del checkout.environment["PIP_NO_INDEX"]
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # bound, but nobody listens: connections are refused
        index = f"http://127.0.0.1:{nobody.getsockname()[1]}/simple"
        result = checkout.run("run", PIP_INDEX_URL=index, PIP_RETRIES="0")
    sentence = assert_one_sentence(result, 1)
    assert "The package registry cannot be reached; check the network or pip's configuration" in sentence
    assert ".venv/install.log" in sentence
    assert "127.0.0.1" not in result.stderr
    assert "no-such-package" in (checkout.venv / "install.log").read_text()


@pytest.mark.parametrize("package", ["no-such-package", "small-package"], ids=["unknown", "pinned"])
@pytest.mark.slow
def test_a_package_that_is_nowhere_is_named(tmp_path: Path, prepare: Prepare, package: str) -> None:
    result = prepare(package).run("test", PIP_FIND_LINKS=str(tmp_path))
    sentence = assert_one_sentence(result, 1)
    assert f"pip finds no ready-made {package}" in sentence
    assert ".venv/install.log" in sentence


# The first run and the next ones


@pytest.mark.promise("packaging.bootstrap")
@pytest.mark.slow
def test_the_app_gets_its_arguments_and_gives_its_exit_code(installed: SmallCheckout) -> None:
    result = installed.run("run", "--fail", "--rebuild-engine", "two words")
    assert result.returncode == 7
    action_dir = str(installed.root / "action")
    assert json.loads(result.stdout)["arguments"] == ["--action-dir", action_dir, "--fail", "two words"]


@pytest.mark.integration
def test_an_action_dir_of_the_user_is_the_only_one(installed: SmallCheckout) -> None:
    result = installed.run("run", "--action-dir=mine")
    assert json.loads(result.stdout)["arguments"] == ["--action-dir=mine"]


@pytest.mark.integration
def test_the_console_script_is_there_after_the_first_run(installed: SmallCheckout) -> None:
    assert os.access(installed.venv / "bin" / "partner-desktop", os.X_OK)


@pytest.mark.integration
def test_the_second_run_starts_without_pip(installed: SmallCheckout) -> None:
    log = installed.venv / "install.log"
    before = log.stat().st_mtime_ns
    result = installed.run("run")
    assert result.returncode == 0
    assert "Installing" not in result.stderr
    assert log.stat().st_mtime_ns == before


@pytest.mark.integration
def test_a_package_whose_installation_was_cut_short_is_installed_again(installed: SmallCheckout) -> None:
    next(installed.site_packages.glob("small_package-1.dist-info/RECORD")).unlink()
    (installed.site_packages / "small_package.py").unlink()
    (installed.venv / "installed-run").unlink()
    assert installed.run("run").returncode == 0
    assert (installed.site_packages / "small_package.py").exists()


@pytest.mark.slow
def test_an_installation_that_was_killed_is_completed_by_the_next_run(tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path)
    with listening() as (server, port), checkout.start("run", PAUSE=port) as process:
        pip, _ = server.accept()
        with pip:
            for group in (process.pid, int(pip.recv(20))):
                os.killpg(group, signal.SIGKILL)
            process.communicate(timeout=PATIENCE_S)
    assert not (checkout.venv / "installed-run").exists()
    result = checkout.run("run")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["arguments"][0] == "--action-dir"


@pytest.mark.slow
def test_an_installation_that_is_stopped_leaves_no_process_behind(prepare: Prepare) -> None:
    checkout = prepare()
    with listening() as (server, port), checkout.start("run", PAUSE=port) as process:
        pip, _ = server.accept()
        with pip:
            pip.settimeout(PATIENCE_S)
            assert pip.recv(20)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE_S)
            assert pip.recv(1) == b"", "its end of the connection is closed"
    assert process.returncode == 130
    assert "Traceback" not in errors


@pytest.mark.slow
def test_a_second_bootstrap_waits_for_the_first_with_a_sentence(prepare: Prepare) -> None:
    checkout = prepare()
    with listening() as (server, port), checkout.start("run", PAUSE=port) as first:
        pip, _ = server.accept()
        with pip, checkout.start("run") as second:
            assert second.stderr is not None
            read_until(second.stderr, "Another bootstrap is installing into .venv")
            pip.sendall(b"!")
            second.communicate(timeout=PATIENCE_S)
        first.communicate(timeout=PATIENCE_S)
    assert (first.returncode, second.returncode) == (0, 0)


@pytest.mark.slow
def test_ctrl_c_ends_the_app_and_exits_with_130(installed: SmallCheckout) -> None:
    with installed.start("run", "--stay") as process:
        assert process.stdout is not None
        read_until(process.stdout, "arguments")
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert "interrupted" in output


@pytest.mark.integration
def test_a_missing_sandbox_is_named_and_the_app_starts(installed: SmallCheckout) -> None:
    result = installed.run("run")
    assert "Missing on this system, please install: bwrap." in result.stderr
    assert result.returncode == 0


# The constraints


def test_every_package_that_pyproject_names_is_pinned_in_the_constraints() -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = document["project"]
    extras = [each for extra in project["optional-dependencies"].values() for each in extra]
    named = [*project["dependencies"], *extras, *document["build-system"]["requires"]]
    lines = (PACKAGING / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    names = [pin.partition("==")[0] for pin in pins]
    wanted = {re.split(r"[^A-Za-z0-9._-]", each, maxsplit=1)[0].lower().replace("_", "-") for each in named}
    assert wanted - set(names) == set()
    assert names == sorted(names)
    assert [pin for pin in pins if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", pin)] == []
