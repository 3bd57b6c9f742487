"""What a chat template says of tools: found by rendering it, for any model's."""

from __future__ import annotations

import pytest

from partner_desktop.model.worker.llama.chat_template import ChatTemplate, TemplateFaultError
from partner_desktop.model.worker.llama.tool_format import CallForm, ToolFormat, tool_object
from tests.model.engine import needs_engine
from tests.model.worker.tool_templates import STYLES, ToolStyle

pytestmark = needs_engine


def _found(style: ToolStyle) -> ToolFormat:
    return ToolFormat(ChatTemplate(style.template, bos="<s>", eos="</s>"), style.controls)


@pytest.mark.parametrize("name", [name for name, style in STYLES.items() if style.before])
def test_a_template_with_words_for_tools_tells_how_calls_and_tools_are_written(name: str) -> None:
    style = STYLES[name]
    found = _found(style)
    assert found.form == CallForm(style.before, style.between, style.after)
    tools = [
        tool_object(name, f"what {name} does", {"properties": {"at": {"type": "string"}}})
        for name in ("zip", "user", "压缩")
    ]
    told = found.definitions(tools)
    assert told.is_message is style.is_message
    assert told.text.startswith(style.told)
    assert [told.text.count(f"what {name} does") for name in ("zip", "user", "压缩")] == [1, 1, 1]


@pytest.mark.parametrize("name", [name for name, style in STYLES.items() if not style.before])
def test_a_template_without_a_plain_form_has_none(name: str) -> None:
    with pytest.raises(TemplateFaultError):
        _found(STYLES[name])
