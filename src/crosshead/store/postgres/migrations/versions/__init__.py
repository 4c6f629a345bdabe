"""One file per revision; each can be read alone."""
