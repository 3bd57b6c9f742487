"""The verbs of a command, from the table of operations: `partner-desktop models load NAME`.

What a verb takes, its help and its `--json` are the operation's: parameters that must be given stand in their
order, the others are options. A `Verb` says the rest, where that is not what the operation says itself; an
operation that none names is a verb of its own name, and shows what it gives as it is.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.operation import Caller
from partner_desktop.commands.connection import connect
from partner_desktop.commands.options import CommandFolders, add_json, home_folder, places
from partner_desktop.commands.plain import plain, plain_line
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.partner_client import PartnerClient
from partner_desktop.gateways.remote import RemoteClient, answers
from partner_desktop.gateways.wire import json_line

if TYPE_CHECKING:
    from partner_desktop.app import Partner

#: What a verb was told: its parameters, and options that are no parameters.
Options: TypeAlias = argparse.Namespace
#: Lines for a person about a result, and about the parameters that led to it. Any: each knows the form of
#: what its operation gives.
Show: TypeAlias = Callable[[Any, JsonObject], Iterable[str]]
#: Does the whole of a verb that is more than one call; the exit code.
Do: TypeAlias = Callable[[PartnerClient, JsonObject, Options], Awaitable[int]]


@dataclass(frozen=True)
class Verb:
    """What the operation does not say itself."""

    name: str
    operation: str
    show: Show | None = None
    help: str = ""
    given: Mapping[str, Json] = field(default_factory=dict)
    """Parameters that the verb itself says."""
    hidden: tuple[str, ...] = ()
    """Parameters that cannot be said here."""
    before: str = ""
    """An operation that is called first, without parameters."""
    find: str = ""
    """The operation that completes the first parameter, an id of which the beginning will do, or several;
    where it need not be said, the verb is about all."""
    then: tuple[str, ...] = ()
    """The operation whose result is shown in place of its own, and the parameters that it gets, too."""
    code: Callable[[Any], int] = lambda _result: 0
    """The exit code, of what is shown."""
    add: Callable[[argparse.ArgumentParser], object] | None = None
    """Adds arguments that are no parameters."""
    ask: Callable[[JsonObject], JsonObject] | None = None
    """Asks a person for parameters, from those that were said; before the home is anybody's, in a thread."""
    do: Do | None = None
    none: str = ""
    """As of its command, where it lists something else."""


@dataclass(frozen=True)
class Command:
    """A command with its verbs; `services` bring those that no verb names."""

    services: tuple[str, ...]
    verbs: tuple[Verb, ...] = ()
    usual: str = ""
    """The verb that stands for none."""
    none: str = ""
    """The id of what a person is told where there is nothing to list."""
    show: Show | None = None
    then: tuple[str, ...] = ()
    """As of `Verb`, for the verbs that are not named here."""


def command_called(name: str) -> Command:
    """The command of this name; one that nobody wrote is the service of that name."""
    for module in (f"{__package__}.{name}", f"{__package__}.{name}_command"):
        if name.isidentifier() and find_spec(module) is not None:
            found = getattr(importlib.import_module(module), "COMMAND", None)
            if isinstance(found, Command):
                return found
    return Command((name,))


async def run_command(name: str, words: Sequence[str], place: CommandFolders) -> int:
    """Read the words after a command, ask for what they say, and print the answer; the exit code.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
        SystemExit: The words say nothing that there is; it was printed.
    """
    command = command_called(name)
    host = RemoteClient(place.home) if await answers(place.home) else None
    partner = _loaded(place) if host is None else None
    table = await _table(command, host, partner)
    verbs = {verb.name: verb for verb in (*command.verbs, *_unnamed(command, table))}
    if not verbs:
        _no_command(name)
    wanted = next((word for word in words if not word.startswith("-")), command.usual)
    schema = await _schema(verbs[wanted].operation, host, partner) if wanted in verbs else {}
    options = _parser(name, command, verbs, table, {wanted: schema}).parse_args(words)
    verb: Verb = options.verb_
    said = {one: getattr(options, one, None) for one in _said(verb, schema)}
    params = {one: value for one, value in said.items() if value is not None or _is_required(one, schema)}
    params |= verb.given
    if verb.ask is not None:
        params |= await asyncio.to_thread(verb.ask, params)
    async with connect(place.home, place.action_dir, partner) as client:
        if verb.do is not None:
            code = await verb.do(client, params, options)
        elif table[verb.operation]["streams"]:
            code = await _follow(client, verb, params, as_json=options.json)
        else:
            code = await _ask(client, command, verb, params, as_json=options.json)
        await client.settled()
        return code


