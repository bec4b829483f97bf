"""Database and evidence in a folder, and from it into a fresh place.

`manifest.json` comes last and names all that belongs to the backup: a folder without it has none. Evidence
lies under its SHA-256, so that a second backup into the same folder copies only what is new.
"""
