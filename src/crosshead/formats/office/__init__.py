"""The formats of Office, on the package that they share."""
