"""The page: a server on this machine, and what a browser shows of it."""
