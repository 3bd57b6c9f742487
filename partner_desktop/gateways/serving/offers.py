"""Offers: which abilities other programs are shown, and under which names.

The person's own, durable ones: `local::`. What is temporary, switched off or broken is left out. So are
builtins: those that only look need no yes, and would tell any program what lies in files and conversations.
So are the tools of external servers: whoever asks may be such a server's friend.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject

_OWN = "local::"
#: The names that MCP allows (SEP-986).
_FITS = re.compile(r"[A-Za-z0-9_.-]{1,128}")
#: Characters of a name that are kept in a made one.
_KEPT = 100
#: Keywords whose keys are names of somebody's choice, and whose values are schemas.
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
#: Keywords whose values are data, not schemas.
_DATA = ("const", "default", "enum", "examples")


@dataclass(frozen=True)
class OfferedTool:
    """One ability as a tool."""

    name: str
    key: str
    title: str
    description: str
    params: JsonObject
    result: JsonObject
    """JSON Schema of the result, where its author gave one and it is an object; empty otherwise."""
    hints: JsonObject
    """`read_only`, `destructive`, `idempotent`, `open_world`: claims of its author."""
    whole: JsonObject
    """The ability as it is listed."""


def offers_of(abilities: Sequence[Json]) -> dict[str, OfferedTool]:
    """Name → offer, by key. The names of a key stay the same while nothing else claims it."""
    offered = sorted(
        (each for each in abilities if isinstance(each, dict) and _is_offered(each)),
        key=lambda each: str(each["key"]),
    )
    named = _names([str(each["key"]) for each in offered])
    return {name: _offer(name, each) for name, each in zip(named, offered, strict=True)}


def described_anew(abilities: Sequence[Json]) -> dict[str, JsonObject]:
    """`server/tool` → the ability, for the tools of external servers that a desc file describes."""
    found: dict[str, JsonObject] = {}
    for each in abilities:
        if isinstance(each, dict) and each.get("info") and str(each.get("path")).endswith(".desc.json"):
            server, _, tool = str(each["key"]).partition("::")
            found[f"{server}/{tool}"] = each
    return found


def _is_offered(ability: JsonObject) -> bool:
    info = ability.get("info")
    own = str(ability.get("key")).startswith(_OWN)
    if not own or not isinstance(info, dict):
        return False
    # A saved plan is a card of several steps, of which nobody could ask a program.
    return not (ability.get("off") or info.get("hidden") or info.get("plan"))


def _names(keys: Sequence[str]) -> list[str]:
    taken = {_plain(key) for key in keys}
    names = []
    for key in keys:
        names.append(_plain(key) or _made(key, taken))
        taken.add(names[-1])
    return names


def _plain(key: str) -> str:
    """The name as it stands, where MCP allows it."""
    name = key.removeprefix(_OWN)
    return name if _FITS.fullmatch(name) else ""


def _made(key: str, taken: set[str]) -> str:
    """What can be kept of the name, and enough of the key's hash to tell it from others."""
    kept = re.sub(r"[^A-Za-z0-9_.-]+", "_", key.removeprefix(_OWN)).strip("_")[:_KEPT] or "ability"
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    return next(name for size in range(8, 28) if (name := f"{kept}_{digest[:size]}") not in taken)


def _offer(name: str, ability: JsonObject) -> OfferedTool:
    info, key = ability["info"], str(ability["key"])
    assert isinstance(info, dict)
    result, hints = info.get("response_schema"), info.get("annotations")
    schema = result if isinstance(result, dict) and result.get("type") == "object" else {}
    return OfferedTool(
        name=name,
        key=key,
        title=_title(name, key, info),
        description=str(info.get("description") or ""),
        params=_object_schema(info.get("params")),
        result=_stripped(schema),
        hints=hints if isinstance(hints, dict) else {},
        whole=ability,
    )


def _title(name: str, key: str, info: Mapping[str, Json]) -> str:
    """With the key where the name had to be made."""
    stem = key.rpartition("::")[2].replace("_", " ").replace("-", " ").strip() or key
    title = str(info.get("label") or stem[:1].upper() + stem[1:])
    return title if name == _plain(key) else f"{title} ({key})"


def _object_schema(schema: Json) -> JsonObject:
    """MCP wants an object at the root."""
    found = _stripped(schema) if isinstance(schema, dict) else {}
    return found if found.get("type") == "object" else {**found, "type": "object"}


def _stripped(schema: Mapping[str, Json]) -> JsonObject:
    """A schema without Partner's own keywords."""
    return {
        keyword: value if keyword in _DATA else _inside(keyword, value)
        for keyword, value in schema.items()
        if not keyword.startswith("x-partner-")
    }


def _inside(keyword: str, value: Json) -> Json:
    if isinstance(value, list):
        return [_stripped(each) if isinstance(each, dict) else each for each in value]
    if not isinstance(value, dict):
        return value
    if keyword in _NAMED:
        return {name: _stripped(each) if isinstance(each, dict) else each for name, each in value.items()}
    return _stripped(value)
