"""OpenDocument: texts, spreadsheets and presentations, as LibreOffice and others write them."""