def whole_command_parser(name: str, partner: Partner) -> argparse.ArgumentParser:
    """Of a command with the arguments of all its verbs, for the manual page and the completions."""
    command = command_called(name)
    outlined = partner.operations.outlined(command.services, Caller.ATTACHED)
    table = {str(one["name"]): one for one in outlined}
    verbs = {verb.name: verb for verb in (*command.verbs, *_unnamed(command, table))}
    get = partner.operations.get
    schemas = {verb.name: get(verb.operation).schema(Caller.ATTACHED) for verb in verbs.values()}
    return _parser(name, command, verbs, table, schemas)


def _loaded(place: CommandFolders) -> Partner:
    from partner_desktop.commands.partner_host import load_partner  # noqa: PLC0415 - who attaches needs no app

    return load_partner(place.home, place.action_dir)


async def _table(
    command: Command, host: PartnerClient | None, partner: Partner | None
) -> dict[str, JsonObject]:
    """The operations of the services of a command, by their names, with their first sentences."""
    if host is not None:
        found = await host.objects("client.outline", services=list(command.services))
    else:
        assert partner is not None
        found = partner.operations.outlined(command.services, Caller.ATTACHED)
    return {str(one["name"]): one for one in found}


async def _schema(operation: str, host: PartnerClient | None, partner: Partner | None) -> JsonObject:
    """What an operation takes."""
    if host is not None:
        return await host.object("client.schema", name=operation)
    assert partner is not None
    return partner.operations.get(operation).schema(Caller.ATTACHED)


async def _ask(
    client: PartnerClient, command: Command, verb: Verb, params: JsonObject, *, as_json: bool
) -> int:
    if verb.before:
        await client.call(verb.before)
    first = next(iter(params), "")
    if verb.find and first:
        said = params[first]
        found = [
            (await client.object(verb.find, beginning=one))["id"]
            for one in (said if isinstance(said, list) else [said])
        ]
        params[first] = found if isinstance(said, list) else found[0]
    result = await client.call(verb.operation, **params)
    if verb.then:
        operation, *names = verb.then
        result = await client.call(operation, **{one: params[one] for one in names})
    if result == [] and not as_json:
        if verb.none or command.none:
            print(sentence_of(verb.none or command.none))
    else:
        print_result(result, params, as_json=as_json, show=verb.show)
    return verb.code(result)


async def _follow(client: PartnerClient, verb: Verb, params: JsonObject, *, as_json: bool) -> int:
    """What goes on telling, to its end, or until a window wants the home."""
    until_wanted = asyncio.timeout(None)

    def leave() -> None:
        client.on_window_wanted(lambda: None)  # a window asks again and again
        until_wanted.reschedule(0)

    try:
        async with until_wanted, aclosing(client.stream(verb.operation, **params)) as items:
            client.on_window_wanted(leave)
            async for item in items:
                print_result(item, params, as_json=as_json, show=verb.show)
    except TimeoutError:
        if not until_wanted.expired():
            raise
    finally:
        client.on_window_wanted(lambda: None)
    return 0


def print_result(result: Json, params: JsonObject, *, as_json: bool, show: Show | None = None) -> None:
    """Of a list each item; for a program one JSON object a line."""
    for item in result if isinstance(result, list) else [result]:
        if as_json:
            print(json_line(item if isinstance(item, dict) else {"result": item}), flush=True)
        else:
            lines = (show or _usual)(item, params)
            print("\n".join(plain(line) for line in lines), flush=True)


def _usual(result: Json, _params: JsonObject) -> Iterator[str]:
    """Where nobody wrote how it reads."""
    if isinstance(result, dict):
        for name, value in result.items():
            yield f"{name}: {plain_line(value)}"
    elif result is None:
        yield "Done."
    else:
        yield result if isinstance(result, str) else json_line(result)


def _parser(
    name: str,
    command: Command,
    verbs: Mapping[str, Verb],
    table: Mapping[str, JsonObject],
    schemas: Mapping[str, JsonObject],
) -> argparse.ArgumentParser:
    """Of all verbs, with the arguments of those whose parameters are given."""
    after = places(default=argparse.SUPPRESS)  # read before; for the help
    parser = argparse.ArgumentParser(prog=f"partner-desktop {name}", parents=[after])
    add_json(parser)
    parser.set_defaults(verb_=verbs.get(command.usual))
    under = parser.add_subparsers(dest="verb", metavar="VERB", required=not command.usual)
    for verb in verbs.values():
        summary = (verb.help or str(table[verb.operation]["summary"])).replace("%", "%%")
        one = under.add_parser(verb.name, parents=[after], help=summary, description=summary)
        # What stood before the verb counts, too.
        one.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help="one JSON object per line"
        )
        one.set_defaults(verb_=verb)
        if verb.name in schemas:
            schema = schemas[verb.name]
            for parameter in _said(verb, schema):
                _add(one, parameter, schema, begun=bool(verb.find))
            if verb.add is not None:
                verb.add(one)
    return parser


