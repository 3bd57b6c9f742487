"""The one door to llama.cpp. Runs in the worker process only.

`loading` opens a file, `vocabulary` turns text into tokens and back, `template` and `prompt` make one text of
messages, `memory` holds what was evaluated, `sampler`, `grammar` and `characters` choose the next token,
`decoder` makes text of bytes, `generation` is one answer, `chat_model` all of it together; `embedding` is the
other kind.
Only `native_log`, `faults` and this file may be imported before a model is asked for.
"""
