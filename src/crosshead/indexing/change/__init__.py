"""An index with other settings: another model, another cutting, another language.

    settings -> remake rows beside the old ones -> embed what has no vector -> one commit puts them in place

`settings` says what a change means, `remake` makes the rows of one document again, `run` does all of it, `estimate`
says how long it would take. Searches read the old rows until the last commit. A run that was killed left the new rows
where the store keeps them; the same change continues there, and another one discards them.
"""
