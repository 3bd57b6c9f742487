"""Small forms of text, and how a text that is not ours is shown.

What comes from outside (arguments, names of files, titles, descriptions, questions) may hold signs that
nobody sees, that turn a line around, that push its end out of view, or that look like a sign of a path or
command, or like the Latin letters beside them. `shown` writes each of them as a mark
between ⟨ and ⟩: `⟨U+202E⟩` a sign by its code, `⟨␣×300⟩` so many blanks, `⟨⇥⟩` a tab, `⟨↵⟩` a line break.
Words that are written from right to left would change places around a slash, a digit or a blank: where they
do, `⟨L⟩` stands between them, so that they follow each other as they are meant; it stands for nothing itself.
A text that was shown once does not change when it is shown again, and `meant` reads the marks back.
"""

from __future__ import annotations

import re

from partner_desktop.base.patterns import late

#: Blanks in a row that are left as they are; in lines, where tables and code stand, more of them.
_MOST_BLANKS, _MOST_BLANKS_IN_LINES = 8, 80
#: Line breaks in a row that are left as they are, in lines.
_MOST_BREAKS = 3
#: Signs over or under one letter; more of them cover what stands beside it.
_MOST_PILED = 4
#: What is looked at no further: ASCII, and most of what Chinese, Japanese and Korean are written with.
_PLAIN = "!-~\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\u2018-\u201f\u2026\uff01-\uff5e"
_ODD = late(rf" {{{_MOST_BLANKS + 1},}}|\A +| +\Z|[^ {_PLAIN}]+")
_ODD_IN_LINES = late(rf" {{{_MOST_BLANKS_IN_LINES + 1},}}|\n{{{_MOST_BREAKS + 1},}}|[^\n\t {_PLAIN}]+")
_MARK = late("⟨(?:U\\+([0-9A-F]{4,6})|([␣⇥↵L]))(?:×([1-9][0-9]{0,5}))?⟩(\n?)")
_SIGNS = {" ": "␣", "\t": "⇥", "\n": "↵"}
_ORDER = "⟨L⟩"
_MEANT = {sign: meant for meant, sign in _SIGNS.items()} | {"L": ""}
_JOINERS = "\u200c\u200d"
#: Writings from right to left, without their digits.
_RIGHT = (
    "\u0590-\u065f\u066d-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff"
)
#: Arabic digits: they are read from left to right, but two numbers of them change places all the same.
_DIGITS = "\u0660-\u0669\u066b\u066c"
_HAS_RIGHT = late(f"[{_RIGHT}{_DIGITS}]")
#: No letters or digits of another writing, no signs of a path or command: read from right to left as a whole.
_SENTENCE = late(f"(?:[{_RIGHT}{_JOINERS}.,!?:'\"()]|[^\\w!-~])*")
#: Before a line that begins with such a word, and behind one that would draw what follows to its left. One
#: sign that parts numbers is read with them (UAX #9, W4); behind a letter they would all stand left of it.
_TURNS = late(
    f"(?P<number>(?<![{_RIGHT}{_DIGITS}{_JOINERS}])[{_DIGITS}]+(?:[:/.,][{_DIGITS}]+)+)"
    f"|^(?=(?:[^\\w{_RIGHT}]|[\\d_])*[{_RIGHT}])"
    f"|(?<=[{_RIGHT}{_DIGITS}])(?=[^{_RIGHT}{_DIGITS}{_JOINERS}])(?=(?:[^\\w{_RIGHT}{_DIGITS}]|_)*[\\d{_RIGHT}{_DIGITS}])"
    f"|(?<=[{_DIGITS}])(?=[{_RIGHT}])"
)
#: Controls, formats, halves, private and unknown signs, and blanks that are no blank.
_UNPLAIN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp")
#: What Unicode counts among letters, marks and symbols, and nobody sees.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U0001d159")
#: What looks like / \ . ; : | ! and is none (https://www.unicode.org/reports/tr39/, `confusables.txt`).
_LOOKALIKES = frozenset(
    "\u2044\u2215\u29f8\u2216\u29f5\u29f9\u2024\ua4f8\u037e\u2236\ua789\u2223\u01c0\u01c3"
)
#: Greek and Cyrillic letters that look like Latin ones, by the same; in a word with Latin letters, that is.
_LIKE_LATIN = frozenset(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b1\u03b3\u03b9\u03ba\u03bd"
    "\u03bf\u03c1\u03c3\u03c5\u03c7\u03f2\u03f3\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421"
    "\u0422\u0423\u0425\u0430\u0433\u0435\u043e\u043f\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u0475\u04af\u04bb\u04c0"
    "\u04cf\u0501\u051b\u051d"
)
_GREEK, _CYRILLIC = late("[\u0370-\u03ff\u1f00-\u1fff]"), late("[\u0400-\u052f]")
#: A name of science: `TNFα`, `NFκB`. What it is about is a small letter, so no capital is taken for another.
_SCIENCE = late("[αγκνρσχ][A-Z]+|[A-Z]+(?:[αγκνρσχ]|κ[A-Z]+)")
_MOST_OF_WORD = 40
#: Writings in which letters are joined and parted by them: Arabic to Sinhala, and Arabic's other forms.
_JOINED = (("\u0620", "\u0dff"), ("\ufb50", "\ufefc"))


