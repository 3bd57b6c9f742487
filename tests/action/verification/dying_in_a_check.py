"""Real Partners, each in a process of its own, that die by SIGKILL at a transition of a plan's check.

    python -m tests.action.verification.dying_in_a_check HOME ACTION_DIR MOMENT [TEXT]

Moments: `begun` (nothing is checked yet), `verdict:N` (N verdicts stand there), `ended`, `closed`.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import ActionEvent, Event, ProposalEvent, ResultEvent
from tests.features.dying import die
from tests.features.dying_in_a_chain import StepwiseMind
from tests.support import HastyClock


class Death:
    """Hears everything, and dies at its moment."""

    def __init__(self, moment: str) -> None:
        self._moment, _, number = moment.partition(":")
        self._number = int(number or 0)

    def __call__(self, event: Event) -> None:
        if not isinstance(event, ActionEvent | ResultEvent) or event.action.chain is None:
            return
        found = event.action.verification
        if found is None:
            return
        moments = {
            "begun": not found.verdicts,
            "verdict": len(found.verdicts) == self._number and found.ended_at is None,
            "ended": found.ended_at is not None,
            "closed": isinstance(event, ResultEvent),
        }
        if moments[self._moment]:
            die()


async def live(home: Path, action_dir: Path, moment: str, text: str) -> None:
    partner = Partner(Home(home), action_dir, mind=StepwiseMind(), meaning=False, quiet_clock=HastyClock())
    partner.subscribe(Death(moment))
    cards: asyncio.Queue[str] = asyncio.Queue()

    def note(event: Event) -> None:
        if isinstance(event, ProposalEvent):
            cards.put_nowait(event.action.id)

    partner.subscribe(note)
    await partner.launch()
    if text:
        await partner.messages.send(text, conversation_id=None)
        await partner.actions.approve(await cards.get(), scope="once")
    await asyncio.sleep(30)


if __name__ == "__main__":
    asyncio.run(live(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], " ".join(sys.argv[4:])))
