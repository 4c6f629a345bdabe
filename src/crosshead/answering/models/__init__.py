"""Language models: a prompt -> text as it comes. A model is behind a server, or a function of the caller."""
