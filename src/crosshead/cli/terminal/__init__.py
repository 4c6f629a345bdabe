"""What a run prints while it works, without Rich where plain lines do."""
