"""What a command asks about models, and the answer from the Partner of this process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, assert_never

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.model_status import EndpointReport, ModelStatus

ModelVerb = Literal["list", "use", "load", "unload", "remove", "key", "test"]


@dataclass(frozen=True)
class ModelAsk:
    """`model_verb` says which fields count. `path` is absolute: the host has a working folder of its own."""

    model_verb: ModelVerb
    name: str = ""
    path: str = ""
    """With `use`: the file to take in, where no model is called `name`."""
    secret: str = field(default="", repr=False)


class ModelsFace(Protocol):
    """The part of the app that answers."""

    def models(self) -> Sequence[ModelStatus]: ...

    @property
    def mind_name(self) -> str: ...

    async def add_model_file(self, path: Path) -> str: ...

    async def use_model(self, name: str) -> None: ...

    async def load_model(self, name: str) -> None: ...

    async def unload_model(self, name: str) -> None: ...

    async def remove_model(self, name: str) -> None: ...

    async def set_model_key(self, name: str, key: str) -> str: ...

    async def test_model(self, name: str) -> EndpointReport: ...


async def answer_about_models(partner: ModelsFace, ask: ModelAsk) -> list[Json]:
    """With `list` all models; else one object about what was done.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    if ask.model_verb == "list":
        return [as_json(status) for status in partner.models()]
    if ask.model_verb == "test":
        return [as_json(await partner.test_model(ask.name))]
    done: JsonObject = {"verb": ask.model_verb, "name": ask.name}
    match ask.model_verb:
        case "use":
            done["name"] = await _use(partner, ask)
        case "load":
            await partner.load_model(ask.name)
        case "unload":
            await partner.unload_model(ask.name)
        case "remove":
            await partner.remove_model(ask.name)
        case "key":
            done["where"] = await partner.set_model_key(ask.name, ask.secret)
        case _:
            assert_never(ask.model_verb)
    status = next((one for one in partner.models() if one.name == done["name"]), None)
    return [{**done, "mind": partner.mind_name, "model": as_json(status)}]


async def _use(partner: ModelsFace, ask: ModelAsk) -> str:
    known = {status.name for status in partner.models()}
    name = ask.name
    if name not in known and name != "starter":
        if not ask.path or not _looks_like_a_path(name):
            have = f"there are {', '.join(sorted(known))}" if known else "there are none yet"
            raise UsageError(f"There is no model called {name}; {have}. A file is taken in by its path.")
        name = await partner.add_model_file(Path(ask.path))
    await partner.use_model(name)
    return name


def _looks_like_a_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.lower().endswith(".gguf")
