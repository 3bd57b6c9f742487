"""Plain words for what a model is and how it fares."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.wording import size_words, tr
from partner_desktop.domain.model_status import ModelStatus

#: Where keys are kept, as the settings say it in English; the window says it in its own language.
_IN_FILE = re.compile(r"in the file (?P<file>.+), readable by you alone, because (?P<why>.+)")
_IN_KEYRING = re.compile(r"in the system keyring(?P<name> \(.+\))?")
_WHY_FILE: dict[str, Callable[[], str]] = {
    "this system has no keyring": lambda: tr("this system has no keyring"),
    "the system keyring does not answer": lambda: tr("the system keyring does not answer"),
    "the system keyring does not work or is locked": lambda: tr(
        "the system keyring does not work or is locked"
    ),
}


def key_place_words(place: str) -> str:
    """The end of a sentence: where a key goes."""
    if found := _IN_FILE.fullmatch(place):
        why = _WHY_FILE.get(found["why"], lambda: found["why"])()
        return tr("in the file {file}, readable by you alone, because {why}").format(
            file=found["file"], why=why
        )
    if found := _IN_KEYRING.fullmatch(place):
        return tr("in the system keyring{name}").format(name=found["name"] or "")
    return place


def kept_words(place: str) -> str:
    """What becomes of a secret; `place`: where it will be kept, empty while that is not known."""
    if not place:
        return tr("It is never shown again.")
    return tr("It is never shown again, and kept {place}.").format(place=key_place_words(place))


def where_words(model: ModelStatus) -> str:
    """The file as a person writes it, or the server's address."""
    return display_path(Path(model.where)) if model.kind == "file" else model.where


def facts_words(model: ModelStatus) -> str:
    """What is known of it; empty before it was opened for the first time."""
    parts = [model.description]
    if model.size_bytes:
        parts.append(size_words(model.size_bytes))
    if model.context_tokens:
        parts.append(tr("{count} tokens of context").format(count=f"{model.context_tokens:,}"))
    if model.threads:
        words = tr("1 thread") if model.threads == 1 else tr("{count} threads")
        parts.append(words.format(count=model.threads))
    if model.gpu_layers > 0:
        words = tr("1 GPU layer") if model.gpu_layers == 1 else tr("{count} GPU layers")
        parts.append(words.format(count=model.gpu_layers))
    if model.tokens_per_s:
        parts.append(tr("{speed} tokens/s").format(speed=f"{model.tokens_per_s:,.0f}"))
    if model.memory_bytes:
        parts.append(tr("{size} in memory").format(size=size_words(model.memory_bytes)))
    # A line ends between the parts, not within one.
    return " · ".join(part.replace(" ", "\u00a0") for part in parts if part)


def state_words(model: ModelStatus) -> tuple[str, PillKind]:
    """How it fares, and the colour that repeats it."""
    if model.state == "failed":
        return tr("failed"), "bad"
    if model.state == "loading":
        return (tr("loading") if model.kind == "file" else tr("connecting")), "busy"
    if model.busy:
        return tr("works"), "good"
    if model.state == "ready":
        return tr("ready"), "good"
    return (tr("not loaded") if model.kind == "file" else tr("not asked yet")), "plain"


def act_words(model: ModelStatus) -> str:
    """What its first button does; empty: there is nothing to do."""
    if model.state == "loading":
        return tr("Cancel") if model.kind == "file" else ""
    if model.state == "failed":
        return tr("Try again")
    if model.state == "ready":
        return tr("Unload") if model.kind == "file" else ""
    return tr("Load") if model.kind == "file" else tr("Connect")
