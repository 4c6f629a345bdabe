"""How results look on a terminal. Rich is imported here only, and the commands import a view when they show it."""
