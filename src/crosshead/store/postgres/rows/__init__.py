"""Documents <-> rows: convert, read and write them."""
