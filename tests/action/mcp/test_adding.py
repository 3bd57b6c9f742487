"""A configuration that somebody pastes becomes a file in `mcp/`, or a sentence that says why not."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.domain.mcp_server import ServerPhase
from tests.action.mcp.serving import plain, status, until, until_listed, until_phase, write
from tests.support import Watcher

pytestmark = pytest.mark.integration


def files(action_dir: Path) -> list[str]:
    return sorted(path.name for path in (action_dir / "mcp").iterdir() if path.is_file())


def off(**more: Any) -> dict[str, Any]:
    """A server that is not started: what is looked at is its file."""
    return {"command": "true", "disabled": True, **more}


async def test_a_pasted_config_becomes_a_file_and_its_server_gets_ready(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    said = await partner.servers.add(json.dumps({"mcpServers": {"small": plain()}}), "")
    assert said.startswith("The server small was added, in ")
    assert files(action_dir) == ["small.json"]
    assert status(partner, "small") is not None
    await until_listed(partner, watcher, "small::pid")


#: What is pasted and its name → the servers that are there then, and their file.
FORMS: dict[tuple[str, str], tuple[set[str], str]] = {
    (json.dumps({"servers": {"a": off(), "b": off()}, "inputs": []}), ""): ({"a", "b"}, "servers.json"),
    (json.dumps({"c": off()}), "my tools"): ({"c"}, "my tools.json"),
    (json.dumps(off(), indent=2), "d"): ({"d"}, "d.json"),
    ('// mine\n{"command": "true", "disabled": true, /* off */}', "e"): ({"e"}, "e.json"),
    (f'"f": {json.dumps(off())},', ""): ({"f"}, "f.json"),
    (f"\ufeff{json.dumps({'g': off()})}", "../../etc/x"): ({"g"}, "etc_x.json"),
    (json.dumps({"h": off()}), "con"): ({"h"}, "servers(1).json"),
    (json.dumps({"i": off()}), "i.disabled"): ({"i"}, "i.json"),
}


async def test_every_form_that_is_read_is_taken_under_a_name_that_is_free_and_safe(
    partner: Partner, action_dir: Path
) -> None:
    for (text, name), (ids, file) in FORMS.items():
        servers, before = {each.id for each in partner.servers.list()}, files(action_dir)
        await partner.servers.add(text, name)
        assert {each.id for each in partner.servers.list()} - servers == ids, text
        assert set(files(action_dir)) - set(before) == {file}, text


#: What is pasted and its name → a part of why it is not taken.
REFUSED: dict[tuple[str, str], str] = {
    ("", ""): "There is nothing in it; ",
    ("{}", ""): "It configures no server; ",
    ("npx some-server", "x"): "It cannot be added: ",
    ('{\n"a": {"command": }}', ""): "(line 2).",
    (json.dumps({"good": off(), "bad": {"args": []}}), ""): "the server `bad`: it has ",
    (json.dumps(off()), ""): "give it a name.",
    (json.dumps(off()), "a::b"): "has `::` in its name",
    (json.dumps({"a": off(args=["x" * 1_000_000])}), ""): "It is larger than 1 MB; ",
    (json.dumps({"new": off(), "clock": off()}), ""): "A server called clock is configured already in ",
}


async def test_what_cannot_be_taken_is_refused_with_the_reason_and_leaves_nothing(
    partner: Partner, action_dir: Path
) -> None:
    write(action_dir, "mine.json", {"clock": off()})
    for (text, name), reason in REFUSED.items():
        with pytest.raises(UsageError) as caught:
            await partner.servers.add(text, name)
        assert reason in str(caught.value)
        assert files(action_dir) == ["mine.json"], reason
    assert [each.id for each in partner.servers.list()] == ["clock"]


def at(address: str, **more: Any) -> dict[str, Any]:
    return {"url": address, "disabled": True, **more}


ADDRESS = "https://example.org/mcp"
SECRET: dict[str, dict[str, Any]] = {
    "blanks": off(env={"API_KEY": "no key of the keyring's"}),
    "query": at(f"{ADDRESS}?key=abc"),
}
KEPT_ELSEWHERE: dict[str, dict[str, Any]] = {
    "kept-env": off(env={"API_KEY": "${keyring:work}", "LANG": "C"}),
    "kept-option": off(args=["--token", "${env:TOKEN}"]),
    "kept-header": at(ADDRESS, headers={"Authorization": "Bearer ${keyring:work}"}),
}


async def test_a_file_that_holds_a_secret_is_closed_to_others(partner: Partner, action_dir: Path) -> None:
    usual = os.umask(0o022)
    try:
        for name, server in (SECRET | KEPT_ELSEWHERE).items():
            said = await partner.servers.add(json.dumps({name: server}), "")
            mode = stat.S_IMODE((action_dir / "mcp" / f"{name}.json").stat().st_mode)
            assert mode == (0o600 if name in SECRET else 0o644), name
            assert ("Only you can read that file" in said) is (name in SECRET), name
    finally:
        os.umask(usual)


#: What is pasted, as text → the keyring's entries and values, and a part of the file afterwards.
PLAIN: dict[str, tuple[dict[str, str], str]] = {
    json.dumps({"one": off(env={"GITHUB_TOKEN": "ghp_0123456789"})}): (
        {"GITHUB_TOKEN": "ghp_0123456789"},
        '"GITHUB_TOKEN": "${keyring:GITHUB_TOKEN}"',
    ),
    '{"two": {"command": "true", "disabled": true,\n // mine\n "env": {"GITHUB_TOKEN": "another-one"}}}': (
        {"two-GITHUB_TOKEN": "another-one"},
        '// mine\n "env": {"GITHUB_TOKEN": "${keyring:two-GITHUB_TOKEN}"}',
    ),
    json.dumps({"three": off(args=["--api-key=k1", "--token", "t1", "sk-0123456789abc", "--key", "/x"])}): (
        {"api-key": "k1", "token": "t1", "three-token": "sk-0123456789abc"},
        '"--key", "/x"',
    ),
    json.dumps({"four": at(ADDRESS, headers={"Authorization": "Bearer h1", "X": "xoxb-0123456789"})}): (
        {"Authorization": "h1", "X": "xoxb-0123456789"},
        '"Bearer ${keyring:Authorization}"',
    ),
}


@pytest.mark.promise("actions.mcp.secrets")
async def test_plain_secrets_of_what_is_pasted_move_to_the_keyring_and_the_rest_stays_as_it_was(
    partner: Partner, action_dir: Path, home: Home
) -> None:
    for text, (entries, part) in PLAIN.items():
        said = await partner.servers.add(text, "", allow=True)
        (name,) = json.loads(text.replace("// mine", ""))
        file = (action_dir / "mcp" / f"{name}.json").read_text()
        assert part in file
        assert "Moved to the keyring: " in said
        kept = tomllib.loads((home.root / "secrets.toml").read_text())
        for entry, value in entries.items():
            assert kept[f"mcp:{entry}"] == value
            assert f'"{value}' not in file
        found = status(partner, name)
        assert found is not None
        assert found.plain == ()


@pytest.mark.promise("actions.mcp.secrets")
async def test_a_file_with_a_plain_secret_is_told_of_and_its_server_goes_on_after_the_move(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    path = write(action_dir, "github.json", {"github": plain(env={"GITHUB_TOKEN": "ghp_0123456789"})})
    found = await until_phase(partner, watcher, "github", ServerPhase.READY)
    assert found.plain == ("GITHUB_TOKEN",)
    assert await partner.servers.move_secrets("github") == "Moved to the keyring: GITHUB_TOKEN of github."
    assert "ghp_" not in path.read_text()
    await until(partner, watcher, lambda: (now := status(partner, "github")) is not None and not now.plain)
    await until_phase(partner, watcher, "github", ServerPhase.READY)
    assert not any(isinstance(each, NoticeEvent) and "wants" in each.text for each in watcher.events)
    with pytest.raises(UsageError, match="No secret"):
        await partner.servers.move_secrets("github")


@pytest.mark.promise("actions.mcp.secrets")
async def test_a_secret_that_no_place_takes_stays_in_the_file(
    partner: Partner, action_dir: Path, home: Home
) -> None:
    (home.root / "secrets.toml").write_text("damaged")
    text = json.dumps({"one": off(env={"GITHUB_TOKEN": "ghp_0123456789"})})
    said = await partner.servers.add(text, "")
    assert "stays there" in said
    assert "ghp_0123456789" in (action_dir / "mcp" / "one.json").read_text()
