"""Models behind OpenAI-compatible servers: Ollama, LM Studio, llama-server, vLLM, OpenAI and their like."""
