"""The engine's build as a user meets it: behind the window with `run`, in the foreground with `test`."""

import json
import os
import re
import signal
from pathlib import Path

import pytest

from tests.packaging.small_checkout import PATIENCE_S, SmallCheckout, listening, read_until


@pytest.mark.integration
def test_without_a_compiler_the_app_starts_and_the_status_says_what_to_install(
    installed: SmallCheckout,
) -> None:
    result = installed.run("run")
    engine = json.loads(result.stdout)["engine"]
    assert engine["state"] == "failed"
    assert engine["detail"] == (
        "No C/C++ compiler was found, so the local model engine is not built; everything else works. "
        "Install one (on Debian: apt-get install build-essential) and start again."
    )
    assert engine["detail"] in result.stderr
    assert result.returncode == 0


@pytest.mark.integration
@pytest.mark.promise("packaging.bootstrap")
def test_the_window_opens_before_the_engine_is_built_and_may_close_before_it_is(
    with_compiler: SmallCheckout,
) -> None:
    with listening() as (server, port), with_compiler.start("run", "--stay", COMPILER=port) as process:
        assert process.stdout is not None
        app = json.loads(read_until(process.stdout, "arguments"))
        compiler, _ = server.accept()
        with compiler:
            assert app["engine"]["state"] == "building"
            assert process.poll() is None
            _, errors = process.communicate("close the window\n", timeout=PATIENCE_S)
            assert process.returncode == 0
            assert "still being built in the background; the next run uses it" in errors
            assert with_compiler.engine()["state"] == "building"
            compiler.sendall(b"succeed")
    with_compiler.wait_for_builder()
    assert with_compiler.engine()["state"] == "done"
    assert with_compiler.engine()["percent"] == 100
    assert (with_compiler.site_packages / "llama_cpp.py").exists()
    assert json.loads(with_compiler.run("run").stdout)["engine"]["state"] == "done"


@pytest.mark.integration
def test_a_run_during_the_build_does_not_start_another(with_compiler: SmallCheckout) -> None:
    with listening() as (server, port):
        with_compiler.run("run", COMPILER=port)
        compiler, _ = server.accept()
        with compiler:
            result = with_compiler.run("run", COMPILER=port)
            assert "The local model engine is being built already." in result.stderr
            assert json.loads(result.stdout)["engine"]["state"] == "building"
            compiler.sendall(b"succeed")
    with_compiler.wait_for_builder()


@pytest.mark.integration
def test_a_build_that_was_killed_starts_again_with_the_next_run(with_compiler: SmallCheckout) -> None:
    with listening() as (server, port):
        with_compiler.run("run", COMPILER=port)
        compiler, _ = server.accept()
        with compiler:
            os.kill(int(str(with_compiler.engine()["pid"])), signal.SIGTERM)
            with_compiler.wait_for_builder()
        assert with_compiler.engine()["state"] == "failed"
        assert "starts again with the next run" in str(with_compiler.engine()["detail"])
        with_compiler.run("run", COMPILER=port)
        compiler, _ = server.accept()
        with compiler:
            compiler.sendall(b"succeed")
    with_compiler.wait_for_builder()
    assert with_compiler.engine()["state"] == "done"


@pytest.mark.slow
def test_a_failed_build_keeps_its_log_and_is_tried_again_only_on_request(
    with_compiler: SmallCheckout,
) -> None:
    with listening() as (server, port):
        with_compiler.run("run", COMPILER=port)
        compiler, _ = server.accept()
        with compiler:
            compiler.sendall(b"give up")
        with_compiler.wait_for_builder()
        assert with_compiler.engine()["state"] == "failed"
        assert ".venv/engine-build.log" in str(with_compiler.engine()["detail"])
        assert "the compiler gave up" in (with_compiler.venv / "engine-build.log").read_text()
        assert "it is not tried again" in with_compiler.run("run", COMPILER=port).stderr
        with_compiler.run("run", "--rebuild-engine", COMPILER=port)
        compiler, _ = server.accept()
        with compiler:
            compiler.sendall(b"succeed")
    with_compiler.wait_for_builder()
    assert with_compiler.engine()["state"] == "done"


# `test`


@pytest.mark.promise("packaging.bootstrap")
@pytest.mark.slow
def test_test_builds_the_engine_with_progress_and_ends_with_what_pytest_says(
    with_compiler: SmallCheckout,
) -> None:
    (with_compiler.root / "test_small.py").write_text("def test_engine():\n    import llama_cpp\n")
    # The small checkout has no pytest of its own: it borrows this one's.
    borrowed = {"PYTHONPATH": str(Path(pytest.__file__).parents[1]), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    options = ("-p", "no:cacheprovider", "test_small.py")
    with (
        listening() as (server, port),
        with_compiler.start("test", *options, COMPILER=port, **borrowed) as process,
    ):
        assert process.stderr is not None
        compiler, _ = server.accept()
        with compiler:
            read_until(process.stderr, "Building the local model engine: 50 %.")
            compiler.sendall(b"succeed")
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, output + errors
    assert re.fullmatch(r"=+ 1 passed in .*=+", output.strip().splitlines()[-1])
    assert errors.strip().splitlines()[-1] == "The local model engine is ready."
    (with_compiler.root / "test_small.py").write_text("def test_engine():\n    raise AssertionError\n")
    assert with_compiler.run("test", *options, **borrowed).returncode == 1
