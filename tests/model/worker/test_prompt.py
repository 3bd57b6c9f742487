"""Chat templates as files bring them, and the tokens of what they make."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from partner_desktop.model.worker.frames import Failure, Loaded, PromptMessage
from partner_desktop.model.worker.llama.chat_template import ChatTemplate, TemplateFaultError
from partner_desktop.model.worker.llama.model_loader import LoadOptions, LoadProgress, NativeModel
from partner_desktop.model.worker.llama.prompt import Prompter
from partner_desktop.model.worker.llama.vocabulary import MARK, Vocabulary
from tests.model.engine import needs_engine
from tests.model.tiny import CHATML, make_tiny_model
from tests.model.worker.talk import Talk, chat_of

pytestmark = needs_engine

_NO_SYSTEM = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for message in messages %}"
    "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Roles must alternate') }}{% endif %}"
    "<|im_start|>{{ message['role'] }}\n{{ message['content'] | trim }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>model\n{% endif %}"
)
_ALTERNATING = (
    "{% set said = messages %}{% if said[0].role == 'system' %}{{ said[0].content }}{% set said = said[1:] %}"
    "{% endif %}{% for message in said %}{% if (message.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('alternate!') }}{% endif %}[{{ message.role }}]{{ message.content }}{% endfor %}"
)
_DROPS = "{% for message in messages %}<|im_start|>{{ message['role'] }}<|im_end|>{% endfor %}"
_ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
_GREEDY = (
    "{% set ns = namespace(x='x' * 9999) %}{% for a in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}"
)
_PLAIN = "a plain format takes its place."


@pytest.fixture
def vocabulary(tiny: Path) -> Iterator[Vocabulary]:
    native = NativeModel(
        tiny, LoadOptions(512, 1, 0), LoadProgress(lambda _: None, lambda: False), lambda: False
    )
    yield Vocabulary(native.vocab)
    native.close()


def _message(role: str, text: str) -> PromptMessage:
    return PromptMessage.model_validate({"role": role, "text": text})


_TALK = [
    _message("system", "Be short."),
    _message("user", "One."),
    _message("user", "Two."),
    _message("assistant", "Three."),
    _message("user", "Four."),
]


def _shown(vocabulary: Vocabulary, template: str | None) -> tuple[str, str]:
    """What a model with this template reads, and the note."""
    prompter = Prompter(vocabulary, template)
    tokens = prompter.prompt(_TALK, 1).tokens
    names = {vocabulary.read(text)[0]: text.encode() for text in vocabulary.controls}
    text = b"".join(names.get(token) or vocabulary.piece(token) for token in tokens)
    return text.decode(), prompter.note


_CHATML_SHOWN = (
    "<|im_start|>system\nBe short.<|im_end|>\n<|im_start|>user\nOne.<|im_end|>\n"
    "<|im_start|>user\nTwo.<|im_end|>\n<|im_start|>assistant\nThree.<|im_end|>\n"
    "<|im_start|>user\nFour.<|im_end|>\n<|im_start|>assistant\n"
)


def test_a_template_that_takes_everything_is_used_as_it_is(vocabulary: Vocabulary) -> None:
    assert _shown(vocabulary, CHATML) == (_CHATML_SHOWN, "")


def test_a_template_without_a_system_role_gets_instructions_in_the_first_message(
    vocabulary: Vocabulary,
) -> None:
    text, note = _shown(vocabulary, _NO_SYSTEM)
    assert text == (
        "<|im_start|>user\nBe short.\n\nOne.\n\nTwo.<|im_end|>\n<|im_start|>assistant\nThree.<|im_end|>\n"
        "<|im_start|>user\nFour.<|im_end|>\n<|im_start|>model\n"
    )
    assert note == "Its chat template knows no system message, so instructions go into the first message."


def test_a_template_that_wants_turns_gets_neighbours_joined(vocabulary: Vocabulary) -> None:
    text, note = _shown(vocabulary, _ALTERNATING)
    assert text == "Be short.[user]One.\n\nTwo.[assistant]Three.[user]Four."
    assert note == "Its chat template wants both sides to alternate, so neighbouring messages are joined."


@pytest.mark.integration
@pytest.mark.parametrize(
    ("template", "why"),
    [
        (None, "The model has no chat template"),
        ("  \n", "The model has no chat template"),
        ("{{ raise_exception('no. never.') }}", "(it says: no. never)"),
        ("{% for x in %}", "(it fails with TemplateSyntaxError"),
        ("{{ messages[99]['content'] }}", "(it fails with UndefinedError (list object has no element 99))"),
        ("{{ messages[0].content.x.y }}", "it fails with UndefinedError"),
        (_DROPS, "(it drops what was said)"),
        (_ENDLESS, "(it took longer than 2 seconds)"),
        (_GREEDY, "(it took more than 256 MB)"),
        ("{{ 'x' * 9999999999 }}", "(it multiplies what is too large)"),
        ("{{ 9 ** 9 ** 9 }}", "(it computes powers)"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "SecurityError"),
        ("{{ messages.append(1) }}", "SecurityError"),
        ("{% include '/etc/passwd' %}", "it fails with TypeError"),
    ],
)
def test_a_template_that_cannot_be_used_gives_way_to_chatml(
    vocabulary: Vocabulary, template: str | None, why: str
) -> None:
    text, note = _shown(vocabulary, template)
    assert text == _CHATML_SHOWN
    assert why in note
    assert note.endswith(_PLAIN)


def test_a_template_that_fails_at_one_prompt_only_gives_way_at_that_one(vocabulary: Vocabulary) -> None:
    moody = CHATML + "{% if messages[-1].content == 'x' %}{{ raise_exception('x') }}{% endif %}"
    prompter = Prompter(vocabulary, moody)
    assert prompter.note == ""
    odd, even = (prompter.prompt([_message("user", text)], 0) for text in "xy")
    assert len(odd.tokens) == len(even.tokens)


@pytest.mark.integration
def test_a_thought_that_the_template_opens_is_told_with_the_answer_and_closed_for_a_form(
    talk: Talk, tmp_path: Path
) -> None:
    path = make_tiny_model(
        tmp_path / "thinker.gguf",
        template=CHATML.replace("assistant\n{% endif", "assistant\n<think>\n{% endif"),
    )
    assert isinstance(talk.load(path), Loaded)
    text, written = talk.chat(chat_of(1, "I wonder: <think>"))
    assert text.startswith("<think>\n")
    assert text.count("<think>") == 1
    closed = talk.chat(chat_of(2, "I wonder: <think>", grammar_schema='{"enum": ["yes", "no"]}'))
    assert closed[0] in ('"yes"', '"no"')
    assert closed[1].prompt_tokens == written.prompt_tokens + len("\n</think>\n\n")


_SWITCHED = CHATML.replace(
    "assistant\n{% endif",
    "assistant\n{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n"
    "{% else %}<think>\n{% endif %}{% endif",
)


@pytest.mark.integration
def test_a_template_with_a_switch_for_thoughts_is_told_to_leave_them_out_of_a_form(
    talk: Talk, tmp_path: Path
) -> None:
    path = make_tiny_model(tmp_path / "switched.gguf", template=_SWITCHED)
    assert isinstance(talk.load(path), Loaded)
    text, written = talk.chat(chat_of(1, "I wonder."))
    assert text.startswith("<think>\n")
    answer, closed = talk.chat(chat_of(2, "I wonder.", grammar_schema='{"enum": ["yes", "no"]}'))
    assert answer in ('"yes"', '"no"')
    assert closed.prompt_tokens == written.prompt_tokens + len("\n</think>\n\n")


def test_a_file_that_recommends_how_to_choose_words_is_heard_within_bounds(
    talk: Talk, tmp_path: Path
) -> None:
    said = {"temp": 0.6, "top_k": 20, "top_p": 0.8, "min_p": 7.5, "penalty_repeat": 1.5, "mirostat": 2}
    loaded = talk.load(make_tiny_model(tmp_path / "advised.gguf", sampling=said))
    assert isinstance(loaded, Loaded)
    found = {name: round(value, 3) for name, value in loaded.recommended.items()}
    assert found == {"temperature": 0.6, "top_k": 20, "top_p": 0.8, "repeat_penalty": 1.5}
    _, written = talk.chat(chat_of(1, "Hello", repeat_penalty=1.5, temperature=0.8))
    assert written.output_tokens > 0


def test_what_a_template_may_ask_for_is_there() -> None:
    source = "{{ bos_token }}|{{ eos_token }}|{{ strftime_now('%Y') | length }}|{{ {'a': 'ü'} | tojson }}"
    template = ChatTemplate(source, bos="<s>", eos="</s>")
    assert template.render([]) == '<s>|</s>|4|{"a": "ü"}'
    with pytest.raises(TemplateFaultError, match="it says: stop"):
        ChatTemplate("{{ raise_exception('stop') }}", bos="", eos="").render([])


@pytest.mark.integration
def test_a_model_without_a_template_or_its_tokens_talks_by_names(talk: Talk, tmp_path: Path) -> None:
    path = make_tiny_model(tmp_path / "bare.gguf", template=None)
    data = path.read_bytes()
    for name in (b"<|im_start|>", b"<|im_end|>"):
        data = data.replace(name, name.replace(b"im", b"xx"))
    path.write_bytes(data)
    talk.hear()
    loaded = talk.load(path)
    assert isinstance(loaded, Loaded)
    assert loaded.note == "The model has no chat template; a plain format takes its place."
    _, written = talk.chat(chat_of(1, "Hi\nUser: you", system="Go."))
    assert written.prompt_tokens == len("System: Go.\n\nUser: Hi\n User: you\n\nAssistant:")


@pytest.mark.integration
def test_a_template_without_end_neither_hangs_the_worker_nor_ends_it(talk: Talk, tmp_path: Path) -> None:
    path = make_tiny_model(tmp_path / "hostile.gguf", template=_ENDLESS)
    talk.hear()
    loaded = talk.load(path)
    assert isinstance(loaded, Loaded)
    assert loaded.note.endswith(_PLAIN)
    assert not isinstance(talk.ask(chat_of(1, "Hi")), Failure)


def test_tokens_of_the_parts_are_the_tokens_of_the_whole(vocabulary: Vocabulary) -> None:
    bits = [
        "<|im_start|>",
        "<|im_end|>",
        "<|endoftext|>",
        " t",
        "the",
        "<",
        "|",
        "im",
        ">",
        "\n",
        "  ",
        "漢",
        "é",
    ]
    dice = random.Random(5)
    for _ in range(300):
        text = "".join(dice.choices(bits, k=dice.randrange(40)))
        assert vocabulary.tokens(text) == vocabulary.read(text)
        assert vocabulary.tokens(text) == vocabulary.read(text), "and from memory the same"


def test_no_text_can_bring_a_control_token_in(vocabulary: Vocabulary) -> None:
    bits = [
        "<|im_start|>",
        "<|im_end|>",
        "<|",
        "im_",
        "start|>",
        "<|endof",
        "text|>",
        MARK,
        "<",
        "|>",
        "a",
        " t",
    ]
    controls = {vocabulary.read(text)[0] for text in vocabulary.controls}
    dice = random.Random(6)
    for _ in range(500):
        text = "".join(dice.choices(bits, k=dice.randrange(20)))
        tokens = vocabulary.tokens(vocabulary.marked(text))
        assert not controls & set(tokens)
        said = b"".join(vocabulary.piece(token) for token in tokens).decode()
        assert said == text.replace(MARK, "\ufffd"), "and every character is there"
