"""Before a server starts, everything its configuration names is there, or one sentence says what is not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from partner_desktop.base.errors import ConfigError
from partner_desktop.domain.mcp_server import ServerFailure, ServerStep
from partner_desktop.runner.mcp.configuration.config_resolution import resolve
from partner_desktop.runner.mcp.configuration.program import LoginPath
from partner_desktop.runner.mcp.configuration.secrets import masked_address, masked_arguments, masked_secrets
from partner_desktop.runner.mcp.port import ResolvedServer, ServerConfig, ServerEndedError
from tests.runner.mcp_config.reads import servers
from tests.runner.mcp_config.shells import ANSWER, make_program, make_shell
from tests.tables import all_rows


class Desk:
    """A login shell with one folder of programs, a keyring, an environment."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "mcp"
        self.folder.mkdir()
        self.programs = tmp_path / "programs"
        self.tool = make_program(self.programs / "tool")
        self.keyring = {"token": "s3cr3t-value"}
        self.asked: list[str] = []
        self.environ = {
            "HOME": os.environ["HOME"],
            "PATH": "/nowhere",
            "SHELL": make_shell(tmp_path, f"PATH={self.programs}", ANSWER),
            "LANG": "C.UTF-8",
            "LC_TIME": "C",
            "https_proxy": "http://proxy:3128",
            "CITY": "Paris",
            "MY_API_KEY": "abc",
            "AWS_SECRET_ACCESS_KEY": "never",
            "PARTNER_HOME": "/partner",
        }
        self.path = LoginPath(self.environ)

    async def secret(self, name: str) -> str:
        self.asked.append(name)
        return self.keyring.get(name, "")

    async def resolve(self, config: ServerConfig) -> ResolvedServer:
        return await resolve(config, environ=self.environ, secret=self.secret, path=self.path)

    async def stdio(
        self, command: str, *args: str, env: dict[str, str] | None = None, cwd: str = ""
    ) -> ResolvedServer:
        config = ServerConfig(
            id="a",
            transport="stdio",
            command=command,
            args=args,
            env=tuple((env or {}).items()),
            cwd=cwd,
            folder=str(self.folder),
        )
        return await self.resolve(config)

    async def http(self, url: str, **headers: str) -> ResolvedServer:
        return await self.resolve(
            ServerConfig(id="a", transport="http", url=url, headers=tuple(headers.items()))
        )

    async def why_not(self, command: str, *args: str, cwd: str = "") -> ServerFailure:
        with pytest.raises(ServerEndedError) as caught:
            await self.stdio(command, *args, cwd=cwd)
        failure = caught.value.failure
        assert failure.step is ServerStep.RESOLVE
        assert failure.message.endswith(".")
        return failure


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


async def test_a_program_is_found_by_the_login_shells_path(desk: Desk) -> None:
    found = await desk.stdio("tool", "-y", "two words", "")
    assert found.program == desk.tool
    assert found.args == ("-y", "two words", "")
    assert found.shown == f"{desk.tool} -y 'two words' ''"
    assert found.cwd == desk.folder


async def test_the_environment_is_small_and_without_secrets(desk: Desk) -> None:
    found = await desk.stdio(
        "tool", env={"TOKEN": "${keyring:token}", "LANG": "de", "WHERE": "in ${env:CITY}"}
    )
    assert found.env == {
        "HOME": desk.environ["HOME"],
        "SHELL": desk.environ["SHELL"],
        "PATH": f"{desk.programs}:/nowhere",
        "LANG": "de",
        "LC_TIME": "C",
        "https_proxy": "http://proxy:3128",
        "TOKEN": "s3cr3t-value",
        "WHERE": "in Paris",
    }
    assert "s3cr3t" not in repr(found)


