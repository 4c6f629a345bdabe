"""What DOCX, PPTX and XLSX share: packages of XML parts, drawings, charts and number formats."""
