"""Whatever comes in whatever order: nothing is lost, nothing is answered twice, nothing stays open."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import DoneEvent, MessageEvent, ReplyEvent, TurnEvent
from partner_desktop.domain.evidence import NoAbility
from partner_desktop.domain.message import MessageState, Role
from partner_desktop.mind.question import ReplyRequest
from tests.runtime.minds import Piece, ScriptedMind
from tests.support import WAIT_S, FakeClock, Watcher

PLACES = 2
OPS = st.one_of(
    st.tuples(st.just("say"), st.integers(0, PLACES - 1), st.sampled_from(["window", "terminal"])),
    st.tuples(st.just("say"), st.integers(0, PLACES - 1), st.just("window")),
    st.tuples(st.just("result"), st.integers(0, PLACES - 1), st.just("")),
    st.tuples(st.just("stop"), st.integers(0, PLACES - 1), st.just("")),
    st.tuples(st.just("steps"), st.integers(1, 40), st.just("")),
    st.tuples(st.just("pause"), st.integers(1, 400), st.just("")),
    st.tuples(st.just("open"), st.just(0), st.just("")),
)


class Play:
    """One interleaving in new conversations of one Partner."""

    def __init__(self, partner: Partner, mind: ScriptedMind, quiet: FakeClock) -> None:
        self.partner = partner
        self.quiet = quiet
        self.watcher = Watcher()
        self.undo = partner.subscribe(self.watcher)
        self.gate = asyncio.Event()
        self.places: list[str] = []
        mind.script = self._script

    def _script(self, request: ReplyRequest) -> Iterator[Piece]:
        yield f"[{request.text}"
        if len(request.text) % 3 == 0:
            yield self.gate
        yield "]"

    async def run(self, ops: list[tuple[str, int, str]]) -> None:
        self.places = [(await self.partner.conversations.create()).id for _ in range(PLACES)]
        for number, (kind, value, gateway) in enumerate(ops):
            if kind == "say":
                text = "word " * (value + 1) + str(number)
                await self.partner.messages.send(text, conversation_id=self.places[value], source=gateway)
            elif kind == "result":
                self.partner._parts.core.dialog.initiate_turn(
                    [NoAbility((), near=False)],
                    conversation_id=self.places[value],
                    exchange_id="",
                    skip=frozenset({"ActionPlanner"}),
                )
            elif kind == "stop":
                await self.partner.conversations.stop(self.places[value])
            elif kind == "open":
                self.gate.set()
            elif kind == "pause":
                self.quiet.move(timedelta(milliseconds=value))
            for _ in range(value if kind == "steps" else 1):
                await asyncio.sleep(0)
        await self._end()

    async def _end(self) -> None:
        self.gate.set()
        async with asyncio.timeout(WAIT_S):
            while len(self.partner._parts.core.exchanges):
                self.quiet.move(timedelta(milliseconds=100))
                await asyncio.sleep(0.001)
        self.undo()

    async def check(self) -> None:
        events = self.watcher.events
        done = Counter(event.exchange_id for event in events if isinstance(event, DoneEvent))
        assert set(done.values()) <= {1}, "an exchange ended twice"
        ended = [e for e in events if isinstance(e, TurnEvent) and e.state != "started"]
        assert len({turn.turn_id for turn in ended}) == len(ended), "a turn ended twice"
        for place in self.places:
            await self._check_place(place, [turn for turn in ended if turn.conversation_id == place])

    async def _check_place(self, place: str, ended: list[TurnEvent]) -> None:
        said = [
            event.exchange_id
            for event in self.watcher.events
            if isinstance(event, MessageEvent) and event.conversation_id == place
        ]
        dealt_with = [one for turn in ended for one in turn.exchanges]
        assert [one for one in dealt_with if one in said] == said, "lost, doubled or out of order"
        shown = self._visible(place)
        for turn in ended:
            answers = [text for exchange, text in shown.values() if exchange == turn.exchanges[-1]]
            assert len(answers) == 1 or (turn.state == "stopped" and not answers), (turn, answers)
        messages = await self.partner.messages.list(place, limit=1_000)
        kept = [message for message in messages if message.role is Role.PARTNER]
        assert {message.id for message in kept} == set(shown), "events and database agree"
        assert MessageState.STREAMING not in {message.state for message in kept}

    def _visible(self, place: str) -> dict[str, tuple[str, str]]:
        """Reply → its exchange and text, for those that were not taken back."""
        seen: dict[str, tuple[str, str]] = {}
        for event in self.watcher.events:
            if isinstance(event, ReplyEvent) and event.conversation_id == place:
                before = seen.get(event.reply_id, ("", ""))[1]
                seen[event.reply_id] = (event.exchange_id, before + event.content)
                if event.withdrawn:
                    del seen[event.reply_id]
        return seen


@pytest.mark.integration
@pytest.mark.promise("runtime.interrupt.rerun")
def test_any_interleaving_leaves_one_answer_for_each_turn_and_loses_nothing(
    home: Home, action_dir: Path
) -> None:
    with asyncio.Runner() as runner:
        mind, quiet = ScriptedMind(), FakeClock()
        partner = Partner(home, action_dir, meaning=False, mind=mind, quiet_clock=quiet)
        runner.run(partner.launch())

        async def play(ops: list[tuple[str, int, str]]) -> None:
            one = Play(partner, mind, quiet)
            await one.run(ops)
            await one.check()

        @settings(max_examples=30, deadline=None, phases=(Phase.reuse, Phase.generate))
        @given(st.lists(OPS, max_size=25))
        def check(ops: list[tuple[str, int, str]]) -> None:
            runner.run(play(ops))

        try:
            check()
        finally:
            runner.run(partner.close())
