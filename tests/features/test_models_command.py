"""The real program: models taken in, listed, used, loaded and taken out from a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.model.engine import needs_engine
from tests.model.tiny import make_tiny_model

from .test_command_line import Cli, cli

pytestmark = [pytest.mark.integration, needs_engine]

__all__ = ["cli"]


@pytest.mark.slow
def test_a_file_becomes_the_model_that_answers_and_goes_again(cli: Cli) -> None:
    path = make_tiny_model(cli.cwd / "tiny.gguf")
    assert "There are no models yet" in cli.run("models", "list").stdout
    used = cli.run("models", "use", "tiny.gguf")
    assert (used.stdout, used.returncode) == ("tiny answers from now on.\n", 0)
    code, (listed,) = cli.events("models", "list")
    assert (code, listed["name"], listed["in_use"], listed["where"]) == (0, "tiny", True, str(path))
    loaded = cli.run("models", "load", "tiny")
    assert loaded.stdout.startswith("tiny is loaded: ")
    assert "4,096 tokens" in loaded.stdout
    assert "✓ model          tiny (~/tiny.gguf); it answers\n" in cli.run("doctor").stdout
    assert cli.run("models", "use", "starter").stdout == "The starter mind answers from now on.\n"
    path.write_text("no model any more")
    assert "✗ model          tiny: " in cli.run("doctor").stdout
    assert "is taken out" in cli.run("models", "remove", "tiny").stdout
    assert path.exists()
    refused = cli.run("models", "use", "nobody")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "There is no model called nobody; there are none yet." in refused.stderr
    broken = cli.run("models", "use", "./tiny.gguf")
    assert (broken.returncode, broken.stdout) == (1, "")
    assert "is not a model in the GGUF format" in broken.stderr


def test_a_model_is_loaded_in_the_partner_that_runs_and_stays_there(cli: Cli, tmp_path: Path) -> None:
    make_tiny_model(tmp_path / "tiny.gguf")
    cli.host()
    cli.cwd = tmp_path  # the path is the command's
    assert cli.run("models", "use", "tiny.gguf").returncode == 0
    code, (done,) = cli.events("models", "load", "tiny")
    assert (code, done["name"], done["in_use"], done["state"]) == (0, "tiny", True, "ready")
    assert cli.events("models", "list")[1][0]["state"] == "ready"
    assert "✓ model          tiny, ready (" in cli.run("doctor").stdout
    assert cli.events("models", "unload", "tiny")[1][0]["state"] == "idle"
    assert cli.run("models", "key", "tiny", stdin="abc\n").returncode == 2


def test_a_model_for_one_conversation_and_one_of_meaning_are_chosen_by_name(cli: Cli) -> None:
    make_tiny_model(cli.cwd / "meaning.gguf", embeds=True)
    chat = make_tiny_model(cli.cwd / "tiny.gguf")
    assert cli.run("models", "embed", "meaning.gguf").stdout.startswith(
        "Meanings are compared by meaning from now"
    )
    assert "~/meaning.gguf" in cli.run("doctor").stdout
    assert "all-MiniLM" in cli.run("models", "embed", "shipped").stdout
    refused = cli.run("models", "embed", str(chat))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "is no embedding model" in refused.stderr
    unknown = cli.run("models", "use", "starter", "--conversation-id", "nowhere")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "There is no conversation nowhere" in unknown.stderr


@pytest.mark.slow
def test_a_model_is_tried_out_beside_the_starter_mind_and_a_question_left_to_that(cli: Cli) -> None:
    path = make_tiny_model(cli.cwd / "tiny.gguf", context_tokens=32_768, width=32, layers=1)
    cli.run("models", "use", "tiny.gguf")
    settings = cli.home / "config" / "model.toml"  # it babbles no longer than needs be
    settings.write_text(f"max_tokens = 16\n{settings.read_text('utf-8')}", "utf-8")
    assert "has not been tested yet" in cli.run("models", "checked", "tiny").stdout
    checked = cli.run("models", "check", "tiny")
    assert checked.returncode == 0
    lines = checked.stdout.splitlines()
    assert lines[0].startswith("tiny: ")
    assert " of 20 tasks" in lines[0]
    assert [line.split()[0][-2:] for line in lines[2:8]] == ["/4", "/4", "/3", "/3", "/3", "/3"]
    assert lines[5].split()[1:] == ["–", "keeps", "to", "a", "form"]
    assert lines[8] == "Not passed:"
    code, (kept,) = cli.events("models", "checked", "tiny")
    assert (code, len(kept["results"]), kept["trouble"]) == (0, 20, "")
    told = cli.run("models", "prefer", "extract_params", "--starter").stdout
    assert told == "“extract_params” stays with the starter mind now.\n"
    assert "extract_params   stays with the starter mind" in cli.run("models", "compare", "tiny").stdout
    assert cli.run("models", "prefer", "extract_params", "--no-starter").returncode == 0
    path.write_text("no model any more")
    refused = cli.run("models", "check", "tiny")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "tiny.gguf" in refused.stderr


def test_a_file_whose_name_has_lines_is_one_model_in_the_list(cli: Cli) -> None:
    (cli.cwd / "mine").mkdir()
    make_tiny_model(cli.cwd / "mine" / "a\n✓ better\u202e.gguf", width=32, layers=1)
    found = cli.run("models", "find", "--folder", str(cli.cwd / "mine")).stdout
    assert [line[:4] for line in found.splitlines()] == ["✓ a⟨", "    "]
    assert found.count("a⟨↵⟩✓ better⟨U+202E⟩") == 2