def _no_command(name: str) -> None:
    argparse.ArgumentParser(prog="partner-desktop").error(
        f"there is no command {plain(name)}; `partner-desktop --help` lists them"
    )


def _unnamed(command: Command, table: Mapping[str, JsonObject]) -> Iterator[Verb]:
    """A verb for each operation that none of the command's names."""
    named = {verb.operation for verb in command.verbs}
    taken = {verb.name for verb in command.verbs}
    for operation in table:
        verb = operation.partition(".")[2].replace("_", "-")
        if operation not in named and verb not in taken:
            then = () if command.then[:1] == (operation,) else command.then
            yield Verb(verb, operation, command.show, then=then)


def _said(verb: Verb, schema: JsonObject) -> list[str]:
    """The parameters that are said on the command line."""
    return [one for one in _properties(schema) if one not in verb.given and one not in verb.hidden]


def _properties(schema: JsonObject) -> Mapping[str, JsonObject]:
    return cast("Mapping[str, JsonObject]", schema.get("properties", {}))


def _add(parser: argparse.ArgumentParser, name: str, schema: JsonObject, *, begun: bool) -> None:
    """One parameter as an argument: by its place where it must be given, else by its name."""
    facts = _facts(_properties(schema)[name], schema)
    told = str(facts.get("description") or "").replace("%", "%%")
    if begun and name.endswith("_id"):
        told = "its id, or the beginning of it"
    if begun and name.endswith("_ids"):
        told = "their ids, or the beginnings of them"
        parser.add_argument(name, nargs="+", metavar="ID", help=told)
        return
    if _is_required(name, schema) and not _may_be_null(name, schema):
        parser.add_argument(name, metavar=_metavar(name, facts), type=_reader(facts), help=told)
        return
    if begun and name.endswith("_id"):
        parser.add_argument(name, nargs="?", metavar=_metavar(name, facts), help=f"{told}; without it all")
        return
    option = "--" + name.replace("_", "-")
    if facts.get("default") not in (None, ""):
        told = f"{told} (default {json_line(facts['default'])})".lstrip()
    if facts.get("type") == "boolean":
        parser.add_argument(option, dest=name, action=argparse.BooleanOptionalAction, help=told)
    else:
        parser.add_argument(option, dest=name, metavar=_metavar(name, facts), type=_reader(facts), help=told)


def _is_required(name: str, schema: JsonObject) -> bool:
    required = schema.get("required")
    return isinstance(required, list) and name in required


def _may_be_null(name: str, schema: JsonObject) -> bool:
    return {"type": "null"} in cast("list[Json]", _properties(schema)[name].get("anyOf", []))


def _facts(facts: JsonObject, schema: JsonObject) -> JsonObject:
    """What a parameter is, behind references and `or null`."""
    choices = facts.get("anyOf") or facts.get("allOf")
    if isinstance(choices, list):
        real = [_facts(one, schema) for one in choices if isinstance(one, dict) and one.get("type") != "null"]
        joined: list[Json] = [word for one in real for word in _words(one)]
        return facts | real[0] | ({"enum": joined} if all(map(_words, real)) and joined else {})
    found: Json = facts
    if isinstance(facts.get("$ref"), str):
        found = schema
        for part in str(facts["$ref"]).split("/")[1:]:
            found = found[part] if isinstance(found, dict) else None
    assert isinstance(found, dict)
    return found


def _words(facts: JsonObject) -> list[Json]:
    """What may be said, where only that may."""
    listed = facts.get("enum")
    return listed if isinstance(listed, list) else [facts["const"]] if "const" in facts else []


def _metavar(name: str, facts: JsonObject) -> str:
    choices = facts.get("enum")
    if isinstance(choices, list):
        return "{" + ",".join(map(str, choices)) + "}"
    return "ID" if name.endswith("_id") else "FILE" if name == "path" else name.upper()


def _reader(facts: JsonObject) -> Callable[[str], Json]:
    """Reads a word as what the parameter wants; the operation itself looks at it closely."""
    if facts.get("format") == "path":
        return lambda text: str(home_folder(Path(text)))
    choices = facts.get("enum")
    if isinstance(choices, list):
        return _one_of([str(one) for one in choices])
    kind = facts.get("type")
    return {"integer": int, "number": float}.get(str(kind), str if kind == "string" else _json)


def _one_of(choices: Sequence[str]) -> Callable[[str], Json]:
    def read(text: str) -> Json:
        if text not in choices:
            raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(choices)}")
        return text

    return read


def _json(text: str) -> Json:
    try:
        found: Json = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no JSON") from error
    return found
