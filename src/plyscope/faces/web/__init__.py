"""The page: its verbs, who carries them out, the server, and the front-end."""
