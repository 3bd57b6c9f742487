"""What stands on a blackboard, and under which name it is found."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from partner_desktop.agents.blackboard import Blackboard


@dataclass(frozen=True)
class Note:
    text: str


@dataclass(frozen=True)
class LongNote(Note):
    pages: int = 9


@dataclass(frozen=True)
class Letter:
    text: str


ONE, TWO, LONG, LETTER = Note("one"), Note("two"), LongNote("long"), Letter("dear")


@pytest.mark.promise("planning.blackboard")
def test_names_are_exact_and_it_may_be_the_newest_of_its_class() -> None:
    board = Blackboard()
    board.bind("first", ONE)
    board.bind("it", LETTER)
    board.add(TWO)
    assert board.get("first", Note) == ONE
    assert board.get("second", Note) is None
    assert board.get("first", Letter) is None
    assert board.get("it", Letter) == LETTER  # what is bound, where its class fits
    assert board.get("it", Note) == TWO  # and else the newest of that class
    board.bind("it", LONG)
    assert board.get("it", Note) == LONG  # a subclass fits
    assert board.last == LONG
    board.add(ONE)
    assert board.get("it", Note) == LONG  # which is bound, though it is not the last
    assert (board.last, board.entries) == (ONE, (ONE, LETTER, TWO, LONG, ONE))


@pytest.mark.promise("planning.blackboard")
def test_what_is_hidden_is_not_found_and_stays_recorded() -> None:
    board = Blackboard()
    board.bind("it", Note("one"))
    board.add(TWO)
    board.add(Note("one"))
    assert board.hide(ONE) == 2
    assert (board.entries, len(board.recorded)) == ((TWO,), 3)
    assert board.get("it", Note) == TWO
    assert board.last == ONE  # the very last one is that, hidden or not
    board.add(ONE)
    assert board.get("it", Note) == ONE  # what comes anew is seen


@pytest.mark.promise("planning.blackboard")
def test_clear_leaves_what_is_protected() -> None:
    board = Blackboard()
    board.bind("wish", ONE, protected=True, as_it=True)
    board.bind("it", LETTER)
    board.set_condition("checked", True)
    board.clear()
    assert board.recorded == (ONE,)
    assert (board.get("wish", Note), board.get("it", Note), board.get("it", Letter)) == (ONE, ONE, None)
    assert not board.condition("checked")
    board.bind("it", TWO)
    board.clear()
    assert board.recorded == (ONE,)  # `it` is not protected, whatever it was once


@pytest.mark.promise("planning.blackboard")
def test_a_child_gets_a_copy_in_which_nothing_is_hidden() -> None:
    board = Blackboard()
    board.bind("wish", ONE, protected=True)
    board.bind("it", LETTER)
    board.set_condition("checked", True)
    board.hide(LETTER)
    child = board.spawn()
    assert (child.get("it", Letter), child.condition("checked")) == (LETTER, True)
    child.bind("it", TWO)
    child.set_condition("checked", False)
    child.clear()
    assert child.recorded == (ONE,)
    assert (board.recorded, board.condition("checked")) == ((ONE, LETTER), True)


@pytest.mark.promise("planning.blackboard")
def test_conditions_are_what_was_said_and_never_an_object() -> None:
    board = Blackboard()
    board.bind("checked", True)
    board.add("ready")
    assert not board.condition("checked")
    assert not board.condition("ready")
    board.set_condition("checked", True)
    assert board.condition("checked")


@pytest.mark.promise("planning.ambiguous")
def test_a_dict_is_no_object_of_any_class_whatever_it_says_of_itself() -> None:
    board = Blackboard()
    board.bind("it", {"type": "Note", "text": "one", "__class__": "Note"})
    assert board.get("it", Note) is None
    assert board.get("it", Letter) is None
    assert isinstance(board.get("it", dict), dict)


def test_all_of_it_can_be_taken_out_and_put_back() -> None:
    board = Blackboard()
    board.bind("wish", ONE, protected=True, as_it=True)
    board.add(TWO)
    board.hide(TWO)
    board.set_condition("checked", True)
    again = Blackboard(board.content)
    assert again.content == board.content
    assert (again.entries, again.recorded) == ((ONE,), (ONE, TWO))
