"""Parameters that a description file describes anew, laid over those of the server. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from partner_desktop.base.errors import DescriptorError
from partner_desktop.domain.json_value import Json, JsonObject


def merged_params(
    described: dict[str, Any],  # Any: JSON from a descriptor
    own: JsonObject,
    *,
    lines: Mapping[str, int],
) -> JsonObject:
    """The server's schema with the described parameters in place of its own.

    `described` is a full schema, or a map of properties or texts. What it leaves out is not offered; what
    it does not say of a parameter stays as the server says it.

    Raises:
        DescriptorError: A call after this description could not fit the server; `line` is that of the
            parameter, by `lines`.
    """
    whole = described.get("type") == "object" and isinstance(described.get("properties"), dict)
    properties: dict[str, Any] = described["properties"] if whole else described
    theirs = own.get("properties")
    known = theirs if isinstance(theirs, dict) else {}
    unknown = [name for name in properties if name not in known]
    if unknown:
        near = get_close_matches(unknown[0], sorted(known), n=1, cutoff=0.7)
        more = f"; did you mean `{near[0]}`?" if near else _all_names(known)
        raise DescriptorError(
            f"the server's tool has no parameter `{unknown[0]}`{more}", line=lines.get(unknown[0])
        )
    needed = own.get("required")
    required = [name for name in needed if isinstance(name, str)] if isinstance(needed, list) else []
    missing = [name for name in required if name not in properties]
    if missing:
        raise DescriptorError(
            f"`params` leaves out `{missing[0]}`, which the server's tool cannot go without; describe it, too"
        )
    merged = {name: _laid_over(name, spec, known[name], lines.get(name)) for name, spec in properties.items()}
    named = described.get("required", []) if whole else _marked(properties)
    return {**own, "properties": merged, "required": [*required, *(n for n in named if n not in required)]}


def _all_names(known: dict[str, Json]) -> str:
    names = ", ".join(f"`{name}`" for name in list(known)[:8])
    return f"; it has {names}" if names else "; it has none"


def _marked(properties: dict[str, Any]) -> list[str]:
    return [
        name for name, spec in properties.items() if isinstance(spec, dict) and spec.get("required") is True
    ]


def _laid_over(name: str, spec: object, own: Json, line: int | None) -> Json:
    theirs = own if isinstance(own, dict) else {}
    if isinstance(spec, str):
        return {**theirs, "description": spec}
    assert isinstance(spec, dict)  # `params_schema` has looked at it
    kind, their_kind = spec.get("type"), theirs.get("type")
    if not _fits(kind, their_kind):
        raise DescriptorError(
            f"the parameter `{name}` is of the type `{their_kind}` for the server, not `{kind}`; "
            "leave `type` out, or write the server's",
            line=line,
        )
    return {**theirs, **{key: value for key, value in spec.items() if key != "required"}}


def _fits(kind: object, theirs: object) -> bool:
    """Whether every value of a type is one of the server's."""
    if kind is None or theirs is None:
        return True
    wide = theirs if isinstance(theirs, list) else [theirs]
    narrow = kind if isinstance(kind, list) else [kind]
    return all(one in wide or (one == "integer" and "number" in wide) for one in narrow)
