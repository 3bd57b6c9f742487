"""An ability of what the person pasted: code as it stands, and what can be told about it without a model."""

from __future__ import annotations

import re

from partner_desktop.domain.script_language import ScriptLanguage
from partner_desktop.language.code_reading import described, parameters
from partner_desktop.language.pasted_code import Parted, Pasted, bare_code, guessed, parted
from partner_desktop.language.speech_acts.ability_requests import BirthWish, birth_wish
from partner_desktop.mind.question import GenerateAction, GeneratedAction


def of_paste(request: GenerateAction) -> GeneratedAction | None:
    """The ability that was pasted; `None` where there is no code, or the words ask for one to be written."""
    message = parted(request.text)
    wish = birth_wish(message.lines)
    said = message.lines[wish.line] if wish is not None else ""
    pasted = _in_message(message, wish, answers=request.answers)
    if pasted is None and (wish is None or wish.kind == "paste") and not request.answers:
        pasted = next((found for text in request.earlier if (found := _in_message(parted(text), None))), None)
    if pasted is None:
        return None
    return _read(pasted, wish or BirthWish("paste", 0), guessed(pasted, said))


def _in_message(message: Parted, wish: BirthWish | None, *, answers: bool = False) -> Pasted | None:
    """The longest code of a message; where nothing is fenced, what is left beside the request."""
    if message.code:
        return max(message.code, key=lambda one: len(one.code))
    lines = [line for number, line in enumerate(message.lines) if wish is None or number != wish.line]
    if answers and wish is None and any(line.strip() for line in lines):
        found = bare_code(lines)
        return found or (Pasted("\n".join(lines), fenced=False) if len(lines) > 1 else None)
    said = message.lines[wish.line] if wish is not None else ""
    return bare_code(lines, said) or bare_code([said.partition(":")[2].strip(" `")])


def _read(pasted: Pasted, wish: BirthWish, language: ScriptLanguage | None) -> GeneratedAction:
    code_type = language.code_type if language is not None else ""
    params = parameters(pasted.code, code_type)
    told = described(pasted.code, code_type)
    return GeneratedAction(
        name=wish.name or _function_name(pasted.code, code_type),
        description=_sentence(wish.purpose) or told or _sentence(_words(wish.name)),
        language=code_type,
        params=params or {},
        code=pasted.code.strip("\n") + "\n",
        free_args=params is None,
    )


def _function_name(code: str, code_type: str) -> str:
    """The one function that Python code defines names it well."""
    names = re.findall(r"^def ([A-Za-z]\w{2,40})\(", code, re.MULTILINE) if code_type == "python" else []
    return names[0] if len(names) == 1 and names[0] not in ("main", "run") else ""


def _words(name: str) -> str:
    return re.sub(r"[_-]+", " ", name).strip()


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
