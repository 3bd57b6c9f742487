"""One kind of input: how one is made, and what the product makes of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar

from partner_desktop.base.errors import PartnerError
from partner_desktop.base.messages import speaking
from partner_desktop.base.prompts import LANGUAGES


class Family:
    """Root of the kinds of input; one is opened on a folder of its own, and closed."""

    name: ClassVar[str]

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self, dice: random.Random) -> bytes:
        """The input: damaged, made up, or as it should be."""
        raise NotImplementedError

    def take(self, given: bytes) -> str:
        """Give it to the product; what came of it.

        Raises:
            PartnerError: It was refused.
            Exception: Anything else must not be.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Nothing more comes."""


def check_error(error: PartnerError) -> None:
    """A refusal has a sentence in each language.

    Raises:
        AssertionError: It has none.
    """
    for language in LANGUAGES:
        with speaking(language):
            said = str(error)
        assert said != error.message_id, f"no sentence: {said}"
        assert not said.startswith(f"{error.message_id} "), f"no sentence: {said}"
        check_sentence(said)


def check_sentence(said: str) -> None:
    """A person can read it: it has an end, and nothing in it is a program's.

    Raises:
        AssertionError: It is none.
    """
    assert len(said.strip()) > 5, f"hardly a sentence: {said!r}"
    assert all(line.isprintable() for line in said.split("\n")), f"it cannot be shown: {said!r}"
    for sign in ("Traceback", "<class '", "object at 0x", "NoneType", "pydantic", "Errno"):
        assert sign not in said, f"of a program: {said!r}"


def one_of(dice: random.Random, makers: Iterable[Callable[[random.Random], bytes]]) -> bytes:
    """What one of several ways makes."""
    return dice.choice(list(makers))(dice)
