"""Documents, sheets and slides of office programs: Office Open XML, OpenDocument, RTF, and the formats before 2007."""
