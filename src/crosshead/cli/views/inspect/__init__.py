"""Documents, their blocks, their chunks and what a check says about them."""
