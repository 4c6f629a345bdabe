"""Embedders behind a server: Ollama, and any server with OpenAI's API."""
