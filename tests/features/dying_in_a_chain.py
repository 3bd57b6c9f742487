"""Real Partners, each in a process of its own, that die by SIGKILL at a chosen transition of a chain.

    python -m tests.features.dying_in_a_chain HOME ACTION_DIR

Each line of the input is a moment and, after a tab, what is said first. A fork of this process, which has
imported everything, lives until it dies; its exit code is the answer. Moments: `proposed`, `approved` (it
says yes first), `begins:N` and `ends:N` (the run of the Nth step), `stage:N` (N stages are settled),
`checked` (the final check is asked for), `told`, `file:PATH` (a line stands there), `never` (it ends when
all is done).
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ActionEvent, Event, ProposalEvent, ResultEvent, RunEvent
from partner_desktop.domain.evidence import Finished
from partner_desktop.mind.question import ExtractIntents, Intents, JudgeChain, PlanVerdict, ReplyRequest
from partner_desktop.mind.starter.matcher import WordMatcher
from partner_desktop.mind.starter.mind import StarterMind
from tests.features.dying import die
from tests.support import HastyClock


class StepwiseMind(StarterMind):
    """The starter mind, which does what is said after one `then` after what is said before it."""

    def __init__(self, moment: str = "never") -> None:
        super().__init__(matcher=WordMatcher(), pace_s=0)
        self.add(
            ExtractIntents.answered_by(self.extract_intents),
            JudgeChain.answered_by(self.judge_chain),
        )
        self._moment = moment

    async def extract_intents(self, request: ExtractIntents) -> Intents:
        return Intents(tuple((part.strip(),) for part in request.text.split("then")))

    async def judge_chain(self, request: JudgeChain) -> PlanVerdict:
        if request.final and self._moment == "checked":
            die()
        return PlanVerdict(all(step.status is ActionStatus.SUCCEEDED for step in request.steps))

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        over = next((fact for fact in request.evidence if isinstance(fact, Finished)), None)
        if over is not None and self._moment == "told":
            die()
        if over is not None:
            yield f"{over.action.title}: {' '.join(step.stdout.strip() for step in over.steps)}"
            return
        async for piece in super().reply(request):
            yield piece


class Death:
    """Hears everything, and dies at its moment."""

    def __init__(self, moment: str) -> None:
        self._moment, _, about = moment.partition(":")
        self._number = int(about) if about.isdigit() else 0

    def __call__(self, event: Event) -> None:
        if isinstance(event, ActionEvent | ProposalEvent | RunEvent | ResultEvent) and self._is_now(event):
            die()

    def _is_now(self, event: ActionEvent | ProposalEvent | RunEvent | ResultEvent) -> bool:
        action, step = event.action, event.action.key.endswith(str(self._number))
        match self._moment, event:
            case "proposed", ProposalEvent():
                return not action.parent_id
            case "approved", RunEvent():
                return not action.parent_id
            case "begins", RunEvent():
                return bool(action.parent_id) and step
            case "ends", ResultEvent():
                return bool(action.parent_id) and step
            case "stage", ActionEvent():
                return action.chain is not None and action.chain.at == self._number
        return False


async def live(home: Path, action_dir: Path, moment: str, text: str) -> None:
    partner = Partner(
        Home(home), action_dir, mind=StepwiseMind(moment), meaning=False, quiet_clock=HastyClock()
    )
    partner.subscribe(Death(moment))
    await partner.launch()
    if text:
        await partner.messages.send(text, conversation_id=None)
    if moment == "approved":
        (chain,) = await partner.actions.list()
        await partner.actions.approve(chain.id, scope="once")
    if moment.startswith("file:"):
        while not _has_line(Path(moment[5:])):  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
        die()
    if moment != "never":
        await asyncio.sleep(30)
    await partner.idle()
    await partner.close()


def _has_line(path: Path) -> bool:
    return path.exists() and "\n" in path.read_text()


def keep(home: Path, action_dir: Path) -> None:
    """Let one after another live, until the input ends."""
    for line in sys.stdin:
        moment, _, text = line.rstrip("\n").partition("\t")
        pid = os.fork()
        if pid == 0:
            asyncio.run(live(home, action_dir, moment, text))
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    keep(Path(sys.argv[1]), Path(sys.argv[2]))
