"""E-mail: messages as they are sent (eml.py) and as Outlook saves them (msg.py).

Both have the same parts (parts.py), are written alike (writing.py), and hold documents that were attached
(attachments.py).
"""
