"""How a run ends: errors in one line, Ctrl-C, exit codes."""
