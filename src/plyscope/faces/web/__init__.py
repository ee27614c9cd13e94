"""The page: its verbs, who carries them out, the server, and the front-end, which the notebook's
widget has too."""
