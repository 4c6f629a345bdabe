"""E-mail: internet messages (`eml`) and Outlook messages (`msg`).

Both have the same `parts`, are written alike (`writing`), and hold documents that were attached (`attachments`).
"""
