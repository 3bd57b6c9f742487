"""The editable parameters of a proposal: a row for each, with the place that it leads to."""

from __future__ import annotations

from partner_desktop.base.text import shown
from partner_desktop.desktop.card.words import known_words, param_title, path_words
from partner_desktop.desktop.forms.form import Form, FormRow
from partner_desktop.desktop.forms.schema_fields import make_field
from partner_desktop.desktop.wording import set_tip, tr
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import properties_of, required_of


class ParamForm(Form):
    """A row for each parameter that the schema names, in its order, and for each that is given beyond those,
    but `without` one."""

    def __init__(self, record: ActionRecord, *, without: str = "") -> None:
        super().__init__()
        self._record = record
        self._without = without
        described = properties_of(record.schema)
        for name in dict.fromkeys((*described, *record.params)):
            if name != without:
                self._add_param(name, described.get(name))

    def edited_params(self) -> JsonObject | None:
        """All parameters as they stand, or `None` when nothing was changed."""
        return self.read() if self.changed else None

    def read(self) -> JsonObject:
        kept = {name: value for name, value in self._record.params.items() if name == self._without}
        return {**kept, **super().read()}

    def _add_param(self, name: str, described: JsonObject | None) -> None:
        required, given = name in required_of(self._record.schema), name in self._record.params
        schema = described or {}
        title = param_title(name, schema) if described is not None else shown(name)
        value = self._record.params.get(name, schema.get("default"))
        field = make_field(name, title, schema, value, required=required, cwd=self._record.cwd, given=given)
        about = schema.get("description")
        words = shown(about, lines=True) if isinstance(about, str) else ""
        if described is None:
            words = tr("The ability does not describe this one.")
        if required:
            words = tr("required") + (f" · {words}" if words else "")
        places = [path_words(use) for use in self._record.paths if use.param == name]
        known = [known_words(one) for one in self._record.known if one.param == name]
        row = self.add(field, required=required, hint=_lines(words, *places, *known))
        set_tip(field.widget, words)
        field.edited.connect(lambda: _forget(row, words, places, known))


def _forget(row: FormRow, words: str, places: list[str], known: list[str]) -> None:
    """Another value is typed: it is not known from anywhere, and leads to another place."""
    if places:
        row.hint(_lines(words, tr("The place is looked up again when you approve.")))
    elif known:
        row.hint(words)


def _lines(*lines: str) -> str:
    return "\n".join(line for line in lines if line)
