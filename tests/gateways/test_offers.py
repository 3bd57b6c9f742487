"""What other programs are shown: which abilities, and under which names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from partner_desktop.gateways.serving.offers import offers_of
from tests.gateways.serving import ability


def test_only_what_is_durable_usable_and_the_person_s_own_is_offered() -> None:
    listed = [
        ability("local::count_words"),
        ability("builtin::command::execute"),
        ability("builtin::files::read"),
        ability("local::hidden", hidden=True),
        ability("local::off") | {"off": True},
        ability("local::broken") | {"info": None},
        ability("origin::note.sh"),
        ability("git::log"),
    ]
    assert {name: offer.key for name, offer in offers_of(listed).items()} == {
        "count_words": "local::count_words",
    }


def test_a_name_that_mcp_does_not_allow_is_made_and_its_title_has_the_key() -> None:
    (offer,) = offers_of([ability("local::wörter zählen")]).values()
    assert offer.name.startswith("w_rter_z_hlen_")
    assert offer.title == "Wörter zählen (local::wörter zählen)"


def test_a_name_that_is_made_takes_no_other_ability_s() -> None:
    (made,) = offers_of([ability("local::a b")])
    found = offers_of([ability("local::a b"), ability(f"local::{made}")])
    assert found[made].key == f"local::{made}"
    assert {offer.key for offer in found.values()} == {"local::a b", f"local::{made}"}


@given(st.sets(st.text(max_size=300), max_size=12))
def test_every_ability_has_one_name_that_fits_and_the_others_do_not_change_it(names: set[str]) -> None:
    listed = [ability(f"local::{name}") for name in names]
    found = offers_of(listed)
    assert len(found) == len(names)
    assert all(name.isascii() and 0 < len(name) <= 128 and " " not in name for name in found)
    for each in listed:
        (alone,) = offers_of([each])
        assert found[alone].key == each["key"]


def test_our_own_keywords_leave_a_schema_and_names_stay() -> None:
    inner = {"type": "string", "x-partner-rest": True, "default": {"x-partner-rest": 1}}
    params = {
        "properties": {"x-partner-rest": inner, "a": {"items": [inner], "$defs": {"b": inner}}},
        "allOf": [{"x-partner-rest": 1}],
    }
    (offer,) = offers_of([ability("local::a", params=params)]).values()
    plain = {"type": "string", "default": {"x-partner-rest": 1}}
    assert offer.params == {
        "type": "object",
        "properties": {"x-partner-rest": plain, "a": {"items": [plain], "$defs": {"b": plain}}},
        "allOf": [{}],
    }
