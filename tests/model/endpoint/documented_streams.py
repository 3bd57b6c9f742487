"""What six servers stream, byte for byte as their public documentation and source show it."""

from __future__ import annotations

from dataclasses import dataclass

from partner_desktop.domain.model_call import CallEnd


@dataclass(frozen=True)
class Stream:
    """One answer, and what it says."""

    server: str
    raw: str
    text: str
    thought: str = ""
    usage: tuple[int, int, int] = (0, 0, 0)
    """Tokens of the prompt, of these kept from before, and of the answer."""
    end: CallEnd = "stop"


@dataclass(frozen=True)
class Failure:
    """An answer that goes wrong: what came until then, and what the sentence says of it."""

    server: str
    raw: str
    text: str
    said: str


_OPENAI = '"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,"model":"gpt-4o-mini"'
_LLAMA = '"created":1762593253,"id":"chatcmpl-DHvc","model":"m","object":"chat.completion.chunk"'
_OLLAMA = '"id":"chatcmpl-480","object":"chat.completion.chunk","model":"m","system_fingerprint":"fp_ollama"'
_STUDIO = '"id":"chatcmpl-7x","object":"chat.completion.chunk","created":1730,"system_fingerprint":"qwen2.5"'
_VLLM = '"id":"chatcmpl-9f","object":"chat.completion.chunk","created":1758,"model":"Qwen/Qwen3-8B"'
_ROUTER = '"id":"gen-1","provider":"OpenAI","model":"openai/gpt-4o","object":"chat.completion.chunk"'

