"""The fields of a server's question: those of a parameter, and what only questions have."""

from __future__ import annotations

import re
from datetime import date, datetime

from PySide6.QtCore import QUrl

from partner_desktop.desktop.card.choice_fields import SeveralField, TitledChoiceField, choices_of
from partner_desktop.desktop.card.field import Field, FieldProblemError, MissingValue, tr
from partner_desktop.desktop.card.fields import make_field
from partner_desktop.desktop.card.line_fields import TextField
from partner_desktop.domain.json_value import Json, JsonObject

#: What anybody would take for an address; whether it exists, only sending tells.
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


class FormattedField(TextField):
    """One line that must have a form, and a length."""

    def __init__(self, name: str, title: str, value: Json, schema: JsonObject) -> None:
        super().__init__(name, title, value)
        self._format = schema.get("format")
        self._least, self._most = schema.get("minLength"), schema.get("maxLength")
        examples = {"date": "2030-05-14", "date-time": "2030-05-14T12:00", "email": "ann@example.org"}
        self.edit.setPlaceholderText(examples.get(str(self._format), ""))

    def read(self) -> Json | MissingValue:
        value = super().read()
        if not isinstance(value, str):
            return value
        text = value.strip()
        if isinstance(self._least, int) and len(text) < self._least:
            raise FieldProblemError(tr("At least {limit} letters.").format(limit=self._least))
        if isinstance(self._most, int) and len(text) > self._most:
            raise FieldProblemError(tr("At most {limit} letters.").format(limit=self._most))
        return self._of_format(text)

    def _of_format(self, text: str) -> str:
        match self._format:
            case "email" if not _EMAIL.fullmatch(text):
                raise FieldProblemError(tr("Type an e-mail address."))
            case "uri" if QUrl(text, QUrl.ParsingMode.StrictMode).isRelative():
                raise FieldProblemError(tr("Type a whole address, with https:// before it."))
            case "date":
                return self._moment(date, text, tr("Type a date, such as {example}.")).isoformat()
            case "date-time":
                moment = self._moment(datetime, text, tr("Type a date and a time, such as {example}."))
                return moment.astimezone().isoformat() if isinstance(moment, datetime) else text
        return text

    def _moment(self, kind: type[date], text: str, problem: str) -> date:
        try:
            return kind.fromisoformat(text)
        except ValueError:
            raise FieldProblemError(problem.format(example=self.edit.placeholderText())) from None


def make_answer_field(name: str, title: str, schema: JsonObject, *, required: bool) -> Field:
    """The field for one property of a question's schema."""
    default = schema.get("default")
    items = schema.get("items")
    if schema.get("type") == "array" and isinstance(items, dict):
        several = choices_of(items)
        if several:
            return SeveralField(name, title, default, several, schema)
    choices = choices_of(schema)
    if choices:
        titles = [choice.title for choice in choices]
        return TitledChoiceField(
            name, title, default, [choice.value for choice in choices], titles=titles, required=required
        )
    if schema.get("type") == "boolean" and required and default is None:
        return make_field(name, title, schema, False, required=required)
    if schema.get("type") == "string":
        return FormattedField(name, title, default, schema)
    return make_field(name, title, schema, default, required=required)
