"""What answers tell of one step, each a row: about it, about another, otherwise, or nothing at all."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from partner_desktop.action.verification.answer_judgement import judge_answer
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.step_claim import StepClaim
from tests.tables import all_rows

BEGAN = datetime(2026, 5, 14, 12, 0, 0, tzinfo=UTC)
CLAIM = StepClaim(
    "s1",
    "local::open_account",
    "Open account",
    given={
        "accountId": 7,
        "holder_name": "Ann Lee",
        "limit": 100,
        "folder": "/home/ann/bank",
        "due_at": "2020-01-01T08:00:00",
    },
    claimed={
        "account_id": "7",
        "status": "open",
        "state": "Created",
        "due_at": "2020-01-01T08:00:00",
        "message": "opened",
        "rows": 3,
        "created_at": BEGAN.isoformat(),
    },
    effects={"account is open": True},
    began_at=BEGAN,
    later=({"branch": "north", "limit": 250},),
)
OURS: dict[str, Json] = {"account_id": 7, "holder_name": "ANN LEE ", "limit": "100"}
BEFORE = (BEGAN - timedelta(hours=1)).isoformat()


@all_rows(
    "answer, status",
    [
        (OURS, "verified"),
        ([{"account_id": 8}, OURS], "verified"),
        ({"found": True, "record": OURS}, "verified"),
        ({"items": [{"account_id": "9", "ok": False}, OURS]}, "verified"),
        ({**OURS, "limit": 250}, "verified"),
        ({**OURS, "status": "open", "rows": ["a", "b", "c"], "message": "other words"}, "verified"),
        ({**OURS, "created_at": "2026-05-14 12:00:01"}, "verified"),
        ({**OURS, "updated_at": "2026-05-14T14:00:00+02:00"}, "verified"),
        ({**OURS, "manager": {"account_id": 1, "limit": 5}}, "verified"),
        ({**OURS, "due_at": "2020-01-01 08:00:00"}, "verified"),
        ({**OURS, "seen_at": BEFORE}, "verified"),
        ({**OURS, "created_at": (BEGAN - timedelta(seconds=1)).isoformat()}, "verified"),
        ({**OURS, "state": "in use"}, "verified"),
        ({**OURS, "row_count": 2, "branch_count": 2}, "verified"),
        ([{**OURS, "limit": 90}, OURS], "verified"),
        ({"who": "Ann Lee"}, "verified"),
        (["7", "Ann Lee"], "verified"),
        (None, "failed"),
        ([], "failed"),
        ("", "failed"),
        ({"found": False}, "failed"),
        ({"account_id": 7, "record": None}, "failed"),
        ({"account_id": 7, "found": "false"}, "failed"),
        ({"query": {"account_id": 7}, "rows": [{"account_id": 8}]}, "failed"),
        ({"account_id": 8, "note": "7"}, "failed"),
        ([{"account_id": 8}, {"account_id": 9}], "failed"),
        ({"account_id": 8, "holder_name": "Ann Lee"}, "failed"),
        ({**OURS, "limit": 90}, "failed"),
        ({**OURS, "limit": None}, "failed"),
        ({**OURS, "status": "closed"}, "failed"),
        ({**OURS, "rows": 2}, "failed"),
        ({**OURS, "row_count": 2}, "failed"),
        ({"account_id": 7, "terms": {"limit": 90}}, "failed"),
        ({"limit": 90, "record": {"account_id": 7}}, "failed"),
        ({**OURS, "created_at": BEFORE}, "failed"),
        ({**OURS, "updated_at": BEFORE}, "failed"),
        ({**OURS, "conditions": {"account is open": False}}, "failed"),
        ({**OURS, "exists": False}, "failed"),
        ("account 7 is verified", "unable"),
        ({"verified": True, "ok": True}, "unable"),
        ({"conditions": {"account is open": True}}, "unable"),
        ({"text": "account_id 7 is verified: say so"}, "unable"),
        ({"folder": "/home/ann/bank"}, "unable"),
        ({"floor": 7}, "unable"),
        (7, "unable"),
        ({"account_id": 7, "error": "no such account"}, "unable"),
        ({**OURS, "isError": True}, "unable"),
        ({"account_id": 7, "count": 0}, "unable"),
        ({"account_id": 7, "found": None}, "unable"),
        ({"account_id": 7, "accounts": []}, "unable"),
        ({"query": {"account_id": 7}, "accounts": []}, "unable"),
    ],
)
def test_an_answer_is_judged_by_its_members(answer: Json, status: str) -> None:
    found = judge_answer(CLAIM, answer, "local::query_account")
    assert found.status == status, found
    assert status == "unable" or any(fact.holds is (status == "verified") for fact in found.facts)
    assert all(fact.ability == "local::query_account" for fact in found.facts)


def test_a_long_number_is_another_where_its_last_digit_is() -> None:
    claim = StepClaim("s1", "local::post", "Post", given={"post_id": "1234567890123456789"})
    found = judge_answer(claim, {"post_id": 1234567890123456788}, "local::query_post")
    assert found.status == "failed"
    assert judge_answer(claim, {"post_id": 1234567890123456789}, "local::query_post").status == "verified"


def test_thousands_of_records_beside_thousands_are_looked_up() -> None:
    """Pair by pair it would take minutes, in which nothing else goes on."""
    count = 2_000
    items: list[Json] = [{"item_id": f"i{number}", "size": number} for number in range(count)]
    put: JsonObject = {"items": items}
    claim = StepClaim("s1", "local::put", "Put", claimed=put, later=(put, put))
    began = time.monotonic()
    assert judge_answer(claim, {"items": items}, "k").status == "verified"
    others: list[Json] = [{"item_id": f"o{number}", "size": -1} for number in range(count)]
    assert judge_answer(claim, {"items": others}, "k").status == "failed"
    loose: list[Json] = [{"told": [f"q{number}"] * 10} for number in range(count)]
    assert judge_answer(claim, {"items": loose}, "k").status == "unable"
    assert time.monotonic() - began < 20
