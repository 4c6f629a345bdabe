"""What a run prints while it works, without Rich where nobody needs it."""
