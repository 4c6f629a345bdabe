"""Model servers: how to reach Ollama and servers with OpenAI's API, and requests with retries."""
