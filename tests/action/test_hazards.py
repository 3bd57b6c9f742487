"""A shell, code, or administrator's rights on a command line: said on the card, never by a blanket yes."""

from __future__ import annotations

import pytest

from partner_desktop.action.plans.hazards import hazard_of
from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProposalEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.permission.request import ApprovalMode
from tests.support import Watcher
from tests.tables import all_rows


@all_rows(
    "line, hazard",
    [
        ("ls -la /tmp", ""),
        ("sh backup.sh", ""),
        ("grep -c bash file", ""),
        ("echo sh -c ls", ""),
        ("python3 -m venv .venv", ""),
        ("env LANG=C ls", ""),
        ("sh -c ls", "shell"),
        ("/bin/bash -lc ls", "shell"),
        ("env A=1 zsh -c ls", "shell"),
        ("nohup timeout 5 bash -xc ls", "shell"),
        ("xargs -n1 sh -c ls", "shell"),
        ("find . -exec sh -c ls ;", "shell"),
        ("pwsh -Command ls", "shell"),
        (r"C:\Windows\cmd.exe /c dir", "shell"),
        ("watch ls", "shell"),
        ("python3.12 -c pass", "code"),
        ("python3 -cpass", "code"),
        ("python3 -Ic pass", "code"),
        ("python3 -W ignore run.py", ""),
        ("perl -ne print", "code"),
        ("perl -MCPAN script.pl", ""),
        ("perl -eprint", "code"),
        ("ruby -e1", "code"),
        ("node --eval=1", "code"),
        ("node --eval 1", "code"),
        ("nodejs -e 1", "code"),
        ('awk BEGIN{system("id")}', "code"),
        ("awk {print} file", ""),
        ("julia -e 1", "code"),
        ("R -e 1", "code"),
        ("sed 1e file", "code"),
        ("sed s/a/b/ge file", "code"),
        ("sed s/here/there/ file", ""),
        ("git -c core.pager=x log", "code"),
        ("git log", ""),
        ("tar xf a.tar --checkpoint-action=exec=x", "code"),
        ("tar xf a.tar", ""),
        ("rsync -e x a b", "code"),
        ("rsync -a a b", ""),
        ("npx thing", "code"),
        ("crontab file", "code"),
        ("systemctl --user link x", "code"),
        ("env -S id", "shell"),
        ("sudo ls", "admin"),
        ("env doas sh -c ls", "admin"),
    ],
)
def test_a_command_line_shows_what_it_is(line: str, hazard: str) -> None:
    assert hazard_of(line.split(" ")) == hazard


@pytest.mark.parametrize(
    ("key", "name", "marked", "takes"),
    [
        ("local::run", "line", True, True),
        ("local::run", "command", False, False),
        ("shell::run", "line", True, True),
        ("shell::run", "line", False, False),
        ("shell::run", "Command", False, True),
        ("shell::run", "argv", False, True),
    ],
)
def test_a_command_line_is_one_by_its_mark_or_by_what_an_external_server_calls_it(
    key: str, name: str, *, marked: bool, takes: bool
) -> None:
    schema: JsonObject = {"type": "string", **({"x-partner-command": True} if marked else {})}
    params: JsonObject = {"type": "object", "properties": {name: schema}}
    info = MetaActionInfo(key=key, route=Route.MCP, description="d", params=params)
    assert info.takes_command() is takes


async def propose(partner: Partner, watcher: Watcher, *argv: str, standing: ApprovalMode) -> ActionRecord:
    exchange_id = new_id()
    await partner.abilities.run(
        "builtin::command::execute",
        {"argv": list(argv)},
        cwd="",
        standing=standing,
        exchange_id=exchange_id,
    )
    found = await watcher.until(
        lambda event: isinstance(event, ProposalEvent) and event.exchange_id == exchange_id
    )
    assert isinstance(found, ProposalEvent)
    return found.action


@pytest.mark.promise("actions.grant.places")
@pytest.mark.parametrize("argv", [("sh", "-c", "echo hi"), ("echo", "hi")], ids=["shell", "plain"])
async def test_no_command_line_runs_by_a_blanket_yes_with_a_hazard_or_without(
    partner: Partner, watcher: Watcher, argv: tuple[str, ...]
) -> None:
    refused = await propose(partner, watcher, *argv, standing=ApprovalMode.ALL)
    await watcher.done(refused.exchange_id)
    refused = await partner.actions.get(refused.id)
    assert refused.status is ActionStatus.REJECTED
    assert refused.error == "a command line needs your own yes, on its card or a terminal"


async def test_a_shell_line_runs_with_the_persons_own_yes(partner: Partner, watcher: Watcher) -> None:
    asked = await propose(partner, watcher, "sh", "-c", "echo hi", standing=ApprovalMode.ASK)
    assert asked.isolation is not None
    assert asked.isolation.hazard == "shell"
    assert asked.isolation.summary == "a shell command line · not sandboxed · runs with your own rights"
    await partner.actions.approve(asked.id, scope="once")
    await watcher.until(lambda event: event.type == "result" and event.exchange_id == asked.exchange_id)
    assert (await partner.actions.get(asked.id)).stdout == "hi\n"


async def test_a_line_that_becomes_a_shells_on_the_card_is_shown_anew(
    partner: Partner, watcher: Watcher
) -> None:
    asked = await propose(partner, watcher, "echo", "hi", standing=ApprovalMode.ASK)
    with pytest.raises(UsageError, match="The card shows it anew"):
        await partner.actions.approve(asked.id, scope="once", params={"argv": ["sh", "-c", "echo hi"]})
    shown = await partner.actions.get(asked.id)
    assert shown.status is ActionStatus.WAITING
    assert shown.isolation is not None
    assert shown.isolation.hazard == "shell"
    await partner.actions.reject(asked.id)
