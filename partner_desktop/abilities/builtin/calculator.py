"""Builtins that work something out: the time here and elsewhere, how far a day is, sums, and measures in
another unit.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, tzinfo
from decimal import Decimal, DecimalException
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.messages import counted_words, nth_word, sentence_of
from partner_desktop.base.text import shown
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import RunnerResponse

_LONGEST = 200
_YEAR_DAYS = 365
#: Digits that a result is told with: of a sum, and of a measure.
_EXACT, _MEASURED = 12, 5
#: Of a long result, too, so many places behind the point are told.
_LEAST_PLACES = 2
#: A longer result is told with its power of ten.
_MOST_PLACES = 18
_OPERATORS: Mapping[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Mod: operator.mod,
    ast.MatMult: operator.truediv,
}
_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*%(?!\s*[\d(])")
_LEADING_ZEROS = re.compile(r"(?<![\w.])0+(?=\d)")
_SIGNS = {"**": "^", "*": "×", "/": "÷", "-": "−"}


class CalculatorBuiltins:
    """`time` and `calculate`."""

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock

    def definitions(self) -> Builtins:
        return {"time": self._time, "calculate": _calculate}

    async def _time(self, call: BuiltinCall) -> RunnerResponse:
        zone = call.text("timezone")
        now = self._clock.now().astimezone(_zone(zone) if zone else None)
        day = date.fromisoformat(call.text("date")) if call.text("date") else now.date()
        if day != now.date():
            return _told("days.ahead" if day > now.date() else "days.ago", day, days=_distance(day, now))
        place = zone.rpartition("/")[2].replace("_", " ")
        return _told("desktop.time_there" if zone else "desktop.time", day, time=f"{now:%H:%M}", place=place)


def _told(message_id: str, day: date, **values: object) -> RunnerResponse:
    said = sentence_of(
        message_id,
        weekday=nth_word("desktop.weekdays", day.weekday()),
        day=day.day,
        month=nth_word("desktop.months", day.month - 1),
        year=day.year,
        week=day.isocalendar().week,
        **values,
    )
    return RunnerResponse(ok=True, data={"summary": said})


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise AskHumanError("days.no_zone", zone=shown(name)) from error


def _distance(day: date, now: datetime) -> str:
    """`6 days`; of more than a year, the years, too."""
    days = abs((day - now.date()).days)
    first, last = sorted((day, now.date()))
    years = last.year - first.year - ((last.month, last.day) < (first.month, first.day))
    told = counted_words("day", days)
    return f"{told} ({counted_words('year', years)})" if days > _YEAR_DAYS else told


async def _calculate(call: BuiltinCall) -> RunnerResponse:
    found = calculated(call.text("expression"), call.text("unit"), call.text("into"))
    return RunnerResponse(ok=True, data=found)


def calculated(said: str, unit: str = "", into: str = "") -> JsonObject:
    """What a sum comes to, or a measure in another unit: in words, and `value` for what goes on with it.

    Raises:
        AskHumanError: It is no sum, has no result, or the units are of two kinds.
    """
    value = evaluated(said)
    if unit == into:
        pretty = re.sub(r"\s*(\*\*|[-*/+])\s*", lambda match: f" {_SIGNS.get(match[1], match[1])} ", said)
        return _equal(pretty.strip(), _in_digits(value, _EXACT), into)
    from partner_desktop.language.values.quantities import converted, meanings  # noqa: PLC0415 - not at the start

    wanted = meanings(into)
    measures = {one.dimension for one in wanted} & {one.dimension for one in meanings(unit)}
    if not measures or "money" in measures:
        raise AskHumanError("sums.no_measure", unit=shown(unit), into=shown(into))
    result = converted(value, unit, tuple(wanted))
    return _equal(f"{_in_digits(value, _EXACT)} {unit}", _in_digits(result, _MEASURED), into)


def _equal(said: str, digits: str, unit: str = "") -> JsonObject:
    value = float(digits.replace(",", ""))
    summary = f"{said} = {digits} {unit}".rstrip()
    return {"summary": summary, "value": int(value) if value.is_integer() else value}


def evaluated(expression: str) -> Decimal:
    """What a sum of numbers comes to; `15%` is fifteen hundredths, and added to a value those of that value.

    Raises:
        AskHumanError: It is no sum, or has no result.
    """
    try:
        if "@" in expression:  # the sign of a share, below
            raise ValueError(expression)
        plain = _LEADING_ZEROS.sub("", expression[:_LONGEST])
        value = _value(ast.parse(_SHARE.sub(r"(\1@100)", plain).strip(), mode="eval").body)
    except (SyntaxError, ValueError, DecimalException, RecursionError, MemoryError) as error:
        raise AskHumanError("sums.no_sum", sum=shown(expression)) from error
    if not value.is_finite():
        raise AskHumanError("sums.no_sum", sum=shown(expression))
    return value


def _value(node: ast.expr) -> Decimal:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return Decimal(str(number))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right) if _is_share(
            right
        ) and not _is_share(left):
            whole = _value(left)
            return _OPERATORS[type(sign)](whole, whole * _value(right))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            return _OPERATORS[type(sign)](_value(left), _value(right))
        case _:
            raise ValueError(ast.dump(node))


def _is_share(node: ast.expr) -> bool:
    """Whether it is a percentage, or several that are added up."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            return _is_share(left) and _is_share(right)
        case ast.BinOp(op=ast.MatMult()):
            return True
    return False


def _in_digits(value: Decimal, digits: int) -> str:
    """`1,234.5`; what is too long for that, as a power of ten."""
    if abs(value.adjusted()) > _MOST_PLACES:
        return f"{value:.6E}"
    places = max(digits - 1 - value.adjusted(), _LEAST_PLACES)
    return f"{value:,.{places}f}".rstrip("0").rstrip(".")
