"""Where files become rows: worker processes on this machine, or a Ray cluster."""
