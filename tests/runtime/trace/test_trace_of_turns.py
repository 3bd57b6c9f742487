"""What a real Partner's turns leave behind: names, numbers and times, and no word of anybody's."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import NoticeEvent, ReplyEvent, TurnEvent
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.trace.archive import trace_files
from partner_desktop.runtime.trace.trace_reader import TurnTrace, last_turns, list_line, turn_lines
from tests.support import HastyClock, Watcher

SECRET = "Xylophonesecret"


async def traced(partner: Partner, home: Home, *, limit: int = 10) -> list[TurnTrace]:
    """The turns so far, all of them written."""
    await partner._parts.core.tracer.flush()
    return last_turns(home.traces, limit=limit)


def whole_text(home: Home) -> bytes:
    """Every byte of every trace file, unpacked."""
    files = trace_files(home.traces)
    return b"".join(
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in files
    )


@pytest.mark.promise("framework.trace")
async def test_a_turn_leaves_its_modules_and_mind_calls_with_their_times(
    partner: Partner, watcher: Watcher, home: Home
) -> None:
    message = await partner.messages.send("hello", conversation_id=None)
    done = await watcher.done()
    (turn,) = await traced(partner, home)
    started = next(event for event in watcher.events if isinstance(event, TurnEvent))
    assert turn.turn_id == started.turn_id
    assert turn.facts["conversation"] == message.conversation_id
    assert turn.facts["exchange"] == done.exchange_id
    assert turn.facts["inputs"] == 1
    assert turn.state == "ended"
    modules = {str(r["module"]): r for r in turn.records if r["kind"] == "module"}
    assert set(modules) == {module.name for module in partner.agent_context.modules}
    assert {name: r["order"] for name, r in modules.items()} == {
        module.name: module.order for module in partner.agent_context.modules
    }
    assert all(float(str(r["duration_ms"])) >= 0 and r["outcome"] == "ok" for r in modules.values())
    assert any(r["kind"] == "workspace" for r in turn.records)
    calls = {str(r["question"]): r for r in turn.records if r["kind"] == "mind"}
    reply = calls["reply"]
    assert reply["mind"] == "starter"
    assert reply["within"] == modules["CommunicationProducer"]["span"]
    (last,) = [event for event in watcher.events if isinstance(event, ReplyEvent) and event.done]
    assert reply["characters"] == len(last.text)
    assert reply["pieces"] == len([e for e in watcher.events if isinstance(e, ReplyEvent) and e.content])


@pytest.mark.promise("framework.trace")
@pytest.mark.integration
async def test_no_word_of_the_person_or_of_an_answer_is_traced(
    partner: Partner, watcher: Watcher, home: Home, shout: Path
) -> None:
    del shout
    asked = await partner.messages.send(
        f'make it loud: "{SECRET}"', conversation_id=None, standing=ApprovalMode.ALL
    )
    await watcher.done()
    messages = await partner.messages.list(asked.conversation_id)
    assert any(SECRET.upper() in message.text for message in messages), "the ability did not run"
    turns = await traced(partner, home)
    runs = [record for turn in turns for record in turn.records if record["kind"] == "run"]
    assert [(run["step"], run["ability"]) for run in runs] == [
        ("begun", "local::upper"),
        ("succeeded", "local::upper"),
    ]
    text = whole_text(home).lower()
    assert b"local::upper" in text
    assert SECRET.lower().encode() not in text


class BrokenMind(StarterMind):
    """Fails with the person's words in the error."""

    name = "broken"

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        yield "one"
        raise ValueError(request.text)


