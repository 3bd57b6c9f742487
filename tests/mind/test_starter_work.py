"""However a message is made, reading it is little work: no pattern tries a long run again at each place.

The bound is on the work (processor seconds of a process of its own), not on the time of a busy machine.
"""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys

import pytest

from partner_desktop.domain.evidence import NoAbility
from partner_desktop.mind.question import (
    EvaluateIntent,
    ExtractParams,
    JudgeConfirmation,
    PickAbility,
    ReplyRequest,
)
from partner_desktop.mind.starter.mind import StarterMind
from tests.mind.asking import ability, many, param

#: Processor seconds for everything below, with the start of Python.
LIMIT_S = 8
LENGTH = 4_000

RUNS = (
    " ", "\n", "\u3000", " ,", '"', "' ", "“", "`", "([{", "1", "1,", ".", "a.", "a/", "-", "a@", "+1", "的",
    "一", "and ", "please , ", "Aa ", "text=", "x" + " " * 300,
)  # fmt: skip

SEARCH = ability(
    "search_text", "Search text in files", needs="query",
    query=param("string", "search text"), folder=param("string", format="path"), count=param("integer"),
    city=param("string", "the city, e.g. Ulm"), when=param("string", "the day as YYYY-MM-DD", format="date"),
    unit=param("string", enum=["kelvin", "celsius"]), flag=param("boolean", "only PDFs"),
)  # fmt: skip
WORK = ability(
    "other_work", "Do other text work",
    names=many("string"), numbers=many("number"), expression=param("string", "a formula"),
    address=param("string", "street"), language=param("string", "language code"), colour=param("string"),
    text=param("string", "what to say", **{"x-partner-rest": True}),
)  # fmt: skip


def messages() -> list[str]:
    """Runs between two words, and blanks alone."""
    return [*(f"search text{run * LENGTH}"[: LENGTH - 1] + "x" for run in RUNS), " " * LENGTH]


async def read_all() -> None:
    """Every door of the mind."""
    mind = StarterMind()
    for text in messages():
        await mind.ask(EvaluateIntent(text, [SEARCH, WORK]))
        await mind.ask(JudgeConfirmation(text, []))
        await mind.ask(JudgeConfirmation(text[:70], []))
        await mind.ask(PickAbility(text, [SEARCH, WORK]))
        for info, asked in ((SEARCH, ""), (WORK, ""), (SEARCH, "folder"), (WORK, "names")):
            await mind.ask(ExtractParams(text, info, asked=asked))
        reply = ReplyRequest(text, (NoAbility((), near=False),), [SEARCH])
        assert [piece async for piece in mind.reply(reply)]


@pytest.mark.integration
def test_no_message_takes_more_work_than_its_length() -> None:
    command = [sys.executable, "-m", "tests.mind.test_starter_work"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr[-2_000:]


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))
    asyncio.run(read_all())
