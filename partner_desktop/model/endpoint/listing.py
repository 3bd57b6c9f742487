"""What models a server lists, and how much each holds where it says so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from difflib import get_close_matches

from partner_desktop.domain.json_value import Json
from partner_desktop.model.endpoint.failure import Place, broken, foreign
from partner_desktop.model.endpoint.wire_port import Wire

_MOST_BYTES = 8 * 1024 * 1024
_MOST_MODELS = 2_000
#: vLLM; OpenRouter and LM Studio; others.
_HOLDS = ("max_model_len", "context_length", "max_context_length", "context_window", "n_ctx")


@dataclass(frozen=True)
class ListedModel:
    """One model of a server. `context_tokens`: 0 where it does not say."""

    name: str
    context_tokens: int = 0


async def listed(wire: Wire, place: Place) -> tuple[ListedModel, ...]:
    """All of them, in the server's order.

    Raises:
        ModelError: It does not answer, or not with a list.
    """
    answer = await wire.get("/models")
    body = bytearray()
    try:
        async with aclosing(answer.bytes()) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) > _MOST_BYTES:
                    raise broken(place, "sent far more than a list of models", "Take another server.")
    finally:
        await answer.close()
    return _models(bytes(body), place)


def nearest(wanted: str, names: Sequence[str]) -> str:
    """A sentence with the names that it may have meant; empty where there is none."""
    found = get_close_matches(wanted, names, n=3, cutoff=0.4) or list(names[:3])
    return f" It lists {', '.join(found)}{' and others' if len(names) > len(found) else ''}." if found else ""


def _models(body: bytes, place: Place) -> tuple[ListedModel, ...]:
    if body.lstrip().startswith(b"<"):
        raise foreign(place, "answered with a web page")
    try:
        raw: Json = json.loads(body)
    except (ValueError, RecursionError):
        raise foreign(place, "answered with something that is not JSON") from None
    data = raw.get("data") if isinstance(raw, dict) else None
    if not isinstance(data, list):
        raise foreign(place, "answered with JSON that is no list of models")
    models = (_model(one) for one in data[:_MOST_MODELS])
    return tuple(model for model in models if model is not None)


def _model(one: Json) -> ListedModel | None:
    name = one.get("id") if isinstance(one, dict) else None
    if (
        not isinstance(one, dict)
        or not isinstance(name, str)
        or not name.isprintable()
        or not 0 < len(name) <= 300
    ):
        return None
    meta = one.get("meta")
    told = {**(meta if isinstance(meta, dict) else {}), **one}
    sizes = [size for key in _HOLDS if isinstance(size := told.get(key), int) and 0 < size <= 1 << 24]
    return ListedModel(name, sizes[0] if sizes else 0)
