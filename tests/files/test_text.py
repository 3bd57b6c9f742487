"""Text that is too long is cut, and says so."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from partner_desktop.base.text import cut, escaped, meant, shown
from tests.tables import all_rows

TEXTS = st.text(
    st.one_of(
        st.characters(exclude_characters="⟨"),
        st.sampled_from("אבم/;1 \n\t\u202e\u200d\u200c\ufe0f❤👨ی\u0301\u3164\U000e0041a"),
    )
)


def test_a_text_is_cut_to_its_limit_with_the_sign_in_it() -> None:
    assert [cut(text, 4) for text in ("", "four", "fives")] == ["", "four", "fiv…"]


@given(TEXTS, st.booleans())
def test_what_is_shown_can_be_read_back_and_is_shown_the_same_again(text: str, lines: bool) -> None:
    said = shown(text, lines=lines)
    assert meant(said) == text
    assert shown(said, lines=lines) == said


@given(TEXTS)
def test_nothing_in_what_is_shown_is_without_a_look_but_joiners_among_what_they_join(text: str) -> None:
    for sign in shown(text):
        kind = unicodedata.category(sign)
        assert kind not in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
        assert kind != "Cf" or sign in "\u200c\u200d"
        assert kind != "Zs" or sign == " "


@all_rows(
    "text, said",
    [
        ("plain words, Größe, 你好（世界）", "plain words, Größe, 你好（世界）"),
        ("x_\u202egnp.nur", "x_⟨U+202E⟩gnp.nur"),
        ("a\u200db", "a⟨U+200D⟩b"),
        ("می\u200cخواهم 👨\u200d👩\u200d👧 ❤\ufe0f", "می\u200cخواهم 👨\u200d👩\u200d👧 ❤\ufe0f"),
        ("a\ufe0f\ufe0fb\U000e0100", "a⟨U+FE0F×2⟩b⟨U+E0100⟩"),
        ("one\ntwo\tthree ", "one⟨↵⟩two⟨⇥⟩three⟨␣⟩"),
        ("ls" + " " * 300 + ";", "ls⟨␣×300⟩;"),
        ("a\u00a0b\u3000c\u2800", "a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2800⟩"),
        ("/home/u/אבג/1/דהו/2", "/home/u/אבג⟨L⟩/1/דהו⟨L⟩/2"),
        ("א; cp a b", "⟨L⟩א; cp a b"),
        ("mv א ב", "mv א⟨L⟩ ב"),
        ("אבג1", "⟨L⟩אבג⟨L⟩1"),
        ("/home/u/מסמכים/notes.txt", "/home/u/מסמכים/notes.txt"),
        ("שלום, עולם! 👋", "שלום, עולם! 👋"),
        ("e" + "\u0301" * 6, "e" + "\u0301" * 4 + "⟨U+0301×2⟩"),
        ("p\u0430yp\u0430l", "p⟨U+0430⟩yp⟨U+0430⟩l"),
        ("setup\u0435\u0445\u0435", "setup⟨U+0435⟩⟨U+0445⟩⟨U+0435⟩"),
        ("\u03a1AYPAL MICR\u03bfSOFT \u03b1pple", "⟨U+03A1⟩AYPAL MICR⟨U+03BF⟩SOFT ⟨U+03B1⟩pple"),
        ("P\u0430\u03b2al", "P⟨U+0430⟩\u03b2al"),
        ("3\u22361 a\u2236b C\u2236\\ 3\u2236\u22361", "3\u22361 a⟨U+2236⟩b C⟨U+2236⟩\\ 3⟨U+2236×2⟩1"),
        ("1\u20442 /srv\u2044etc", "1\u20442 /srv⟨U+2044⟩etc"),
        ("κάνεις\u037e ls\u037e l\u03bf\u037e", "κάνεις\u037e ls⟨U+037E⟩ l⟨U+03BF⟩⟨U+037E⟩"),
        ("٣-٤ ٣::٤ ٥٠٪٣", "٣⟨L⟩-٤⟨L⟩ ٣⟨L⟩::٤⟨L⟩ ٥٠⟨L⟩٪٣"),
        ("/ابج٣/٤", "⟨L⟩/ابج٣⟨L⟩/٤"),
    ],
)
def test_every_sign_that_nobody_sees_is_a_mark(text: str, said: str) -> None:
    assert shown(text) == said
    assert meant(said) == text


@all_rows(
    "text",
    [
        "TNFα NFκB PPARγ IFNγ IκB ERα αB",
        "USBнакопитель SMSка Excelтаблица МойPlan.docx",
        "3\u22361 1\u20442 cup",
        "Τι κάνεις\u037e",
        "٣:٣٠",
        "٢٠٢٤/٠٥/١٢",
        "٥٠٪",
        "٣٫٥",
        "١٬٠٠٠٫٥",
    ],
)
def test_what_is_written_in_two_writings_for_good_reason_has_no_marks(text: str) -> None:
    assert shown(text) == text


def test_in_lines_tables_and_code_stay_as_they_are() -> None:
    text = "if x:\n\treturn    1\n\n\n" + " " * 40 + "y"
    assert shown(text, lines=True) == text
    assert shown("a" + "\n" * 30 + "b", lines=True) == "a⟨↵×30⟩\nb"


@given(
    st.text(st.one_of(st.characters(), st.sampled_from("⟨⟩U+0127L×␣↵\n"))),
    st.lists(st.sampled_from(["⟨U+0072⟩", "⟨L⟩", "⟨↵⟩", "⟨U+27E8⟩"])),
    st.booleans(),
)
def test_what_looks_like_a_mark_in_a_given_text_is_read_back_as_it_is(
    text: str, marks: list[str], lines: bool
) -> None:
    given_text = text + "".join(marks)
    assert meant(shown(escaped(given_text), lines=lines)) == given_text
