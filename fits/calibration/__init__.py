"""The decision, measured: how often it is wrong, and how often it sees what is there (spec sections 3, 4)."""
