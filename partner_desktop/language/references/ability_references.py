"""Which ability a few words mean: of several on offer by number, place or name; or one by its name. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from partner_desktop.base.patterns import late
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.terms import FUNCTION_WEIGHT, terms

_PLACES = (
    ("first", "1st", "one", "former", "一"),
    ("second", "2nd", "two", "二", "两"),
    ("third", "3rd", "three", "三"),
    ("fourth", "4th", "four", "四"),
    ("fifth", "5th", "five", "五"),
)
_LAST = frozenset({"last", "latter", "bottom", "最后"})
_LEAD = (
    r"(?:(?:please|i (?:mean|meant|want)|take|use|let'?s (?:take|use)|try|go with|it'?s|the|number|no\.?"
    r"|option|#|请|我要|要|用|就|选|是|第)\s{0,9})*"
)
_TAIL = r"(?:\s{0,9}(?:one|option|please|then|thanks|thank you|个|号|项|吧|谢谢|那个))*"
_PLACE = late(
    rf"^\W{{0,9}}{_LEAD}(?P<place>[a-z0-9]+|最后|[一二三四五两])\W{{0,9}}{_TAIL}\W{{0,9}}$", re.IGNORECASE
)


def pick(text: str, options: Sequence[MetaActionInfo]) -> MetaActionInfo | None:
    """The option that the text chooses; `None` when it chooses none, or not just one."""
    index = _place(text, len(options))
    if index is not None:
        return options[index]
    return _named(text, options)


def is_called(info: MetaActionInfo, text: str) -> bool:
    """Whether the text is exactly the name or an alias of an ability."""
    said = [term.stem for term in terms(text)]
    return any(said == [term.stem for term in terms(name)] for name in (info.title, *info.aliases))


def _place(text: str, count: int) -> int | None:
    match = _PLACE.match(text[:80])
    if match is None:
        return None
    said = match["place"].lower()
    if said in _LAST:
        return count - 1
    if said.isdigit():
        index = int(said) - 1
    else:
        index = next((place for place, words in enumerate(_PLACES) if said in words), count)
    return index if 0 <= index < count else None


def _named(text: str, options: Sequence[MetaActionInfo]) -> MetaActionInfo | None:
    """The option of whose name or alias most was said, when no other comes as near."""
    said = {term.stem for term in terms(text) if term.weight > FUNCTION_WEIGHT}
    if not said:
        return None
    shares = sorted(((_share(said, info), -place) for place, info in enumerate(options)), reverse=True)
    best, second = shares[0], shares[1] if len(shares) > 1 else (0.0, 0)
    return options[-best[1]] if best[0] > second[0] and best[0] >= 0.5 else None


def _share(said: set[str], info: MetaActionInfo) -> float:
    """How much of the answer a name of the ability covers: an answer says little else."""
    names = [{term.stem for term in terms(name)} for name in (f"{info.title} {info.location}", *info.aliases)]
    return max(len(said & name) / len(said) for name in names)