STREAMS = (
    Stream(
        "OpenAI, with usage",
        f"""data: {{{_OPENAI},"service_tier":"default","choices":[{{"index":0,"delta":{{"role":"assistant",\
"content":"","refusal":null}},"logprobs":null,"finish_reason":null}}],"usage":null,"obfuscation":"x3"}}

data: {{{_OPENAI},"choices":[{{"index":0,"delta":{{"content":"Hello"}},"logprobs":null,\
"finish_reason":null}}],"usage":null}}

data: {{{_OPENAI},"choices":[{{"index":0,"delta":{{}},"logprobs":null,"finish_reason":"stop"}}],"usage":null}}

data: {{{_OPENAI},"choices":[],"usage":{{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29,\
"prompt_tokens_details":{{"cached_tokens":16,"audio_tokens":0}},\
"completion_tokens_details":{{"reasoning_tokens":0,"audio_tokens":0}}}}}}

data: [DONE]

""",
        "Hello",
        usage=(19, 16, 10),
    ),
    Stream(
        "OpenAI, a call of a tool in pieces that nobody offered",
        f"""data: {{{_OPENAI},"choices":[{{"index":0,"delta":{{"role":"assistant","content":null,\
"tool_calls":[{{"index":0,"id":"call_DdmO","type":"function","function":{{"name":"weather",\
"arguments":""}}}}]}},"finish_reason":null}}]}}

data: {{{_OPENAI},"choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,"function":\
{{"arguments":"{{\\""}}}}]}},"finish_reason":null}}]}}

data: {{{_OPENAI},"choices":[{{"index":0,"delta":{{"content":"I would look."}},"finish_reason":null}}]}}

data: {{{_OPENAI},"choices":[{{"index":0,"delta":{{}},"finish_reason":"tool_calls"}}]}}

data: [DONE]

""",
        "I would look.",
    ),
    Stream(
        "OpenAI, refused",
        f"""data: {{{_OPENAI},"choices":[{{"index":0,"delta":{{"role":"assistant","refusal":"I'm sorry, "}},\
"finish_reason":null}}]}}

data: {{{_OPENAI},"choices":[{{"index":0,"delta":{{"refusal":"no."}},"finish_reason":"content_filter"}}]}}

data: [DONE]

""",
        "I'm sorry, no.",
    ),
    Stream(
        "llama.cpp, thinking, with usage and timings",
        f"""data: {{"choices":[{{"finish_reason":null,"index":0,"delta":{{"role":"assistant",\
"content":null}}}}],{_LLAMA}}}

data: {{"choices":[{{"finish_reason":null,"index":0,"delta":{{"reasoning_content":"We greet"}}}}],{_LLAMA}}}

data: {{"choices":[{{"finish_reason":null,"index":0,"delta":{{"reasoning_content":"."}}}}],{_LLAMA}}}

data: {{"choices":[{{"finish_reason":null,"index":0,"delta":{{"content":"Grüß"}}}}],{_LLAMA}}}

data: {{"choices":[{{"finish_reason":null,"index":0,"delta":{{"content":" dich 👋"}}}}],{_LLAMA}}}

data: {{"choices":[{{"finish_reason":"length","index":0,"delta":{{}}}}],{_LLAMA}}}

data: {{"choices":[],{_LLAMA},"usage":{{"completion_tokens":24,"prompt_tokens":108,"total_tokens":132,\
"prompt_tokens_details":{{"cached_tokens":100}}}},"timings":{{"prompt_n":8,"prompt_ms":20.3,\
"predicted_n":24,"predicted_ms":93.6}}}}

data: [DONE]

""",
        "Grüß dich 👋",
        thought="We greet.",
        usage=(108, 100, 24),
        end="length",
    ),
    Stream(
        "llama.cpp of 2024: usage with the last words, and blanks before the events",
        f"""\n\ndata: {{"choices":[{{"finish_reason":null,"index":0,"delta":{{"content":"Hi"}}}}],{_LLAMA}}}

data: {{"choices":[{{"finish_reason":"stop","index":0,"delta":{{}}}}],{_LLAMA},\
"usage":{{"completion_tokens":2,"prompt_tokens":11,"total_tokens":13}}}}

""",
        "Hi",
        usage=(11, 0, 2),
    ),
    Stream(
        "Ollama, thinking, the role with every word",
        f"""data: {{{_OLLAMA},"choices":[{{"index":0,"delta":{{"role":"assistant","content":"",\
"reasoning":"Short."}},"finish_reason":null}}]}}

data: {{{_OLLAMA},"choices":[{{"index":0,"delta":{{"role":"assistant","content":"Good"}},\
"finish_reason":null}}]}}

data: {{{_OLLAMA},"choices":[{{"index":0,"delta":{{"role":"assistant","content":" day"}},\
"finish_reason":null}}]}}

data: {{{_OLLAMA},"choices":[{{"index":0,"delta":{{"role":"assistant","content":""}},\
"finish_reason":"stop"}}]}}

data: {{{_OLLAMA},"choices":[],"usage":{{"prompt_tokens":26,"completion_tokens":9,"total_tokens":35}}}}

data: [DONE]

""",
        "Good day",
        thought="Short.",
        usage=(26, 0, 9),
    ),
    Stream(
        "LM Studio, with line ends of Windows and no word after the last",
        f"""data: {{{_STUDIO},"choices":[{{"index":0,"delta":{{"role":"assistant","content":"Well"}},\
"logprobs":null,"finish_reason":null}}]}}

data: {{{_STUDIO},"choices":[{{"index":0,"delta":{{"content":", yes."}},"logprobs":null,\
"finish_reason":null}}]}}

data: {{{_STUDIO},"choices":[{{"index":0,"delta":{{}},"logprobs":null,"finish_reason":"stop"}}]}}

data: {{{_STUDIO},"choices":[],"usage":{{"prompt_tokens":40,"completion_tokens":4,"total_tokens":44}},\
"stats":{{}}}}""".replace("\n", "\r\n"),
        "Well, yes.",
        usage=(40, 0, 4),
    ),
    Stream(
        "vLLM, what was used with every event, thoughts under both names",
        f"""data: {{{_VLLM},"choices":[{{"index":0,"delta":{{"role":"assistant","content":""}},\
"logprobs":null,"finish_reason":null}}],"prompt_token_ids":null,"usage":{{"prompt_tokens":7,"total_tokens":7,\
"completion_tokens":0}}}}

data: {{{_VLLM},"choices":[{{"index":0,"delta":{{"reasoning":"Hm.","reasoning_content":"Hm."}},\
"finish_reason":null,"token_ids":null}}],"usage":{{"prompt_tokens":7,"total_tokens":8,\
"completion_tokens":1}}}}

data: {{{_VLLM},"choices":[{{"index":0,"delta":{{"content":"42"}},"logprobs":null,"finish_reason":"stop",\
"stop_reason":null}}],"usage":{{"prompt_tokens":7,"total_tokens":9,"completion_tokens":2}}}}

data: {{{_VLLM},"choices":[],"usage":{{"prompt_tokens":7,"total_tokens":10,"completion_tokens":3,\
"prompt_tokens_details":null}}}}

data: [DONE]

""",
        "42",
        thought="Hm.",
        usage=(7, 0, 3),
    ),
    Stream(
        "OpenRouter, with its comments",
        f""": OPENROUTER PROCESSING

: OPENROUTER PROCESSING

data: {{{_ROUTER},"choices":[{{"index":0,"delta":{{"role":"assistant","content":"","reasoning":"Let me see",\
"reasoning_details":[{{"type":"reasoning.text","text":"Let me see"}}]}},"finish_reason":null,\
"native_finish_reason":null,"logprobs":null}}]}}

: OPENROUTER PROCESSING

data: {{{_ROUTER},"choices":[{{"index":0,"delta":{{"role":"assistant","content":"Build it"}},\
"finish_reason":null,"native_finish_reason":null}}]}}

data: {{{_ROUTER},"choices":[{{"index":0,"delta":{{"role":"assistant","content":" in steps"}},\
"finish_reason":"length","native_finish_reason":"max_output_tokens"}}]}}

data: {{{_ROUTER},"choices":[{{"index":0,"delta":{{"role":"assistant","content":""}},\
"finish_reason":null,"native_finish_reason":null}}],"usage":{{"prompt_tokens":14,"completion_tokens":163,\
"total_tokens":177,"cost":0.001,"is_byok":false,"prompt_tokens_details":{{"cached_tokens":0}}}}}}

data: [DONE]

""",
        "Build it in steps",
        thought="Let me see",
        usage=(14, 0, 163),
        end="length",
    ),
)

