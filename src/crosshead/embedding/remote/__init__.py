"""Embedders behind a server: Ollama, and all that speak OpenAI's protocol."""
