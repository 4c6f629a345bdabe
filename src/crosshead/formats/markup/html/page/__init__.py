"""A page while it is read: its blocks so far, and the line of text that is being collected."""