@pytest.mark.logs_errors
@pytest.mark.promise("framework.trace")
@pytest.mark.integration
async def test_a_failure_is_traced_by_its_kind_alone(
    home: Home, action_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    partner = Partner(home, action_dir, meaning=False, mind=BrokenMind(), quiet_clock=HastyClock())
    await partner.launch()
    watcher = Watcher()
    partner.subscribe(watcher)
    await partner.messages.send(SECRET, conversation_id=None)
    await watcher.done()
    await partner.close()
    (turn,) = last_turns(home.traces, limit=1)
    outcomes = {str(r.get("module")): r["outcome"] for r in turn.records if r["kind"] == "module"}
    assert outcomes["CommunicationProducer"] == "ValueError"
    assert outcomes["DialogRolling"] == "ok"
    (call,) = [r for r in turn.records if r.get("question") == "reply"]
    assert (call["mind"], call["outcome"], call["pieces"]) == ("broken", "ValueError", 1)
    where = next(r["where"] for r in turn.records if r["kind"] == "error")
    assert where == "CommunicationProducer"
    assert SECRET.encode() not in whole_text(home)
    assert SECRET not in caplog.text


async def test_a_stopped_turn_says_so(home: Home, action_dir: Path) -> None:
    partner = Partner(home, action_dir, meaning=False, pace_s=60, quiet_clock=HastyClock())
    await partner.launch()
    watcher = Watcher()
    partner.subscribe(watcher)
    message = await partner.messages.send("hello", conversation_id=None)
    await watcher.until(lambda event: isinstance(event, ReplyEvent))
    await partner.conversations.stop(message.conversation_id)
    await watcher.done()
    await partner.close()
    (turn,) = last_turns(home.traces, limit=1)
    assert turn.state == "stopped"
    (call,) = [r for r in turn.records if r.get("question") == "reply"]
    assert call["outcome"] == "cancelled"


@pytest.mark.promise("framework.trace")
async def test_the_tree_shows_orders_modules_and_calls_below_each_other(
    partner: Partner, watcher: Watcher, home: Home
) -> None:
    await partner.messages.send("hello", conversation_id=None)
    await watcher.done()
    (turn,) = await traced(partner, home)
    lines = turn_lines(turn)
    assert lines[0].startswith(f"turn {turn.turn_id[:8]}")
    order = [line.strip("├─└│ ") for line in lines[1:]]
    wanted = [
        "order 1",
        "PerceiveMonitor",
        "order 2",
        "order 5",
        "CommunicationProducer",
        "mind reply",
        "order 7",
    ]
    places = [next(i for i, line in enumerate(order) if line.startswith(name)) for name in wanted]
    assert places == sorted(places)
    bars = {line.index("[") for line in lines if line.endswith("]") or "] " in line}
    assert len(bars) == 1, "the bars stand below each other"


@pytest.mark.promise("framework.trace")
async def test_of_a_forgotten_conversation_a_tombstone_is_shown(
    partner: Partner, watcher: Watcher, home: Home
) -> None:
    message = await partner.messages.send("hello", conversation_id=None)
    await watcher.done()
    await partner.conversations.delete(message.conversation_id)
    (turn,) = await traced(partner, home)
    assert not turn.forgotten, "it can still be brought back"
    await partner.conversations.deletion.erase([message.conversation_id])
    (turn,) = await traced(partner, home)
    assert turn.forgotten
    assert any("forgotten" in line for line in turn_lines(turn))
    assert message.conversation_id[:8] not in "\n".join([*turn_lines(turn), list_line(turn)])


@pytest.mark.integration
async def test_a_trace_that_cannot_be_written_disturbs_no_turn(home: Home, action_dir: Path) -> None:
    home.root.mkdir(mode=0o700, parents=True)
    home.traces.write_text("in the way")
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    watcher = Watcher()
    partner.subscribe(watcher)
    for _ in range(2):
        await partner.messages.send("hello", conversation_id=None)
        done = await watcher.done()
        assert done.status == "ok"
        await partner._parts.core.tracer.flush()
        notice = await watcher.until(lambda event: isinstance(event, NoticeEvent))
        watcher.events = [notice]
    await partner.close()
    assert len([event for event in watcher.events if isinstance(event, NoticeEvent)]) == 1


def test_workspace_changes_and_errors_stand_below_the_module_that_they_belong_to() -> None:
    at = "2026-11-21T07:00:00.{:06d}+00:00"
    turn = TurnTrace(
        "t" * 32,
        [
            {"at": at.format(0), "kind": "turn", "state": "started", "conversation": "c", "exchange": "e"},
            {"at": at.format(2), "kind": "workspace", "within": 7, "op": "register", "name": "intentions"},
            {"at": at.format(3), "kind": "error", "within": 7, "module": "Planner"},
            {
                "at": at.format(4),
                "kind": "module",
                "module": "Planner",
                "order": 2,
                "span": 7,
                "outcome": "E",
            },
            {"at": at.format(5), "kind": "turn", "state": "ended", "inputs": 3, "runs": 2},
        ],
    )
    head, *tree = turn_lines(turn)
    assert "3 inputs, begun 2 times" in head
    assert [line.split("  ")[0] for line in tree[:1]] == ["└─ order 2"]
    assert tree[1].startswith("   └─ Planner")
    assert tree[1].endswith("!! E")
    assert tree[2].startswith("      ├─ workspace register intentions")
    assert tree[3].startswith("      └─ error Planner")


def test_records_that_make_no_sense_are_printed_all_the_same() -> None:
    turn = TurnTrace(
        "t",
        [
            {"at": 5, "kind": None, "within": [], "span": "x", "duration_ms": "long"},
            {"at": "2026-01-01", "kind": "module", "order": "first", "span": 1, "within": 1},
            {"at": "2026-01-01T00:00:00+00:00", "kind": "mind", "duration_ms": True, "question": "\x1b[2J"},
        ],
    )
    text = "\n".join([*turn_lines(turn), list_line(turn)])
    assert "not ended" in text
    assert "\x1b" not in text
