"""Classes of `late_dataclass` are as those of the library, whatever is asked of them first."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from typing import Any

import pytest

from partner_desktop.base.late_dataclass import dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0
    names: list[Any] = field(default_factory=list, compare=False)
    secret: str = field(default="none", repr=False)


@dataclass(frozen=True, kw_only=True)
class Named(Point):
    title: str

    def __post_init__(self) -> None:
        assert self.title


@dataclass
class Counter:
    at: int = field(init=False, default=7)
    many: list[int] = field(init=False, default_factory=list)
    step: int = 1

    def __repr__(self) -> str:
        return "a counter"


@dataclass(eq=False)
class Alone:
    one: int


@dataclass(frozen=True)
class Nothing:
    pass


def test_what_is_given_and_what_is_not() -> None:
    assert asdict(Point(1)) == {"x": 1, "y": 0, "names": [], "secret": "none"}
    assert Point(1).names is not Point(1).names
    assert asdict(Point(1, secret="s", names=["a"])) == {"x": 1, "y": 0, "names": ["a"], "secret": "s"}
    assert (Named(1, title="t").title, Named(1, 2, title="t").y) == ("t", 2)
    assert (Counter().at, Counter().many, Counter(3).step) == (7, [], 3)
    assert replace(Point(1), y=2) == Point(1, 2)


@pytest.mark.parametrize(
    ("made", "given", "named"),
    [(Point, (), {}), (Named, (1, 2, [], "s", "t"), {}), (Counter, (), {"at": 1}), (Nothing, (1,), {})],
)
def test_what_does_not_fit_is_turned_down(made: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        made(*given, **named)


def test_what_is_checked_after_it_was_made() -> None:
    with pytest.raises(AssertionError):
        Named(1, title="")


def test_equal_are_those_of_one_class_with_equal_values() -> None:
    assert Point(1, names=["a"]) == Point(1)
    assert Point(1) != Point(2)
    assert Named(1, title="t") != Point(1)
    assert {Point(1), Point(1, names=["b"]), Point(2)} == {Point(1), Point(2)}
    assert {Nothing(), Nothing()} == {Nothing()}
    assert Alone(1) != Alone(1)
    assert Counter() == Counter()
    with pytest.raises(TypeError, match="unhashable"):
        hash(Counter())


def test_a_frozen_one_stays_as_it_is_and_the_other_does_not() -> None:
    point, counter = Point(1), Counter()
    with pytest.raises(FrozenInstanceError):
        setattr(point, "x", 2)  # noqa: B010 - the type checker knows that it is frozen
    with pytest.raises(FrozenInstanceError):
        delattr(point, "x")
    counter.step = 5
    assert (point.x, counter.step) == (1, 5)


def test_how_it_shows_itself() -> None:
    assert repr(Point(1)) == "Point(x=1, y=0, names=[])"
    assert repr(Counter()) == "a counter"
    itself = Point(1)
    itself.names.append(itself)
    assert repr(itself) == "Point(x=1, y=0, names=[...])"


def test_it_tells_its_fields_and_parameters_before_an_object_was_made() -> None:
    @dataclass(frozen=True)
    class Fresh:
        first: int
        second: str = "s"

    assert [one.name for one in fields(Fresh)] == ["first", "second"]
    assert list(inspect.signature(Fresh).parameters) == ["first", "second"]
    assert dataclasses.is_dataclass(Fresh)
    match Fresh(1, "x"):
        case Fresh(1, other):
            assert other == "x"


def test_one_that_was_stored_is_read_again() -> None:
    assert pickle.loads(pickle.dumps(Point(1, names=["a"]))) == Point(1)
