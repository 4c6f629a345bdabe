"""What every request passes before its route: access, limits and the log."""
