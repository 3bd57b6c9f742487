"""What a parameter's description states beside its meaning: default, examples, what true and false mean."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from partner_desktop.base.patterns import late
from partner_desktop.domain.json_value import Json
from partner_desktop.language.arguments.slot import Slot

_DEFAULT = late(
    r"(?:defaults? (?:value )?(?:is|to|of|as)|default[:=]|please use|by default,?(?: is)?)\s*"
    r"(?P<value>'[^']*'|\"[^\"]*\"|\[\]|-?\d+(?:\.\d+)?|true|false)",
    re.IGNORECASE,
)
_EXAMPLE = late(
    r"(?:e\.?g\.?|example|such as|like|for instance|supported \w+ are|including|options?:?)\b.*",
    re.IGNORECASE,
)
_QUOTED = late(r"'([^']{1,60})'|\"([^\"]{1,60})\"|`([^`]{1,60})`")
_LISTED = late(
    r"\((?:e\.g\.,?\s*)?"
    r"([\w\- ]{2,25}(?:,\s*(?:or\s+)?[\w\- ]{2,25}){1,12}|[\w\-]{2,20}\s+or\s+[\w\-]{2,20})\)"
)
_TRUE_FALSE = late(
    r"(?:'?(?P<bool>true|false)'?\s*(?:for|if|means|when|=|:)\s*(?P<after>[\w\- ]{3,40})"
    r"|(?P<before>[\w\-]{3,20})(?:\s\w+)?\s*\((?P<paren>true|false)\))",
    re.IGNORECASE,
)


def default_of(slot: Slot) -> tuple[Json, ...]:
    """The default, from the schema or as the description states it; empty when there is none."""
    if "default" in slot.schema:
        return (slot.schema["default"],)
    match = _DEFAULT.search(slot.description)
    if match is None:
        return ()
    said = match["value"].strip("'\"")
    if slot.choices:
        return tuple(choice for choice in slot.choices if str(choice).lower() == said.lower())[:1]
    if slot.is_number or slot.types == {"boolean"} or slot.is_list:
        try:
            value: Json = json.loads(said.lower())
        except ValueError:
            return ()
        return (value,)
    return (said,) if "string" in slot.types else ()


@lru_cache(maxsize=1024)
def examples_in(description: str) -> tuple[str, ...]:
    """Values that a description gives as examples."""
    match = _EXAMPLE.search(description)
    if match is None:
        return ()
    quoted = [next(filter(None, groups)) for groups in _QUOTED.findall(match.group())]
    if quoted:
        return tuple(quoted)
    plain = re.split(
        r"(?:e\.?g\.?|example|such as|like|for instance)[,:]?\s*",
        match.group(),
        maxsplit=1,
        flags=re.IGNORECASE,
    )
    parts = re.split(r",\s*|\s+or\s+|\s+and\s+", re.split(r"[.;)]", plain[-1])[0])
    return tuple(part.strip() for part in parts if 0 < len(part.strip()) < 30)[:8]


@lru_cache(maxsize=1024)
def quoted_in(description: str) -> tuple[str, ...]:
    """What a description quotes outside of its default, and lists in brackets: values to choose from."""
    told = _DEFAULT.sub("", description)
    quoted = [next(filter(None, groups)) for groups in _QUOTED.findall(told)]
    listed = [part.strip() for group in _LISTED.findall(told) for part in re.split(r",\s*|\s+or\s+", group)]
    return tuple(value for value in (*quoted, *listed) if 1 < len(value) < 40)[:20]


@lru_cache(maxsize=1024)
def truths_in(description: str) -> tuple[tuple[bool, str], ...]:
    """What true and what false stand for, where the description says it."""
    return tuple(
        ((match["bool"] or match["paren"]).lower() == "true", match["after"] or match["before"])
        for match in _TRUE_FALSE.finditer(description)
    )
