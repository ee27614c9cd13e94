"""The page: its endpoints, scheduler and workers, the server, and the front-end."""
