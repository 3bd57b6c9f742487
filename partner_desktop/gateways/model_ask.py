"""What a command asks about models, and the answer from the Partner of this process."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, assert_never

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json, JsonObject

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

ModelVerb = Literal["list", "use", "load", "unload", "remove", "key", "test"]


@dataclass(frozen=True)
class ModelAsk:
    """`model_verb` says which fields count. `path` is absolute: the host has a working folder of its own."""

    model_verb: ModelVerb
    name: str = ""
    path: str = ""
    """With `use`: the file to take in, where no model is called `name`."""
    secret: str = field(default="", repr=False)


async def answer_about_models(partner: Services, ask: ModelAsk) -> list[Json]:
    """With `list` all models; else one object about what was done.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    if ask.model_verb == "list":
        return [as_json(status) for status in partner.models.list()]
    if ask.model_verb == "test":
        return [as_json(await partner.models.test(ask.name))]
    done: JsonObject = {"verb": ask.model_verb, "name": ask.name}
    match ask.model_verb:
        case "use":
            done["name"] = await _use(partner, ask)
        case "load":
            await partner.models.load(ask.name)
        case "unload":
            await partner.models.unload(ask.name)
        case "remove":
            await partner.models.remove(ask.name)
        case "key":
            done["where"] = await partner.models.set_key(ask.name, ask.secret)
        case _:
            assert_never(ask.model_verb)
    status = next((one for one in partner.models.list() if one.name == done["name"]), None)
    return [{**done, "mind": partner.models.mind(), "model": as_json(status)}]


async def _use(partner: Services, ask: ModelAsk) -> str:
    known = {status.name for status in partner.models.list()}
    name = ask.name
    if name not in known and name != "starter":
        if not ask.path or not _looks_like_a_path(name):
            have = f"there are {', '.join(sorted(known))}" if known else "there are none yet"
            raise UsageError(f"There is no model called {name}; {have}. A file is taken in by its path.")
        name = await partner.models.add_file(Path(ask.path))
    await partner.models.use(name)
    return name


def _looks_like_a_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.lower().endswith(".gguf")
