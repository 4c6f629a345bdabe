"""The machine around the rooms: worker processes, temporary folders, JSON output, the docs of fields."""
