"""The models' settings, `config/model.toml`, and entries of it made from what a person points at.

That is a file, or a server.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, field_validator, model_validator

from partner_desktop.base.errors import ModelError
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.config.handle import SettingsModel
from partner_desktop.model.endpoint.address import tidy_address

#: The questions of `mind/question.py` that are asked in a turn: the person waits for what comes of them.
InTurns = Literal[
    "extract_intents",
    "evaluate_intent",
    "pick_ability",
    "extract_params",
    "judge_confirmation",
    "generate_action",
    "read_intervention",
    "read_open_words",
]
#: All that a model can be asked; how work of several steps goes on is asked between the steps.
QuestionName = Literal[
    "reply",
    InTurns,
    "correct_chain",
    "judge_chain",
    "choose_verification",
    "judge_slices",
    "summarise",
    "title_dialog",
    "find_entities",
    "write_for_agent",
]

#: Whether a model can see what is shown to it.
Vision = Literal["auto", "yes", "no"]

_NAME = r"^[^\s/\\][^/\\\n]{0,79}$"


class FileModel(SettingsModel):
    """A GGUF file on this machine."""

    name: str = Field(pattern=_NAME, description="What it is called here.", examples=["small"])
    path: str = Field(min_length=1, description="The file.", examples=["~/models/small.gguf"])
    context_tokens: int = Field(
        default=0,
        ge=0,
        le=4_194_304,
        description="How much it holds at once; 0 takes what model and memory allow.",
        json_schema_extra={"unit": "tokens"},
        examples=[8192],
    )
    threads: int = Field(
        default=0, ge=0, le=512, description="Processor threads; 0 leaves half to the window.", examples=[4]
    )
    gpu_layers: int = Field(
        default=-1,
        ge=-1,
        le=10_000,
        description="Layers on the graphics card; -1 takes all where there is one.",
        examples=[0],
    )
    tool_format: Literal["auto", "off"] = Field(
        default="auto",
        description="How it chooses: auto by calls of tools, where its chat template has words for them.",
    )
    idle_minutes: float = Field(
        default=15.0,
        gt=0,
        le=10_080,
        description="After so long without use it is unloaded.",
        json_schema_extra={"unit": "min"},
        examples=[15],
    )
    projector: str = Field(
        default="",
        description="The file that sees for it (mmproj); empty: it cannot see pictures.",
        examples=["~/models/mmproj-small.gguf"],
    )


class EndpointModel(SettingsModel):
    """A model behind an OpenAI-compatible server. Its key is in the keyring, never here."""

    name: str = Field(pattern=_NAME, description="What it is called here.", examples=["cluster"])
    base_url: str = Field(description="The server's address.", examples=["http://127.0.0.1:8080/v1"])
    model: str = Field(
        default="", description="The model's name there; empty takes the first.", examples=["llama3.1"]
    )
    context_tokens: int = Field(
        default=0,
        ge=0,
        le=4_194_304,
        description="How much it holds at once; 0: unknown.",
        json_schema_extra={"unit": "tokens"},
        examples=[32_768],
    )
    connect_seconds: float = Field(
        default=10.0,
        gt=0,
        le=300,
        description="The longest wait for the connection.",
        json_schema_extra={"unit": "s"},
        examples=[10],
    )
    answer_seconds: float = Field(
        default=120.0,
        gt=0,
        le=3600,
        description="The longest wait for the first token, and for each one after it.",
        json_schema_extra={"unit": "s"},
        examples=[120],
    )
    vision: Vision = Field(
        default="auto", description="Whether it can see pictures; auto tries it once, and remembers that."
    )
    insecure: bool = Field(
        default=False,
        description="Whether its key may go over the net unencrypted, to an address that begins with http://.",
    )
    price_in: float | None = Field(
        default=None, ge=0, description="Price of a million tokens of prompt.", examples=[0.15]
    )
    price_out: float | None = Field(
        default=None, ge=0, description="Price of a million tokens of answer.", examples=[0.6]
    )

    @field_validator("base_url")
    @classmethod
    def _tidy(cls, typed: str) -> str:
        """As a test of a server takes it, so that what passes there can be kept."""
        try:
            return tidy_address(typed)
        except ModelError as error:
            raise ValueError(str(error)) from error


class RoleSettings(SettingsModel):
    """How one question is asked, where it differs from the default."""

    question: QuestionName = Field(description="Which question.", examples=["reply"])
    model: str | None = Field(
        default=None, description="The model that answers it; `starter` for none.", examples=["small"]
    )
    temperature: float | None = Field(
        default=None, ge=0, le=2, description="0 takes the likeliest words.", examples=[0.2]
    )
    top_p: float | None = Field(
        default=None, gt=0, le=1, description="How much of the likelihood is drawn from.", examples=[0.9]
    )
    max_tokens: int | None = Field(
        default=None, ge=16, le=1_000_000, description="The longest answer.", examples=[800]
    )
    persona: str | None = Field(
        default=None, max_length=8_000, description="Who speaks, instead of the shipped text.", examples=["…"]
    )


class ModelSettings(SettingsModel):
    """The models that there are, who answers what, and how."""

    model_config = ConfigDict(json_schema_extra={"section": "models"})

    use: str = Field(
        default="", description="The model that answers; empty: the starter mind.", examples=["small"]
    )
    language: Literal["auto", "en", "zh"] = Field(
        default="auto", description="The language of the prompts; auto goes by the system's.", examples=["en"]
    )
    temperature: float = Field(
        default=0.7,
        ge=0,
        le=2,
        description="0 takes the likeliest words. Answers of a fixed form do, unless their role says else.",
    )
    top_p: float = Field(default=0.95, gt=0, le=1, description="How much of the likelihood is drawn from.")
    max_tokens: int = Field(
        default=1_024,
        ge=16,
        le=1_000_000,
        description="The longest answer.",
        json_schema_extra={"unit": "tokens"},
    )
    embedding: str = Field(
        default="",
        description="A GGUF file that compares meanings; empty: the shipped model does.",
        examples=["~/models/bge-m3.gguf"],
    )
    file: tuple[FileModel, ...] = Field(
        default=(), description="Models in files.", examples=[[{"name": "small", "path": "~/small.gguf"}]]
    )
    endpoint: tuple[EndpointModel, ...] = Field(
        default=(),
        description="Models behind servers.",
        examples=[[{"name": "cluster", "base_url": "http://127.0.0.1:8080/v1"}]],
    )
    folders: tuple[str, ...] = Field(
        default=(),
        max_length=64,
        description="Where models lie besides the usual folders of other programs; looked at, never changed.",
        examples=[["~/models"]],
    )
    stall_seconds: float = Field(
        default=60.0,
        gt=0,
        le=3600,
        description="A download that brings nothing for so long is tried again, a few times.",
        json_schema_extra={"unit": "s"},
    )
    role: tuple[RoleSettings, ...] = Field(
        default=(),
        description="Questions that are asked otherwise.",
        examples=[[{"question": "reply", "temperature": 0.9}]],
    )

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        names = [*(one.name for one in self.file), *(one.name for one in self.endpoint)]
        for name in names:
            if names.count(name) > 1 or name == "starter":
                raise ValueError(sentence_of("model.name_taken", name=name))
        if self.use and self.use not in names:
            raise ValueError(sentence_of("model.use_unknown", name=self.use))
        questions = [role.question for role in self.role]
        for role in self.role:
            if role.model not in (None, "starter", *names):
                raise ValueError(sentence_of("model.role_unknown", role=role.question, name=role.model))
            if questions.count(role.question) > 1:
                raise ValueError(sentence_of("model.role_twice", role=role.question))
        return self


_MAGIC = b"GGUF"
_LONGEST = 60
#: What a name may not hold; see `FileModel.name`.
_UNFIT = re.compile(r"[/\\\n\r]|^\s+|\s+$")


def whole_path(written: str) -> Path:
    """The path that somebody wrote, from the root on; never raises."""
    return Path(os.path.abspath(os.path.expanduser(written)))  # noqa: PTH100, PTH111 - never raises


def require_gguf(path: Path) -> None:
    """See that a file can be read and begins as models do. Blocking.

    Raises:
        ModelError: It does not; the sentence says why.
    """
    reason = unfit_reason(path)
    if reason:
        raise ModelError("common.told", text=reason)


def unfit_reason(path: Path) -> str:
    """Why this file is no model, in one sentence; empty if it may be one. Blocking."""
    shown_path = display_path(path)
    try:
        if not path.exists():
            return sentence_of("model.no_file", path=shown_path)
        if not path.is_file():
            return sentence_of("model.not_a_file", path=shown_path)
        with path.open("rb") as file:
            begin = file.read(len(_MAGIC))
        str(path).encode()
    except OSError as error:
        return sentence_of("model.file_unread", path=shown_path, reason=system_reason(error))
    except ValueError:  # a null byte, or half a character
        return sentence_of("model.name_no_text", path=shown_path)
    return "" if begin == _MAGIC else sentence_of("model.not_gguf", path=shown_path)


def free_name(wanted: str, taken: Collection[str]) -> str:
    """A name like the wanted one that no other model has."""
    base = _UNFIT.sub("", wanted)[:_LONGEST].rstrip() or "model"
    name, number = base, 2
    while name in taken or name == "starter":
        name, number = f"{base} {number}", number + 1
    return name


def server_name(base_url: str) -> str:
    """What a server is called where nobody said it."""
    try:
        return urlsplit(base_url).hostname or "server"
    except ValueError:
        return "server"
