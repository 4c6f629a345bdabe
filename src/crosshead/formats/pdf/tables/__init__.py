"""Lines and rules -> tables, with and without borders."""
