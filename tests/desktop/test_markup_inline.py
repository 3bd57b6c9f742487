"""The text of a block: what is marked, what leads somewhere, and what stays text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partner_desktop.desktop.markup.grammar import read_inline
from partner_desktop.desktop.markup.parts import PLAIN, Style, TextRun


def words(text: str) -> str:
    return "".join(run.text for run in read_inline(text, {}))


def links(text: str) -> list[tuple[str, str]]:
    return [(run.text, run.style.link) for run in read_inline(text, {}) if run.style.link]


def test_styles_add_up() -> None:
    assert read_inline("a **b *c* ~~d~~** `e`", {}) == (
        TextRun("a "),
        TextRun("b ", Style(strong=True)),
        TextRun("c", Style(strong=True, emphasis=True)),
        TextRun(" ", Style(strong=True)),
        TextRun("d", Style(strong=True, struck=True)),
        TextRun(" "),
        TextRun("e", Style(code=True)),
    )


@pytest.mark.parametrize(
    "text", ["**重点。**后面的字", "前面**“引号”**后面", "中文：**重点**：是", "删掉~~这个。~~吧"]
)
def test_marks_work_where_no_spaces_are_written(text: str) -> None:
    assert "*" not in words(text)
    assert "~" not in words(text)


def test_stars_between_numbers_stay_stars() -> None:
    assert read_inline("2 * 3 * 4 and a_b_c", {}) == (TextRun("2 * 3 * 4 and a_b_c"),)


def test_html_is_text() -> None:
    text = "<b>x</b> <img src=file:///etc/hostname> <script>alert(1)</script> <!-- c -->"
    assert read_inline(text, {}) == (TextRun(text),)


def test_an_image_is_its_name_and_leads_to_where_it_lies() -> None:
    (run,) = read_inline("![a cat](https://example.org/cat.png)", {})
    assert run == TextRun("a cat", Style(image=True, link="https://example.org/cat.png"))


def test_an_image_of_data_leads_nowhere() -> None:
    (run,) = read_inline("![dot](data:image/png;base64,iVBORw0KGgo=)", {})
    assert run == TextRun("dot", Style(image=True))


def test_bare_addresses_are_links_and_words_with_dots_are_not() -> None:
    assert links("see https://example.org/a?b=c, and main.py or example.org") == [
        ("https://example.org/a?b=c", "https://example.org/a?b=c")
    ]


def test_a_bare_address_ends_at_chinese_punctuation() -> None:
    assert links("请看https://example.org/a。然后") == [("https://example.org/a", "https://example.org/a")]


@pytest.mark.parametrize("address", ["javascript:alert(1)", "vbscript:x", "data:text/html,x", "JaVaScRiPt:x"])
def test_an_address_that_runs_something_is_no_link(address: str) -> None:
    assert links(f"[x]({address}) <{address}>") == []


def test_a_host_beyond_ascii_is_written_as_it_is_looked_up() -> None:
    assert links("[a](https://аррӏе.com/login)") == [("a", "https://xn--80ak6aa92e.com/login")]


def test_lines_join_with_a_space_and_chinese_lines_without() -> None:
    assert words("one\ntwo") == "one two"
    assert words("第一行\n第二行") == "第一行第二行"
    assert words("one  \ntwo") == "one\u2028two"


@given(st.text(alphabet="[]()*_`~!<>\\ahtps:/.&;\n 中。", max_size=60))
def test_no_text_is_refused_and_nothing_runs(text: str) -> None:
    for run in read_inline(text, {}):
        scheme = run.style.link.partition(":")[0].lower()
        assert scheme not in {"javascript", "vbscript", "data"}
        assert "\n" not in run.text


@pytest.mark.parametrize("text", ["*a " * 20_000, "![[" * 20_000, "[a](b " * 20_000, "`" * 20_000])
def test_what_no_one_wrote_is_shown_as_it_is(text: str) -> None:
    assert read_inline(text, {}) == (TextRun(text, PLAIN),)