async def test_placeholders_are_filled_in(desk: Desk) -> None:
    found = await desk.stdio(
        "tool",
        "${env:CITY}",
        "${CITY}",
        "${NONE:-a default}",
        "${env:NONE:-}",
        "${userHome}/x",
        "a${pathSeparator}b",
        "${input:token}",
        "--header=X:${HEADER}",
        "$CITY ${",
        env={"HEADER": "Bearer ${keyring:token}"},
    )
    home = desk.environ["HOME"]
    assert found.args == (
        "Paris",
        "Paris",
        "a default",
        "",
        f"{home}/x",
        "a/b",
        "s3cr3t-value",
        "--header=X:Bearer s3cr3t-value",
        "$CITY ${",
    )
    assert "s3cr3t" not in found.shown
    assert desk.asked == ["token"], "each entry is asked for once"


async def test_a_secret_is_not_looked_at_again_for_placeholders(desk: Desk) -> None:
    desk.keyring["token"] = "${env:CITY}"
    assert (await desk.stdio("tool", "${keyring:token}")).args == ("${env:CITY}",)


async def test_one_sentence_names_all_that_is_missing(desk: Desk) -> None:
    failure = await desk.why_not("tool", "${env:ONE}", "${TWO}", "${keyring:three}", "${keyring:four}${ONE}")
    assert "the variables `ONE` and `TWO`" in failure.message
    assert "the keyring entries `three` and `four`" in failure.message
    assert failure.needs == ("three", "four")


async def test_partners_own_variables_are_not_there_for_servers(desk: Desk) -> None:
    assert "`PARTNER_HOME`" in (await desk.why_not("tool", "${env:PARTNER_HOME}")).message


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("${workspaceFolder}/x", "stands for an editor's folder"),
        ("${workspaceFolder:api}", "stands for an editor's folder"),
        ("${command:pick}", "is not known here"),
        ("${config:a.b}", "is not known here"),
        ("${}", "is not known here"),
    ],
)
async def test_an_editors_own_placeholders_are_told(desk: Desk, argument: str, words: str) -> None:
    assert words in (await desk.why_not("tool", argument)).message


async def test_a_locked_keyring_ends_the_start_with_its_own_sentence(desk: Desk) -> None:
    async def locked(name: str) -> str:
        raise ConfigError(f"The key of {name} cannot be read because the system keyring is locked.")

    config = ServerConfig(id="a", transport="http", url="http://h/", headers=(("X", "${keyring:t}"),))
    with pytest.raises(ServerEndedError, match="locked") as caught:
        await resolve(config, environ=desk.environ, secret=locked, path=desk.path)
    assert caught.value.failure.step is ServerStep.RESOLVE


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("npx", "install that, for example with `sudo apt install npm`"),
        ("uvx", "docs.astral.sh/uv"),
        ("docker", "docs.docker.com"),
        ("node", "Node.js"),
        ("python", "install Python"),
        ("cmd", "written for Windows"),
        ("unheard-of", "was not found in the PATH of your login shell; install it"),
        ("tool -y x", "put what follows it into `args`"),
        ("/no/such/tool", "There is no program /no/such/tool"),
        ("~/no-tool", "There is no program ~/no-tool"),
        ("./none.sh", "There is no program"),
        ("/", "names the folder /"),
        ("${NOPE:-}", "is empty once it is filled in"),
        ("x" * 5_000, "was not found"),
        ("/" + "x" * 5_000, "There is no program"),
    ],
)
async def test_a_program_that_cannot_be_found_is_told_with_advice(
    desk: Desk, command: str, words: str
) -> None:
    assert words in (await desk.why_not(command)).message


async def test_a_python3_is_offered_for_a_missing_python(desk: Desk) -> None:
    make_program(desk.programs / "python3")
    assert "there is a `python3`" in (await desk.why_not("python")).message


async def test_a_program_beside_the_configuration_is_offered_and_run_by_its_path(desk: Desk) -> None:
    script = make_program(desk.folder / "server.sh")
    assert "write `./server.sh`" in (await desk.why_not("server.sh")).message
    assert (await desk.stdio("./server.sh")).program == script
    assert f"`{script} -x`" not in (await desk.stdio(str(script), "-x")).shown
    failure = await desk.why_not("./server.sh --flag")
    assert "write `./server.sh` there, and `--flag` as a list" in failure.message


