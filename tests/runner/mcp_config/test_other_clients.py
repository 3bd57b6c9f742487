"""A configuration that works in another client works here, pasted as it is."""

from __future__ import annotations

import pytest

from partner_desktop.runner.mcp.configuration.server_file import read_servers
from partner_desktop.runner.mcp.port import ServerConfig
from tests.runner.mcp_config import samples
from tests.runner.mcp_config.reads import FILE, servers
from tests.tables import all_rows


def the(text: str, name: str) -> ServerConfig:
    return servers(text)[name].config


@pytest.mark.promise("actions.mcp.formats")
def test_claude_desktops_servers_run_on_this_computer() -> None:
    found = servers(samples.CLAUDE_DESKTOP)
    assert list(found) == ["filesystem", "github"]
    assert found["filesystem"].config == ServerConfig(
        id="filesystem",
        transport="stdio",
        command="npx",
        args=("-y", "@modelcontextprotocol/server-filesystem", "/home/ada/Desktop"),
        folder="/action/mcp",
    )
    assert found["github"].config.env == (("GITHUB_PERSONAL_ACCESS_TOKEN", "${keyring:github}"),)
    assert (found["filesystem"].line, found["github"].line) == (4, 8)
    assert found["filesystem"].path == FILE


@pytest.mark.promise("actions.mcp.formats")
def test_the_seeds_map_reaches_its_three_transports() -> None:
    found = servers(samples.SEED)
    assert {name: each.config.transport for name, each in found.items()} == {
        "notes": "stdio",
        "weather": "sse",
        "maps": "sse",
    }
    assert found["weather"].config.url == "http://localhost:8080/sse"
    assert found["weather"].config.headers == (("X-Team", "blue"),)
    assert found["notes"].config.timeout_s == 30.0


def test_vs_codes_file_is_taken_with_its_comments_commas_and_inputs() -> None:
    found = servers(samples.VS_CODE)
    assert {name: each.config.transport for name, each in found.items()} == {
        "perplexity": "stdio",
        "github": "http",
    }
    assert found["perplexity"].line == 8
    hints = " ".join(found["perplexity"].hints)
    assert "keyring's entry `perplexity-key`" in hints
    assert "comments" in hints
    assert "comma too many" in hints


def test_a_broken_neighbour_leaves_cursors_other_servers_as_they_are() -> None:
    reading = read_servers(samples.CURSOR, path=FILE, name="servers")
    assert {each.config.id: each.config.transport for each in reading.servers} == {
        "docs": "http",
        "old": "sse",
    }
    assert [(each.id, each.line) for each in reading.faults] == [("local", 3)]


def test_what_cline_approved_is_not_approved_here() -> None:
    found = servers(samples.CLINE)
    assert found["time"].config.disabled
    assert found["time"].config.timeout_s == 60.0
    assert not found["remote"].config.disabled
    assert found["remote"].config.transport == "http"
    for each in found.values():
        assert any("decided in Partner" in hint for hint in each.hints)


@all_rows(
    "text, expected",
    [
        (samples.JAN, {"browser": ("stdio", True), "search": ("stdio", False)}),
        (samples.LM_STUDIO, {"hf-mcp-server": ("http", False)}),
        (samples.GOOSE, {"memory": ("stdio", False), "web": ("http", True)}),
        (samples.GEMINI_CLI, {"g": ("http", False)}),
        (samples.BARE, {"servers": ("stdio", False)}),
        ('{"mcp": {"servers": {"a": {"command": "x"}}}, "editor.fontSize": 12}', {"a": ("stdio", False)}),
        ('{"servers": {"command": "x"}}', {"servers": ("stdio", False)}),
        ('\ufeff{"a": {"command": "x"}}', {"a": ("stdio", False)}),
        ('{"mcpServers": {}}', {}),
        ("{}", {}),
        ('{"a": {"url": "https://${env:HOST}:8443/mcp"}}', {"a": ("http", False)}),
        ('{"a": {"url": "${env:BASE}", "endpoint": "/sse"}}', {"a": ("sse", False)}),
        ('{"a": {"type": "sse", "url": "http://h/mcp"}}', {"a": ("sse", False)}),
        ('{"a": {"type": "http", "url": "http://h/sse"}}', {"a": ("http", False)}),
        ('{"a": {"type": "stdio", "command": "x", "url": "http://h"}}', {"a": ("stdio", False)}),
    ],
)
def test_formats_tell_transport_and_switch(text: str, expected: dict[str, tuple[str, bool]]) -> None:
    found = {name: (each.config.transport, each.config.disabled) for name, each in servers(text).items()}
    assert found == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": {"command": "x", "args": [1, 2.50, true]}}', "taken as the text `2.50`"),
        ('{"a": {"command": "x", "env": {"DEBUG": true}}}', "taken as the text `true`"),
        (
            '{"a": {"command": "x", "timeout": 60000}}',
            "is in seconds; where milliseconds were meant, write 60.",
        ),
        ('{"a": {"command": "x", "timout": 3}}', "did you mean `timeout`?"),
        ('{"a": {"command": "x", "headers": {}}}', "`headers` is not used"),
        ('{"a": {"url": "http://h/mcp", "args": []}}', "`args` is not used"),
        ('{"a": {"url": "http://me:pw@h/mcp"}}', "give them as a header"),
        ('{"a": {"url": "http://h/mcp"}}', "streamable HTTP"),
        ('{"a": {"url": "http://h/sse"}}', "HTTP with SSE"),
        ('{"a": {"command": "x", "envFile": ".env"}}', "write what it holds into `env`"),
        ('{"a": {"command": "x", "tools": ["*"]}}', "list of abilities"),
    ],
)
def test_harmless_oddities_are_told(text: str, words: str) -> None:
    assert words in " ".join(servers(text)["a"].hints)


def test_numbers_among_the_arguments_keep_the_form_they_were_written_in() -> None:
    config = the('{"a": {"command": "x", "args": [1, 2.50, true], "env": {"N": 7}}}', "a")
    assert config.args == ("1", "2.50", "true")
    assert config.env == (("N", "7"),)


def test_a_configuration_does_not_show_its_secrets_in_a_log() -> None:
    text = '{"a": {"command": "x", "args": ["geheim1"], "env": {"A": "geheim2"}}, "b": {"url": "http://h/geheim3"}}'
    assert "geheim" not in repr([each.config for each in servers(text).values()])
