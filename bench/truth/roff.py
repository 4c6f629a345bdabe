def print_all(documents, folder):
    raise NotImplementedError
