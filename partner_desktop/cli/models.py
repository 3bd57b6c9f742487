"""Commands about the models that talk: `models` and its verbs."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partner_desktop.cli.options import Place, add_json, folder_of

if TYPE_CHECKING:
    from partner_desktop.cli.options import Subparsers

_VERBS = {
    "list": "all of them, and how they are",
    "use": "let this one answer: a name, a GGUF file, or `starter` for none",
    "load": "open one now, in the Partner that runs",
    "unload": "give its memory back",
    "remove": "take one out of the settings; its file stays",
    "key": "keep the key of a server: it is asked for, or read from the standard input",
    "test": "try a server out",
}


def add_models(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`models` and its verbs."""
    models = commands.add_parser("models", help="the models that talk")
    verbs = models.add_subparsers(dest="verb", metavar="|".join(_VERBS), required=True)
    for verb, told in _VERBS.items():
        parser = verbs.add_parser(verb, parents=[after], help=told)
        if verb == "use":
            parser.add_argument("name", metavar="NAME_OR_FILE")
        elif verb != "list":
            parser.add_argument("name", metavar="NAME")
        add_json(parser)
    models.set_defaults(run=_models)


def _models(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.models import models  # noqa: PLC0415
    from partner_desktop.gateways.model_ask import ModelAsk  # noqa: PLC0415

    name = getattr(options, "name", "")
    path = str(folder_of(Path(name))) if options.verb == "use" else ""
    ask = ModelAsk(options.verb, name=name, path=path)
    return models(place.home, place.action_dir, ask, as_json=options.json)
