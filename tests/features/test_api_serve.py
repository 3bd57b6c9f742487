"""Another program starts `partner-desktop api serve` and speaks JSON-RPC with it, a message a line."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import Any

import pytest

from .test_command_line import TIMEOUT_S, Cli, cli, with_samples

pytestmark = [pytest.mark.integration, pytest.mark.promise("framework.operations")]

__all__ = ["cli", "with_samples"]


def request(method: str, number: int = 1, /, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


class Pipe:
    """What such a program has to do itself."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.items: list[dict[str, Any]] = []
        self._asked = 0

    def send(self, method: str, **params: Any) -> int:
        self._asked += 1
        self.write(request(method, self._asked, **params) + "\n")
        return self._asked

    def write(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def end(self) -> int:
        """Its exit code, where its input has ended or it has none to talk to."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        with self.process.stdout:
            return self.process.wait(TIMEOUT_S)

    def answer(self, request: int) -> dict[str, Any]:
        """Keeps what is told meanwhile."""
        while (told := self.read()).get("id") != request:
            self.items.append(told["params"]["item"])
        return told

    def item(self, kind: str) -> dict[str, Any]:
        while True:
            self.items.append(self.read()["params"]["item"])
            if self.items[-1]["type"] == kind:
                return self.items[-1]


def test_a_program_says_something_and_a_yes_to_what_a_terminal_showed_goes_on_in_it(
    with_samples: Cli,
) -> None:
    pipe = Pipe(with_samples.start("api", "serve"))
    said = pipe.send(
        "events.say",
        text="how many words are in README.md?",
        conversation_id=None,
        cwd=str(with_samples.cwd),
        can_ask=True,
    )
    proposal = pipe.item("proposal")
    assert pipe.answer(said)["result"] is None, "it waits for a person"
    pipe.send("events.follow", conversation_id=proposal["conversation_id"])
    action_id = proposal["action"]["id"]
    shown = with_samples.run("actions", "show", action_id)
    (told,) = [line for line in shown.stdout.splitlines() if "a yes to" in line]
    way = told.partition("`partner-desktop ")[2].rstrip("`").split()
    refused = with_samples.run("actions", "approve", action_id, way[-1][::-1])
    assert (refused.returncode, "changed meanwhile" in refused.stderr) == (2, True)
    assert with_samples.run(*way).returncode == 0
    assert "3 words" in json.dumps(pipe.item("result"))
    after = with_samples.run("actions", "show", action_id)
    assert "a yes to" not in after.stdout, "it waits no longer"
    pipe.close_input()
    assert pipe.end() == 0


def test_over_a_host_each_wrong_line_gets_its_error_and_the_next_one_is_served(cli: Cli) -> None:
    host = cli.host()
    pipe = Pipe(cli.start("api", "serve"))
    wrong: dict[str, str] = {
        "no json": "invalid_request",
        request("nothing.here"): "unknown_operation",
        request("messages.list", limit="many"): "invalid_parameters",
        request("messages.send", text="from nowhere", cwd="here"): "invalid_parameters",
        request("client.hello", token="a guess"): "not_allowed",
        '"' + "x" * (5 * 2**20) + '"': "too_large",
    }
    for line, code in wrong.items():
        pipe.write(f"\n{line}\n")
        assert pipe.read()["error"]["data"]["code"] == code
    assert len(pipe.answer(pipe.send("conversations.list"))["result"]) == 1
    # What was asked before the end of the input is answered after it.
    last = pipe.send("conversations.list")
    pipe.close_input()
    assert "result" in pipe.answer(last)
    assert pipe.end() == 0
    gone = Pipe(cli.start("api", "serve"))
    gone.answer(gone.send("conversations.list"))
    host.send_signal(signal.SIGKILL)
    assert gone.process.wait(TIMEOUT_S) == 1, "without a host there is nobody to talk to"
    gone.end()


def test_what_was_asked_before_the_input_ended_is_answered_to_its_end(cli: Cli) -> None:
    followed = request("events.follow", 1, conversation_id="none")
    said = request("events.say", 2, text="hello", conversation_id=None)
    done = cli.run("api", "serve", stdin=f"{followed}\n{said}\n")
    assert (done.returncode, done.stderr) == (0, "")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert told[-1] == {"jsonrpc": "2.0", "id": 2, "result": None}
    assert [one["params"]["item"]["type"] for one in told[:-1] if one["params"]["id"] == 2][-1] == "done"
    assert cli.run("api", "serve").returncode == 0, "nothing was asked"
