"""Chat templates that know tools, each short and in the style of a family of models, and what is to be found
in them. None is a copy of a file.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ToolStyle:
    """A template, and the form that it writes calls in; empty `before`: none is to be found."""

    template: str
    controls: tuple[str, ...]
    before: str = ""
    between: str = ""
    after: str = ""
    is_message: bool = False
    told: str = ""
    """How what it tells of tools begins."""


_IM = ("<|im_start|>", "<|im_end|>")
_SAID = "<|im_start|>{{ m.role }}\n{{ m.content }}"
_ASKED = "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
_CALLS = (
    "{% if m.tool_calls %}{% for call in m.tool_calls %}{% set f = call.function %}\n<tool_call>\n"
    '{"name": "{{ f.name }}", "arguments": {{ f.arguments | tojson }}}\n</tool_call>{% endfor %}{% endif %}'
)
_QWEN_TOOLS = (
    "{% if tools %}\n\n# Tools\n\nFunctions, one a line, within <tools></tools>:\n<tools>"
    "{% for tool in tools %}\n{{ tool | tojson }}{% endfor %}\n</tools>\n\nA call is a JSON object in tags:"
    '\n<tool_call>\n{"name": <name>, "arguments": <object>}\n</tool_call>{% endif %}'
)

#: The tools behind the system message's words, calls within tags.
QWEN = (
    "{% for m in messages %}{% if m.role == 'assistant' and m.tool_calls %}"
    "<|im_start|>assistant{% if m.content %}\n{{ m.content }}{% endif %}" + _CALLS + "<|im_end|>\n"
    "{% else %}" + _SAID + "{% if m.role == 'system' %}" + _QWEN_TOOLS + "{% endif %}<|im_end|>\n{% endif %}"
    "{% endfor %}" + _ASKED
)
#: The same with thoughts, and a switch for them.
QWEN_THINKING = (
    "{% for m in messages %}{% if m.role == 'assistant' %}<|im_start|>assistant\n"
    "{% if loop.last %}<think>\n\n</think>\n\n{% endif %}{{ m.content }}"
    + _CALLS.replace("\n<tool_call>", "{% if not loop.first %}\n{% endif %}<tool_call>")
    + "<|im_end|>\n{% else %}"
    + _SAID
    + "{% if m.role == 'system' %}"
    + _QWEN_TOOLS
    + "{% endif %}<|im_end|>\n{% endif %}{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)
#: A system message of its own in front of all.
_HERMES = (
    "{% if tools %}<|im_start|>system\nYou are a function calling AI. <tools>{% for tool in tools %}"
    " {{ tool | tojson }}{% endfor %} </tools><|im_end|>\n{% endif %}{% for m in messages %}"
    "{% if m.tool_calls is defined %}<|im_start|>assistant" + _CALLS + "<|im_end|>\n{% else %}"
    + _SAID + "<|im_end|>\n{% endif %}{% endfor %}" + _ASKED
)  # fmt: skip
_LLAMA_CONTROLS = ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>")
_HEAD = "<|start_header_id|>{{ ROLE }}<|end_header_id|>\n\n"
#: The tools in the user's message; a bare object, with its own word for arguments.
_LLAMA = (
    "{{ bos_token }}{% set system = '' %}{% if messages[0].role == 'system' %}"
    "{% set system = messages[0].content %}{% set messages = messages[1:] %}{% endif %}"
    + _HEAD.replace("{{ ROLE }}", "system")
    + "{% if tools %}Environment: ipython\n{% endif %}Today Date: 26 Jul\n\n{{ system }}<|eot_id|>"
    "{% for m in messages %}{% if m.tool_calls %}{% if m.tool_calls | length != 1 %}"
    "{{ raise_exception('one call at once') }}{% endif %}{% set f = m.tool_calls[0].function %}"
    + _HEAD.replace("{{ ROLE }}", "assistant")
    + '{"name": "{{ f.name }}", "parameters": {{ f.arguments | tojson }}}<|eot_id|>{% else %}'
    + _HEAD.replace("ROLE", "m.role")
    + "{% if loop.first and tools %}Given these functions, answer with a call of one.\n\n"
    "{% for tool in tools %}{{ tool | tojson(indent=4) }}\n\n{% endfor %}{% endif %}"
    "{{ m.content | trim }}<|eot_id|>{% endif %}{% endfor %}{% if add_generation_prompt %}"
    + _HEAD.replace("{{ ROLE }}", "assistant")
    + "{% endif %}"
)
#: The same behind a control token, as of models that have built-in tools.
_LLAMA_TAGGED = _LLAMA.replace('{"name": "{{ f', '<|python_tag|>{"name": "{{ f')
#: The tools before the last user's message, calls in a list, with an id of nine letters.
_MISTRAL = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}{% if tools and loop.last or tools and "
    "messages[loop.index0 + 1].tool_calls %}[AVAILABLE_TOOLS] {{ tools | tojson }}[/AVAILABLE_TOOLS]"
    "{% endif %}[INST] {{ m.content }}[/INST]{% elif m.tool_calls %}[TOOL_CALLS] ["
    "{% for call in m.tool_calls %}{% if call.id | length != 9 %}{{ raise_exception('nine letters') }}"
    "{% endif %}"
    '{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}, '
    '"id": "{{ call.id }}"}{% endfor %}]{{ eos_token }}{% elif m.role == "system" %}'
    "{{ raise_exception('no system') }}{% else %} {{ m.content }}{{ eos_token }}{% endif %}{% endfor %}"
)
_MISTRAL_CONTROLS = (
    "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_CALLS]",
)  # fmt: skip
#: The name in a tag, arguments as they come: a text is wanted.
_FUNCTIONARY = (
    "{% if tools %}<|im_start|>system\nFunctions:{% for tool in tools %}\n{{ tool.function | tojson }}"
    "{% endfor %}<|im_end|>\n{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}"
    "{% for call in m.tool_calls %}<function={{ call.function.name }}>{{ call.function.arguments }}"
    "</function>{% endfor %}<|im_end|>\n{% endfor %}" + _ASKED
)
#: The tools inside of the system message between control tokens, calls as a list.
_PHI = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% if m.role == 'system' and tools %}<|tool|>"
    "{{ tools | tojson }}<|/tool|>{% endif %}{% if m.tool_calls %}<|tool_call|>["
    '{% for call in m.tool_calls %}{"name": "{{ call.function.name }}", "arguments": '
    "{{ call.function.arguments | tojson }}}{% endfor %}]"
    "<|/tool_call|>{% endif %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
_PHI_CONTROLS = (
    "<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|tool|>", "<|/tool|>", "<|tool_call|>",
    "<|/tool_call|>",
)  # fmt: skip
#: The tools as a message of a role of their own.
_GRANITE = (
    "{% macro head(role) %}<|start_of_role|>{{ role }}<|end_of_role|>{% endmacro %}{% for m in messages %}"
    "{% if m.role == 'user' and loop.index0 < 2 and tools %}{{ head('available_tools') }}"
    "{{ tools | tojson(4) }}<|end_of_text|>\n{% endif %}{{ head(m.role) }}{% if m.tool_calls %}<|tool_call|>["
    '{% for call in m.tool_calls %}{"name": "{{ call.function.name }}", "arguments": '
    "{{ call.function.arguments | tojson }}}{% endfor %}]{% else %}{{ m.content }}{% endif %}"
    "<|end_of_text|>\n{% endfor %}{% if add_generation_prompt %}{{ head('assistant') }}{% endif %}"
)
_GRANITE_CONTROLS = ("<|start_of_role|>", "<|end_of_role|>", "<|end_of_text|>", "<|tool_call|>")
#: An action between tokens, on lines of its own, numbered.
_COMMAND = (
    "{{ bos_token }}<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|># Preamble\n{% if tools %}## Tools\n```json\n"
    "{{ tools | tojson(indent=2) }}\n```\n{% endif %}{% for m in messages %}{% if m.role == 'system' %}"
    "{{ m.content }}<|END_OF_TURN_TOKEN|>{% elif m.role == 'user' %}"
    "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>{{ m.content }}<|END_OF_TURN_TOKEN|>{% elif m.tool_calls %}"
    "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|><|START_ACTION|>[\n{% for call in m.tool_calls %}"
    '    {"tool_call_id": "{{ loop.index0 }}", "tool_name": "{{ call.function.name }}", "parameters": '
    "{{ call.function.arguments | tojson }}}\n{% endfor %}]<|END_ACTION|>"
    "<|END_OF_TURN_TOKEN|>{% else %}<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>{{ m.content }}"
    "<|END_OF_TURN_TOKEN|>{% endif %}{% endfor %}{% if add_generation_prompt %}"
    "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>{% endif %}"
)
_COMMAND_CONTROLS = (
    "<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>", "<|SYSTEM_TOKEN|>", "<|USER_TOKEN|>",
    "<|CHATBOT_TOKEN|>", "<|START_ACTION|>", "<|END_ACTION|>",
)  # fmt: skip
#: No system message, and a kind word for tools in the first of the user's.
_NO_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if loop.first and tools %}"
    "Tools: {{ tools | tojson }}\n{% endif %}{{ m.content }}{% for call in m.tool_calls %}"
    "{{ {'name': call.function.name, 'arguments': call.function.arguments} | tojson }}{% endfor %}"
    "<|im_end|>\n{% endfor %}" + _ASKED
)
#: Calls as code of a language that is none of JSON.
_PYTHONIC = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% if m.role == 'system' %}{{ tools }}"
    "{% endif %}{% for call in m.tool_calls %}[{{ call.function.name }}({% for key, value in "
    "call.function.arguments.items() %}{{ key }}={{ value | tojson }}{% endfor %})]{% endfor %}<|im_end|>\n"
    "{% endfor %}" + _ASKED
)
#: Arguments in tags, one each.
_TAGGED = QWEN.replace(
    '{"name": "{{ f.name }}", "arguments": {{ f.arguments | tojson }}}',
    "<function={{ f.name }}>{% for key, value in f.arguments.items() %}<parameter={{ key }}>{{ value }}"
    "</parameter>{% endfor %}</function>",
)
#: Tools in keywords of its own; calls are not written.
_SMOL = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% if loop.first and xml_tools %}"
    "{{ xml_tools | tojson }}{% endif %}<|im_end|>\n{% endfor %}" + _ASKED
)
_GEMMA = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no') }}{% endif %}"
    "<start_of_turn>{{ 'model' if m.role == 'assistant' else m.role }}\n{{ m.content | trim }}<end_of_turn>\n"
    "{% endfor %}{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
)
_CHATML = "{% for m in messages %}" + _SAID + "<|im_end|>\n{% endfor %}" + _ASKED
_SLOW = (
    "{% if tools %}{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}{% endif %}"
)

STYLES = {
    "qwen": ToolStyle(
        QWEN, _IM, '<tool_call>\n{"name": "', '", "arguments": ', "}\n</tool_call>", told="# Tools"
    ),
    "qwen that thinks": ToolStyle(
        QWEN_THINKING, _IM, '<tool_call>\n{"name": "', '", "arguments": ', "}\n</tool_call>", told="# Tools"
    ),
    "hermes": ToolStyle(
        _HERMES, _IM, '<tool_call>\n{"name": "', '", "arguments": ', "}\n</tool_call>",
        is_message=True, told="<|im_start|>system\nYou are a function",
    ),
    "llama": ToolStyle(
        _LLAMA, _LLAMA_CONTROLS, '{"name": "', '", "parameters": ', "}", told="Given these functions"
    ),
    "llama with a tag": ToolStyle(
        _LLAMA_TAGGED, (*_LLAMA_CONTROLS, "<|python_tag|>"), '<|python_tag|>{"name": "',
        '", "parameters": ', "}", told="Given these functions",
    ),
    "mistral": ToolStyle(
        _MISTRAL, _MISTRAL_CONTROLS, '[TOOL_CALLS] [{"name": "', '", "arguments": ',
        ', "id": "k7Qd2mX9b"}]', is_message=True, told="[AVAILABLE_TOOLS] [{",
    ),
    "functionary": ToolStyle(
        _FUNCTIONARY, _IM, "<function=", ">", "</function>",
        is_message=True, told="<|im_start|>system\nFunctions:",
    ),
    "phi": ToolStyle(
        _PHI, _PHI_CONTROLS, '<|tool_call|>[{"name": "', '", "arguments": ', "}]", told="<|tool|>[{"
    ),
    "granite": ToolStyle(
        _GRANITE, _GRANITE_CONTROLS, '<|tool_call|>[{"name": "', '", "arguments": ', "}]",
        is_message=True, told="<|start_of_role|>available_tools",
    ),
    "command": ToolStyle(
        _COMMAND, _COMMAND_CONTROLS, '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "',
        '", "parameters": ', "}\n]", told="## Tools",
    ),
    "no system": ToolStyle(_NO_SYSTEM, _IM, '{"name": "', '", "arguments": ', "}", told="Tools: [{"),
    "pythonic": ToolStyle(_PYTHONIC, _IM),
    "arguments in tags": ToolStyle(_TAGGED, _IM),
    "smol": ToolStyle(_SMOL, _IM),
    "gemma": ToolStyle(_GEMMA, ("<start_of_turn>", "<end_of_turn>")),
    "chatml": ToolStyle(_CHATML, _IM),
    "raises for tools": ToolStyle("{% if tools %}{{ raise_exception('none') }}{% endif %}" + QWEN, _IM),
    "raises for calls": ToolStyle(
        QWEN.replace("{% set f =", "{{ raise_exception('none') }}{% set f ="), _IM
    ),
    "never ends": ToolStyle(_SLOW + QWEN, _IM),
    "another form each time": ToolStyle(
        QWEN.replace('"arguments"', '"{{ f.name }}s arguments"').replace("f.name }}s", "f.name[:3] }}s"), _IM
    ),
    "drops the words": ToolStyle(QWEN.replace("{{ tool | tojson }}", "{{ tool.function.name }}"), _IM),
    "hides the person": ToolStyle(
        QWEN.replace("{{ m.content }}", "{{ m.content if not tools or m.role == 'system' }}"), _IM
    ),
    "the name twice": ToolStyle(QWEN.replace("<tool_call>\n{", "<tool_call>{{ f.name }}\n{"), _IM),
    "changes the frame": ToolStyle(
        QWEN.replace("<|im_start|>{{ m.role }}", "<|im_start|>{{ 'x' if tools else m.role }}"), _IM
    ),
}  # fmt: skip
