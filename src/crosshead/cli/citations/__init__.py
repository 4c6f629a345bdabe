"""Citations as people type, click and open them."""
