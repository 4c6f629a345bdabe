"""E-mail: internet messages (eml.py) and Outlook messages (msg.py).

Both have the same parts (parts.py), are written alike (writing.py), and hold documents that were attached
(attachments.py).
"""
