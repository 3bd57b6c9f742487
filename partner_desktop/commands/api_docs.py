"""`partner-desktop api docs`: what other programs can ask of Partner and how, without a host."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from itertools import chain
from types import ModuleType
from typing import Any

from partner_desktop.api.operations import Operations
from partner_desktop.app import Partner
from partner_desktop.base import errors
from partner_desktop.base.operation import Caller
from partner_desktop.commands.options import CommandFolders
from partner_desktop.gateways import attach, rpc, websocket
from partner_desktop.gateways.attach import AttachHello
from partner_desktop.gateways.websocket.client import Client, ClientQueue
from partner_desktop.gateways.websocket.protocol import VERSION, Addressing, Connected, protocol
from partner_desktop.gateways.wire import json_line

_Schema = dict[str, Any]  # Any: a JSON Schema of our own making


async def api_docs(options: argparse.Namespace, place: CommandFolders) -> int:
    """Print the protocol, with every operation that the caller may ask for; nothing is opened or written."""
    # Built, never launched: it alone knows all services.
    partner = Partner(place.home, place.home.action_dir, meaning=False)
    caller = Caller[options.caller.upper()]
    if caller is Caller.CLIENT:
        pages: tuple[ModuleType, ...] = (websocket,)
        known = Client(partner, Addressing(), ClientQueue(), Connected(VERSION, "", 0)).known_operations()
    else:
        pages = attach, rpc
        known = chain(Operations({"client": AttachHello(partner, "")}), partner.operations)
    told = protocol(known, caller)
    if options.json:
        print(json_line(told))
    else:
        print("\n".join((*(page.__doc__ or "" for page in pages), *_page(told))))
    return 0


def _page(told: _Schema) -> Iterator[str]:
    yield "# Operations"
    for one in told["operations"]:
        yield f"\n## {one['name']}\n\n{_with_codes(one['text'])}\n"
        needed = one["parameters"].get("required", ())
        for name, schema in one["parameters"].get("properties", {}).items():
            default = "" if name in needed else f"; {_default(schema)}"
            yield f"- {name}: {_kind(schema, one['parameters'])}{default}"
        gives = _kind(one["result"], one["result"])
        yield f"- Gives {gives}{', one after the other' if one['streams'] else ''}"
    if told["notifications"]:
        yield "\n# Notifications\n"
    for note in told["notifications"]:
        yield f"- {note['method']} ({', '.join(note['parameters']['properties'])}): {note['text']}"
    yield "\n# Events\n\nEach has `type`, `conversation_id` and `exchange_id`, and:\n"
    for kind, referring in told["events"].items():
        schema = _meant(referring, told)
        fields = [name for name in schema["properties"] if name not in ("conversation_id", "exchange_id")]
        yield f"- {kind} ({', '.join(fields)}): {schema['description'].splitlines()[0]}"


def _with_codes(text: str) -> str:
    """A docstring with the code of each error, which a wire has, in place of its class."""
    named = re.sub(r"\b[A-Z]\w+Error\b", lambda found: getattr(errors, found[0]).code, text)
    return named.replace("Raises:", "Errors:")


def _default(schema: _Schema) -> str:
    default = schema.get("default")
    return "may be left out" if default in (None, "") else f"without it {json_line(default)}"


def _meant(schema: _Schema, whole: _Schema) -> _Schema:
    """What a schema refers to in `whole`, or itself."""
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    found: _Schema = whole["$defs"][name] if name else schema
    return found


def _kind(schema: _Schema, whole: _Schema) -> str:
    """A schema in words."""
    schema = _meant(schema, whole)
    if "anyOf" in schema:
        return " or ".join(_kind(each, whole) for each in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " | ".join(json_line(each) for each in schema.get("enum", [schema.get("const")]))
    kind = str(schema.get("type", "anything"))
    if kind == "array":
        return f"a list of {_kind(schema.get('items', {}), whole)}"
    if kind == "object" and "properties" in schema:
        return f"{schema.get('title', kind)} ({', '.join(schema['properties'])})"
    limits = (("minimum", "from"), ("maximum", "to"), ("maxLength", "of at most"))
    return " ".join([kind, *(f"{word} {schema[key]}" for key, word in limits if key in schema)])