async def test_a_program_in_the_users_folder_is_found_by_its_tilde(desk: Desk, user_home: Path) -> None:
    make_program(user_home / "bin" / "mine")
    found = await desk.stdio("~/bin/mine")
    assert found.program == user_home / "bin" / "mine"
    assert found.shown == "~/bin/mine"


async def test_a_script_that_may_not_be_executed_says_how_to_allow_it(desk: Desk) -> None:
    make_program(desk.folder / "server.py", mode=0o644)
    make_program(desk.programs / "other", mode=0o644)
    by_path = (await desk.why_not("./server.py")).message
    assert "chmod +x" in by_path
    assert '"command": "python3"' in by_path
    assert "may not be executed" in (await desk.why_not("other")).message


async def test_the_usual_places_are_named_where_the_shell_did_not_answer(desk: Desk, tmp_path: Path) -> None:
    desk.environ["SHELL"] = make_shell(tmp_path, "exit 1", name="mute")
    message = (await desk.why_not("npx-none")).message
    assert "was not found in the usual places" in message
    assert "did not tell its PATH" in message


async def test_a_path_in_the_configuration_counts(desk: Desk, tmp_path: Path) -> None:
    other = make_program(tmp_path / "other" / "special")
    found = await desk.stdio("special", env={"PATH": f"{other.parent}:${{PATH}}"})
    assert found.program == other
    assert found.env["PATH"] == f"{other.parent}:{desk.programs}:/nowhere"


async def test_a_folder_to_begin_in_must_be_there(desk: Desk) -> None:
    (desk.folder / "sub").mkdir()
    assert (await desk.stdio("tool", cwd="sub")).cwd == desk.folder / "sub"
    assert (await desk.stdio("tool", cwd="~")).cwd == Path(desk.environ["HOME"])
    assert "is not there" in (await desk.why_not("tool", cwd="none")).message


async def test_an_address_and_its_headers_are_filled_in_and_shown_without_secrets(desk: Desk) -> None:
    found = await desk.http(
        "https://me:pw@${env:CITY}.example.com/mcp?key=abc&page=2", Authorization="Bearer ${keyring:token}"
    )
    assert found.url == "https://me:pw@Paris.example.com/mcp?key=abc&page=2"
    assert found.headers == {"Authorization": "Bearer s3cr3t-value"}
    assert found.shown == "https://•••@Paris.example.com/mcp?key=•••&page=•••"
    assert "s3cr3t" not in repr(found)
    assert "pw@" not in repr(found)


@pytest.mark.parametrize(
    ("url", "header", "words"),
    [
        ("${env:CITY}", "x", "must begin with `http://`"),
        ("http://${env:BROKEN}/", "x", "holds blanks"),
        ("http://h/", "${env:BROKEN}", "holds a line break"),
    ],
)
async def test_what_is_wrong_only_once_filled_in_is_told(
    desk: Desk, url: str, header: str, words: str
) -> None:
    desk.environ["BROKEN"] = "a b\nc"
    with pytest.raises(ServerEndedError) as caught:
        await desk.http(url, X=header)
    assert words in caught.value.failure.message
    assert "a b" not in caught.value.failure.message


