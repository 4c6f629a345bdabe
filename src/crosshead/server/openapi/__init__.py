"""The OpenAPI document: schemas of the library's values, and example answers."""
