"""What `api docs` prints is what the wire says of itself, and all that a stranger needs."""

from __future__ import annotations

import json
from argparse import Namespace

import pytest
from jsonschema import Draft202012Validator

from partner_desktop.app import Partner
from partner_desktop.base.operation import Caller
from partner_desktop.base.paths import Home
from partner_desktop.commands.api_docs import api_docs
from partner_desktop.commands.options import CommandFolders
from tests.gateways.talking import open_gateway, talker


@pytest.mark.slow
async def test_the_docs_for_programs_are_those_of_the_wire_with_schemas_that_fit_what_is_told(
    partner: Partner, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await api_docs(Namespace(caller="client", json=True), CommandFolders(partner.home, None)) == 0
    docs = json.loads(capsys.readouterr().out)
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as one:
        assert await one.ask("client.operations") == docs
        opened = await one.ask("client.begin")
        said = await one.ask("messages.send", text="hello", conversation_id=opened["conversation_id"])
        await one.event("done")
    operations = {each["name"]: each for each in docs["operations"]}
    for each in docs["operations"]:
        for part in ("parameters", "result"):
            Draft202012Validator.check_schema(each[part])
    Draft202012Validator(operations["client.begin"]["result"]).validate(opened)
    Draft202012Validator(operations["messages.send"]["result"]).validate(said)
    (told,) = [each["parameters"] for each in docs["notifications"] if each["method"] == "event"]
    for each in one.events:
        Draft202012Validator(told).validate(each)
        schema = {**docs["events"][each["event"]["type"]], "$defs": docs["$defs"]}
        Draft202012Validator(schema).validate(each["event"])


@pytest.mark.slow
@pytest.mark.parametrize("caller", [Caller.CLIENT, Caller.ATTACHED])
async def test_the_page_has_every_operation_of_its_reader_and_no_other_and_leaves_no_home(
    home: Home, capsys: pytest.CaptureFixture[str], caller: Caller
) -> None:
    options = Namespace(caller=caller.name.lower(), json=False)
    assert await api_docs(options, CommandFolders(home, None)) == 0
    page = capsys.readouterr().out
    named = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    own = {
        Caller.CLIENT: ("begin", "close", "hello", "open", "operations"),
        Caller.ATTACHED: ("hello", "outline", "raise_window", "schema"),
    }
    known = {f"client.{verb}" for verb in own[caller]}
    partner = Partner(home, home.root / "action", meaning=False)
    known |= {each.name for each in partner.operations if each.caller <= caller}
    assert sorted(named) == sorted(known)
    assert "client.hello" in page.partition("# Operations")[0], "a talk as an example"
    assert "- limit: integer from 1 to 1000; without it 50" in page
    assert "    storage: It could not be saved; nothing happened." in page
    assert "Error:" not in page
    assert not home.root.exists()


async def test_what_a_client_may_name_is_a_conversation_or_an_action(partner: Partner) -> None:
    # Whose they are is looked at by these names; another one would go by unseen.
    fields = {
        (each.name, field)
        for each in partner.operations
        if each.caller is Caller.CLIENT
        for field in each.parameters(Caller.CLIENT).model_fields
        if field.endswith(("_id", "_ids")) and field not in ("conversation_id", "action_id")
    }
    assert fields == set()