@pytest.mark.parametrize(
    ("url", "headers", "refused"),
    [
        ("http://tools.example.org/mcp", {"X-Word": "Bearer ${keyring:token}"}, True),
        ("http://tools.example.org/mcp", {"Authorization": "Bearer abc"}, True),
        ("http://tools.example.org/mcp", {"X-Word": "${env:MY_API_KEY}"}, True),
        ("http://ada:hunter2@tools.example.org/mcp", {}, True),
        ("http://9.9.9.9:8080/mcp?key=${keyring:token}", {}, True),
        ("http://${env:CITY}.example.org/mcp", {"Authorization": "Bearer abc"}, True),
        ("http://tools.example.org/mcp", {"X-Team": "blue"}, False),
        ("https://tools.example.org/mcp", {"Authorization": "Bearer abc"}, False),
        ("http://127.0.0.1:8080/mcp", {"Authorization": "Bearer abc"}, False),
        ("http://192.168.1.5:8080/mcp", {"Authorization": "Bearer abc"}, False),
        ("http://box.local/mcp", {"Authorization": "Bearer abc"}, False),
    ],
)
async def test_a_servers_key_does_not_go_unencrypted_through_the_net_unless_its_entry_says_so(
    desk: Desk, url: str, headers: dict[str, str], *, refused: bool
) -> None:
    entry: dict[str, object] = {"url": url, "headers": headers}
    insecure, plain = servers(json.dumps({"a": {**entry, "insecure": True}, "b": entry})).values()
    assert (await desk.resolve(insecure.config)).url.startswith(url[:7])
    if not refused:
        await desk.resolve(plain.config)
        return
    with pytest.raises(ServerEndedError, match="for everybody to read") as caught:
        await desk.resolve(plain.config)
    assert '"insecure": true' in caught.value.failure.message
    assert not any(secret in caught.value.failure.message for secret in ("s3cr3t", "hunter2", "abc"))


async def test_secrets_never_show_in_the_command_line(desk: Desk) -> None:
    found = await desk.stdio(
        "tool", "--api-key", "plainsecret", "${env:MY_API_KEY}", "--token=${keyring:token}", "city=${CITY}"
    )
    assert found.shown == f"{desk.tool} --api-key ••• ••• --token=••• city=Paris"
    assert found.args == ("--api-key", "plainsecret", "abc", "--token=s3cr3t-value", "city=Paris")


@all_rows(
    "text, shown",
    [
        ("--api-key=abc123", "--api-key=•••"),
        ("API_KEY=abc123", "API_KEY=•••"),
        ("--env=API_KEY=abc123", "--env=API_KEY=•••"),
        ('{"apiKey": "abc123"}', '{"apiKey": •••'),
        ("https://h/mcp?apiKey=abc&page=2", "https://h/mcp?apiKey=•••&page=2"),
        ("http://auth.example.com:8080/mcp", "http://auth.example.com:8080/mcp"),
        ("ghcr.io/ada/token-server:latest", "ghcr.io/ada/token-server:latest"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer •••"),
        ("Bearer abc", "Bearer •••"),
        ("X-Api-Key:abc", "X-Api-Key:•••"),
        ("sk-abcdef1234567890", "•••"),
        ("ghp_abcdefghij1234567890", "•••"),
        ("github_pat_11ABCDEFG0abc", "•••"),
        ("xoxb-1234567890-abc", "•••"),
        ("postgres://ada:hunter2@db/notes", "postgres://•••@db/notes"),
        ("eyJhbGciOiJIUzI1NiJ9.e30.abc", "•••"),
        ("d41d8cd98f00b204e9800998ecf8427e", "•••"),
        ("@modelcontextprotocol/server-filesystem", "@modelcontextprotocol/server-filesystem"),
        ("/home/ada/Documents/notes", "/home/ada/Documents/notes"),
        ("--local-timezone=Europe/London", "--local-timezone=Europe/London"),
        ("mcp-server-git==2025.1.14", "mcp-server-git==2025.1.14"),
    ],
)
def test_what_looks_like_a_secret_is_masked(text: str, shown: str) -> None:
    assert masked_secrets(text) == shown
    assert masked_secrets(masked_secrets(text)) == shown


def test_what_follows_a_secret_option_is_masked_unless_it_is_an_option() -> None:
    assert masked_arguments(["--url", "https://h/sse?t=abc", "http://["]) == [
        "--url",
        "https://h/sse?t=•••",
        "http://[",
    ]
    assert masked_arguments(["--token", "abc", "--token", "--next", "x"]) == [
        "--token",
        "•••",
        "--token",
        "--next",
        "x",
    ]


def test_a_long_token_in_an_address_is_masked() -> None:
    token = "AbCdEfGh1234567890AbCdEfGh1234567890"
    assert masked_address(f"https://h/api/{token}/mcp") == "https://h/api/•••/mcp"
