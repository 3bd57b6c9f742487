"""The one door to llama.cpp. Runs in the worker process only.

`model_loader` opens a file, `vocabulary` turns text into tokens and back, `prompt` makes one text of messages
by the model's template, `kv_cache` holds what was evaluated, `grammar` bounds the next token, `generation` is
one answer, `chat_model` all of it together, and `model_factory` the way from a request to it.
Only `native_log` and this file may be imported before a model is asked for.
"""
