"""The worker: a process of its own in which llama.cpp runs one model.

A native crash, an out-of-memory kill or a stuck computation ends that process and nothing else. It speaks
length-prefixed JSON frames over its pipes (`frames.py`) and opens no port. The child's side is `__main__`,
`pipes`, `writer`, `jobs`, `work` and `llama/` (the only door to `llama_cpp`); the app's side is `process`
(a thread that owns the process), `session` (what the loop knows of it) and `model_worker` (start, restart,
give up).
"""