def cut(text: str, limit: int) -> str:
    """The text in at most `limit` characters; one that is longer ends with `…`."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def cut_lines(text: str, limit: int, *, lines: int) -> str:
    """The text in at most `limit` characters and so many lines; one that has more ends with `…`."""
    parts = text.splitlines()
    if len(parts) > lines:
        text = "\n".join(parts[:lines]).rstrip() + "…"
    return cut(text, limit)


def shown(text: str, *, lines: bool = False) -> str:
    """The text with every sign visible, on one line; with `lines`, on as many as it has."""
    odd = _ODD_IN_LINES if lines else _ODD
    if odd.search(text) is None:
        return text
    marked = odd.sub(lambda found: _marked(text, found.start(), found.end(), lines=lines), text)
    if _HAS_RIGHT.search(marked) is None:
        return marked
    return "\n".join(_in_order(line) for line in marked.split("\n"))


def escaped(text: str) -> str:
    """The text where what looks like one of our marks, and is not, is read back as it is."""
    return _MARK.sub(lambda found: _mark("⟨", 1) + found[0][1:], text)


def meant(text: str) -> str:
    """The text of which `shown` made this, in one line or in several."""
    return _MARK.sub(_read_mark, text)


def _marked(text: str, start: int, end: int, *, lines: bool) -> str:
    """A stretch of the text that is no plain letters."""
    parts, at = [], start
    while at < end:
        sign, after = text[at], at + 1
        if sign not in _SIGNS and _is_plain(text, at, lines=lines):
            parts.append(sign)
        else:
            while after < end and text[after] == sign:
                after += 1
            parts.append(_mark(sign, after - at))
            if lines and sign == "\n":
                parts.append("\n")
        at = after
    return "".join(parts)


def _in_order(line: str) -> str:
    if _SENTENCE.fullmatch(line):
        return line
    return _TURNS.sub(lambda found: found["number"] or _ORDER, line)


def _mark(sign: str, count: int) -> str:
    name = _SIGNS.get(sign) or f"U+{ord(sign):04X}"
    return f"⟨{name}×{count}⟩" if count > 1 else f"⟨{name}⟩"


def _is_plain(text: str, at: int, *, lines: bool) -> bool:
    import unicodedata  # noqa: PLC0415 - its tables are a megabyte, and most texts need none of them

    sign = text[at]
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if sign in _JOINERS:
        parted = _is_joined(before) and _is_joined(after)
        return parted or (sign == "\u200d" and _is_picture(before) and _is_picture(after))
    if sign in "\ufe0e\ufe0f":  # as text or in colours: of a picture, or of a key's cap
        return (before != "\ufe0f" and _is_picture(before)) or after == "\u20e3"
    if sign in _BLANK or "\ufe00" <= sign <= "\ufe0d" or "\U000e0000" <= sign <= "\U000e0fff":
        return False
    if sign in _LOOKALIKES or sign in _LIKE_LATIN:
        return _is_in_place(text, at) if sign in _LOOKALIKES else not _is_for_latin(text, at)
    kind = unicodedata.category(sign)
    if kind in ("Mn", "Me"):
        piled = text[max(0, at - _MOST_PILED) : at]
        alone = at == 0 and not lines  # it would stand on what we say before it
        return not alone and not (
            len(piled) == _MOST_PILED and all(unicodedata.category(one) in ("Mn", "Me") for one in piled)
        )
    return kind not in _UNPLAIN


def _is_in_place(text: str, at: int) -> bool:
    """Whether a lookalike stands where it is written: `3∶1`, `1⁄2`, a question in Greek."""
    sign, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if sign == "\u037e":
        return before.isalpha() and _GREEK.match(before) is not None and not _is_for_latin(text, at - 1)
    numbers = before.isdecimal() and after.isdecimal() and _HAS_RIGHT.search(before + after) is None
    return numbers and sign in "\u2236\u2044"


def _is_for_latin(text: str, at: int) -> bool:
    """Whether a letter may be taken for a Latin one: in a word with such, and with nothing else of its own
    writing that shows it (`USBнакопитель`); of three writings in one word none shows."""
    start, end = at, at + 1
    while start > max(0, at - _MOST_OF_WORD) and _is_of_word(text[start - 1]):
        start -= 1
    while end < min(len(text), at + _MOST_OF_WORD) and _is_of_word(text[end]):
        end += 1
    word = text[start:end]
    if not any("a" <= sign <= "z" or "A" <= sign <= "Z" for sign in word) or _SCIENCE.fullmatch(word):
        return False
    greek, cyrillic = _GREEK.findall(word), _CYRILLIC.findall(word)
    return bool(greek and cyrillic) or text[at] not in _LIKE_LATIN or _LIKE_LATIN.issuperset(greek + cyrillic)


def _is_of_word(sign: str) -> bool:
    return sign.isalpha() and sign not in _LOOKALIKES and sign not in _BLANK


def _is_joined(sign: str) -> bool:
    return any(first <= sign <= last for first, last in _JOINED)


def _is_picture(sign: str) -> bool:
    import unicodedata  # noqa: PLC0415 - as above

    return sign == "\ufe0f" or (bool(sign) and unicodedata.category(sign) in ("So", "Sk", "Sm"))


def _read_mark(found: re.Match[str]) -> str:
    code, name, count, after = found.groups()
    if code is not None and int(code, 16) > 0x10FFFF:
        return found[0]
    sign = _MEANT[name] if name else chr(int(code, 16))
    return sign * int(count or 1) + ("" if sign == "\n" and count else after)