FAILURES = (
    Failure(
        "OpenAI, in the midst",
        f"""data: {{{_OPENAI},"choices":[{{"index":0,"delta":{{"content":"Once"}},"finish_reason":null}}]}}

data: {{"error":{{"type":"server_error","code":null,"message":"The server had an error while processing \
your request. Sorry about that!","param":null}}}}

""",
        "Once",
        "reports an error (“The server had an error while processing your request. Sorry about that!”)",
    ),
    Failure(
        "llama.cpp",
        f"""data: {{"choices":[{{"finish_reason":null,"index":0,"delta":{{"content":"Once"}}}}],{_LLAMA}}}

data: {{"error":{{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}}}

""",
        "Once",
        "reports an error (“Context size has been exceeded.”)",
    ),
    Failure(
        "llama.cpp of 2024: an event of its own kind, and the usual end",
        f"""data: {{"choices":[{{"finish_reason":null,"index":0,"delta":{{"content":"Once"}}}}],{_LLAMA}}}

error: {{"code":500,"message":"Compute error.","type":"server_error"}}

data: [DONE]

""",
        "Once",
        "reports an error (“Compute error.”)",
    ),
    Failure(
        "Ollama: the error stands among the events as it is",
        f"""data: {{{_OLLAMA},"choices":[{{"index":0,"delta":{{"role":"assistant","content":"Once"}},\
"finish_reason":null}}]}}

{{"error":{{"message":"an error was encountered while running the model: CUDA error","type":"api_error",\
"param":null,"code":null}}}}
""",
        "Once",
        "reports an error (“an error was encountered while running the model: CUDA error”)",
    ),
    Failure(
        "LM Studio",
        """event: error
data: {"error":{"message":"The model has crashed without additional information. (Exit code: null)"}}

""",
        "",
        "reports an error (“The model has crashed without additional information. (Exit code: null)”)",
    ),
    Failure(
        "vLLM, old and new",
        f"""data: {{{_VLLM},"choices":[{{"index":0,"delta":{{"content":"Once"}},"finish_reason":null}}]}}

data: {{"object":"error","message":"EngineCore encountered an issue.","type":"InternalServerError",\
"param":null,"code":500}}

data: [DONE]

""",
        "Once",
        "reports an error (“EngineCore encountered an issue.”)",
    ),
    Failure(
        "OpenRouter: with the reason of its end",
        f""": OPENROUTER PROCESSING

data: {{{_ROUTER},"choices":[{{"index":0,"delta":{{"content":"Once"}},"finish_reason":null}}]}}

data: {{{_ROUTER},"error":{{"code":"server_error","message":"Provider disconnected unexpectedly"}},\
"choices":[{{"index":0,"delta":{{"content":""}},"finish_reason":"error"}}]}}

""",
        "Once",
        "reports an error (“Provider disconnected unexpectedly”)",
    ),
    Failure(
        "OpenRouter: an end with an error that nobody names",
        f"""data: {{{_ROUTER},"choices":[{{"index":0,"delta":{{"content":"Once"}},"finish_reason":"error",\
"native_finish_reason":"error"}}]}}

data: [DONE]

""",
        "Once",
        "broke its answer off",
    ),
    Failure(
        "cut before the reason of its end and before its last word",
        f"""data: {{{_STUDIO},"choices":[{{"index":0,"delta":{{"content":"Once"}},"finish_reason":null}}]}}

""",
        "Once",
        "broke its answer off",
    ),
)
