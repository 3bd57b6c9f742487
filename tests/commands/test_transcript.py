"""Events on the terminal: whole lines above the input, the unfinished one kept apart."""

from __future__ import annotations

import pytest

from partner_desktop.commands.console.transcript import Transcript
from partner_desktop.domain.events import (
    ErrorEvent,
    MessageEvent,
    NoticeEvent,
    ReplyEvent,
    ReplyMode,
    TakeEvent,
)
from partner_desktop.domain.message import Message, Role
from tests.support import FakeClock


class Paper:
    """Twenty columns."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.transcript = Transcript(self.lines.append, lambda: 20)

    def piece(
        self, content: str, *, reply: str = "r1", seq: int = 0, mode: ReplyMode = ReplyMode.APPEND
    ) -> None:
        self.transcript.show(ReplyEvent(reply_id=reply, seq=seq, content=content, mode=mode).to_json())

    def end(self, text: str, *, reply: str = "r1", withdrawn: bool = False, stopped: bool = False) -> None:
        event = ReplyEvent(
            reply_id=reply, seq=9, content="", done=True, text=text, withdrawn=withdrawn, stopped=stopped
        )
        self.transcript.show(event.to_json())


@pytest.fixture
def paper() -> Paper:
    return Paper()


def test_backslashes_that_only_guard_a_sign_are_left_out(paper: Paper) -> None:
    paper.piece("see local::\\")
    paper.piece("* here", seq=1)
    paper.end("see local::\\* here")
    paper.end("1\\. more", reply="r2")
    assert paper.lines == ["see local::* here", "1. more"]


def test_pieces_grow_in_the_tail_and_become_lines_when_they_are_whole(paper: Paper) -> None:
    paper.piece("Hel")
    assert (paper.lines, paper.transcript.tail) == ([], "Hel")
    paper.piece("lo.\nHow")
    assert (paper.lines, paper.transcript.tail) == (["Hello."], "How")
    paper.end("Hello.\nHow")
    assert (paper.lines, paper.transcript.tail) == (["Hello.", "How"], "")


def test_a_long_line_is_broken_at_a_blank_and_a_long_word_where_it_must(paper: Paper) -> None:
    paper.piece("the quick brown fox jumps over the dog " + "x" * 45)
    paper.end("")
    assert paper.lines[:2] == ["the quick brown fox", "jumps over the dog"]
    assert all(len(line) < 20 for line in paper.lines)
    assert "".join(paper.lines[2:]) == "x" * 45


def test_a_withdrawn_reply_says_that_the_answer_comes_below(paper: Paper) -> None:
    paper.piece("I thi")
    paper.end("I thi", withdrawn=True)
    paper.end("The whole answer.", reply="r2")
    assert paper.lines == ["I thi", "(answered below)", "The whole answer."]


def test_a_reply_joined_in_the_middle_of_nothing_is_shown_whole_at_its_end(paper: Paper) -> None:
    paper.end("Nobody looked before.", stopped=True)
    assert paper.lines == ["Nobody looked", "before.", "(stopped)"]


def test_a_replacement_begins_again(paper: Paper) -> None:
    paper.piece("wrong")
    paper.piece("right", seq=1, mode=ReplyMode.REPLACE)
    paper.end("right")
    assert paper.lines == ["wrong", "(once more:)", "right"]


def test_what_was_typed_here_is_not_shown_again_and_what_came_from_elsewhere_is(
    paper: Paper, clock: FakeClock
) -> None:
    paper.transcript.own_texts.append("mine")
    for text, source in (("mine", "terminal"), ("theirs", "window")):
        message = Message("m", "c", Role.USER, text, clock.now(), source=source)
        paper.transcript.show(MessageEvent(message=message).to_json())
    assert paper.lines == ["you (window): theirs"]


@pytest.mark.promise("desktop.edit")
def test_who_follows_is_told_that_the_conversation_goes_on_differently(paper: Paper) -> None:
    paper.piece("half a")
    paper.transcript.show(TakeEvent(conversation_id="c", from_position=3).to_json())
    assert paper.lines == ["half a", "(the conversation goes on from an earlier message)"]


def test_notices_and_errors_end_the_line_before_them_and_cannot_drive_the_terminal(paper: Paper) -> None:
    paper.piece("half")
    paper.transcript.show(NoticeEvent(title="", text="a\x1b[2Jb").to_json())
    paper.transcript.show(ErrorEvent(message="c\x07").to_json())
    assert paper.lines == ["half", "(a⟨U+001B⟩[2Jb)", "! c⟨U+0007⟩"]
