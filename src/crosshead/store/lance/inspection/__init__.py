"""What an index holds, and what is wrong with its files and rows."""
